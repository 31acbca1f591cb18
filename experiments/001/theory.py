# SPDX-License-Identifier: Apache-2.0
"""Two statements of the chapter by numbers: the prior of a topic's mass, and the mean of the minibatch objective."""
import itertools
import math
import random

from common import rules
from common.numbers import mean
from common.paper import judge

WORDS = 8000
C0 = 0.05 * WORDS


def masses(seed, topics):
    """Sums of columns beta_vk ~ Gamma(c0 / V, rate c0)."""
    import numpy
    chance = numpy.random.default_rng(seed)
    return [float(chance.gamma(C0 / WORDS, 1 / C0, WORDS).sum()) for _ in range(topics)]


def prior(work, paper):
    drawn = work.compute(masses, 1, 2000)
    centre, spread = mean(drawn), mean([(m - mean(drawn))**2 for m in drawn])
    ratio = spread * C0
    # Of the mean of n draws sqrt(1 / (c0 n)); of their variance times c0 about sqrt(2 / n).
    near = (abs(centre - 1) <= rules.ERRORS / math.sqrt(C0 * len(drawn))
            and abs(ratio - 1) <= rules.ERRORS * math.sqrt(2 / len(drawn)))
    path = work.file("001-mass.ldac")
    work.run("simulate", "lda", "--k", 5, "--columns", "tokens:1x500", "-n", 500, "-o", path)
    fitted = work.fit("001-mass", path, "--model", "bayesian-nmf", "--k", 5, "--passes", 10)
    told = work.export(fitted["file"])
    sums = [sum(g[k] for g in told["g"]) / told["h"][k] for k in range(5)]
    paper.claim(8, judge(near, max(abs(s - 1) for s in sums) <= rules.ERRORS / math.sqrt(C0)), {
        "mean of 2000 drawn masses": centre, "variance times c0": ratio, "masses of fitted topics": sums},
        f"Drawn masses have mean {centre:.4f} and variance {ratio:.2f}/c0. Fitted ones lie in {min(sums):.2f} to "
        f"{max(sums):.2f}: with a hundred words in a document the counts outweigh the prior.", printed={
            "mean of 2000 drawn masses": 1, "variance times c0": 1})


def local_terms(seed, documents):
    """Per document the expected log joint and the entropy of its q (any numbers would do)."""
    chance = random.Random(seed)
    return [(chance.gauss(-200, 50), chance.gauss(5, 2)) for _ in range(documents)]


def unbiased(work, paper):
    terms, size, shared = local_terms(1, 8), 3, -40.0
    scale = len(terms) / size
    whole = shared + sum(joint + entropy for joint, entropy in terms)
    batches = list(itertools.combinations(terms, size))
    right = mean([shared + sum(scale * (j + e) for j, e in batch) for batch in batches])
    print_form = mean([shared + sum(scale * j + e for j, e in batch) for batch in batches])
    ok, slip = abs(right - whole) < 1e-9 * abs(whole), abs(print_form - whole) > 1e-3
    paper.claim(9, judge(ok, not slip), {"objective of all documents": whole,
        "mean over all minibatches, entropies scaled": right,
                "mean over all minibatches, as printed (11.18)": print_form, "minibatches": len(batches)},
                "With local log joint and local entropy both scaled by D/|C| the mean over all minibatches is the "
                "objective. As printed, with unscaled entropies, it is not; the updates of the chapter follow from "
                "the scaled form.")


def run(work, paper):
    paper.part(prior, work, paper)
    paper.part(unbiased, work, paper)
