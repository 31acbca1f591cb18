# SPDX-License-Identifier: Apache-2.0
"""What the words of a claim mean in figures. The same word means the same in every claim of every paper.

"most" is more than half, "nearly all" nine tenths, "close" a tenth, "clear" two standard errors, and where the paper
prints a count, a range or a factor, that is the threshold.
"""
import math

from .numbers import mean

NEARLY = 0.9
CLOSE = 0.1
ERRORS = 2.0


def most(count, of):
    """More than half."""
    return count > of / 2


def nearly_all(share):
    """At least nine tenths."""
    return share >= NEARLY


def close(ratio):
    """Equal but for a tenth."""
    return abs(ratio - 1) <= CLOSE


def chance_of(wins, of):
    """The probability of at least so many heads of a fair coin (one-sided sign test)."""
    return sum(math.comb(of, n) for n in range(wins, of + 1)) / 2**of


def leans(wins, of):
    """More wins than a fair coin would give in one of twenty trials: the least that is left of an "always"."""
    return chance_of(wins, of) < 0.05


def undecided(wins, of):
    """Neither side has more wins than a fair coin would give in one of twenty trials (two-sided)."""
    return 2 * min(chance_of(wins, of), chance_of(of - wins, of)) >= 0.05


def error_of(values):
    """Standard error of a mean."""
    centre = mean(values)
    return math.sqrt(sum((v - centre)**2 for v in values) / max(1, len(values) - 1) / len(values))


def above(values):
    """The mean is positive by more than two standard errors."""
    return mean(values) > ERRORS * error_of(values)


def half_way(factors, low):
    """In the geometric mean nearer to a printed factor than to none, on the scale of logarithms."""
    return mean([math.log(f) for f in factors]) >= 0.5 * math.log(low)


def ranks_agree(rho, n):
    """A rank correlation that n unrelated pairs would have in fewer than one of twenty trials (one-sided, by Fisher's
    z)."""
    return n > 3 and math.atanh(min(rho, 1 - 1e-12)) * math.sqrt((n - 3) / 1.06) > 1.645
