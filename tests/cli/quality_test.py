#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""evaluate --quality and --absolute-fit, against plain loops over the files."""
import itertools
import json
import math
import random

from program import ProgramTest, main


def coherence(words, documents):
    """UMass and NPMI of a list of words, likeliest first, in documents (sets of words)."""
    documents = [d for d in documents if d]
    words = [w for w in words if any(w in d for d in documents)]
    umass, npmi = [], []
    for first, second in itertools.combinations(words, 2):
        a = sum(first in d for d in documents)
        b = sum(second in d for d in documents)
        both = sum(first in d and second in d for d in documents)
        umass.append(math.log((both + 1) / a))
        if both == 0:
            npmi.append(-1)
        elif both == len(documents):
            npmi.append(1)
        else:
            p = both / len(documents)
            npmi.append(math.log(p / (a / len(documents) * b / len(documents))) / -math.log(p))
    return (sum(umass) / len(umass), sum(npmi) / len(npmi)) if umass else (None, None)


class Quality(ProgramTest):
    def fitted_corpus(self, k=4):
        self.corpus(documents=80, words=40)
        self.medley("fit", "docs.ldac", "--k", k, "-o", "t.medley", "--quiet")

    def documents(self, name):
        names = (self.folder / "vocab.txt").read_text().split()
        lines = (self.folder / name).read_text().splitlines()
        return [{names[int(cell.split(":")[0])] for cell in line.split()[1:]} for line in lines]

    def judged(self, data, *more):
        return json.loads(self.medley("evaluate", "t.medley", data, "--quality", "--json", *more).stdout)

    def test_coherence_equals_a_plain_computation(self):
        self.fitted_corpus()
        draw = random.Random(5)
        # other documents than those fitted, some of them empty, a third of the words in none
        lines = []
        for i in range(50):
            ids = sorted(draw.sample(range(27), 0 if i % 9 == 0 else draw.randint(1, 12)))
            lines.append(" ".join([str(len(ids))] + [f"{w}:{draw.randint(1, 4)}" for w in ids]))
        self.write("other.ldac", "\n".join(lines) + "\n")
        parameters = json.loads(self.medley("export", "t.medley").stdout)
        table = parameters["p"] if "p" in parameters else parameters["bags"][0]["p"]
        vocabulary = (self.folder / "vocab.txt").read_text().split()
        for name, top in [("docs.ldac", 10), ("other.ldac", 10), ("other.ldac", 5)]:
            found = self.judged(name, "--top", top)["topics"][0]
            documents = self.documents(name)
            self.assertEqual(found["documents"], sum(bool(d) for d in documents))
            every = []
            for k, topic in enumerate(found["topics"]):
                order = sorted(range(40), key=lambda w: (-table[k][w], w))[:top]
                self.assertEqual(topic["words"], [vocabulary[w] for w in order])
                every += topic["words"]
                for key, value in zip(("umass", "npmi"), coherence(topic["words"], documents)):
                    self.assertAlmostEqual(topic[key], value, delta=1e-6)
                shares = [table[k][w] / sum(row[w] for row in table) for w in order]
                self.assertAlmostEqual(topic["exclusivity"], sum(shares) / top, delta=1e-6)
            self.assertAlmostEqual(found["diversity"], len(set(every)) / len(every), delta=1e-9)
            scored = [topic["npmi"] for topic in found["topics"] if topic["npmi"] is not None]
            self.assertAlmostEqual(found["npmi"], sum(scored) / len(scored), delta=1e-9)

    def test_nothing_to_score_is_null_not_nan(self):
        self.fitted_corpus(k=1)
        self.write("empty.ldac", "0\n0\n")
        found = self.judged("empty.ldac")
        self.assertIsNone(found["topics"][0]["npmi"])
        self.assertIsNone(found["profiles"][0]["nearest"])
        self.assertEqual(found["effective_profiles"], 1)
        self.assertIn("Top words", self.medley("evaluate", "t.medley", "empty.ldac", "--quality").stdout)

    def test_copies_of_a_profile_are_pointed_out(self):
        data = self.survey(rows=150)
        self.fitted(data=data, k=2, model="two.medley")
        self.assertNotIn("near copies", self.medley("evaluate", "two.medley", data, "--quality").stdout)
        self.medley("simulate", "mmnb", "--k", "3", "--columns", "bernoulli:6", "--separation", "0.2", "-n", "50", "-o",
                    "d.csv", "--model-out", "m.medley")
        self.assertIn("near copies", self.medley("evaluate", "m.medley", "d.csv", "--quality").stdout)
        found = json.loads(self.medley("evaluate", "m.medley", "d.csv", "--quality", "--json").stdout)
        self.assertEqual([(c["a"], c["b"]) for c in sorted(found["near_copies"], key=lambda c: (c["a"], c["b"]))],
                         [(1, 2), (1, 3), (2, 3)])

    def test_options_that_do_not_go_together(self):
        data = self.survey()
        model = self.fitted(data=data)
        for other in (["--absolute-fit"], ["--per-row"], ["--holdout-cells", "0.1"], ["--k", "2"]):
            self.refused("evaluate", model, data, "--quality", *other, says=[other[0]])
        self.refused("evaluate", model, data, "--replicates", "5", says=["--absolute-fit"])
        self.refused("evaluate", model, data, "--quality", "--top", "0", says=["--top"])


