# SPDX-License-Identifier: Apache-2.0
"""What a model answers, and in which kind of table."""
import copy
import json
import pickle
import warnings

import numpy as np
import pytest

import medley

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_two_groups_are_found(two_groups):
    columns, group = two_groups
    model = medley.fit(columns, k=2, restarts=3)
    top = model.shares(columns).argmax(axis=1)
    assert max((top == group).mean(), (top != group).mean()) > 0.95
    assert model.k == 2 and model.names == ["Profile 1", "Profile 2"]
    assert model.sizes.sum() == pytest.approx(1) and len(model.prior) == 2
    assert model.summary.termination == "converged" and model.summary.rows == 200


def test_profiles_add_up_to_one(votes_model):
    profiles = votes_model.profiles()
    sums = profiles.groupby(["feature", "profile"], observed=True)["probability"].sum()
    assert np.allclose(sums, 1)
    assert set(profiles["profile"]) == set(votes_model.names)
    assert len(votes_model.profiles(top=4)) == 12
    wide = votes_model.profiles(long=False)
    assert list(wide.columns) == ["block", "feature", "level", *votes_model.names]


def test_the_table_is_a_view_that_nobody_may_write(votes_model):
    table = votes_model.table()
    assert table.shape == (32, 3) and not table.flags.writeable and table.base is not None
    with pytest.raises(ValueError):
        table[0, 0] = 1
    exported = votes_model.to_json()["columns"][0]
    assert table[1] == pytest.approx(exported["p"])
    assert votes_model.features()[1] == (exported["name"], exported["levels"][1])
    del votes_model
    assert table.sum() == pytest.approx(48)


def test_frames_come_back_in_the_kind_that_went_in(votes, votes_model):
    shares = votes_model.transform(votes)
    assert isinstance(shares, pd.DataFrame) and list(shares.columns) == votes_model.names
    assert shares.index.equals(votes.index)
    assert isinstance(votes_model.transform(pl.from_pandas(votes)), pl.DataFrame)
    pa = pytest.importorskip("pyarrow")
    assert isinstance(votes_model.transform(pa.Table.from_pandas(votes)), pa.Table)
    for found in (votes_model.transform(pl.from_pandas(votes)).to_numpy(), votes_model.shares(votes)):
        assert (found == shares.to_numpy()).all()


def test_rows_keep_their_index_whatever_their_order(votes, votes_model):
    named = votes.set_index(pd.Index([f"m{i}" for i in range(len(votes))], name="member"))
    turned = named.iloc[::-1]
    a, b = votes_model.transform(named), votes_model.transform(turned)
    assert list(b.index) == list(turned.index)
    assert np.allclose(a.loc["m7"], b.loc["m7"], atol=1e-9)


def test_intervals_hold_the_share(votes, votes_model):
    found = votes_model.transform(votes.head(20), intervals=0.9)
    name = votes_model.names[0]
    assert (found[f"{name} low"] <= found[f"{name} high"]).all()


def test_a_model_pickles_as_its_file(votes_model, tmp_path):
    votes_model.save(tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == votes_model.to_bytes()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(votes_model, protocol)) == votes_model
    assert copy.deepcopy(votes_model) == votes_model
    assert medley.load(tmp_path / "m") == votes_model
    joblib = pytest.importorskip("joblib")
    joblib.dump(votes_model, tmp_path / "j")
    assert joblib.load(tmp_path / "j") == votes_model
    cloudpickle = pytest.importorskip("cloudpickle")
    assert pickle.loads(cloudpickle.dumps(votes_model)) == votes_model


def test_names_are_given_and_kept(votes, votes_model):
    renamed = votes_model.rename({1: "Left", 3: "<b>Right</b>"})
    assert renamed.names == ["Left", "Profile 2", "<b>Right</b>"] and votes_model.names[0] == "Profile 1"
    assert list(renamed.transform(votes).columns) == renamed.names
    assert "<b>Right</b>" not in renamed._repr_html_() and "&lt;b&gt;Right" in renamed._repr_html_()
    with pytest.raises(medley.InputError, match="components are 1 to 3"):
        votes_model.rename({0: "None"})


