#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well labels are told: the data sets of the paper on discriminative mixed membership, 10-fold.

    bench/labels.py path/to/medley path/to/data [--sets iris,wine] [--ways default,conditional]
    bench/labels.py path/to/medley path/to/data --missing 0.3 --seeds 10

The data folder holds one folder per set: NAME/data.csv with the label in the column `class`, or
NAME/docs.ldac with NAME/labels.txt. Every figure comes from an ordinary command, which is printed with
--show. Prints Markdown: mean and standard deviation over the folds of the share of test rows told
right, beside what the paper prints and, if scikit-learn is there, multinomial naive Bayes (texts) or
other classifiers (tables) on the same folds.

With --missing a share of the cells is removed at random, once per seed; scikit-learn's classifiers see
the means of the training rows in their place.
"""
import argparse
import csv
import itertools
import json
import os
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

# Name: the paper's mean and sd with K = C (tables 4 and 6: fast), and with its best K (8 and 10).
TABLES = {"iris": ((.9600, .0644), (.9667, .0566)), "pima": ((.6645, .0632), (.7197, .0602)),
          "vowel": ((.6596, .0409), (.7020, .0258)), "wine": ((.9765, .0324), (.9882, .0248)),
          "wpbc": ((.7632, .0832), (.7789, .1024)), "ecoli": ((.8060, .0762), (.8485, .0515)),
          "ionosphere": ((.8031, .1291), (.8943, .0786)), "sonar": ((.6596, .0918), (.8200, .1059)),
          "segment2310": ((.7632, .0507), (.7684, .0418))}
TEXTS = {"classic3": ((.6756, .0234), (.6866, .0245)), "cmu-diff": ((.9800, .0102), (.9823, .0083)),
         "cmu-sim": ((.8653, .0182), (.8718, .0182)), "cmu-same": ((.7900, .0315), (.8468, .0190))}
LEFT_OUT = {"vowel": ["part", "speaker", "sex"]}  # not among the columns of the paper
MORE = (0, 5, 10)  # components beyond the classes in the paper's recipe
FOLDS = 10


def philox(key, counter):
    """Four 32-bit numbers of Philox 4x32-10 (Salmon et al. 2011)."""
    low = 0xFFFFFFFF
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ key[0], b & low, (a >> 32) ^ counter[3] ^ key[1], a & low]
        key = [(key[0] + 0x9E3779B9) & low, (key[1] + 0xBB67AE85) & low]
    return counter


def folds_of(rows, seed=1, folds=FOLDS):
    """The folds that `medley evaluate --folds` draws."""
    numbers = (word for block in itertools.count() for word in philox([seed, 0], [block, 0, 0, 0x56]))
    order = list(range(rows))
    for i in range(rows, 1, -1):
        wide = (next(numbers) << 32) | next(numbers)
        j = min(int(((wide >> 11) + .5) * 2.0**-53 * i), i - 1)
        order[i - 1], order[j] = order[j], order[i - 1]
    fold = [0] * rows
    for i, row in enumerate(order):
        fold[row] = i % folds
    return fold


def read_table(folder, name):
    with open(os.path.join(folder, name, "data.csv"), encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    return lines[0], lines[1:]


def write_table(path, header, lines):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *lines])


class Runs:
    def __init__(self, arguments):
        self.medley, self.data, self.show = os.path.abspath(arguments.medley), arguments.data, arguments.show
        self.more = shlex.split(arguments.more)

    def source(self, name):
        folder = os.path.join(self.data, name)
        if name in TEXTS:
            return ["words=" + os.path.join(folder, "docs.ldac"), "class=" + os.path.join(folder, "labels.txt"),
                    "--label", "class"]
        return self.table(os.path.join(folder, "data.csv"), name)

    @staticmethod
    def table(path, name):
        ignored = [word for column in LEFT_OUT.get(name, []) for word in ("--ignore", column)]
        return [path, "--label", "class", *ignored]

    def classes(self, name):
        if name in TEXTS:
            with open(os.path.join(self.data, name, "labels.txt"), encoding="utf-8") as file:
                return len({line.strip() for line in file})
        header, lines = read_table(self.data, name)
        return len({line[header.index("class")] for line in lines})

    def gaussian(self, name):
        """The paper takes every column of a table for Gaussian."""
        if name in TEXTS:
            return []
        header, _ = read_table(self.data, name)
        columns = [column for column in header if column != "class" and column not in LEFT_OUT.get(name, [])]
        return [word for column in columns for word in ("--column", column + "=gaussian")]

    def scores(self, *words):
        command = [self.medley, "evaluate", *words, "--folds", str(FOLDS), "--estimator", "bound", "--json", "--quiet",
                   *self.more]
        if self.show:
            print(shlex.join(command), file=sys.stderr)
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{shlex.join(command)}\n{done.stderr}", file=sys.stderr)
            return None
        test = json.loads(done.stdout)["test"]
        return test["accuracy"]["mean"], test["accuracy"]["sd"], test["log_loss"]["mean"], time.monotonic() - began

    def paper(self, name):
        """The best K of the paper's recipe, picked on the reported figures as the paper does."""
        preset = "fast-dlda" if name in TEXTS else "fast-dmnb"
        tried = [self.scores(*self.source(name), *self.gaussian(name), "--model", preset, "--k",
                             str(self.classes(name) + more), "--eta-start", "auto") for more in MORE]
        tried = [score for score in tried if score]
        return max(tried, default=None)

    def two_step(self, name):
        preset = "fast-lda" if name in TEXTS else "fast-mmnb"
        return self.scores(*self.source(name), *self.gaussian(name), "--model", preset, "--k",
                           str(self.classes(name)), "--two-step")

    def default(self, name):
        return self.scores(*self.source(name), "--k", "auto")

    def conditional(self, name):
        return self.scores(*self.source(name), "--k", "auto", "--objective", "conditional")


