#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the program's row bounds with the oracle's.

    compare.py path/to/medley MODEL DATA [--variant std|fast|single] [--format csv|ldac|triplets]

takes the parameters from `medley export MODEL` and the scores from `medley evaluate MODEL DATA
--per-row --estimator bound`, and compares every row. Exit code 0: all agree; 1: some row differs.
"""
import argparse
import csv
import subprocess
import sys

from oracle import add_options, scores
from parameters import Parameters
from rows import read


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(f"compare: exit code {done.returncode} of: {' '.join(command)}")
    return done.stdout


def program_rows(medley, model, data, extra):
    text = output_of([medley, "evaluate", model, data, "--per-row", "--estimator", "bound", *extra])
    return [(r["id"], float(r["observations"]), float(r["log_likelihood"]))
            for r in csv.DictReader(text.splitlines())]


def difference(ours, theirs):
    """Relative to max(1, |bound|); infinite where only one is infinite or not a number."""
    if ours == theirs:
        return 0.0
    gap = abs(ours - theirs) / max(1.0, abs(ours))
    return gap if gap == gap else float("inf")


def compare(expected, found, limit):
    """Prints the worst row; returns whether all rows agree."""
    if len(expected) != len(found):
        print(f"the program scored {len(found)} rows, the data has {len(expected)}")
        return False
    sizes = [(e, f) for e, f in zip(expected, found) if abs(e[1] - f[1]) > 1e-6 * max(1, e[1])]
    if sizes:
        e, f = sizes[0]
        print(f"{len(sizes)} rows differ in observations, first row {f[0]}: "
              f"program {f[1]:g}, oracle {e[1]:g}")
    gaps = [difference(e[2], f[2]) for e, f in zip(expected, found)]
    over = sum(gap > limit for gap in gaps)
    if gaps:
        worst = max(range(len(gaps)), key=gaps.__getitem__)
        print(f"{len(gaps)} rows, {over} differ by more than {limit:g}; worst row {found[worst][0]}: "
              f"program {found[worst][2]:.12g}, oracle {expected[worst][2]:.12g}, "
              f"relative difference {gaps[worst]:.3g}")
        print(f"totals: program {sum(f[2] for f in found):.10g}, "
              f"oracle {sum(e[2] for e in expected):.10g}")
    return not sizes and over == 0


def main():
    parser = argparse.ArgumentParser(description="Compare medley's bounds with the oracle's.")
    parser.add_argument("medley", help="the program")
    parser.add_argument("model")
    parser.add_argument("data")
    parser.add_argument("--limit", type=float, default=1e-5, help="allowed relative difference")
    parser.add_argument("--every", type=int, default=1, help="compare only every N-th row")
    parser.add_argument("--pass", dest="extra", action="append", default=[],
                        help="another argument for `medley evaluate`, e.g. --pass=--id=name")
    add_options(parser)
    arguments = parser.parse_args()
    parameters = Parameters(output_of([arguments.medley, "export", arguments.model]))
    if arguments.without_label:
        parameters.label = None
    rows = read(parameters, arguments.data, arguments.format, arguments.na)
    found = program_rows(arguments.medley, arguments.model, arguments.data, arguments.extra)
    if len(rows) != len(found):
        sys.exit(f"compare: the program scored {len(found)} rows, the data has {len(rows)}")
    rows, found = rows[::arguments.every], found[::arguments.every]
    expected = scores(parameters, rows, arguments.variant, arguments.jobs, arguments.tolerance)
    sys.exit(0 if compare(expected, found, arguments.limit) else 1)


if __name__ == "__main__":
    main()
