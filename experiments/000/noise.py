# SPDX-License-Identifier: Apache-2.0
"""Held-out binary cells flipped, more and more of them (figures 11-13): does the perplexity rise with the noise?"""
import importlib
import math
import os
import random

from common import rules, sets
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


def prepared(work, name, seed):
    """Cells, their held-out places in the order of flipping, item numbers, the two models fitted to the others, a
    file name."""
    cells, _ = BINARY.binarised(work, name)
    head, rows = sets.triplets(cells)
    items = {item: i for i, item in enumerate(sorted({row[1] for row in rows}, key=int))}
    hidden = deal(rows, seed)
    out = set(hidden)
    train = [row for i, row in enumerate(rows) if i not in out]
    base = work.file(f"noise-{name}-{seed}")
    with writing(base + "_vocab.txt") as file:
        file.write("\n".join(f"i{item}" for item in items) + "\n")
    sets.write_triplets(base + ".csv", head, train)
    write_ones(base + ".ldac", train, items)
    fits = {"MMNB": work.fit(f"noise-{name}-{seed}-mmnb", *BINARY.mmnb_words(base + ".csv"), "--k", K)["file"],
            "LDA": work.fit(f"noise-{name}-{seed}-lda", base +
                ".ldac", "--vocab", base + "_vocab.txt", "--model", "lda", "--k",
                            K)["file"]}
    return head, rows, hidden, items, fits, base


def flipped_files(path, head, rows, places, items):
    """The cells with some flipped, as a rating log and as documents of the ones; kept if they are there."""
    if not os.path.exists(path + ".ldac"):
        places = set(places)
        noisy = [[u, i, str(1 - int(v))] if n in places else [u, i, v] for n, (u, i, v) in enumerate(rows)]
        sets.write_triplets(path + ".csv", head, noisy)
        write_ones(path + ".ldac", noisy, items)
    return path


def lda_score(work, fits, path, base):
    return work.json("evaluate", fits["LDA"], path + ".ldac", "--vocab", base + "_vocab.txt", "--estimator", "bound")


def curves(work, name, shares, seed):
    """Perplexity of all cells by the share of flipped held-out ones: {"MMNB": [...], "LDA": [...]}."""
    head, rows, hidden, items, fits, base = prepared(work, name, seed)
    found, words = {"MMNB": [], "LDA": [], "LDA, words counted once": []}, None
    for share in shares:
        path = flipped_files(f"{base}-{share}", head, rows, hidden[:round(share * len(hidden))], items)
        found["MMNB"].append(work.json("evaluate", fits["MMNB"], path + ".csv", "--format", "triplets", "--estimator",
                                       "bound")["perplexity"])
        told = lda_score(work, fits, path, base)
        words = words or told["observations"]
        found["LDA"].append(told["perplexity"])
        found["LDA, words counted once"].append(math.exp(-told["log_likelihood"] / words))
    return found


def one_way(work, name, seed=1, share=0.1):
    """A control: the change of LDA's perplexity if only ones are flipped (words go), or only zeros (words come);
    share of ones."""
    head, rows, hidden, items, fits, base = prepared(work, name, seed)
    some = hidden[:round(share * len(hidden))]
    plain = lda_score(work, fits, flipped_files(f"{base}-0.0", head, rows, [], items), base)["perplexity"]
    out = []
    for digit in "10":
        path = flipped_files(f"{base}-only-{digit}", head, rows, [n for n in some if rows[n][2] == digit], items)
        out.append(lda_score(work, fits, path, base)["perplexity"] / plain - 1)
    return *out, mean([row[2] == "1" for row in rows])


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
                       "ylabel": "change of perplexity",
                       "series": {"MMNB": [v - found[0] for v in found]}})
    paper.plot("noise", "lines", "Perplexity of MMNB with flipped cells (figure 11 of the paper)", panels=panels)
    paper.claim(15, judge(rules.nearly_all(1 - sum(down.values()) / 10 / len(down)), max(down.values()) == 0),
                {"steps of 10 that go down": down},
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
                               "xlabel": "% flipped", "ylabel": "change of perplexity",
                               "series": {model: [v - values[0] for v in values]}})
    paper.plot("fine-noise", "lines", "Perplexity with a few flipped cells (figures 12 and 13 of the paper)",
               panels=panels)
    jester = {f"{m}, steps of {s}": down["Jester", s, m] for s in FINE for m in ("MMNB", "LDA")}
    steps = {m: mean([down["Jester", s, m] / 10 for s in FINE]) for m in ("MMNB", "LDA")}
    wavers = all(0 < down["Jester", s, "LDA"] < 10 for s in FINE)
    paper.claim(16, judge(steps["MMNB"] < min(0.5, steps["LDA"]), rules.nearly_all(1 - steps["MMNB"]) and wavers),
                {"steps of 10 that go down": jester},
                f"MMNB goes down in at most {max(down['Jester', s, 'MMNB'] for s in FINE)} of 10 steps, LDA in up to "
                f"{max(down['Jester', s, 'LDA'] for s in FINE)}. LDA sees a flip as a word more or a word less: a word "
                "removed lowers the perplexity if it was an unlikely one and raises it otherwise.")
    films(work, paper, slope)


def films(work, paper, slope):
    """Claim 17."""
    kinds = ("MMNB", "LDA", "LDA, words counted once")
    film = {f"{m}, steps of {s}": slope["MovieLens", s, m] for s in FINE for m in kinds}
    mmnb_up = min(slope["MovieLens", s, "MMNB"] for s in FINE) >= rules.NEARLY
    lda_down = [slope["MovieLens", s, "LDA"] < 0 for s in FINE]
    once = [slope["MovieLens", s, kinds[2]] < 0 for s in FINE]
    gone, come, ones = one_way(work, "MovieLens")
    way = lambda downs: "falls" if all(downs) else "falls in part" if any(downs) else "rises"
    paper.claim(17, judge(mmnb_up and any(lda_down), all(lda_down)), {
        "rank correlation of noise and perplexity": film,
            "change of LDA's perplexity, a tenth flipped, ones only": gone,
        "zeros only": come},
        f"MMNB {'rises' if mmnb_up else 'does not rise steadily'}; LDA {way(lda_down)}. A flip takes a word from "
        "LDA's documents or adds one. With a tenth of the held-out cells the words that go change its perplexity by "
        f"{gone:+.2%}, the words that come by {come:+.2%}; {ones:.0%} of the cells are 1, so more go than come." + (
            "" if all(lda_down) else " If the log-likelihood is divided by the number of words before flipping, "
                                     f"which the paper does not rule out, LDA {way(once)}: then the number of words "
                                     "falls, and the fit does not improve."))


def run(work, paper):
    paper.part(coarse, work, paper)
    paper.part(fine, work, paper)
