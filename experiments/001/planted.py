# SPDX-License-Identifier: Apache-2.0
"""Correlations of topics that were planted: are their signs found, and what does the dimension of locations change?"""
from common.numbers import mean
from common.paper import judge

TOPICS, WORDS = 10, 500


def drawn(work):
    size = 1000 if work.quick else 4000
    paths = []
    for seed, rows in ((1, size), (2, 300)):
        path = work.file(f"001-drawn-{size}-{seed}.ldac")
        work.run("simulate", "correlated-nmf" if seed == 1 else work.file(f"001-true-{size}.medley"), *(
            ["--k", TOPICS, "--columns", f"tokens:1x{WORDS}", "--model-out", work.file(f"001-true-{size}.medley")] if seed == 1 else []),
            "--tokens", 200, "-n", rows, "--seed", seed, "-o", path)
        paths.append(path)
    return paths, work.file(f"001-true-{size}.medley")


def table(model):
    """Topics by words, each summing to one."""
    if "g" in model:
        rows = [[g[k] for g in model["g"]] for k in range(len(model["g"][0]))]
    else:
        rows = model["bags"][0]["p"]
    return [[v / sum(row) for v in row] for row in rows]


def matched(work, fitted, true):
    """For every true topic the fitted one that is nearest, one to one (words are named alike)."""
    from scipy.optimize import linear_sum_assignment
    a, b = work.export(true), work.export(fitted)
    names = b["bags"][0]["columns"]
    place = {w: i for i, w in enumerate(a["bags"][0]["columns"])}
    left, right = table(a), table(b)
    cost = [[sum(abs(row[place[w]] - other[i]) for i, w in enumerate(names) if w in place) for other in right] for row in left]
    return list(linear_sum_assignment(cost)[1])


def matrix(work, model):
    lines = work.run("correlations", model, "--matrix")["out"].splitlines()
    rows = [line.split(",") for line in lines]
    return [[float(v) for v in row[-TOPICS:]] for row in rows[-TOPICS:]]


def rank(values):
    import numpy
    singular = numpy.linalg.svd(numpy.array(values), compute_uv=False)
    return int((singular > 1e-6 * singular[0]).sum())


def run(work, paper):
    (train, test), true = drawn(work)
    passes = 20
    found, score, planted, others = {}, {}, {}, {}
    for m in (1, 2, 5, 10, 20):
        fitted = work.fit(f"001-planted-{m}-{work.quick}", train, "--model", "correlated-nmf", "--k", TOPICS, "--batch", 500, "--passes",
                          passes, "--dimension", m, "--sigma2", 1 / m)
        r = matrix(work, fitted["file"])
        order = matched(work, fitted["file"], true)
        planted[m] = [r[order[i]][order[i + 1]] for i in range(0, TOPICS, 2)]
        others[m] = [r[order[i]][order[j]] for i in range(TOPICS) for j in range(i) if not (i % 2 == 1 and j == i - 1)]
        found[m] = rank(r)
        told = work.json("evaluate", fitted["file"], test, "--estimator", "completion", "--threefold")
        score[m] = told["log_likelihood"] / told["observations"]
    pairs, rest = planted[10], others[10]
    right = mean([p > 0 for p in pairs])
    ranked = mean([p > o for p in pairs for o in rest])
    paper.plot("correlations", "heat", "Correlations of planted topics, pairs 1-2, 3-4 ... (figure 11.4 of the paper, simulated)", panels=[
        {"title": "learnt, topics in true order", "x": [str(i + 1) for i in range(TOPICS)], "y": [str(i + 1) for i in range(TOPICS)],
         "z": in_order(work, true)}])
    paper.claim(5, judge(right >= 0.8, right == 1), {
        "planted pairs": pairs, "share of planted pairs found positive": right,
        "share of (planted, other) with the planted one larger": ranked, "mean of the other pairs": mean(rest)},
        f"{right:.0%} of the planted pairs are positive, and a planted pair exceeds another in {ranked:.0%} of the comparisons; the "
        f"others average {mean(rest):.2f}.")
    restricted = found[1] <= 1 and found[2] <= 2 and found[5] <= 5
    redundant = abs(score[20] - score[10]) < 0.01
    paper.claim(11, judge(restricted, redundant), {"rank of the correlations by m": found, "nats per held-out word by m": score},
                f"The rank is {', '.join(f'{r} (m = {m})' for m, r in found.items())}: at most m and K. Held out, m = 20 differs from m = 10 "
                f"by {score[20] - score[10]:+.4f} nats a word, m = 1 by {score[1] - score[10]:+.4f}.")


def in_order(work, true):
    fitted = work.file(f"001-planted-10-{work.quick}.medley")
    r, order = matrix(work, fitted), matched(work, fitted, true)
    return [[r[order[i]][order[j]] for j in range(TOPICS)] for i in range(TOPICS)]
