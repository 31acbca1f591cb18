# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows. Every text from data is escaped; no script, no network, small."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import in_python

if TYPE_CHECKING:
    from ._data import Dataset, Schema
    from ._fit import Selection
    from ._model import Model

_MOST_PROFILES = 12
_STYLE = """<style>
.medley{font:13px/1.4 system-ui,sans-serif;max-width:72rem}
.medley table{font:inherit;border-collapse:collapse;margin:.3rem 0}
.medley td,.medley th{text-align:left!important;padding:.1rem .5rem;vertical-align:top;border:0;font-weight:normal}
.medley th{font-weight:600;border-bottom:1px solid #8886}
.medley td.n{text-align:right!important;font-variant-numeric:tabular-nums;white-space:nowrap}
.medley .cards{display:flex;flex-wrap:wrap;gap:.4rem 2rem;margin:.5rem 0}
.medley .card{flex:0 0 auto}
.medley .card td:first-child{max-width:18rem;overflow-wrap:anywhere}
.medley .bar{display:block;height:100%;background:#4c78a8}
.medley .track{display:inline-block;position:relative;width:5rem;height:.62rem;background:#8882}
.medley .tick{position:absolute;top:-3px;bottom:-3px;width:2px;background:#e45756}
.medley .warn{border-left:3px solid #e45756;padding:.2rem .6rem;margin:.4rem 0;background:#e4575614}
.medley .dim{opacity:.7}
</style>"""


def _e(text: Any) -> str:
    return html.escape(str(text))


def _box(texts: list[str]) -> str:
    if not texts:
        return ""
    return '<div class="warn">' + "<br>".join(_e(t) for t in texts[:8]) + "</div>"


def _table(head: list[str], rows: list[list[Any]], numeric: set[int],
           bold: frozenset[tuple[int, int]] = frozenset()) -> str:
    out = ["<table><tr>", *[f"<th>{_e(h)}</th>" for h in head], "</tr>"]
    for place, row in enumerate(rows):
        texts = [f"<b>{_e(c)}</b>" if (place, i) in bold else _e(c) for i, c in enumerate(row)]
        cells = [f'<td class="n">{text}</td>' if i in numeric else f"<td>{text}</td>" for i, text in enumerate(texts)]
        out.append("<tr>" + "".join(cells) + "</tr>")
    return "".join(out) + "</table>"


def _bar(share: float, tick: float | None) -> str:
    mark = "" if tick is None or not np.isfinite(tick) else f'<span class="tick" style="left:{100 * min(tick, 1):.0f}%"></span>'
    return (f'<span class="track"><span class="bar" style="width:{100 * min(max(share, 0), 1):.0f}%"></span>{mark}</span>')


def fit_in_words(model: Model) -> str:
    """The fit in two sentences."""
    s = model.summary
    what = f"{model.preset or 'A model'} with {model.k} components ({model.membership} membership, " \
           f"{model.inference} inference), learnt from {s.rows:,} rows with {s.observations:,.0f} observations."
    per = s.bound / s.observations if s.observations > 0 else float("nan")
    kind = "log-likelihood" if s.exact else "bound on the log-likelihood"
    ended = {"converged": "It converged", "interrupted": "It was interrupted", "sampled": "It was sampled",
             "passes done": "It learnt from every row"}.get(s.termination, "It reached the limit")
    return f"{what} {ended} after {s.iterations} iterations, with a {kind} of {per:.4f} nats per observation."


def model_html(model: Model) -> str:
    """Profiles with bars, the fit in two sentences, warnings."""
    likeliest = _likeliest(model)
    cards = [_card(model, k, likeliest) for k in range(min(model.k, _MOST_PROFILES))]
    more = f'<div class="dim">... and {model.k - _MOST_PROFILES} more.</div>' if model.k > _MOST_PROFILES else ""
    hint = f'<div class="dim">{_hint(model)}</div>'
    return (f'<div class="medley">{_STYLE}<div>{_e(fit_in_words(model))}</div>{_box([in_python(t) for t in model.summary.warnings])}'
            f'<div class="cards">{"".join(cards)}</div>{hint}{more}</div>')


def _hint(model: Model) -> str:
    encodings = {b["encoding"] for b in model._tables().blocks}
    texts = []
    if "levels" in encodings:
        texts.append("Bars: probability in the profile; red: in the population.")
    if "tokens" in encodings:
        texts.append("Bars of words: probability in the topic, the likeliest of all topics at full length; red: in the corpus.")
    return " ".join(texts)


def _card(model: Model, k: int, likeliest: float) -> str:
    lines = []
    for name, level, share, population, number in _telling(model, k):
        label = f"{name}: {level}" if level and name else (level or name)
        if number is not None:
            lines.append(f'<tr><td>{_e(label[:60])}</td><td class="n" colspan="2">{_e(number)}</td></tr>')
            continue
        whole = 1.0 if name else likeliest
        lines.append(f'<tr><td>{_e(label[:60])}</td><td>{_bar(share / whole, population / whole)}</td>'
                     f'<td class="n">{100 * share:.{0 if share >= 0.1 else 1}f} %</td></tr>')
    head = f"<b>{_e(model.names[k])}</b> <span class='dim'>{100 * model.sizes[k]:.0f} %</span>"
    return f'<div class="card">{head}<table>{"".join(lines)}</table></div>'


