# SPDX-License-Identifier: Apache-2.0
"""Pictures by matplotlib. Every function takes `ax` and returns the axes; nothing is shown or saved."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import wrong

if TYPE_CHECKING:
    from ._fit import Selection
    from ._model import Model


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise wrong("plot", "needs matplotlib", "pip install matplotlib") from None
    return plt.subplots(figsize=size, layout="constrained")[1]


def _colours(count: int) -> list[Any]:
    import matplotlib as mpl

    colours = [mpl.colormaps["tab10" if count <= 10 else "tab20"](k) for k in range(10 if count <= 10 else 20)]
    return [colours[k % len(colours)] for k in range(count)]


class Plots:
    """model.plot.profiles(), .shares(data), .topics(), .trace()."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def profiles(self, top: int = 20, *, ax: Any = None) -> Any:
        """Probabilities of the levels that differ most between profiles, a point for each profile."""
        model, tables = self._model, self._model._tables()
        lines: list[tuple[float, str, Any]] = []
        for b, block in enumerate(tables.blocks):
            if block["encoding"] == "real":
                continue
            table, known = np.asarray(tables.table(b)), tables.evidence(b)
            if block["encoding"] == "tokens":
                known = np.ones(len(table))
            levels = dict(block["features"])
            for (feature, level), row, weight in zip(tables.slots(b), table, known):
                if len(levels.get(feature, ())) == 2 and level == levels[feature][0]:
                    continue  # the other level says the same
                name = level if block["encoding"] == "tokens" else f"{feature} = {level}"
                lines.append((float(weight * (row.max() - row.min())), name, row))
        if not lines:
            raise wrong("model", "has numbers only", "plot.shares shows its rows")
        lines.sort(key=lambda line: -line[0])
        lines = lines[:top]
        ax = _axes(ax, (7.5, 1 + 0.26 * len(lines)))
        place = np.arange(len(lines))[::-1]
        cells = np.array([line[2] for line in lines])
        ax.hlines(place, cells.min(axis=1), cells.max(axis=1), color="0.8", linewidth=2, zorder=1)
        for k, colour in enumerate(_colours(model.k)):
            ax.scatter(cells[:, k], place, color=[colour], label=model.names[k], s=28, zorder=2)
        ax.set_yticks(place, [line[1] for line in lines])
        ax.set_xlabel("probability in the profile")
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def shares(self, data: Any, *, most: int = 2000, ax: Any = None, **reading: Any) -> Any:
        """Every row as a stack of its shares, rows sorted by their largest one (a STRUCTURE plot)."""
        shares = self._model.shares(data, **reading)
        if len(shares) > most:
            shares = shares[np.linspace(0, len(shares) - 1, most).astype(int)]
        top = shares.argmax(axis=1)
        order = np.lexsort((-shares[np.arange(len(shares)), top], top))
        ax = _axes(ax, (9, 2.8))
        place = np.arange(len(shares))
        ax.stackplot(place, shares[order].T, labels=self._model.names, colors=_colours(self._model.k), step="mid",
                     linewidth=0)
        ax.set_xlim(0, max(len(shares) - 1, 1))
        ax.set_ylim(0, 1)
        ax.set_xlabel("rows")
        ax.set_ylabel("share")
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
        return ax

    def topics(self, top: int = 8, *, most: int = 12, ax: Any = None) -> Any:
        """The likeliest words of every topic as bars, topics below each other."""
        found = self._model._tables().topics(top)
        if found is None:
            raise wrong("model", "knows no words", "plot.profiles shows its tables")
        shown = min(self._model.k, most)
        ax = _axes(ax, (7.5, 0.6 + 0.22 * shown * (top + 1)))
        place, ticks, words = 0, [], []
        for k, colour in enumerate(_colours(shown)):
            here = [i for i, t in enumerate(found["topic"]) if t == k and found["probability"][i] > 5e-4][:top]
            if not here:
                continue
            places = [place - j for j in range(len(here))]
            ax.barh(places, [found["probability"][i] for i in here], color=colour)
            ax.text(1.0, places[0], self._model.names[k], transform=ax.get_yaxis_transform(), ha="right", va="center")
            ticks += places
            words += [found["word"][i] for i in here]
            place -= len(here) + 1
        ax.set_yticks(ticks, words)
        ax.set_ylim(place + 0.5, 0.8)
        ax.set_xlim(0, 1.3 * float(np.max(found["probability"])))  # room for the names
        ax.set_xlabel("probability in the topic")
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def sizes(self, *, ax: Any = None) -> Any:
        """The share of all memberships that each component holds."""
        ax = _axes(ax, (6, 0.8 + 0.3 * self._model.k))
        place = np.arange(self._model.k)[::-1]
        ax.barh(place, self._model.sizes, color=_colours(self._model.k))
        ax.set_yticks(place, self._model.names)
        ax.set_xlabel("share of all memberships")
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def trace(self, *, ax: Any = None) -> Any:
        """The bound over the iterations, a line for each restart."""
        summary = self._model.summary
        ax = _axes(ax, (6.5, 3.2))
        for restart, bound in enumerate(summary.traces):
            best = restart == summary.best_restart
            ax.plot(np.arange(1, len(bound) + 1), bound, color="C0" if best else "0.7", zorder=2 if best else 1,
                    label="kept" if best else None)
        ax.set_xlabel("iteration")
        ax.set_ylabel("leave-one-out log-likelihood" if summary.leave_one_out else "bound")
        ax.spines[["top", "right"]].set_visible(False)
        return ax


def selection_plot(selection: Selection, ax: Any = None) -> Any:
    """Every criterion over K, scaled so that 0 is its best and 1 its worst value."""
    ax = _axes(ax, (6.5, 3.6))
    series: dict[str, list[tuple[int, float]]] = {}
    for candidate in selection._core.candidates:
        for score in candidate["scores"]:
            series.setdefault(f"{score['criterion']} {score['basis']}".strip(), []).append(
                (candidate["k"], score["value"]))
    for name, points in series.items():
        ks, values = np.array([p[0] for p in points]), np.array([p[1] for p in points], dtype=float)
        if name.split()[0] in ("cv", "coherence", "exclusivity"):
            values = -values
        span = values.max() - values.min()
        if span > 0:
            ax.plot(ks, (values - values.min()) / span, marker="o", markersize=4, label=name)
    ax.set_xticks(sorted({k for points in series.values() for k, _ in points}))
    ax.set_xlabel("K")
    ax.set_ylabel("0 best, 1 worst of those tried")
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
