# SPDX-License-Identifier: Apache-2.0
"""From every library of tables the model is that of the command line, byte for byte."""
import warnings

import pytest
from conftest import VOTES

import medley


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(scope="module")
def by_program(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("bits") / "votes.medley"
    run("fit", VOTES, "--k", 3, "--ignore", "party", "-o", path)
    return path.read_bytes()


def in_pandas(votes):
    return votes


def in_categories(votes):
    return votes.astype("category")


def in_polars(votes):
    return pytest.importorskip("polars").from_pandas(votes)


def in_polars_categories(votes):
    pl = pytest.importorskip("polars")
    return pl.from_pandas(votes).with_columns(pl.all().cast(pl.Categorical))


def in_pyarrow(votes):
    return pytest.importorskip("pyarrow").Table.from_pandas(votes)


def in_batches(rows):
    def make(votes):
        pa = pytest.importorskip("pyarrow")
        return pa.Table.from_batches(pa.Table.from_pandas(votes).to_batches(max_chunksize=rows))

    return make


def in_duckdb(votes):
    return pytest.importorskip("duckdb").from_df(votes)


def in_columns(votes):
    return {name: [None if cell != cell else cell for cell in votes[name]] for name in votes}


def in_objects(votes):
    return votes.astype(object).where(votes.notna(), None)


@pytest.mark.parametrize("make", [in_pandas, in_categories, in_objects, in_polars, in_polars_categories, in_pyarrow,
                                  in_batches(1), in_batches(7), in_batches(10**6), in_duckdb, in_columns])
@pytest.mark.parametrize("threads", [1, 2])
def test_votes_give_the_bytes_of_the_program(make, threads, votes, by_program):
    assert medley.fit(make(votes), k=3, ignore=["party"], threads=threads).to_bytes() == by_program


def test_a_file_gives_the_bytes_of_the_program(by_program):
    assert medley.fit(str(VOTES), k=3, ignore=["party"]).to_bytes() == by_program


def test_a_mixed_table_gives_the_bytes_of_the_program(run, tmp_path):
    pd = pytest.importorskip("pandas")
    import numpy as np

    rng = np.random.default_rng(5)
    n = 150
    frame = pd.DataFrame({"age": rng.integers(18, 80, n), "height": rng.normal(170, 9, n).round(1),
                          "visits": rng.poisson(3, n), "region": rng.choice(["north", "süd", "west"], n),
                          "answer": rng.choice(["agree", "neutral", "disagree"], n)})
    frame.loc[3, "height"] = np.nan
    frame.loc[5, "region"] = None
    frame.to_csv(tmp_path / "mixed.csv", index=False)
    run("fit", tmp_path / "mixed.csv", "--k", 2, "-o", tmp_path / "m")
    wanted = (tmp_path / "m").read_bytes()
    assert medley.fit(frame, k=2).to_bytes() == wanted
    pl = pytest.importorskip("polars")
    assert medley.fit(pl.from_pandas(frame), k=2).to_bytes() == wanted


def test_counts_give_the_bytes_of_the_program(run, tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    import numpy as np

    rng = np.random.default_rng(2)
    counts = rng.poisson(0.4, (60, 30)) + np.where(rng.random((60, 30)) < 0.1, 3, 0)
    counts[:, 0] += 1
    words = [f"word{i:02d}" for i in range(30)]
    (tmp_path / "vocab.txt").write_text("\n".join(words) + "\n")
    lines = []
    for row in counts:
        cells = [f"{w}:{c}" for w, c in enumerate(row) if c]
        lines.append(f"{len(cells)} {' '.join(cells)}")
    (tmp_path / "data.ldac").write_text("\n".join(lines) + "\n")
    run("fit", f"data={tmp_path / 'data.ldac'}", "--vocab", tmp_path / "vocab.txt", "--k", 3, "-o", tmp_path / "m")
    wanted = (tmp_path / "m").read_bytes()
    for kind in (sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix, sparse.csc_matrix,
                 sparse.coo_matrix):
        assert medley.fit(kind(counts), k=3, vocabulary=words).to_bytes() == wanted


def test_triplets_give_the_bytes_of_the_program(run, tmp_path):
    pd = pytest.importorskip("pandas")
    import numpy as np

    rng = np.random.default_rng(4)
    pairs = [(u, i) for u in range(40) for i in range(25) if rng.random() < 0.4]
    log = pd.DataFrame({"user": [f"u{u}" for u, _ in pairs], "item": [f"i{i:02d}" for _, i in pairs],
                        "stars": [int(1 + (u + i) % 2 * 3 + rng.integers(2)) for u, i in pairs]})
    log.to_csv(tmp_path / "ratings.csv", index=False)
    run("fit", f"data={tmp_path / 'ratings.csv'}", "--format", "triplets", "--column", "value=categorical", "--k", 2, "-o",
        tmp_path / "m")
    tables = [log, pytest.importorskip("polars").from_pandas(log), pytest.importorskip("pyarrow").Table.from_pandas(log),
              {name: list(log[name]) for name in log}]
    for table in tables:
        ratings = medley.triplets(table, row="user", item="item", value="stars")
        assert medley.fit(ratings, k=2, columns={"value": "categorical"}).to_bytes() == (tmp_path / "m").read_bytes()


def test_documents_give_the_bytes_of_the_program(run, tmp_path):
    documents = ["the ship sails over the sea", "waves and a ship at sea", "the farmer ploughs a field",
                 "corn in the field and a farmer"] * 15
    (tmp_path / "docs.txt").write_text("\n".join(documents) + "\n")
    run("fit", tmp_path / "docs.txt", "--format", "text", "--k", 2, "-o", tmp_path / "m")
    ours = medley.fit(documents, k=2)
    theirs = medley.load(tmp_path / "m")
    assert (ours.table() == theirs.table()).all()


def test_shares_are_those_of_the_program(run, votes, votes_model, tmp_path):
    np = pytest.importorskip("numpy")
    votes_model.save(tmp_path / "m")
    lines = run("transform", tmp_path / "m", VOTES).splitlines()[1:]
    theirs = np.array([[float(x) for x in line.split(",")[1:4]] for line in lines])
    assert np.allclose(votes_model.transform(votes).to_numpy(), theirs, atol=1e-6)
