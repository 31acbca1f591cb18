#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collapsed inference against tomotopy's Gibbs sampler: CPU seconds to a held-out score, and the best score.

    bench/collapsed.py path/to/medley path/to/ap path/to/20news --python path/to/python [--k 50,100] [--csv FILE]

Every DATA is a folder with docs.ldac[.gz] and vocab.txt. One seeded split of the documents serves everybody, and
`medley evaluate --estimator completion` scores everybody's topics on the held-out ones: nats per word of one half of a
document given the other. tomotopy runs in the interpreter that --python names, with its own fitted alpha, several
values of eta and of workers, and is read out at several iterations until it levels off; its topics and its alpha come
back through `medley import-topics`. Ours runs to its own end, and is read out at several numbers of sweeps; `standard`
inference (mean field) for comparison.

CPU seconds are user + system: of tomotopy of train() alone; of ours of the whole program, reading the documents and, at
the end, scoring all of them included. Ratios are within one run. Prints Markdown; --csv FILE writes all readings.
"""
import argparse
import csv
import json
import os
import resource
import sys
import tempfile

from streams import corpus, run

FIELDS = ["corpus", "k", "who", "eta", "workers", "iterations", "cpu_seconds", "nats_per_word", "error"]
THEIRS = [20, 50, 100, 200, 400, 700, 1000, 1500, 2000]
OURS = [10, 20, 30, 40, 60, 70, 80, 100]


def tomotopy_process(train, vocabulary, folder, k, workers, eta, iterations, seed):
    """In the interpreter that has tomotopy. Prints a line per reading; writes topics and alpha."""
    import tomotopy
    with open(vocabulary, encoding="utf-8") as file:
        words = file.read().split("\n")[:-1]
    model = tomotopy.LDAModel(k=int(k), seed=int(seed), alpha=0.1, eta=float(eta))
    with open(train, encoding="utf-8") as file:
        for line in file:
            pairs = [pair.split(":") for pair in line.split()[1:]]
            bag = [str(int(word)) for word, count in pairs for _ in range(int(count))]
            if bag:
                model.add_doc(bag)
    model.optim_interval = 10
    done, cpu = 0, 0.0
    for until in map(int, iterations.split(",")):
        before = resource.getrusage(resource.RUSAGE_SELF)
        model.train(until - done, workers=int(workers))
        after = resource.getrusage(resource.RUSAGE_SELF)
        cpu += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        done = until
        used = [words[int(v)] for v in model.used_vocabs]
        path = os.path.join(folder, f"topics{until}.csv")
        with open(path, "w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(used)
            for topic in range(int(k)):
                writer.writerow([repr(float(p)) for p in model.get_topic_word_dist(topic)])
        print(json.dumps({"iterations": until, "cpu": cpu, "topics": path, "words": len(used),
                          "alpha": [float(a) for a in model.alpha]}), flush=True)


class Bench:
    def __init__(self, a, folder):
        self.a, self.folder = a, folder
        self.vocabulary = os.path.join(folder, "vocab.txt")
        self.train, self.test = os.path.join(folder, "train.ldac"), os.path.join(folder, "test.ldac")

    def split(self, lines, words):
        import random
        order = list(range(len(lines)))
        random.Random(self.a.seed).shuffle(order)
        held = set(order[:round(len(order) * self.a.test)])
        train = [lines[i] for i in order if i not in held]
        # words that only held-out documents have are nobody's to predict
        known = {pair.split(":")[0] for line in train for pair in line.split()[1:]}
        self.words = [word for v, word in enumerate(words) if str(v) in known]
        number = {v: str(n) for n, v in enumerate(sorted(known, key=int))}
        for path, chosen in ((self.train, train), (self.test, [lines[i] for i in order if i in held])):
            with open(path, "w", encoding="utf-8") as file:
                for line in chosen:
                    pairs = [pair.split(":") for pair in line.split()[1:]]
                    pairs = sorted((int(number[v]), count) for v, count in pairs if v in number)
                    file.write(" ".join([str(len(pairs)), *(f"{v}:{count}" for v, count in pairs)]) + "\n")
        with open(self.vocabulary, "w", encoding="utf-8") as file:
            file.write("".join(word + "\n" for word in self.words))

    def score(self, model):
        out = json.loads(run(self.a.medley, "evaluate", model, self.test, "--vocab", self.vocabulary, "--estimator",
                             "completion", "--json"))
        return out["log_likelihood"] / out["observations"], out["above_baseline_error"]

    def theirs(self, k, workers, eta):
        iterations = ",".join(str(i) for i in THEIRS if i <= self.a.most)
        done = run(self.a.python, os.path.abspath(__file__), "--tomotopy", self.train, self.vocabulary, self.folder, k,
                   workers, eta, iterations, self.a.seed)
        for reading in map(json.loads, done.splitlines()):
            model = os.path.join(self.folder, "theirs.medley")
            run(self.a.medley, "import-topics", reading["topics"], self.train, "--vocab", self.vocabulary, "--alpha",
                ",".join(repr(x) for x in reading["alpha"]), "-o", model)
            score, error = self.score(model)
            yield {"who": "tomotopy", "eta": eta, "workers": workers, "iterations": reading["iterations"],
                   "cpu_seconds": reading["cpu"], "nats_per_word": score, "error": error}

    def fit(self, k, inference, sweeps):
        model = os.path.join(self.folder, "ours.medley")
        command = [self.a.medley, "fit", self.train, "--vocab", self.vocabulary, "--model", "lda", "--inference",
                   inference, "--k", str(k), "--seed", str(self.a.seed), "--threads", str(self.a.threads), "--quiet",
                   "--json", "-o", model, *self.a.extra]
        if sweeps:
            command += ["--max-iterations", str(sweeps)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = json.loads(run(*command))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return model, out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def ours(self, k, inference, readings):
        for sweeps in readings:
            model, out, cpu = self.fit(k, inference, sweeps)
            score, error = self.score(model)
            eta = round(out.get("smoothing", [0.01])[0], 4)
            yield {"who": inference, "eta": eta, "workers": self.a.threads, "iterations": out["iterations"],
                   "cpu_seconds": cpu, "nats_per_word": score, "error": error}

    def figures(self, name, k):
        rows = []
        runs = [self.theirs(k, workers, eta) for eta in self.a.eta for workers in self.a.workers]
        runs.append(self.ours(k, "collapsed", [*OURS, None]))
        runs.append(self.ours(k, "standard", [None]))
        for readings in runs:
            for row in readings:
                rows.append({"corpus": name, "k": k, **row})
                shown(rows[-1])
        return rows


def shown(row):
    digits = {"cpu_seconds": 2, "nats_per_word": 4, "error": 4}
    print("| " + " | ".join(f"{row[f]:.{digits[f]}f}" if f in digits else str(row[f]) for f in FIELDS) + " |", flush=True)


def verdict(rows):
    """Of one corpus and K: seconds to their best score, and how far ours ends above it."""
    theirs = [row for row in rows if row["who"] == "tomotopy"]
    ours = [row for row in rows if row["who"] == "collapsed"]
    best = max(theirs, key=lambda row: row["nats_per_word"])
    reached = next((row for row in ours if row["nats_per_word"] >= best["nats_per_word"]), None)
    speed = "not reached" if reached is None else f"{best['cpu_seconds'] / max(reached['cpu_seconds'], 1e-3):.1f}"
    return (f"| {best['corpus']} | {best['k']} | {best['nats_per_word']:.4f} in {best['cpu_seconds']:.1f} s | "
            f"{'' if reached is None else format(reached['cpu_seconds'], '.2f')} | {speed} | "
            f"{ours[-1]['nats_per_word']:.4f} in {ours[-1]['cpu_seconds']:.1f} s | "
            f"{ours[-1]['nats_per_word'] - best['nats_per_word']:+.4f} |")


def main():
    if sys.argv[1:2] == ["--tomotopy"]:
        tomotopy_process(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medley")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--python", default=sys.executable, help="an interpreter with tomotopy")
    parser.add_argument("--k", default="50,100")
    parser.add_argument("--workers", default="1,2", type=lambda text: [int(n) for n in text.split(",") if n])
    parser.add_argument("--eta", default="0.01,0.05", type=lambda text: [float(x) for x in text.split(",")])
    parser.add_argument("--most", type=int, default=1000, help="iterations of tomotopy")
    parser.add_argument("--test", type=float, default=0.1, help="share of the documents held out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--extra", default="", type=str.split, help="more options of medley fit")
    parser.add_argument("--csv")
    a = parser.parse_args()
    a.medley, a.python = os.path.abspath(a.medley), os.path.abspath(a.python)
    print("| " + " | ".join(FIELDS) + " |\n|" + "---|" * len(FIELDS))
    rows, verdicts = [], []
    for path in a.data:
        name, lines, words = corpus(path)
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(a, folder)
            bench.split(lines, words)
            for k in map(int, a.k.split(",")):
                rows += bench.figures(name, k)
                verdicts.append(verdict([row for row in rows if (row["corpus"], row["k"]) == (name, k)]))
    print("\n| corpus | K | tomotopy's best | ours there after s | times faster | ours at its end | above |")
    print("|---|---|---|---|---|---|---|\n" + "\n".join(verdicts))
    if a.csv:
        with open(a.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
