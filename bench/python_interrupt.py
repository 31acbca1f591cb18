#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds from Ctrl-C to KeyboardInterrupt, at random moments of every long call of the Python package.

    bench/python_interrupt.py --data path/to/data [--times 50] [--k 200] [--longest 2] [--only fit,select]

The folder holds 20news (docs.ldac.gz, docs.tsv.gz, vocab.txt), adult (data.csv.gz) and movielens100k (ratings.csv). Prints for
every call how often it was interrupted, the median and the worst seconds until KeyboardInterrupt, and the worst until the work
itself had ended. A call that is over before the signal does not count, and is given shorter waits. Needs pandas and scipy.
"""
import argparse
import os
import pathlib
import random
import signal
import statistics
import tempfile
import threading
import time
import warnings

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from streams import corpus

import medley
from medley import _core


def counts_of(path):
    _, lines, words = corpus(str(path))
    cells = [(i, *map(int, pair.split(":"))) for i, line in enumerate(lines) for pair in line.split()[1:]]
    row, word, count = (np.array(column) for column in zip(*cells))
    return csr_array((count, (row, word)), shape=(len(lines), len(words))), words


def calls(data, k, folder):
    """Name -> a call that takes long; what it needs is made here."""
    counts, words = counts_of(data / "20news")
    news = pd.read_csv(data / "20news/docs.tsv.gz", sep="\t", quoting=3, dtype=str, keep_default_na=False)
    texts = list(news["text"])
    adult = pd.read_csv(data / "adult/data.csv.gz", skipinitialspace=True)
    ratings = medley.triplets(pd.read_csv(data / "movielens100k/ratings.csv"), row="user", item="item", value="value")
    files = {"docs": data / "20news/docs.ldac.gz"}
    rows = medley.dataset(counts, vocabulary=words)
    table = medley.dataset(adult)
    endless = {"max_iterations": 10**6, "tolerance": 1e-30}
    topics = medley.fit(rows, k=k, model="lda", init="random", max_iterations=1)
    profiles = medley.fit(table, k=20, max_iterations=2)
    classes = medley.fit(medley.dataset(adult, label="class"), k=10, max_iterations=2)
    taste = medley.fit(ratings, k=10, max_iterations=2)
    log = medley.dataset(ratings)
    wide = pd.DataFrame({f"q{j}": np.random.default_rng(j).choice(["never", "rarely", "often"], 400_000) for j in range(8)})

    short = medley.dataset(wide)

    def fit(what=rows, **options):
        size = {} if options.get("model") == "dp-mixture" else {"k": k if what is rows else 20}
        return lambda: medley.fit(what, **{**size, **endless, **options})

    return {
        "dataset: texts": lambda: medley.dataset(texts, stop_words="english", stem="english"),
        "dataset: a wide table": lambda: medley.dataset(wide),
        "dataset: Arrow": lambda: medley.dataset(_Arrow(wide)),
        "dataset: counts": lambda: medley.dataset(counts),
        "read": lambda: medley.read(files, vocab=data / "20news/vocab.txt"),
        "schema": lambda: medley.schema(texts),
        "stream": lambda: medley.stream(texts, folder / "texts.stream"),
        "fit: collapsed": fit(), "fit: lda": fit(model="lda"), "fit: fast-lda": fit(model="fast-lda"),
        "fit: online-lda": fit(model="online-lda", passes=10**6, max_iterations=None, tolerance=None),
        "fit: minibatches": fit(batch=500, passes=10**6, max_iterations=None, tolerance=None),
        "fit: posteriors": fit(model="lda", estimate="vb"), "fit: single": fit(membership="single"),
        "fit: gamma": fit(membership="gamma"), "fit: correlated": fit(membership="correlated"),
        "fit: table": fit(table), "fit: exact": fit(short, k=3, inference="exact"), "fit: label": fit(
            medley.dataset(adult, label="class")), "fit: ratings": fit(log),
        "fit: gibbs": lambda: medley.fit(table, k=5, model="gom-bayes"),
        "fit: dp-mixture": lambda: medley.fit(table, model="dp-mixture"),
        "update": lambda: topics.update(rows, batch=500, passes=1000),
        "select": lambda: medley.select(rows, k=[20, 30], **endless),
        "cross_validate": lambda: medley.cross_validate(rows, k=20, **endless),
        "transform": lambda: topics.transform(rows),
        "transform: intervals": lambda: topics.transform(rows, intervals=0.9),
        "evaluate": lambda: topics.evaluate(rows), "evaluate: completion": lambda: topics.evaluate(
            rows, estimator="completion"),
        "evaluate: left-to-right": lambda: topics.evaluate(rows, estimator="left-to-right"),
        "evaluate: hidden cells": lambda: profiles.evaluate(table, holdout_cells=0.1),
        "quality": lambda: topics.quality(rows), "similar": lambda: topics.similar(rows, rows=list(range(200))),
        "correlations": lambda: topics.correlations(rows), "groups": lambda: profiles.groups(adult, by="education"),
        "impute": lambda: profiles.impute(adult), "predict_proba": lambda: classes.predict_proba(adult),
        "explain": lambda: classes.explain(adult), "recommend": lambda: taste.recommend(log),
        "bootstrap": lambda: topics.bootstrap(rows, replicates=100), "absolute_fit": lambda: topics.absolute_fit(rows),
        "diagnose": lambda: topics.diagnose(rows), "report": lambda: topics.report(rows),
        "simulate": lambda: topics.simulate(200_000), "compare": lambda: medley.compare(topics, topics, rows),
        "to_bytes": topics.to_bytes, "to_json": topics.to_json,
    }


class _Arrow:
    """A table that can be had by the Arrow stream interface alone."""

    def __init__(self, frame):
        import pyarrow
        self.table = pyarrow.Table.from_pandas(frame, preserve_index=False)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def once(call, wait):
    """Seconds until KeyboardInterrupt, and until the work had ended; None if the call was over before."""
    sent, over = [], threading.Event()

    def press():
        if not over.is_set():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(wait, press)
    raised = None
    timer.start()
    try:
        try:
            call()
        except KeyboardInterrupt:
            raised = time.perf_counter()
        over.set()
        timer.cancel()
        timer.join()
        time.sleep(0.001)  # a signal that came too late is raised here
    except KeyboardInterrupt:
        return None
    if raised is None:
        return None
    _core.end_left_work()
    return raised - sent[0], time.perf_counter() - sent[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--k", type=int, default=200)
    parser.add_argument("--longest", type=float, default=2.0)
    parser.add_argument("--only", default="", help="begin so")
    a = parser.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell started us in the background
    rng = random.Random(1)
    print(f"{'call':26} {'signals':>7} {'median s':>8} {'worst s':>8} {'work ended s':>12}", flush=True)
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, call in calls(a.data, a.k, pathlib.Path(folder)).items():
            if not any(name.startswith(wanted) for wanted in a.only.split(",")):
                continue
            longest, found, tries = a.longest, [], 0
            while len(found) < a.times and tries < 4 * a.times:
                tries += 1
                wait = rng.uniform(0.005, longest)
                got = once(call, wait)
                if got is None:
                    longest = max(0.01, min(longest, wait))
                else:
                    found.append(got)
            usable = medley.fit({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20}, k=2).k == 2
            if not found:
                print(f"{name:26} is over at once", flush=True)
                continue
            seconds, ended = zip(*found)
            late += sum(s > 0.5 for s in seconds)
            print(f"{name:26} {len(found):7} {statistics.median(seconds):8.3f} {max(seconds):8.3f} {max(ended):12.3f}"
                  f"{'' if usable else '  UNUSABLE AFTERWARDS'}", flush=True)
    print(f"{late} later than half a second")


if __name__ == "__main__":
    main()
