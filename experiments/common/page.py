# SPDX-License-Identifier: Apache-2.0
"""The pages docs/papers/*.md and their figures, from the results files alone.

A page is a function of its results file and of common/statements.py: tests/experiments checks that the committed pages
are what this makes of the committed results.
"""
import json
import os

from . import changes, svg
from .paper import KINDS, MODES, UNTESTED, VERDICTS, short
from .statements import CLAIMS, PAPERS

HEAD = "<!-- SPDX-License-Identifier: Apache-2.0 -->"
MADE = "<!-- Written by experiments/run from experiments/results; edit neither by hand. -->"


def figure(value):
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(figure(each) for each in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {figure(each)}" for key, each in value.items())
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 9999 else str(value)


def grid(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(figure(cell) for cell in row) + " |" for row in rows]


def figures_of(claim):
    """Ours beside the printed ones, and what better choices reach, where there are such."""
    ours, theirs, better = claim["figures"], claim.get("printed", {}), claim.get("better", {})
    names = list(dict.fromkeys([*ours, *theirs, *better]))
    if not names:
        return []
    columns, sides = ["figure", "ours"], [ours]
    if theirs:
        columns.append("printed")
        sides.append(theirs)
    if better:
        columns.append("with Medley's better choices")
        sides.append(better)
    return ["", *grid(columns, [[name, *(side.get(name) for side in sides)] for name in names])]


def claim_lines(claim, other):
    """other: {id: verdict} of the other mode, where it differs."""
    kind, statement, run = CLAIMS[claim["id"]]
    differs = ["", f"**Other mode.** {other[claim['id']]}"] if claim["id"] in other else []
    return [f"### {claim['id']}: {claim['verdict']}", "", f"*{statement}* ({kind})", "", f"**Run.** {run}",
            *figures_of(claim), "", f"**Why.** {claim['why']}", *differs, ""]


def mode_lines(result):
    """Which mode the figures are from, how large it is, and what the other mode came to."""
    lines = [f"Made by `{result['command']}`, the {result['mode']} mode. What the verdicts mean: "
             "[README.md](README.md).", ""]
    lines += grid(["size", "quick", "full"], result["sizes"]) + [""]
    if result["other_known"]:
        lines += [f"The {result['other_mode']} mode has been run as well; " + (
            "its verdict differs for " + ", ".join(f"{name} ({verdict})" for name, verdict in result[
                "other"].items()) + "."
            if result["other"] else "its verdicts are the same."), ""]
    else:
        lines += [f"The {result['other_mode']} mode has not been run with this version.", ""]
    return lines


def outdated_lines(quick):
    """What has changed since the results were made, if somebody wrote it into quick.json; the next run removes it."""
    return [f"**Outdated.** {quick['outdated']}", ""] if quick.get("outdated") else []


def page(result):
    name = result["paper"]
    lines = [HEAD, MADE, "", f"# Paper {name}: {PAPERS[name]}", "",
             *outdated_lines(result["quick"]),
             *mode_lines(result),
             *grid(["claim", "verdict"], [[f"[{c['id']}](#{anchor(c)})", c["verdict"]] for c in result["claims"]]), "",
             "## Claims", ""]
    for claim in result["claims"]:
        lines += claim_lines(claim, result["other"])
    if result["plots"]:
        lines += ["## Figures", ""]
    for plot in result["plots"]:
        lines += [f"![{plot['title']}]({plot['file']})", "", f"*{plot['title']}*", ""]
    if result["tables"]:
        lines += ["## Tables", ""]
    for table in result["tables"]:
        lines += [f"**{table['title']}**", "", *grid(table["columns"], table["rows"]), ""]
        if table["note"]:
            lines += [table["note"], ""]
    if result["slips"]:
        lines += ["## Slips of the print", "", *(f"- {slip}" for slip in result["slips"]), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def anchor(claim):
    return f"{claim['id']}: {claim['verdict']}".lower().replace(":", "").replace(" ", "-")


def tally(claims, label, groups):
    rows = []
    for name, belongs in groups:
        chosen = [c for c in claims if belongs(c)]
        if chosen:
            rows.append([name, *(sum(c["verdict"] == v for c in chosen) or "" for v in VERDICTS), len(chosen)])
    rows.append(["all", *(sum(c["verdict"] == v for c in claims) for v in VERDICTS), len(claims)])
    return grid([label, *VERDICTS, "claims"], rows)


def gain(better, ours):
    """By how much the figures differ, part by part; nothing where there are no two numbers."""
    if isinstance(better, dict) and isinstance(ours, dict):
        return {key: gain(value, ours.get(key)) for key, value in better.items()}
    if isinstance(better, list) and isinstance(ours, list) and len(better) == len(ours):
        return [gain(a, b) for a, b in zip(better, ours)]
    if isinstance(better, (int, float)) and isinstance(ours, (int, float)):
        return f"{short(better - ours, 3):+g}"
    return None


def better_lines(claims):
    rows = [[f"[{c['id']}]({c['id'][1:4]}.md#{anchor(c)})", name, c[
        "figures"].get(name), c.get("printed", {}).get(name),
             value, gain(value, c["figures"].get(name))] for c in claims for name, value in c["better"].items()]
    return ["## What better choices change", "",
            "Exact EM, restarts, scores that are not bounds, collapsed inference for words, the tighter label bound "
            "and components within classes, on the same data and, where a name says so, by the same score. Not every "
            "one is an improvement: the last column is what they change, in the unit of the figure (a lower "
            "perplexity is better, a higher accuracy, information, or number of nats).", "",
            *grid(["claim", "figure", "by the paper's recipe, ours",
                "printed", "with Medley's better choices", "change"], rows)]


def summary(results):
    claims = [claim for result in results for claim in result["claims"]]
    tested = sum(c["verdict"] != UNTESTED for c in claims)
    papers = [(f"[{r['paper']}]({r['paper']}.md)", lambda c, r=r: c["id"][1:4] == r["paper"]) for r in results]
    kinds = [(kind, lambda c, kind=kind: CLAIMS[c["id"]][0] == kind) for kind in KINDS]
    failed = [c for c in claims if c["verdict"] in (VERDICTS[3], UNTESTED)]
    lines = [HEAD, MADE, "", "# Five papers, claim by claim", "",
             *outdated_lines(results[0]["quick"]),
             f"Medley joins the models of five papers. Of their {len(claims)} statements that can be tested, "
             f"{tested} were tested here with this program, on public data.", ""]
    lines += [f"- [{r['paper']}]({r['paper']}.md): {PAPERS[r['paper']]}. `{r['command']}`" for r in results]
    lines += time_lines(results[0]["quick"])
    if results[0]["before"]:
        lines += ["", "[changes.md](changes.md) has the verdict of every claim in an earlier run beside the present one, "
                  "and why it is another one where it is."]
    lines += ["", "## By paper", "", *tally(claims, "paper", papers), "", "## By kind of claim", "",
              *tally(claims, "kind", kinds), "", "## What the verdicts mean", "",
              "A rule in the script turns the figures into a verdict; another run may come to another one. What "
              "\"most\", \"close\" or \"clear\" are in figures is the same for all claims: [experiments/README.md]"
              "(../../experiments/README.md).", "",
              "- *holds*: seen as stated.",
              "- *holds with a difference*: the main statement is seen, a part of it or its size is not.",
              "- *holds on a stand-in*: seen on other data of the same kind, because the paper's are not public.",
              "- *does not hold*: not seen; the page says why.",
              "- *cannot be tested here*: the data or a needed detail is missing.", "",
              "Data that are missing here: New York Times (stand-in: acl-anthology), PNAS (nips12-refs, cora), NASA "
              "ASRS (the text sets of the papers that are left, or cmu-same).", "",
              "## What does not hold, or was not tested", "",
              *grid(["claim", "statement", "verdict", "why"],
                    [[f"[{c['id']}]({c['id'][1:4]}.md#{anchor(c)})", CLAIMS[c["id"]][1], c["verdict"], c["why"]]
                     for c in failed]), ""]
    lines += better_lines([c for c in claims if c.get("better")])
    return "\n".join(lines) + "\n"


def read_json(folder, name):
    path = os.path.join(folder, name + ".json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_results(folder):
    """The results of every paper, each with the verdicts of the other mode and how long the quick run took."""
    verdicts, quick, before = read_json(folder, "verdicts"), read_json(folder, "quick"), changes.read(folder)
    found = [result for result in (read_json(folder, name) for name in sorted(PAPERS)) if result]
    for result in found:
        result["other_mode"] = MODES[1 - MODES.index(result["mode"])]
        other = verdicts.get(result["other_mode"], {})
        ids = [c["id"] for c in result["claims"]]
        result["other_known"] = any(i in other for i in ids)
        result["other"] = {c["id"]: other[c["id"]] for c in result[
            "claims"] if other.get(c["id"], c["verdict"]) != c["verdict"]}
        result["quick"], result["before"] = quick, before
    return found


def time_lines(quick):
    """How long the whole quick run took when it was measured."""
    if not quick:
        return []
    kind = "seconds" if quick["from an empty folder"] else "cpu"
    parts = ", ".join(f"{name} {paper[kind] / 60:.1f}" for name, paper in sorted(quick["papers"].items()))
    steps = sum(paper["steps"] for paper in quick["papers"].values())
    machine = f"{quick['cores']} cores ({quick['processor']})"
    if quick["from an empty folder"]:
        return ["", f"`experiments/run --quick all` took {quick['seconds'] / 60:.1f} minutes by the clock from an "
                f"empty work folder, {quick['cpu'] / 60:.1f} minutes of processor time, on {machine}; by paper, two "
                f"side by side, in minutes: {parts}."]
    return ["", f"The {steps} steps of `experiments/run --quick all` took {quick['cpu'] / 60:.1f} minutes of processor "
            f"time on {machine}, on which two papers run side by side; by paper, in minutes: {parts}. They were run in "
            "several goes, so that there is no time by the clock."]


def changes_page(before, results):
    claims = [claim for result in results for claim in result["claims"]]
    link = lambda c: f"[{c['id']}]({c['id'][1:4]}.md#{anchor(c)})"
    return "\n".join([HEAD, MADE, "", *changes.lines(before, claims, CLAIMS, grid, link)]) + "\n"


def files_of(results):
    """Every file of docs/papers with its text."""
    files = {"README.md": summary(results)}
    if results[0]["before"]:
        files["changes.md"] = changes_page(results[0]["before"], results)
    for result in results:
        files[result["paper"] + ".md"] = page(result)
        for plot in result["plots"]:
            files[plot["file"]] = svg.draw(plot)
    return files


def write_all(results_folder, folder):
    os.makedirs(folder, exist_ok=True)
    for name, content in files_of(read_results(results_folder)).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
