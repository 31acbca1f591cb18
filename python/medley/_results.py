# SPDX-License-Identifier: Apache-2.0
"""What comes out of the calls: tables, and objects that print as the command line does."""
from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import in_python
from ._frames import Frame, frame

if TYPE_CHECKING:
    from ._data import Dataset
    from ._model import Model


def _pre(text: str) -> str:
    return f"<pre style='line-height:1.25'>{html.escape(text)}</pre>"


class Evaluation:
    """Scores of rows under a model."""

    def __init__(self, core: _core.Evaluation, rows: Dataset, names: Sequence[str]) -> None:
        self._core = core
        self._rows = rows
        self._names = list(names)

    @property
    def estimator(self) -> str:
        """How log-likelihoods were obtained."""
        return self._core.estimator

    @property
    def log_likelihood(self) -> float:
        """Sum over rows, natural logarithm."""
        return self._core.log_likelihood

    @property
    def standard_error(self) -> float:
        """Of the log-likelihood, from the spread over rows."""
        return self._core.standard_error

    @property
    def observations(self) -> float:
        """Observed cells or words, weighted."""
        return self._core.observations

    @property
    def above_baseline(self) -> float:
        """The headline: nats per observation above the marginals of the training data."""
        return self._core.above_baseline

    @property
    def above_error(self) -> float:
        """Its standard error."""
        return self._core.above_error

    @property
    def perplexity(self) -> float:
        """exp(-log-likelihood / observations)."""
        return self._core.perplexity

    @property
    def mean_entropy(self) -> float:
        """Of memberships, nats."""
        return self._core.mean_entropy

    @property
    def blocks(self) -> list[_core.BlockScore]:
        """The blocks on their own, if there are several."""
        return self._core.block

    @property
    def truth(self) -> list[_core.TruthScores]:
        """Agreement of clusters with known columns."""
        return self._core.truth

    @property
    def label(self) -> _core.LabelScores | None:
        """How well classes are predicted, by a model with a label."""
        return self._core.label

    @property
    def per_row(self) -> Frame:
        """A line for every row: observations, log_likelihood, baseline, entropy, the largest component and its share."""
        found = dict(self._core.per_row())
        top = found.pop("top")
        found["top"] = [self._names[k] for k in top]
        return frame(self._rows._out_kind(), found, self._rows._out_index())

    def __repr__(self) -> str:
        return in_python(self._core.describe())

    def _repr_html_(self) -> str:
        return _pre(repr(self))


class Holdout:
    """How well hidden cells are predicted from the rest of their rows."""

    def __init__(self, scores: Sequence[_core.CellScores], kind: str) -> None:
        self.scores = list(scores)
        self._kind = kind

    @property
    def table(self) -> Frame:
        """All hidden cells first, then each block."""
        names = ["what", "cells", "log_loss", "baseline_log_loss", "gain_error", "accuracy", "baseline_accuracy",
                 "rmse", "baseline_rmse"]
        return frame(self._kind, {n: [getattr(s, n) for s in self.scores] for n in names})

    @property
    def log_loss(self) -> float:
        """Of all hidden cells, nats."""
        return self.scores[0].log_loss

    @property
    def accuracy(self) -> float:
        """Share of hidden answers that were the likeliest level."""
        return self.scores[0].accuracy

    def __repr__(self) -> str:
        return repr(self.table)


