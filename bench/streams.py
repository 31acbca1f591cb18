#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Topics learnt in minibatches, ours and others', scored by the same code on the same documents.

    bench/streams.py path/to/medley path/to/kos path/to/ap [--k 20,50] [--models online-lda,bayesian-nmf]

Every DATA is a folder with docs.ldac (or docs.ldac.gz, or docword.*.txt[.gz]) and vocab.txt, or such a file with its
vocabulary beside it. One seeded split of the documents serves everybody. Each model makes the same number of passes
with the same batch size, t0 and kappa. gensim's LdaModel and scikit-learn's LatentDirichletAllocation (online) take
part where they are installed (--peers none leaves them out); their topics come back through `medley import-topics
--alpha fitted`, and `medley evaluate --estimator completion --threefold` scores all: nats per word of each third of a
held-out document given the others. Seconds are those of fitting, without reading; memory is the peak of the process.

Time-matched: ours again with as many passes as fit into the time that scikit-learn took (at least 1, at most 50).
Prints a Markdown table; --csv FILE writes the figures with a header.
"""
import argparse
import csv
import glob
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

FIELDS = ["corpus", "k", "model", "passes", "batch", "t0", "kappa", "seconds", "nats_per_word", "error", "peak_mb",
          "matched_passes", "matched_seconds", "matched_nats_per_word"]
MOST_PASSES = 50


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def text_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return file.read()


def docword_lines(text):
    """The documents of a UCI docword file as lines of LDA-C."""
    numbers = text.split()
    documents = [[] for _ in range(int(numbers[0]))]
    for i in range(3, len(numbers), 3):
        documents[int(numbers[i]) - 1].append(f"{int(numbers[i + 1]) - 1}:{numbers[i + 2]}")
    return [" ".join([str(len(d)), *d]) for d in documents]


def corpus(path):
    """Name, documents as lines of LDA-C, words."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    found = [path] if os.path.isfile(path) else [
        name for pattern in ("docs.ldac", "docs.ldac.gz", "docword.*.txt", "docword.*.txt.gz")
        for name in sorted(glob.glob(os.path.join(folder, pattern)))]
    vocabulary = sorted(glob.glob(os.path.join(folder, "*vocab*.txt")))
    if not found or not vocabulary:
        sys.exit(f"{path}: no docs.ldac or docword file with a vocab.txt beside it")
    text = text_of(found[0])
    lines = docword_lines(text) if "docword" in os.path.basename(found[0]) else text.splitlines()
    return os.path.basename(os.path.abspath(folder)), lines, text_of(vocabulary[0]).split("\n")[:-1]


