#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One corpus, four packages, from Python: lines of code, seconds, held-out score.

    bench/python_peers.py path/to/ap [--k 20] [--only medley,gensim] [--documents 800]

The folder holds docs.ldac (or docs.ldac.gz) and vocab.txt. Every package is given the same list of texts (the words of a
document with blanks between them; words of fewer than 5 training documents are dropped before), in the way of its own first
example. Every tenth document is held out: its words are shuffled and halved, the package says the shares of its topics from
the one half, and the other half is scored under them, by the same lines for all: nats per word above the frequencies of the
words in training. What a user writes is the body of a function with_*, up to `yield` the fit, then the shares; the lines are
counted there. Packages that are not installed are left out. Prints a Markdown table.
"""
import argparse
import collections
import inspect
import math
import random
import time
import warnings

import numpy as np
from streams import corpus


def with_medley(train, half, k):
    import medley
    model = medley.fit(train, k=k)
    yield
    shares = model.shares(half)
    yield [word for _, word in model.features()], model.table().T, shares


def with_scikit_learn(train, half, k):
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer
    vectorizer = CountVectorizer(token_pattern=r"\S+")
    counts = vectorizer.fit_transform(train)
    lda = LatentDirichletAllocation(n_components=k, max_iter=50, random_state=1)
    lda.fit(counts)
    yield
    shares = lda.transform(vectorizer.transform(half))
    topics = lda.components_ / lda.components_.sum(axis=1, keepdims=True)
    yield vectorizer.get_feature_names_out().tolist(), topics, shares


def with_gensim(train, half, k):
    from gensim.corpora.dictionary import Dictionary
    from gensim.models import LdaModel
    split = [text.split() for text in train]
    dictionary = Dictionary(split)
    bags = [dictionary.doc2bow(words) for words in split]
    lda = LdaModel(bags, num_topics=k, id2word=dictionary, passes=20, alpha="auto", eta="auto", random_state=1)
    yield
    gamma, _ = lda.inference([dictionary.doc2bow(text.split()) for text in half])
    shares = gamma / gamma.sum(axis=1, keepdims=True)
    yield [dictionary[i] for i in range(len(dictionary))], lda.get_topics(), shares


def with_tomotopy(train, half, k):
    import tomotopy as tp
    model = tp.LDAModel(k=k, seed=1)
    for text in train:
        model.add_doc(text.split())
    model.train(1000)
    yield
    documents = [model.make_doc(text.split()) for text in half]
    shares, _ = model.infer(documents)
    topics = [model.get_topic_word_dist(t) for t in range(model.k)]
    yield list(model.used_vocabs), np.array(topics), np.array(shares)


PACKAGES = {"medley": with_medley, "scikit-learn": with_scikit_learn, "gensim": with_gensim, "tomotopy": with_tomotopy}


def lines_of(function):
    """What a user writes: the body without the two lines that belong to this script."""
    body = inspect.getsource(function).splitlines()[1:]
    return sum(1 for line in body if line.strip() and not line.strip().startswith("yield"))


def documents(path, most):
    """Name; training texts, halves of held-out documents, the other halves as lists of words."""
    name, lines, vocabulary = corpus(path)
    lines = lines[:most]
    all_words = [[vocabulary[int(w)] for w, n in (pair.split(":") for pair in line.split()[1:]) for _ in range(int(n))]
                 for line in lines]
    train = [words for i, words in enumerate(all_words) if i % 10 != 9]
    found_in = collections.Counter(word for words in train for word in set(words))
    known = {word for word, n in found_in.items() if n >= 5}
    rng = random.Random(1)
    half, rest = [], []
    for words in all_words[9::10]:
        kept = [word for word in words if word in known]
        rng.shuffle(kept)
        if len(kept) >= 10:
            half.append(kept[::2])
            rest.append(kept[1::2])
    train = [[word for word in words if word in known] for words in train]
    return name, [" ".join(words) for words in train if words], [" ".join(words) for words in half], rest


def scores(found, rest, baseline):
    """Of every document, nats above the baseline; a word that a package left out counts as the rarest of the baseline."""
    words, topics, shares = found
    place = {word: i for i, word in enumerate(words)}
    topics, shares = np.asarray(topics, dtype=float), np.asarray(shares, dtype=float)
    out = []
    for share, document in zip(shares, rest):
        total = 0.0
        for word in document:
            p = float(share @ topics[:, place[word]]) if word in place else min(baseline.values())
            total += math.log(p) - math.log(baseline[word])
        out.append(total)
    return np.array(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--k", type=int, default=20)
    parser.add_argument("--documents", type=int, help="take so many of the first ones (default all)")
    parser.add_argument("--only", default=",".join(PACKAGES))
    a = parser.parse_args()
    warnings.simplefilter("ignore")
    name, train, half, rest = documents(a.corpus, a.documents)
    counted = collections.Counter(word for text in train for word in text.split())
    total = sum(counted.values())
    baseline = {word: n / total for word, n in counted.items()}
    size = np.array([len(document) for document in rest])
    print(f"{name}: {len(train)} documents, {total} words, {len(counted)} different ones; {len(rest)} documents held out; "
          f"K = {a.k}\n")
    print("| package | lines | seconds of the fit | of the shares | processor seconds | nats per word above baseline | "
          "less medley |\n|---|---|---|---|---|---|---|", flush=True)
    first = None
    for title, function in PACKAGES.items():
        if title not in a.only.split(","):
            continue
        steps = function(train, half, a.k)
        begun, busy = time.perf_counter(), time.process_time()
        try:
            next(steps)
        except ImportError as error:
            print(f"| {title} | left out: {error} |")
            continue
        fitted = time.perf_counter()
        found = next(steps)
        done, busy = time.perf_counter(), time.process_time() - busy
        above = scores(found, rest, baseline)
        first = above if first is None else first
        less = above - first
        error = np.sqrt(np.sum((less - less.sum() / size.sum() * size) ** 2)) / size.sum()
        print(f"| {title} | {lines_of(function)} | {fitted - begun:.1f} | {done - fitted:.1f} | {busy:.1f} | "
              f"{above.sum() / size.sum():.4f} | {less.sum() / size.sum():+.4f} +- {error:.4f} |", flush=True)


if __name__ == "__main__":
    main()
