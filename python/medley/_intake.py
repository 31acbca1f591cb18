# SPDX-License-Identifier: Apache-2.0
"""From anything that holds data to the sources of the core. One function for each kind of input."""
from __future__ import annotations

import datetime
import decimal
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._errors import wrong
from ._frames import kind_of

SINGLE_COLUMN = "text"  # what a list of documents is called
_EXACT = 2**53  # whole numbers up to this are doubles


class Triplets:
    """A log of (row, item, value), from the columns of a table; `medley.triplets` makes one."""

    def __init__(self, data: Any, row: str, item: str, value: str | None) -> None:
        self.data, self.row, self.item, self.value = data, row, item, value

    def __repr__(self) -> str:
        return f"Triplets(row={self.row!r}, item={self.item!r}, value={self.value!r})"


class Taken:
    """Sources, and what Python knows of them that the core does not."""

    def __init__(self) -> None:
        self.sources = _core.Sources()
        self.kind: str | None = None
        self.index: Any = None  # of a pandas frame
        self.text_columns: list[str] = []
        self.tables: list[Any] = []  # the frames, for impute


class Hints:
    """What the caller or a model says about arrays that have no names of their own."""

    def __init__(self, names: Sequence[str] | None = None, vocabulary: Sequence[str] | None = None,
                 text_column: str | None = None, block: str = "") -> None:
        self.names = names
        self.vocabulary = vocabulary
        self.text_given = text_column is not None
        self.text_column = text_column or SINGLE_COLUMN
        self.block = block

    def called(self, block: str) -> Hints:
        """The same for a block of that name."""
        return Hints(self.names, self.vocabulary, self.text_column if self.text_given else None, block)


def is_sparse(data: Any) -> bool:
    """A scipy sparse matrix or array of any format."""
    return type(data).__module__.startswith("scipy.sparse") and hasattr(data, "tocsr")


def is_frame(data: Any) -> bool:
    """Something with rows and named columns that exports itself."""
    return hasattr(data, "columns") or hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def is_one_column(data: Any) -> bool:
    """A Series, or a chunked array."""
    return (type(data).__name__ in ("Series", "ChunkedArray", "StringArray", "LargeStringArray", "StringViewArray")
            or (hasattr(data, "__arrow_c_array__") and not hasattr(data, "columns")))


def is_text_list(data: Any) -> bool:
    """list, tuple or 1-D array of str: documents."""
    if isinstance(data, np.ndarray):
        return data.ndim == 1 and data.dtype.kind in "UO"
    return isinstance(data, (list, tuple)) and any(isinstance(d, str) for d in data[:100])


def is_path(data: Any) -> bool:
    """The name of a file, or several, or {source: file}."""
    if isinstance(data, (str, os.PathLike)):
        return True
    if isinstance(data, Mapping) and not is_sparse(data):  # a sparse matrix may be a dict of keys
        return bool(data) and all(isinstance(v, (str, os.PathLike)) for v in data.values())
    return isinstance(data, (list, tuple)) and bool(data) and all(isinstance(v, os.PathLike) for v in data)


def is_blocks(data: Any) -> bool:
    """A dict of tables, not of columns."""
    def whole(value: Any) -> bool:
        if isinstance(value, (Triplets, Mapping)) or is_sparse(value):
            return True
        if is_one_column(value):
            return False
        return is_frame(value) or (isinstance(value, np.ndarray) and value.ndim == 2)

    return isinstance(data, Mapping) and not is_sparse(data) and any(whole(value) for value in data.values())


def take(data: Any, hints: Hints | dict[str, Hints]) -> Taken:
    """The sources of any data in memory."""
    taken = Taken()
    if is_blocks(data):
        for name, part in data.items():
            hint = hints.get(name, Hints()) if isinstance(hints, dict) else hints
            _take_one(part, str(name), taken, hint.called(str(name)))
        return taken
    hint = next(iter(hints.values()), Hints()) if isinstance(hints, dict) else hints
    _take_one(data, hint.block, taken, hint)
    return taken


