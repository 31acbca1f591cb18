#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well each way of inference finds the truth in simulated surveys of 16 yes/no items.

    bench/short_rows.py path/to/medley [--seeds 20] [--rows 2000]

For K = 3 and 5 profiles and a sum of alpha of 0.3 and 1.5: data drawn from a known model, fitted
with every inference, and compared with that model. Prints one line per setting and inference, as
Markdown: the mean distance of the profiles (total variation, averaged over items and matched
profiles; `medley compare`), the mean relative error of the sum of alpha, the log-likelihood above
that of exact inference, and the seconds of a fit.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

INFERENCES = ["exact", "monte-carlo", "standard"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def one(medley, folder, k, total, seed, rows):
    """Per inference: distance of profiles, log of the error of alpha, likelihood, seconds."""
    data = os.path.join(folder, "drawn.csv")
    true = os.path.join(folder, "true.medley")
    run(medley, "simulate", "gom", "--k", str(k), "--columns", "bernoulli:16", "-n", str(rows), "--alpha",
        str(total / k), "--separation", "2.5", "--seed", str(seed), "-o", data, "--model-out", true)
    results = {}
    for inference in INFERENCES:
        model = os.path.join(folder, inference + ".medley")
        fit = json.loads(run(medley, "fit", data, "--schema", data + ".schema.toml", "--k", str(k), "--model",
                             "gom", "--inference", inference, "-o", model, "--json", "--quiet"))
        compared = json.loads(run(medley, "compare", true, model, "--json"))
        likelihood = fit["bound"] if fit["exact"] else fit.get("log_likelihood", math.nan)
        results[inference] = (compared["distance"], abs(math.log(sum(fit["alpha"]) / total)), likelihood,
                              fit["seconds"])
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("medley")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--rows", type=int, default=2000)
    arguments = parser.parse_args()
    medley = os.path.abspath(arguments.medley)
    print("| K | alpha sum | inference | profile distance | error of alpha | log-likelihood against exact | s |")
    print("|---|---|---|---|---|---|---|")
    for k in (3, 5):
        for total in (0.3, 1.5):
            with tempfile.TemporaryDirectory() as folder:
                all_results = [one(medley, folder, k, total, seed, arguments.rows)
                               for seed in range(1, arguments.seeds + 1)]
            for inference in INFERENCES:
                mine = [r[inference] for r in all_results]
                gain = [r[inference][2] - r["exact"][2] for r in all_results]
                mean = [statistics.mean(m[i] for m in mine) for i in range(4)]
                print(f"| {k} | {total} | {inference} | {mean[0]:.4f} | {math.expm1(mean[1]):.0%} | "
                      f"{statistics.mean(gain):+.1f} | {mean[3]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
