# SPDX-License-Identifier: Apache-2.0
"""For other packages: ArviZ and pyLDAvis."""
from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import wrong

if TYPE_CHECKING:
    from ._data import Dataset
    from ._model import Model


def _chain(text: str) -> dict[str, list[float]]:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = list(csv.reader(io.StringIO("\n".join(lines))))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def _shaped(chains: list[dict[str, list[float]]]) -> dict[str, np.ndarray[Any, Any]]:
    """Draws by variable, chains x draws x shape: name.1.2 are entries of name, as CmdStan has it."""
    entries: dict[str, list[tuple[tuple[int, ...], str]]] = {}
    for column in chains[0]:
        found = re.fullmatch(r"(.*?)((?:\.\d+)*)", column)
        assert found is not None
        place = tuple(int(i) - 1 for i in found[2].split(".")[1:])
        entries.setdefault(found[1], []).append((place, column))
    out = {}
    for name, places in entries.items():
        shape = tuple(max(p[0][axis] for p in places) + 1 for axis in range(len(places[0][0])))
        draws = len(chains[0][places[0][1]])
        values = np.full((len(chains), draws, *shape), np.nan)
        for place, column in places:
            for c, chain in enumerate(chains):
                where: Any = (c, slice(None), *place)
                values[where] = chain[column]
        out[name] = values
    return out


def to_arviz(model: Model) -> Any:
    """An xarray DataTree with the groups posterior and sample_stats."""
    if model.draws == 0:
        raise wrong("model", "is not sampled, so it has no draws", 'fit it with model="gom-bayes" or "dp-mixture"')
    try:
        import arviz_base
    except ImportError:
        raise wrong("to_arviz", "needs the package arviz-base", "pip install arviz-base") from None
    variables = _shaped([_chain(model._core.draws_csv(c)) for c in range(model.draws)])
    statistics = {"lp": variables.pop("lp__")} if "lp__" in variables else {}
    groups: dict[str, Any] = {"posterior": variables}
    if statistics:
        groups["sample_stats"] = statistics
    return arviz_base.from_dict(groups)


def to_pyldavis(model: Model, rows: Dataset) -> dict[str, Any]:
    """topic_term_dists, doc_topic_dists, doc_lengths, vocab and term_frequency, of the first block of words."""
    tables = model._tables()
    blocks = tables.word_blocks()
    if not blocks:
        raise wrong("model", "knows no words", "pyLDAvis shows topics")
    block = blocks[0]
    words, lengths = rows._core.count_sums(block)
    shares, _ = _core.transform(model._core, rows._core, 0)
    here = lengths > 0
    used = words > 0
    table = np.asarray(tables.table(block)).T[:, used]
    return {
        "topic_term_dists": table / table.sum(axis=1, keepdims=True),
        "doc_topic_dists": shares[here] / shares[here].sum(axis=1, keepdims=True),
        "doc_lengths": lengths[here],
        "vocab": [word for (_, word), u in zip(tables.slots(block), used) if u],
        "term_frequency": words[used],
    }