def _take_one(data: Any, name: str, taken: Taken, hints: Hints) -> None:
    if isinstance(data, Triplets):
        table = _core.Table()
        table = _fill(table, data.data, hints, Taken())
        taken.sources.add_triplets(name, table, data.row, data.item, data.value or "")
        taken.kind = taken.kind or kind_of(data.data)
        return
    if is_sparse(data):
        _take_sparse(data, name, taken, hints)
        return
    table = _core.Table()
    table = _fill(table, data, hints, taken)
    if not table.names:
        raise wrong("data", "has no columns", "give at least one")
    taken.sources.add_table(name, table)


def _fill(table: Any, data: Any, hints: Hints, taken: Taken) -> Any:
    taken.kind = taken.kind or kind_of(data)
    taken.tables.append(data)
    if is_text_list(data):
        table.add_texts(hints.text_column, [_document(d, i) for i, d in enumerate(data)])
        taken.text_columns.append(hints.text_column)
        return table
    if kind_of(data) == "pandas":
        if type(data).__name__ == "Series":
            return _take_series(table, data, hints, taken)
        _fill_pandas(table, data, taken)
        return table
    if hasattr(data, "collect") and hasattr(data, "collect_schema"):  # a lazy frame of polars
        data = data.collect()
        taken.tables[-1] = data
    if isinstance(data, np.ndarray):
        _fill_array(table, data, hints)
        return table
    if isinstance(data, Mapping):
        for key, column in data.items():
            add_column(table, str(key), column)
        return table
    stream = _arrow_stream(data)
    if stream is None:
        raise wrong("data", f"{type(data).__module__}.{type(data).__name__} is nothing that medley reads",
                    "give a DataFrame, an Arrow table, a dict of columns, a 2-D array, a sparse matrix, a list of "
                    "documents or the path of a file")
    name = getattr(data, "name", None)
    single = name if isinstance(name, str) and name and not hints.text_given else hints.text_column
    table = _core.Table.from_arrow(stream, single)
    if is_one_column(data) and table.names and table.kind(0) == "texts":
        taken.text_columns += table.names
    return table


def _arrow_stream(data: Any) -> Any:
    if hasattr(data, "__arrow_c_stream__"):
        return data.__arrow_c_stream__()
    if hasattr(data, "__arrow_c_array__"):
        import pyarrow as pa

        return pa.chunked_array([data]).__arrow_c_stream__()
    return None


def _document(cell: Any, place: int) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, float) and math.isnan(cell):
        return None
    raise wrong(f"document {place}", f"is of type {type(cell).__name__}, not str", "give texts; None is missing")


def _take_series(table: Any, series: Any, hints: Hints, taken: Taken) -> Any:
    name = hints.text_column if hints.text_given else str(series.name or SINGLE_COLUMN)
    add_column(table, name, series)
    if table.kind(0) == "texts":
        taken.text_columns.append(name)
    _keep_index(series.index, taken)
    return table


# ---- arrays ----

def _fill_array(table: Any, data: np.ndarray[Any, Any], hints: Hints) -> None:
    if data.ndim != 2:
        raise wrong("data", f"is an array of {data.ndim} dimensions", "give rows x columns: data.reshape(-1, 1)")
    names = list(hints.names) if hints.names is not None else [f"x{i}" for i in range(data.shape[1])]
    if len(names) != data.shape[1]:
        raise wrong("data", f"has {data.shape[1]} columns, where {len(names)} are expected",
                    "give the same columns in the same order, or name them: names=[...]")
    if data.dtype.kind in "OUS":
        for place, name in enumerate(names):
            add_column(table, str(name), data[:, place])
        return
    if data.dtype.kind not in "fiub":
        raise wrong("data", f"is an array of {data.dtype}", "give numbers or texts")
    if data.shape[1] == 0:
        raise wrong("data", "has no columns", "give at least one")
    cells = np.asarray(data, dtype=np.float64)
    _refuse_infinite(cells, "data")
    table.add_matrix([str(n) for n in names], cells)


