#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our LDA and that of scikit-learn on held-out documents, scored by the same code.

    bench/topics_sklearn.py path/to/medley train.ldac test.ldac vocab.txt [--k 20] [--iterations 50]
        [--methods online,batch] [--same-priors]

Fits both to the training documents, imports the other's topics with `medley import-topics` (alpha
fitted to the training documents for both), and prints for each, as Markdown: nats per word above the
unigram baseline by completion of halves, its standard error, the difference to ours with the
standard error of paired documents, nats per word from left to right, and the seconds of the fit.
With --same-priors alpha is 1/K and the smoothing of topics 1/K for both, the defaults of scikit-learn.
Needs scikit-learn.
"""
import argparse
import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import time


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def counts(path, words):
    from scipy.sparse import csr_matrix
    rows, columns, values = [], [], []
    number = 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file):
            for pair in line.split()[1:]:
                word, count = pair.split(":")
                rows.append(number)
                columns.append(int(word))
                values.append(int(count))
    return csr_matrix((values, (rows, columns)), shape=(number + 1, len(words)))


def theirs(method, arguments, words, folder):
    """Fits, writes the topics, imports them; returns the model file and the seconds of the fit."""
    from sklearn.decomposition import LatentDirichletAllocation
    data = counts(arguments.train, words)
    begun = time.monotonic()
    lda = LatentDirichletAllocation(arguments.k, learning_method=method, max_iter=arguments.iterations,
                                    random_state=1, n_jobs=-1).fit(data)
    seconds = time.monotonic() - begun
    topics = os.path.join(folder, method + ".csv")
    with open(topics, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(words)
        writer.writerows(lda.components_.tolist())
    model = os.path.join(folder, method + ".medley")
    run(arguments.medley, "import-topics", topics, arguments.train, "--vocab", arguments.vocab,
        "--alpha", str(1 / arguments.k) if arguments.same_priors else "fitted", "-o", model)
    return model, seconds


def ours(arguments, folder):
    model = os.path.join(folder, "ours.medley")
    begun = time.monotonic()
    run(arguments.medley, "fit", arguments.train, "--vocab", arguments.vocab, "--k", str(arguments.k),
        "--model", "lda", "--quiet", "-o", model,
        *(("--alpha", "fixed:1/K", "--smoothing", str(1 / arguments.k)) if arguments.same_priors else ()))
    return model, time.monotonic() - begun


def score(arguments, model):
    """Nats above the baseline with their error; per document: words predicted and their score; nats per word from left
    to right."""
    base = [arguments.medley, "evaluate", model, arguments.test, "--vocab", arguments.vocab, "--estimator"]
    total = json.loads(run(*base, "completion", "--json"))
    rows = csv.DictReader(io.StringIO(run(*base, "completion", "--per-row")))
    pairs = [(float(row["observations"]), float(row["log_likelihood"])) for row in rows]
    along = json.loads(run(*base, "left-to-right", "--samples", "100", "--json"))
    return total["above_baseline"], total["above_baseline_error"], pairs, along["log_likelihood"] / along["observations"]


def difference(a, b):
    """Mean of b - a per word, and its standard error over documents."""
    words = sum(m for m, _ in a)
    mean = sum(y - x for (_, x), (_, y) in zip(a, b)) / words
    squares = sum((y - x - mean * m) ** 2 for (m, x), (_, y) in zip(a, b))
    return mean, math.sqrt(squares) / words


def main():
    parser = argparse.ArgumentParser()
    for name in ("medley", "train", "test", "vocab"):
        parser.add_argument(name)
    parser.add_argument("--k", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=50)
    parser.add_argument("--methods", default="online,batch")
    parser.add_argument("--same-priors", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.vocab, encoding="utf-8") as file:
        words = file.read().split()
    with tempfile.TemporaryDirectory() as folder:
        reference, seconds = ours(arguments, folder)
        above, error, base, along = score(arguments, reference)
        print("| topics of | nats per word above unigrams | less ours | left to right | seconds |\n|---|---|---|---|---|")
        print(f"| medley fit | {above:.4f} +- {error:.4f} | | {along:.4f} | {seconds:.1f} |", flush=True)
        for method in arguments.methods.split(","):
            model, seconds = theirs(method, arguments, words, folder)
            above, error, pairs, along = score(arguments, model)
            less, less_error = difference(base, pairs)
            print(f"| scikit-learn, {method}, {arguments.iterations} passes | {above:.4f} +- {error:.4f} "
                  f"| {less:+.4f} +- {less_error:.4f} | {along:.4f} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
