# SPDX-License-Identifier: Apache-2.0
"""Wrong input: an exception that names the argument, never a crash. MEDLEY_TEST_MUTATIONS sets how many random ones."""
import ctypes
import os
import warnings

import numpy as np
import pytest

import medley
from medley import _core

MUTATIONS = int(os.environ.get("MEDLEY_TEST_MUTATIONS", "2000"))


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def refused(data, **options):
    """The message of the InputError that a fit raises."""
    with pytest.raises(medley.InputError) as caught:
        medley.fit(data, **{"k": 2, **options})
    text = str(caught.value)
    assert "--" not in text, "messages speak Python"
    assert caught.value.problems
    return text


def test_misspelt_options_name_the_nearest(two_groups):
    columns, _ = two_groups
    assert "did you mean restarts?" in refused(columns, restart=3)
    assert "did you mean max_iterations?" in refused(columns, max_iteration=3)
    assert "did you mean ignore?" in refused(columns, ignored=["q1"])
    with pytest.raises(medley.InputError, match="did you mean stem"):
        medley.dataset(columns, stemm="english")


@pytest.mark.parametrize("options", [{"k": 0}, {"k": -1}, {"k": 2.5}, {"k": "three"}, {"restarts": 0}, {"seed": -1},
                                     {"max_iterations": 0}, {"tolerance": -1}, {"model": "mmnbb"}, {"inference": "x"},
                                     {"weights": "frequency"}, {"label": "nobody"}, {"ignore": ["nobody"]},
                                     {"columns": {"q1": "gausian"}}, {"columns": {"nobody": "gaussian"}},
                                     {"missing": "yes"}, {"schema": 3}, {"threads": "many"}])
def test_options_that_make_no_sense_are_refused(two_groups, options):
    columns, _ = two_groups
    refused(columns, **options)


@pytest.mark.parametrize("name, value", [
    ("min_count", "x"), ("min_count", 0), ("max_share", 3), ("max_share", "lots"), ("decimal", "dot"), ("block_weight", 3),
    ("block_weight", {"categorical": -1}), ("tie", "q1,q2"), ("columns", ["q1"]), ("ignore", 3), ("keep", [3]),
    ("memory", "lots"), ("vocab", 3), ("standardise", "maybe"), ("pool_levels", 7), ("duplicates", "all"), ("missing", "yes"),
    ("stop_words", 3), ("format", "docx"), ("vocabulary", 0), ("text", 3)])
def test_options_of_reading_that_make_no_sense_are_refused(two_groups, name, value):
    assert name in refused(two_groups[0], **{name: value}).split(":")[0]


def test_options_of_reading_are_those_of_the_table(two_groups):
    known = set(medley.options("read")["option"])
    assert known - {"schema", "text", "names", "columns"} == {f.name for f in _core.read_option_fields()} - {"column"}
    assert "max_share: " in medley.dataset.__doc__ and "restarts: " in medley.fit.__doc__
    columns = {"a": ["1", "-9", "2"] * 5, "b": ["x", "none", "y"] * 5}
    missing = [b["missing"] for b in medley.dataset(columns, na=[-9, "none"], memory="1G").blocks]
    assert sum(missing) == 10


@pytest.mark.parametrize("data", [
    None, 3, object(), [], {}, {"a": []}, {"a": 3}, {"a": [1, 2], "b": [1]}, np.zeros(3), np.zeros((2, 2, 2)),
    np.zeros((0, 3)), np.zeros((3, 0)), np.array([[1, 2j]]), np.array([[np.inf, 1], [2, 3]]), {"a": [object()] * 3},
    {"a": [b"x", b"y"]}, {"a": [None, None, None]}, {"a": [float("nan")] * 4}, np.full((5, 2), np.nan),
    ["", "", ""], [None, None]])
def test_data_that_hold_nothing_are_refused(data):
    with pytest.raises(medley.InputError) as caught:
        medley.fit(data, k=2)
    assert caught.value.problems


def test_files_that_are_not_there_are_refused(tmp_path):
    assert "nowhere.csv" in refused(str(tmp_path / "nowhere.csv"))
    with pytest.raises(medley.InputError):
        medley.load(tmp_path / "nowhere.medley")
    with pytest.raises((medley.InputError, medley.RunError)):
        medley.simulate(rows=3)[2].save(tmp_path / "no" / "folder")


