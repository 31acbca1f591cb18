# SPDX-License-Identifier: Apache-2.0
"""What another run made of every claim: the page docs/papers/changes.md.

results/before.json keeps the verdicts of an earlier run (its key `run` says which). REASONS are written by hand, a line
for each claim whose verdict is another one now; a change without a line here is shown as not explained.
To start a new comparison: `experiments/run --keep-verdicts "which run this is" all`, and empty REASONS.
"""
import json
import os

BEFORE = "before.json"
UNEXPLAINED = "not explained yet; the claim's page has its figures"
REASONS = {
}


def read(folder):
    path = os.path.join(folder, BEFORE)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def keep(folder, run):
    """Makes the present verdicts those that a later run is compared with."""
    with open(os.path.join(folder, "verdicts.json"), encoding="utf-8") as file:
        verdicts = json.load(file)["quick"]
    with open(os.path.join(folder, BEFORE), "w", encoding="utf-8") as file:
        json.dump({"run": run, "verdicts": verdicts}, file, indent=1)
        file.write("\n")


def lines(before, claims, statements, grid, link):
    """The page without its head. claims: all, as in the results; link: of a claim's name to its page."""
    old = before["verdicts"]
    changed = [c for c in claims if old.get(c["id"]) != c["verdict"]]
    verdicts = list(dict.fromkeys([*old.values(), *(c["verdict"] for c in claims)]))
    moves = [[a, *(sum(old.get(c["id"]) == a and c["verdict"] == b for c in claims) or "" for b in verdicts)]
             for a in verdicts]
    return ["# What changed, claim by claim", "",
            f"Before: {before['run']}. Now: the results of the other pages. {len(changed)} of {len(claims)} verdicts "
            "differ. A reason is a hand-written line; figures are on the claim's own page.", "",
            *grid(["before \\ now", *verdicts], moves), "",
            "## Verdicts that differ", "",
            *grid(["claim", "statement", "before", "now", "why"], [
                [link(c), statements[c["id"]][1], old.get(c["id"]), c["verdict"], REASONS.get(c["id"], UNEXPLAINED)]
                for c in changed]), "",
            "## All claims", "",
            *grid(["claim", "before", "now"], [
                [link(c), old.get(c["id"]), c["verdict"] if c in changed else "the same"] for c in claims])]
