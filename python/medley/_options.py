# SPDX-License-Identifier: Apache-2.0
"""Options by name: those of a fit come from the library's option table, those of reading are listed here."""
from __future__ import annotations

import difflib
import functools
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _core
from ._errors import InputError, Problem, wrong

#: How data are read: name -> help. The names are the command line's, with _ for -.
READ_OPTIONS: dict[str, str] = {
    "schema": "what the columns are: a Schema, or the path of a TOML file",
    "columns": "take columns for a family (or for text, tags, set; year, month, weekday): {name: family}",
    "text": "names of columns of running text",
    "names": "names of the columns of a 2-D array",
    "vocabulary": "words of the columns of a sparse matrix; or a number: keep so many words or tags",
    "vocab": "a file with the words, one per line; or {source: file}",
    "id": "the column that names the rows",
    "label": "a column with a class that is set aside, not a feature",
    "weight": "the column with the weight of each row",
    "weights": '"sampling" (default) or "frequency"',
    "ignore": "columns to leave out",
    "keep": "columns to set aside: not features, but there for groups",
    "na": "more ways to write a missing value",
    "missing": '"category": a missing cell is an answer of its own',
    "block_weight": "{block: factor of its cells' weights}",
    "standardise": "show numbers in standard deviations",
    "tie": "{feature: columns that are repeated observations of it}",
    "pool_levels": "triplets: one list of levels for all items",
    "duplicates": '"error" (default), "last" or "replicate": a repeated pair of triplets',
    "split": "what separates tags or options in a cell",
    "keep_case": "The and the are different words",
    "stem": 'a language such as "english": words by their stems',
    "stop_words": 'a language, a file, several of these, "auto" (default) or "none"',
    "min_count": "leave out words and tags in fewer rows",
    "max_share": "leave out words and tags in a larger share of the rows",
    "format": "of files: csv, ldac, triplets ...; or {source: format}",
    "decimal": 'of files: "auto", "point" or "comma"',
    "encoding": 'of files: "utf-8", "latin-1" ...',
}


class Option(NamedTuple):
    """What is to be said of an option."""

    name: str
    group: str
    type: str
    default_text: str
    help: str
    range: str


@functools.lru_cache(maxsize=1)
def fit_fields() -> dict[str, Option]:
    """The options of a fit, by name."""
    return {f.name: Option(f.name, f.group, f.type, f.default_text, f.help, f.range)
            for f in _core.fit_option_fields()}


def fit_option_names() -> list[str]:
    """Names of everything that can be said of a fit."""
    return list(fit_fields())


def as_text(value: Any) -> str:
    """A value as the option table takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(as_text(v) for v in value)
    if isinstance(value, float):
        return repr(value)
    return str(value)


def as_list(value: Any, where: str) -> list[str]:
    """One text, or several."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    out = list(value)
    for entry in out:
        if not isinstance(entry, str):
            raise wrong(where, f"{entry!r} is no text", "give names as str")
    return out


