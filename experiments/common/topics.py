# SPDX-License-Identifier: Apache-2.0
"""Topics of a fitted model: their likeliest words, and which topics of two models belong together."""
from itertools import permutations


def top_words(work, model, count=10):
    """Per topic the likeliest words, most likely first."""
    bag = work.export(model)["bags"][0]
    out = []
    for p in bag["p"]:
        order = sorted(range(len(p)), key=lambda v: -p[v])[:count]
        out.append([bag["columns"][v] for v in order])
    return out


def overlaps(a, b):
    """Shared words of the topics matched so that the most are shared (few topics)."""
    shared = [[len(set(x) & set(y)) for y in b] for x in a]
    best = max(permutations(range(len(b)), len(a)), key=lambda order: sum(shared[i][j] for i, j in enumerate(order)))
    return [shared[i][j] for i, j in enumerate(best)]


def documents(path):
    """The documents of an LDA-C file, word: count."""
    import gzip
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return [{int(w): int(c) for w, c in (pair.split(":") for pair in line.split()[1:])} for line in file]


def lines_of(path):
    import gzip
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()