def test_a_model_that_does_not_know_a_column_says_so(two_groups):
    columns, _ = two_groups
    model = medley.fit(columns, k=2)
    with pytest.raises(medley.InputError):
        model.transform({"other": ["a", "b"]})
    with pytest.raises(medley.InputError, match="8 are expected"):
        model.transform(np.zeros((3, 2)))
    assert model.shares({**columns, "more": ["x"] * 200}).shape == (200, 2)
    unseen = model.shares({name: ["maybe"] * 3 for name in columns})
    assert np.isfinite(unseen).all()


@pytest.mark.parametrize("argument, call", [
    ("threads", lambda model, rows: model.transform(rows, threads=-3)),
    ("by", lambda model, rows: model.groups(rows, by="nobody")), ("truth", lambda model, rows: model.evaluate(
        rows, truth="nobody")), ("holdout_cells", lambda model, rows: model.evaluate(rows, holdout_cells=3)),
    ("match", lambda model, rows: model.evaluate(rows, match="x")), ("model", lambda *_: medley.simulate("nomodel")),
    ("estimator", lambda model, rows: model.evaluate(rows, estimator="best")), ("callback", lambda _, rows: medley.fit(
        rows, k=2, callback=3)), ("tie", lambda _, rows: medley.dataset(rows, tie={"q": ["q1"]})),
    ("data", lambda *_: medley.Model.from_bytes("text")), ("data", lambda *_: medley.Model.from_bytes(10**9)),
    ("rows", lambda model, rows: model.similar(medley.dataset({**rows, "i": ["a"] * 200}, id="i"), rows=["a"])),
    ("rows", lambda model, rows: model.similar(rows, rows=[10**6]))])
def test_arguments_that_make_no_sense_are_named(two_groups, argument, call):
    columns, _ = two_groups
    with pytest.raises(medley.InputError) as caught:
        call(medley.fit(columns, k=2), columns)
    assert caught.value.problems[0].where == argument and "--" not in str(caught.value)


def test_sparse_matrices_that_are_broken_are_refused():
    sparse = pytest.importorskip("scipy.sparse")
    good = sparse.csr_array(np.ones((4, 5)))
    for change in ("indices", "indptr", "data"):
        bad = good.copy()
        getattr(bad, change)[2] = -7
        refused(bad)
    for value in (np.nan, np.inf, -1.0):
        bad = good.copy()
        bad.data[3] = value
        refused(bad)
    bad = good.copy()
    bad.indices[0] = 5
    refused(bad)
    refused(good, vocabulary=["too", "few"])
    refused(sparse.csr_array(np.ones((2, 2), dtype=complex)))
    refused(sparse.csr_array((0, 5)))
    refused(sparse.csr_array((5, 5)))