def test_evaluate_counts_what_it_says(votes, votes_model):
    scores = votes_model.evaluate(votes, truth="party")
    assert len(scores.per_row) == len(votes)
    assert scores.per_row["log_likelihood"].sum() == pytest.approx(scores.log_likelihood)
    assert scores.perplexity == pytest.approx(np.exp(-scores.log_likelihood / scores.observations))
    assert scores.truth[0].column == "party" and scores.truth[0].accuracy > 0.8
    assert scores.above_baseline > 0.1 and "baseline" in repr(scores)
    hidden = votes_model.evaluate(votes, holdout_cells=0.1)
    assert 0.7 < hidden.accuracy <= 1 and hidden.log_loss < hidden.scores[0].baseline_log_loss


def test_groups_are_the_means_of_their_rows(votes, votes_model):
    found = votes_model.groups(votes, by="party")
    assert set(found["party"]) == {"(all)", *votes["party"].unique()}
    one = found[(found["party"] == "democrat")]
    assert one["mean"].sum() == pytest.approx(1, abs=1e-6)
    assert ((one["low"] <= one["mean"]) & (one["mean"] <= one["high"])).all()


def test_similar_rows_go_by_their_ids(votes, votes_model):
    named = votes.set_index(pd.Index([f"m{i}" for i in range(len(votes))]))
    found = votes_model.similar(named, rows=["m3"], top=4)
    assert list(found["row"]) == ["m3"] * 4 and "m3" not in list(found["neighbour"])
    assert found["similarity"].is_monotonic_decreasing
    with pytest.raises(medley.InputError, match="no row 'nobody'"):
        votes_model.similar(named, rows=["nobody"])


def test_missing_cells_are_filled_and_columns_keep_their_types():
    rng = np.random.default_rng(1)
    group = rng.integers(2, size=300)
    frame = pd.DataFrame({
        "level": pd.Categorical(np.where(group, "high", "low"), categories=["low", "mid", "high"], ordered=True),
        "number": np.where(group, 5.0, -5.0) + rng.normal(size=300).round(3),
        "text": np.where(rng.random(300) < 0.95, np.where(group, "yes", "no"), "no"),
        "count": pd.array(rng.poisson(np.where(group, 9, 2)), dtype="Int64")})
    holes = frame.copy()
    holes.loc[:9, "level"] = None
    holes.loc[5:14, "number"] = np.nan
    holes.loc[10:19, "text"] = None
    holes.loc[12:15, "count"] = pd.NA
    model = medley.fit(holes, k=2, restarts=2)
    full = model.impute(holes)
    assert (full.dtypes == frame.dtypes).all() and not full.isna().any().any()
    assert full.iloc[20:].equals(holes.iloc[20:])
    assert (full["level"].head(10) == frame["level"].head(10)).mean() >= 0.9
    assert (np.sign(full["number"].iloc[5:15]) == np.sign(frame["number"].iloc[5:15])).mean() >= 0.9
    drawn = model.impute(holes, draws=3, seed=2)
    assert len(drawn) == 3 and not drawn[0].equals(drawn[1])
    again = model.impute(holes, draws=3, seed=2)
    assert all(a.equals(b) for a, b in zip(drawn, again))
    in_polars = model.impute(pl.from_pandas(holes))
    assert in_polars.null_count().to_numpy().sum() == 0
    assert in_polars.schema == pl.from_pandas(holes).schema
    assert len(model.missing_cells(holes)) > 20


def test_a_label_is_predicted(votes):
    model = medley.fit(votes, k=4, label="party")
    chances = model.predict_proba(votes)
    assert list(chances.columns) == ["democrat", "republican"] and np.allclose(chances.sum(axis=1), 1)
    assert (model.predict(votes) == votes["party"]).mean() > 0.9
    why = model.explain(votes.head(3), top=2)
    assert set(why["kind"]) == {"profile", "cell"}
    assert model.evaluate(votes).label.accuracy > 0.9
    with pytest.raises(medley.InputError, match="label="):
        medley.fit(votes, k=2, ignore=["party"]).predict(votes)


