# SPDX-License-Identifier: Apache-2.0
"""A control for claims about speed: the E-steps of the papers written as they are printed, in numpy, ten sweeps each.

Standard: phi_ij ~ exp(digamma(gamma_i) + log p(x_ij | .)) for every cell or word, gamma_i = alpha + sum_j phi_ij.
Fast: one phi_i per
row from the sum over its cells, which does not change from sweep to sweep. Both in the same language over the same
numbers, so that
the ratio of their times is that of the two forms and not of two programs.
"""
import time

from . import topics

SWEEPS, REPEATS = 10, 3


def timed(function):
    """The least of a few processor times."""
    taken = []
    for _ in range(REPEATS):
        begun = time.process_time()
        function()
        taken.append(time.process_time() - begun)
    return min(taken)


def ratio(logs, starts, counts):
    """Standard over fast. logs: cells x K, log p of every cell; starts: the first cell of every row; counts: times of
    every cell."""
    import numpy
    from scipy.special import digamma
    rows, k = len(starts), logs.shape[1]
    owner = numpy.repeat(numpy.arange(rows), numpy.diff([*starts, len(logs)]))
    size = numpy.add.reduceat(counts, starts)[:, None]

    def standard():
        gamma = numpy.ones((rows, k))
        for _ in range(SWEEPS):
            phi = numpy.exp(digamma(gamma)[owner] + logs)
            phi *= (counts / phi.sum(axis=1))[:, None]
            gamma = 0.1 + numpy.add.reduceat(phi, starts)

    def fast():
        gamma, whole = numpy.ones((rows, k)), numpy.add.reduceat(logs * counts[:, None], starts) / size
        for _ in range(SWEEPS):
            phi = numpy.exp(digamma(gamma) + whole)
            gamma = 0.1 + size * phi / phi.sum(axis=1, keepdims=True)

    return timed(standard) / timed(fast)


def text_ratio(path, words, k):
    """Of the documents of a file, under topics drawn at random."""
    import numpy
    documents = [d for d in topics.documents(path) if d]
    starts = numpy.cumsum([0] + [len(d) for d in documents[:-1]])
    chance = numpy.random.default_rng(1)
    logs = numpy.log(chance.dirichlet([1.0] * words, k).T + 1e-12)
    return ratio(logs[[w for d in documents for w in d]], starts,
                 numpy.array([float(c) for d in documents for c in d.values()]))


def table_ratio(rows, columns, k):
    """Of a table of this size with log-densities drawn at random."""
    import numpy
    logs = numpy.random.default_rng(1).normal(size=(rows * columns, k))
    return ratio(logs, numpy.arange(rows) * columns, numpy.ones(rows * columns))