def test_bytes_that_are_no_model_are_refused(votes_model):
    good = votes_model.to_bytes()
    rng = np.random.default_rng(1)
    for data in (b"", b"x", b"\xff" * 100, good[:1000], good[:-1], good + b"x"):
        with pytest.raises(medley.InputError):
            medley.Model.from_bytes(data)
    for _ in range(60):
        bad = bytearray(good)
        bad[rng.integers(len(bad) // 4)] ^= int(1 + rng.integers(255))
        try:
            medley.Model.from_bytes(bytes(bad)).names
        except medley.InputError:
            pass


def test_errors_pickle_and_list_their_problems(two_groups):
    import pickle

    columns, _ = two_groups
    with pytest.raises(medley.InputError) as caught:
        medley.fit(columns, k=2, restart=1, sed=2)
    again = pickle.loads(pickle.dumps(caught.value))
    assert len(again.problems) == 2 and str(again) == str(caught.value) and isinstance(again, ValueError)
    assert {p.where for p in again.problems} == {"restart", "sed"}


def tried(call):
    """Whether a call came to its end; what is raised otherwise is ours."""
    try:
        call()
    except (medley.InputError, medley.RunError):
        return 0
    return 1


def test_random_changes_of_sparse_counts_never_crash():
    rng = np.random.default_rng(11)
    values = np.array([-(2**62), -(2**31), -1, 0, 1, 2, 5, 6, 7, 11, 12, 13, 2**31, 2**32, 2**62])
    fits = 0
    for _ in range(MUTATIONS):
        start, word = np.array([0, 3, 3, 7, 12]), rng.integers(6, size=12)
        count = rng.integers(1, 4, size=12).astype(float)
        for _ in range(rng.integers(1, 4)):
            which = rng.integers(4)
            if which == 0:
                start[rng.integers(5)] = rng.choice(values)
            elif which == 1:
                word[rng.integers(len(word))] = rng.choice(values)
            elif which == 2:
                count[rng.integers(len(count))] = rng.choice([np.nan, np.inf, -np.inf, -1, 0, 1e300, 1e-300, 2.5])
            else:
                word = word[:rng.integers(1, 13)]
                count = count[:rng.integers(1, 13)]

        def build():
            sources = _core.Sources()
            sources.add_counts("", start, word, count, [], 6)
            data = medley.Dataset(_core.dataset(sources, _core.ReadOptions()))
            if rng.random() < 0.02:
                medley.fit(data, k=2, max_iterations=3)

        fits += tried(build)
    assert 0 < fits < MUTATIONS


class CArray(ctypes.Structure):
    """struct ArrowArray."""


CArray._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                   ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(CArray))),
                   ("dictionary", ctypes.POINTER(CArray)), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