def counts_of(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield [(int(word), float(count)) for word, count in (pair.split(":") for pair in line.split()[1:])]


def gensim_topics(documents, words, o):
    from gensim.models import LdaModel
    bags = [[(word, int(count)) for word, count in document] for document in documents]
    begun = time.perf_counter()
    model = LdaModel(bags, num_topics=o["k"], id2word={i: str(i) for i in range(words)}, chunksize=o["batch"],
                     passes=o["passes"], offset=o["t0"], decay=o["kappa"], eval_every=None, random_state=o["seed"])
    return time.perf_counter() - begun, model.get_topics()


def sklearn_topics(documents, words, o):
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation
    rows, columns, counts = zip(*((row, word, count) for row, d in enumerate(documents) for word, count in d))
    matrix = csr_matrix((counts, (rows, columns)), shape=(len(documents), words))
    model = LatentDirichletAllocation(n_components=o["k"], learning_method="online", batch_size=o["batch"],
                                      max_iter=o["passes"], learning_offset=o["t0"], learning_decay=o["kappa"],
                                      total_samples=len(documents), random_state=o["seed"], n_jobs=o["threads"])
    begun = time.perf_counter()
    for _ in range(o["passes"]):  # fit() would end with a bound over all documents
        model.partial_fit(matrix)
    return time.perf_counter() - begun, model.components_


PEERS = {"gensim": gensim_topics, "scikit-learn": sklearn_topics}


def peer_process(name, train, vocabulary, topics, settings):
    """In a process of its own, so that its peak memory is its own."""
    words = text_of(vocabulary).split("\n")[:-1]
    seconds, weights = PEERS[name](list(counts_of(train)), len(words), json.loads(settings))
    with open(topics, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["word", *(f"topic{k + 1}" for k in range(len(weights)))])
        for v, word in enumerate(words):
            writer.writerow([word, *(repr(float(row[v])) for row in weights)])
    print(json.dumps({"seconds": seconds, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


class Bench:
    def __init__(self, a, folder):
        self.a, self.folder = a, folder
        self.vocabulary = os.path.join(folder, "vocab.txt")
        self.train, self.test = os.path.join(folder, "train.ldac"), os.path.join(folder, "test.ldac")
        self.known = run(a.medley, "models")

    def split(self, lines, words):
        order = list(range(len(lines)))
        random.Random(self.a.seed).shuffle(order)
        held = set(order[:round(len(order) * self.a.test)])
        with open(self.train, "w", encoding="utf-8") as train, open(self.test, "w", encoding="utf-8") as test:
            for i in order:  # shuffled: peers take minibatches in file order
                (test if i in held else train).write(lines[i] + "\n")
        with open(self.vocabulary, "w", encoding="utf-8") as file:
            file.write("".join(word + "\n" for word in words))

    def score(self, model):
        out = json.loads(run(self.a.medley, "evaluate", model, self.test, "--vocab", self.vocabulary, "--estimator",
                             "completion", "--threefold", "--threads", self.a.threads, "--json"))
        return out["log_likelihood"] / out["observations"], out["above_baseline_error"]

    def ours(self, name, k, passes):
        # online-lda is lda in minibatches; versions without that name have it as lda --batch
        preset = "lda" if name == "online-lda" and "online-lda" not in self.known else name
        model = os.path.join(self.folder, "ours.medley")
        a = self.a
        fit = json.loads(run(a.medley, "fit", self.train, "--vocab", self.vocabulary, "--model", preset, "--k", k,
                             "--batch", a.batch, "--passes", passes, "--t0", a.t0, "--kappa", a.kappa, "--seed", a.seed,
                             "--threads", a.threads, "--quiet", "--json", "-o", model))
        # the rest is scoring the training documents, which peers do not do
        seconds = fit.get("seconds_learning", fit["seconds"])
        return {"seconds": seconds, "score": self.score(model), "peak_mb": fit["peak_bytes"] / 2**20}

    def peer(self, name, k, passes):
        a, topics = self.a, os.path.join(self.folder, "topics.csv")
        settings = {"k": k, "batch": a.batch, "passes": passes, "t0": a.t0, "kappa": a.kappa, "seed": a.seed,
                    "threads": a.threads}
        out = json.loads(run(sys.executable, os.path.abspath(__file__), "--peer-process", name, self.train,
                             self.vocabulary, topics, json.dumps(settings)))
        model = os.path.join(self.folder, "theirs.medley")
        run(a.medley, "import-topics", topics, self.train, "--vocab", self.vocabulary, "--alpha", "fitted", "-o", model)
        return {**out, "score": self.score(model)}

    def figures(self, name, k):
        """One row per model; ours matched to the time of scikit-learn if it takes part."""
        a = self.a
        base = {"corpus": name, "k": k, "passes": a.passes, "batch": a.batch, "t0": a.t0, "kappa": a.kappa}
        rows = []
        for who, fit in [(p, self.peer) for p in a.peers] + [(m, self.ours) for m in a.models]:
            out = fit(who, k, a.passes)
            row = {**base, "model": who, "seconds": out["seconds"], "nats_per_word": out["score"][0],
                   "error": out["score"][1], "peak_mb": out["peak_mb"]}
            limit = next((r["seconds"] for r in rows if r["model"] == "scikit-learn"), None)
            if who in a.models and limit is not None:
                passes = min(MOST_PASSES, max(1, int(a.passes * limit / out["seconds"])))
                matched = out if passes == a.passes else self.ours(who, k, passes)
                row.update(matched_passes=passes, matched_seconds=matched["seconds"],
                           matched_nats_per_word=matched["score"][0])
            rows.append(row)
            print(shown(row), flush=True)
        return rows


def shown(row):
    cells = []
    for field in FIELDS:
        value = row.get(field, "")
        digits = 4 if "nats" in field or field == "error" else 1
        cells.append(f"{value:.{digits}f}" if isinstance(value, float) and field not in ("t0", "kappa") else str(value))
    return "| " + " | ".join(cells) + " |"


def words(text):
    return [word for word in text.split(",") if word and word != "none"]


def main():
    if sys.argv[1:2] == ["--peer-process"]:
        peer_process(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medley")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--k", default="50", help="numbers of topics: 20,50")
    parser.add_argument("--models", type=words, default=["online-lda"], help="presets: online-lda,bayesian-nmf")
    parser.add_argument("--peers", type=words, default=list(PEERS), help="gensim,scikit-learn or none")
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--t0", type=float, default=16)
    parser.add_argument("--kappa", type=float, default=0.7)
    parser.add_argument("--test", type=float, default=0.1, help="share of the documents held out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--csv")
    a = parser.parse_args()
    a.medley = os.path.abspath(a.medley)
    print("| " + " | ".join(FIELDS) + " |\n|" + "---|" * len(FIELDS))
    rows = []
    for path in a.data:
        name, lines, vocabulary = corpus(path)
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(a, folder)
            bench.split(lines, vocabulary)
            for k in map(int, a.k.split(",")):
                rows += bench.figures(name, k)
    if a.csv:
        with open(a.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
