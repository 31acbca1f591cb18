# SPDX-License-Identifier: Apache-2.0
"""Estimators for scikit-learn: they go into pipelines, grid searches and cross-validation.

    MixedMembership            shares of profiles from a table: numbers, texts, categories, missing cells
    TopicModel                 shares of topics from counts or texts
    MixedMembershipClassifier  a class, learnt with the profiles
    MixedMembershipImputer     missing numbers, filled from the rest of their rows
"""
from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import _core, _intake
from ._data import Dataset, take
from ._errors import ConvergenceWarning, DataWarning
from ._frames import kind_of
from ._model import Model
from ._options import fit_options

Array = np.ndarray[Any, Any]
_WEIGHT, _LABEL = "(weight)", "(class)"


def _seed(random_state: Any) -> int:
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _threads(n_jobs: int | None) -> int:
    return 1 if n_jobs is None else 0 if n_jobs < 0 else n_jobs


def _is_table(X: Any) -> bool:
    return _intake.is_frame(X) and not isinstance(X, np.ndarray) and not _intake.is_sparse(X)


class _Medley(BaseEstimator):  # type: ignore[misc]
    """What the estimators share: checking X, reading it, fitting."""

    model_: Model

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """X as medley reads it: tables as they are, arrays as float64 or objects."""
        if _is_table(X):
            validate_data(self, X=X, skip_check_array=True, reset=reset)
            rows = X.shape[0]
            if rows < (2 if reset else 1):
                raise ValueError(f"Found array with {rows} sample(s) (shape={X.shape}) while a minimum of "
                                 f"{2 if reset else 1} is required by {type(self).__name__}.")
            return X
        X = validate_data(self, X=X, dtype=None, ensure_all_finite="allow-nan", reset=reset,
                          ensure_min_samples=2 if reset else 1)
        if X.dtype.kind in "iufb":
            return np.asarray(X, dtype=np.float64)
        return X

    def _column_families(self, X: Any) -> dict[str, str]:
        """Families that arrays are given: numbers with a fraction are gaussian, whole ones are looked at."""
        given = getattr(self, "columns", None)
        if isinstance(given, str):
            names = self._names(X)
            return dict.fromkeys(names, given)
        if given is not None:
            return {str(k): str(v) for k, v in dict(given).items()}
        if not isinstance(X, np.ndarray) or X.dtype.kind != "f":
            return {}
        out = {}
        for name, column in zip(self._names(X), X.T):
            seen = column[~np.isnan(column)]
            if len(seen) and (seen != np.floor(seen)).any() and seen.min() < seen.max():
                out[name] = "gaussian"
        return out

    def _names(self, X: Any) -> list[str]:
        if isinstance(X, np.ndarray):
            return [f"x{i}" for i in range(X.shape[1])]
        return [str(c) for c in X.columns]

    def _read(self, X: Any, reading: Mapping[str, Any], schema: _core.Schema | None = None,
              extra: Mapping[str, Any] | None = None) -> Dataset:
        """A data set of X, with columns of the estimator's own beside it."""
        if isinstance(X, np.ndarray):
            X = {f"x{i}": X[:, i] for i in range(X.shape[1])}
        parts = dict(extra or {})
        if parts and _intake.is_sparse(X):
            data: Any = {"X": X, "y": parts}
        elif parts:
            data = _Beside(X, parts)
        else:
            data = X
        return _read_with(data, reading, schema)

    def _learn(self, rows: Dataset, options: Mapping[str, Any]) -> Model:
        chosen = fit_options({name: value for name, value in options.items() if value is not None})
        core = _core.fit(rows._core, chosen, _core.Auto(), None, None, False)
        self.n_iter_ = core.summary.iterations
        if core.summary.termination == "iteration limit":
            warnings.warn(f"{type(self).__name__} reached {core.summary.iterations} iterations before it converged.",
                          ConvergenceWarning, stacklevel=3)
        return Model(core)


