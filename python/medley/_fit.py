# SPDX-License-Identifier: Apache-2.0
"""Fitting, choosing the number of components, cross-validation, simulation, comparison, streams."""
from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core, _intake, _results
from ._data import Dataset, as_dataset, paths_of, take
from ._errors import ConvergenceWarning, in_python, wrong
from ._frames import Columns, Frame, default_kind, frame
from ._model import Model
from ._options import (
    as_list,
    documented,
    fit_fields,
    fit_options,
    read_fields,
    read_options,
    split_options,
    thread_count,
    whole,
)
from ._progress import Callback, Progress, watching

Array = np.ndarray[Any, Any]


class Stream:
    """Rows of a stream file, read a few at a time: data may be larger than memory."""

    def __init__(self, core: _core.Stream, path: str) -> None:
        self._core = core
        self.path = path

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._core.rows

    def __len__(self) -> int:
        return self.rows

    def batch(self, begin: int, end: int) -> Dataset:
        """Rows [begin, end) as a data set."""
        if not 0 <= begin <= end <= self.rows:
            raise wrong("begin, end", f"[{begin}, {end}) lies outside of the {self.rows} rows", "")
        return Dataset(self._core.batch(begin, end))

    def sample(self, rows: int, seed: int = 1) -> Dataset:
        """About so many rows, spread at random."""
        return Dataset(self._core.sample(whole(rows, "rows", 1), seed))

    def __repr__(self) -> str:
        return f"<medley.Stream {self.path}: {self.rows} rows>"


def _merged(label: Any, weight: Any, id_: Any, ignore: Any, columns: Any, text: Any, reading: dict[str, Any]
            ) -> dict[str, Any]:
    for name, value in (("label", label), ("weight", weight), ("id", id_), ("columns", columns), ("text", text)):
        if value is not None:
            reading[name] = value
    if as_list(ignore, "ignore"):
        reading["ignore"] = ignore
    return reading


def _preset_reading(model: str | None, reading: dict[str, Any]) -> dict[str, Any]:
    """Some presets take a missing cell for an answer."""
    for name, _, missing_as_category, _ in _core.presets():
        if name == model and missing_as_category:
            reading.setdefault("missing", "category")
    return reading


def _starting_model(start: Any) -> _core.Model | None:
    if start is None:
        return None
    if isinstance(start, Model):
        return start._core
    raise wrong("start", f"{type(start).__name__} is no model", "give a medley.Model")


def _size(k: Any, choose: _core.Auto, options: dict[str, Any], model: str | None) -> None:
    if k is None:
        if not _core.finds_components(model or "", str(options.get("membership") or "")):
            raise wrong("k", "the number of profiles is missing", "for example k=3")
        return
    if k == "auto":
        choose.components = True
        choose.weight = options.get("label_weight") is None
        choose.pull = options.get("objective") == "conditional" and options.get("pull") is None
        return
    options["k"] = whole(k, "k", 1)


def _auto_options(options: dict[str, Any], choose: _core.Auto) -> None:
    for option, field in (("label_weight", "weight"), ("eta_start", "eta_start"), ("pull", "pull")):
        if options.get(option) == "auto":
            del options[option]
            setattr(choose, field, True)


def _warn_of(core: _core.Model, stacklevel: int) -> None:
    summary = core.summary
    if summary.termination == "iteration limit":
        warnings.warn(f"The fit reached its limit of {summary.iterations} iterations before it converged "
                      "(max_iterations= raises it).", ConvergenceWarning, stacklevel=stacklevel + 1)
    for text in summary.warnings:
        warnings.warn(in_python(text), ConvergenceWarning, stacklevel=stacklevel + 1)