class CrossValidation:
    """Scores over folds, train beside test."""

    def __init__(self, core: _core.CrossValidation, rows: Dataset) -> None:
        self._core = core
        self._rows = rows

    @property
    def table(self) -> Frame:
        """A line for each fold and side."""
        lines: list[dict[str, Any]] = []
        for number, (train, test, converged) in enumerate(self._core.folds, 1):
            for side, scores in (("train", train), ("test", test)):
                lines.append({"fold": number, "side": side, "converged": converged, **scores})
        names = list(lines[0]) if lines else []
        return frame(self._rows._out_kind(), {n: [line[n] for line in lines] for n in names})

    @property
    def per_row(self) -> Frame:
        """What the model that has not seen a row says of it (each_row=True)."""
        found = dict(self._core.per_row())
        found.pop("probability")
        return frame(self._rows._out_kind(), found, self._rows._out_index())

    def mean(self, score: str, side: str = "test") -> float:
        """The mean of a score over the folds."""
        place = 1 if side == "test" else 0
        return float(np.mean([fold[place][score] for fold in self._core.folds]))

    def __repr__(self) -> str:
        return in_python(self._core.describe())

    def _repr_html_(self) -> str:
        return _pre(repr(self))


class Bootstrap:
    """Intervals from refits."""

    def __init__(self, core: _core.Bootstrap, model: Model, kind: str) -> None:
        self._core = core
        self._model = model
        self._kind = kind

    @property
    def table(self) -> Frame:
        """A line for every estimate: profile, quantity, block, feature, level, value, standard_error, low, high."""
        found = self._core.estimates(self._model._core)
        names = ["profile", "quantity", "block", "feature", "level", "value", "standard_error", "low", "high"]
        columns = {name: [row[i] for row in found] for i, name in enumerate(names)}
        columns["profile"] = [self._model.names[k] for k in columns["profile"]]
        return frame(self._kind, columns)

    @property
    def replicates(self) -> int:
        """Refits that the intervals come from."""
        return self._core.replicates

    def __repr__(self) -> str:
        return in_python(self._core.describe(self._model._core))

    def _repr_html_(self) -> str:
        return _pre(repr(self))


class Diagnosis:
    """What is wrong with a fit, in sentences."""

    def __init__(self, core: _core.Diagnosis, kind: str) -> None:
        self._core = core
        self._kind = kind

    @property
    def sound(self) -> bool:
        """Whether there is nothing to worry about."""
        return self._core.sound

    @property
    def mixed(self) -> bool:
        """Whether the chains of a sampled model have mixed."""
        return self._core.mixed

    @property
    def findings(self) -> list[str]:
        """What was found."""
        return [in_python(t) for t in self._core.finding]

    @property
    def suggestions(self) -> list[str]:
        """What to do."""
        return [in_python(t) for t in self._core.suggestion]

    @property
    def table(self) -> Frame:
        """Numbers followed through the chains: R-hat, effective draws, mean and interval."""
        lines = [*self._core.quantity, *self._core.parameter]
        names = ["name", "mean", "sd", "low", "high", "rhat", "ess_bulk", "ess_tail", "mcse"]
        return frame(self._kind, {n: [line[n] for line in lines] for n in names})

    def __repr__(self) -> str:
        return in_python(self._core.describe())

    def _repr_html_(self) -> str:
        return _pre(repr(self))


class Quality:
    """Coherence of topics, and how far profiles are apart."""

    def __init__(self, found: Mapping[str, Any], names: Sequence[str], kind: str) -> None:
        self.effective_profiles: float = found["effective_profiles"]
        self.profiles_per_row: float = found["profiles_per_row"]
        self._found = found
        self._names = list(names)
        self._kind = kind

    @property
    def profiles(self) -> Frame:
        """Size, nearest other profile and its distance."""
        lines = self._found["profiles"]
        return frame(self._kind, {
            "profile": self._names, "size": [p["size"] for p in lines],
            "top_of_rows": [p["top_of_rows"] for p in lines],
            "nearest": [self._names[p["nearest"]] for p in lines], "distance": [p["distance"] for p in lines]})

    @property
    def topics(self) -> Frame:
        """UMass and NPMI coherence and exclusivity of every topic."""
        columns: dict[str, list[Any]] = {n: [] for n in ("block", "topic", "npmi", "umass", "exclusivity", "words")}
        for table in self._found["topics"]:
            for k, topic in enumerate(table["topics"]):
                columns["block"].append(table["block"])
                columns["topic"].append(self._names[k])
                columns["words"].append(" ".join(topic["words"]))
                for name in ("npmi", "umass", "exclusivity"):
                    columns[name].append(topic[name])
        return frame(self._kind, columns)

    def __repr__(self) -> str:
        return str(self._found["text"])

    def _repr_html_(self) -> str:
        return _pre(repr(self))


