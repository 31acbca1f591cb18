#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The committed results of the five papers are complete, and docs/papers is what they say.

    results_test.py ROOT

How many claims each paper has is written down here, apart from experiments/, so that one that is lost is missed.
"""
import json
import pathlib
import re
import sys

CLAIMS = {"000": 26, "001": 11, "002": 23, "003": 15, "004": 11}
VERDICTS = {"holds", "holds with a difference", "holds on a stand-in", "does not hold", "cannot be tested here"}
LEAST_TESTED = 70


def breaches(root):
    sys.path.insert(0, str(root / "experiments"))
    from common import changes, page
    tested = 0
    for paper, count in CLAIMS.items():
        path = root / "experiments" / "results" / f"{paper}.json"
        if not path.exists():
            yield f"{path.name}: missing (run experiments/run --quick {paper} --data DIR)"
            continue
        result = json.loads(path.read_text(encoding="utf-8"))
        ids = [claim["id"] for claim in result["claims"]]
        for wanted in (f"C{paper}-{n:02d}" for n in range(1, count + 1)):
            if ids.count(wanted) != 1:
                yield f"{path.name}: {wanted} occurs {ids.count(wanted)} times"
        if len(ids) != count:
            yield f"{path.name}: {len(ids)} claims, not {count}"
        for claim in result["claims"]:
            if claim["verdict"] not in VERDICTS:
                yield f"{path.name}: {claim['id']}: \"{claim['verdict']}\" is no verdict"
            if not claim["why"] or not isinstance(claim["figures"], dict):
                yield f"{path.name}: {claim['id']}: no reason, or no figures"
            if claim["verdict"] == "does not hold" and len(re.findall(r"\d[\d,.]*", claim["why"])) < 2:
                yield f"{path.name}: {claim['id']}: does not hold, and its reason has no figures"
            tested += claim["verdict"] != "cannot be tested here"
        if not result["command"].startswith("experiments/run "):
            yield f"{path.name}: no command"
        if result["mode"] != "quick" or "--quick" not in result["command"] or not result["sizes"]:
            yield f"{path.name}: the committed results are those of the quick mode, with its sizes"
    if tested < LEAST_TESTED:
        yield f"{tested} claims are tested, at least {LEAST_TESTED} should be"
    quick = json.loads((root / "experiments" / "results" / "quick.json").read_text(encoding="utf-8"))
    if set(quick["papers"]) != set(CLAIMS):
        yield "quick.json: not the times of a whole quick run"
    yield from unexplained(root, changes)
    folder = root / "docs" / "papers"
    wanted = page.files_of(page.read_results(str(root / "experiments" / "results")))
    for name, content in wanted.items():
        if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != content:
            yield f"docs/papers/{name}: not what the results say (run experiments/run all --pages)"
    for path in folder.iterdir():
        if path.name not in wanted:
            yield f"docs/papers/{path.name}: not made from the results"


def unexplained(root, changes):
    """Verdicts that differ from those of the earlier run have a reason."""
    results = root / "experiments" / "results"
    before = changes.read(str(results))
    if not before:
        return
    if len(before["verdicts"]) != sum(CLAIMS.values()):
        yield f"before.json: {len(before['verdicts'])} verdicts"
    now = json.loads((results / "verdicts.json").read_text(encoding="utf-8"))["quick"]
    differs = {name for name, verdict in before["verdicts"].items() if now.get(name) != verdict}
    for name in sorted(differs - set(changes.REASONS)):
        yield f"{name}: another verdict than before, and no reason in experiments/common/changes.py"


def main():
    found = list(breaches(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every claim has a verdict, and the pages agree")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
