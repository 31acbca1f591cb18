# SPDX-License-Identifier: Apache-2.0
"""Options by name: they come from the library's tables, but for those of reading that Python has in a form of its own."""
from __future__ import annotations

import difflib
import functools
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _core
from ._errors import InputError, Problem, in_python, wrong

#: What Python takes in a form of its own, or alone; the rest of reading is in the library's table.
_OWN_FORMS = {
    "schema": "what the columns are: a Schema, or the path of a TOML file",
    "columns": "take columns for a family (or for text, tags, set; year, month, weekday): {name: family}",
    "text": "names of columns of running text",
    "names": "names of the columns of a 2-D array",
    "vocabulary": "words of the columns of a sparse matrix; or a number: keep so many words or tags",
    "vocab": "a file with the words, one per line; or {source: file}",
    "block_weight": "{block: factor of its cells' weights}; scores are then tempered",
    "tie": "{feature: columns that are repeated observations of it}; {\"*\": [\"*_1\", \"*_2\"]} ties all named so",
    "ignore": "columns to leave out",
    "keep": "columns to set aside: not features, but there for groups",
    "na": "more ways to write a missing value",
    "format": "of files: csv, ldac, triplets ...; or {source: format}",
    "stop_words": "leave out words: a language, a file, several of these, auto (the recognised language) or none",
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


@functools.lru_cache(maxsize=1)
def read_fields() -> dict[str, Option]:
    """The options of reading, by name."""
    out = {name: Option(name, "Data", "", "", text, "") for name, text in _OWN_FORMS.items()}
    for f in _core.read_option_fields():
        if f.name == "column":  # columns= here
            continue
        own = out.get(f.name)
        out[f.name] = Option(f.name, f.group, "" if own else f.type, f.default_text, own.help if own else in_python(f.help),
                             "" if own else f.range)
    return out


def documented(text: str | None, fields: Mapping[str, Option], title: str) -> str | None:
    """A docstring with the options below it."""
    if text is None:  # python -OO
        return None
    lines = [text.rstrip(), "", f"    {title}:"]
    for f in fields.values():
        default = f" (default: {f.default_text})" if f.default_text else ""
        lines.append(f"        {f.name}: {' '.join(f.help.split())}{default}")
    return "\n".join(lines) + "\n"


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
    if not isinstance(value, Iterable):
        raise wrong(where, f"{value!r} is no text", "give a str, or a list of them")
    out = list(value)
    for entry in out:
        if not isinstance(entry, str):
            raise wrong(where, f"{entry!r} is no text", "give names as str")
    return out


def _as_dict(value: Any, where: str, form: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise wrong(where, f"{value!r} is no dict", f"give {form}")
    return {str(name): part for name, part in value.items()}


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
    known = read_fields()
    refuse_unknown(options, [*fields, *known])
    reading = {name: value for name, value in options.items() if name in known}
    return reading, {name: value for name, value in options.items() if name not in known}


def fit_options(options: Mapping[str, Any]) -> _core.FitOptions:
    """Fit options from keywords; None leaves the default."""
    out = _core.FitOptions()
    refuse_unknown(options, fit_option_names())
    for name, value in options.items():
        if value is not None:
            out.set(name, as_text(value))
    return out


def read_options(given: Mapping[str, Any], model_schema: _core.Schema | None = None) -> _core.ReadOptions:
    """Read options from keywords. What concerns arrays only (names, vocabulary as words) is for _data."""
    refuse_unknown(given, list(read_fields()))
    o = {name: value for name, value in given.items() if value is not None}
    out = _core.ReadOptions()
    if model_schema is not None:
        out.set_schema(model_schema)
    elif "schema" in o:
        out.set_schema(schema_of(o["schema"]))
    if model_schema is None:
        _set_columns(o, out)
    if "weights" in o and "weight" not in o:
        raise wrong("weights", "says what kind of weights, but no column is named", 'add weight="COLUMN"')
    out.ignore = as_list(o.get("ignore"), "ignore")
    out.keep = as_list(o.get("keep"), "keep")
    na = o.get("na", [])
    out.na = [as_text(n) for n in ([na] if isinstance(na, (str, int, float)) else na)]
    lists = as_list(o.get("stop_words"), "stop_words")
    for name in sorted(lists, key=lambda name: name == "auto"):  # "auto" holds beside others if it comes last
        out.set("stop_words", name)
    _set_files(o, out)
    if isinstance(o.get("vocabulary"), (int, float)):
        out.set("vocabulary", as_text(o["vocabulary"]))
    for name, value in o.items():
        if name not in _OWN_FORMS:
            out.set(name, as_text(value))
    return out


def _set_columns(o: Mapping[str, Any], out: _core.ReadOptions) -> None:
    """What columns and blocks are; a model's schema says so by itself."""
    family = _as_dict(o.get("columns", {}), "columns", '{"age": "gaussian"}')
    for name in as_list(o.get("text"), "text"):
        family.setdefault(name, "text")
    out.family = {name: str(kind) for name, kind in family.items()}
    for name, factor in _as_dict(o.get("block_weight", {}), "block_weight", '{"words": 0.5}').items():
        out.set("block_weight", f"{name}={as_text(factor)}")
    for name, columns in _as_dict(o.get("tie", {}), "tie", '{"age": ["age_1", "age_2"]}').items():
        tied = as_list(columns, "tie")
        if len(tied) < 2:
            raise wrong("tie", f'"{name}" ties a single column', "name two or more")
        out.add_tie(name, tied)


def _set_files(o: Mapping[str, Any], out: _core.ReadOptions) -> None:
    formats = o.get("format")
    if isinstance(formats, Mapping):
        for source, name in formats.items():
            out.set("format", f"{source}={name}")
    elif formats is not None:
        out.set("format", as_text(formats))
    vocab = o.get("vocab")
    try:
        if isinstance(vocab, Mapping):
            out.vocabulary = {str(k): os.fspath(v) for k, v in vocab.items()}
        elif vocab is not None:
            out.vocabulary = {"": os.fspath(vocab)}
    except TypeError:
        raise wrong("vocab", f"{vocab!r} is no path", "vocabulary= takes words themselves") from None


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


def thread_count(threads: int | None) -> int:
    """How many threads the core is told; 0: as many as there are processors for us."""
    return 0 if threads is None else whole(threads, "threads", 1)


def one_of(value: Any, where: str, allowed: Sequence[str]) -> str:
    """The value, if it is one of the words."""
    if value not in allowed:
        raise wrong(where, f"{value!r} is none of {', '.join(allowed)}", f"say {where}={allowed[0]!r}")
    return str(value)


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
