# SPDX-License-Identifier: Apache-2.0
"""A parameter file (JSON, as `medley export` prints it) as log-likelihood rows, one per observation.

An observation is a pair (key, weight); `Parameters.log_row(key)` gives its K log-likelihoods.
"""
import json
import math

from special import log

MISSING = {"", "NA", "NaN", "nan", "?", "null", "None"}


def gaussian(c, k, x):
    return -0.5 * math.log(2 * math.pi * c["var"][k]) - (x - c["mu"][k]) ** 2 / (2 * c["var"][k])


def lognormal(c, k, x):
    return gaussian(c, k, math.log(x)) - math.log(x)


def poisson(c, k, x):
    if x < 0:
        raise ValueError(f"{x} is below the shift of a poisson column")
    rate = c["rate"][k]
    return (x * log(rate) if x > 0 else 0.0) - rate - math.lgamma(x + 1)


def exponential(c, k, x):
    return math.log(c["rate"][k]) - c["rate"][k] * x


def geometric(c, k, x):
    return log(c["p"][k]) + (x * log(1 - c["p"][k]) if x > 0 else 0.0)


def gamma(c, k, x):
    a, b = c["shape"][k], c["rate"][k]
    return a * math.log(b) - math.lgamma(a) + (a - 1) * math.log(x) - b * x


NUMERIC = {f.__name__: f for f in (gaussian, lognormal, poisson, exponential, geometric, gamma)}


class Parameters:
    def __init__(self, text):
        self.json = json.loads(text)
        if "vocab" in self.json:
            self.json["bags"] = [{"columns": self.json["vocab"], "p": self.json["p"]}]
        self.columns = self.json.get("columns", [])
        self.bags = self.json.get("bags", [])
        prior = self.json.get("alpha") or self.json.get("pi")
        self.alpha = self.json.get("alpha")
        total = sum(prior)
        self.pi = self.json.get("pi") or [a / total for a in prior]
        self.K = len(prior)
        self.label = self.json.get("label")
        self.index = {c["name"]: j for j, c in enumerate(self.columns)}
        self.words = {}
        for b, bag in enumerate(self.bags):
            for v, word in enumerate(bag["columns"]):
                self.words[word] = (b, v)
        self.word_order = [("w", b, v) for b, bag in enumerate(self.bags)
                           for v in range(len(bag["columns"]))]
        self.rows = {}

    def cell(self, j, text):
        """The key of a cell of column j, or None when it says nothing."""
        column = self.columns[j]
        family = column["family"]
        if family == "bernoulli":
            levels = column.get("levels")
            if levels is None:
                value = float(text)
                if value not in (0.0, 1.0):
                    raise ValueError(f'{text}: column {column["name"]} holds 0 and 1 only')
                return ("c", j, int(value))
            return ("c", j, levels.index(text)) if text in levels else None
        if family == "categorical":
            levels = column.get("levels")
            if levels is None:
                levels = [str(r) for r in range(len(column["p"][0]))]
            return ("c", j, levels.index(text)) if text in levels else None
        return ("c", j, float(text))

    def log_row(self, key):
        row = self.rows.get(key)
        if row is None:
            row = self.rows[key] = self.compute(key)
        return row

    def compute(self, key):
        kind, j, x = key
        if kind == "w":
            return [log(p[x]) for p in self.bags[j]["p"]]
        column = self.columns[j]
        family = column["family"]
        if family == "bernoulli":
            return [log(p if x else 1 - p) for p in column["p"]]
        if family == "categorical":
            return [log(p[x]) for p in column["p"]]
        y = x - column.get("shift", 0)
        return [NUMERIC[family](column, k, y) for k in range(self.K)]

    def label_scores(self):
        """eta with its reference class, C lists of K."""
        return [list(e) for e in self.label["eta"]] + [[0.0] * self.K]