class _Tabular(_Medley):
    """What those of tables share: numbers, texts, categories and gaps are taken as they are."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


class _Beside:
    """A table with more columns."""

    def __init__(self, table: Any, extra: Mapping[str, Any]) -> None:
        self.table, self.extra = table, extra


def _read_with(data: Any, reading: Mapping[str, Any], schema: _core.Schema | None) -> Dataset:
    extra: Mapping[str, Any] = {}
    if isinstance(data, _Beside):
        data, extra = data.table, data.extra
        if isinstance(data, Mapping):
            data, extra = {**data, **extra}, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        if not extra:
            taken, options = take(data, reading, schema)
            return Dataset(_core.dataset(taken.sources, options), taken.kind, taken.index)
        taken, options = take(_columns_of(data, extra), reading, schema)
        return Dataset(_core.dataset(taken.sources, options), kind_of(data), getattr(data, "index", None))


def _columns_of(table: Any, extra: Mapping[str, Any]) -> dict[str, Any]:
    columns = {str(name): (table.iloc[:, i] if hasattr(table, "iloc") else table[name])
               for i, name in enumerate(table.columns if hasattr(table, "columns") else table.column_names)}
    return {**columns, **extra}


def _counted(sample_weight: Array) -> bool:
    return bool((sample_weight == np.floor(sample_weight)).all())


class MixedMembership(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Tabular):  # type: ignore[misc]
    """Every row is a blend of profiles; ``transform`` gives its shares.

    Numbers, texts, categories and missing cells are taken as they are. ``columns`` says what columns are taken for:
    {name: family}, or one family for all; otherwise it is found out, as on the command line.
    """

    def __init__(self, n_components: int = 3, *, model: str = "mmnb", membership: str | None = None,
                 inference: str | None = None, alpha: str | None = None, smoothing: float | None = None,
                 tol: float = 1e-6, max_iter: int = 500, n_init: int = 1, init: str | None = None,
                 columns: Mapping[str, str] | str | None = None, n_jobs: int | None = None,
                 random_state: Any = None) -> None:
        self.n_components = n_components
        self.model = model
        self.membership = membership
        self.inference = inference
        self.alpha = alpha
        self.smoothing = smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.init = init
        self.columns = columns
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _options(self) -> dict[str, Any]:
        return {"k": self.n_components, "model": self.model, "membership": self.membership,
                "inference": self.inference, "alpha": self.alpha, "smoothing": self.smoothing, "tolerance": self.tol,
                "max_iterations": self.max_iter, "restarts": self.n_init, "init": self.init,
                "threads": _threads(self.n_jobs) or None, "seed": _seed(self.random_state)}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> MixedMembership:
        """Learns the profiles of the rows."""
        X = self._check_table(X, reset=True)
        reading: dict[str, Any] = {"columns": self._column_families(X)}
        extra: dict[str, Any] = {}
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            extra[_WEIGHT] = weight
            reading.update(weight=_WEIGHT, weights="frequency" if _counted(weight) else "sampling")
        rows = self._read(X, reading, None, extra)
        self.model_ = self._learn(rows, self._options())
        self.n_components_ = self.model_.k
        self._n_features_out = self.model_.k
        self.profiles_ = self.model_.profiles()
        blocks = [np.asarray(self.model_.table(b)) for b in range(len(self.model_._tables().blocks))]
        self.components_ = np.concatenate(blocks).T if blocks else np.zeros((self.model_.k, 0))
        return self

    def _rows(self, X: Any) -> Dataset:
        check_is_fitted(self)
        X = self._check_table(X, reset=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            return self._read(X, {}, self.model_._core.schema)

    def transform(self, X: Any) -> Array:
        """Each row's shares of the profiles."""
        check_is_fitted(self)
        return _core.transform(self.model_._core, self._rows(X)._core, _threads(self.n_jobs))[0]

    def predict(self, X: Any) -> Array:
        """The number of each row's largest profile, from 0."""
        found: Array = self.transform(X).argmax(axis=1)
        return found

    def score_samples(self, X: Any) -> Array:
        """The log-likelihood of every row."""
        check_is_fitted(self)
        options = _core.EvaluateOptions()
        options.each_block, options.threads = False, _threads(self.n_jobs)
        found = _core.evaluate(self.model_._core, self._rows(X)._core, options)
        return np.asarray(found.per_row()["log_likelihood"])

    def score(self, X: Any, y: Any = None) -> float:
        """The mean log-likelihood of a row."""
        return float(self.score_samples(X).mean())


def _checked_counts(estimator: BaseEstimator, X: Any, *, reset: bool) -> Any:
    """Counts as sparse rows; they may have been dense."""
    X = validate_data(estimator, X=X, accept_sparse="csr", dtype=np.float64, reset=reset)
    from scipy.sparse import csr_array

    X = csr_array(X)
    if X.nnz and X.data.min() < 0:
        raise ValueError(f"Negative values in data passed to {type(estimator).__name__}: counts are wanted.")
    return X


class TopicModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Medley):  # type: ignore[misc]
    """Every document is a blend of topics. X holds counts (sparse or dense) or texts.

    Parameters and attributes are named so that code for ``LatentDirichletAllocation`` runs.
    """

    def __init__(self, n_components: int = 10, *, model: str | None = None, inference: str | None = None,
                 doc_topic_prior: float | None = None, topic_word_prior: float | None = None, tol: float = 1e-6,
                 max_iter: int = 500, batch_size: int | None = None, n_init: int = 1, stop_words: Any = None,
                 stem: str | None = None, min_df: int = 2, n_jobs: int | None = None, random_state: Any = None) -> None:
        self.n_components = n_components
        self.model = model
        self.inference = inference
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.tol = tol
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.n_init = n_init
        self.stop_words = stop_words
        self.stem = stem
        self.min_df = min_df
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.positive_only = True
        return tags

    def _options(self) -> dict[str, Any]:
        alpha = None if self.doc_topic_prior is None else f"fixed:{float(self.doc_topic_prior)!r}"
        return {"k": self.n_components, "model": self.model or "lda", "inference": self.inference or (
            None if self.model else None if self.batch_size else "collapsed"), "alpha": alpha,
                "smoothing": self.topic_word_prior, "tolerance": self.tol, "max_iterations": self.max_iter,
                "batch": self.batch_size, "restarts": self.n_init, "threads": _threads(self.n_jobs) or None,
                "seed": _seed(self.random_state)}

    def _check_counts(self, X: Any, *, reset: bool) -> Any:
        if _intake.is_text_list(X) and not (isinstance(X, np.ndarray) and X.ndim != 1):
            return list(X)
        if _intake.is_one_column(X):
            return X.to_list() if hasattr(X, "to_list") else X.to_pylist()
        return _checked_counts(self, X, reset=reset)

    def fit(self, X: Any, y: Any = None) -> TopicModel:
        """Learns the topics of the documents."""
        X = self._check_counts(X, reset=True)
        reading = {}
        if isinstance(X, list):
            reading = {"stop_words": self.stop_words, "stem": self.stem, "min_count": self.min_df}
        rows = self._read(X, reading)
        self.model_ = self._learn(rows, self._options())
        self._describe(X)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> TopicModel:
        """Learns on from more documents."""
        if not hasattr(self, "model_"):
            return self.fit(X)
        X = self._check_counts(X, reset=False)
        options = _core.UpdateOptions()
        options.threads = _threads(self.n_jobs)
        rows = self._read(X, {}, self.model_._core.schema)
        self.model_ = Model(_core.update(self.model_._core, rows._core, options, None))
        self._describe(X)
        return self

    def _describe(self, X: Any) -> None:
        self.n_components_ = self._n_features_out = self.model_.k
        table = np.asarray(self.model_.table(0)).T
        words = [word for _, word in self.model_.features(0)]
        if isinstance(X, list):
            self.components_, self.vocabulary_ = np.array(table), words
        else:  # a column for each column of X, also for words that never occur
            self.components_ = np.full((self.model_.k, X.shape[1]), np.finfo(float).tiny)
            self.components_[:, [int(w) for w in words]] = table
        self.doc_topic_prior_ = self.model_.prior
        self.bound_ = self.model_.summary.bound

    def _rows(self, X: Any) -> Dataset:
        check_is_fitted(self)
        return self._read(self._check_counts(X, reset=False), {}, self.model_._core.schema)

    def transform(self, X: Any) -> Array:
        """Each document's shares of the topics."""
        check_is_fitted(self)
        return _core.transform(self.model_._core, self._rows(X)._core, _threads(self.n_jobs))[0]

    def _evaluated(self, X: Any) -> _core.Evaluation:
        check_is_fitted(self)
        options = _core.EvaluateOptions()
        options.each_block, options.threads = False, _threads(self.n_jobs)
        return _core.evaluate(self.model_._core, self._rows(X)._core, options)

    def score(self, X: Any, y: Any = None) -> float:
        """The log-likelihood of all documents."""
        return self._evaluated(X).log_likelihood

    def perplexity(self, X: Any) -> float:
        """exp(-log-likelihood / words)."""
        return self._evaluated(X).perplexity


