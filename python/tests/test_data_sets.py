# SPDX-License-Identifier: Apache-2.0
"""Known data sets: from every library of tables the model is that of the command line, byte for byte. The folder that holds
them is MEDLEY_TEST_DATA; without it these tests are left out. Fits are cut short: the bytes are compared, not the models."""
import os
import pathlib
import warnings

import pytest

import medley

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
FOLDER = pathlib.Path(os.environ.get("MEDLEY_TEST_DATA", ""))
pytestmark = pytest.mark.skipif("MEDLEY_TEST_DATA" not in os.environ, reason="MEDLEY_TEST_DATA names no folder")


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def arrow(frame, rows=None):
    table = pa.Table.from_pandas(frame, preserve_index=False)
    return table if rows is None else pa.Table.from_batches(table.to_batches(max_chunksize=rows))


KINDS = {
    "pandas": lambda frame: frame,
    "pandas on Arrow": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda frame: pl.from_pandas(frame),
    "polars in chunks": lambda frame: pl.concat(
        [pl.from_pandas(frame)[i:i + 100] for i in range(0, len(frame), 100)], rechunk=False),
    "pyarrow": arrow,
    "DuckDB": lambda frame: duckdb.from_arrow(arrow(frame)),
    "batches of 1": lambda frame: arrow(frame, 1),
    "batches of 7": lambda frame: arrow(frame, 7),
    "batches of 10^6": lambda frame: arrow(frame, 10**6),
}


class Case:
    """A frame, what the program is told of it, and what Python is told."""

    def __init__(self, frame, words, options, wrap=lambda table: table):
        self.frame, self.words, self.options, self.wrap = frame, words, options, wrap


def votes():
    frame = pd.read_csv(FOLDER / "votes/data.csv", dtype=str, keep_default_na=False, na_values=[""])
    return Case(frame, ["--k", 3, "--ignore", "class"], {"k": 3, "ignore": ["class"]})


def mixed():
    frame = pd.read_csv(FOLDER / "credit-approval/data.csv")
    return Case(frame, ["--k", 2, "--ignore", "class", "--restarts", 2], {"k": 2, "ignore": ["class"], "restarts": 2})


def census():
    frame = pd.read_csv(FOLDER / "adult/data.csv.gz", skipinitialspace=True)
    return Case(frame, ["--k", 3, "--max-iterations", 3], {"k": 3, "max_iterations": 3})


def ap():
    frame = pd.read_csv(FOLDER / "ap/docs.tsv.gz", sep="\t", quoting=3)[["id", "text"]]
    return Case(frame, ["--k", 10, "--id", "id", "--column", "text=text", "--max-iterations", 5],
                {"k": 10, "id": "id", "text": "text", "max_iterations": 5})


def movielens():
    frame = pd.read_csv(FOLDER / "movielens100k/ratings.csv")[["user", "item", "value"]]
    return Case(frame, ["--format", "triplets", "--column", "value=categorical", "--k", 5, "--max-iterations", 5],
                {"k": 5, "columns": {"value": "categorical"}, "max_iterations": 5},
                lambda table: medley.triplets(table, row="user", item="item", value="value"))


CASES = {f.__name__: f for f in (votes, mixed, census, ap, movielens)}


@pytest.fixture(scope="module", params=CASES)
def case(request, run, tmp_path_factory):
    found = CASES[request.param]()
    folder = tmp_path_factory.mktemp(request.param)
    found.frame.to_csv(folder / "data.csv", index=False)
    run("fit", f"data={folder / 'data.csv'}", *found.words, "--quiet", "-o", folder / "m")
    found.wanted = (folder / "m").read_bytes()
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_data_sets_give_the_bytes_of_the_program(case, kind):
    table = KINDS[kind](case.frame)
    assert medley.fit(case.wrap(table), **case.options).to_bytes() == case.wanted


def test_counts_of_ap_give_the_bytes_of_the_program(run, tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    words = (FOLDER / "ap/vocab.txt").read_text().split("\n")[:-1]
    run("fit", f"data={FOLDER / 'ap/docs.ldac'}", "--vocab", FOLDER / "ap/vocab.txt", "--k", 10, "--max-iterations", 5,
        "--quiet", "-o", tmp_path / "m")
    cells = [(i, *map(int, pair.split(":"))) for i, line in enumerate((FOLDER / "ap/docs.ldac").open())
             for pair in line.split()[1:]]
    row, word, count = zip(*cells)
    counts = sparse.coo_array((count, (row, word)), shape=(row[-1] + 1, len(words)))
    for kind in (sparse.csr_array, sparse.csc_matrix):
        model = medley.fit(kind(counts), k=10, vocabulary=words, max_iterations=5)
        assert model.to_bytes() == (tmp_path / "m").read_bytes()


@pytest.mark.parametrize("rows", [1, 7, 10**6])
def test_streams_of_batches_are_those_of_the_program(run, rows, tmp_path):
    case = votes()
    case.frame.to_csv(tmp_path / "data.csv", index=False)
    run("convert", f"data={tmp_path / 'data.csv'}", "--ignore", "class", "-o", tmp_path / "theirs.stream")
    batches = arrow(case.frame).to_batches(max_chunksize=rows)
    medley.stream(iter(batches), tmp_path / "ours.stream", ignore=["class"])
    ours = medley.fit(medley.stream(tmp_path / "ours.stream"), k=3, batch=50)
    run("fit", tmp_path / "theirs.stream", "--k", 3, "--batch", 50, "--quiet", "-o", tmp_path / "m")
    assert ours.to_bytes() == (tmp_path / "m").read_bytes()
