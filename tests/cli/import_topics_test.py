#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""import-topics: topics written by another program, scored like our own."""
import csv
import json

from program import ProgramTest, main


class ImportTopics(ProgramTest):
    def setUp(self):
        super().setUp()
        self.once("simulate", "lda", "--k", "3", "--columns", "tokens:1x40", "--tokens", "30", "-n", "200",
                  "-o", "words=d.ldac", "--seed", "4")
        self.once("fit", "d.ldac", "--k", "3", "-o", "ours.medley")
        ours = json.loads(self.once("export", "ours.medley").stdout)
        self.alpha = ",".join(map(repr, ours["alpha"]))
        with open(self.folder / "topics.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(ours["bags"][0]["columns"])
            writer.writerows(ours["bags"][0]["p"])

    def scores(self, model, *more):
        return json.loads(self.medley("evaluate", model, "d.ldac", "--json", *more).stdout)

    def test_scores_are_those_of_the_model_the_topics_came_from(self):
        self.medley("import-topics", "topics.csv", "d.ldac", "--alpha", self.alpha, "-o", "theirs.medley")
        for estimator in ("bound", "completion"):
            ours = self.scores("ours.medley", "--estimator", estimator)
            theirs = self.scores("theirs.medley", "--estimator", estimator)
            self.assertAlmostEqual(ours["log_likelihood"], theirs["log_likelihood"], places=4)
            self.assertAlmostEqual(ours["baseline"], theirs["baseline"], places=4)
        self.assertIn("Topic 1", self.medley("inspect", "theirs.medley").stdout)

    def test_alpha_and_the_corpus_may_be_left_out(self):
        done = self.medley("import-topics", "topics.csv", "-o", "theirs.medley")
        self.assertIn("average topic", done.stderr)
        self.assertEqual(json.loads(self.medley("export", "theirs.medley").stdout)["alpha"], [1 / 3] * 3)
        self.medley("import-topics", "topics.csv", "d.ldac", "--alpha", "fitted", "-o", "fitted.medley")
        self.assertGreater(self.scores("fitted.medley", "--estimator", "bound")["log_likelihood"],
                           self.scores("theirs.medley", "--estimator", "bound")["log_likelihood"])

    def test_bad_input_is_refused(self):
        self.refused("import-topics", "topics.csv", "--alpha", "fitted", "-o", "x.medley", says=["needs the corpus"])
        self.refused("import-topics", "topics.csv", "--alpha", "1,2", "-o", "x.medley", says=["2 values for 3 topics"])
        self.refused("import-topics", "topics.csv", "--alpha", "big", "-o", "x.medley", says=["no number"])
        self.write("bad.csv", "sea,ship\n1,two\n")
        self.refused("import-topics", "bad.csv", "-o", "x.medley", says=["topic 1, word \"ship\"", "no weight"])


if __name__ == "__main__":
    main()
