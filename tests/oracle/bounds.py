# SPDX-License-Identifier: Apache-2.0
"""The bound or the exact log-likelihood of one row.

`log_rows` is a list of O lists of K log-likelihoods, `w` the O weights. With a known class y the row
is scored together with its label, under the bound the parameter file names.
"""
import math
from operator import mul

try:
    import numpy
except ImportError:  # only speed is lost
    numpy = None

from special import digamma, log_beta, log_sum_exp, softmax

# A scaled sum below this has lost its digits: that observation is redone in log space.
SMALL = 1e-200
MAX_SWEEPS = 100000


class Offset:
    """What a known label adds: a vector c(xi)/m in the exponent and a term in the bound."""

    def __init__(self, parameters, y):
        self.kind = None
        if y is None or parameters.label is None:
            return
        eta = parameters.label_scores()
        classes = parameters.label["classes"]
        if y not in classes:
            return
        self.kind = parameters.label.get("bound", "paper")
        h = classes.index(y)
        K = parameters.K
        self.vertex = [eta[h][k] - log_sum_exp([e[k] for e in eta]) for k in range(K)]
        self.g = eta[h]
        self.eps = [sum(math.exp(e[k]) for e in eta[:-1]) for k in range(K)]

    def vector(self, mean_phi, m):
        if self.kind is None:
            return [0.0] * len(mean_phi)
        if self.kind == "lse":
            return [s / m for s in self.vertex]
        xi = self.xi(mean_phi)
        return [(g - e / xi) / m for g, e in zip(self.g, self.eps)]

    def xi(self, mean_phi):
        return 1.0 + sum(map(mul, mean_phi, self.eps))

    def term(self, mean_phi):
        if self.kind is None:
            return 0.0
        if self.kind == "lse":
            return sum(map(mul, mean_phi, self.vertex))
        return sum(map(mul, mean_phi, self.g)) - math.log(self.xi(mean_phi))


def responsibilities(log_row, exponent):
    return softmax([a + b for a, b in zip(log_row, exponent)])


def product(matrix, vector):
    if numpy:
        return (matrix @ numpy.array(vector)).tolist()
    return [sum(map(mul, row, vector)) for row in matrix]


class Sweep:
    """n_k = sum_o w_o phi_ok at a given exponent, for one row."""

    def __init__(self, log_rows, w):
        self.log_rows, self.w = log_rows, w
        scaled = []
        for row in log_rows:
            top = max(row)
            scaled.append([math.exp(x - top) for x in row])
        self.by_row = numpy.array(scaled) if numpy else scaled
        self.by_component = self.by_row.T.copy() if numpy else list(zip(*scaled))

    def __call__(self, exponent):
        top = max(exponent)
        e = [math.exp(x - top) for x in exponent]
        sums = product(self.by_row, e)
        if min(sums) > SMALL:
            ratios = [a / s for a, s in zip(self.w, sums)]
            return [x * g for x, g in zip(e, product(self.by_component, ratios))]
        counts = [0.0] * len(e)
        for row, weight in zip(self.log_rows, self.w):
            for k, phi in enumerate(responsibilities(row, exponent)):
                counts[k] += weight * phi
        return counts


def converge(counts_at, alpha, m, offset, tolerance):
    """From phi = 1/K to the fixed point; returns the last exponent and the gamma it gives."""
    K = len(alpha)
    gamma = [a + m / K for a in alpha]
    xi = None
    for _ in range(MAX_SWEEPS):
        mean_phi = [(g - a) / m for g, a in zip(gamma, alpha)]
        # -digamma(gamma_0) is the same for all components and cancels.
        exponent = [digamma(g) + c for g, c in zip(gamma, offset.vector(mean_phi, m))]
        new = [a + n for a, n in zip(alpha, counts_at(exponent))]
        change = max(abs(a - b) for a, b in zip(new, gamma))
        gamma = new
        if change < tolerance * max(1.0, m):
            break
    if offset.kind == "paper":
        xi = offset.xi([(g - a) / m for g, a in zip(gamma, alpha)])
    return exponent, gamma, xi


