# SPDX-License-Identifier: Apache-2.0
"""Sampled models on the command line: fit, diagnose, and every command that takes a model."""
import csv
import io
import json
import random
import unittest

import program


class SamplingTest(program.ProgramTest):
    def survey(self, rows=80):
        """Two kinds of people, six questions, some answers missing."""
        rng = random.Random(3)
        with open(self.folder / "s.csv", "w", encoding="utf-8") as file:
            file.write(",".join(f"q{j}" for j in range(6)) + "\n")
            for i in range(rows):
                answers = ["yes" if rng.random() < (0.9 if (i + j) % 2 else 0.1) else "no" for j in range(6)]
                if i % 7 == 0:
                    answers[i % 6] = ""
                file.write(",".join(answers) + "\n")

    def fit(self, *more):
        return self.once("fit", "s.csv", "--chains", 2, "--sweeps", 60, "--draws", 20, "--quiet", "-o", "m.medley",
                         *more)

    def test_every_command_takes_a_sampled_model(self):
        self.survey()
        for model in (("--model", "gom-bayes", "--k", 2), ("--model", "dp-mixture", "--starts", "1,20")):
            told = self.fit(*model).stdout
            self.assertIn("gibbs inference", told)
            self.assertRegex(told, "Too few effective draws|Not mixed")  # 120 sweeps in all
            self.assertIn("Sample again with --sweeps", told)
            self.assertIn("medley diagnose m.medley", told)
            text = self.medley("inspect", "m.medley").stdout
            self.assertIn("Posterior means of 40 draws", text)
            shares = list(csv.reader(io.StringIO(self.medley("transform", "m.medley", "s.csv").stdout)))[1:]
            for row in shares:
                self.assertAlmostEqual(sum(map(float, row[1:])), 1, places=9)
            scored = json.loads(self.medley("evaluate", "m.medley", "s.csv", "--json").stdout)
            self.assertEqual(scored["estimator"], "exact")
            filled = self.medley("impute", "m.medley", "s.csv").stdout
            self.assertNotIn(",,", filled)
            drawn = self.medley("impute", "m.medley", "s.csv", "--draws", 3, "-o", "filled").stdout
            self.assertNotIn("error", drawn)
            exported = json.loads(self.medley("export", "m.medley").stdout)
            self.assertIn("columns", exported)
            self.assertEqual(exported["draws"]["chains"], 2)

    def test_diagnose_says_what_is_wrong(self):
        self.survey()
        self.fit("--model", "gom-bayes", "--k", 2)
        text = self.medley("diagnose", "m.medley").stdout
        self.assertIn("should have 400", text)  # 120 sweeps cannot be enough
        self.assertIn("conditional (memberships count): DIC", text)
        self.medley("diagnose", "m.medley", "--strict", expect=4)
        found = json.loads(self.medley("diagnose", "m.medley", "s.csv", "--json").stdout)
        self.assertFalse(found["mixed"])
        self.assertGreater(found["sweeps_needed"], 60)
        self.assertIn("marginal_dic", found)
        names = [quantity["name"] for quantity in found["quantities"]]
        self.assertEqual(names[:2], ["log-likelihood", "sum of alpha"])
        self.assertTrue(any(name.startswith("cell q") for name in names))

    def test_diagnose_of_a_mixture_has_the_posterior_of_k(self):
        self.survey()
        self.fit("--model", "dp-mixture", "--concentration", "gamma:2,4")
        found = json.loads(self.medley("diagnose", "m.medley", "--json").stdout)
        self.assertAlmostEqual(sum(found["clusters"].values()), 1)
        self.assertIn("concentration", [quantity["name"] for quantity in found["quantities"]])

    def test_diagnose_of_a_fit(self):
        self.survey()
        self.medley("fit", "s.csv", "--k", 2, "--restarts", 3, "--quiet", "-o", "m.medley")
        text = self.medley("diagnose", "m.medley").stdout
        self.assertIn("Of 3 restarts", text)

    def test_draws_in_the_layout_of_cmdstan(self):
        self.survey()
        self.fit("--model", "gom-bayes", "--k", 2)
        self.medley("export", "m.medley", "--draws", "d")
        for chain in (1, 2):
            lines = (self.folder / f"d_{chain}.csv").read_text(encoding="utf-8").splitlines()
            comments = [line for line in lines if line.startswith("#")]
            self.assertIn(f"# id = {chain}", comments)
            table = list(csv.DictReader(line for line in lines if not line.startswith("#")))
            self.assertEqual(len(table), 20)
            for column in ("lp__", "alpha.1", "alpha.2", "q0_p.1", "q5_p.2"):
                self.assertIn(column, table[0])
            self.assertLess(float(table[0]["lp__"]), 0)
        # The means of the draws are what the model shows.
        exported = json.loads(self.medley("export", "m.medley").stdout)
        draws = []
        for chain in (1, 2):
            lines = (self.folder / f"d_{chain}.csv").read_text(encoding="utf-8").splitlines()
            draws += [float(row["alpha.1"]) for row in csv.DictReader(x for x in lines if not x.startswith("#"))]
        self.assertAlmostEqual(exported["alpha"][0], sum(draws) / len(draws), places=9)
        self.medley("fit", "s.csv", "--k", 2, "--quiet", "-o", "plain.medley")
        self.assertIn("not sampled", self.refused("export", "plain.medley", "--draws", "p"))

    def test_what_cannot_be_is_said(self):
        self.survey()
        base = ("fit", "s.csv", "-o", "m.medley", "--quiet", "--model", "gom-bayes")
        self.assertIn("--k", self.refused(*base))
        self.assertIn("minibatch", self.refused(*base, "--k", 2, "--batch", 10))
        self.assertIn("two numbers", self.refused(*base, "--k", 2, "--alpha-prior", "3"))
        self.assertIn("above 0", self.refused(*base, "--k", 2, "--concentration", "-1"))
        self.assertIn("leave out --k", self.refused("fit", "s.csv", "-o", "m.medley", "--model", "dp-mixture", "--k", 3))


if __name__ == "__main__":
    unittest.main()
