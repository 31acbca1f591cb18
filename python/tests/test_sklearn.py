# SPDX-License-Identifier: Apache-2.0
"""The estimators are what scikit-learn expects of estimators."""
import warnings

import numpy as np
import pytest

import medley

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402
from sklearn.feature_extraction.text import CountVectorizer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from medley.sklearn import (  # noqa: E402
    MixedMembership,
    MixedMembershipClassifier,
    MixedMembershipImputer,
    TopicModel,
)

pytestmark = pytest.mark.filterwarnings("ignore")

ORDER = ("Weights and repeats agree to the bit in one order of rows. The check shuffles them, and with 15 rows another "
         "order begins elsewhere and may end in another optimum.")
LABEL_WEIGHT = ("The default weight of the label is the mean number of words of a row, which counts every row once, whatever its "
                "weight; with label_weight= given, weights and repeats agree to the bit.")
EXPECTED = {
    "MixedMembership": {"check_sample_weight_equivalence_on_dense_data": ORDER},
    "MixedMembershipClassifier": {"check_sample_weight_equivalence_on_sparse_data": LABEL_WEIGHT},
}


@parametrize_with_checks(
    [MixedMembership(2), TopicModel(2), MixedMembershipClassifier(3), MixedMembershipImputer(2)],
    expected_failed_checks=lambda estimator: EXPECTED.get(type(estimator).__name__, {}))
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_expected_failures_are_few():
    assert sum(map(len, EXPECTED.values())) <= 2


def test_weighted_counts_are_repeated_ones():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(42)
    counts, classes, weight = rng.poisson(2.0, (15, 30)), rng.integers(3, size=15), rng.integers(5, size=15)
    again = np.repeat(np.arange(15), weight)
    a = MixedMembershipClassifier(3, label_weight=4.0).fit(sparse.csr_array(counts), classes, sample_weight=weight)
    b = MixedMembershipClassifier(3, label_weight=4.0).fit(sparse.csr_array(counts[again]), classes[again])
    assert np.allclose(a.predict_proba(counts), b.predict_proba(counts), atol=1e-9)


def test_flowers_are_told_apart():
    X, y = load_iris(return_X_y=True)
    shares = MixedMembership(3, n_init=4).fit_transform(X)
    assert np.allclose(shares.sum(axis=1), 1)
    accuracy = cross_val_score(MixedMembershipClassifier(6, random_state=1), X, y, cv=3).mean()
    assert accuracy > 0.85


def test_weights_are_repeats():
    X, _ = load_iris(return_X_y=True)
    X = X[::3]
    weight = np.arange(len(X)) % 3
    a = MixedMembership(2).fit(X, sample_weight=weight)
    b = MixedMembership(2).fit(np.repeat(X, weight, axis=0))
    assert np.allclose(a.transform(X), b.transform(X), atol=1e-6)


def test_pipelines_searches_and_clones():
    texts = ["ship sail wave harbour sea"] * 20 + ["field plough harvest barn corn"] * 20
    y = [0] * 20 + [1] * 20
    pipe = make_pipeline(CountVectorizer(), TopicModel(2), LogisticRegression())
    search = GridSearchCV(pipe, {"topicmodel__n_components": [2, 3]}, n_jobs=2, cv=2).fit(texts, y)
    assert search.best_score_ == 1.0
    assert clone(search.best_estimator_).fit(texts, y).score(texts, y) == 1.0


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_set_output_names_the_columns(library):
    pytest.importorskip(library)
    X, _ = load_iris(return_X_y=True)
    found = MixedMembership(2).set_output(transform=library).fit_transform(X)
    assert type(found).__module__.startswith(library)
    assert list(found.columns) == ["mixedmembership0", "mixedmembership1"]


def test_metadata_is_routed():
    import sklearn

    X, _ = load_iris(return_X_y=True)
    with sklearn.config_context(enable_metadata_routing=True):
        pipe = make_pipeline(MixedMembership(2).set_fit_request(sample_weight=True))
        pipe.fit(X, sample_weight=np.ones(len(X)))


def test_tables_of_texts_categories_and_gaps_are_taken():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=120)
    frame = pd.DataFrame({"a": np.where(group, "yes", "no"), "b": pd.Categorical(np.where(group, "x", "z")),
                          "n": np.where(group, 3.0, -3.0) + rng.normal(size=120)})
    frame.loc[::7, "a"] = None
    frame.loc[::5, "n"] = np.nan
    top = MixedMembership(2, n_init=3).fit_transform(frame).argmax(axis=1)
    assert max((top == group).mean(), (top != group).mean()) > 0.95
    classes = MixedMembershipClassifier(3).fit(frame, np.array(["one", "two"])[group])
    assert (classes.predict(frame) == np.array(["one", "two"])[group]).mean() > 0.95
    filled = MixedMembershipImputer(2).fit_transform(frame)
    assert not filled.isna().any().any() and list(filled.columns) == list(frame.columns)


SPARSE = [f"{layout}_{kind}" for layout in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil") for kind in ("array", "matrix")]


@pytest.mark.parametrize("kind", SPARSE)
def test_every_kind_of_sparse_matrix_is_taken(kind):
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(0)
    group = np.arange(60) % 2
    counts = rng.poisson(np.where(group[:, None] == np.arange(12) % 2, 2.0, 0.2))
    given = getattr(sparse, kind)(counts)
    assert (TopicModel(2).fit_transform(given) == TopicModel(2).fit_transform(counts)).all()
    names = [str(w) for w in range(12)]
    assert medley.fit(given, k=2).to_bytes() == medley.fit(sparse.csr_array(counts), k=2, vocabulary=names).to_bytes()
    classes = MixedMembershipClassifier(2).fit(given, group)
    assert (classes.predict(given) == group).mean() > 0.95
    assert (classes.predict_proba(counts) == classes.predict_proba(given)).all()


def test_texts_need_no_vectorizer_and_more_can_be_learnt():
    texts = ["ship sail wave harbour sea"] * 20 + ["field plough harvest barn corn"] * 20
    model = TopicModel(2).fit(texts)
    assert model.components_.shape == (2, 10) and model.perplexity(texts) < 10
    assert model.partial_fit(texts).transform(texts).shape == (40, 2)
    assert isinstance(model.model_, medley.Model)


def test_warnings_are_ours_when_a_fit_is_cut_short():
    X, _ = load_iris(return_X_y=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        MixedMembership(3, max_iter=1).fit(X)
    assert any(issubclass(w.category, medley.ConvergenceWarning) for w in caught)
