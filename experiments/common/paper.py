# SPDX-License-Identifier: Apache-2.0
"""The results of one paper: a verdict for every claim, by a rule, with the figures it rests on.

The verdicts are those of VERDICTS and no others. `judge` turns what the figures say into one of them, so that another
run may come to another verdict.
"""
import json
import math
import os

from .work import NotKept

VERDICTS = ["holds", "holds with a difference", "holds on a stand-in", "does not hold", "cannot be tested here"]
KINDS = ["theory", "simulation", "real data", "stand-in"]
UNTESTED = VERDICTS[4]
MODES = ["quick", "full"]


def judge(holds, whole=True, stand_in=False):
    """holds: the claim's main statement is seen; whole: so is all the rest of it; stand_in: on other data."""
    if not holds:
        return VERDICTS[3]
    if stand_in:
        return VERDICTS[2]
    return VERDICTS[0] if whole else VERDICTS[1]


def short(value, digits=4):
    """Numbers to this many significant digits, in any nest of lists and dictionaries."""
    if isinstance(value, dict):
        return {str(key): short(each, digits) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [short(each, digits) for each in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    value = float(value)
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15 or 1000 <= abs(value) < 1e15:
        return round(value)
    return float(f"{value:.{digits}g}")


class Paper:
    def __init__(self, name, quick):
        self.name, self.quick = name, quick
        self.claims, self.tables, self.plots, self.slips, self.sizes = [], [], [], [], []

    def claim(self, number, verdict, figures, why, **more):
        """more: printed (figures of the paper, by the same names), better (what our other choices reach)."""
        if verdict not in VERDICTS:
            raise ValueError(verdict)
        self.claims.append({"id": f"C{self.name}-{number:02d}", "verdict": verdict, "figures": short(figures),
                            "why": why, **{key: short(value) for key, value in more.items()}})

    def table(self, title, columns, rows, note=""):
        self.tables.append({"title": title, "columns": columns, "rows": short(rows), "note": note})

    def plot(self, name, kind, title, **data):
        """A figure, drawn from these data by common/svg.py; the file is PAPER-NAME.svg."""
        self.plots.append({"file": f"{self.name}-{name}.svg", "kind": kind, "title": title, **short(data)})

    def size(self, what, quick, full):
        """How large this run is, for its page: "10 folds", and what the other mode takes."""
        self.sizes.append([what, quick, full])

    def slip(self, text):
        self.slips.append(text)

    def part(self, function, *arguments):
        """function(*arguments); with --kept, one whose steps are not all there is left out and its claims stay open."""
        try:
            return function(*arguments)
        except NotKept:
            return None

    def open_claims(self, numbers):
        """Claims that no part judged: their steps have not been run."""
        done = {claim["id"] for claim in self.claims}
        for number in numbers:
            if f"C{self.name}-{number:02d}" not in done:
                self.claim(number, UNTESTED, {}, "Not run: the run was stopped before its steps were done. "
                           f"`experiments/run --quick {self.name} --data DIR` runs them.")

    def tally(self):
        found = {v: sum(c["verdict"] == v for c in self.claims) for v in VERDICTS}
        return ", ".join(f"{n} {v}" for v, n in found.items() if n)

    def write(self, folder):
        mode = "--quick " if self.quick else ""
        result = {"paper": self.name, "command": f"experiments/run {mode}{self.name} --data DIR",
                  "mode": MODES[not self.quick], "sizes": self.sizes,
                      "claims": sorted(self.claims, key=lambda c: c["id"]), "tables": self.tables, "plots": self.plots,
                  "slips": self.slips}
        with open(os.path.join(folder, self.name + ".json"), "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1, ensure_ascii=False)
            file.write("\n")

    def verdicts(self):
        return {claim["id"]: claim["verdict"] for claim in self.claims}


def note_verdicts(path, mode, found):
    """Keeps the verdicts of either mode, so that a page can say where the other mode came to another one."""
    known = {each: {} for each in MODES}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    known[mode].update(found)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({each: dict(sorted(known[each].items())) for each in MODES}, file, indent=1)
        file.write("\n")