def fit(data: Any, k: int | str | None = None, *, model: str | None = None, label: str | None = None,
        weight: str | None = None, id: str | None = None, ignore: Sequence[str] = (),
        columns: Mapping[str, str] | None = None, text: Any = None, restarts: int = 1, seed: int = 1,
        threads: int | None = None, batch: int | None = None, init: str | None = None, start: Model | None = None,
        progress: Progress = "auto", callback: Callback | None = None, checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = False, on_interrupt: str = "raise", **options: Any) -> Model:
    """Fits a model with `k` components. Same data, options and seed: the same bits, at any number of threads.

    `data` is anything that ``medley.dataset`` takes, a Dataset, or a Stream (with ``batch=``). `options` are those of
    ``medley.options()``: the command line's names with ``_`` for ``-``; those of reading are taken too.

    `progress`: "auto" shows a bar (tqdm) in a terminal or notebook once the fit has lasted two seconds; `callback` is
    called with a dict for every step. Ctrl-C raises KeyboardInterrupt; ``on_interrupt="return"`` gives the best model
    so far instead. ``k="auto"`` chooses K for a model with a label by inner validation.
    """
    reading, fitting = split_options(options)
    reading = _merged(label, weight, id, ignore, columns, text, reading)
    choose = _core.Auto()
    _auto_options(fitting, choose)
    _size(k, choose, fitting, model)
    fitting.update(model=model, restarts=whole(restarts, "restarts", 1), seed=whole(seed, "seed"), threads=threads,
                   batch=batch, init=init)
    if checkpoint is not None:
        fitting.update(checkpoint=os.fspath(checkpoint), resume=resume)
    core_options = fit_options(fitting)
    if on_interrupt not in ("raise", "return"):
        raise wrong("on_interrupt", f"{on_interrupt!r} is neither raise nor return", "")
    keep = on_interrupt == "return"
    if isinstance(data, Stream):
        with watching(progress, callback) as watch:
            core = _core.fit_stream(data._core, core_options, watch, keep)
        _warn_of(core, 2)
        return Model(core)
    rows = as_dataset(data, _preset_reading(model, reading), stacklevel=2)
    begin = _starting_model(start)
    with watching(progress, callback) as watch:
        core = _core.fit(rows._core, core_options, choose, begin, watch, keep)
    _warn_of(core, 2)
    return Model(core, rows._kind)


class Selection:
    """How many components, by several criteria: a table, an advice, and the models themselves."""

    def __init__(self, core: _core.Selection, models: Mapping[int, Model], kind: str) -> None:
        self._core = core
        self.models = dict(models)
        self._kind = kind

    @property
    def advice(self) -> str:
        """A sentence or two."""
        return in_python(self._core.advice)

    @property
    def table(self) -> Frame:
        """A line for each K, with a column for each criterion."""
        out: dict[str, list[Any]] = {}
        candidates = self._core.candidates
        several = len({c["smoothing"] for c in candidates}) > 1
        names: list[str] = []
        for c in candidates:
            names += [n for s in c["scores"] if (n := _score_name(s)) not in names]
        for c in candidates:
            line: dict[str, Any] = {"k": c["k"]}
            if several:
                line["smoothing"] = c["smoothing"]
            found = {_score_name(s): s["value"] for s in c["scores"]}
            line.update({n: found.get(n, np.nan) for n in names})
            line.update(similarity=c["similarity"], smallest=c["smallest"], converged=c["converged"])
            for name, value in line.items():
                out.setdefault(name, []).append(value)
        return frame(self._kind, out)

    @property
    def scores(self) -> Frame:
        """Every score in long form, with its standard error and how far it is behind the best."""
        names = ["criterion", "basis", "estimator", "value", "error", "behind", "behind_error", "usable"]
        lines = [(c["k"], s) for c in self._core.candidates for s in c["scores"]]
        out: dict[str, Any] = {"k": [k for k, _ in lines]}
        out.update({n: [s[n] for _, s in lines] for n in names})
        out["behind"] = np.array([np.nan if b is None else b for b in out["behind"]], dtype=float)
        return frame(self._kind, out)

    def best(self, by: str | None = None) -> Model:
        """The one-standard-error choice by cross-validation, or the best by another criterion."""
        verdicts = self._core.verdicts
        names = [v["criterion"] for v in verdicts]
        wanted = by or ("cv" if "cv" in names else names[0])
        if wanted not in names:
            raise wrong("by", f"{wanted!r} was not computed", f"one of {', '.join(dict.fromkeys(names))}")
        verdict = verdicts[names.index(wanted)]
        return self.models[self._core.candidates[verdict["modest" if by is None else "best"]]["k"]]

    def to_json(self) -> str:
        """Everything as one JSON object."""
        return self._core.to_json()

    def plot(self, ax: Any = None) -> Any:
        """The criteria over K."""
        from ._plot import selection_plot

        return selection_plot(self, ax)

    def __repr__(self) -> str:
        return in_python(self._core.describe())

    def _repr_html_(self) -> str:
        from ._html import selection_html

        return selection_html(self)


