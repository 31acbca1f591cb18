#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Labels: options, choices by inner validation, cross-validation and its two-step baseline, bad labels."""
import json
import random
import statistics

from program import ProgramTest, main

SCORES = ("accuracy", "log_loss", "brier", "macro_f1")


class Labels(ProgramTest):
    def scores(self, *words):
        return json.loads(self.medley("evaluate", *words, "--json", "--quiet").stdout)

    def clouds(self, name="clouds.csv", rows=120, seed=5, noise=0.3):
        """Two classes, each of two clouds of points at opposite corners: no K = 2 tells them apart."""
        draw = random.Random(seed)
        lines = ["x,y,class"]
        for i in range(rows):
            corner = i % 4
            lines.append(f"{corner % 2 + draw.gauss(0, noise / 2):.4f},{corner // 2 + draw.gauss(0, noise / 2):.4f},"
                         f"{'same' if corner in (0, 3) else 'other'}")
        return self.write(name, "\n".join(lines) + "\n")

    def test_k_auto_takes_more_profiles_where_classes_have_parts(self):
        data = self.clouds()
        fit = json.loads(self.medley("fit", data, "--label", "class", "--k", "auto", "-o", "m.medley", "--json",
                                     "--quiet").stdout)
        self.assertGreaterEqual(fit["components"], 4)
        tried = fit["chosen"]["tried"]
        self.assertEqual([t["value"] for t in tried if t["option"] == "--k"], [2, 4, 6, 10, 16])
        self.assertEqual({t["option"] for t in tried}, {"--k", "--label-weight"})
        for option in ("--k", "--label-weight"):
            self.assertEqual(sum(t["chosen"] for t in tried if t["option"] == option), 1)
        self.assertEqual(fit["chosen"]["rows"], 120)
        two = next(t for t in tried if t["value"] == 2)
        best = next(t for t in tried if t["option"] == "--k" and t["chosen"])
        self.assertGreater(best["accuracy"], two["accuracy"] + 0.1)
        text = self.medley("fit", data, "--label", "class", "--k", "auto", "-o", "n.medley", "--quiet").stdout
        self.assertRegex(text, r"Choosing took \d+\.\d\d s\.")
        for part in ("held out in turn", "--label-weight", "accuracy", "log-loss", "<- taken"):
            self.assertIn(part, text)
        self.assertEqual((self.folder / "m.medley").read_bytes(), (self.folder / "n.medley").read_bytes())

    def test_a_fit_says_that_another_objective_tells_classes_better(self):
        words = ("fit", self.clouds(), "--label", "class", "--k", "3", "-o", "m.medley")
        self.assertIn("--objective conditional usually tells the classes better", self.medley(*words).stdout)
        for more in (("--objective", "conditional"), ("--head", "none"), ("--model", "dmnb")):
            self.assertNotIn("--objective conditional", self.medley(*words, *more).stdout)

    def test_what_is_given_is_not_chosen(self):
        words = ("fit", self.clouds(), "--label", "class", "-o", "m.medley", "--json", "--quiet")
        fit = json.loads(self.medley(*words, "--k", "auto", "--label-weight", "1").stdout)
        self.assertEqual({t["option"] for t in fit["chosen"]["tried"]}, {"--k"})
        fit = json.loads(self.medley(*words, "--k", "4", "--eta-start", "auto").stdout)
        self.assertEqual([t["value"] for t in fit["chosen"]["tried"]], list(range(0, 101, 10)))
        self.assertEqual(fit["chosen"]["rows"], 12)
        self.assertNotIn("chosen", json.loads(self.medley(*words, "--k", "4").stdout))

    def test_threads_do_not_matter(self):
        words = (self.clouds(), "--label", "class", "--k", "auto", "--folds", "2")
        self.assertEqual(self.scores(*words, "--threads", "1"), self.scores(*words, "--threads", "3"))

    def test_folds_score_the_label(self):
        out = self.scores(self.clouds(), "--label", "class", "--k", "4", "--folds", "5")
        for side in ("train", "test"):
            for name in SCORES:
                self.assertEqual(set(out[side][name]), {"mean", "sd"}, name)
                values = [fold[side][name] for fold in out["folds"]]
                self.assertAlmostEqual(out[side][name]["mean"], statistics.mean(values), places=9)
                self.assertAlmostEqual(out[side][name]["sd"], statistics.stdev(values), places=9)
                self.assertEqual(out[side]["label"][name], out[side][name])
            self.assertEqual(out[side]["label"]["column"], "class")
            self.assertGreater(out[side]["accuracy"]["mean"], 0.9)
        self.assertEqual(sum(fold["test"]["label"]["rows"] for fold in out["folds"]), 120)
        text = self.medley("evaluate", "clouds.csv", "--label", "class", "--k", "4", "--folds", "5", "--quiet").stdout
        for part in ("Classes of \"class\"", "accuracy", "log-loss", "Brier", "macro F1"):
            self.assertIn(part, text)
        self.assertNotIn("log_loss", self.scores("clouds.csv", "--label", "class", "--head", "none", "--k", "4",
                                                 "--folds", "5")["test"])

    # One fold per row: the fold of the only row of its class cannot know that class.
    def test_a_class_that_no_training_row_holds_counts_as_wrong(self):
        with open(self.folder / self.clouds(rows=16), "a", encoding="utf-8") as file:
            file.write("0.1,0.1,rare\n")
        out = self.scores("clouds.csv", "--label", "class", "--k", "2", "--folds", "17")
        unknown = [fold for fold in out["folds"] if fold["test"]["label"]["unknown"] > 0]
        self.assertEqual(len(unknown), 1)
        self.assertEqual(unknown[0]["test"]["accuracy"], 0)
        self.assertEqual(unknown[0]["test"]["label"]["rows"], 1)
        text = self.medley("evaluate", "clouds.csv", "--label", "class", "--k", "2", "--folds", "17", "--quiet").stdout
        self.assertIn("1 test row of classes that their training rows do not hold: counted as wrong", text)

    def test_two_steps(self):
        words = (self.survey(), "--label", "group", "--k", "2", "--folds", "4")
        out = self.scores(*words, "--two-step")
        self.assertEqual(out["test"]["label"]["method"], "two-step")
        self.assertGreater(out["test"]["accuracy"]["mean"], 0.9)
        self.assertIn("in two steps", self.medley("evaluate", *words, "--two-step", "--quiet").stdout)
        # Without the label in the fit: all but the label's scores is as with --head none.
        none = self.scores(*words, "--head", "none")
        self.assertEqual(out["test"]["log_likelihood"], none["test"]["log_likelihood"])
        self.refused("evaluate", "survey.csv", "--k", "2", "--folds", "4", "--two-step", says=["--label"])
        self.refused("evaluate", "survey.csv", "--label", "group", "--k", "auto", "--folds", "4", "--two-step",
                     says=["--two-step", "--k 3"])

    def test_auto_without_a_label_to_learn(self):
        data = self.survey()
        self.refused("fit", data, "--k", "auto", "-o", "m.medley", says=["--k auto", "no label", "--k N"])
        self.refused("fit", data, "--label", "group", "--head", "none", "--k", "auto", "-o", "m.medley",
                     says=["--k auto", "--head none"])
        self.refused("fit", data, "--k", "many", "-o", "m.medley", says=["many", "whole number", "auto"])
        self.refused("evaluate", data, "--k", "auto", "--holdout-cells", "0.1", says=["auto", "--folds"])
        self.refused("evaluate", data, "--k", "auto", "--folds", "3", says=["--k auto", "no label"])

    def test_options_are_checked(self):
        words = ("fit", self.survey(), "--label", "group", "--k", "2", "-o", "m.medley")
        for option, value in (("--head", "tail"), ("--label-bound", "tight"), ("--label-weight", "0"),
                              ("--label-smoothing", "-1"), ("--objective", "best"), ("--pull", "none"),
                              ("--eta-start", "-3")):
            self.refused(*words, option, value, says=[value])

    def test_labels_that_say_nothing(self):
        rows = [f"{i % 3},{i * 7 % 5},only,,id{i},{'ab'[i % 2]}" for i in range(40)]
        self.write("bad.csv", "x,y,one,none,each,kind\n" + "\n".join(rows) + "\n")
        for k, column in (("2", "one"), ("2", "none"), ("2", "each"), ("auto", "one"), ("auto", "none"),
                          ("auto", "each")):
            self.refused("fit", "bad.csv", "--label", column, "--k", k, "-o", "m.medley", says=[f'"{column}"'])
        self.refused("fit", "bad.csv", "--label", "other", "--k", "2", "-o", "m.medley", says=["other"])
        self.refused("fit", "bad.csv", "--label", "kind", "--column", "kind=categorical", "--k", "2", "-o", "m.medley",
                     says=["kind", "label"])

    def test_a_copy_of_the_label_is_pointed_out(self):
        rows = [f"{i % 3},{i * 7 % 5},{'yn'[i % 2]},{'ab'[i % 2]}" for i in range(40)]
        self.write("copy.csv", "x,y,twin,kind\n" + "\n".join(rows) + "\n")
        words = ("copy.csv", "--label", "kind", "--k", "2", "-o", "m.medley", "--quiet")
        text = self.medley("fit", *words).stdout
        self.assertIn('column "twin" determines the label "kind"', text)
        self.assertIn("--ignore twin", text)
        self.assertNotIn("determines", self.medley("fit", *words, "--ignore", "twin").stdout)


if __name__ == "__main__":
    main()
