# SPDX-License-Identifier: Apache-2.0
"""The data sets of the papers as words of a medley command, and what is cut out of them."""
import csv
import random

from .work import writing

LEFT_OUT = {"vowel": ["part", "speaker", "sex"]}  # not among the columns of the papers
RATINGS = ["--format", "triplets", "--shrink", 0]  # the papers pull no profile towards the population


def header(work, name):
    with open(work.source(name, "data.csv"), encoding="utf-8") as file:
        return file.readline().strip().split(",")


def table(work, name, drop=()):
    """A table with every column taken for Gaussian, as in the papers; `class` is left to the caller."""
    out = [*LEFT_OUT.get(name, []), *drop]
    words = [work.source(name, "data.csv")]
    for column in out:
        words += ["--ignore", column]
    for column in header(work, name):
        if column != "class" and column not in out:
            words += ["--column", column + "=gaussian"]
    return words


def classes(work, name):
    if name in TEXTS:
        with open(work.source(name, "labels.txt"), encoding="utf-8") as file:
            return len({line.strip() for line in file})
    with open(work.source(name, "data.csv"), encoding="utf-8", newline="") as file:
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
