#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an EM step costs scikit-learn and gensim, in the unit of em_bench: ns per cell x K x inner iteration.

    bench/peers.py OUT.json path/to/ap path/to/20news [--k 50,100] [--inner 20]

One thread, float32, batch learning over the whole corpus, every document exactly --inner iterations (a tolerance of
0). The cost of one step is that of three passes less that of one, by two, so that set-up does not count; the faster of
two tries. Run by an interpreter that has scikit-learn and gensim; bench/table.py puts the lines beside those of
em_bench.
"""
import argparse
import json
import os
import sys
import time

from streams import corpus


def counts(lines):
    for line in lines:
        yield [(int(word), int(count)) for word, count in (pair.split(":") for pair in line.split()[1:])]


def seconds(work):
    begun = time.process_time()
    work()
    return time.process_time() - begun


def step_seconds(fit):
    """`fit(passes)` from scratch; what one more pass costs."""
    return min((seconds(lambda: fit(3)) - seconds(lambda: fit(1))) / 2 for _ in range(2))


def scikit_learn(documents, words, k, inner):
    import numpy
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation
    rows, columns, values = zip(*((row, word, count) for row, d in enumerate(documents) for word, count in d))
    matrix = csr_matrix((numpy.array(values, numpy.float32), (rows, columns)), shape=(len(documents), words))

    def fit(passes):
        LatentDirichletAllocation(k, learning_method="batch", max_iter=passes, max_doc_update_iter=inner,
                                  mean_change_tol=0, evaluate_every=-1, random_state=1, n_jobs=1).fit(matrix)
    return step_seconds(fit)


def gensim(documents, words, k, inner):
    import numpy
    from gensim.models import LdaModel

    def fit(passes):
        LdaModel(documents, num_topics=k, id2word={i: str(i) for i in range(words)}, chunksize=len(documents),
                 passes=passes, iterations=inner, gamma_threshold=0, eval_every=None, random_state=1,
                 dtype=numpy.float32)
    return step_seconds(fit)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--k", default="50,100")
    parser.add_argument("--inner", type=int, default=20)
    a = parser.parse_args()
    runs = []
    for path in a.data:
        name, lines, vocabulary = corpus(path)
        documents = list(counts(lines))
        cells = sum(map(len, documents))
        for k in map(int, a.k.split(",")):
            for who, cost in (("scikit-learn", scikit_learn), ("gensim", gensim)):
                took = cost(documents, len(vocabulary), k, a.inner)
                runs.append({"name": f"{name} K={k}/against:{who}", "run_type": "iteration",
                             "items_per_second": cells * k * a.inner / took, "label": "ns per cell x K x sweep",
                             "family_index": len(runs)})
                print(f"{name} K={k} {who}: {took / (cells * k * a.inner) * 1e9:.3f} ns", file=sys.stderr, flush=True)
    with open(a.out, "w", encoding="utf-8") as file:
        json.dump({"context": {"load_avg": list(os.getloadavg())}, "benchmarks": runs}, file, indent=1)


if __name__ == "__main__":
    main()
