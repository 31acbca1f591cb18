#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""medley evaluate --holdout-cells, with a model and fitting anew."""
import json

from program import ProgramTest, main


class Holdout(ProgramTest):
    def scores(self, *words):
        return json.loads(self.medley("evaluate", *words, "--json").stdout)

    def test_a_model_predicts_hidden_cells_better_than_their_columns(self):
        out = self.scores(self.fitted(), "survey.csv", "--holdout-cells", "0.2")
        self.assertEqual([s["what"] for s in out["scores"]], ["all", "data.bernoulli", "data.categorical"])
        every = out["scores"][0]
        self.assertGreater(every["gain"], 3 * every["gain_error"])
        self.assertAlmostEqual(every["gain"], every["baseline_log_loss"] - every["log_loss"], places=12)
        self.assertGreater(every["accuracy"], every["baseline_accuracy"])
        self.assertEqual(every["cells"], sum(s["cells"] for s in out["scores"][1:]))
        self.assertIsNone(every["rmse"])
        self.assertEqual(out["flip"], [])

    def test_fitting_anew_keeps_no_model(self):
        data = self.survey(rows=100)
        words = (data, "--label", "group", "--head", "none", "--k", "2", "--holdout-cells", "0.2", "--quiet")
        out = self.scores(*words, "--repeat", "2", "--seed", "5")
        self.assertEqual(self.files(), [data])
        self.assertEqual((out["repeats"], out["seed"]), (2, 5))
        self.assertGreater(out["scores"][0]["gain"], 0)
        alone = [self.scores(*words, "--seed", s) for s in (5, 6)]
        cells = [each["scores"][0]["cells"] for each in alone]
        self.assertEqual(out["scores"][0]["cells"], sum(cells))

    def test_several_sizes_predict_the_same_cells(self):
        data = self.survey(rows=100)
        words = ("--ignore", "group", "--holdout-cells", "0.2", "--quiet")
        out = self.scores(data, *words, "--k", "1,2,3")
        self.assertEqual([one["k"] for one in out["sizes"]], [1, 2, 3])
        for one in out["sizes"]:
            self.assertEqual(one["scores"], self.scores(data, *words, "--k", one["k"])["scores"])
        best = min(out["sizes"], key=lambda one: one["scores"][0]["log_loss"])["k"]
        said = self.medley("evaluate", data, *words, "--k", "1,2,3").stdout
        self.assertRegex(said, r"(?m)^K = 2 +0\.\d{4} ")
        self.assertIn(f"Best by log-loss (nats per cell): K = {best}.", said)
        self.assertNotIn("-0.0000", said)
        self.refused("evaluate", data, *words, "--k", "1,two", says=["two"])

    def test_numbers_have_errors_and_intervals(self):
        rows = "".join(f"{'ab'[i % 2]},{(i % 2) * 10 + (i * 7919 % 13) / 4},{(i % 2) * 5 + (i * 104729 % 11) / 3}\n"
                       for i in range(200))
        self.write("n.csv", "kind,x,y\n" + rows)
        words = ("n.csv", "--ignore", "kind", "--column", "x=gaussian", "--column", "y=gaussian", "--k", "2",
                 "--holdout-cells", "0.1", "--quiet")
        text = self.medley("evaluate", *words).stdout
        for part in ("hidden and predicted", "log-loss", "column", "gain", "RMSE", "in 90 %"):
            self.assertIn(part, text)
        out = self.scores(*words)["scores"][0]
        self.assertLess(out["rmse"], out["baseline_rmse"])
        self.assertGreater(out["coverage90"], out["coverage50"])
        self.assertIsNone(out["accuracy"])

    def test_noise_makes_the_scores_worse(self):
        out = self.scores(self.fitted(), "survey.csv", "--holdout-cells", "0.3", "--flip", "0.1,0.3")["flip"]
        self.assertEqual([point["share"] for point in out], [0, 0.1, 0.3])
        for key in ("log_loss", "perplexity", "perplexity_of_rows"):
            values = [point[key] for point in out]
            self.assertEqual(values, sorted(values))
        self.assertEqual(out[2]["flipped"], round(0.3 * out[2]["cells"]))

    def test_threads_do_not_matter(self):
        words = (self.survey(rows=100), "--label", "group",
                 "--head", "none", "--k", "2", "--holdout-cells", "0.2", "--quiet", "--json")
        one = self.medley("evaluate", *words, "--threads", "1").stdout
        self.assertEqual(one, self.medley("evaluate", *words, "--threads", "3").stdout)

    def test_wrong_requests(self):
        data = self.survey()
        self.refused("evaluate", data, "--k", "2", says=["--holdout-cells"])
        self.refused("evaluate", self.fitted(), says=["DATA", "is missing"])
        self.refused("evaluate", "m.medley", data, "--restarts", "2", "--holdout-cells", "0.1", says=["--k"])
        self.refused("evaluate", "m.medley", data, "--flip", "0.1", says=["--holdout-cells"])
        self.refused("evaluate", "m.medley", data, "--holdout-cells", "0.1", "--per-row", says=["--per-row"])
        for share in ("0", "1", "10", "x"):
            self.refused("evaluate", "m.medley", data, "--holdout-cells", share, says=["between 0 and 1"])
        self.refused("evaluate", "m.medley", data, "--holdout-cells", "0.1", "--flip", "2", says=["from 0 to 1"])
        self.refused("evaluate", data, "--k", "2", "--holdout-cells", "0.1", "--init", "singel",
                     says=['did you mean "single"?'])
        self.topics()
        done = self.medley("evaluate", "t.medley", "docs.ldac", "--holdout-cells", "0.5", expect=2)
        self.assertIn("no cell was hidden", done.stderr)
        self.refused("evaluate", "docs.ldac", "--k", "2", "--holdout-cells", "0.5", says=["no cell was hidden"])


if __name__ == "__main__":
    main()