WAYS = {"paper": Runs.paper, "two-step": Runs.two_step, "default": Runs.default, "conditional": Runs.conditional}


def measured(score):
    return f"{score[0]:.3f} ± {score[1]:.3f}" if score else "-"


def of_folds(right, fold):
    shares = [statistics.mean(r for r, f in zip(right, fold) if f == each) for each in range(FOLDS)]
    return statistics.mean(shares), statistics.stdev(shares)


def naive_bayes(runs, name):
    """Multinomial naive Bayes of scikit-learn on the same words and folds."""
    try:
        from scipy.sparse import csr_matrix
        from sklearn.naive_bayes import MultinomialNB
    except ImportError:
        return None
    places, words, counts = [], [], []
    with open(os.path.join(runs.data, name, "docs.ldac"), encoding="utf-8") as file:
        for number, line in enumerate(file):
            for pair in line.split()[1:]:
                word, count = pair.split(":")
                places.append(number)
                words.append(int(word))
                counts.append(float(count))
    x = csr_matrix((counts, (places, words)))
    with open(os.path.join(runs.data, name, "labels.txt"), encoding="utf-8") as file:
        y = [line.strip() for line in file]
    return of_folds(*told(lambda: MultinomialNB(), x, y))


def told(make, x, y):
    """Per row whether it was told right by a classifier of the other folds, and the folds."""
    import numpy
    y = numpy.array(y)
    fold = numpy.array(folds_of(len(y)))
    right = numpy.zeros(len(y))
    for each in range(FOLDS):
        learnt = make().fit(x[fold != each], y[fold != each])
        right[fold == each] = learnt.predict(x[fold == each]) == y[fold == each]
    return list(right), list(fold)


