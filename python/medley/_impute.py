# SPDX-License-Identifier: Apache-2.0
"""Missing cells filled in the caller's own table: columns keep their types and categories."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import wrong
from ._frames import Columns, Frame, frame, kind_of
from ._intake import text_of

if TYPE_CHECKING:
    from ._data import Dataset
    from ._model import Model

_MOST = 20_000_000  # cells that are listed at once


def _check(model: Model) -> None:
    columns = model.schema.columns
    features = [c for c in columns if c["role"] == "feature"]
    if all(c["kind"] == "tokens" or c["cells"] in ("text", "tags") for c in features):
        raise wrong("model", "was fitted to words only: there are no cells to predict",
                    "impute is for tables and ratings")
    if any(c["kind"] == "triplets" for c in columns):
        raise wrong("data", "is a rating log: almost all of its pairs are missing", "recommend names the best ones")
    if model._core.schema.missing_as_category:
        raise wrong("model", "takes a missing cell for an answer of its own: nothing is to fill",
                    'fit without missing="category"')
    if any(c["tied"] for c in features):
        raise wrong("model", "has features of several columns: filling single copies is not offered",
                    "missing_cells predicts the features that a row has no value of")


def _predict(model: Model, rows: Dataset, draws: int, seed: int, threads: int) -> dict[str, Any]:
    options = _core.PredictOptions()
    options.draws, options.seed, options.threads = draws, seed, threads
    found: dict[str, Any] = _core.predict_missing(model._core, rows._core, _MOST, options)
    return found


class _Filling:
    """The cells of one column that are to be filled: rows, and values as level texts or numbers."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.values: list[str | float] = []


def _fillings(found: Mapping[str, Any], draw: int | None) -> dict[str, _Filling]:
    out: dict[str, _Filling] = {}
    for i in range(len(found["row"])):
        name, levels = found["features"][found["block"][i]][found["feature"][i]]
        filling = out.setdefault(name, _Filling())
        filling.rows.append(int(found["row"][i]))
        if draw is None:
            mode = int(found["mode"][i])
            filling.values.append(levels[mode] if mode >= 0 else float(found["best"][i]))
        else:
            value = found["draws"][i][draw]
            filling.values.append(levels[int(value)] if levels else float(value))
    return out


def filled(model: Model, data: Any, draws: int, seed: int, whole_numbers: bool, threads: int,
           reading: Mapping[str, Any]) -> Any:
    """The table filled, or a list of `draws` tables."""
    _check(model)
    rows = model._read(data, reading)
    if len(rows._tables) != 1 or model._core.schema.columns()[0]["kind"] != "table":
        raise wrong("data", "is not one table in memory, so there is no one table to fill",
                    "give a DataFrame, a dict of columns or a 2-D array; missing_cells lists the cells of any data")
    table = rows._tables[0]
    found = _predict(model, rows, draws, seed, threads)
    names = [str(c["name"]) for c in model.schema.columns]
    if draws == 0:
        return _fill(table, _fillings(found, None), whole_numbers, names)
    return [_fill(table, _fillings(found, m), whole_numbers, names) for m in range(draws)]


def _fill(table: Any, fillings: Mapping[str, _Filling], whole_numbers: bool, names: list[str]) -> Any:
    kind = kind_of(table)
    if kind == "pandas":
        return _fill_pandas(table, fillings, whole_numbers)
    if kind == "polars":
        return _fill_polars(table, fillings, whole_numbers)
    if kind == "pyarrow":
        import pyarrow as pa

        columns = {name: table.column(name) for name in table.column_names}
        for name, filling in fillings.items():
            if name in columns:
                column = columns[name].combine_chunks()
                plain = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
                cells = _filled_list(column.to_pylist(), filling, _type_of(str(plain)), whole_numbers)
                values = pa.array(cells, type=plain)
                columns[name] = values.dictionary_encode() if pa.types.is_dictionary(column.type) else values
        return pa.table(columns)
    if isinstance(table, np.ndarray):
        out = table.copy()
        for name, filling in fillings.items():
            place = names.index(name)
            for row, value in zip(filling.rows, filling.values):
                out[row, place] = value if out.dtype.kind in "OU" else _number(value, whole_numbers)
        return out
    if isinstance(table, Mapping):
        columns_out = Columns({name: list(column) for name, column in table.items()})
        for name, filling in fillings.items():
            if name in columns_out:
                typed = np.asarray(table[name]).dtype.kind if not isinstance(table[name], list) else "O"
                columns_out[name] = _filled_list(columns_out[name], filling, "float" if typed in "fiu" else "str", whole_numbers)
        return columns_out
    return _fill_pandas(table.to_pandas(), fillings, whole_numbers)  # what exports Arrow without being a table


