# SPDX-License-Identifier: Apache-2.0
"""The Arrow importer against pyarrow's own reading of the same arrays."""
import datetime
import decimal
import math

import pytest

import medley
from medley import _core

pa = pytest.importorskip("pyarrow")


def taken(array, name="x"):
    """(kind, cells, levels) of a column, as the core understood it."""
    if isinstance(array, (pa.Array, pa.ChunkedArray)):
        array = pa.table({name: array})
    table = _core.Table.from_arrow(array.__arrow_c_stream__(), "text")
    return table.kind(0), table.cells(0), table.levels(0)


def numbers(values):
    return [None if v is None or (isinstance(v, float) and math.isnan(v)) else float(v) for v in values]


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32",
                                  "float64", "float16"])
def test_every_type_of_number_is_read(kind):
    values = [0, 1, None, 5, 100]
    if kind == "float16":
        import numpy as np

        array = pa.array([np.float16(v) if v is not None else None for v in values], type=pa.float16())
    else:
        array = pa.array(values, type=getattr(pa, kind)())
    assert taken(array) == ("numbers", numbers(values), [])
    assert taken(array.slice(1, 3))[1] == numbers(values[1:4])


def test_whole_numbers_that_no_double_holds_are_texts():
    ids = [2**53 + 1, None, 7, -(2**60)]
    assert taken(pa.array(ids, type=pa.int64()))[:2] == ("texts", ["9007199254740993", None, "7", str(-(2**60))])
    assert taken(pa.array([2**64 - 1], type=pa.uint64()))[1] == [str(2**64 - 1)]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_every_layout_of_texts_is_read(kind):
    values = ["a", "", None, "a longer text than fits into a view", "Überraschung ☃", "a"]
    array = pa.array(values, type=kind)
    assert taken(array)[:2] == ("texts", values)
    for begin in range(6):
        assert taken(array.slice(begin, 3))[1] == values[begin:begin + 3]
    assert taken(pa.chunked_array([array.slice(0, 2), array.slice(2, 0), array.slice(2)]))[1] == values


@pytest.mark.parametrize("index", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("values", [pa.string(), pa.large_string(), pa.string_view(), pa.int32()])
def test_dictionaries_of_every_index_are_read(index, values):
    codes = pa.array([1, None, 0, 1, 2], type=getattr(pa, index)())
    texts = ["7", "8", "9"] if pa.types.is_integer(values) else ["b", "a", "c"]
    dictionary = pa.array([int(t) for t in texts] if pa.types.is_integer(values) else texts, type=values)
    array = pa.DictionaryArray.from_arrays(codes, dictionary)
    assert taken(array)[1] == [texts[1], None, texts[0], texts[1], texts[2]]
    assert taken(array.slice(2, 2))[1] == [texts[0], texts[1]]


def test_an_ordered_dictionary_keeps_its_levels_and_another_drops_what_no_row_has():
    codes, levels = pa.array([2, 0], type=pa.int8()), pa.array(["low", "mid", "high"])
    ordered = pa.DictionaryArray.from_arrays(codes, levels, ordered=True)
    assert taken(ordered)[2] == ["low", "mid", "high"]
    plain = pa.DictionaryArray.from_arrays(codes, levels)
    assert sorted(taken(plain)[2]) == ["high", "low"]
    assert taken(plain)[1] == ["high", "low"]


def test_chunks_may_bring_different_dictionaries():
    a = pa.DictionaryArray.from_arrays(pa.array([0, 1], type=pa.int8()), pa.array(["x", "y"]))
    b = pa.DictionaryArray.from_arrays(pa.array([0, 1], type=pa.int8()), pa.array(["y", "z"]))
    assert taken(pa.chunked_array([a, b]))[1] == ["x", "y", "y", "z"]


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list])
def test_lists_are_read_wherever_they_lie(kind):
    values = [["a", "b"], None, [], ["c", None, "a"], ["d"]]
    array = pa.array(values, type=kind(pa.string()))
    assert taken(array)[:2] == ("lists", values)
    for begin in range(5):
        assert taken(array.slice(begin, 2))[1] == values[begin:begin + 2]
    assert taken(pa.chunked_array([array.slice(3), array.slice(0, 3)]))[1] == values[3:] + values[:3]


