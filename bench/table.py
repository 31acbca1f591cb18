#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins the JSON files of Google Benchmark into one table of comparisons.

    table.py OUT.csv FILE.json...    prints `what, measured, against, ratio`; OUT.csv gets the same in numbers

A benchmark is called WHAT/measured:NAME or WHAT/against:NAME (bench/comparison.hpp). Of the repetitions the
fastest counts: whatever else the machine does only ever makes a run slower (on a busy one threads gain
nothing, so the load is shown). The ratio is the time of what was measured by the time of what it is held
against: below 1 it is faster.
"""
import csv
import json
import os
import platform
import sys


def machine(load):
    """The processor, how many of its cores there are, and how busy they were."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
            models = [line.split(":", 1)[1].strip() for line in cpuinfo if line.startswith("model name")]
        model = models[0] if models else model
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores, load average {load:.1f}"


def fastest(files):
    """{what: {role: {name: (seconds per item or byte, unit)}}}, and the load before the first run."""
    found = {}
    loads = []
    for file in files:
        with open(file, encoding="utf-8") as text:
            report = json.load(text)
        loads += report["context"].get("load_avg", [])[:1]
        # Runs are mixed; this is the order of the source.
        for run in sorted(report["benchmarks"], key=lambda run: run["family_index"]):
            if run["run_type"] != "iteration":
                continue
            if run.get("error_occurred"):
                sys.exit(f'{file}: {run["name"]}: {run.get("error_message", "failed")}')
            what, variant = run["name"].split("/")[:2]
            role, name = variant.split(":", 1)
            rate = run.get("bytes_per_second") or run["items_per_second"]
            names = found.setdefault(what, {"measured": {}, "against": {}})[role]
            names[name] = min(names.get(name, (float("inf"), "")), (1 / rate, run["label"]))
    return found, (loads or [0.0])[0]


def value(seconds, unit):
    return 1e-6 / seconds if unit == "MB/s" else seconds * 1e9


def lines(found):
    """(what, unit, measured, its value, against, its value, ratio) for every pair."""
    for what, roles in found.items():
        for name, (seconds, unit) in roles["measured"].items():
            for other, (other_seconds, _) in roles["against"].items():
                yield (what, unit, name, f"{value(seconds, unit):.4g}", other,
                       f"{value(other_seconds, unit):.4g}", f"{seconds / other_seconds:.3f}")


def main():
    if len(sys.argv) < 3:
        print("usage: table.py OUT.csv FILE.json...", file=sys.stderr)
        return 2
    found, load = fastest(sys.argv[2:])
    rows = list(lines(found))
    with open(sys.argv[1], "w", encoding="utf-8", newline="") as out:
        out.write(f"# machine: {machine(load)}\n")
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["what", "unit", "measured", "measured_value", "against", "against_value", "ratio"])
        table.writerows(rows)
    print(f"Machine: {machine(load)}. Ratio: time measured / time against; below 1 is faster.\n")
    printed = [("what", "measured", "against", "ratio")]
    printed += [(what, f"{name} {number} {unit}", f"{other} {other_number}", ratio)
                for what, unit, name, number, other, other_number, ratio in rows]
    widths = [max(len(row[column]) for row in printed) for column in range(4)]
    for what, measured, against, ratio in printed:
        print(f"{what:{widths[0]}}  {measured:{widths[1]}}  {against:{widths[2]}}  {ratio:>{widths[3]}}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
