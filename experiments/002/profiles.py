# SPDX-License-Identifier: Apache-2.0
"""The profiles of NLTCS at K = 9 and at K = 4 and 5, and three patterns under every K (figure 11, table 3)."""
import importlib

from common import rules
from common.numbers import mean
from common.paper import judge

SURVEY = importlib.import_module("002.survey")
PRINTED = importlib.import_module("002.printed")
PATTERNS = {"all zero": "0" * 16, "all one": "1" * 16, "heavy housework only": "0000001000000000"}
OBSERVED = {name: next(people for p, people, _ in PRINTED.TABLE3 if p == pattern) for name, pattern in PATTERNS.items()}
PEOPLE, DRAWS = 21574, 400000
HEAVY, COGNITIVE, MOBILITY = 6, (13, 14, 15), (2, 11, 12)


def profiles(work, model):
    """alpha, and the probability of a disability by profile and item."""
    told = work.export(model)
    return told["alpha"], [list(p) for p in zip(*(column["p"] for column in told["columns"]))]


def expected(alpha, table):
    """Expected counts of the three patterns: memberships drawn from their Dirichlet, answers multiplied out."""
    import numpy
    chance = numpy.random.default_rng(1)
    share = chance.dirichlet(alpha, DRAWS)
    yes = share @ numpy.array(table)
    out = {}
    for name, pattern in PATTERNS.items():
        p = numpy.ones(DRAWS)
        for j, digit in enumerate(pattern):
            p *= yes[:, j] if digit == "1" else 1 - yes[:, j]
        out[name] = PEOPLE * float(p.mean())
    return out


def nearest(counts):
    """Per pattern the K whose expected count is nearest, and the distance at every K."""
    error = {name: {k: abs(row[name] - OBSERVED[name]) for k, row in counts.items()} for name in PATTERNS}
    return {name: min(e, key=e.get) for name, e in error.items()}, error


def three_patterns(work, paper, folder):
    """Claim 22, at the parameters of exact EM, and at the means of the draws as in the paper."""
    counts = {k: work.compute(expected, *profiles(work, f"{folder}/k{k:02d}.medley")) for k in PRINTED.KS}
    sampled = {k: work.compute(expected, *profiles(work, f"{folder}/k{k:02d}_chains.medley")) for k in PRINTED.KS}
    then = {k: {name: PRINTED.expected(pattern)[k] for name, pattern in PATTERNS.items()} for k in PRINTED.KS}
    (best, error), (by_chains, _), (printed, print_error) = nearest(counts), nearest(sampled), nearest(then)
    paper.table("Expected counts of three patterns (table 3 of the paper)",
                ["pattern", "observed", *(f"K = {k}" for k in counts)],
                [[name + more, OBSERVED[name], *(round(side[k][name]) for k in side)] for name in PATTERNS
                 for more, side in (("", counts), (", chains", sampled), (", printed", then))],
                "Ours at the parameters of exact EM and at the means of the draws of gom-bayes; the printed ones are "
                "means over Markov chains.")
    nine, nine_chains, nine_print = (sum(k == 9 for k in b.values()) for b in (best, by_chains, printed))
    key = "K with the smallest error"
    paper.claim(22, judge(nine >= 2, nine == 3), {
        key: best, key + ", at the means of the draws": by_chains,
            "absolute error at K = 9": {n: e[9] for n, e in error.items()},
        "smallest absolute error": {n: e[best[n]] for n, e in error.items()}},
        f"K = 9 is nearest for {nine} of the three patterns at the parameters of exact EM, for {nine_chains} at the "
        f"means of the draws, and for {nine_print} in print (where K = {printed['heavy housework only']} is nearest "
        "for heavy housework)." + (
            "" if nine == 3 else " At K = 9 " + ", ".join(
                f"{n} is {error[n][9]:.0f} off (K = {best[n]}: {error[n][best[n]]:.0f}; printed {print_error[n][9]})"
                for n in PATTERNS if best[n] != 9) + ". The likelihood weighs all 3,152 patterns, not these three, "
                                                     "and no K is singled out by them."),
        printed={key: printed, "absolute error at K = 9": {n: e[9] for n, e in print_error.items()}})


def readings(table):
    """Which of the printed descriptions the profiles meet, by a rule for each."""
    average = [mean(row) for row in table]
    serious = [i for i, row in enumerate(table) if mean([p > 0.8 for p in row]) > 0.5]
    healthy = [i for i, row in enumerate(table) if max(row) < 0.25]
    rest = [i for i in range(len(table)) if i not in serious]
    sharp = lambda row, items: mean([row[j] for j in items]) - mean([row[j] for j in range(16) if j not in items])
    second = [max(rest, key=lambda i, j=j: table[i][j]) for j in COGNITIVE]
    cognitive = len(set(second)) == 1 and second[0] != max(rest, key=average.__getitem__)
    mobile = max(rest, key=lambda i: sharp(table[i], MOBILITY))
    heavy = [i for i, row in enumerate(table) if row[HEAVY] > 0.5 and
             max(p for j, p in enumerate(row) if j != HEAVY) < 0.35]
    half = [i for i in rest if 0.3 < average[i] < 0.7]
    return {"healthy": len(healthy), "seriously disabled": len(serious),
            "cognitive": int(cognitive), "mobility": int(sharp(table[mobile], MOBILITY) > 0.1),
            "heavy housework only": len(heavy), "semi-disabled": len(half)}