def _score_name(score: Mapping[str, Any]) -> str:
    return f"{score['criterion']} ({score['basis']})" if score["basis"] else str(score["criterion"])


def select(data: Any, k: Iterable[int] = range(2, 8), *, by: Sequence[str] | str | None = None,
           folder: str | os.PathLike[str] | None = None, folds: int = 5, fold_restarts: int = 1, restarts: int = 5,
           smoothing: Any = None, estimator: str = "auto", seed: int = 1, threads: int | None = None,
           resume: bool = False, model: str | None = None, progress: Progress = "auto",
           callback: Callback | None = None, **options: Any) -> Selection:
    """Fits every K of `k` and judges them by several criteria on the same folds: cv, aic, bic, pearson, coherence ...

    `folder` keeps a model for each K and every number, and ``resume=True`` goes on with it.
    """
    reading, fitting = split_options(options)
    wanted = _core.SelectOptions()
    wanted.components = sorted({whole(x, "k", 1) for x in ([k] if isinstance(k, int) else k)})
    if not wanted.components:
        raise wrong("k", "names no K to try", "for example k=range(2, 8)")
    axis = list(smoothing) if isinstance(smoothing, (list, tuple)) else []
    if smoothing is not None and not axis:
        fitting["smoothing"] = smoothing
    wanted.smoothing = [float(s) for s in axis]
    fitting.update(model=model, restarts=whole(restarts, "restarts", 1), seed=seed, threads=threads)
    wanted.fitting = fit_options(fitting)
    wanted.by = [by] if isinstance(by, str) else list(by or [])
    wanted.folds, wanted.fold_restarts = whole(folds, "folds", 2), whole(fold_restarts, "fold_restarts", 1)
    wanted.estimator, wanted.resume = estimator, resume
    rows = as_dataset(data, _preset_reading(model, reading), stacklevel=2)
    scratch = None if folder is not None else tempfile.mkdtemp(prefix="medley-select-")
    wanted.folder = os.fspath(folder) if folder is not None else os.path.join(scratch or "", "choice")
    try:
        with watching(progress, callback) as watch:
            found = _core.select(rows._core, wanted, watch)
        models = {}
        for candidate in found.candidates:
            path = candidate["file"]
            path = path if os.path.isabs(path) or os.path.exists(path) else os.path.join(wanted.folder, path)
            if os.path.exists(path) and candidate["k"] not in models:
                models[candidate["k"]] = Model(_core.Model.load(path), rows._kind)
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)
    return Selection(found, models, rows._out_kind())