def classifiers():
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    kinds = {"logistic regression": lambda: LogisticRegression(max_iter=1000), "SVC": SVC,
             "random forest": lambda: RandomForestClassifier(random_state=1),
             "Gaussian naive Bayes": lambda: GaussianNB(var_smoothing=1e-6)}
    return {name: (lambda kind=kind: make_pipeline(SimpleImputer(), StandardScaler(), kind()))
            for name, kind in kinds.items()}


def sklearn_of_table(name, header, lines):
    """Accuracies of scikit-learn's classifiers, empty cells filled by means; none without scikit-learn."""
    try:
        import numpy
        kinds = classifiers()
    except ImportError:
        return {}
    columns = [i for i, column in enumerate(header) if column != "class" and column not in LEFT_OUT.get(name, [])]
    x = numpy.array([[float(line[i]) if line[i] not in ("", "?", "NA") else numpy.nan for i in columns]
                     for line in lines])
    y = [line[header.index("class")] for line in lines]
    return {kind: of_folds(*told(make, x, y)) for kind, make in kinds.items()}


def with_gaps(lines, header, share, seed):
    draw = random.Random(seed)
    target = header.index("class")
    return [[cell if i == target or draw.random() >= share else "" for i, cell in enumerate(line)] for line in lines]


def print_missing(runs, names, arguments):
    """Mean over the seeds of the accuracies, with the standard deviation over the seeds."""
    head = None
    with tempfile.TemporaryDirectory(prefix="medley-labels-") as folder:
        for name in names:
            header, lines = read_table(runs.data, name)
            found = {}
            for seed in range(1, arguments.seeds + 1):
                gaps = with_gaps(lines, header, arguments.missing, seed)
                path = os.path.join(folder, "gaps.csv")
                write_table(path, header, gaps)
                for way in arguments.ways:
                    words = ["--objective", "conditional"] if way == "conditional" else []
                    score = runs.scores(*Runs.table(path, name), "--k", "auto", *words)
                    if score:
                        found.setdefault("medley " + way, []).append(score[0])
                for kind, score in sklearn_of_table(name, header, gaps).items():
                    found.setdefault(kind, []).append(score[0])
            if head is None:
                head = list(found)
                print("| set | " + " | ".join(head) + " |\n|" + "---|" * (len(head) + 1))
            spread = [(statistics.mean(v), statistics.stdev(v) if len(v) > 1 else 0) for v in
                      (found.get(kind, []) for kind in head) if v]
            print(f"| {name} | " + " | ".join(measured(score) for score in spread) + " |", flush=True)


def print_accuracies(runs, names, ways):
    others = "multinomial naive Bayes / SVC"
    print("| set | paper, K = C | paper, best K | " + " | ".join(ways) + f" | {others} | seconds |")
    print("|" + "---|" * (len(ways) + 5))
    for name in names:
        printed = {**TABLES, **TEXTS}[name]
        scores = [WAYS[way](runs, name) for way in ways]
        other = naive_bayes(runs, name) if name in TEXTS else \
            sklearn_of_table(name, *read_table(runs.data, name)).get("SVC")
        cells = [measured(score) for score in (*printed, *scores, other)]
        seconds = " / ".join(f"{score[3]:.0f}" if score else "-" for score in scores)
        print(f"| {name} | " + " | ".join(cells) + f" | {seconds} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medley")
    parser.add_argument("data")
    parser.add_argument("--sets", default="")
    parser.add_argument("--ways", default="")
    parser.add_argument("--missing", type=float, default=0)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--more", default="", help="further options for every command, in one word")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    names = arguments.sets.split(",") if arguments.sets else list(TABLES) + ([] if arguments.missing else list(TEXTS))
    ways = arguments.ways.split(",") if arguments.ways else list(WAYS)
    if arguments.missing > 0:
        arguments.ways = [way for way in ways if way in ("default", "conditional")]
        print_missing(Runs(arguments), [name for name in names if name in TABLES], arguments)
    else:
        print_accuracies(Runs(arguments), names, ways)


if __name__ == "__main__":
    main()
