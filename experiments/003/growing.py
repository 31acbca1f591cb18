# SPDX-License-Identifier: Apache-2.0
"""Fast DM with more components than classes, two steps, and other classifiers on the same folds (tables 8 to 11)."""
import importlib

from common import peers, rules
from common.numbers import mean
from common.paper import judge

A = importlib.import_module("003.accuracy")
PRINTED = importlib.import_module("003.printed")
UCI, TEXTS, SETS = A.UCI, A.TEXTS, A.SETS
NAMES = ("NB", "LR", "SVM", "vMF")
TUNED = "LR, tuned"
LR = ("LR is without a penalty, on the columns or counts as they are, stopped after 100 steps on tables and 20 on texts; "
      "tuned LR has a penalty, and standardised columns or tf-idf weights. The paper states no settings. ")


def joint_by_k(work, group):
    return {n: [A.joint(work, n, True, m) for m in A.extra(work, n)] for n in group}


def steps_by_k(work, group):
    return {n: [A.two_step(work, n, m) for m in A.extra_steps(work, n)] for n in group}


def others(work, group):
    """{set: {comparator: mean accuracy}}"""
    return {n: {kind: mean(v) for kind, v in peers.accuracies(work, n, A.fold_count(work, n)).items()} for n in group}


def tables_by_k(work, paper):
    """Claim 9."""
    dm = joint_by_k(work, UCI)
    up = [n for n in UCI if all(b >= a for a, b in zip(dm[n], dm[n][1:]))]
    gain = [dm[n][-1] - dm[n][0] for n in UCI]
    key = "sets of 9 on which accuracy never falls from c to c + 5 to c + 10"
    paper.claim(9, judge(rules.most(len(up), 9), len(up) >= 7), {
        key: len(up), "sets of 9 with c + 10 above c": sum(g > 0 for g in gain),
            "mean gain from c to c + 10": mean(gain)},
        f"Accuracy never falls on {len(up)} sets, and is higher at c + 10 than at c on {sum(g > 0 for g in gain)} of "
        f"9, by {mean(gain):.3f} on average. One test row in a fold is 0.005 to 0.05 of accuracy, so that never to "
        "fall is much to ask.",
        printed={key: 7})


def texts_by_k(work, paper):
    """Claim 10. The best of several K exceeds one by chance too, so all of it is seen if it does so clearly."""
    told = {n: [A.joint_folds(work, n, True, m) for m in A.extra(work, n)] for n in TEXTS}
    dm = {n: [value for value, _ in v] for n, v in told.items()}
    larger = [n for n in TEXTS if max(dm[n][1:]) > dm[n][0]]
    spread, error = max(max(dm[n]) - min(dm[n]) for n in TEXTS), mean([e for v in told.values() for _, e in v])
    printed = {s: PRINTED.TABLE10[s]["Fast DLDA c"] for s in TEXTS.values()}
    key = "texts of 4 with the best accuracy at some K > c"
    clear = sum(max(dm[n][1:]) - dm[n][0] > rules.ERRORS * error for n in TEXTS)
    paper.claim(10, judge(rules.most(len(larger), 4), rules.most(clear, 4)), {
        key: len(larger), "by more than two standard errors": clear, "largest spread over K": spread,
            "standard error of an accuracy": error, "K - c": list(A.extra(work, "cmu-sim")),
        "accuracy by K": {TEXTS[n]: dm[n] for n in TEXTS}, "accuracy with K = c": {TEXTS[n]: dm[n][0] for n in TEXTS}},
        f"Some K above c is best on {len(larger)} of 4 texts, by more than two standard errors on {clear}. Over K "
        f"accuracy moves by at most {spread:.3f}, where the standard error of one is {error:.3f}. With K = c it is "
        f"{mean(dm[n][0] for n in TEXTS):.3f} on average, printed {mean(printed.values()):.3f}: there is less left "
        "for more components to gain.",
        printed={key: "5 of 5 with NASA", "accuracy with K = c": printed})