def mixed_bound(phis, log_rows, w, alpha, m, offset):
    """Form (C): valid because gamma = alpha + sum_o w_o phi_o is formed from these phi."""
    counts = [0.0] * len(alpha)
    value = 0.0
    for phi, row, weight in zip(phis, log_rows, w):
        for k, p in enumerate(phi):
            if p > 0:
                counts[k] += weight * p
                value += weight * p * (row[k] - math.log(p))
    gamma = [a + n for a, n in zip(alpha, counts)]
    return value + log_beta(gamma) - log_beta(alpha) + offset.term([n / m for n in counts])


def standard(log_rows, w, parameters, y=None, tolerance=1e-12):
    """Returns (bound, gamma, xi)."""
    m = sum(w)
    alpha = parameters.alpha
    if m == 0:
        return 0.0, list(alpha), None
    if any(max(row) == -math.inf for row in log_rows):
        return -math.inf, list(alpha), None
    offset = Offset(parameters, y)
    exponent, gamma, xi = converge(Sweep(log_rows, w), alpha, m, offset, tolerance)
    phis = [responsibilities(row, exponent) for row in log_rows]
    return mixed_bound(phis, log_rows, w, alpha, m, offset), gamma, xi


def fast(log_rows, w, parameters, y=None, tolerance=1e-12):
    """The same with one phi for the whole row: one observation of the mean log-likelihood."""
    m = sum(w)
    alpha = parameters.alpha
    if m == 0:
        return 0.0, list(alpha), None
    mean = [sum(map(mul, w, column)) / m for column in zip(*log_rows)]
    if max(mean) == -math.inf:
        return -math.inf, list(alpha), None
    offset = Offset(parameters, y)

    def counts_at(exponent):
        return [m * p for p in responsibilities(mean, exponent)]

    exponent, gamma, xi = converge(counts_at, alpha, m, offset, tolerance)
    phi = responsibilities(mean, exponent)
    return mixed_bound([phi], [mean], [m], alpha, m, offset), gamma, xi


def single(log_rows, w, parameters, y=None, tolerance=None):
    """Exact; the label is exact too, because the mean indicator is a vertex."""
    if not w:
        return 0.0, list(parameters.pi), None
    scores = [math.log(p) if p > 0 else -math.inf for p in parameters.pi]
    for row, weight in zip(log_rows, w):
        scores = [s + weight * x for s, x in zip(scores, row)]
    offset = Offset(parameters, y)
    if offset.kind is not None:
        scores = [s + v for s, v in zip(scores, offset.vertex)]
    return log_sum_exp(scores), None, None


def exact(log_rows, w, parameters, y=None, tolerance=None):
    """p(x) by multiplying the linear polynomials sum_k l_ok t_k, one per token."""
    alpha = parameters.alpha
    K = len(alpha)
    states = {(0,) * K: 1.0}
    scale = 0.0
    for row, weight in zip(log_rows, w):
        if weight != int(weight):
            raise ValueError("exact needs whole counts")
        top = max(row)
        if top == -math.inf:
            return -math.inf, None, None
        linear = [math.exp(x - top) for x in row]
        for _ in range(int(weight)):
            scale += top
            new = {}
            for state, value in states.items():
                for k in range(K):
                    moved = state[:k] + (state[k] + 1,) + state[k + 1:]
                    new[moved] = new.get(moved, 0.0) + value * linear[k]
            states = new
            largest = max(states.values())
            scale += math.log(largest)
            states = {state: value / largest for state, value in states.items()}
    m = sum(w)
    terms = []
    for state, value in states.items():
        if value > 0:
            term = math.log(value) + log_beta([a + n for a, n in zip(alpha, state)])
            terms.append(term + label_given_counts(parameters, y, state, m))
    return scale + log_sum_exp(terms) - log_beta(alpha), None, None


def label_given_counts(parameters, y, state, m):
    if y is None or parameters.label is None or m == 0 or y not in parameters.label["classes"]:
        return 0.0
    scores = [sum(map(mul, e, state)) / m for e in parameters.label_scores()]
    return scores[parameters.label["classes"].index(y)] - log_sum_exp(scores)


VARIANTS = {"std": standard, "fast": fast, "single": single, "exact": exact}
