#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What fixing alpha does to the choice of K: a simulation after section 5.4 of the hierarchical Bayesian paper.

    bench/select_alpha.py path/to/medley [--seeds 10] [--documents 3000] [--words 50] [--topics 15] [--length 80]

Documents from LDA with 15 topics over 50 words: alpha 0.05 for every topic, topics from a symmetric Dirichlet (0.1).
Cross-validation with 5 folds over K = 5, 10, ..., 30, once with alpha fitted (one common value), once with alpha = 50/K.
The paper does not state the length of documents, nor alpha and topics: these are ours. Options after -- are passed on.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
import time


def dirichlet(chance, alpha, size):
    draw = [chance.gammavariate(alpha, 1) for _ in range(size)]
    if sum(draw) <= 0:
        draw[chance.randrange(size)] = 1.0
    return draw


def corpus(seed, options):
    chance = random.Random(seed)
    topic = [dirichlet(chance, 0.1, options.words) for _ in range(options.topics)]
    lines = []
    for _ in range(options.documents):
        share = dirichlet(chance, 0.05, options.topics)
        count = {}
        for z in chance.choices(range(options.topics), share, k=options.length):
            word = chance.choices(range(options.words), topic[z])[0]
            count[word] = count.get(word, 0) + 1
        lines.append(" ".join([str(len(count))] + [f"{w}:{c}" for w, c in sorted(count.items())]))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medley")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--documents", type=int, default=3000)
    parser.add_argument("--words", type=int, default=50)
    parser.add_argument("--topics", type=int, default=15)
    parser.add_argument("--length", type=int, default=80)
    parser.add_argument("--k", default="5,10,15,20,25,30")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:split])
    chosen = {"symmetric": [], "fixed:50/K": []}
    for seed in range(1, options.seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/docs.ldac", "w", encoding="utf-8") as file:
                file.write(corpus(seed, options))
            for alpha, found in chosen.items():
                begun = time.monotonic()
                words = [options.medley, "select", "docs.ldac", "--k", options.k, "--by", "cv", "--alpha", alpha,
                         "--restarts", "1", "-o", "c" + alpha[0], "--quiet", "--json", *sys.argv[split + 1:]]
                done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
                verdict = json.loads(done.stdout)["verdicts"][0]
                found.append((verdict["best"]["k"], verdict["one_standard_error"]["k"]))
                print(f"seed {seed}  alpha {alpha}  {time.monotonic() - begun:.0f} s  best, 1 s.e.: {found[-1]}",
                      flush=True)
    for alpha, found in chosen.items():
        best = [k for k, _ in found]
        print(f"alpha {alpha}: best {sorted(best)}, {options.topics} in {best.count(options.topics)} of {len(best)}; "
              f"mean {sum(best) / len(best):.1f}; 1 s.e. {sorted(k for _, k in found)}")


if __name__ == "__main__":
    main()
