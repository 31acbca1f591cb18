# SPDX-License-Identifier: Apache-2.0
"""The objective rises and bounds log p(x, y): by traces, and by enumeration on a tiny table. A topic without a label."""
import importlib
import itertools
import math
import random

from common import sets, topics
from common.paper import judge
from common.work import writing

ACCURACY = importlib.import_module("003.accuracy")


def tiny(work):
    """24 rows of four yes/no columns and a class."""
    path = work.file("003-tiny.csv")
    chance = random.Random(3)
    with writing(path) as file:
        file.write("a,b,c,d,class\n")
        for i in range(24):
            kind = i % 3
            cells = ["y" if chance.random() < (0.9, 0.2, 0.6)[kind] else "n" for _ in range(4)]
            file.write(",".join(cells) + f",c{kind}\n")
    return path


def log_joint(model, row):
    """log p(x, y): theta integrated out, all component vectors of the cells enumerated, the label's softmax at their mean."""
    alpha, columns, label = model["alpha"], model["columns"], model["label"]
    k, total = len(alpha), sum(alpha)
    eta = [*label["eta"], [0.0] * k] if len(label["eta"]) < len(label["classes"]) else label["eta"]
    y = label["classes"].index(row[-1])
    out = 0.0
    for z in itertools.product(range(k), repeat=len(columns)):
        count = [z.count(c) for c in range(k)]
        term = math.exp(sum(math.lgamma(a + n) - math.lgamma(a) for a, n in zip(alpha, count))
                        + math.lgamma(total) - math.lgamma(total + len(z)))
        for column, value, c in zip(columns, row, z):
            p = column["p"][c]
            term *= p if value == column["levels"][1] else 1 - p
        score = [sum(e * n for e, n in zip(line, count)) / len(z) for line in eta]
        top = max(score)
        out += term * math.exp(score[y] - top) / sum(math.exp(s - top) for s in score)
    return math.log(out)


def bounds(work, paper):
    path = tiny(work)
    with open(path, encoding="utf-8") as file:
        rows = [line.strip().split(",") for line in file][1:]
    figures, least, slack = {}, 1.0, []
    for model in ("dmnb", "fast-dmnb"):
        for bound in ("paper", "lse"):
            fitted = work.fit(f"003-tiny-{model}-{bound}", path, "--label", "class", "--model", model, "--k", 3,
                              "--label-bound", bound, "--eta-start", 10, "--tolerance", 1e-10)
            truth = sum(log_joint(work.export(fitted["file"]), row) for row in rows)
            figures[f"{model}, bound of the {'paper' if bound == 'paper' else 'program'}: bound, log p(x, y)"] = [
                fitted["bound"], truth]
            slack.append(truth - fitted["bound"])
            curve = [float(line[3]) for line in fitted["curve"]]
            least = min([least] + [(b - a) / abs(a) for a, b in zip(curve, curve[1:])])
    for name in ("wine", "ecoli", "iris"):
        for model in ("dmnb", "fast-dmnb"):
            fitted = work.fit(f"003-rise-{name}-{model}", *ACCURACY.source(work, name), "--model", model, "--k",
                              sets.classes(work, name), "--eta-start", 10, "--tolerance", 1e-9)
            curve = [float(line[3]) for line in fitted["curve"]]
            least = min([least] + [(b - a) / abs(a) for a, b in zip(curve, curve[1:])])
    figures["smallest relative step of the objective"] = least
    rises, below = least > -1e-9, min(slack) > -1e-9
    paper.claim(14, judge(rises or below, rises and below), figures,
                f"The smallest step of the objective over all traces is {least:.1e} of its size; the bound lies "
                f"{min(slack):.2f} to {max(slack):.2f} nats below log p(x, y) of the tiny table, which was enumerated. "
                "Unknown label parameters are smoothed, so what rises is the bound with that penalty.")


def hidden_topic(work, paper):
    """Claim 13 on a stand-in."""
    labels = topics.lines_of(work.source("cmu-diff", "labels.txt"))
    path = work.file("003-hidden-labels.txt")
    with writing(path) as file:
        file.write("\n".join("baseball" if "baseball" in label else "other" for label in labels) + "\n")
    words = ["words=" + work.source("cmu-diff", "docs.ldac"), "class=" + path, "--label", "class"]
    fitted = work.fit("003-hidden", *words, "--vocab", "words=" + work.source("cmu-diff", "vocab.txt"), "--model",
                      "fast-dlda", "--k", 12, "--eta-start", 10)
    lines = work.rows("evaluate", fitted["file"], *words, "--estimator", "bound", "--per-row")
    table = {}
    for line, label in zip(lines, labels):
        table.setdefault(int(line["top_component"]), []).append(label)
    pure = {k: max((group.count(g) / len(group), g) for g in set(group)) for k, group in table.items() if len(group) >= 50}
    named = {g: max((share for share, name in pure.values() if name == g), default=0.0) for g in ("sci.space", "alt.atheism")}
    lists = topics.top_words(work, fitted["file"], 8)
    for group in named:
        k = next((k for k, v in pure.items() if v == (named[group], group)), None)
        paper.table(f"A topic of fast-dlda that no label names: {group}", ["likeliest words"],
                    [[", ".join(lists[k - 1])]] if k else [["none"]])
    found = sum(share > 0.8 for share in named.values())
    paper.claim(13, judge(found >= 1, stand_in=True), {"purest component of a hidden group": named},
                f"With space and atheism under one label, {found} of the 2 hidden groups get a component of their own (above "
                "80 % pure among documents whose largest share it is). The passenger topic of the paper itself cannot be "
                "looked for.")


def run(work, paper):
    paper.part(bounds, work, paper)
    paper.part(hidden_topic, work, paper)
