# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions and warnings that a program can act on."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One thing wrong with what was given."""

    where: str  #: the argument, or file:line and column; may be empty
    what: str  #: what was found and what was expected
    remedy: str  #: what to do about it; may be empty
    count: int = 1  #: so many of this kind, told as one

    def text(self) -> str:
        """``where: what (remedy)``, without the empty parts."""
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head} ({self.remedy})" if self.remedy else head


class InputError(ValueError):
    """What was given is wrong: data, a column, an option. ``problems`` lists everything found."""

    problems: list[Problem]
    total: int

    def __init__(self, problems: Iterable[Any] = (), total: int = 0) -> None:
        self.problems = [p if isinstance(p, Problem) else Problem(*p) for p in problems]
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
