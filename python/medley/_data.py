# SPDX-License-Identifier: Apache-2.0
"""Data sets and schemas: what was understood of the data, and reading new data the same way."""
from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core, _intake
from ._errors import DataWarning, in_python, wrong
from ._frames import Frame, default_kind, frame
from ._intake import Hints, Triplets
from ._options import documented, read_fields, read_options


class Schema:
    """What every column is taken for. It can be saved, edited as text, and given back as ``schema=``."""

    def __init__(self, core: _core.Schema) -> None:
        self._core = core

    def to_toml(self) -> str:
        """The schema as an editable TOML document."""
        return self._core.to_toml()

    @staticmethod
    def from_toml(text: str) -> Schema:
        """The schema that such a document describes."""
        return Schema(_core.Schema.from_toml(text, "schema"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    @property
    def columns(self) -> list[dict[str, Any]]:
        """Of every column: source, name, role, family, levels, and a note that says why."""
        return list(self._core.columns())

    def table(self) -> Frame:
        """The columns as a table."""
        columns = self.columns
        return frame(default_kind(), {
            "column": [c["name"] for c in columns], "role": [c["role"] for c in columns],
            "taken_for": [c["family"] if c["cells"] == "value" else c["cells"] for c in columns],
            "levels": [len(c["levels"]) for c in columns], "note": [c["note"] for c in columns]})

    def __repr__(self) -> str:
        return self.to_toml()

    def _repr_html_(self) -> str:
        from ._html import schema_html

        return schema_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Schema.from_toml, (self.to_toml(),))


class Dataset:
    """Rows x blocks as a model sees them. Print one to see what every column was taken for."""

    def __init__(self, core: _core.Dataset, kind: str | None = None, index: Any = None,
                 tables: Sequence[Any] = ()) -> None:
        self._core = core
        self._kind = kind
        self._index = index if index is not None and len(index) == core.rows else None
        self._tables = list(tables)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._core.rows

    def __len__(self) -> int:
        return self.rows

    @property
    def schema(self) -> Schema:
        """What every column was taken for."""
        return Schema(self._core.schema)

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """Features stored together: name, family, number of features and cells, missing and unseen ones."""
        return list(self._core.blocks)

    @property
    def warnings(self) -> list[str]:
        """Dropped columns, absent columns, unseen levels: in words."""
        return [in_python(text) for text in self._core.warnings]

    @property
    def notes(self) -> list[str]:
        """What was decided for you, and how to have it otherwise."""
        return [in_python(text) for text in self._core.notes]

    @property
    def ids(self) -> list[Any]:
        """What the rows are called: by the id column, else by the index of the frame, else by their place from 0."""
        if self._core.has_ids:
            return list(self._core.ids)
        return list(self._index) if self._index is not None else list(range(self.rows))

    def _out_kind(self) -> str:
        return self._kind or default_kind()

    def _out_index(self) -> Any:
        """For frame(): the caller's ids."""
        if self._core.has_ids:
            return ("id", self._core.ids)
        return self._index if self._out_kind() == "pandas" else None

    def _places(self, rows: Any) -> list[int]:
        """Places of rows that go by their ids."""
        if rows is None:
            return list(range(self.rows))
        wanted = [rows] if isinstance(rows, (str, int, np.integer)) else list(rows)
        ids = self.ids
        if self._core.has_ids:
            wanted = [str(w) for w in wanted]
        place: dict[Any, int] = {}
        twice: set[Any] = set()
        for i, row_id in enumerate(ids):
            if place.setdefault(row_id, i) != i:
                twice.add(row_id)
        missing = [w for w in wanted if w not in place]
        if missing:
            raise wrong("rows", f"there is no row {missing[0]!r}",
                        f"rows go by their ids: {', '.join(repr(i) for i in ids[:3])} ...")
        several = [w for w in wanted if w in twice]
        if several:
            raise wrong("rows", f"there are several rows {several[0]!r}", "give each row an id of its own")
        return [place[w] for w in wanted]

    def save_stream(self, path: str | os.PathLike[str]) -> None:
        """Writes a stream file, from which rows can be read a few at a time."""
        self._core.write_stream(os.fspath(path))

    def __repr__(self) -> str:
        return in_python(self._core.describe())

    def _repr_html_(self) -> str:
        from ._html import dataset_html

        return dataset_html(self)


def _warn(core: _core.Dataset, stacklevel: int) -> None:
    for text in core.warnings:
        warnings.warn(in_python(text), DataWarning, stacklevel=stacklevel + 1)


def _text_column(schema: _core.Schema) -> str | None:
    for column in schema.columns():
        if column["cells"] == "text":
            return str(column["name"])
    return None


def _hints_of(schema: _core.Schema) -> dict[str, Hints]:
    """How arrays without names fit a schema: its columns in their order, its words, its text column."""
    out: dict[str, Hints] = {}
    for column in schema.columns():
        source = str(column["source"])
        hint = out.setdefault(source, Hints([], None, None, source))
        if column["kind"] == "table" and isinstance(hint.names, list):
            hint.names.append(str(column["name"]))
        if column["cells"] == "text":
            hint.text_column, hint.text_given = str(column["name"]), True
    return out


def _words(given: Mapping[str, Any]) -> Sequence[str] | None:
    vocabulary = given.get("vocabulary")
    if vocabulary is None or isinstance(vocabulary, int):
        return None
    if isinstance(vocabulary, Mapping):  # word -> column, as CountVectorizer has it
        return [str(w) for w, _ in sorted(vocabulary.items(), key=lambda pair: pair[1])]
    return [str(w) for w in vocabulary]


def paths_of(data: Any) -> list[tuple[str, str]]:
    """(source, path) of every file."""
    if isinstance(data, Mapping):
        return [(str(name), os.fspath(path)) for name, path in data.items()]
    if isinstance(data, (list, tuple)):
        return [_core.parse_source(os.fspath(path)) for path in data]
    return [_core.parse_source(os.fspath(data))]


def take(data: Any, given: Mapping[str, Any], model_schema: _core.Schema | None = None
         ) -> tuple[_intake.Taken, _core.ReadOptions]:
    """Data in memory and how to read them."""
    reading = read_options(given, model_schema)
    hints: Hints | dict[str, Hints] = Hints(given.get("names"), _words(given), _one_text(given))
    schema = model_schema
    if schema is None and given.get("schema") is not None:
        from ._options import schema_of

        schema = schema_of(given["schema"])
    if schema is not None:
        hints = _hints_of(schema)
        for hint in hints.values():
            if given.get("names") is not None:
                hint.names = list(given["names"])
            hint.vocabulary = _words(given) or hint.vocabulary
    taken = _intake.take(data, hints)
    if schema is None:
        family = dict(reading.family)
        for name in taken.text_columns:
            family.setdefault(name, "text")
        reading.family = family
    return taken, reading


def _one_text(given: Mapping[str, Any]) -> str | None:
    text = given.get("text")
    return text if isinstance(text, str) else None


def as_dataset(data: Any, given: Mapping[str, Any], model_schema: _core.Schema | None = None,
               keep: Sequence[str] = (), stacklevel: int = 2) -> Dataset:
    """A data set of anything; under a model's schema where there is one."""
    if isinstance(data, Dataset):
        return data
    given = dict(given)
    if keep:
        given["keep"] = [*_listed(given.get("keep")), *[k for k in keep if k]]
    if _intake.is_path(data):
        core = _core.read(paths_of(data), read_options(given, model_schema))
        _warn(core, stacklevel + 1)
        return Dataset(core)
    taken, reading = take(data, given, model_schema)
    core = _core.dataset(taken.sources, reading)
    if model_schema is not None:
        _check_known(core)
    _warn(core, stacklevel + 1)
    return Dataset(core, taken.kind, taken.index, taken.tables)


def _check_known(core: _core.Dataset) -> None:
    blocks = core.blocks
    if core.rows and core.extra and not any(b["cells"] or b["unseen"] for b in blocks):
        names = [f'"{c["name"]}"' for c in core.schema.columns() if c["role"] == "feature"]
        raise wrong("data", "has none of the columns that the model knows",
                    f"it knows {', '.join(names[:5])}{' ...' if len(names) > 5 else ''}")


def _listed(value: Any) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


def dataset(data: Any, **reading: Any) -> Dataset:
    """What a model would see of the data; print it to see what every column was taken for.

    `data` is a DataFrame (pandas, polars, pyarrow, DuckDB, anything with ``__arrow_c_stream__``), a dict of columns, a
    2-D array, a scipy sparse matrix of counts, a list of documents, ``medley.triplets(...)``, a dict of any of these
    (blocks of the same rows), or the path of a file. The options are listed by ``medley.options("read")``.
    """
    return as_dataset(data, reading)


def read(path: Any, **reading: Any) -> Dataset:
    """Reads a file, several ([path, path], {name: path}) or a folder of documents, as the command line does."""
    if not _intake.is_path(path) and not (isinstance(path, (list, tuple)) and path):
        raise wrong("path", f"{type(path).__name__} is no path", "medley.dataset takes data in memory")
    core = _core.read(paths_of(path), read_options(reading))
    _warn(core, 2)
    return Dataset(core)


def schema(data: Any, **reading: Any) -> Schema:
    """What the columns would be taken for; nothing is encoded."""
    if isinstance(data, Dataset):
        return data.schema
    if _intake.is_path(data):
        return Schema(_core.infer_schema_of_files(paths_of(data), read_options(reading)))
    taken, options = take(data, reading)
    return Schema(_core.infer_schema(taken.sources, options))


def triplets(data: Any, *, row: str, item: str, value: str | None = None) -> Triplets:
    """A log of (row, item, value), such as users, movies and stars: an absent pair is missing, never zero."""
    for name, argument in ((row, "row"), (item, "item"), (value, "value")):
        if name is not None and not isinstance(name, str):
            raise wrong(argument, f"{name!r} is no column name", "give a str")
    return Triplets(data, row, item, value)


dataset.__doc__ = documented(dataset.__doc__, read_fields(), "Options of reading")