class Comparison:
    """Which component of one model is which of another, and where they differ."""

    def __init__(self, found: Mapping[str, Any], names_a: Sequence[str], names_b: Sequence[str], kind: str) -> None:
        self.distance: float = found["distance"]
        self.left_out: list[str] = found["left_out"]
        self.overlap: float | None = found.get("overlap")
        self.same_top: float | None = found.get("same_top")
        self._found = found
        self._a, self._b = list(names_a), list(names_b)
        self._kind = kind

    @property
    def pairs(self) -> Frame:
        """A line per pair: its components, their distance, the feature that differs most."""
        lines = self._found["pairs"]
        largest = [p["largest"][0] if p["largest"] else ("", "", np.nan, np.nan, np.nan) for p in lines]
        return frame(self._kind, {
            "a": [self._a[p["a"]] for p in lines], "b": [self._b[p["b"]] for p in lines],
            "distance": [p["distance"] for p in lines], "feature": [f[0] for f in largest],
            "level": [f[1] for f in largest], "in_a": [f[2] for f in largest], "in_b": [f[3] for f in largest]})

    def __repr__(self) -> str:
        return str(self._found["text"])

    def _repr_html_(self) -> str:
        return _pre(repr(self))


# ---- tables of lists that the core gives ----

def explanations(rows: Dataset, found: Sequence[Any], names: Sequence[str]) -> Frame:
    """A line for every driver of every row."""
    columns: dict[str, list[Any]] = {n: [] for n in ("row", "class", "probability", "kind", "what", "level", "effect",
                                                     "words")}
    ids = rows.ids

    def add(i: int, row: Any, kind: str, what: str, level: str, effect: float, words: str) -> None:
        for name, value in zip(columns, (ids[i], row[0], row[1], kind, what, level, effect, words)):
            columns[name].append(value)

    for i, row in enumerate(found):
        for component, _, _, effect, words in row[3]:
            add(i, row, "profile", names[component], "", effect, words)
        for feature, level, _, _, effect, _, words in row[4]:
            add(i, row, "cell", feature, level, effect, words)
    return frame(rows._out_kind(), columns)


def groups(rows: Dataset, found: Mapping[str, Any], names: Sequence[str]) -> Frame:
    """A line for every group and profile."""
    columns: dict[str, list[Any]] = {n: [] for n in (
        found["by"], "rows", "profile", "mean", "standard_error", "low", "high", "difference", "difference_low",
        "difference_high")}
    for group in [found["all"], *found["groups"]]:
        label = group["group"] if group is not found["all"] else "(all)"
        for k, mean in enumerate(group["mean"]):
            difference = group["difference"][k] if group["difference"] else (np.nan,) * 4
            values = (label, group["rows"], names[k], *mean, difference[0], difference[2], difference[3])
            for name, value in zip(columns, values):
                columns[name].append(value)
    return frame(rows._out_kind(), columns)


def similar(rows: Dataset, found: Sequence[Any], names: Sequence[str]) -> Frame:
    """A line for every neighbour."""
    row, rank, neighbour, similarity, shared, _ = found
    ids = rows.ids
    return frame(rows._out_kind(), {
        "row": [ids[i] for i in row], "rank": rank, "neighbour": [ids[i] for i in neighbour],
        "similarity": similarity, "shared": [names[k] if k >= 0 else "" for k in shared]})


def recommendations(rows: Dataset, found: Mapping[str, Any]) -> Frame:
    """A line for every item."""
    ids = rows.ids
    columns = dict(found)
    columns["row"] = [ids[i] for i in columns["row"]]
    return frame(rows._out_kind(), columns)
