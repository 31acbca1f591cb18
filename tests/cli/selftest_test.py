# SPDX-License-Identifier: Apache-2.0
"""medley selftest: whether the sampler is right, on tables like the user's."""
import json
import unittest

import program


class SelfTestTest(program.ProgramTest):
    def answers(self):
        lines = ["yes,red", "no,blue", "yes,", "no,red", ",blue"]
        self.write("survey.csv", "a,colour\n" + "\n".join(lines * 3) + "\n")

    def test_geweke_passes(self):
        self.answers()
        out = self.medley("selftest", "geweke", "survey.csv", "--model", "gom-bayes", "--k", 2, "--rows", 6,
                          "--replicates", 20, "--quiet").stdout
        self.assertIn("Geweke's test of gom-bayes, on 6 rows", out)
        self.assertIn("sum of alpha", out)
        self.assertIn("The sampler passes", out)

    def test_ranks_pass(self):
        self.answers()
        out = json.loads(self.medley("selftest", "sbc", "survey.csv", "--ignore", "colour", "--model", "dp-mixture",
                                     "--rows", 2, "--replicates", 80, "--json", "--quiet").stdout)
        self.assertTrue(out["passed"])
        self.assertEqual((out["test"], out["rows"], out["replicates"]), ("sbc", 2, 80))
        self.assertIn("clusters", [row["name"] for row in out["quantities"]])
        self.assertTrue(all(0 <= row["p"] <= 1 for row in out["quantities"]))

    def test_priors_are_those_of_fit(self):
        self.answers()

        def mean(*prior):
            out = json.loads(self.medley("selftest", "geweke", "survey.csv", "--model", "gom-bayes", "--k", 2,
                                         "--rows", 1, "--replicates", 20, "--json", "--quiet", *prior).stdout)
            return {row["name"]: row["expected"] for row in out["quantities"]}

        # Of Gamma(shape, rate) the mean is shape / rate; the default is 2, 10.
        self.assertAlmostEqual(mean()["sum of alpha"], 0.2, delta=0.03)
        self.assertAlmostEqual(mean("--alpha-prior", "6,2")["sum of alpha"], 3, delta=0.25)
        self.assertNotIn("sum of alpha", mean("--alpha", "fixed:0.5"))

    def test_errors_say_what_to_do(self):
        self.answers()
        for arguments, words in [
                (["geweke", "survey.csv"], ["--model", "gom-bayes"]),
                (["geweke", "survey.csv", "--model", "gom-bayes"], ["--k", "--k 3"]),
                (["gewecke", "survey.csv", "--model", "dp-mixture"], ["geweke"]),
                (["sbc", "survey.csv", "--model", "dp-mixture", "--replicates", "5"], ["--replicates", "80"]),
                (["sbc", "survey.csv", "--model", "dp-mixture", "--k", "3"], ["--k", "leave out"]),
                (["sbc", "nothing.csv", "--model", "dp-mixture"], ["nothing.csv"])]:
            self.refused("selftest", *arguments, "--quiet", says=words)


if __name__ == "__main__":
    unittest.main()
