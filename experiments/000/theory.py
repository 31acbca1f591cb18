# SPDX-License-Identifier: Apache-2.0
"""What is proved, tried: the bound never falls, and how much fast inference has to keep."""
from common import sets
from common.paper import judge


def smallest_step(curve):
    """The smallest relative step of the bound over the iterations of a trace."""
    bounds = [float(line[3]) for line in curve]
    return min((b - a) / abs(a) for a, b in zip(bounds, bounds[1:]))


def monotone(work, paper):
    drawn = work.file("000-drawn.csv")
    work.run("simulate", "mmnb", "--k", 4, "--columns", "gaussian:6,categorical:6x4,bernoulli:6",
        "-n", 400, "-o", drawn)
    sources = {"simulated": [drawn, "--schema", drawn + ".schema.toml"]}
    for name in ("wine", "ecoli", "ionosphere"):
        sources[name] = [*sets.table(work, name), "--label", "class", "--head", "none"]
    steps = {}
    for name, words in sources.items():
        for model in ("mmnb", "fast-mmnb"):
            for seed in range(1, 4 if work.quick else 11):
                fitted = work.fit(f"000-monotone-{name}-{model}-{seed}", *words, "--model", model, "--k", 4, "--init",
                                  "random", "--seed", seed,
                                  "--smoothing", 0, "--tolerance", 1e-10, "--max-iterations", 300)
                steps[name, model] = min(steps.get((name, model), 1.0), smallest_step(fitted["climb"]))
    least = min(steps.values())
    paper.claim(24, judge(least > -1e-9), {"smallest relative step": least,
        "fits": len(steps) * (3 if work.quick else 10)},
                f"The smallest step of all traces is {least:.1e} of the bound: it never falls beyond rounding. It "
                "needs care: the E-step has several optima, so a row must go on from where it was; started afresh, "
                "the bound can fall. With eps > 0 the quantity that rises is the bound plus eps times the sum of "
                "log-probabilities.")


def memory(work, paper):
    peak, columns, rows = {"mmnb": [], "fast-mmnb": []}, [50, 200, 800], 2000
    for d in columns:
        drawn = work.file(f"000-wide-{d}.csv")
        work.run("simulate", "mmnb", "--k", 5, "--columns", f"bernoulli:{d}", "-n", rows, "-o", drawn)
        for model in peak:
            fitted = work.fit(f"000-memory-{d}-{model}", drawn,
                              "--schema", drawn + ".schema.toml", "--model", model, "--k",
                              5, "--init", "random", "--max-iterations", 5)
            peak[model].append(fitted["peak_bytes"] / 2**20)
    saved = [a - b for a, b in zip(peak["mmnb"], peak["fast-mmnb"])]
    stored = [rows * d * 5 * 8 / 2**20 for d in columns]
    paper.claim(25, judge(True, saved[-1] > 0.5 * stored[-1]), {
        "d": columns, "phi of the paper's standard form, MB": stored, "of the fast form, MB": rows * 5 * 8 / 2**20,
        "peak of mmnb, MB": peak["mmnb"], "peak of fast-mmnb, MB": peak["fast-mmnb"]},
        f"By count: {rows} x {columns[-1]} vectors of 5 numbers against {rows}. This program keeps phi of no cell in "
        "either form (phi follows from gamma and is summed as it is made), so both need the same memory and the "
        "saving is not to be seen.")


def run(work, paper):
    paper.part(monotone, work, paper)
    paper.part(memory, work, paper)
