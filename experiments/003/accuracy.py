# SPDX-License-Identifier: Apache-2.0
"""How well classes are told (tables 4, 6, 8-11), and memberships of fast and standard inference (figure 2)."""
import importlib

from common import peers, sets
from common.numbers import mean, quantile
from common.paper import judge

PRINTED = importlib.import_module("003.printed")
UCI = {"iris": "Iris", "pima": "Pima", "vowel": "Vowel", "wine": "Wine", "wpbc": "Wpbc", "ecoli": "Ecoli",
       "ionosphere": "Iono", "sonar": "Sonar", "segment2310": "Seg"}
TEXTS = {"classic3": "Classic3", "cmu-diff": "Cmu-diff", "cmu-sim": "Cmu-sim", "cmu-same": "Cmu-same"}
SETS = {**UCI, **TEXTS}
UNEVEN = (" In the quick run our models have three folds on texts and Segmentation, the comparators ten, which favours them.")


def source(work, name):
    return sets.text(work, name) if name in TEXTS else [*sets.table(work, name), "--label", "class"]


def preset(name, fast, label):
    return ("fast-" if fast else "") + ("d" if label else "") + ("lda" if name in TEXTS else "mnb" if label else "mmnb")


def fold_count(work, name):
    return 3 if work.quick and (name in TEXTS or name == "segment2310") else 10


def eta_start(work):
    """The paper chooses r of the start eta = r times the identity on held-out rows; the quick run takes 10."""
    return ["--eta-start", 10, "--max-iterations", 100] if work.quick else ["--eta-start", "auto"]


def joint(work, name, fast, more=0):
    """Accuracy of the labelled model with K = classes + more."""
    found = work.folds(*source(work, name), "--model", preset(name, fast, True), "--k", sets.classes(work, name) + more,
                       *eta_start(work), "--estimator", "bound", folds=fold_count(work, name))
    return found["test"]["accuracy"]["mean"]


def unlabelled(work, name, fast):
    """Accuracy of the unlabelled model, each component standing for the class it matches on the training rows."""
    found = work.folds(*source(work, name), "--head", "none", "--truth", "class", "--match", "hungarian", "--init", "labels",
                       "--model", preset(name, fast, False), "--k", sets.classes(work, name), "--estimator", "bound",
                       folds=fold_count(work, name))
    return found["test"]["accuracy"]["mean"]


def two_step(work, name, more):
    found = work.folds(*source(work, name), "--two-step", "--model", preset(name, True, False), "--init", "labels", "--k",
                       sets.classes(work, name) + more, "--estimator", "bound", folds=fold_count(work, name))
    return found["test"]["accuracy"]["mean"]


def ours_best(work, name):
    """What the program does with a label if nothing is said; on tables with 3 components a class, in the full run tuned to the classes."""
    words = ["--k", sets.classes(work, name) * (1 if name in TEXTS else 3)]
    if not work.quick and name not in TEXTS:
        words += ["--objective", "conditional"]
    found = work.folds(*source(work, name), *words, "--max-iterations", 100, "--estimator", "bound", folds=fold_count(work, name))
    return found["test"]["accuracy"]["mean"]


