#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Planted pairs of topics, found again: how often the sign of a correlation is right, and the area under the ROC curve.

    bench/correlations.py path/to/medley [--seeds 5] [--k 10] [--words 500] [--length 200] [--documents 2000]

For every seed a corpus is simulated in which topics 1 and 2, 3 and 4, ... correlate, a model is fitted, its topics are
matched with the planted ones, and the correlations of all pairs of topics are compared with the planted ones. Only
differences between topics can be seen in data, so the planted locations are centred first. Two ways: the locations of
`correlated-nmf` (30 passes in minibatches of 200 documents), and the memberships of `lda`.
"""
import argparse
import csv
import io
import json
import math
import os
import statistics
import subprocess
import tempfile


STREAM = ["--batch", 200, "--passes", 30, "--init", "random"]


def run(folder, *words):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=True).stdout


def centred_cosines(places):
    middle = [statistics.mean(column) for column in zip(*places)]
    places = [[x - m for x, m in zip(place, middle)] for place in places]
    length = [math.hypot(*place) for place in places]
    return [[sum(x * y for x, y in zip(a, b)) / (la * lb) for b, lb in zip(places, length)]
            for a, la in zip(places, length)]


def area(positive, negative):
    """The chance that a planted pair has the larger correlation."""
    return statistics.mean((p > n) + (p == n) / 2 for p in positive for n in negative)


def compare(truth, found, partner):
    """Signs that agree, and the area under the curve; found[i][j] is of the fit's topics."""
    k = len(truth)
    ours = [[found[partner[i]][partner[j]] for j in range(k)] for i in range(k)]
    pairs = [(i, j) for i in range(k) for j in range(i)]
    signs = statistics.mean((ours[i][j] > 0) == (truth[i][j] > 0) for i, j in pairs)
    planted = [ours[i][j] for i, j in pairs if i // 2 == j // 2]
    others = [ours[i][j] for i, j in pairs if i // 2 != j // 2]
    return signs, area(planted, others)


def once(medley, folder, seed, options):
    run(folder, medley, "simulate", "correlated-nmf", "--k", options.k, "--columns", f"tokens:1x{options.words}",
        "--correlation", options.correlation, "-n", options.documents, "--tokens", options.length, "--seed", seed, "-o",
        "docs.ldac", "--model-out", "true.medley")
    truth = centred_cosines(json.loads(run(folder, medley, "export", "true.medley"))["ell"])
    results = []
    for words, data in ((["--model", "correlated-nmf", *STREAM], []), (["--model", "lda"], ["words=docs.ldac"])):
        run(folder, medley, "fit", "words=docs.ldac", *words, "--k", options.k, "--seed", seed, "--quiet", "-o",
            "m.medley")
        pairs = json.loads(run(folder, medley, "compare", "true.medley", "m.medley", "--json"))["pairs"]
        partner = {pair["a"] - 1: pair["b"] - 1 for pair in pairs}
        table = list(csv.reader(io.StringIO(run(folder, medley, "correlations", "m.medley", *data, "--matrix"))))[1:]
        results.append(compare(truth, [[float(x) for x in row[1:]] for row in table], partner))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medley")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--words", type=int, default=500)
    parser.add_argument("--length", type=int, default=200)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--correlation", type=float, default=0.5)
    options = parser.parse_args()
    medley = os.path.abspath(options.medley)
    print("| seed | correlated-nmf: signs | area | lda memberships: signs | area |\n|---|---|---|---|---|")
    rows = []
    with tempfile.TemporaryDirectory(prefix="medley-correlations-") as folder:
        for seed in range(1, options.seeds + 1):
            rows.append([value for way in once(medley, folder, seed, options) for value in way])
            print(f"| {seed} | " + " | ".join(f"{value:.3f}" for value in rows[-1]) + " |", flush=True)
    print("| mean | " + " | ".join(f"{statistics.mean(column):.3f}" for column in zip(*rows)) + " |")


if __name__ == "__main__":
    main()
