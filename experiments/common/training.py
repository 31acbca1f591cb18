# SPDX-License-Identifier: Apache-2.0
"""Training scores as paper 000 takes them (section 6.2): with the variational parameters that EM ended with.

`medley evaluate` infers all rows anew, from equal shares, and may end elsewhere. The bound where EM left the rows is
`training_bound` in the summary of `medley fit`; programs that do not tell it, and models without variational
parameters, have `bound`. So the training rows of every fold are fitted once more, by themselves: the very fit of that
fold, as nothing of the other rows has a part in it.
"""
import csv
import functools
import hashlib
import json
import math

from .numbers import mean
from .work import writing

MIXED = ("mmnb", "fast-mmnb", "ld-cnb", "lda", "fast-lda")
FOR_SCORES = ("--estimator", "--samples")  # options of evaluate that fit does not have, each with a value


def bound_of(fitted):
    return fitted.get("training_bound", fitted["bound"])


def perplexity_of(fitted):
    return math.exp(-bound_of(fitted) / fitted["observations"])


def units(path, by_user):
    """What precedes the rows of a file, and the lines of every row: one, or all ratings of a user."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if not path.endswith(".csv"):
        return [], [[line] for line in lines]
    if not by_user:
        return lines[:1], [[line] for line in lines[1:]]
    users = {}
    for line, row in zip(lines[1:], csv.reader(lines[1:])):
        users.setdefault(row[0], []).append(line)
    return lines[:1], list(users.values())


@functools.lru_cache(maxsize=None)
def without_fold(work, path, by_user, folds, seed):
    """Files without the rows of a fold, for every fold of `medley evaluate --folds`."""
    from labels import folds_of
    head, rows = units(path, by_user)
    place = folds_of(len(rows), seed, folds)
    stem = hashlib.sha256(work.plain([path])[0].encode()).hexdigest()[:12]
    out = []
    for fold in range(folds):
        out.append(work.file(f"part-{stem}-{seed}-{folds}-{fold}" + path[path.rindex("."):]))
        with writing(out[-1]) as file:
            kept = [line for row, at in zip(rows, place) if at != fold for line in row]
            file.write("\n".join([*head, *kept]) + "\n")
    return out


def fit_words(words):
    """The words of a cross-validation as those of a fit: (files, options, seed)."""
    files = [w for w in words[:2] if not str(w).startswith("--")]
    rest, options, seed = iter(words[len(files):]), [], 1
    for word in rest:
        if word in FOR_SCORES:
            next(rest)
        elif word == "--truth":
            options += ["--label", next(rest), "--head", "none"]
        else:
            if options and options[-1] == "--seed":
                seed = word
            options.append(word)
    return files, options, seed


def own_perplexity(work, words, folds):
    """Mean over the folds of the perplexity of their training rows where EM left them."""
    files, options, seed = fit_words(words)
    parts = []
    for name in files:
        key, path = name.split("=", 1) if "=" in name else ("", name)
        paths = without_fold(work, path, "triplets" in options, folds, seed)
        parts.append([f"{key}={each}" if key else each for each in paths])
    stem = hashlib.sha256(json.dumps(work.plain(words)).encode()).hexdigest()[:12]
    return mean([perplexity_of(work.fit(f"own-{stem}-{folds}-{fold}", *(part[fold] for part in parts), *options))
                 for fold in range(folds)])


def folds(work, *words, folds=10):
    """`medley evaluate --folds`, with the mean perplexity of training rows by the fit's own variational parameters."""
    found = work.folds(*words, folds=folds)
    mixed = any(word in MIXED for word in words) and "bound" in words and "collapsed" not in words
    if mixed:
        found["train"]["perplexity"]["mean"] = own_perplexity(work, words, folds)
    return found