def against_text_classifiers(work, paper):
    """Claim 6. "Nearly all": all but one, as in print."""
    top = {n: max(v) for n, v in joint_by_k(work, TEXTS).items()}
    peer, best = others(work, TEXTS), {n: A.ours_best(work, n) for n in TEXTS}
    rivals = {n: {p: peer[n][p] for p in NAMES} for n in TEXTS}
    beats = [n for n in TEXTS if top[n] > max(rivals[n].values())]
    own = sum(best[n] > max(rivals[n].values()) for n in TEXTS)
    alike = [n for n in TEXTS if all(top[n] > peer[n][p] for p in ("NB", "LR", "vMF"))]
    first = {n: max(rivals[n], key=rivals[n].get) for n in TEXTS}
    then = mean([PRINTED.TABLE10[s]["LR"] for s in TEXTS.values()])
    key = "texts of 4 on which it beats all four comparators"
    paper.claim(6, judge(len(beats) >= 3), {
        key: len(beats), "mean accuracy with the best K": mean(top.values()),
        "comparators, mean accuracy": {p: mean([peer[n][p] for n in TEXTS]) for p in (*NAMES, TUNED)}},
        f"It beats all four on {len(beats)} of 4 texts; the best comparator is " +
        ", ".join(f"{first[n]} on {TEXTS[n]} ({rivals[n][first[n]]:.3f} against {top[n]:.3f})"
                  for n in TEXTS if n not in beats) +
        ". SVM has tf-idf weights here; without it, against NB, LR and vMF, Fast DLDA wins "
        f"{len(alike)} of 4 texts. " + LR + f"On average LR has {mean([peer[n]['LR'] for n in TEXTS]):.3f}, tuned "
        f"{mean([peer[n][TUNED] for n in TEXTS]):.3f}, printed {then:.3f}.", printed={
            key: "4 of 5 with NASA", "mean accuracy with the best K": mean(
                [max(v for k, v in PRINTED.TABLE10[s].items() if k.startswith("Fast")) for s in TEXTS.values()])},
        better={key: own, "mean accuracy with the best K": mean(best.values())})


def against_table_classifiers(work, paper):
    """Claim 7."""
    top, peer = {n: max(v) for n, v in joint_by_k(work, UCI).items()}, others(work, UCI)
    best = {n: A.ours_best(work, n) for n in UCI}
    count = lambda ours: [sum(ours[n] > peer[n]["NB"] for n in UCI), sum(ours[n] > peer[n]["LR"] for n in UCI),
                          sum(peer[n]["SVM"] > ours[n] for n in UCI)]
    nb, lr, svm = count(top)
    tuned = sum(top[n] > peer[n][TUNED] for n in UCI)
    names = "sets of 9: Fast DMNB beats NB", "sets of 9: Fast DMNB beats LR", "sets of 9: SVM beats Fast DMNB"
    key = "mean accuracy with the best K"
    paper.claim(7, judge(rules.most(nb, 9) and rules.most(svm, 9), rules.most(lr, 9) and svm == 6),
                {**dict(zip(names, (nb, lr, svm))), "sets of 9: Fast DMNB beats tuned LR": tuned,
                 key: mean(top.values())},
                f"With the best K it beats NB on {nb}, LR on {lr} (tuned LR on {tuned}) of 9 sets, and SVM beats it on "
                f"{svm}. " + LR + "Printed, LR is at the share of the larger class on Pima (0.65) and at 0.535 on "
                                  "Sonar.",
                printed={**dict(zip(names, (8, 7, 6))), key: mean(
                    [max(v for k, v in PRINTED.TABLE8[s].items() if k.startswith("Fast")) for s in UCI.values()])},
                better={**dict(zip(names, count(best))), key: mean(best.values())})


def against_regression(work, paper):
    """Claim 8. LR of the paper's kind is what it is judged against; the tuned one is a control."""
    top, peer = {n: max(v) for n, v in joint_by_k(work, SETS).items()}, others(work, SETS)
    best = {n: A.ours_best(work, n) for n in SETS}
    count = lambda ours, rival: [sum(ours[n] > peer[n][rival] for n in group) for group in (UCI, TEXTS)]
    ours, tuned = count(top, "LR"), count(top, TUNED)
    level = lambda rival, group: mean([peer[n][rival] for n in group])
    names = "sets of 9 UCI with Fast DM above LR", "texts of 4 with Fast DM above LR"
    paper.claim(8, judge(rules.most(sum(ours), 13), ours[0] >= 7 and ours[1] == 4), {
        **dict(zip(names, ours)), "above tuned LR, UCI, texts": tuned},
        f"With the best K it is above LR on {ours[0]} of 9 tables and {ours[1]} of 4 texts. " + LR +
        f"It has {level('LR', UCI):.3f} on the tables (printed "
        f"{mean([PRINTED.TABLE8[s]['LR'] for s in UCI.values()]):.3f}) and {level('LR', TEXTS):.3f} on the texts "
        f"(printed {mean([PRINTED.TABLE10[s]['LR'] for s in TEXTS.values()]):.3f}). Tuned it has "
        f"{level(TUNED, UCI):.3f} and {level(TUNED, TEXTS):.3f}, and Fast DM is above it on {tuned[0]} tables and "
        f"{tuned[1]} texts" + (": the reduced dimension helps against a regression without a penalty, not against one "
                               "with it." if rules.most(sum(ours), 13) and not rules.most(sum(tuned), 13) else "."),
        printed=dict(zip(names, (7, "5 of 5"))), better=dict(zip(names, count(best, "LR"))))