def _refuse_infinite(cells: np.ndarray[Any, Any], where: str) -> None:
    if np.isinf(cells).any():
        raise wrong(where, "holds infinite numbers", "replace them; NaN is missing")


def _take_sparse(data: Any, name: str, taken: Taken, hints: Hints) -> None:
    csr = data.tocsr()
    if csr.ndim != 2:
        raise wrong("data", "is a sparse array of one dimension", "give rows x words")
    if csr.data.dtype.kind not in "fiub":
        raise wrong("data", f"is a sparse matrix of {csr.data.dtype}", "give counts")
    words = [str(w) for w in hints.vocabulary] if hints.vocabulary is not None else []
    taken.sources.add_counts(name, np.asarray(csr.indptr, dtype=np.int64), np.asarray(csr.indices, dtype=np.int64),
                             np.asarray(csr.data, dtype=np.float64), words, int(csr.shape[1]))


# ---- pandas, without pyarrow ----

def _keep_index(index: Any, taken: Taken) -> None:
    if taken.index is None:
        taken.index = index


def _fill_pandas(table: Any, data: Any, taken: Taken) -> None:
    _keep_index(data.index, taken)
    if getattr(data.columns, "nlevels", 1) > 1:
        raise wrong("data", "has columns with several levels of names", "join them: df.columns.map('_'.join)")
    for place, name in enumerate(data.columns):
        add_column(table, str(name), data.iloc[:, place])
    if not len(data.columns):
        table.set_rows(len(data))


def add_column(table: _core.Table, name: str, given: Any) -> None:
    """Any sequence of cells: numbers, texts, categories, lists."""
    column: Any = given
    if isinstance(column, (str, bytes)) or not hasattr(column, "__len__"):
        raise wrong(f'column "{name}"', f"is a {type(column).__name__}", "give one cell per row")
    if type(column).__module__.split(".")[0] in ("polars", "pyarrow"):
        _add_arrow_column(table, name, column)
        return
    dtype = getattr(column, "dtype", None)
    kind = getattr(dtype, "kind", "O")
    if hasattr(dtype, "categories") and hasattr(column, "cat"):
        _add_categories(table, name, column.cat.codes, column.cat.categories, bool(column.cat.ordered))
    elif hasattr(dtype, "categories") and hasattr(column, "codes"):
        _add_categories(table, name, column.codes, column.categories, bool(column.ordered))
    elif kind == "b":
        _add_booleans(table, name, column)
    elif kind in "iuf":
        _add_numbers(table, name, column, kind)
    elif kind == "M":
        _add_dates(table, name, column)
    elif kind in "mcV":
        raise wrong(f'column "{name}"', f"holds {dtype}, which no family describes",
                    "turn it into numbers or text, or leave it out (ignore=)")
    else:
        _add_objects(table, name, column)


def _add_arrow_column(table: Any, name: str, column: Any) -> None:
    stream = _arrow_stream(column)
    one = _core.Table.from_arrow(stream, name)
    cells: Any = one.cells(0)
    if one.kind(0) == "numbers":
        table.add_numbers(name, np.array([math.nan if c is None else c for c in cells], dtype=np.float64))
    elif one.kind(0) == "lists":
        table.add_lists(name, cells)
    else:
        table.add_texts(name, cells)