def _likeliest(model: Model) -> float:
    """The largest probability of a word in a topic."""
    tables = model._tables()
    return max((float(np.max(tables.table(b))) for b in tables.word_blocks()), default=1.0)


def _telling(model: Model, k: int) -> list[tuple[str, str, float, float, str | None]]:
    """What tells a component from the others: 10 words of each block of words, 8 answers or numbers."""
    tables = model._tables()
    answers: list[tuple[float, tuple[str, str, float, float, str | None]]] = []
    words: list[tuple[str, str, float, float, str | None]] = []
    for b, block in enumerate(tables.blocks):
        table, total = np.asarray(tables.table(b)), np.asarray(tables.totals(b))
        slots = tables.slots(b)
        if block["encoding"] == "tokens":
            best = np.argsort(-table[:, k], kind="stable")[:10]
            best = best[table[best, k] > 5e-4]  # nothing that would read 0.0 %
            words += [("", slots[v][1], float(table[v, k]), float(total[v] / max(total.sum(), 1e-300)), None)
                      for v in best]
            continue
        if block["encoding"] == "real":
            continue
        population = _population(block, total)
        distance = np.abs(table[:, k] - population) * tables.evidence(b)
        for v in np.argsort(-distance, kind="stable")[:16]:
            two = len(dict(block["features"])[slots[v][0]]) == 2
            if two and table[v, k] < 0.5:
                continue  # the other level says the same
            answers.append((float(distance[v]), (*slots[v], float(table[v, k]), float(population[v]), None)))
    answers += _numbers(model, k)
    answers.sort(key=lambda a: -a[0])
    return words + [a[1] for a in answers[:8]]


def _population(block: dict[str, Any], total: Any) -> Any:
    out, place = np.zeros(len(total)), 0
    for _, levels in block["features"]:
        n = len(levels)
        whole = total[place:place + n].sum()
        out[place:place + n] = total[place:place + n] / whole if whole > 0 else 0
        place += n
    return out


def _numbers(model: Model, k: int) -> list[tuple[float, tuple[str, str, float, float, str | None]]]:
    if all(b["encoding"] != "real" for b in model._tables().blocks):
        return []
    import csv
    import io

    out: list[tuple[float, tuple[str, str, float, float, str | None]]] = []
    for line in csv.DictReader(io.StringIO(model._core.inspect("csv"))):
        if line["mean"] and line["component"] == str(k + 1):
            mean, sd = float(line["mean"]), float(line["sd"])
            centre, spread = float(line["population_mean"]), float(line["population_sd"])
            away = abs(mean - centre) / spread if spread > 0 else 0.0
            out.append((float(np.tanh(away)), (line["feature"], "", 0.0, 0.0,
                                               f"{_number(mean, 4)} ± {_number(sd, 3)} (all: {_number(centre, 4)})")))
    return out


def dataset_html(data: Dataset) -> str:
    """What was understood of the data."""
    rows = [[b["name"], b["family"], f"{b['features']:,}", f"{b['slots']:,}", f"{b['cells']:,}", f"{b['missing']:,}",
             f"{b['unseen']:,}"] for b in data.blocks]
    head = ["block", "family", "features", "levels or words", "cells", "missing", "unseen"]
    return (f'<div class="medley">{_STYLE}<div><b>{data.rows:,} rows</b></div>{_box(data.warnings)}'
            f"{_table(head, rows, {2, 3, 4, 5, 6})}"
            f'<div class="dim">{"<br>".join(_e(n) for n in data.notes[:8])}</div></div>')


def schema_html(schema: Schema) -> str:
    """What every column is taken for."""
    rows = []
    for c in schema.columns[:200]:
        levels = ", ".join(c["levels"][:6]) + (f" ... ({len(c['levels'])})" if len(c["levels"]) > 6 else "")
        rows.append([c["name"], c["role"], c["family"] if c["cells"] == "value" else c["cells"], levels, c["note"]])
    return (f'<div class="medley">{_STYLE}{_table(["column", "role", "taken for", "levels", "why"], rows, set())}</div>')


def selection_html(selection: Selection) -> str:
    """The advice, and the scores with the best by each criterion marked (those of a bound choose nothing)."""
    from ._fit import _score_name

    table = selection.table
    names = list(table.columns) if hasattr(table, "columns") else list(table)
    columns = {n: list(table[n]) for n in names}
    rows = [[_cell(columns[n][i]) for n in names] for i in range(len(columns["k"]))]
    best = frozenset((v["best"], names.index(name)) for v in selection._core.verdicts
                     if v["usable"] and not v["bound"] and (name := _score_name(v)) in names)
    return (f'<div class="medley">{_STYLE}<div>{_e(selection.advice)}</div>'
            f"{_table([str(n) for n in names], rows, set(range(len(names))), best)}"
            '<div class="dim">Bold: the best by each criterion that can choose.</div></div>')


def _cell(x: Any) -> str:
    if isinstance(x, (bool, np.bool_)):
        return "yes" if x else "no"
    return _number(float(x), 6) if isinstance(x, (float, np.floating)) else str(x)


def _number(x: float, digits: int) -> str:
    """So many digits, and no exponent where people write none."""
    return f"{x:,.0f}" if 10**digits <= abs(x) < 1e15 else f"{x:.{digits}g}"