class MixedMembershipClassifier(ClassifierMixin, _Tabular):  # type: ignore[misc]
    """A class that is learnt together with the profiles. Tables, or sparse counts. ``n_components=None``: as many as
    inner validation finds best."""

    def __init__(self, n_components: int | None = None, *, model: str | None = None, label_weight: float | None = None,
                 objective: str | None = None, smoothing: float | None = None, tol: float = 1e-6, max_iter: int = 500,
                 n_init: int = 1, columns: Mapping[str, str] | str | None = None, n_jobs: int | None = None,
                 random_state: Any = None) -> None:
        self.n_components = n_components
        self.model = model
        self.label_weight = label_weight
        self.objective = objective
        self.smoothing = smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.columns = columns
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _check(self, X: Any, *, reset: bool) -> Any:
        """Sparse matrices are counts of words, and so is what a model of these is given; all else is a table."""
        if reset:
            self._counts_ = _intake.is_sparse(X)
        if self._counts_:
            return _checked_counts(self, X, reset=reset)
        return self._check_table(X.toarray() if _intake.is_sparse(X) else X, reset=reset)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MixedMembershipClassifier:
        """Learns the profiles and the class."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X = self._check(X, reset=True)
        y = _targets(y, X.shape[0])
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        width = len(str(len(self.classes_)))
        self._texts_ = [f"class {c:0{width}d}" for c in range(len(self.classes_))]
        if len(self.classes_) < 2:
            self.model_ = None  # type: ignore[assignment]
            self.n_iter_ = 1
            return self
        reading: dict[str, Any] = {"columns": self._column_families(X), "label": _LABEL}
        extra: dict[str, Any] = {_LABEL: [self._texts_[c] for c in codes]}
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            extra[_WEIGHT] = weight
            reading.update(weight=_WEIGHT, weights="frequency" if _counted(weight) else "sampling")
        rows = self._read(X, reading, None, extra)
        choose = _core.Auto()
        choose.components = self.n_components is None
        choose.weight = choose.components and self.label_weight is None
        options = fit_options({
            "k": self.n_components, "model": self.model, "label_weight": self.label_weight,
            "objective": self.objective, "smoothing": self.smoothing, "tolerance": self.tol,
            "max_iterations": self.max_iter, "restarts": self.n_init, "threads": _threads(self.n_jobs) or None,
            "seed": _seed(self.random_state)})
        core = _core.fit(rows._core, options, choose, None, None, False)
        self.model_ = Model(core)
        self.n_components_ = self.model_.k
        self.n_iter_ = core.summary.iterations
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probability of every class."""
        check_is_fitted(self, "classes_")
        X = self._check(X, reset=False)
        if self.model_ is None:
            return np.ones((X.shape[0], 1))
        rows = self._read(X, {}, self.model_._core.schema, {_LABEL: [None] * X.shape[0]})
        found, classes, _, _ = _core.predict_classes(self.model_._core, rows._core, _threads(self.n_jobs))
        return np.ascontiguousarray(found[:, [classes.index(t) for t in self._texts_]])

    def predict(self, X: Any) -> Array:
        """The likeliest class."""
        check_is_fitted(self, "classes_")
        found: Array = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return found


def _targets(y: Any, rows: int) -> Array:
    from sklearn.utils import column_or_1d
    from sklearn.utils.validation import _assert_all_finite, check_consistent_length

    y = column_or_1d(y, warn=True)
    _assert_all_finite(y, input_name="y")
    check_consistent_length(y, np.empty(rows))
    return np.asarray(y)


class MixedMembershipImputer(TransformerMixin, _Tabular):  # type: ignore[misc]
    """Missing numbers, filled with their expectation given the rest of the row."""

    def __init__(self, n_components: int = 3, *, model: str = "mmnb", tol: float = 1e-6, max_iter: int = 500,
                 n_init: int = 1, columns: Mapping[str, str] | str | None = None, n_jobs: int | None = None,
                 random_state: Any = None) -> None:
        self.n_components = n_components
        self.model = model
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.columns = columns
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> MixedMembershipImputer:
        """Learns the profiles of the rows."""
        X = self._check_table(X, reset=True)
        rows = self._read(X, {"columns": self._column_families(X)})
        self.model_ = self._learn(rows, {
            "k": self.n_components, "model": self.model, "tolerance": self.tol, "max_iterations": self.max_iter,
            "restarts": self.n_init, "threads": _threads(self.n_jobs) or None, "seed": _seed(self.random_state)})
        return self

    def transform(self, X: Any) -> Any:
        """X with its missing cells filled."""
        check_is_fitted(self)
        X = self._check_table(X, reset=False)
        if isinstance(X, np.ndarray):
            columns = {f"x{i}": X[:, i] for i in range(X.shape[1])}
            filled = self.model_.impute(columns, threads=_threads(self.n_jobs))
            return np.column_stack([np.asarray(filled[name], dtype=X.dtype) for name in columns])
        return self.model_.impute(X, threads=_threads(self.n_jobs))

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> Array:
        """The columns themselves."""
        from sklearn.utils.validation import _check_feature_names_in

        found: Array = _check_feature_names_in(self, input_features)
        return found
