#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often `medley select` finds a planted number of profiles.

    bench/select_planted.py path/to/medley [--k 3,5] [--seeds 10] [--rows 3000] [--items 20] [--around 2] [--restarts 2]

Grade of membership: memberships from a Dirichlet with equal alphas that sum to 0.5, answers yes/no, their probabilities
in each profile from Beta(0.4, 0.4). For every seed a table is drawn and K from the planted one minus --around (at least
2) to the planted one plus --around is tried; options after -- are passed on. Prints what each criterion chose.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
import time


def draw(seed, k, rows, items):
    chance = random.Random(seed)
    profile = [[chance.betavariate(0.4, 0.4) for _ in range(items)] for _ in range(k)]
    lines = [",".join(f"q{j + 1}" for j in range(items))]
    for _ in range(rows):
        share = [chance.gammavariate(0.5 / k, 1) for _ in range(k)]
        if sum(share) <= 0:
            share[chance.randrange(k)] = 1.0
        picked = chance.choices(range(k), share, k=items)
        lines.append(",".join("1" if chance.random() < profile[z][j] else "0" for j, z in enumerate(picked)))
    return "\n".join(lines) + "\n"


def choices(medley, folder, seed, k, options):
    with open(f"{folder}/t.csv", "w", encoding="utf-8") as file:
        file.write(draw(seed, k, options.rows, options.items))
    sizes = f"{max(2, k - options.around)}..{k + options.around}"
    words = [medley, "select", "t.csv", "--k", sizes, "--by", "cv,aic,bic", "-o", "choice", "--restarts",
             options.restarts, "--quiet", "--json", *options.more]
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=True)
    found = {}
    for verdict in json.loads(done.stdout)["verdicts"]:
        name = " ".join(filter(None, [verdict["criterion"], verdict.get("basis", "")]))
        found[name] = verdict["best"]["k"]
        if "one_standard_error" in verdict:
            found[name + " 1 s.e."] = verdict["one_standard_error"]["k"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medley")
    parser.add_argument("--k", default="3,5")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--items", type=int, default=20)
    parser.add_argument("--around", type=int, default=2)
    parser.add_argument("--restarts", type=int, default=2)
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:split])
    options.more = sys.argv[split + 1:]
    for k in map(int, options.k.split(",")):
        right = {}
        for seed in range(1, options.seeds + 1):
            begun = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                found = choices(options.medley, folder, seed, k, options)
            for name, chosen in found.items():
                right.setdefault(name, []).append(chosen == k)
            print(f"K = {k}  seed {seed}  {time.monotonic() - begun:.0f} s  {found}", flush=True)
        for name, hits in right.items():
            print(f"K = {k}: {name} right in {sum(hits)} of {len(hits)}", flush=True)


if __name__ == "__main__":
    main()