def same_k(work, paper):
    """Claims 1 and 2."""
    ways = {("MM", "Std"): lambda n: unlabelled(work, n, False), ("MM", "Fast"): lambda n: unlabelled(work, n, True),
            ("DM", "Std"): lambda n: joint(work, n, False), ("DM", "Fast"): lambda n: joint(work, n, True)}
    found = {name: {way: run(name) for way, run in ways.items()} for name in SETS}
    rows = []
    for name, label in SETS.items():
        table = PRINTED.TABLE6[label] if name in TEXTS else PRINTED.TABLE4[label]
        kind = ("LDA", "DLDA") if name in TEXTS else ("MNB", "DMNB")
        print_row = [table[f"{s} {k}"] for k in kind for s in ("Std", "Fast")]
        rows.append([label, *(found[name][way] for way in ways), *print_row])
    paper.table("Accuracy with K = classes (tables 4 and 6 of the paper)",
                ["set", "Std MM", "Fast MM", "Std DM", "Fast DM", "printed Std MM", "Fast MM", "Std DM", "Fast DM"], rows)

    def wins(a, b, column):
        ours = sum(found[n][a] > found[n][b] for n in SETS)
        i, j = list(ways).index(a), list(ways).index(b)
        return ours, sum(r[5 + i] > r[5 + j] for r in rows), column

    fast_mm, print_mm, _ = wins(("MM", "Fast"), ("MM", "Std"), "")
    fast_dm, print_dm, _ = wins(("DM", "Fast"), ("DM", "Std"), "")
    names = "sets of 13 on which Fast MM beats Std MM", "sets of 13 on which Fast DM beats Std DM"
    gap = [found[n]["DM", "Fast"] - found[n]["DM", "Std"] for n in SETS]
    paper.claim(1, judge(fast_dm >= 7, fast_dm >= 9 and fast_mm >= 9), dict(zip(names, (fast_mm, fast_dm))),
                f"Fast MM beats Std MM on {fast_mm} and Fast DM beats Std DM on {fast_dm} of 13 sets; Fast DM is "
                f"{mean(gap):+.3f} more accurate on average" + (
                    "." if fast_dm >= 7 else ": our standard form, with EM run to convergence and the label's weight fitted "
                    "again on memberships without the label, does not lag behind as the printed one did."),
                printed=dict(zip(names, (print_mm, print_dm))))
    std, print_std, _ = wins(("DM", "Std"), ("MM", "Std"), "")
    fast, print_fast, _ = wins(("DM", "Fast"), ("MM", "Fast"), "")
    names = "sets of 13 on which Std DM beats Std MM", "sets of 13 on which Fast DM beats Fast MM"
    paper.claim(2, judge(fast >= 7 and std < 13, std <= 9 and fast >= 9), dict(zip(names, (std, fast))),
                f"Std DM beats Std MM on {std} of 13 sets, Fast DM beats Fast MM on {fast}." + (
                    "" if std <= 9 else " That the standard joint model often loses to the unlabelled one is not seen: here P(class | "
                    "component) is fitted once more, after EM, to memberships inferred without the label, as a new row will have "
                    "them."),
                printed=dict(zip(names, (print_std, print_fast))))


def entropies(work, paper):
    """Claim 3."""
    name, share, middle, panels = "cmu-sim", {}, {}, []
    edges = [i * 0.1 for i in range(11)]
    for label in (False, True):
        counts = {}
        for fast in (False, True):
            model = preset(name, fast, label)
            head = ["--eta-start", 10] if label else ["--head", "none", "--init", "labels"]
            fitted = work.fit(f"003-entropy-{model}", *source(work, name), *head, "--model", model, "--k", 3)
            lines = work.rows("evaluate", fitted["file"], *source(work, name), "--estimator", "bound", "--per-row")
            values = [float(line["entropy"]) for line in lines]
            share[model] = mean([v > 0.1 for v in values])
            middle[model] = quantile(values, 0.5)
            counts[model] = [mean([a <= v < a + 0.1 for v in values]) for a in edges]
        panels.append({"title": "DLDA" if label else "LDA", "x": [a + 0.05 for a in edges], "ylabel": "share of documents",
                       "xlabel": "membership entropy, nats", "series": counts})
    paper.plot("entropy", "bars", "Entropy of memberships on cmu-sim, K = 3 (figure 2 of the paper)", panels=panels)
    sole, mixed = max(share["fast-lda"], share["fast-dlda"]), min(share["lda"], share["dlda"])
    paper.claim(3, judge(sole < 0.1 and mixed > 2 * sole, mixed > 0.5), {
        "share of documents with an entropy above 0.1 nats": share, "median entropy": middle},
        f"Above 0.1 nats are at most {sole:.0%} of the documents with fast and at least {mixed:.0%} with standard inference. " + (
            "" if mixed > 0.5 else "Standard inference is the more mixed one, but with alpha fitted most documents of three "
            "newsgroups have nearly one topic under it too. ") + "Fast inference multiplies the evidence of all words into one "
        "vector, which ends on a vertex for long rows: its sole membership is the approximation's.")


def extra(work, name):
    """Components beyond the classes."""
    if name in UCI:
        return 0, 5, 10
    return (0, 15) if work.quick else (0, 15, 30, 50, 100)


def joint_by_k(work, group):
    return {n: [joint(work, n, True, m) for m in extra(work, n)] for n in group}


def tables_by_k(work, paper):
    """Claim 9."""
    dm = joint_by_k(work, UCI)
    up = [n for n in UCI if all(b >= a for a, b in zip(dm[n], dm[n][1:]))]
    gain = [dm[n][-1] - dm[n][0] for n in UCI]
    key = "sets of 9 on which accuracy never falls from c to c + 5 to c + 10"
    paper.claim(9, judge(len(up) >= 5 or sum(g > 0 for g in gain) >= 7, len(up) >= 7), {
        key: len(up), "sets of 9 with c + 10 above c": sum(g > 0 for g in gain), "mean gain from c to c + 10": mean(gain)},
        f"Accuracy never falls on {len(up)} sets, and is higher at c + 10 than at c on {sum(g > 0 for g in gain)}; one test "
        "row in a fold is 0.005 to 0.05 of accuracy, so that a strict rise is much to ask.", printed={key: 7})


