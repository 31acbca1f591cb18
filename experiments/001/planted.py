# SPDX-License-Identifier: Apache-2.0
"""Correlations of topics that were planted: are their signs found, and what does the dimension of locations change?"""
from common import rules
from common.numbers import mean
from common.paper import judge

TOPICS, WORDS = 10, 500


def drawn(work):
    size = 2000
    paths = []
    for seed, rows in ((1, size), (2, 300)):
        path = work.file(f"001-drawn-{size}-{seed}.ldac")
        work.run("simulate", "correlated-nmf" if seed == 1 else work.file(f"001-true-{size}.medley"), *(
            ["--k", TOPICS, "--columns", f"tokens:1x{WORDS}",
             "--model-out", work.file(f"001-true-{size}.medley")] if seed == 1 else []),
                 "--tokens", 200, "-n", rows, "--seed", seed, "-o", path)
        paths.append(path)
    return paths, work.file(f"001-true-{size}.medley")


def matched(work, fitted, true):
    """For every true topic the fitted one that is nearest, one to one (words are named alike)."""
    from scipy.optimize import linear_sum_assignment
    a, b = work.export(true), work.export(fitted)
    names = b["bags"][0]["columns"]
    place = {w: i for i, w in enumerate(a["bags"][0]["columns"])}
    left, right = a["bags"][0]["p"], b["bags"][0]["p"]
    cost = [[sum(abs(row[place[w]] - other[i]) for i, w in enumerate(names) if w in place) for other in right]
            for row in left]
    return list(linear_sum_assignment(cost)[1])


def matrix(work, model):
    lines = work.run("correlations", model, "--matrix")["out"].splitlines()
    rows = [line.split(",") for line in lines]
    return [[float(v) for v in row[-TOPICS:]] for row in rows[-TOPICS:]]


def rank(values):
    import numpy
    singular = numpy.linalg.svd(numpy.array(values), compute_uv=False)
    return int((singular > 1e-6 * singular[0]).sum())


def centred(values):
    """Correlations of locations with their mean taken off: a common shift of all locations changes no likelihood, so
    that
    only these can be learnt. Topics that are not correlated come out a little negative."""
    import numpy
    off = numpy.eye(TOPICS) - 1 / TOPICS
    gram = off @ numpy.array(values) @ off
    scale = numpy.sqrt(numpy.diag(gram))
    return (gram / numpy.outer(scale, scale)).tolist()


def gram_of_fewer():
    """The largest difference between L L' of ten topics in 20 dimensions and that of a factor in ten."""
    import numpy
    wide = numpy.random.default_rng(1).normal(size=(TOPICS, 2 * TOPICS))
    narrow = numpy.linalg.cholesky(wide @ wide.T)
    return float(abs(wide @ wide.T - narrow @ narrow.T).max())


def run(work, paper):
    (train, test), true = drawn(work)
    truth = centred(matrix(work, true))
    pairs = [(i, j) for i in range(TOPICS) for j in range(i)]
    found, score, learnt = {}, {}, {}
    for m in (1, 2, 5, 10):
        fitted = work.fit(f"001-planted-{m}-{work.quick}", train,
                          "--model", "correlated-nmf", "--k", TOPICS, "--batch", 200, "--passes",
                          30, "--init", "random", "--dimension", m, "--sigma2", 1 / m)
        r, order = matrix(work, fitted["file"]), matched(work, fitted["file"], true)
        learnt[m] = [[r[order[i]][order[j]] for j in range(TOPICS)] for i in range(TOPICS)]
        found[m] = rank(r)
        told = work.json("evaluate", fitted["file"], test, "--estimator", "completion", "--threefold")
        score[m] = told["log_likelihood"] / told["observations"]
    signs(paper, truth, learnt[10], pairs)
    gap = gram_of_fewer()
    restricted = all(found[m] <= m for m in found)
    paper.claim(11, judge(restricted, gap < 1e-9 and score[1] < score[10]), {
        "rank of the correlations by m": found, "nats per held-out word by m": score,
            "m = 2 K against m = K, largest difference of L L'": gap},
        f"The rank is {', '.join(f'{r} (m = {m})' for m, r in found.items())}: at most m. Any correlations of K "
        f"topics in 2 K dimensions can be had in K (difference {gap:.0e}), so the program refuses m > K. Held out, m "
        f"= 1 differs from m = 10 by {score[1] - score[10]:+.4f} nats a word.")


def signs(paper, truth, learnt, pairs):
    """Claim 5."""
    strong = [(i, j) for i, j in pairs if truth[i][j] > 0.2]
    rest = [(i, j) for i, j in pairs if truth[i][j] < 0]
    positive = mean([learnt[i][j] > 0 for i, j in strong])
    negative = mean([learnt[i][j] < 0 for i, j in rest])
    ranked = mean([learnt[i][j] > learnt[a][b] for i, j in strong for a, b in rest])
    names = [str(i + 1) for i in range(TOPICS)]
    paper.plot("correlations", "heat", "Correlations of topics that were planted, and learnt (figure 11.4 of the "
                                       "paper, simulated)", panels=[
        {"title": title, "x": names, "y": names, "z": values} for title, values in ((
            "planted", truth), ("learnt", learnt))])
    paper.claim(5, judge(min(positive, negative) > 0.5, rules.nearly_all(min(positive, negative))), {
        "planted positive pairs": len(strong), "share of them learnt positive": positive,
        "share of negative pairs learnt negative": negative,
            "share of (positive, negative) in the right order": ranked},
        f"{positive:.0%} of {len(strong)} positive and {negative:.0%} of {len(rest)} negative pairs have the right "
        f"sign; a positive pair exceeds a negative one in {ranked:.0%} of the comparisons.")
