# SPDX-License-Identifier: Apache-2.0
"""How much faster fast inference is (tables 5 and 7), and whether that grows with the size of the data."""
import importlib

from common import sets
from common.numbers import spearman
from common.paper import judge

ACCURACY = importlib.import_module("003.accuracy")
PRINTED = importlib.import_module("003.printed")
WHY = ("In this program the standard E-step takes digammas and exponentials once per row and sweep, not once per cell, so that "
       "there is little left to save. Both are run to the same relative growth of their bound.")


def per_iteration(rows):
    """What a sweep saves, and how many more of them there are."""
    longer = sum(r[5] > r[3] for r in rows)
    return (f"Per iteration Fast takes {min(1 / r[7] for r in rows):.2f} to {max(1 / r[7] for r in rows):.2f} of the time, and it needs "
            f"more iterations than standard on {longer} of {len(rows)} sets. ")


def seconds(work, name, words, model, k):
    """Processor seconds of learning, iterations, cells."""
    fitted, taken = work.learning(f"003-time-{name}-{model}", *words, "--model", model, "--k", k, "--eta-start", 10)
    return taken, max(1, fitted["iterations"] - 1), fitted["observations"]


def ratio(work, name, words, kind, k):
    standard, fast = (seconds(work, name, words, model, k) for model in (kind, "fast-" + kind))
    return [name, standard[2], standard[0], standard[1], fast[0], fast[1], standard[0] / fast[0],
            (standard[0] / standard[1]) / (fast[0] / fast[1])]


def simulated(work):
    rows = []
    for n, d in ((200, 10), (200, 200), (4000, 10), (4000, 200)):
        path = work.file(f"003-drawn-{n}-{d}.csv")
        work.run("simulate", "mmnb", "--k", 3, "--columns", f"gaussian:{d}", "-n", n, "-o", path, "--truth", path + ".truth")
        with open(path, encoding="utf-8") as file:
            head, *lines = file.read().splitlines()
        with open(path + ".truth", encoding="utf-8") as file:
            names, *truth = file.read().splitlines()
        start = len(names.split(",")) - 3
        labelled = path.replace(".csv", "-labelled.csv")
        with open(labelled, "w", encoding="utf-8") as file:
            file.write(head + ",class\n")
            for line, row in zip(lines, truth):
                shares = [float(x) for x in row.split(",")[start:]]
                file.write(f"{line},c{shares.index(max(shares))}\n")
        columns = [c for c in head.split(",") if c != "id"]
        words = [labelled, "--label", "class", *(w for c in columns for w in ("--column", c + "=gaussian"))]
        if "id" in head.split(","):
            words += ["--id", "id"]
        rows.append(ratio(work, f"simulated {n} x {d}", words, "dmnb", 3))
    return rows


def tables(work, paper):
    """Claim 4; the rows of the table."""
    rows = [ratio(work, n, ACCURACY.source(work, n), "dmnb", sets.classes(work, n)) for n in ACCURACY.UCI]
    shown = {ACCURACY.UCI[r[0]]: r[6] for r in rows}
    printed = {s: PRINTED.TABLE5[s]["Std DMNB"] / PRINTED.TABLE5[s]["Fast DMNB"] for s in ACCURACY.UCI.values()}
    faster = sum(r[6] > 1 for r in rows)
    paper.claim(4, judge(faster >= 7, shown["Seg"] >= 3 and faster == 9), {"times faster": shown},
                f"Fast is faster on {faster} of 9 tables, {min(shown.values()):.1f} to {max(shown.values()):.1f} times, "
                f"{shown['Seg']:.1f} times on Segmentation. " + per_iteration(rows) + WHY, printed={"times faster": printed})
    return rows, printed


def texts(work, paper):
    """Claim 5; the rows of the table."""
    rows = [ratio(work, n, ACCURACY.source(work, n), "dlda", sets.classes(work, n)) for n in ACCURACY.TEXTS]
    shown = {ACCURACY.TEXTS[r[0]]: r[6] for r in rows}
    printed = {s: PRINTED.TABLE7[s]["Std DLDA"] / PRINTED.TABLE7[s]["Fast DLDA"] for s in ACCURACY.TEXTS.values()}
    least = min(shown.values())
    paper.claim(5, judge(least >= 10, least >= 20), {"times faster": shown},
                f"Fast DLDA is {least:.1f} to {max(shown.values()):.1f} times as fast as standard DLDA here. " + per_iteration(rows) + WHY
                + f" Standard DLDA takes {max(r[2] for r in rows):.1f} s at most; printed are 549 to 2345 s on a machine of "
                "2009.", printed={"times faster": printed},
                better={"standard DLDA, largest seconds": max(r[2] for r in rows)})
    return rows, printed


def by_size(work, paper, found):
    """Claim 15."""
    (tabled, print_uci), (written, print_texts) = found
    drawn = simulated(work)
    rows = tabled + written
    paper.table("Seconds of learning, standard and fast (tables 5 and 7 of the paper)",
                ["set", "cells or words", "standard s", "iterations after the first", "fast s", "iterations", "times faster",
                 "times faster per iteration"], rows + drawn)
    order = spearman([r[1] for r in rows], [r[6] for r in rows])
    step = drawn[3][7] > drawn[0][7]
    key = "rank correlation of cells and times faster, 13 sets"
    paper.claim(15, judge(order > 0.3 and step, order > 0.6), {
        key: order, "simulated, times faster per iteration": {r[0]: r[7] for r in drawn}},
        f"Over 13 sets the rank correlation of size and speed-up is {order:.2f}; per iteration the speed-up on simulated tables "
        f"goes from {drawn[0][7]:.1f} (200 x 10) to {drawn[3][7]:.1f} (4000 x 200). " + (
            "" if order > 0.3 and step else "Both forms touch every cell once per sweep, so the ratio of a sweep does not hang "
            "on the size; what differs from set to set is how many sweeps and iterations each needs."),
        printed={key: spearman([r[1] for r in rows], [*print_uci.values(), *print_texts.values()])})


def run(work, paper):
    found = paper.part(tables, work, paper), paper.part(texts, work, paper)
    if all(found):
        paper.part(by_size, work, paper, found)
