# SPDX-License-Identifier: Apache-2.0
"""Small sums over figures: means, ranks, slopes, who wins."""
import math
import statistics

mean = statistics.fmean


def ranks(values):
    """Average ranks, 1 for the smallest."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for i in range(start, end + 1):
            found[order[i]] = (start + end) / 2 + 1
        start = end + 1
    return found


def pearson(a, b):
    ma, mb = mean(a), mean(b)
    top = sum((x - ma) * (y - mb) for x, y in zip(a, b))
    under = math.sqrt(sum((x - ma)**2 for x in a) * sum((y - mb)**2 for y in b))
    return top / under if under > 0 else 0.0


def spearman(a, b):
    return pearson(ranks(a), ranks(b))


def rising(values, slack=0.0):
    """Share of the steps that go up (by more than -slack)."""
    steps = [b - a for a, b in zip(values, values[1:])]
    return sum(step > -slack for step in steps) / len(steps)


def signs(values):
    return [(b > a) - (b < a) for a, b in zip(values, values[1:])]


def quantile(values, share):
    """Linear between the order statistics."""
    found = sorted(values)
    place = share * (len(found) - 1)
    low = int(place)
    high = min(low + 1, len(found) - 1)
    return found[low] + (place - low) * (found[high] - found[low])