def text_of(value: Any) -> str:
    """A cell as a file would have it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number == math.floor(number) and abs(number) <= _EXACT else repr(number)
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, (datetime.date, decimal.Decimal)):
        return str(value)
    raise TypeError(type(value).__name__)


def _add_categories(table: Any, name: str, codes: Any, categories: Any, ordered: bool) -> None:
    try:
        levels = [text_of(c) for c in categories]
    except TypeError as error:
        raise wrong(f'column "{name}"', f"has categories of type {error}", "give texts or numbers") from None
    codes = np.asarray(codes, dtype=np.int64)
    used = np.zeros(len(levels), dtype=bool)
    used[codes[codes >= 0]] = True
    # Categories that are just a way to store texts are read as from a file.
    plain = not ordered and bool(used.all()) and levels == sorted(levels, key=lambda t: t.encode())
    table.add_codes(name, codes, levels, not plain)


def _add_booleans(table: Any, name: str, column: Any) -> None:
    if hasattr(column, "to_numpy") and hasattr(column, "isna"):
        missing = np.asarray(column.isna(), dtype=bool)
        truth = np.asarray(column.fillna(False).to_numpy(dtype=bool))
        codes = np.where(missing, -1, truth.astype(np.int64))
    else:
        codes = np.asarray(column, dtype=np.int64)
    table.add_codes(name, codes.astype(np.int64), ["false", "true"], False)


def _add_numbers(table: Any, name: str, column: Any, kind: str) -> None:
    if hasattr(column, "to_numpy") and hasattr(column, "isna"):
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        numbers = np.asarray(column, dtype=np.float64)
    if numbers.ndim != 1:
        raise wrong(f'column "{name}"', f"has {numbers.ndim} dimensions", "give one cell per row")
    _refuse_infinite(numbers, f'column "{name}"')
    if kind in "iu" and len(numbers) and float(np.nanmax(np.abs(numbers), initial=0.0)) >= _EXACT:
        cells = [None if _is_missing(c) else str(int(c)) for c in column]
        table.add_texts(name, cells)
        return
    table.add_numbers(name, np.ascontiguousarray(numbers))


def _add_dates(table: Any, name: str, column: Any) -> None:
    """Dates are texts; `columns={name: "year"}` makes features of them."""
    if hasattr(column, "dt"):
        cells = [None if _is_missing(c) else _date_text(c.to_pydatetime(warn=False)) for c in column]
    else:
        cells = [None if np.isnat(c) else str(c).replace("T", " ") for c in np.asarray(column)]
    table.add_texts(name, cells)


def _date_text(moment: datetime.datetime) -> str:
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat(sep=" ")


def _is_missing(cell: Any) -> bool:
    if cell is None:
        return True
    if isinstance(cell, float):
        return math.isnan(cell)
    kind = type(cell).__name__
    if kind in ("NAType", "NaTType"):
        return True
    return isinstance(cell, np.floating) and bool(np.isnan(cell))


_LISTS = (list, tuple, set, frozenset, np.ndarray)


def _add_objects(table: Any, name: str, column: Any) -> None:
    cells: list[Any] = column.tolist() if hasattr(column, "tolist") else list(column)
    cells = [None if not isinstance(c, _LISTS) and _is_missing(c) else c for c in cells]
    if any(isinstance(c, _LISTS) for c in cells):
        _add_lists(table, name, cells)
        return
    present = [c for c in cells if c is not None]
    if present and all(isinstance(c, (int, float, np.number)) and not isinstance(c, (bool, np.bool_))
                       for c in present) and all(abs(c) <= _EXACT for c in present):
        table.add_numbers(name, np.array([math.nan if c is None else c for c in cells], dtype=np.float64))
        return
    table.add_texts(name, _each(cells, name, text_of))


def _each(cells: Iterable[Any], name: str, convert: Callable[[Any], str]) -> list[str | None]:
    out: list[str | None] = []
    for place, cell in enumerate(cells):
        try:
            out.append(None if cell is None else convert(cell))
        except TypeError as error:
            raise wrong(f'column "{name}", row {place}', f"is of type {error}",
                        "give texts, numbers, lists of them, or None") from None
    return out


def _add_lists(table: Any, name: str, cells: Iterable[Any]) -> None:
    lists: list[list[str | None] | None] = []
    for cell in cells:
        if cell is None:
            lists.append(None)
        elif isinstance(cell, _LISTS):
            entries = sorted(cell) if isinstance(cell, (set, frozenset)) else list(cell)
            lists.append(_each([None if _is_missing(e) else e for e in entries], name, text_of))
        else:
            lists.append(_each([cell], name, text_of))
    table.add_lists(name, lists)