def refuse_unknown(names: Iterable[str], known: Sequence[str]) -> None:
    """InputError with the nearest name for every name that is not known."""
    problems = []
    for name in names:
        if name in known:
            continue
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        problems.append(Problem(name, "is no option", f"did you mean {near[0]}?" if near else
                                "medley.options() lists them"))
    if problems:
        raise InputError(problems)


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of reading, and of the fit."""
    fields = fit_fields()
    refuse_unknown(options, [*fields, *READ_OPTIONS])
    reading = {name: value for name, value in options.items() if name in READ_OPTIONS}
    return reading, {name: value for name, value in options.items() if name not in READ_OPTIONS}


def fit_options(options: Mapping[str, Any]) -> _core.FitOptions:
    """Fit options from keywords; None leaves the default."""
    out = _core.FitOptions()
    refuse_unknown(options, fit_option_names())
    for name, value in options.items():
        if value is not None:
            out.set(name, as_text(value))
    return out


def _choice(value: Any, where: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise wrong(where, f"{value!r} is none of {', '.join(allowed)}", f"say {where}={allowed[0]!r}")
    return str(value)


def read_options(given: Mapping[str, Any], model_schema: _core.Schema | None = None) -> _core.ReadOptions:
    """Read options from keywords. What concerns arrays only (names, vocabulary as words) is for _data."""
    refuse_unknown(given, list(READ_OPTIONS))
    o = {name: value for name, value in given.items() if value is not None}
    out = _core.ReadOptions()
    if model_schema is not None:
        out.set_schema(model_schema)
    elif "schema" in o:
        out.set_schema(schema_of(o["schema"]))
    family = dict(o.get("columns", {}))
    if model_schema is None:
        for name in as_list(o.get("text"), "text"):
            family.setdefault(name, "text")
        out.family = {str(k): str(v) for k, v in family.items()}
        out.block_weight = {str(k): float(v) for k, v in dict(o.get("block_weight", {})).items()}
        for name, columns in dict(o.get("tie", {})).items():
            out.add_tie(str(name), as_list(columns, "tie"))
    out.id = str(o.get("id", ""))
    out.label = str(o.get("label", ""))
    out.weight = str(o.get("weight", ""))
    out.ignore = as_list(o.get("ignore"), "ignore")
    out.keep = as_list(o.get("keep"), "keep")
    out.na = as_list(o.get("na"), "na")
    if "weights" in o:
        out.frequency_weights = _choice(o["weights"], "weights", ["sampling", "frequency"]) == "frequency"
        if not out.weight:
            raise wrong("weights", "says what kind of weights, but no column is named", 'add weight="COLUMN"')
    if "missing" in o:
        out.missing_as_category = _choice(o["missing"], "missing", ["category"]) == "category"
    out.standardise = bool(o.get("standardise", False))
    out.pool_levels = bool(o.get("pool_levels", False))
    if "duplicates" in o:
        out.set("duplicates", str(o["duplicates"]))
    if "decimal" in o:
        out.set("decimal", str(o["decimal"]))
    out.encoding = str(o.get("encoding", ""))
    formats = o.get("format")
    if isinstance(formats, Mapping):
        for source, name in formats.items():
            out.set("format", f"{source}={name}")
    elif formats is not None:
        out.set("format", str(formats))
    _set_word_options(o, out)
    return out


def _set_word_options(o: Mapping[str, Any], out: _core.ReadOptions) -> None:
    out.split = str(o.get("split", ""))
    out.fold_case = not o.get("keep_case", False)
    out.stem = str(o.get("stem", ""))
    lists = as_list(o.get("stop_words"), "stop_words")
    out.recognise_language = not lists or "auto" in lists
    out.stop_words = [name for name in lists if name not in ("auto", "none")]
    if "min_count" in o:
        out.min_count = _whole(o["min_count"], "min_count", 1)
    if "max_share" in o:
        out.max_share = float(o["max_share"])
    if isinstance(o.get("vocabulary"), int):
        out.most_words = _whole(o["vocabulary"], "vocabulary", 1)
    vocab = o.get("vocab")
    if isinstance(vocab, Mapping):
        out.vocabulary = {str(k): os.fspath(v) for k, v in vocab.items()}
    elif vocab is not None:
        out.vocabulary = {"": os.fspath(vocab)}


def _whole(value: Any, where: str, least: int) -> int:
    if isinstance(value, bool) or int(value) != value or value < least:
        raise wrong(where, f"{value!r} is no whole number from {least} on", f"say {where}={least}")
    return int(value)


def whole(value: Any, where: str, least: int = 0) -> int:
    """A whole number of at least `least`, or an InputError that names the argument."""
    try:
        return _whole(value, where, least)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise wrong(where, f"{value!r} is no whole number", f"say {where}={max(least, 1)}") from None


def schema_of(given: Any) -> _core.Schema:
    """A Schema, or one from the path of a TOML file."""
    from ._data import Schema

    if isinstance(given, Schema):
        return given._core
    if isinstance(given, _core.Schema):
        return given
    if not isinstance(given, (str, os.PathLike)):
        raise wrong("schema", f"{type(given).__name__} is no schema", "medley.schema(data) makes one")
    path = os.fspath(given)
    try:
        with open(path, encoding="utf-8") as file:
            return _core.Schema.from_toml(file.read(), str(path))
    except OSError as error:
        raise wrong("schema", f"{path}: {error.strerror}", "medley.schema(data).save(path) writes one") from None
