# SPDX-License-Identifier: Apache-2.0
"""A fitted model: what it says of its profiles and of rows."""
from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _core, _impute, _results
from ._data import Dataset, Schema, as_dataset
from ._errors import InputError, wrong
from ._frames import Frame, default_kind, frame, matrix_frame
from ._options import one_of, thread_count, whole
from ._progress import Callback, Progress, watching
from ._tables import Tables

if TYPE_CHECKING:
    from ._plot import Plots
    from ._report import Report

Array = np.ndarray[Any, Any]


class Model:
    """A fitted model. It never changes; ``rename`` and ``update`` give new ones. Pickles as the bytes of its file."""

    def __init__(self, core: _core.Model, kind: str | None = None) -> None:
        self._core = core
        self._kind = kind
        self._tables_: Tables | None = None

    # ---- what it is ----

    @property
    def k(self) -> int:
        """The number of components: profiles or topics."""
        return self._core.components

    @property
    def names(self) -> list[str]:
        """What the components are called: the given names, or Profile 1 / Topic 1 ..."""
        return self._core.titles

    @property
    def sizes(self) -> Array:
        """The share of all memberships that each component holds, largest first."""
        return self._core.sizes

    @property
    def prior(self) -> Array:
        """The parameter of the prior of memberships: alpha, pi or scale (``prior_name``)."""
        return self._core.prior

    @property
    def prior_name(self) -> str:
        """What ``prior`` is."""
        return self._core.prior_name

    @property
    def preset(self) -> str:
        """The model's name, such as "gom"."""
        return self._core.preset

    @property
    def membership(self) -> str:
        """mixed, single, infinite, gamma or correlated."""
        return self._core.membership

    @property
    def inference(self) -> str:
        """How it was learnt."""
        return self._core.inference

    @property
    def schema(self) -> Schema:
        """What every column is; new rows are read by it."""
        return Schema(self._core.schema)

    @property
    def summary(self) -> _core.FitSummary:
        """How the fit went: bound, iterations, convergence, warnings."""
        return self._core.summary

    @property
    def draws(self) -> int:
        """Chains of a sampled model, else 0."""
        return self._core.chains

    # ---- what it says ----

    def _tables(self) -> Tables:
        if self._tables_ is None:
            self._tables_ = Tables(self._core)
        return self._tables_

    def _out(self) -> str:
        return self._kind or default_kind()

    def profiles(self, top: int | None = None, *, long: bool = True) -> Frame:
        """Every profile's answers as a table: block, feature, level, profile, probability, population, lift; numbers
        have mean and sd. `top`: only so many of each profile, those that differ most from the population.
        ``long=False``: a line per level and a column per profile."""
        rows = list(csv.reader(io.StringIO(self._core.inspect("csv"))))
        names = rows[0]
        texts = list(zip(*rows[1:])) if len(rows) > 1 else [()] * len(names)
        found: dict[str, Any] = {}
        for name, cells in zip(names, texts):
            if name in ("block", "feature", "level"):
                found[name] = list(cells)
            elif name == "component":
                found["profile"] = [self.names[int(c) - 1] for c in cells]
                found["_k"] = np.array([int(c) for c in cells])
            else:
                found[name] = np.array([float(c) if c else np.nan for c in cells])
        order = ["block", "feature", "level", "profile", "probability", "population", "lift", "mean", "sd",
                 "population_mean", "population_sd", "low", "high"]
        out = {name: found[name] for name in order if name in found}
        out = {name: cells for name, cells in out.items() if isinstance(cells, list) or not np.isnan(cells).all()}
        if top is not None:
            chosen = self._most_telling(found, whole(top, "top", 1))
            out = {name: [cells[i] for i in chosen] if isinstance(cells, list) else cells[chosen]
                   for name, cells in out.items()}
        if not long:
            return self._wide(out)
        return frame(self._out(), out)

    def _most_telling(self, found: Mapping[str, Any], top: int) -> Array:
        distance = np.abs(found["probability"] - found["population"])
        with np.errstate(invalid="ignore", divide="ignore"):
            numbers = np.abs(found["mean"] - found["population_mean"]) / found["population_sd"]
        tables = self._tables()
        known: dict[tuple[str, str, str], float] = {}
        for b, block in enumerate(tables.blocks):
            if block["encoding"] == "levels":
                known.update(zip(((block["name"], *slot) for slot in tables.slots(b)), tables.evidence(b)))
        distance *= [known.get(key, 1.0) for key in zip(found["block"], found["feature"], found["level"])]
        distance = np.where(np.isnan(distance), np.tanh(np.nan_to_num(numbers)), distance)
        chosen = []
        for k in range(self.k):
            here = np.flatnonzero(found["_k"] == k + 1)
            chosen.append(here[np.argsort(-distance[here], kind="stable")[:top]])
        return np.concatenate(chosen) if chosen else np.array([], dtype=int)

    def _wide(self, long: Mapping[str, Any]) -> Frame:
        places: dict[tuple[Any, ...], int] = {}
        keys = list(zip(long["block"], long["feature"], long["level"]))
        for key in keys:
            places.setdefault(key, len(places))
        nothing = np.full(len(keys), np.nan)
        probability = long.get("probability", nothing)
        value = np.where(np.isnan(probability), long.get("mean", nothing), probability)
        cells = np.full((len(places), self.k), np.nan)
        names = self.names
        for key, profile, x in zip(keys, long["profile"], value):
            cells[places[key], names.index(profile)] = x
        out: dict[str, Any] = {what: [key[i] for key in places] for i, what in enumerate(("block", "feature", "level"))}
        for k, name in enumerate(names):
            out[name] = cells[:, k]
        return frame(self._out(), out)

    def table(self, block: str | int | None = None) -> Array:
        """The probabilities of a block, slots x K (words by topics, levels by profiles); a view that nobody may write.
        Of a block of numbers: its parameters as the model file holds them."""
        return self._tables().table(self._block(block))

    def _block(self, block: str | int | None) -> int:
        names = self._tables().block_names
        if block is None:
            if len(names) > 1:
                raise wrong("block", f"there are {len(names)} blocks", f"name one: {', '.join(names)}")
            return 0
        if isinstance(block, int) and 0 <= block < len(names):
            return block
        if block in names:
            return names.index(str(block))
        raise wrong("block", f"there is no block {block!r}", f"the blocks are {', '.join(names)}")

    def features(self, block: str | int | None = None) -> list[tuple[str, str]]:
        """(feature, level or word) of every row of ``table(block)``."""
        return self._tables().slots(self._block(block))

    def topics(self, top: int = 10) -> Frame:
        """The likeliest words of every topic, with their probability, lift over the corpus, and FREX (the harmonic mean
        of a word's ranks by frequency and by exclusivity)."""
        found = self._tables().topics(whole(top, "top", 1))
        if found is None:
            raise wrong("topics", "the model knows no words", "profiles() shows its tables")
        found["topic"] = [self.names[k] for k in found["topic"]]
        return frame(self._out(), found)

    # ---- rows ----

    def _read(self, data: Any, reading: Mapping[str, Any] | None = None, keep: Sequence[str | None] = (),
              kept_for: str = "keep") -> Dataset:
        try:
            return as_dataset(data, dict(reading or {}), self._core.schema, [k for k in keep if k], stacklevel=4)
        except InputError as error:  # columns that an argument named are kept for it
            raise InputError([p._replace(where=kept_for) if p.where == "keep" else p for p in error.problems],
                             error.total) from None

    def transform(self, data: Any, *, intervals: float | None = None, threads: int | None = None,
                  **reading: Any) -> Frame:
        """Each row's shares of the components, a column for each. `intervals=0.9` adds where each share lies with that
        probability."""
        rows = self._read(data, reading)
        shares, note = _core.transform(self._core, rows._core, thread_count(threads))
        names = self.names
        kind = rows._out_kind()
        if intervals is None:
            return matrix_frame(kind, names, shares, rows._out_index())
        level = _level(intervals, "intervals")
        low, high, _, _ = _core.membership_intervals(self._core, rows._core, level, thread_count(threads), 1)
        every = [n for name in names for n in (name, f"{name} low", f"{name} high")]
        return matrix_frame(kind, every, np.stack([shares, low, high], axis=2).reshape(len(shares), -1),
                            rows._out_index())

    def shares(self, data: Any, *, threads: int | None = None, **reading: Any) -> Array:
        """The same as an array, rows x K."""
        return _core.transform(self._core, self._read(data, reading)._core, thread_count(threads))[0]

    def _classes(self, data: Any, threads: int | None, reading: Mapping[str, Any]
                 ) -> tuple[Dataset, Array, list[str], str]:
        if not self._core.predicts_classes:
            raise wrong("model", "was fitted without a label, so it knows no classes",
                        "fit it with label=COLUMN; transform gives memberships")
        rows = self._read(data, reading)
        shares, classes, _, column = _core.predict_classes(self._core, rows._core, thread_count(threads))
        return rows, shares, classes, column

    def predict(self, data: Any, *, threads: int | None = None, **reading: Any) -> Frame:
        """The likeliest class of every row, of a model with a label: an array; with ids, in their order."""
        _, shares, classes, _ = self._classes(data, threads, reading)
        return np.asarray(classes, dtype=object)[shares.argmax(axis=1)]

    def predict_proba(self, data: Any, *, threads: int | None = None, **reading: Any) -> Frame:
        """The probability of every class, a column for each."""
        rows, shares, classes, _ = self._classes(data, threads, reading)
        return matrix_frame(rows._out_kind(), classes, shares, rows._out_index())

    def explain(self, data: Any, *, top: int = 3, threads: int | None = None, **reading: Any) -> Frame:
        """What spoke for the likeliest class of every row, or against it: profiles and cells, strongest first."""
        rows, _, _, _ = self._classes(data, threads, reading)
        found = _core.explain_classes(self._core, rows._core, whole(top, "top", 1), thread_count(threads))
        return _results.explanations(rows, found, self.names)

    def impute(self, data: Any, *, draws: int = 0, seed: int = 1, whole_numbers: bool = False,
               threads: int | None = None, **reading: Any) -> Any:
        """The table with every missing cell filled: the likeliest level, the mean, or for counts the median. The columns
        keep their types. `draws=20`: a list of so many tables, with cells drawn."""
        return _impute.filled(self, data, whole(draws, "draws"), seed, whole_numbers, thread_count(threads), reading)

    def missing_cells(self, data: Any, *, threads: int | None = None, **reading: Any) -> Frame:
        """Every missing cell's distribution, a line per level or number."""
        return _impute.distributions(self, self._read(data, reading), thread_count(threads))

    @overload
    def evaluate(self, data: Any, *, estimator: str = ..., truth: Any = ..., samples: int = ..., seed: int = ...,
                 match: str = ..., holdout_cells: None = ..., threads: int | None = ..., **reading: Any
                 ) -> _results.Evaluation: ...

    @overload
    def evaluate(self, data: Any, *, holdout_cells: float, seed: int = ..., threads: int | None = ..., **reading: Any
                 ) -> _results.Holdout: ...

    def evaluate(self, data: Any, *, estimator: str = "auto", truth: Any = None, samples: int = 0, seed: int = 1,
                 match: str = "majority", holdout_cells: float | None = None, threads: int | None = None,
                 **reading: Any) -> _results.Evaluation | _results.Holdout:
        """How well the model describes rows: nats per observation above the training marginals, perplexity, a score for
        every row. `truth`: columns to compare the clusters with. `holdout_cells=0.1` hides cells and predicts them."""
        columns = [truth] if isinstance(truth, str) else list(truth or [])
        rows = self._read(data, reading, columns, "truth")
        if holdout_cells is not None:
            return _results.Holdout(_core.holdout_cells(self._core, rows._core, _level(holdout_cells, "holdout_cells"), seed,
                                                        thread_count(threads)), rows._out_kind())
        options = _core.EvaluateOptions()
        options.estimator, options.samples, options.seed = estimator, whole(samples, "samples"), seed
        options.truth, options.threads = columns, thread_count(threads)
        options.set_match(one_of(match, "match", ("majority", "hungarian", "identity")))
        return _results.Evaluation(_core.evaluate(self._core, rows._core, options), rows, self.names)

    def groups(self, data: Any, by: str, *, strata: str | None = None, cluster: str | None = None, level: float = 0.95,
               threads: int | None = None, **reading: Any) -> Frame:
        """Mean memberships of groups of rows, with intervals and differences to all other rows."""
        rows = self._read(data, reading, [by, strata, cluster], "by, strata or cluster" if strata or cluster else "by")
        found = _core.group_means(self._core, rows._core, by, strata or "", cluster or "", _level(level, "level"),
                                  thread_count(threads))
        return _results.groups(rows, found, self.names)

    def similar(self, data: Any, rows: Any = None, *, top: int = 10, threads: int | None = None,
                **reading: Any) -> Frame:
        """The rows most alike to each of `rows`, which go by their ids."""
        found = self._read(data, reading)
        places = found._places(rows)
        return _results.similar(found, _core.similar(self._core, found._core, places, whole(top, "top", 1),
                                                     thread_count(threads)), self.names)

    def recommend(self, data: Any, rows: Any = None, *, top: int = 10, level: Any = None, min_ratings: float = 5,
                  source: str | None = None, threads: int | None = None, **reading: Any) -> Frame:
        """The best items that rows of a rating log have not seen, by mean rating or the probability of a level."""
        found = self._read(data, reading)
        places = found._places(rows)
        best = _core.recommend(self._core, found._core, places, source or "", whole(top, "top", 1),
                               "" if level is None else str(level), float(min_ratings), thread_count(threads))
        return _results.recommendations(found, best)

    def correlations(self, data: Any = None, *, threads: int | None = None, **reading: Any) -> Frame:
        """Which components occur together in rows beyond their sizes, K x K. Without data: of correlated membership."""
        rows = None if data is None else self._read(data, reading)
        matrix, _ = _core.correlations(self._core, None if rows is None else rows._core, thread_count(threads))
        kind = self._out() if rows is None else rows._out_kind()
        return matrix_frame(kind, self.names, matrix, ("component", self.names))

    def bootstrap(self, data: Any, *, replicates: int = 200, level: float = 0.95, by: Sequence[str] | str = (),
                  strata: str | None = None, cluster: str | None = None, seed: int = 1, threads: int | None = None,
                  progress: Progress = "auto", callback: Callback | None = None, **reading: Any) -> _results.Bootstrap:
        """Intervals of everything that the fit estimates, from refits to resampled rows."""
        options = _core.BootstrapOptions()
        options.replicates, options.level, options.seed = whole(replicates, "replicates", 1), _level(level, "level"), seed
        options.by = [by] if isinstance(by, str) else list(by)
        options.strata, options.cluster, options.threads = strata or "", cluster or "", thread_count(threads)
        rows = self._read(data, reading, [*options.by, strata, cluster], "by, strata or cluster")
        with watching(progress, callback) as watch:
            found = _core.bootstrap(self._core, rows._core, options, watch)
        return _results.Bootstrap(found, self, rows._out_kind())

    def diagnose(self, data: Any = None, *, threads: int | None = None, **reading: Any) -> _results.Diagnosis:
        """What is wrong with the fit, or with its chains, and what to do about it."""
        rows = None if data is None else self._read(data, reading)._core
        return _results.Diagnosis(_core.diagnose(self._core, rows, thread_count(threads)), self._out())

    def quality(self, data: Any, *, top: int = 10, threads: int | None = None, **reading: Any) -> _results.Quality:
        """Are topics coherent, and profiles different from each other?"""
        rows = self._read(data, reading)
        return _results.Quality(_core.quality(self._core, rows._core, whole(top, "top", 1), thread_count(threads)), self.names,
                                rows._out_kind())

    def absolute_fit(self, data: Any, *, seed: int = 1, threads: int | None = None, **reading: Any) -> str:
        """Could the data have come from this model at all, and where not: in words."""
        return _core.absolute_fit(self._core, self._read(data, reading)._core, seed, thread_count(threads))

    # ---- others from it ----

    def rename(self, names: Mapping[int, str] | Sequence[str]) -> Model:
        """A copy with other names: {1: "Liberal"} counts from 1, as everything that is shown does; or a list of all."""
        given = dict(enumerate(names, 1)) if not isinstance(names, Mapping) else dict(names)
        core = self._core
        for place, name in given.items():
            if isinstance(place, bool) or not isinstance(place, (int, np.integer)) or not 1 <= place <= self.k:
                raise wrong("names", f"there is no component {place!r}", f"components are 1 to {self.k}")
            core = core.renamed(int(place) - 1, str(name))
        return Model(core, self._kind)

    def update(self, data: Any, *, batch: int | None = None, passes: int | None = None, t0: float | None = None,
               kappa: float | None = None, seed: int | None = None, threads: int | None = None,
               progress: Progress = "auto", callback: Callback | None = None, **reading: Any) -> Model:
        """The model after it has learnt on from new rows, without those it was fitted to."""
        from ._fit import Stream

        options = _core.UpdateOptions()
        options.batch, options.passes, options.threads = batch or 0, passes or 0, thread_count(threads)
        options.t0, options.kappa, options.seed = t0, kappa, seed
        with watching(progress, callback) as watch:
            if isinstance(data, Stream):
                return Model(_core.update_stream(self._core, data._core, options, watch), self._kind)
            rows = self._read(data, reading)
            return Model(_core.update(self._core, rows._core, options, watch), rows._kind or self._kind)

    def simulate(self, rows: int, *, missing: float = 0.0, tokens: float = 100.0, seed: int = 1,
                 threads: int | None = None) -> tuple[Frame, Array]:
        """Rows drawn from the model, and the memberships that they were drawn from."""
        from ._fit import drawn

        return drawn(self, rows, missing, tokens, seed, thread_count(threads))

    # ---- out ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file: whole, or not at all."""
        self._core.save(os.fspath(path))

    def to_bytes(self) -> bytes:
        """The bytes of the model file."""
        return self._core.to_bytes()

    @staticmethod
    def from_bytes(data: bytes) -> Model:
        """The model of such bytes; everything in them is checked."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise wrong("data", f"is of type {type(data).__name__}", "give the bytes of a model file; medley.load reads one")
        return Model(_core.Model.from_bytes(bytes(data)))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Model.from_bytes, (self.to_bytes(),))

    def to_json(self) -> dict[str, Any]:
        """All parameters, in the layout of docs/export.md."""
        found: dict[str, Any] = json.loads(self._core.export_json())
        return found

    def to_arviz(self) -> Any:
        """The draws of a sampled model as ArviZ has them (an xarray DataTree)."""
        from ._export import to_arviz

        return to_arviz(self)

    def to_pyldavis(self, data: Any, **reading: Any) -> dict[str, Any]:
        """The five arguments of ``pyLDAvis.prepare``."""
        from ._export import to_pyldavis

        return to_pyldavis(self, self._read(data, reading))

    def report(self, data: Any = None, *, by: Sequence[str] | str = (), title: str = "", rows: bool = True,
               most_rows: int = 20000, min_cell: int = 1, threads: int | None = None, **reading: Any) -> Report:
        """Everything about the model on one HTML page: shown in a notebook, or saved."""
        from ._report import Report

        columns = [by] if isinstance(by, str) else list(by)
        found = None if data is None else self._read(data, reading, columns, "by")
        return Report(_core.report_page(self._core, None if found is None else found._core, "", title, rows,
                                        whole(most_rows, "most_rows", 1), columns, whole(min_cell, "min_cell", 1),
                                        thread_count(threads)))

    @property
    def plot(self) -> Plots:
        """Pictures by matplotlib: profiles, shares, topics, trace."""
        from ._plot import Plots

        return Plots(self)

    def describe(self, top: int = 0) -> str:
        """The profiles as `medley inspect` prints them."""
        return self._core.inspect("text", top)

    def __repr__(self) -> str:
        what = self.preset or "model"
        head = (f"<medley.Model {what}: {self.k} components, {self.membership} membership, "
                f"{self.inference} inference>")
        return head

    def _repr_html_(self) -> str:
        from ._html import model_html

        return model_html(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())


def _level(value: float, where: str) -> float:
    if not isinstance(value, (int, float)) or not 0 < value < 1:
        raise wrong(where, f"{value!r} is no probability between 0 and 1", f"such as {where}=0.9")
    return float(value)
