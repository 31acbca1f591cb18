#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds from a signal to the end of the program, at random moments of every command.

bench/interrupt.py --data docs.ldac.gz [--k 200] [--times 50] [--only fit-collapsed,evaluate] [--program build/release/medley]
prints for every command how often one signal was enough, the median, the worst, and the most processor seconds that were
spent on it: on a busy machine, or a slow disk, the worst says more of these."""
import argparse
import os
import pathlib
import random
import signal
import statistics
import subprocess
import tempfile
import time


def commands(data, model, k):
    fit = ["fit", data, "--k", k, "--quiet"]
    return {
        "read": ["schema", data],
        "fit-standard": [*fit, "--inference", "standard"],
        "fit-fast": [*fit, "--inference", "fast"],
        "fit-collapsed": [*fit, "--inference", "collapsed"],
        "fit-vb": [*fit, "--inference", "standard", "--estimate", "vb"],
        "fit-minibatches": [*fit, "--batch", "500", "--passes", "20"],
        "fit-single": [*fit, "--membership", "single"],
        "fit-gamma": [*fit, "--membership", "gamma"],
        "fit-correlated": [*fit, "--membership", "correlated"],
        "fit-gibbs": [*fit, "--model", "gom-bayes"],
        "fit-dp": ["fit", data, "--quiet", "--model", "dp-mixture"],
        "transform": ["transform", model, data],
        "evaluate": ["evaluate", model, data],
        "evaluate-left-to-right": ["evaluate", model, data, "--estimator", "left-to-right"],
        "quality": ["evaluate", model, data, "--quality"],
        "select": ["select", data, "--k", "20,30", "--quiet"],
        "bootstrap": ["bootstrap", model, data, "--replicates", "10", "--quiet"],
        "folds": ["evaluate", data, "--k", "20", "--folds", "3", "--quiet"],
        "simulate": ["simulate", model, "-n", "200000"],
        "convert": ["convert", data],
        "similar": ["similar", model, data, "--row", "1"],
    }


OUTPUT = {"fit": "m.medley", "transform": "t.csv", "simulate": "s.ldac", "convert": "c.stream", "select": "folder"}


def processor_seconds(process):
    """Of a program that runs; None once it is gone."""
    try:
        fields = (pathlib.Path("/proc") / str(process.pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields[0] != "Z" else None


def measure(program, words, folder, wait, which):
    """(seconds and processor seconds from the signal to the end, exit code); None if it ended before."""
    process = subprocess.Popen([program, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=wait)
        return None
    except subprocess.TimeoutExpired:
        pass
    begun, before = time.monotonic(), processor_seconds(process) or 0
    process.send_signal(which)
    last = before
    while process.poll() is None:
        last = processor_seconds(process) or last
        time.sleep(0.005)
    return time.monotonic() - begun, last - before, process.returncode


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default="build/release/medley")
    options.add_argument("--data", required=True)
    options.add_argument("--k", default="200")
    options.add_argument("--times", type=int, default=50)
    options.add_argument("--longest", type=float, default=20, help="seconds into a command, at most")
    options.add_argument("--only", default="")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    program, data = str(pathlib.Path(given.program).resolve()), str(pathlib.Path(given.data).resolve())
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        model = str(pathlib.Path(folder) / "given.medley")
        subprocess.run([program, "fit", data, "--k", given.k, "--inference", "fast", "--max-iterations", "5", "-o", model,
                        "--quiet"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(f"{'command':24} {'signals':>7} {'one was enough':>14} {'median':>7} {'worst':>7} {'busy':>8}  codes")
        for name, words in commands(data, model, given.k).items():
            if given.only and name not in given.only.split(","):
                continue
            output = OUTPUT.get(words[0])
            if output:
                words = [*words, "-o", output]
            longest, seconds, busy, codes, tries = given.longest, [], [], {}, 0
            while len(seconds) < given.times and tries < 4 * given.times:
                tries += 1
                which = rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
                wait = rng.uniform(0.01, longest)
                got = measure(program, words, folder, wait, which)
                for left in ("m.medley.checkpoint", "m.medley", "t.csv", "s.ldac", "c.stream"):
                    (pathlib.Path(folder) / left).unlink(missing_ok=True)
                subprocess.run(["rm", "-rf", str(pathlib.Path(folder) / "folder")], check=True)
                if got is None:
                    longest = min(longest, wait)
                    continue
                seconds.append(got[0])
                busy.append(got[1])
                codes[got[2]] = codes.get(got[2], 0) + 1
            if not seconds:
                print(f"{name:24} ended at once")
                continue
            print(f"{name:24} {len(seconds):7} {len(seconds):14} {statistics.median(seconds):7.2f} {max(seconds):7.2f}"
                  f" {max(busy):8.2f}  {codes}", flush=True)


if __name__ == "__main__":
    main()
