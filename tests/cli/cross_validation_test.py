#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""medley evaluate DATA --k N --folds F, against fits and scores done one by one."""
import collections
import csv
import io
import json
import math
import statistics

from program import ProgramTest, main

SCORES = ("perplexity", "log_row_perplexity", "log_likelihood", "nats_per_cell_above_baseline", "mean_entropy",
          "unseen_cells")
TRUTH = ("accuracy", "micro_precision", "mutual_information", "nmi")


class CrossValidation(ProgramTest):
    def scores(self, *words):
        return json.loads(self.medley("evaluate", *words, "--json").stdout)

    def mixed(self, rows=14):
        """Answers, a number, words and a class; the last row holds a level and a word of its own."""
        lines = ["q,r,x,t,kind"]
        for i in range(rows):
            one = i % 3 > 0
            lines.append(f"{'ab'[one]},{'cde'[i % 2 + one]},{10 * one + i * 7919 % 13 / 4},"
                         f"{'cat dog' if one else 'hen fox'} {'cow' if i % 4 else 'dog'},k{one:d}")
        lines.append("z,c,3.5,zebra cat hen,k0")
        return lines

    # One fold per row: then no fold need be drawn here to know what each of them should be.
    def test_every_fold_is_a_fit_without_its_row(self):
        lines = self.mixed(8)
        families = ["--column", "q=categorical", "--column", "r=categorical", "--column", "x=gaussian", "--column",
                    "t=text", "--ignore", "kind"]
        fits = ["--k", "2", "--seed", "4", "--shrink", "1"]
        self.write("all.csv", "\n".join(lines) + "\n")
        out = self.scores("all.csv", *families, *fits, "--folds", str(len(lines) - 1))
        by_hand = []
        for i in range(1, len(lines)):
            self.write("train.csv", "\n".join(lines[:i] + lines[i + 1:]) + "\n")
            self.write("test.csv", "\n".join([lines[0], lines[i]]) + "\n")
            self.medley("fit", "train.csv", *families, *fits, "-o", "m.medley", "--quiet")
            test = json.loads(self.medley("evaluate", "m.medley", "test.csv", "--json").stdout)
            train = json.loads(self.medley("evaluate", "m.medley", "train.csv", "--json").stdout)
            by_hand.append((test["log_likelihood"], test["above_baseline"], test["perplexity"], test["mean_entropy"],
                            train["log_likelihood"], train["above_baseline"]))
        keys = ("log_likelihood", "nats_per_cell_above_baseline", "perplexity", "mean_entropy")
        folds = [tuple(fold["test"][key] for key in keys) + tuple(fold["train"][key] for key in keys[:2])
                 for fold in out["folds"]]
        for mine, theirs in zip(sorted(by_hand), sorted(folds)):
            for a, b in zip(mine, theirs):
                self.assertAlmostEqual(a, b, places=6)
        values = [fold["test"]["log_likelihood"] for fold in out["folds"]]
        self.assertAlmostEqual(out["test"]["log_likelihood"]["mean"], statistics.mean(values), places=9)
        self.assertAlmostEqual(out["test"]["log_likelihood"]["sd"], statistics.stdev(values), places=9)
        unseen = sorted(fold["test"]["unseen_cells"] for fold in out["folds"])
        self.assertEqual(unseen[-1], 2)  # z and zebra, which is also too rare elsewhere
        self.assertEqual(unseen[:-1], [0] * (len(values) - 1))

    # One profile is the product of its columns: counts and smoothing, in plain Python.
    def test_one_profile_against_counts(self):
        cells = ["a"] * 9 + ["b"] * 5 + ["c"] * 2
        self.write("q.csv", "q\n" + "\n".join(cells) + "\n")
        out = self.scores("q.csv", "--k", "1", "--folds", "16", "--smoothing", "0.25")
        expected = []
        for i, cell in enumerate(cells):
            counts = collections.Counter(cells[:i] + cells[i + 1:])
            expected.append(math.log((counts[cell] + 0.25) / (15 + 0.25 * 3)))
        found = [fold["test"]["log_likelihood"] for fold in out["folds"]]
        for a, b in zip(sorted(expected), sorted(found)):
            self.assertAlmostEqual(a, b, places=9)
        self.assertAlmostEqual(out["test"]["nats_per_cell_above_baseline"]["mean"], 0, places=9)
        self.assertEqual(sum(part is None for part in out["folds"][0]["test"]["entropy_quintiles"]), 4)

    def test_all_scores_of_both_sides(self):
        words = (self.survey(), "--ignore", "group", "--truth", "group", "--k", "2", "--folds", "4")
        out = self.scores(*words)
        self.assertEqual([fold["fold"] for fold in out["folds"]], [1, 2, 3, 4])
        self.assertEqual((out["match"], out["matched_on"]), ("majority", "train"))
        for side in ("train", "test"):
            for name in SCORES + TRUTH:
                self.assertEqual(set(out[side][name]), {"mean", "sd"}, name)
                values = [fold[side][name] for fold in out["folds"]]
                self.assertAlmostEqual(out[side][name]["mean"], statistics.mean(values), places=9)
                self.assertAlmostEqual(out[side][name]["sd"], statistics.stdev(values), places=9)
            self.assertEqual(len(out[side]["entropy_quintiles"]), 5)
            self.assertGreater(out[side]["accuracy"]["mean"], 0.9)
            self.assertEqual(sum(fold[side]["rows"] for fold in out["folds"]), {"train": 600, "test": 200}[side])
        text = self.medley("evaluate", *words, "--match", "hungarian", "--match-on", "test").stdout
        for part in ("4 folds", "accuracy", "one to one with classes, on the test rows", "part 5 of 5", "unseen cells"):
            self.assertIn(part, text)
        self.assertEqual(self.scores(*words, "--model", "mnb")["estimator"], "exact")

    def test_several_truth_columns(self):
        rows = [line.split(",") for line in self.mixed(40)[1:]]
        self.write("two.csv", "q,x,one,two\n" + "".join(f"{q},{x},{kind},{r}\n" for q, r, x, _, kind in rows))
        words = ("two.csv", "--column", "x=gaussian", "--k", "2", "--folds", "3", "--truth", "one", "--truth", "two")
        out = self.scores(*words)
        self.assertEqual(set(out["test"]["truth"]), {"one", "two"})
        self.assertNotIn("accuracy", out["test"])
        self.assertEqual(set(out["folds"][0]["train"]["truth"]["two"]), set(TRUTH))
        self.refused("evaluate", *words, "--match", "identity", says=["--match identity", "3 classes"])

    def test_accuracy_under_a_model(self):
        model = self.fitted()
        for match in ("majority", "hungarian"):
            truth = self.scores(model, "survey.csv", "--truth", "group", "--match", match)["truth"][0]
            self.assertEqual((truth["match"], truth["matched_on"]), (match, "scored rows"))
            self.assertAlmostEqual(truth["accuracy"], truth["micro_precision"])
        identity = self.scores(model, "survey.csv", "--truth", "group", "--match", "identity")["truth"][0]["accuracy"]
        self.assertTrue(min(abs(identity - truth["accuracy"]), abs(1 - identity - truth["accuracy"])) < 1e-9)

    def labelled(self, rows=60):
        """A class in five of rows, told by two answers most of the time."""
        lines = ["id,a,b,kind"]
        for i in range(rows):
            rare = i % 5 == 0
            lines.append(f"r{i},{'xy'[rare != (i % 7 == 0)]},{'uv'[rare != (i % 11 == 0)]},{'rare' if rare else 'usual'}")
        return self.write("kinds.csv", "\n".join(lines) + "\n")

    def test_rows_told_by_models_that_have_not_seen_them(self):
        words = ("evaluate", self.labelled(), "--id", "id", "--label", "kind", "--k", "2", "--folds", "6")
        rows = list(csv.DictReader(io.StringIO(self.medley(*words, "--per-row", "--quiet").stdout)))
        self.assertEqual([row["id"] for row in rows], [f"r{i}" for i in range(60)])
        self.assertEqual(collections.Counter(row["fold"] for row in rows), {str(f): 10 for f in range(1, 7)})
        # stratified: two of the twelve rare rows in each of the six folds
        rare = collections.Counter(row["fold"] for row in rows if row["kind"] == "rare")
        self.assertEqual(rare, {str(f): 2 for f in range(1, 7)})
        for row in rows:
            shares = {kind: float(row[f"p_{kind}"]) for kind in ("rare", "usual")}
            self.assertAlmostEqual(sum(shares.values()), 1, places=9)
            self.assertEqual(row["class"], max(shares, key=shares.get))
        # the scores of the folds follow from the rows
        out = self.scores(*words[1:])
        right = sum(row["class"] == row["kind"] for row in rows) / 60
        self.assertAlmostEqual(out["test"]["accuracy"]["mean"], right, places=9)
        loss = [-math.log(float(row["p_" + row["kind"]])) for row in rows]
        self.assertAlmostEqual(out["test"]["log_loss"]["mean"], statistics.mean(loss), places=9)
        self.check_calibration(rows, out["test"]["label"])

    def check_calibration(self, rows, label):
        bins = collections.defaultdict(list)
        for row in rows:
            p = max(float(row["p_rare"]), float(row["p_usual"]))
            bins[min(9, int(10 * p))].append((p, row["class"] == row["kind"]))
        gap = 0
        for at, told in bins.items():
            confidence, accuracy = (statistics.mean(column) for column in zip(*told))
            self.assertEqual(label["calibration"][at]["rows"], len(told))
            self.assertAlmostEqual(label["calibration"][at]["confidence"], confidence, places=9)
            self.assertAlmostEqual(label["calibration"][at]["accuracy"], accuracy, places=9)
            gap += len(told) * abs(confidence - accuracy)
        self.assertAlmostEqual(label["calibration_error"], gap / len(rows), places=9)

    def test_folds_say_that_they_are_stratified_and_how_calibrated(self):
        words = ("evaluate", self.labelled(), "--id", "id", "--label", "kind", "--k", "2", "--folds", "6", "--quiet")
        said = self.medley(*words).stdout
        self.assertIn("Folds are stratified", said)
        self.assertIn("calibration error", said)
        self.assertRegex(said, r"0\.9 to 1\.0 +\d+")
        self.assertNotIn("stratified", self.medley(*words, "--unstratified").stdout)
        self.refused("evaluate", "kinds.csv", "--k", "2,3", "--folds", "3", says=["--k", "medley select"])
        self.refused("evaluate", "kinds.csv", "--k", "2", "--per-row", says=["--k", "--folds"])

    def test_rows_without_a_label_have_scores_too(self):
        done = self.medley("evaluate", self.survey(rows=40), "--ignore", "group", "--k", "2", "--folds", "4", "--per-row",
                           "--quiet")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(list(rows[0]), ["id", "fold", "observations", "log_likelihood", "baseline", "entropy",
                                         "top_component", "top_share"])
        out = self.scores("survey.csv", "--ignore", "group", "--k", "2", "--folds", "4")
        total = sum(fold["test"]["log_likelihood"] for fold in out["folds"])
        self.assertAlmostEqual(sum(float(row["log_likelihood"]) for row in rows), total, places=6)

    def test_threads_do_not_matter(self):
        words = (self.survey(), "--ignore", "group", "--k", "2", "--folds", "3", "--restarts", "2")
        self.assertEqual(self.scores(*words, "--threads", "1"), self.scores(*words, "--threads", "4"))

    def test_what_makes_no_sense_is_refused(self):
        data = self.survey()
        self.refused("evaluate", data, "--folds", "4", says=["--k"])
        self.refused("evaluate", data, "--k", "2", "--folds", "1", says=["at least 2"])
        self.refused("evaluate", data, "--k", "2", "--folds", "4", "--truth", "nothing", says=["--truth"])
        self.refused("evaluate", data, "--k", "2", "--folds", "4", "--match", "best", "--truth", "group",
                     says=["majority"])
        self.refused("evaluate", data, "--k", "2", "--folds", "4", "--match-on", "test", says=["--truth"])
        model = self.fitted()
        self.refused("evaluate", data, "--k", "2", "--folds", "4", "--init", model, says=["seen the test rows"])


if __name__ == "__main__":
    main()