def test_random_changes_of_arrow_arrays_never_crash():
    """Contents of buffers (offsets, codes, views) are changed to anything; sizes, which the interface cannot check against
    the buffers, only to what can be seen to be wrong."""
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(12)
    n = 20
    views = pa.array([f"text {i} of more than twelve letters" if i % 2 else "s" for i in range(n)], type=pa.string_view())
    columns = {
        "u": pa.array(["ab", "c", None, "defg"] * 5), "U": pa.array(["ab", "c", None, "defg"] * 5, type=pa.large_string()),
        "v": views, "l": pa.array([["a"], ["b", "c"], None, []] * 5),
        "d": pa.array(["x", "y", None, "z"] * 5).dictionary_encode(), "n": pa.array([1, 2, None, 4] * 5)}
    survived = 0
    for _ in range(MUTATIONS):
        name = rng.choice(list(columns))
        array = pa.concat_arrays([columns[name]]) if name != "d" else columns[name]
        buffers = array.buffers()
        place = int(rng.choice([i for i, b in enumerate(buffers) if b is not None and b.size >= 4]))
        content = bytearray(buffers[place].to_pybytes())
        width = 4 if name in "uld" else 8
        at = int(rng.integers(max(1, min(len(content), (n + 1) * width) // width))) * width
        kind = "<i4" if width == 4 else "<i8"
        change = np.array([rng.choice([-1, 0, 1, 2, 5, 13, 100, 2**31 - 1, -(2**31)])], dtype=kind).tobytes()
        inner = name in "ul" and place == len(buffers) - 1
        if inner or at + width > len(content):
            continue
        # The last offset of plain texts is the one size that nothing says the buffer has.
        if name in "uU" and place == 1 and not _within(array, at // width, change, kind):
            continue
        content[at:at + width] = change
        tried_array = _with_buffer(pa, array, place, bytes(content))
        if tried_array is None:
            continue
        chunks = [tried_array]
        if rng.random() < 0.3:
            begin = int(rng.integers(n))
            chunks = [columns[name].slice(int(rng.integers(n))), tried_array.slice(begin), columns[name]]
        column = pa.chunked_array(chunks)  # a table would be looked at by pyarrow first

        def build():
            sources = _core.Sources()
            sources.add_table("", _core.Table.from_arrow(column.__arrow_c_stream__(), "x"))
            data = medley.Dataset(_core.dataset(sources, _core.ReadOptions()))
            if rng.random() < 0.02:
                medley.fit(data, k=2, max_iterations=3)

        survived += tried(build)
    assert survived > 0


def _within(array, place, change, kind):
    value = int(np.frombuffer(change, dtype=kind)[0])
    return value < 0 or value <= len(array.buffers()[2])


def _with_buffer(pa, array, place, content):
    buffers = array.buffers()
    buffers[place] = pa.py_buffer(content)
    try:
        if pa.types.is_dictionary(array.type):
            codes = pa.Array.from_buffers(array.type.index_type, len(array), buffers[:2])
            return pa.DictionaryArray.from_arrays(codes, array.dictionary, safe=False)
        if pa.types.is_list(array.type):
            if place > 1:
                return None
            return pa.Array.from_buffers(array.type, len(array), buffers[:2], children=[array.values])
        return pa.Array.from_buffers(array.type, len(array), buffers)
    except (pa.ArrowInvalid, ValueError):
        return None


@pytest.mark.parametrize("field, value", [("length", -1), ("length", 2**50), ("offset", -3), ("offset", 2**60),
                                          ("n_buffers", 0), ("n_buffers", -1)])
def test_sizes_that_cannot_be_are_refused(field, value):
    pa = pytest.importorskip("pyarrow")
    for column in (pa.array([1.0, 2.0]), pa.array(["a", "b"]), pa.array(["a", "b"], type=pa.string_view()),
                   pa.array([["a"], []]), pa.array(["a"]).dictionary_encode(), pa.array([True])):
        schema, array = column.__arrow_c_array__()
        stream = _stream_of(schema, array, field, value)
        with pytest.raises(medley.InputError):
            _core.Table.from_arrow(stream, "text")


class CStream(ctypes.Structure):
    """struct ArrowArrayStream."""


_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(CStream), ctypes.c_void_p)
_DONE = ctypes.CFUNCTYPE(None, ctypes.POINTER(CStream))
CStream._fields_ = [("get_schema", _CALL), ("get_next", _CALL), ("get_last_error", ctypes.c_void_p), ("release", _DONE),
                    ("private_data", ctypes.c_void_p)]
_kept = []


def _stream_of(schema, array, field, value):
    """A stream of the one array, with a field of its struct changed."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    schema_at, array_at = pointer(schema, b"arrow_schema"), pointer(array, b"arrow_array")
    setattr(ctypes.cast(array_at, ctypes.POINTER(CArray)).contents, field, value)
    handed = []

    def get_schema(_, out):
        ctypes.memmove(out, schema_at, 72)
        ctypes.memset(schema_at + 56, 0, 8)  # its release: moved out
        return 0

    def get_next(_, out):
        ctypes.memset(out, 0, ctypes.sizeof(CArray))
        if not handed:
            ctypes.memmove(out, array_at, ctypes.sizeof(CArray))
            ctypes.cast(out, ctypes.POINTER(CArray)).contents.release = ctypes.cast(_KEEP, ctypes.c_void_p).value
            handed.append(True)
        return 0

    def release(at):
        at.contents.release = _DONE()

    stream = CStream(_CALL(get_schema), _CALL(get_next), None, _DONE(release), None)
    _kept.append((stream, schema, array, get_schema, get_next, release))
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(ctypes.addressof(stream), b"arrow_array_stream", None)


_KEEP = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)


@pytest.mark.parametrize("theirs, ours", [
    ("--k: K must be at least 1", "k=: K must be at least 1"), ("for example --k 3", "for example k=3"),
    ("compare --membership single", 'compare membership="single"'), ("--max-iterations raises it", "max_iterations= raises it"),
    ("see `medley schema` and --column NAME=FAMILY", "see `medley.schema` and columns={NAME: FAMILY}"),
    ('use `inference="exact"` or a smaller `k`', 'use inference="exact" or a smaller k='),
    ("see `infer_schema()`, `column=\"age=poisson\"` or `k=3`", 'see `medley.schema`, columns={"age": "poisson"} or k=3'),
    ("`medley transform M DATA`", "`model.transform`"), ("leave --schema out", "leave schema= out")])
def test_messages_are_put_into_python(theirs, ours):
    from medley._errors import in_python

    assert in_python(theirs) == ours


def test_places_of_problems_are_arguments():
    error = medley.InputError([("--init noise", "x", ""), ("`k`", "y", ""), ("--column q1=gausian", "z", ""),
                               ('`alpha="fixed"`', "a", "")])
    assert [p.where for p in error.problems] == ['init="noise"', "k", 'columns={"q1": "gausian"}', 'alpha="fixed"']