def cross_validate(data: Any, k: int, *, folds: int = 10, model: str | None = None, label: str | None = None,
                   estimator: str = "auto", truth: Any = None, two_step: bool = False, stratified: bool = True,
                   each_row: bool = False, restarts: int = 1, seed: int = 1, threads: int | None = None,
                   progress: Progress = "auto", callback: Callback | None = None, **options: Any
                   ) -> _results.CrossValidation:
    """Fits on all folds but one and scores both sides, for every fold."""
    reading, fitting = split_options(options)
    if label is not None:
        reading["label"] = label
    fitting.update(k=whole(k, "k", 1), model=model, restarts=restarts, seed=seed, threads=threads)
    scoring = _core.EvaluateOptions()
    scoring.estimator, scoring.threads = estimator, thread_count(threads)
    scoring.truth = [truth] if isinstance(truth, str) else list(truth or [])
    reading = _preset_reading(model, reading)
    reading["keep"] = [*([reading["keep"]] if isinstance(reading.get("keep"), str) else reading.get("keep") or []),
                       *scoring.truth]
    # Words are chosen in each fold, among those of its training rows.
    rows = as_dataset(data, reading if isinstance(data, Dataset) else {**reading, "min_count": 1, "max_share": 1.0},
                      stacklevel=2)
    with watching(progress, callback) as watch:
        found = _core.cross_validate(rows._core, fit_options(fitting), scoring, read_options(reading),
                                     whole(folds, "folds", 2), two_step, stratified, each_row, watch)
    return _results.CrossValidation(found, rows)


def drawn(model: Model, rows: int, missing: float, tokens: float, seed: int, threads: int) -> tuple[Frame, Array]:
    """Rows drawn from a model as a table (blocks of words: a dict of sparse counts), and their memberships."""
    options = _core.SimulateOptions()
    options.rows, options.missing, options.tokens = whole(rows, "rows", 1), float(missing), float(tokens)
    options.seed, options.threads = whole(seed, "seed"), threads
    data, shares = _core.simulate(model._core, options)
    tables = _tables_of(data, model._out())
    return (next(iter(tables.values())) if len(tables) == 1 else tables), shares


def _tables_of(data: _core.Dataset, kind: str) -> dict[str, Any]:
    """The cells of a data set as tables: a frame of all columns, and counts of words."""
    out: dict[str, Any] = {}
    columns: dict[str, Any] = {}
    for b, block in enumerate(data.blocks):
        row, feature, level, value, features = _core.cells_of(data, b)
        if block["encoding"] == "tokens":
            out[block["name"]] = _counts(data.rows, row, level, value, features[0][1])
            continue
        for f, (name, levels) in enumerate(features):
            here = feature == f
            if levels:
                cells = np.full(data.rows, None, dtype=object)
                cells[row[here]] = [levels[i] for i in level[here]]
            else:
                cells = np.full(data.rows, np.nan)
                cells[row[here]] = value[here]
            columns[name] = cells
    if columns:
        out = {"data": frame(kind, columns), **out}
    return out


def _counts(rows: int, row: Array, word: Array, count: Array, words: Sequence[str]) -> Any:
    try:
        from scipy.sparse import csr_array
    except ImportError:
        return Columns({"row": row, "word": np.array([words[w] for w in word], dtype=object), "count": count})
    return csr_array((count, (row, word)), shape=(rows, len(words)))


def simulate(model: Any = "mmnb", rows: int = 1000, *, k: int = 3, columns: Mapping[str, Any] | None = None,
             triplets: bool = False, alpha: float = 0.3, separation: float = 1.5, missing: float = 0.0,
             tokens: float = 100.0, seed: int = 1, threads: int | None = None) -> tuple[Frame, Array, Model]:
    """Rows with known memberships: drawn from a Model, or from a preset's model with parameters drawn at random.

    `columns` of the latter: {family: count} or {family: (count, levels)}. Returns the rows, their memberships, and the
    model that they were drawn from.
    """
    if isinstance(model, Model):
        truth = model
    else:
        plan = _core.PlantOptions()
        plan.model, plan.components, plan.triplets = str(model), whole(k, "k", 1), triplets
        plan.alpha, plan.separation, plan.seed = float(alpha), float(separation), whole(seed, "seed")
        for family, size in (columns or {"categorical": (8, 4)}).items():
            count, levels = size if isinstance(size, (tuple, list)) else (size, 0)
            plan.add_columns(str(family), whole(count, "columns", 1), whole(levels, "columns"))
        truth = Model(_core.plant(plan))
    data, shares = drawn(truth, rows, missing, tokens, seed, thread_count(threads))
    return data, shares, truth


