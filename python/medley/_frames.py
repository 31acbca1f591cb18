# SPDX-License-Identifier: Apache-2.0
"""Tables out: of the kind that went in. No library of tables is imported that the user does not have."""
from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

#: A pandas or polars DataFrame, a pyarrow Table, or a Columns: what went in.
Frame = Any

KINDS = ("pandas", "polars", "pyarrow", "numpy")


class Columns(dict[str, Any]):
    """Columns by name, as numpy arrays: a table where there is neither pandas nor polars."""

    def __repr__(self) -> str:
        lines = []
        for name, column in self.items():
            shown = np.array2string(np.asarray(column)[:6], separator=", ", threshold=6)
            lines.append(f"{name}: {shown[:-1]}, ...]" if len(column) > 6 else f"{name}: {shown}")
        return "\n".join(lines)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.values()))) if self else 0


def kind_of(data: Any) -> str | None:
    """The library that a table comes from, or None if it is no table."""
    module = type(data).__module__.split(".")[0]
    if module in ("pandas", "polars", "pyarrow"):
        return module
    return None


def default_kind() -> str:
    """What to answer in where nothing went in: what is in use, else what is installed."""
    for library in ("pandas", "polars"):
        if library in sys.modules:
            return library
    for library in ("pandas", "polars"):
        if importlib.util.find_spec(library) is not None:
            return library
    return "numpy"


def as_array(column: Any) -> np.ndarray[Any, Any]:
    """A column as an array; texts as objects, so that None stays None."""
    if isinstance(column, np.ndarray):
        return column
    if len(column) and any(isinstance(cell, str) or cell is None for cell in column[:100]):
        out = np.empty(len(column), dtype=object)
        out[:] = column
        return out
    return np.asarray(column)


def frame(kind: str, columns: Mapping[str, Any], index: Any = None) -> Frame:
    """A table of these columns. `index` is a pandas index, or (name, ids) which become an index in pandas and a
    column elsewhere."""
    if kind == "pandas":
        import pandas as pd

        if isinstance(index, tuple):
            index = pd.Index(index[1], name=index[0])
        return pd.DataFrame({k: as_array(v) for k, v in columns.items()}, index=index, copy=False)
    named: dict[str, Any] = {}
    if isinstance(index, tuple):
        named[index[0]] = list(index[1])
    named.update(columns)
    if kind == "polars":
        import polars as pl

        return pl.DataFrame({k: _plain(v) for k, v in named.items()}, strict=False)
    if kind == "pyarrow":
        import pyarrow as pa

        return pa.table({k: _plain(v) for k, v in named.items()})
    return Columns({k: as_array(v) for k, v in named.items()})


def _plain(column: Any) -> Any:
    if isinstance(column, np.ndarray):
        return column.tolist() if column.dtype == object else np.ascontiguousarray(column)
    return list(column)


def matrix_frame(kind: str, names: Sequence[str], cells: np.ndarray[Any, Any], index: Any = None) -> Frame:
    """A table of numbers; in pandas it is a view of the matrix."""
    names = unique(names)
    if kind == "pandas":
        import pandas as pd

        if isinstance(index, tuple):
            index = pd.Index(index[1], name=index[0])
        return pd.DataFrame(cells, columns=list(names), index=index, copy=False)
    return frame(kind, {name: cells[:, k] for k, name in enumerate(names)}, index)


def unique(names: Sequence[str]) -> list[str]:
    """The names, told apart where two are the same."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        count = seen.get(name, 0) + 1
        seen[name] = count
        out.append(name if count == 1 else f"{name} ({count})")
    return out