def joint_or_two_steps(work, paper):
    """Claim 11."""
    dm, two = joint_by_k(work, SETS), steps_by_k(work, SETS)
    cells = [(n, i) for n in SETS for i in range(len(two[n]))]
    wins = {kind: [dm[n][i] > two[n][i] for n, i in cells if n in group] for kind, group in ((
        "UCI", UCI), ("texts", TEXTS))}
    better = {kind: mean(v) for kind, v in wins.items()}
    gap = [dm[n][i] - two[n][i] for n, i in cells]
    total = sum(map(sum, wins.values()))
    paper.claim(11, judge(rules.leans(total, len(cells)), all(map(rules.nearly_all, better.values()))), {
        "share of cells with the joint model better": better,
            "mean difference": mean(gap), "standard error": rules.error_of(gap)},
        f"The joint model is better in {better['UCI']:.0%} of the cells of tables and {better['texts']:.0%} of those "
        f"of texts, {total} of {len(cells)} in all, by {mean(gap):.3f} on average (standard error "
        f"{rules.error_of(gap):.3f}).",
        printed={"share of cells with the joint model better": {"UCI": 26 / 27, "texts": 24 / 25}})


def two_steps_or_regression(work, paper):
    """Claim 12: no clear winner, by the sign test over 13 sets."""
    two, peer = steps_by_k(work, SETS), others(work, SETS)
    count = lambda rival: {kind: sum(max(two[n]) > peer[n][rival] for n in group)
                           for kind, group in (("UCI", UCI), ("texts", TEXTS))}
    ahead, tuned = count("LR"), count(TUNED)
    total = sum(ahead.values())
    key = "sets on which two steps beat LR, UCI of 9, texts of 4"
    paper.claim(12, judge(rules.undecided(total, 13)), {key: ahead, "the same, tuned LR": tuned},
                f"Two steps (best K) beat LR on {total} of 13 sets" + (
                    ", which a fair coin might" if rules.undecided(total, 13) else ": there is a clear winner")
                + f", and tuned LR on {sum(tuned.values())}. " + LR.strip(),
                printed={key: {"UCI": 7, "texts": "4 of 5"}})


def all_of_k(work, paper):
    """The table and the figure of all methods, and a slip that they show."""
    dm, two, peer = joint_by_k(work, SETS), steps_by_k(work, SETS), others(work, SETS)
    paper.plot("k", "lines", "Accuracy of Fast DM against K (tables 8 and 10 of the paper)", panels=[
        {"title": SETS[n], "x": list(A.extra(work, n)), "xlabel":
            "K - c", "ylabel": "accuracy", "series": {"joint": dm[n]}}
        for n in SETS])
    rows = []
    for n, label in SETS.items():
        table = PRINTED.TABLE10[label] if n in TEXTS else PRINTED.TABLE8[label]
        rows.append([
            label, *(dm[n] + [None])[:3], *(two[n] + [None])[:3], *(peer[n].get(p) for p in (*NAMES, TUNED)),
            A.ours_best(work, n),
            max(v for k, v in table.items() if k.startswith("Fast")), table["NB"], table["LR"], table["SVM"]
        ])
    paper.table("Accuracy with growing K, and comparators (tables 8 to 11 of the paper)",
                ["set", "Fast DM, K = c", "second K", "third K", "two steps, K = c", "second K", "third K", *NAMES,
                 TUNED, "Medley's own choice", "printed best Fast DM", "printed NB", "LR", "SVM"], rows,
                "K = c, c + 5, c + 10 on tables, c, c + 15, c + 30 on texts. Medley's own choice, the same for all "
                "sets and picked on no figure: single membership, components within classes, the tighter bound; K = c "
                "on texts, on tables K = 3 c (in the full run also tuned to the classes, `--objective conditional`).")
    reached = [*dm["classic3"], *two["classic3"], *(peer["classic3"][p] for p in NAMES), A.ours_best(work, "classic3")]
    paper.slip("Classic3 is printed at 0.56 to 0.69 throughout. On the public collection every method of the table "
               f"above reaches {min(reached):.3f} to {max(reached):.3f}: their copy must be faulty, as in paper 000.")


def run(work, paper):
    for part in (tables_by_k, texts_by_k, against_text_classifiers, against_table_classifiers, against_regression,
                 joint_or_two_steps, two_steps_or_regression, all_of_k):
        paper.part(part, work, paper)
