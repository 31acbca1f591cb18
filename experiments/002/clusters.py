# SPDX-License-Identifier: Apache-2.0
"""The infinite single-membership model of NLTCS: how many clusters, and whether chains from far apart agree (figure
10)."""
import importlib

from common import rules
from common.numbers import mean
from common.paper import judge

SURVEY = importlib.import_module("002.survey")


def chain_draws(work, model):
    """The number of clusters in every kept draw of every chain."""
    prefix = work.file("002-draws")
    work.run("export", model, "--draws", prefix)
    out = []
    for chain in (1, 2, 3, 4):
        with open(f"{prefix}_{chain}.csv", encoding="utf-8") as file:
            lines = [line.strip().split(",") for line in file if not line.startswith("#")]
        place = lines[0].index("clusters")
        out.append([float(line[place]) for line in lines[1:]])
    return out


def run(work, paper):
    """Claims 9, 14 and 19."""
    sweeps = 100 if work.quick else 200
    fitted = work.fit(f"002-clusters-{sweeps}", SURVEY.data(work),
                      "--model", "dp-mixture", "--smoothing", 10, "--starts",
                      "10,25,40,30000", "--sweeps", sweeps, "--burn-in", 25, "--draws", 100)
    told = work.json("diagnose", fitted["file"])
    found, _ = SURVEY.selection(work)
    ten = {int(k): v for k, v in told["clusters"].items()}
    posterior = {10: ten}
    if found.get("clusters"):  # of `medley select`, whose prior is one imagined answer
        posterior[1] = {int(k): v for k, v in found["clusters"]["share"].items()}
    mode, inside = max(ten, key=ten.get), sum(v for k, v in ten.items() if 11 <= k <= 15)
    paper.plot("clusters", "bars", "Posterior of the number of clusters on NLTCS (figure 10 of the paper)", panels=[
        {"title": f"imagined answers {s}", "x": sorted(p), "xlabel": "clusters", "ylabel": "posterior",
         "series": {"share of draws": [p[k] for k in sorted(p)]}} for s, p in posterior.items()])
    paper.claim(14, judge(inside > 0.5, rules.nearly_all(inside)), {
        "posterior mode": mode, "posterior of 11 to 15": inside,
                                                                     "posterior": ten},
                f"With Beta(10, 10) the mode is {mode} and {inside:.0%} of the draws lie in 11 to 15. " + (
                    "" if inside > 0.5 else "These chains start far apart and also split and merge clusters, so that "
                                            "they do not stay where they began; the printed full conditional of an "
                                            "existing profile lacks a factor that depends on the profile."), printed={
                                                "posterior mode": "11 to 15"})
    profiles = SURVEY.best_of(found)["CV"]
    paper.claim(9, judge(mode > profiles), {"clusters, posterior mode": mode,
        "profiles by CV of the likelihood": profiles},
                f"The mixture has {mode} clusters, CV of the likelihood wants {profiles} profiles of at most 10 tried.",
                printed={"clusters, posterior mode": "11 to 15", "profiles by CV of the likelihood": "8 or 9"})
    agree(paper, told, chain_draws(work, fitted["file"]))


def agree(paper, told, draws):
    rhat = next(q["rhat"] for q in told["quantities"] if q["name"] == "clusters")
    shared = max(min(d) for d in draws) <= min(max(d) for d in draws)
    centres = [mean(d) for d in draws]
    paper.claim(19, judge(shared, rhat < 1.05), {
        "mean number of clusters by chain": centres, "least and largest by chain": [[min(d), max(d)] for d in draws],
            "R-hat": rhat},
        "After the burn-in of 25 sweeps (and the search that precedes it) the chains from 10, 25, 40 and N clusters "
        f"have means {', '.join(f'{c:.1f}' for c in centres)}; R-hat is {rhat:.2f}. " + (
            "All chains visit the same numbers, which is not to have mixed." if shared and rhat >= 1.05 else
            "They agree." if shared else "They do not visit the same numbers."))