def test_ratings_are_recommended():
    rng = np.random.default_rng(0)
    log = pd.DataFrame([(f"u{u}", f"i{i}", 5 if (u + i) % 2 == 0 else 1) for u in range(60) for i in range(20)
                        if rng.random() < 0.6], columns=["user", "movie", "stars"])
    ratings = medley.triplets(log, row="user", item="movie", value="stars")
    taste = medley.fit(ratings, k=2, columns={"value": "categorical"}, restarts=3)
    best = taste.recommend(ratings, rows=["u4"], top=3)
    assert list(best["rank"]) == [1, 2, 3] and set(best["row"]) == {"u4"}
    assert all(int(item[1:]) % 2 == 0 for item in best["item"])
    seen = set(log[log["user"] == "u4"]["movie"])
    assert not seen & set(best["item"])
    assert list(taste.transform(ratings).index[:2]) == list(dict.fromkeys(log["user"]))[:2]


def test_topics_have_words(votes):
    documents = ["ship sail wave harbour sea"] * 30 + ["field plough harvest barn corn"] * 30
    model = medley.fit(documents, k=2)
    topics = model.topics(top=5)
    sets = [set(topics[topics["topic"] == name]["word"]) for name in model.names]
    assert sorted(map(sorted, sets)) == [["barn", "corn", "field", "harvest", "plough"],
                                         ["harbour", "sail", "sea", "ship", "wave"]]
    assert (topics["lift"] > 1).all() and model.names == ["Topic 1", "Topic 2"]
    quality = model.quality(documents)
    assert len(quality.topics) == 2 and "NPMI" in repr(quality)
    five = model.to_pyldavis(documents)
    assert np.allclose(five["topic_term_dists"].sum(axis=1), 1) and np.allclose(five["doc_topic_dists"].sum(axis=1), 1)
    assert five["doc_lengths"].sum() == five["term_frequency"].sum() == 300
    series = pd.Series(documents, name="body")
    assert (model.transform(series).to_numpy() == model.shares(documents)).all()


def test_models_are_compared_and_updated(votes, votes_model):
    other = medley.fit(votes, k=3, ignore=["party"], seed=4)
    found = medley.compare(votes_model, other, votes)
    assert len(found.pairs) == 3 and found.overlap > 0.8
    more = votes_model.update(votes.head(100))
    assert more.summary.rows == len(votes) + 100


def test_select_gives_the_models_it_names(votes, tmp_path):
    steps = []
    found = medley.select(votes, k=[2, 3], ignore=["party"], by=["bic", "cv"], folds=2, restarts=1, callback=steps.append)
    assert list(found.table["k"]) == [2, 3] and set(found.models) == {2, 3} and found.advice
    assert found.best().k in (2, 3) and found.best("bic").k in (2, 3) and steps
    best = next(v["best"] for v in found._core.verdicts if v["criterion"] == "cv")
    assert f"<b>{found.table['cv'][best]:.6g}</b>" in found._repr_html_()
    assert set(found.scores["criterion"]) == {"bic", "cv"}


def test_cross_validation_has_a_line_for_each_fold(votes):
    found = medley.cross_validate(votes, 2, folds=3, ignore=["party"], each_row=True)
    assert len(found.table) == 6 and found.mean("perplexity") > 1
    assert len(found.per_row) == len(votes)


def test_bootstrap_and_diagnosis_speak(votes, votes_model):
    few = votes_model.bootstrap(votes, replicates=4, ignore=["party"])
    assert few.replicates == 4 and {"profile", "low", "high"} <= set(few.table.columns)
    short = medley.fit(votes, k=3, ignore=["party"], max_iterations=1).diagnose()
    assert not short.sound and any("max_iterations" in text for text in [*short.findings, *short.suggestions])


def test_drawn_rows_have_their_columns():
    frame, shares, truth = medley.simulate("mmnb", 50, k=2, columns={"categorical": (4, 3), "gaussian": 2}, seed=3)
    assert len(frame) == 50 and shares.shape == (50, 2) and truth.k == 2 and frame.shape[1] == 6
    again, _, _ = medley.simulate("mmnb", 50, k=2, columns={"categorical": (4, 3), "gaussian": 2}, seed=3)
    assert frame.equals(again)
    counts, _, _ = medley.simulate("lda", 20, k=2, columns={"tokens": (1, 30)})
    assert counts.shape == (20, 30)


