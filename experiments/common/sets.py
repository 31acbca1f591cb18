# SPDX-License-Identifier: Apache-2.0
"""The data sets of the papers as words of a medley command, and what is cut out of them."""
import csv
import random

from .work import writing

RATINGS = ["--format", "triplets", "--shrink", 0]  # the papers pull no profile towards the population
# Of Gaussian columns, for every model that is compared by perplexity: one imagined observation of every column in
# every component, distributed as the column is. The papers state no floor of variances; without a prior a component
# can sit on one value of a column, and a single test cell then decides a mean over folds.
PRIOR = ["--shrink", 1]


def data(work, name):
    """The table of a set. Vowel has 11 columns in the papers: ten measurements and, as 0 and 1, the speaker's sex."""
    source = work.source(name, "data.csv")
    if name != "vowel":
        return source
    path = work.file("vowel.csv")
    with open(source, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kept = [c for c in rows[0] if c not in ("part", "speaker")]
    write_triplets(path, kept, [[int(row[c] == "Female") if c == "sex" else row[c] for c in kept] for row in rows])
    return path


def columns(work, name):
    """Of the table, without the class."""
    with open(data(work, name), encoding="utf-8") as file:
        return [c for c in file.readline().strip().split(",") if c != "class"]


def table(work, name, drop=()):
    """A table with every column taken for Gaussian, as in the papers; `class` is left to the caller."""
    words = [data(work, name)]
    for column in drop:
        words += ["--ignore", column]
    for column in columns(work, name):
        if column not in drop:
            words += ["--column", column + "=gaussian"]
    return words


def classes(work, name):
    if name in TEXTS:
        with open(work.source(name, "labels.txt"), encoding="utf-8") as file:
            return len({line.strip() for line in file})
    with open(data(work, name), encoding="utf-8", newline="") as file:
        return len({row["class"] for row in csv.DictReader(file)})


TEXTS = ["classic3", "cmu-diff", "cmu-sim", "cmu-same"]


def text(work, name, label=True):
    words = ["words=" + work.source(name, "docs.ldac")]
    return words + (["class=" + work.source(name, "labels.txt"), "--label", "class"] if label else [])


def triplets(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def write_triplets(path, head, rows):
    with writing(path) as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def user_split(work, name="movielens100k", share=0.1, seed=1):
    """Two files of a rating log: all ratings of nine tenths of the users, and of the others."""
    head, rows = triplets(work.source(name, "ratings.csv"))
    users = sorted({row[0] for row in rows}, key=int)
    random.Random(seed).shuffle(users)
    out = set(users[:round(share * len(users))])
    paths = work.file(f"{name}-train.csv"), work.file(f"{name}-test.csv")
    write_triplets(paths[0], head, [row for row in rows if row[0] not in out])
    write_triplets(paths[1], head, [row for row in rows if row[0] in out])
    return paths
