#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second, independent implementation of the row scores, to check the program from outside.

    oracle.py PARAMETERS.json DATA [--variant std|fast|single] [--exact] [--format csv|ldac|triplets]

prints `id,observations,bound` for every row: the bound from the documented start (phi = 1/K) or, for
`single` and with --exact, the exact log-likelihood. Simple on purpose; needs the standard library only
(numpy, where there is one, makes long rows several times faster).
"""
import argparse
import multiprocessing
import os

from bounds import VARIANTS
from parameters import Parameters
from rows import READERS, read

_state = {}


def _start(parameters, variant, tolerance):
    _state.update(parameters=parameters, score=VARIANTS[variant], tolerance=tolerance)


def _score(distinct):
    observations, y = distinct
    parameters = _state["parameters"]
    log_rows = [parameters.log_row(key) for key, _ in observations]
    weights = [weight for _, weight in observations]
    return _state["score"](log_rows, weights, parameters, y, _state["tolerance"])[0]


def scores(parameters, rows, variant, jobs=None, tolerance=1e-12):
    """[(id, observations, bound)]; equal rows are computed once."""
    distinct = list(dict.fromkeys((observations, y) for _, observations, y in rows))
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(distinct) < 50:
        _start(parameters, variant, tolerance)
        values = [_score(d) for d in distinct]
    else:
        with multiprocessing.Pool(jobs, _start, (parameters, variant, tolerance)) as pool:
            values = pool.map(_score, distinct, chunksize=8)
    value_of = dict(zip(distinct, values))
    return [(name, sum(weight for _, weight in observations), value_of[observations, y])
            for name, observations, y in rows]


def add_options(parser):
    parser.add_argument("--variant", choices=["std", "fast", "single"], default="std")
    parser.add_argument("--format", choices=sorted(READERS), default="csv")
    parser.add_argument("--na", action="append", default=[], help="another word for missing")
    parser.add_argument("--without-label", action="store_true", help="score the cells alone")
    parser.add_argument("--jobs", type=int, help="processes; default: all cores")
    parser.add_argument("--tolerance", type=float, default=1e-12,
                        help="of the fixed point, relative to the row's size")


def main():
    parser = argparse.ArgumentParser(description="Score rows independently of the program.")
    parser.add_argument("parameters")
    parser.add_argument("data")
    parser.add_argument("--exact", action="store_true", help="count recursion; short rows only")
    add_options(parser)
    arguments = parser.parse_args()
    with open(arguments.parameters, encoding="utf-8") as file:
        parameters = Parameters(file.read())
    if arguments.without_label:
        parameters.label = None
    rows = read(parameters, arguments.data, arguments.format, arguments.na)
    variant = "exact" if arguments.exact else arguments.variant
    print("id,observations,bound")
    for name, observations, bound in scores(parameters, rows, variant, arguments.jobs,
                                            arguments.tolerance):
        print(f"{name},{observations:g},{bound:.12g}")


if __name__ == "__main__":
    main()