def test_streams_hold_the_rows(votes, tmp_path):
    whole = medley.dataset(votes, ignore=["party"], keep=["party"])
    stream = medley.stream(whole, tmp_path / "v.stream")
    parts = [votes.iloc[i:i + 100] for i in range(0, len(votes), 100)]
    pieces = medley.stream(iter(parts), tmp_path / "p.stream", ignore=["party"])
    assert stream.rows == pieces.rows == len(votes)
    assert (tmp_path / "v.stream").read_bytes() == (tmp_path / "p.stream").read_bytes()
    model = medley.fit(stream, k=2, batch=100)
    assert model.k == 2 and medley.stream(tmp_path / "v.stream").rows == len(votes)


def test_blocks_of_the_same_rows_are_joined(two_groups):
    sparse = pytest.importorskip("scipy.sparse")
    columns, group = two_groups
    counts = sparse.csr_array(np.where(group[:, None] == np.arange(6) % 2, 4, 0))
    model = medley.fit({"answers": columns, "words": counts}, k=2)
    assert [b["name"] for b in medley.dataset({"answers": columns, "words": counts}).blocks][-1] == "words"
    assert model.shares({"answers": columns, "words": counts}).shape == (200, 2)


def test_schemas_travel(votes, tmp_path):
    schema = medley.schema(votes)
    schema.save(tmp_path / "s.toml")
    once = medley.Schema.from_toml(schema.to_toml())
    assert medley.Schema.from_toml(once.to_toml()).to_toml() == once.to_toml()
    a = medley.fit(votes, k=2, schema=tmp_path / "s.toml")
    b = medley.fit(votes, k=2, schema=schema)
    assert (a.table() == b.table()).all()  # notes, which say why, are comments in the file
    assert pickle.loads(pickle.dumps(schema)).to_toml() == once.to_toml()


def test_a_sampled_model_goes_to_arviz(votes):
    arviz = pytest.importorskip("arviz_base")
    model = medley.fit(votes.iloc[:60, :6], k=2, model="gom-bayes", chains=2, sweeps=40, burn_in=20, draws=20)
    tree = model.to_arviz()
    assert "posterior" in tree.children and arviz is not None
    first = next(iter(tree["posterior"].data_vars.values()))
    assert first.sizes["chain"] == 2 and first.sizes["draw"] == 20
    assert np.isfinite(model.diagnose().table["rhat"]).any()


def test_the_report_is_a_page(votes, votes_model, tmp_path):
    if not medley._core.has_report_page():
        pytest.skip("built without the page")
    report = votes_model.report(votes, by=["party"])
    report.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text().lstrip().lower().startswith("<!doctype html")
    assert report._repr_html_().startswith('<iframe sandbox="allow-scripts')


def test_shows_are_small_and_hold_the_names(votes, votes_model):
    shown = votes_model._repr_html_()
    assert all(name in shown for name in votes_model.names) and len(shown) < 60_000 and "<script" not in shown
    assert "435 rows" in medley.dataset(votes)._repr_html_()
    assert "physician_fee_freeze" in medley.schema(votes)._repr_html_()


def test_plots_return_their_axes(votes, votes_model):
    mpl = pytest.importorskip("matplotlib")
    mpl.use("agg")
    from matplotlib import pyplot as plt

    _, ax = plt.subplots()
    assert votes_model.plot.profiles(ax=ax) is ax
    assert votes_model.plot.shares(votes).get_xlabel() == "rows"
    assert len(votes_model.plot.trace().lines) == 1
    assert votes_model.plot.sizes() is not None
    with pytest.raises(medley.InputError, match="knows no words"):
        votes_model.plot.topics()
    plt.close("all")


def test_parameters_are_json(votes_model):
    assert set(json.loads(json.dumps(votes_model.to_json()))) >= {"alpha", "columns", "sizes"}


def test_items_that_few_have_rated_are_not_shown_first():
    rng = np.random.default_rng(2)
    rows = [(f"u{u}", f"often {i}", str(1 + 3 * ((u + i) % 2) + int(rng.integers(2)))) for u in range(60) for i in range(10)]
    rows += [(f"u{n}", f"once {n}", "1") for n in range(20)]
    user, item, stars = (list(column) for column in zip(*rows))
    ratings = medley.triplets({"user": user, "item": item, "stars": stars}, row="user", item="item", value="stars")
    model = medley.fit(ratings, k=2, columns={"value": "categorical"})
    shown = model._repr_html_()
    assert "often" in shown and "once" not in shown
    assert not any("once" in feature for feature in model.profiles(top=5)["feature"])