def _number(value: str | float, whole_numbers: bool) -> float:
    number = float(value)
    return float(round(number)) if whole_numbers else number


def _fill_pandas(table: Any, fillings: Mapping[str, _Filling], whole_numbers: bool) -> Any:
    import pandas as pd

    out = table.copy()
    places = {str(name): i for i, name in enumerate(out.columns)}
    for name, filling in fillings.items():
        if name not in places:
            continue
        place = places[name]
        column = out.iloc[:, place]
        dtype = column.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            by_text = {text_of(c): c for c in dtype.categories}
            cells = column.to_list()
            for row, value in zip(filling.rows, filling.values):
                cells[row] = by_text[value] if isinstance(value, str) else value
            new = pd.Series(pd.Categorical(cells, dtype=dtype), index=column.index)
        else:
            kind = "bool" if pd.api.types.is_bool_dtype(dtype) else "int" if pd.api.types.is_integer_dtype(dtype) else (
                "float" if pd.api.types.is_float_dtype(dtype) else "str")
            cells = _filled_list(column.to_list(), filling, kind, whole_numbers)
            new = pd.Series(cells, index=column.index, dtype=dtype)
        out.isetitem(place, new)
    return out


def _type_of(name: str) -> str:
    lowered = name.lower()
    if lowered.startswith("bool"):
        return "bool"
    if "int" in lowered:
        return "int"
    return "float" if lowered.startswith(("float", "double", "half", "decimal")) else "str"


def _fill_polars(table: Any, fillings: Mapping[str, _Filling], whole_numbers: bool) -> Any:
    import polars as pl

    if hasattr(table, "collect"):
        table = table.collect()
    new = []
    for name, filling in fillings.items():
        if name in table.columns:
            column = table.get_column(name)
            cells = _filled_list(column.to_list(), filling, _type_of(str(column.dtype)), whole_numbers)
            new.append(pl.Series(name, cells, dtype=column.dtype, strict=False))
    return table.with_columns(new)


def _filled_list(cells: list[Any], filling: _Filling, kind: str, whole_numbers: bool) -> list[Any]:
    convert: Callable[[Any], Any]
    if kind == "bool":
        convert = lambda v: v == "true" if isinstance(v, str) else bool(round(v))  # noqa: E731
    elif kind == "int":
        convert = lambda v: round(float(v))  # noqa: E731
    elif kind == "float":
        convert = lambda v: _number(v, whole_numbers)  # noqa: E731
    else:
        convert = lambda v: v  # noqa: E731
    out = list(cells)
    for row, value in zip(filling.rows, filling.values):
        out[row] = convert(value)
    return out


def distributions(model: Model, rows: Dataset, threads: int) -> Frame:
    """Every missing cell, a line per level, or one for a number."""
    found = _predict(model, rows, 0, 1, threads)
    ids = rows.ids
    columns: dict[str, list[Any]] = {n: [] for n in ("row", "column", "level", "probability", "mean", "sd", "q05", "q50",
                                                     "q95")}
    for i in range(len(found["row"])):
        name, levels = found["features"][found["block"][i]][found["feature"][i]]
        lines: list[tuple[Any, ...]]
        if levels:
            lines = [(level, p, np.nan, np.nan, np.nan, np.nan, np.nan)
                     for level, p in zip(levels, found["probabilities"][i])]
        else:
            lines = [("", np.nan, found["mean"][i], found["sd"][i], *found["quantiles"][i])]
        for line in lines:
            for column, value in zip(columns.values(), (ids[found["row"][i]], name, *line)):
                column.append(value)
    return frame(rows._out_kind(), columns)