def texts_by_k(work, paper):
    """Claim 10."""
    dm = joint_by_k(work, TEXTS)
    larger = [n for n in TEXTS if max(dm[n][1:]) > dm[n][0]]
    spread = max(max(dm[n]) - min(dm[n]) for n in TEXTS)
    key = "texts of 4 with the best accuracy at some K > c"
    paper.claim(10, judge(len(larger) >= 2, len(larger) >= 3), {
        key: len(larger), "largest spread over K": spread, "K - c": list(extra(work, "cmu-sim")),
        "accuracy by K": {TEXTS[n]: dm[n] for n in TEXTS}},
        f"Some K above c is best on {len(larger)} of 4 texts; over K accuracy moves by at most {spread:.3f}" + (
            "." if len(larger) >= 2 else ": with K = c it is already well above the printed level, and more components have nothing "
            "to add."),
        printed={key: "5 of 5 with NASA"})


def against_text_classifiers(work, paper):
    """Claim 6."""
    top = {n: max(v) for n, v in joint_by_k(work, TEXTS).items()}
    peer = {n: peers.accuracies(work, n) for n in TEXTS}
    best = {n: ours_best(work, n) for n in TEXTS}
    beats = {n: all(top[n] > v for v in peer[n].values()) for n in TEXTS}
    own = sum(all(best[n] > v for v in peer[n].values()) for n in TEXTS)
    worst = {n: max(peer[n], key=peer[n].get) for n in TEXTS}
    key = "texts of 4 on which it beats all four comparators"
    paper.claim(6, judge(sum(beats.values()) >= 3, all(beats.values())), {
        key: sum(beats.values()), "best K, mean accuracy": mean([top[n] for n in TEXTS]),
        "comparators, mean accuracy": {p: mean([peer[n][p] for n in TEXTS]) for p in ("vMF", "NB", "LR", "SVM")}},
        f"It beats all four on {sum(beats.values())} of 4 texts" + (
            "." if all(beats.values()) else "; the best comparator is " + ", ".join(
                f"{worst[n]} on {TEXTS[n]} ({max(peer[n].values()):.3f} against {top[n]:.3f})" for n in TEXTS if not beats[n])
            + ". LR and SVM get tf-idf weights and a penalty here; printed, LR has 0.48 on Cmu-same, which points to an "
            "unpenalised fit of raw counts.") + UNEVEN * work.quick,
        printed={key: "4 of 5 with NASA"}, better={key: own, "best K, mean accuracy": mean([best[n] for n in TEXTS])})


def against_table_classifiers(work, paper):
    """Claim 7."""
    top = {n: max(v) for n, v in joint_by_k(work, UCI).items()}
    peer = {n: peers.accuracies(work, n) for n in UCI}
    best = {n: ours_best(work, n) for n in UCI}
    svm = [n for n in UCI if peer[n]["SVM"] > top[n]]
    nb = [n for n in UCI if top[n] > peer[n]["NB"]]
    lr = [n for n in UCI if top[n] > peer[n]["LR"]]
    names = ("sets of 9: Fast DMNB beats NB", "sets of 9: Fast DMNB beats LR", "sets of 9: SVM beats Fast DMNB")
    own = [sum(best[n] > peer[n]["NB"] for n in UCI), sum(best[n] > peer[n]["LR"] for n in UCI),
           sum(peer[n]["SVM"] > best[n] for n in UCI)]
    paper.claim(7, judge(len(nb) >= 5 and len(svm) >= 5, len(lr) >= 5 and len(svm) == 6),
                dict(zip(names, (len(nb), len(lr), len(svm)))),
                f"With the best K it beats NB on {len(nb)}, LR on {len(lr)} of 9 sets, and SVM beats it on {len(svm)}. " + (
                    "" if len(lr) >= 5 else "Our LR has standardised columns and a penalty; printed, LR is at the share of "
                    "the larger class on Pima (0.65) and at 0.535 on Sonar, so theirs had not converged.") + UNEVEN * work.quick,
                printed=dict(zip(names, (8, 7, 6))), better=dict(zip(names, own)))