class AbsoluteFit(ProgramTest):
    def fit_of(self, model, data, *more):
        return json.loads(self.medley("evaluate", model, data, "--absolute-fit", "--json", *more).stdout)

    def test_observed_counts_of_patterns_are_those_of_the_file(self):
        data = self.survey(rows=300)
        found = self.fit_of(self.fitted(data=data), data, "--least-count", "4")["patterns"]
        lines = (self.folder / data).read_text().splitlines()
        columns = {name: i for i, name in enumerate(lines[0].split(","))}
        count = {}
        rows = [line.split(",") for line in lines[1:]]
        complete = [row for row in rows if "NA" not in row]
        for row in complete:
            key = tuple(row[columns[name]] for name in found["features"])
            count[key] = count.get(key, 0) + 1
        frequent = {key: n for key, n in count.items() if n >= 4}
        self.assertEqual({tuple(p["levels"]): p["observed"] for p in found["patterns"]}, frequent)
        self.assertEqual((found["rows"], found["incomplete_rows"]), (len(complete), 300 - len(complete)))
        self.assertEqual(found["distinct"], len(count))
        total = sum(p["expected"] for p in found["patterns"]) + found["others_expected"]
        self.assertAlmostEqual(total, len(complete), places=6)

    def test_an_item_asked_twice_and_added_zeros_are_found(self):
        draw = random.Random(8)
        lines = ["a,b,c,d,visits"]
        for _ in range(600):
            group = draw.random() < 0.5
            yes = 0.8 if group else 0.2
            a, b, d = ("yes" if draw.random() < yes else "no" for _ in range(3))
            visits = sum(draw.random() < 0.06 for _ in range(100 if group else 60))
            lines.append(f"{a},{b},{b},{d},{0 if draw.random() < 0.25 else visits}")
        self.write("t.csv", "\n".join(lines) + "\n")
        self.medley("fit", "t.csv", "--k", "2", "--model", "mnb", "--column", "visits=poisson", "-o", "m.medley",
                    "--quiet")
        found = self.fit_of("m.medley", "t.csv")
        zeros = [c for c in found["checks"]["checks"] if c["figure"] == "zero_share"][0]
        self.assertTrue(zeros["beyond_chance"])
        self.assertEqual(zeros["in_words"], "more zeros than the model expects")
        text = self.medley("evaluate", "m.medley", "t.csv", "--absolute-fit").stdout
        for part in ("Answer patterns", "Pairs of answers", "Correlations", "more zeros than the model expects"):
            self.assertIn(part, text)

    def test_the_same_seed_gives_the_same_figures(self):
        self.medley("simulate", "mmnb", "--columns", "poisson:3,bernoulli:3", "-n", "80", "-o", "d.csv", "--model-out",
                    "m.medley")
        first = self.medley("evaluate", "m.medley", "d.csv", "--absolute-fit", "--replicates", "20", "--threads", "1")
        again = self.medley("evaluate", "m.medley", "d.csv", "--absolute-fit", "--replicates", "20", "--threads", "2")
        other = self.medley("evaluate", "m.medley", "d.csv", "--absolute-fit", "--replicates", "20", "--seed", "2")
        self.assertEqual(first.stdout, again.stdout)
        self.assertNotEqual(first.stdout, other.stdout)

    def test_block_weights_are_refused(self):
        self.write("docs.csv", "text,q\n" + "".join(
            f"{'cat dog fish' if i % 2 else 'red green blue'} w{i % 7},{'yes' if i % 2 else 'no'}\n" for i in range(60)))
        self.medley("fit", "docs.csv", "--column", "text=text", "--min-count", "1", "--k", "2", "--block-weight",
                    "text=0.5", "-o", "m.medley", "--quiet")
        self.refused("evaluate", "m.medley", "docs.csv", "--absolute-fit", says=["tempered", "--block-weight"])
        self.assertIn("NPMI", self.medley("evaluate", "m.medley", "docs.csv", "--quality").stdout)


if __name__ == "__main__":
    main()