def compare(a: Model, b: Model, data: Any = None, *, top: int = 5, threads: int | None = None, **reading: Any
            ) -> _results.Comparison:
    """Which component of one model is which of the other, and where they differ; with data, on its rows too."""
    for where, model in (("a", a), ("b", b)):
        if not isinstance(model, Model):
            raise wrong(where, f"{type(model).__name__} is no model", "give two models")
    if data is None:
        found = _core.compare(a._core, b._core, whole(top, "top"))
    else:
        found = _core.compare_on(a._core, b._core, whole(top, "top"), a._read(data, reading)._core,
                                 b._read(data, reading)._core, thread_count(threads))
    return _results.Comparison(found, a.names, b.names, a._out())


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a model file; everything in it is checked, and nothing in it is run."""
    return Model(_core.Model.load(os.fspath(path)))


def stream(data: Any, path: str | os.PathLike[str] | None = None, *, batch: int | None = None, **reading: Any) -> Stream:
    """A stream file of `data`, written to `path` and opened; ``medley.fit(stream, k, batch=1000)`` then needs memory for
    little more than a minibatch. `data`: files, anything that ``medley.dataset`` takes, an iterator of tables (Arrow
    batches), or the path of a stream file that is there already."""
    if path is None:
        if isinstance(data, (str, os.PathLike)) and _core.is_stream(os.fspath(data)):
            return Stream(_core.open_stream(os.fspath(data), read_options(reading)), os.fspath(data))
        raise wrong("path", "the name of the stream file is missing", 'for example medley.stream(data, "data.stream")')
    target = os.fspath(path)
    if "ignore" in reading:  # no features, but not lost, as the program has it
        reading["keep"] = [*as_list(reading.get("keep"), "keep"), *as_list(reading["ignore"], "ignore")]
    if _intake.is_path(data):
        _core.convert_to_stream(paths_of(data), read_options(reading), target)
    elif isinstance(data, Dataset) or not _is_iterator(data):
        as_dataset(data, reading, stacklevel=2).save_stream(target)
    else:
        _write_batches(data, target, reading)
    return Stream(_core.open_stream(target, _core.ReadOptions()), target)


def _is_iterator(data: Any) -> bool:
    return hasattr(data, "__next__") or (
        isinstance(data, (list, tuple)) and bool(data) and not _intake.is_text_list(data))


def _write_batches(batches: Iterable[Any], target: str, reading: Mapping[str, Any]) -> None:
    """Two passes where the batches can be gone through twice; an iterator is kept in memory until its schema is known."""
    kept = list(batches)
    if not kept:
        raise wrong("data", "has no batches", "give at least one")
    schema: Any = None
    if reading.get("schema") is None:
        builder: Any = None
        for part in kept:
            taken, options = take(part, reading)
            builder = builder or _core.SchemaBuilder(options)
            builder.add(taken.sources)
        schema = builder.finish()
    kept_aside = {"keep": reading["keep"]} if "keep" in reading else {}
    writer = _core.StreamWriter(target)
    last = None
    for part in kept:
        if schema is None:
            taken, options = take(part, reading)
        else:
            taken, options = take(part, kept_aside, schema)
        last = _core.dataset(taken.sources, options)
        writer.append(last)
    assert last is not None
    writer.finish(last.schema)


def options(of: str = "fit") -> Frame:
    """The options of a fit, or of reading (``medley.options("read")``), as a table with their defaults."""
    if of not in ("fit", "read"):
        raise wrong("of", f"{of!r} is neither fit nor read", 'say medley.options("read")')
    fields = list((fit_fields() if of == "fit" else read_fields()).values())
    return frame(default_kind(), {
        "option": [f.name for f in fields], "group": [f.group for f in fields], "type": [f.type for f in fields],
        "default": [f.default_text for f in fields], "help": [f.help for f in fields], "range": [f.range for f in fields]})


def models() -> Frame:
    """The presets: every model on offer."""
    found = _core.presets()
    return frame(default_kind(), {"model": [p[0] for p in found], "summary": [p[1] for p in found]})


fit.__doc__ = documented(fit.__doc__, fit_fields(), "Options")
