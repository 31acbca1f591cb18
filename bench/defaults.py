#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `fit` chooses without an option, beside every inference and start that it could have chosen.

    bench/defaults.py path/to/medley --data FOLDER [--folds 3] [--seeds 1,2,3] [--only NAME,...] [--limit 300]

Cross-validates data sets of different shape (surveys, numbers, ratings, counts, tags, genotypes, words, words beside
answers) at the same K and the same folds. All are scored by left-to-right, an estimator that does not depend on how the
model was fitted. Prints a Markdown table: nats per observation above the baseline, held out, larger is better; "-" is not
offered, "long" took more than --limit seconds of processor time (the default may take four times that). The last column
is how far the default is behind the best, in per cent of the held-out log-likelihood. With several seeds (other folds and
starts) figures are means over them, and the last column has that of the means, then that of each seed.
"""
import argparse
import concurrent.futures
import gzip
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile

CHOICES = {
    "default": [],
    "standard": ["--inference", "standard"],
    "standard, single start": ["--inference", "standard", "--init", "single"],
    "fast": ["--inference", "fast"],
    "collapsed": ["--inference", "collapsed"],
    "monte-carlo": ["--inference", "monte-carlo"],
    "exact": ["--inference", "exact"],
}


def first_lines(source, target, lines):
    opened = gzip.open(source, "rt") if source.endswith(".gz") else open(source)
    with opened, open(target, "w") as out:
        for number, line in enumerate(opened):
            if number == lines:
                break
            out.write(line)
    return target


def genotypes(path, rows=400, loci=30, profiles=3, seed=1):
    """Two alleles of each locus, as tags; memberships Dirichlet(0.3)."""
    rng = random.Random(seed)
    tables = [[[rng.gammavariate(0.5, 1) + 1e-9 for _ in range(8)] for _ in range(profiles)] for _ in range(loci)]
    with open(path, "w") as out:
        out.write(",".join(f"locus{j + 1}" for j in range(loci)) + "\n")
        for _ in range(rows):
            share = [rng.gammavariate(0.3, 1) + 1e-12 for _ in range(profiles)]
            cells = []
            for table in tables:
                drawn = [rng.choices(range(8), table[rng.choices(range(profiles), share)[0]])[0] for _ in range(2)]
                cells.append(";".join(f"a{allele}" for allele in drawn))
            out.write(",".join(cells) + "\n")
    return [path] + [word for j in range(loci) for word in ("--column", f"locus{j + 1}=tags")]


def data_sets(folder, work):
    """Name -> K and the arguments that read it."""
    def at(*parts):
        return os.path.join(folder, *parts)

    def cut(name, lines, *parts):
        return first_lines(at(*parts), os.path.join(work, name), lines)

    table = ["--ignore", "class"]
    return {
        "NLTCS, 3,000 rows (16 yes/no)": (5, [cut("nltcs.csv", 3001, "nltcs", "data.csv")]),
        "House votes (16 answers)": (4, [at("votes", "data.csv"), *table]),
        "adult, 3,000 rows (mixed)": (5, [cut("adult.csv", 3001, "adult", "data.csv.gz"), *table]),
        "dermatology (34 ratings)": (6, [at("dermatology", "data.csv"), *table]),
        "wdbc (30 numbers)": (4, [at("wdbc", "data.csv"), *table]),
        "Jester (100 ratings)": (5, [at("jester5k", "dense1000.csv")]),
        "MovieLens, 40,000 ratings": (5, [cut("ml.csv", 40001, "movielens100k", "ratings.csv"), "--format",
                                          "triplets"]),
        "Foodmart, 20,000 counts": (5, [cut("food.csv", 20001, "foodmart", "counts_1998.csv"), "--format", "triplets"]),
        "Cora citations (short tags)": (10, [at("cora", "cites.ldac")]),
        "NIPS referenced authors (tags)": (10, [at("nips12-refs", "refauthors.ldac")]),
        "genotypes (30 x 2 alleles)": (3, genotypes(os.path.join(work, "genotypes.csv"))),
        "ASRS, 3,000 reports (short prose)": (10, [cut("asrs.ldac", 3000, "asrs-tmc2007", "docs.ldac")]),
        "AP (prose)": (20, [at("ap", "docs.ldac")]),
        "politics, text and group": (6, [cut("sim.tsv", 3001, "cmu-sim", "docs.tsv.gz"), "--ignore", "id"]),
    }


def score(medley, k, arguments, choice, folds, limit, seed):
    command = [medley, "evaluate", *arguments, "--k", str(k), "--folds", str(folds), "--seed", seed, "--threads", "1",
               "--estimator", "left-to-right", "--samples", "20", "--json", *choice]
    seconds = int(limit if choice else 4 * limit)
    done = subprocess.run(command, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)))
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "long", None
    if done.returncode != 0:
        return "-", done.stderr.strip()[-200:]
    test = json.loads(done.stdout)["test"]
    return test["nats_per_cell_above_baseline"]["mean"], test["log_likelihood"]["mean"]


def over_seeds(results):
    """Of one choice: the mean of both figures, or why there is none; and the log-likelihood by seed."""
    failed = [result for result in results if isinstance(result[0], str)]
    if failed:
        return failed[0][0], None, failed[0][1]
    above, likelihoods = zip(*results)
    return sum(above) / len(above), sum(likelihoods) / len(likelihoods), likelihoods


def behind(default, others):
    best = max(others)
    return 100 * (best - default) / abs(best)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medley")
    parser.add_argument("--data", required=True)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--seeds", default="1", help="of folds and fits, separated by commas")
    parser.add_argument("--only", default="", help="data sets whose names begin so, separated by commas")
    parser.add_argument("--limit", type=float, default=300, help="processor seconds of a cross-validation")
    arguments = parser.parse_args()
    medley, seeds = os.path.abspath(arguments.medley), arguments.seeds.split(",")
    print("| data | K | " + " | ".join(CHOICES) + " | default behind the best |")
    print("|---" * (len(CHOICES) + 3) + "|", flush=True)
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wanted = [name for name in arguments.only.split(",") if name]
        jobs = {}
        for name, (k, read) in data_sets(arguments.data, work).items():
            if wanted and not any(name.startswith(prefix) for prefix in wanted):
                continue
            jobs[name] = (k, [[pool.submit(score, medley, k, read, choice, arguments.folds, arguments.limit, seed)
                               for seed in seeds] for choice in CHOICES.values()])
        for name, (k, futures) in jobs.items():
            results = [over_seeds([future.result() for future in of_choice]) for of_choice in futures]
            if isinstance(results[0][0], str):
                print(f"{name}: {results[0][0]} {results[0][2] or ''}", file=sys.stderr)
                continue
            scored = [result for result in results if not isinstance(result[0], str)]
            lost = [behind(results[0][1], [mean for _, mean, _ in scored])]
            if len(seeds) > 1:
                lost += [behind(results[0][2][i], [by_seed[i] for _, _, by_seed in scored]) for i in range(len(seeds))]
            cells = [f"{value:.4f}" if not isinstance(value, str) else value for value, _, _ in results]
            of_all, *of_each = [f"{percent:.2f} %" for percent in lost]
            cells.append(of_all + (f" ({', '.join(of_each)})" if of_each else ""))
            print(f"| {name} | {k} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
