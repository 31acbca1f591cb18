# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions and warnings that a program can act on."""
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

# The library names options as `k`, `k=3`, `inference="exact"` and functions as `fit()`; sentences in models that were saved
# by earlier versions have the flags of the command line.
_CALLED = {"column": "columns", "row": "rows", "min_ratings": "min_ratings"}
_COMMANDS = {"schema": "medley.schema", "fit": "medley.fit", "select": "medley.select", "models": "medley.models()",
             "convert": "medley.stream", "read": "medley.read", "inspect": "model.describe()", "name": "model.rename",
             "simulate": "medley.simulate", "compare": "medley.compare"}
_FUNCTIONS = {"infer_schema": "schema", "presets": "models", "list_families": "models", "list_memberships": "models"}
# Options whose value is a word.
_WORDED = ("membership", "model", "inference", "init", "estimate", "objective", "missing", "weights", "stop-words", "stem",
           "decimal", "duplicates", "format", "label-bound", "head", "alpha", "smoothing", "na", "encoding")
_PLACES = {"MODEL": "model", "PRESET": "model", "DATA": "data"}


def _keyword(flag: str) -> str:
    name = flag.replace("-", "_")
    return _CALLED.get(name, name)


def _setting(name: str, value: str | None) -> str:
    pair = re.fullmatch(r'"([^=]+)=([^=]+)"', value or "")
    if name == "column" and pair:
        left = pair[1] if pair[1] == "NAME" else f'"{pair[1]}"'
        right = pair[2] if pair[2].isupper() else f'"{pair[2]}"'
        return f"columns={{{left}: {right}}}"
    return f"{_keyword(name)}={value or ''}"


def in_python(text: str) -> str:
    """A sentence about options and commands in the names that Python has for them."""
    text = re.sub(r"`([a-z_]+)\([^`]*\)`", lambda m: f"`medley {_FUNCTIONS.get(m[1], m[1])}`", text)
    text = re.sub(r"`([a-z][a-z0-9_]*)(?:=([^`]*))?`", lambda m: _setting(m[1], m[2]), text)
    text = re.sub(r"`medley ([a-z]+)([^`]*)`", lambda m: f"`{_COMMANDS.get(m[1], 'model.' + m[1])}`", text)
    text = re.sub(r"--column NAME=([A-Za-z]+)", r"columns={NAME: \1}", text)
    text = re.sub(r'--column (\S+)=([a-z]+)', r'columns={"\1": "\2"}', text)
    text = re.sub(r"--([a-z][a-z0-9-]*) ([0-9][0-9.e-]*[0-9]|[0-9]|[A-Z][A-Z_]*)\b", lambda m: f"{_keyword(m[1])}={m[2]}",
                  text)
    text = re.sub(rf"--({'|'.join(_WORDED)}) ([a-z][a-z0-9-]*)", lambda m: f'{_keyword(m[1])}="{m[2]}"', text)
    return re.sub(r"--([a-z][a-z0-9-]*)", lambda m: f"{_keyword(m[1])}=", text)


def _place(where: str) -> str:
    """What a problem is about, as an argument: --init noise is init="noise"."""
    if re.fullmatch(r"`[a-z][a-z0-9_]*`", where):
        return _keyword(where.strip("`"))
    if where.startswith("`"):
        return in_python(where)
    found = re.fullmatch(r"--([a-z][a-z0-9-]*)(?:[ =](.+))?", where)
    if found is None:
        return _PLACES.get(where, in_python(where))
    name = _keyword(found[1])
    if found[2] is None:
        return name
    pair = re.fullmatch(r"([^=]+)=(.+)", found[2])
    return f'{name}={{"{pair[1]}": "{pair[2]}"}}' if pair else f'{name}="{found[2]}"'


class Problem(NamedTuple):
    """One thing wrong with what was given."""

    where: str  #: the argument, or file:line and column; may be empty
    what: str  #: what was found and what was expected
    remedy: str  #: what to do about it; may be empty
    count: int = 1  # type: ignore[assignment]  #: so many of this kind, told as one

    def text(self) -> str:
        """``where: what (remedy)``, without the empty parts."""
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head} ({self.remedy})" if self.remedy else head


def _spoken(p: Problem) -> Problem:
    return Problem(_place(p.where), in_python(p.what), in_python(p.remedy), p.count)


class InputError(ValueError):
    """What was given is wrong: data, a column, an option. ``problems`` lists everything found."""

    problems: list[Problem]
    total: int

    def __init__(self, problems: Iterable[Any] = (), total: int = 0) -> None:
        self.problems = [p if isinstance(p, Problem) else _spoken(Problem(*p)) for p in problems]
        self.total = max(total, len(self.problems))
        more = self.total - sum(p.count for p in self.problems)
        lines = [p.text() for p in self.problems]
        if more > 0:
            lines.append(f"... and {more} more")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), ([tuple(p) for p in self.problems], self.total))


class RunError(RuntimeError):
    """Something failed while running: a file could not be written, memory ran out."""


class DataWarning(UserWarning):
    """Something about the data that is worth a look: dropped columns, unseen levels."""


class ConvergenceWarning(UserWarning):
    """A fit that ended early, or came out degenerate."""


def wrong(where: str, what: str, remedy: str = "") -> InputError:
    """An InputError of one problem."""
    return InputError([Problem(where, what, remedy)])
