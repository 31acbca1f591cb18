# SPDX-License-Identifier: Apache-2.0
"""The few special functions the oracle needs, in double precision."""
import math

INFINITY = math.inf


def log(x):
    """log with log 0 = -inf."""
    return math.log(x) if x > 0 else -INFINITY


def digamma(x):
    """Recurrence up to x >= 10, then the asymptotic series."""
    shift = 0.0
    while x < 10.0:
        shift -= 1.0 / x
        x += 1.0
    r = 1.0 / (x * x)
    series = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (
        1 / 132 - r * (691 / 32760 - r / 12))))))
    return shift + math.log(x) - 0.5 / x - series


def log_beta(a):
    """log of the multivariate beta function."""
    return sum(map(math.lgamma, a)) - math.lgamma(sum(a))


def log_sum_exp(a):
    top = max(a)
    if top == -INFINITY:
        return -INFINITY
    return top + math.log(sum(math.exp(x - top) for x in a))


def softmax(a):
    total = log_sum_exp(a)
    return [math.exp(x - total) for x in a]
