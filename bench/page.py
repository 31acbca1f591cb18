#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the page on speed from the results of bench/run.

    bench/page.py FOLDER PAGE.md    reads FOLDER/results.csv, and collapsed.csv and memory.csv there if they exist
"""
import csv
import math
import os
import re
import sys

HEAD = """# Speed

`bench/run --data DIR` and `bench/run --page` make this page. Every line is the ratio of two measurements from the same run,
for other tools from the same hour. Machine: {machine}. Times are for one thread unless a line says otherwise, the fastest of
several repetitions.

A unit of work is one cell (a word of a document, an answer) times one component times one sweep of the row. "Inner loop
alone" is the minimum of an E-step, two multiply-adds per unit, by the fastest plain loop we know for this machine; an EM
iteration also gathers, computes digammas and the bound in double, and does the M-step. An iteration can still be faster than
the inner loop: after a few sweeps a row continues with its active components only, to the same optimum
(decisions/0020-active-components.md), and those sweeps count as sweeps. Fast inference and single membership pass over the
cells once, whatever the sweeps, so their unit is one cell times one component; "product alone" is that one pass: one
multiply-add per unit, by the fastest plain loop (decisions/0023-blocked-product.md).
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    machine = lines[0].removeprefix("# machine: ") if lines and lines[0].startswith("#") else ""
    return machine, list(csv.DictReader(line for line in lines if not line.startswith("#")))


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows]


def comparisons(rows):
    """One table per first word of what is compared."""
    groups = {"Kernels": "pass|exp_digamma|accumulate", "An EM iteration": "survey|corpus|ap|20news",
              "New documents": "fold in", "Reading files": "read"}
    for title, pattern in groups.items():
        mine = [r for r in rows if re.match(pattern, r["what"])]
        if not mine:
            continue
        yield f"\n## {title}\n"
        yield from table(["what", "measured", "against", "times as fast"],
                         [[r["what"], f"{r['measured']}: {r['measured_value']} {r['unit']}",
                           f"{r['against']}: {r['against_value']}", f"{1 / float(r['ratio']):.2f}"] for r in mine])


def slopes(rows):
    """Least-squares slope of log time over log size, for every series of growth_bench."""
    series = {}
    for r in rows:
        if r["what"].startswith("growth with "):
            series.setdefault(r["what"], {})[int(r["measured"])] = float(r["measured_value"])
    if not series:
        return
    yield ("\n## Growth\n\nSlope of the logarithm of the time of an EM iteration over that of the size; 1 is linear. The first rows "
           "sweep over every component,\ncells x K in all; the others, as fits do, over active components, which grows more "
           "slowly.\n")
    lines = []
    for what, times in series.items():
        x = [math.log(size) for size in times]
        y = [math.log(time) for time in times.values()]
        mx, my = sum(x) / len(x), sum(y) / len(y)
        slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
        lines.append([what, f"{min(times)} to {max(times)}", f"{slope:.2f}"])
    yield from table(["what", "sizes", "slope"], lines)


def collapsed(path):
    """Per corpus and K: tomotopy's best, and when ours gets there."""
    _, rows = read(path)
    used = [r for r in rows if r["who"] == "tomotopy"]
    most = max(int(r["iterations"]) for r in used)
    yield ("\n## Time to a held-out score\n\nNats per word of one half of held-out documents given the other half; Medley "
           f"scores all topics. Times are processor seconds, for Medley those of the whole program. tomotopy\n"
           f"fits alpha, runs up to {most} iterations, and is shown at the best of the settings named.\n")
    lines = []
    for key in dict.fromkeys((r["corpus"], r["k"]) for r in rows):
        mine = [r for r in rows if (r["corpus"], r["k"]) == key]
        theirs = max((r for r in mine if r["who"] == "tomotopy"), key=lambda r: float(r["nats_per_word"]))
        settings = "; ".join(f"{name} {', '.join(sorted({r[name] for r in mine if r['who'] == 'tomotopy'}))}"
                             for name in ("eta", "workers"))
        ours = [r for r in mine if r["who"] == "collapsed"]
        last = max(ours, key=lambda r: float(r["cpu_seconds"]))
        there = [r for r in ours if float(r["nats_per_word"]) >= float(theirs["nats_per_word"])]
        first = min(there, key=lambda r: float(r["cpu_seconds"])) if there else None
        lines.append([f"{key[0]} K={key[1]}", settings, f"{float(theirs['nats_per_word']):.4f}", f"{float(theirs['cpu_seconds']):.1f} s",
                      f"{float(first['cpu_seconds']):.1f} s" if first else "never",
                      f"{float(theirs['cpu_seconds']) / float(first['cpu_seconds']):.0f}" if first else "",
                      f"{float(last['nats_per_word']):.4f}", f"{float(last['cpu_seconds']):.1f} s"])
    yield from table(["corpus", "tomotopy with", "its best", "takes", "Medley reaches it in", "times as fast", "Medley at the end", "takes"],
                     lines)


def memory(path):
    _, rows = read(path)
    yield ("\n## Peak memory\n\nA fit keeps these numbers: cells, rows x K, words x K; with collapsed inference also cells x K, in half "
           "precision above eight million.\n")
    yield from table(["corpus", "inference", "peak", "numbers", "bytes per number"],
                     [[f"{r['corpus']} K={r['k']}", r["inference"], f"{r['peak_megabytes']} MB",
                       f"{r['million_numbers']} million", r["bytes_per_number"]] for r in rows])


def main():
    if len(sys.argv) != 3:
        print("usage: page.py FOLDER PAGE.md", file=sys.stderr)
        return 2
    machine, rows = read(os.path.join(sys.argv[1], "results.csv"))
    lines = [HEAD.format(machine=machine).rstrip("\n"), *comparisons(rows), *slopes(rows)]
    topics = os.path.join(sys.argv[1], "collapsed.csv")
    if os.path.exists(topics):
        lines += collapsed(topics)
    peaks = os.path.join(sys.argv[1], "memory.csv")
    if os.path.exists(peaks):
        lines += memory(peaks)
    with open(sys.argv[2], "w", encoding="utf-8") as page:
        page.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
