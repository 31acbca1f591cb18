#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Peak memory of fits, beside what is to be kept: cells, rows x K and words x K, and with collapsed inference cells x K.

    bench/memory.py path/to/medley path/to/ap path/to/20news [--k 50,100] [--csv FILE]

Every DATA is a folder with docs.ldac[.gz] and vocab.txt. One thread, two iterations: what a fit needs it needs from the
first one on. Bytes per number that stay the same across lines say that memory grows as the numbers do. Prints Markdown.
"""
import argparse
import csv
import os
import subprocess
import tempfile

from streams import corpus

FIELDS = ["corpus", "k", "inference", "peak_megabytes", "million_numbers", "bytes_per_number"]


def peak_bytes(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(" ".join(command))
    return usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medley")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--k", default="50,100")
    parser.add_argument("--csv")
    a = parser.parse_args()
    print("| " + " | ".join(FIELDS) + " |\n|" + "---|" * len(FIELDS))
    rows = []
    for path in a.data:
        name, lines, words = corpus(path)
        cells = sum(int(line.split(" ", 1)[0]) for line in lines)
        with tempfile.TemporaryDirectory() as folder:
            documents, vocabulary = os.path.join(folder, "docs.ldac"), os.path.join(folder, "vocab.txt")
            for file, content in ((documents, lines), (vocabulary, words)):
                with open(file, "w", encoding="utf-8") as out:
                    out.write("".join(line.rstrip("\n") + "\n" for line in content))
            for k in map(int, a.k.split(",")):
                for inference in ("standard", "collapsed"):
                    peak = peak_bytes([a.medley, "fit", documents, "--vocab", vocabulary, "--model", "lda",
                                       "--inference", inference, "--k", str(k), "--threads", "1", "--quiet",
                                       "--max-iterations", "2", "-o", os.path.join(folder, "m.medley")])
                    numbers = cells + (len(lines) + len(words)) * k + (cells * k if inference == "collapsed" else 0)
                    rows.append([name, k, inference, round(peak / 1e6), round(numbers / 1e6, 1),
                                 round(peak / numbers, 1)])
                    print("| " + " | ".join(map(str, rows[-1])) + " |", flush=True)
    if a.csv:
        with open(a.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(FIELDS)
            writer.writerows(rows)


if __name__ == "__main__":
    main()
