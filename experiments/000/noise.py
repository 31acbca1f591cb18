# SPDX-License-Identifier: Apache-2.0
"""Held-out binary cells flipped, more and more of them (figures 11-13): does the perplexity rise with the noise?"""
import importlib
import math
import os
import random

from common import sets
from common.numbers import mean, spearman
from common.paper import judge
from common.work import writing

BINARY = importlib.import_module("000.binary")
SHARE, K = 0.1, 10
COARSE = [i / 100 for i in range(11)]
FINE = {"0.01 %": [i / 10000 for i in range(11)], "0.1 %": [i / 1000 for i in range(11)]}


def deal(rows, seed):
    """Which cells are held out, in the order in which they will be flipped."""
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    return order[:round(SHARE * len(rows))]


def write_ones(path, rows, items):
    documents = {}
    for user, item, value in rows:
        document = documents.setdefault(user, [])
        if value == "1":
            document.append(items[item])
    with writing(path) as file:
        for user in sorted(documents, key=int):
            words = sorted(documents[user])
            file.write(" ".join([str(len(words)), *(f"{w}:1" for w in words)]) + "\n")


def curves(work, name, shares, seed):
    """Perplexity of all cells by the share of flipped held-out ones: {"MMNB": [...], "LDA": [...]}."""
    cells, _ = BINARY.binarised(work, name)
    head, rows = sets.triplets(cells)
    items = {item: i for i, item in enumerate(sorted({row[1] for row in rows}, key=int))}
    hidden = deal(rows, seed)
    out = set(hidden)
    train = [row for i, row in enumerate(rows) if i not in out]
    base = work.file(f"noise-{name}-{seed}")
    vocabulary = base + "_vocab.txt"
    with writing(vocabulary) as file:
        file.write("\n".join(f"i{item}" for item in items) + "\n")
    sets.write_triplets(base + ".csv", head, train)
    write_ones(base + ".ldac", train, items)
    fits = {"MMNB": work.fit(f"noise-{name}-{seed}-mmnb", *BINARY.mmnb_words(base + ".csv"), "--k", K)["file"],
            "LDA": work.fit(f"noise-{name}-{seed}-lda", base + ".ldac", "--vocab", vocabulary, "--model", "lda", "--k",
                            K)["file"]}
    found, words = {"MMNB": [], "LDA": [], "LDA, words counted once": []}, None
    for share in shares:
        flipped = set(hidden[:round(share * len(hidden))])
        path = f"{base}-{share}"
        if not os.path.exists(path + ".ldac"):
            noisy = [[u, i, str(1 - int(v))] if n in flipped else [u, i, v] for n, (u, i, v) in enumerate(rows)]
            sets.write_triplets(path + ".csv", head, noisy)
            write_ones(path + ".ldac", noisy, items)
        found["MMNB"].append(work.json("evaluate", fits["MMNB"], path + ".csv", "--format", "triplets", "--estimator",
                                       "bound")["perplexity"])
        told = work.json("evaluate", fits["LDA"], path + ".ldac", "--vocab", vocabulary, "--estimator", "bound")
        words = words or told["observations"]
        found["LDA"].append(told["perplexity"])
        found["LDA, words counted once"].append(math.exp(-told["log_likelihood"] / words))
    return found


def averaged(work, name, shares):
    runs = [curves(work, name, shares, seed) for seed in range(1, 3 if work.quick else 11)]
    return {m: [mean([run[m][i] for run in runs]) for i in range(len(shares))] for m in runs[0]}


def falls(values):
    return sum(b < a for a, b in zip(values, values[1:]))


def coarse(work, paper):
    panels, down = [], {}
    for name in BINARY.RULES:
        found = averaged(work, name, COARSE)["MMNB"]
        down[name] = falls(found)
        panels.append({"title": name, "x": [100 * s for s in COARSE], "xlabel": "% of held-out cells flipped",
                       "ylabel": "perplexity", "series": {"MMNB": found}})
    paper.plot("noise", "lines", "Perplexity of MMNB with flipped cells (figure 11 of the paper)", panels=panels)
    paper.claim(15, judge(max(down.values()) <= 3, max(down.values()) == 0), {"steps of 10 that go down": down},
                "Every step up in noise raises the perplexity on all three sets." if max(down.values()) == 0 else
                "Nearly every step up in noise raises the perplexity.")


def fine(work, paper):
    panels, down, slope = [], {}, {}
    for name in ("Jester", "MovieLens"):
        for step, shares in FINE.items():
            found = averaged(work, name, shares)
            for model, values in found.items():
                down[name, step, model] = falls(values)
                slope[name, step, model] = spearman(shares, values)
                if model == "LDA, words counted once":
                    continue
                panels.append({"title": f"{name}, {model}, steps of {step}", "x": [100 * s for s in shares],
                               "xlabel": "% flipped", "ylabel": "perplexity", "series": {model: values}})
    paper.plot("fine-noise", "lines", "Perplexity with a few flipped cells (figures 12 and 13 of the paper)", panels=panels)
    jester = {f"{m}, steps of {s}": down["Jester", s, m] for s in FINE for m in ("MMNB", "LDA")}
    rises = max(down["Jester", s, "MMNB"] for s in FINE) <= 2
    wavers = max(down["Jester", s, "LDA"] for s in FINE) >= 2
    paper.claim(16, judge(rises, wavers), {"steps of 10 that go down": jester},
                f"MMNB goes down in at most {max(down['Jester', s, 'MMNB'] for s in FINE)} of 10 steps, LDA in up to "
                f"{max(down['Jester', s, 'LDA'] for s in FINE)}. LDA sees a flip as a word more or a word less: a word "
                "removed lowers the perplexity if it was an unlikely one and raises it otherwise.")
    kinds = ("MMNB", "LDA", "LDA, words counted once")
    film = {f"{m}, steps of {s}": slope["MovieLens", s, m] for s in FINE for m in kinds}
    mmnb_up = min(slope["MovieLens", s, "MMNB"] for s in FINE) > 0.8
    lda_down = [slope["MovieLens", s, "LDA"] < 0 for s in FINE]
    once = [slope["MovieLens", s, kinds[2]] < 0 for s in FINE]
    paper.claim(17, judge(mmnb_up and any(lda_down), all(lda_down)), {"rank correlation of noise and perplexity": film},
                f"MMNB {'rises' if mmnb_up else 'does not rise steadily'}; LDA {'falls' if all(lda_down) else 'falls in part' if any(lda_down) else 'rises'}"
                ". A flip adds a word to LDA's documents or takes one away; 55 % of the cells are 1, so more words go than come. "
                + ("If the log-likelihood is divided by the number of words before flipping, which the paper does not rule out, "
                   f"LDA {'falls as in print' if all(once) else 'falls in part' if any(once) else 'rises as well'}: then it is "
                   "the number of words that falls, not the fit that improves." if not all(lda_down) else ""))


def run(work, paper):
    paper.part(coarse, work, paper)
    paper.part(fine, work, paper)