def against_regression(work, paper):
    """Claim 8."""
    top = {n: max(v) for n, v in joint_by_k(work, SETS).items()}
    peer = {n: peers.accuracies(work, n) for n in SETS}
    best = {n: ours_best(work, n) for n in SETS}
    ahead = [n for n in SETS if top[n] > peer[n]["LR"]]
    names = "sets of 9 UCI with Fast DM above LR", "texts of 4 with Fast DM above LR"
    count = [sum(n in UCI for n in ahead), sum(n in TEXTS for n in ahead)]
    own = [sum(best[n] > peer[n]["LR"] for n in UCI), sum(best[n] > peer[n]["LR"] for n in TEXTS)]
    paper.claim(8, judge(sum(count) >= 7, sum(count) >= 11), dict(zip(names, count)),
                f"With the best K it is above LR on {count[0]} of 9 tables and {count[1]} of 4 texts. " + (
                    "" if sum(count) >= 7 else "A penalised LR of standardised columns is much better than the printed one "
                    f"(mean over the tables {mean([peer[n]['LR'] for n in UCI]):.3f}, printed "
                    f"{mean([PRINTED.TABLE8[s]['LR'] for s in UCI.values()]):.3f})."),
                printed=dict(zip(names, (7, "5 of 5"))), better=dict(zip(names, own)))


def joint_or_two_steps(work, paper):
    """Claim 11."""
    dm = joint_by_k(work, SETS)
    two = {n: [two_step(work, n, m) for m in extra(work, n)] for n in SETS}
    cells = [(n, i) for n in SETS for i in range(len(dm[n]))]
    better = {"UCI": mean([dm[n][i] > two[n][i] for n, i in cells if n in UCI]),
              "texts": mean([dm[n][i] > two[n][i] for n, i in cells if n in TEXTS])}
    paper.claim(11, judge(min(better.values()) > 0.5, min(better.values()) >= 0.9), {
        "share of cells with the joint model better": better,
        "mean difference": mean([dm[n][i] - two[n][i] for n, i in cells])},
        f"The joint model is better in {better['UCI']:.0%} of the cells of tables and {better['texts']:.0%} of those of texts.",
        printed={"share of cells with the joint model better": {"UCI": 26 / 27, "texts": 24 / 25}})


def two_steps_or_regression(work, paper):
    """Claim 12."""
    two = {n: [two_step(work, n, m) for m in extra(work, n)] for n in SETS}
    peer = {n: peers.accuracies(work, n) for n in SETS}
    ahead = {kind: sum(max(two[n]) > peer[n]["LR"] for n in group) for kind, group in (("UCI", UCI), ("texts", TEXTS))}
    total = sum(ahead.values())
    paper.claim(12, judge(2 <= total <= 11, 4 <= total <= 9), {"sets on which two steps beat LR, UCI of 9, texts of 4": ahead},
                f"Two steps (best K) beat LR on {total} of 13 sets" + (
                    "." if 2 <= total <= 11 else ": there is a clear winner, as our LR is penalised and has standardised "
                    "columns, while two steps have a membership of K numbers only."),
                printed={"sets on which two steps beat LR, UCI of 9, texts of 4": {"UCI": 7, "texts": "4 of 5"}})


def all_of_k(work, paper):
    """The table and the figure of all methods."""
    dm = joint_by_k(work, SETS)
    paper.plot("k", "lines", "Accuracy of Fast DM against K (tables 8 and 10 of the paper)", panels=[
        {"title": SETS[n], "x": list(extra(work, n)), "xlabel": "K - c", "ylabel": "accuracy", "series": {"joint": dm[n]}}
        for n in SETS])
    rows = []
    for n, label in SETS.items():
        table = PRINTED.TABLE10[label] if n in TEXTS else PRINTED.TABLE8[label]
        peer = peers.accuracies(work, n)
        two = [two_step(work, n, m) for m in extra(work, n)]
        rows.append([label, *(dm[n] + [None])[:3], *(two + [None])[:3], *(peer.get(p) for p in ("NB", "LR", "SVM", "vMF")),
                     ours_best(work, n), max(v for k, v in table.items() if k.startswith("Fast")), table["NB"], table["LR"],
                     table["SVM"]])
    paper.table("Accuracy with growing K, and comparators (tables 8 to 11 of the paper)",
                ["set", "Fast DM, K = c", "second K", "third K", "two steps, K = c", "second K", "third K", "NB", "LR", "SVM",
                 "vMF", "Medley's own choice", "printed best Fast DM", "printed NB", "LR", "SVM"], rows,
                "K = c, c + 5, c + 10 on tables, c, c + 15, c + 30 on texts. Medley's own choice, the same for all sets and picked on "
                "no figure: single membership, components within classes, the tighter bound; K = c on texts, on tables K = 3 c "
                "(in the full run also tuned to the classes, `--objective conditional`).")


def run(work, paper):
    for part in (same_k, entropies, tables_by_k, texts_by_k, against_text_classifiers, against_table_classifiers,
                 against_regression, joint_or_two_steps, two_steps_or_regression, all_of_k):
        paper.part(part, work, paper)