WANTED = {"healthy": 2, "seriously disabled": 1, "cognitive": 1,
    "mobility": 1, "heavy housework only": 1, "semi-disabled": 1}
RULES = ("Rules: healthy, all below 0.25; seriously disabled, most above 0.8; cognitive, one profile second to it on "
         "money, medicine and telephone but not on the whole; mobility, moving inside, outside and travel at least "
         "0.1 above the other items; heavy housework only, above 0.5 with all others below 0.35; semi-disabled, a "
         "mean of 0.3 to 0.7.")


def chains(work):
    """The model of longer chains at K = 9 than those of the choice of K."""
    sweeps = 300 if work.quick else 1000
    return work.fit(f"002-bayes-9-{sweeps}", SURVEY.data(work),
                    "--model", "gom-bayes", "--k", 9, "--chains", 2, "--sweeps",
                    sweeps)["file"]


def reading(work, paper, _):
    """Claim 16."""
    _, sampled = profiles(work, chains(work))
    items = [c["name"] for c in work.export(chains(work))["columns"]]
    order = sorted(range(9), key=lambda i: mean(sampled[i]))
    paper.plot("profiles", "heat", "Profiles of NLTCS at K = 9, means of the draws, mildest first (figure 11 of the "
                                   "paper)", panels=[
        {"title": "probability of a disability", "x": [str(i + 1) for i in range(9)],
         "y": [n.split("_", 1)[1].replace("_", " ")[:9] for n in items], "xlabel": "profile",
         "z": [[sampled[i][j] for i in order] for j in range(16)]}])
    found = readings(sampled)
    met = sum(found[n] >= 1 for n in WANTED)
    paper.claim(16, judge(rules.most(met, len(WANTED)), all(found[n] == WANTED[n] for n in WANTED)),
                {"profiles by description": found},
                f"{met} of the 6 descriptions fit at least one profile. " + RULES, printed={
                    "profiles by description": WANTED})


def distance(table, other):
    """Mean and largest difference of the probabilities of profiles matched one to one."""
    from scipy.optimize import linear_sum_assignment
    cost = [[mean([abs(a - b) for a, b in zip(row, column)]) for column in other] for row in table]
    pairs = list(zip(*linear_sum_assignment(cost)))
    return mean([cost[i][j] for i, j in pairs]), max(abs(a - b) for i, j in pairs for a, b in zip(table[i], other[j]))


def same_reading(work, paper, folder):
    """Claim 17: do the rules of claim 16 read the same off a variational fit?"""
    _, sampled = profiles(work, chains(work))
    _, variational = profiles(work, work.fit("002-gom-9", SURVEY.data(work), "--model", "gom", "--k", 9)["file"])
    _, exact = profiles(work, f"{folder}/k09.medley")
    told = {name: readings(table) for name, table in (("draws", sampled), (
        "variational", variational), ("exact EM", exact))}
    same = sum((told["variational"][n] > 0) == (told["draws"][n] > 0) for n in WANTED)
    (near, far), (exact_near, exact_far) = distance(sampled, variational), distance(sampled, exact)
    names = "mean difference of matched probabilities", "largest"
    paper.claim(17, judge(rules.most(same, len(WANTED)), told["variational"] == told["draws"]),
                {**dict(zip(names, (near, far))), "profiles by description": told},
                f"{same} of the 6 descriptions are found in both fits or in neither. Matched profiles differ by "
                f"{near:.3f} on average and by {far:.2f} at most, where exact EM differs from the draws by "
                f"{exact_near:.3f} and {exact_far:.2f}.",
                better=dict(zip(names, (exact_near, exact_far))))


def ordered(table):
    """Share of (pair of profiles, item) in which the order by mean disability is that of the item."""
    order = sorted(range(len(table)), key=lambda i: mean(table[i]))
    pairs = [(a, b) for n, a in enumerate(order) for b in order[n + 1:]]
    full = [all(table[a][j] <= table[b][j] + 0.02 for j in range(16)) for a, b in pairs]
    return mean(full)


def severity(work, paper, folder):
    """Claim 23."""
    share = {k: ordered(profiles(work, f"{folder}/k{k:02d}_chains.medley")[1]) for k in (2, 3, 4, 5, 9)}
    paper.claim(23, judge(share[4] < 1 and share[5] < 1), {"share of pairs of profiles ordered on all items": share},
                f"At K = 4 {share[4]:.0%} and at K = 5 {share[5]:.0%} of the pairs of profiles have one at least as "
                "disabled as the other on every item (0.02 apart counts as equal); a chain would need all. That the "
                "nine can be interpreted is C002-16.")


def run(work, paper):
    _, folder = SURVEY.selection(work)
    for part in (three_patterns, reading, same_reading, severity):
        paper.part(part, work, paper, folder)
