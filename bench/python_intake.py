#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: getting a table of categories in, and a fit against the command line.

    python bench/python_intake.py [--rows 1000000] [--fit-rows 50000] [--program build/release/medley]

Needs the package medley, polars, pandas and psutil.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import warnings

import numpy as np
import polars as pl
import psutil

import medley
from medley import _core


class Peak:
    """The most memory that this process held meanwhile, above what it had."""

    def __enter__(self):
        self.process, self.on = psutil.Process(), True
        self.before = self.most = self.process.memory_info().rss
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def watch(self):
        while self.on:
            self.most = max(self.most, self.process.memory_info().rss)
            time.sleep(0.005)

    def __exit__(self, *_):
        self.on = False
        self.thread.join()
        self.extra = self.most - self.before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--fit-rows", type=int, default=50_000)
    parser.add_argument("--program", default="build/release/medley")
    a = parser.parse_args()
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(1)
    levels = np.array(["never", "rarely", "sometimes", "often"])
    codes = {f"q{j}": rng.integers(4, size=a.rows) for j in range(20)}
    frames = {"polars Categorical": pl.DataFrame({n: pl.Series(levels[c], dtype=pl.Categorical) for n, c in codes.items()}),
              "polars String": pl.DataFrame({n: levels[c] for n, c in codes.items()}),
              "polars Int8": pl.DataFrame({n: c.astype(np.int8) for n, c in codes.items()})}
    print(f"{a.rows} rows x 20 columns")
    for name, frame in frames.items():
        size = frame.estimated_size() / 1e6
        with Peak() as peak:
            begun = time.perf_counter()
            table = _core.Table.from_arrow(frame.__arrow_c_stream__(), "text")
            took = time.perf_counter() - begun
        inside = peak.extra / 1e6
        del table
        with Peak() as peak:
            begun = time.perf_counter()
            data = medley.dataset(frame)
            whole = time.perf_counter() - begun
        print(f"{name:20s} frame {size:6.0f} MB | into the core {took:5.2f} s, {inside:5.0f} MB | "
              f"encoded {whole:5.2f} s, peak {peak.extra / 1e6:5.0f} MB")
        del data
    if not os.path.exists(a.program):
        return
    frame = frames["polars String"].head(a.fit_rows)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "t.csv"
        frame.write_csv(path)
        seconds, busy = {"program": [], "Python": []}, {"program": [], "Python": []}

        def timed(name, work):
            begun, spent = time.perf_counter(), sum(os.times()[:4])
            out = work()
            seconds[name].append(time.perf_counter() - begun)
            busy[name].append(sum(os.times()[:4]) - spent)
            return out

        words = [a.program, "fit", path, "--k", "4", "--max-iterations", "60", "--quiet", "-o", path.with_suffix(".m")]
        for _ in range(3):
            timed("program", lambda: subprocess.run(words, check=True, capture_output=True))
            model = timed("Python", lambda: medley.fit(frame, k=4, max_iterations=60))
        same = model.to_bytes() == path.with_suffix(".m").read_bytes()
        print(f"fit of {a.fit_rows} rows, K=4: program {min(seconds['program']):.2f} s (processor {min(busy['program']):.2f}), "
              f"Python {min(seconds['Python']):.2f} s ({min(busy['Python']):.2f}), {'same bytes' if same else 'OTHER BYTES'}")


if __name__ == "__main__":
    main()