def test_lists_of_fixed_size_and_of_numbers_are_read():
    assert taken(pa.array([[1, 2], [3, 4]], type=pa.list_(pa.int32(), 2)))[1] == [["1", "2"], ["3", "4"]]
    assert taken(pa.array([[1.5], []], type=pa.list_(pa.float64())))[1] == [["1.5"], []]


def test_bits_nulls_and_decimals_are_read():
    bits = [True, False, None, True, True, False, True, False, True]
    wanted = [None if b is None else str(b).lower() for b in bits]
    assert taken(pa.array(bits))[1] == wanted
    assert taken(pa.array(bits).slice(3, 5))[1] == wanted[3:8]
    assert taken(pa.nulls(3))[1] == [None] * 3
    prices = [decimal.Decimal("12.50"), None, decimal.Decimal("-0.01")]
    assert taken(pa.array(prices, type=pa.decimal128(10, 2)))[1] == [12.5, None, -0.01]


def test_dates_and_moments_are_texts():
    days = [datetime.date(2024, 2, 29), None, datetime.date(1969, 12, 31)]
    assert taken(pa.array(days, type=pa.date32()))[1] == ["2024-02-29", None, "1969-12-31"]
    assert taken(pa.array(days, type=pa.date64()))[1] == ["2024-02-29", None, "1969-12-31"]
    moments = [datetime.datetime(2024, 2, 29, 13, 5, 7, 250000), datetime.datetime(1969, 12, 31, 23, 59, 59)]
    for unit in ("ms", "us", "ns"):
        assert taken(pa.array(moments, type=pa.timestamp(unit)))[1] == ["2024-02-29 13:05:07.25", "1969-12-31 23:59:59"]


@pytest.mark.parametrize("array", [
    pa.array([datetime.time(1, 2)]), pa.array([datetime.timedelta(1)]), pa.array([b"bytes"]), pa.array([{"a": 1}]),
    pa.array([[["nested"]]]), pa.array([[("k", 1)]], type=pa.map_(pa.string(), pa.int32()))])
def test_what_no_family_describes_is_refused_in_words(array):
    with pytest.raises(medley.InputError, match='column "odd"') as caught:
        taken(array, "odd")
    assert "+" not in caught.value.problems[0].what and caught.value.problems[0].remedy


def test_a_stream_is_read_once():
    capsule = pa.table({"a": [1]}).__arrow_c_stream__()
    _core.Table.from_arrow(capsule, "text")
    with pytest.raises(medley.InputError, match="read before"):
        _core.Table.from_arrow(capsule, "text")


@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_batches_of_any_size_are_the_same(rows):
    table = pa.table({"n": [float(i % 5) for i in range(50)], "t": [f"t{i % 3}" for i in range(50)],
                      "l": [["a"] * (i % 3) for i in range(50)]})
    chunked = pa.Table.from_batches(table.to_batches(max_chunksize=rows))
    for column in range(3):
        one = _core.Table.from_arrow(table.__arrow_c_stream__(), "text").cells(column)
        assert _core.Table.from_arrow(chunked.__arrow_c_stream__(), "text").cells(column) == one


def test_polars_exports_are_read():
    pl = pytest.importorskip("polars")
    levels = ["low", "mid", "high"]
    frame = pl.DataFrame({
        "s": ["a", None, "a text that is longer than twelve"], "c": pl.Series(["y", "x", None], dtype=pl.Categorical),
        "e": pl.Series(["high", None, "low"], dtype=pl.Enum(levels)), "n": [1.5, float("nan"), None],
        "b": [True, None, False], "l": [["p", "q"], None, []], "d": [datetime.date(2020, 1, 2), None, None]})
    table = _core.Table.from_arrow(frame.__arrow_c_stream__(), "text")
    assert [table.cells(i) for i in range(7)] == [
        ["a", None, "a text that is longer than twelve"], ["y", "x", None], ["high", None, "low"], [1.5, None, None],
        ["true", None, "false"], [["p", "q"], None, []], ["2020-01-02", None, None]]
    assert table.levels(2) == levels, "the categories of an Enum are levels, in their order"


def test_duckdb_exports_are_read():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select * from (values (1, 'a', 1.25::decimal(5,2)), (2, null, 3.5)) t(i, s, d)")
    table = _core.Table.from_arrow(relation.__arrow_c_stream__(), "text")
    assert [table.cells(i) for i in range(3)] == [[1.0, 2.0], ["a", None], [1.25, 3.5]]
