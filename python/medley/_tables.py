# SPDX-License-Identifier: Apache-2.0
"""The parameters of a model by block, and what follows from them."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core

Array = np.ndarray[Any, Any]
_PSEUDO = 20.0  # observations of every component that a feature has to outweigh before its levels are shown first


class Tables:
    """Tables of a model as arrays that share its memory."""

    def __init__(self, core: _core.Model) -> None:
        self.core = core
        self.blocks: list[dict[str, Any]] = core.blocks()

    @property
    def block_names(self) -> list[str]:
        """Names of the blocks, in their order."""
        return [str(b["name"]) for b in self.blocks]

    def table(self, block: int) -> Array:
        """Slots x K."""
        return self.core.table(block)

    def totals(self, block: int) -> Array:
        """How often each slot occurred in the training data."""
        return self.core.totals(block)

    def slots(self, block: int) -> list[tuple[str, str]]:
        """(feature, level) of every row of the table."""
        out: list[tuple[str, str]] = []
        for name, levels in self.blocks[block]["features"]:
            out += [(name, level) for level in levels] if levels else [(name, "")]
        return out

    def evidence(self, block: int) -> Array:
        """Of every slot, how much is known of its feature: 0 if nobody was observed, 1 if very many were. An item that two
        users rated differs from the population in every profile, by smoothing alone."""
        totals, out, place = np.asarray(self.totals(block)), np.zeros(len(self.totals(block))), 0
        pseudo = _PSEUDO * self.core.components
        for _, levels in self.blocks[block]["features"]:
            n = len(levels) or 1
            seen = totals[place:place + n].sum()
            out[place:place + n] = seen / (seen + pseudo)
            place += n
        return out

    def word_blocks(self) -> list[int]:
        """Blocks of words."""
        return [i for i, b in enumerate(self.blocks) if b["encoding"] == "tokens"]

    def topics(self, top: int) -> dict[str, Any] | None:
        """The likeliest words of every topic of every block of words, or None without such a block."""
        blocks = self.word_blocks()
        if not blocks:
            return None
        out: dict[str, list[Any]] = {name: [] for name in
                                     ("topic", "rank", "word", "probability", "lift", "frex")}
        several = len(blocks) > 1
        if several:
            out["block"] = []
        for block in blocks:
            table = np.asarray(self.table(block))
            total = np.asarray(self.totals(block))
            population = total / max(total.sum(), 1e-300)
            words = [level for _, level in self.slots(block)]
            frex = _frex(table)
            for k in range(table.shape[1]):
                best = np.argsort(-table[:, k], kind="stable")[:top]
                for rank, v in enumerate(best, 1):
                    out["topic"].append(k)
                    out["rank"].append(rank)
                    out["word"].append(words[v])
                    out["probability"].append(table[v, k])
                    out["lift"].append(table[v, k] / population[v] if population[v] > 0 else np.nan)
                    out["frex"].append(frex[v, k])
                    if several:
                        out["block"].append(self.blocks[block]["name"])
        for name in ("probability", "lift", "frex"):
            out[name] = np.array(out[name], dtype=float)  # type: ignore[assignment]
        return out


def _ranks(column: Array) -> Array:
    """The share of entries that are no larger."""
    order = np.sort(column)
    return np.searchsorted(order, column, side="right") / len(column)


def _frex(table: Array) -> Array:
    exclusivity = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    out = np.empty_like(table)
    for k in range(table.shape[1]):
        frequent, exclusive = _ranks(table[:, k]), _ranks(exclusivity[:, k])
        out[:, k] = 1 / (0.5 / exclusive + 0.5 / frequent)
    return out
