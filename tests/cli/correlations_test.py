# SPDX-License-Identifier: Apache-2.0
"""medley correlations, and what else gamma and correlated membership have on the command line."""
import csv
import io
import json
import math
import statistics
import unittest

import program


def pairs_of(text):
    return {(line["a"], line["b"]): float(line["correlation"]) for line in csv.DictReader(io.StringIO(text))}


class CorrelationsTest(program.ProgramTest):
    def planted(self, documents=100):
        """Six topics of which 1 and 2, 3 and 4, 5 and 6 occur together."""
        self.once("simulate", "correlated-nmf", "--k", 6, "--columns", "tokens:1x200", "--correlation", 0.8,
                  "--spread", 2, "--separation", 2.5, "-n", documents, "--tokens", 80, "-o", "docs.ldac",
                  "--model-out", "true.medley")

    def test_a_planted_model_has_its_pairs(self):
        self.planted()
        pairs = pairs_of(self.medley("correlations", "true.medley", "--n", 3).stdout)
        above = [pair for pair, value in pairs.items() if value > 0]
        self.assertEqual(sorted(above), [("Topic 1", "Topic 2"), ("Topic 3", "Topic 4"), ("Topic 5", "Topic 6")])

    def test_a_fit_finds_which_topics_go_together(self):
        self.medley("simulate", "correlated-nmf", "--k", 4, "--columns", "tokens:1x100", "--correlation", 0.8,
                    "--spread", 2, "--separation", 2.5, "-n", 200, "--tokens", 80, "-o", "docs.ldac",
                    "--model-out", "true.medley")
        self.medley("fit", "words=docs.ldac", "--model", "correlated-nmf", "--k", 4, "--max-iterations", 30, "--quiet",
                    "-o", "m.medley")
        matched = json.loads(self.medley("compare", "true.medley", "m.medley", "--json").stdout)["pairs"]
        partner = {pair["b"]: pair["a"] for pair in matched}
        rows = list(csv.reader(io.StringIO(self.medley("correlations", "m.medley", "--matrix").stdout)))[1:]
        for i, row in enumerate(rows, 1):
            self.assertEqual(float(row[i]), 1)
            nearest = max((j for j in range(1, 5) if j != i), key=lambda j: float(row[j]))
            together = {(partner[i] - 1) // 2, (partner[nearest] - 1) // 2}
            self.assertEqual(len(together), 1, f"topic {i}")

    def test_any_model_has_correlations_over_rows(self):
        self.planted()
        self.medley("fit", "words=docs.ldac", "--k", 6, "--max-iterations", 10, "--quiet", "-o", "m.medley")
        refused = self.refused("correlations", "m.medley")
        self.assertIn("correlated-nmf", refused)
        out = self.medley("correlations", "m.medley", "words=docs.ldac", "--n", 3)
        self.assertIn("memberships of 100 rows", out.stderr)
        values = list(pairs_of(out.stdout).values())
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertIn(len(values), range(3, 7))
        # The matrix by hand from the memberships: logarithms of what a document holds, centred.
        rows = list(csv.reader(io.StringIO(self.medley("transform", "m.medley", "words=docs.ldac").stdout)))[1:]
        with open(self.folder / "docs.ldac", encoding="utf-8") as file:
            lengths = [sum(int(pair.split(":")[1]) for pair in line.split()[1:]) for line in file]
        logs = []
        for length, row in zip(lengths, rows, strict=True):
            held = [math.log(length * float(share) + 0.5) for share in row[1:]]
            logs.append([value - sum(held) / len(held) for value in held])
        matrix = list(csv.reader(io.StringIO(
            self.medley("correlations", "m.medley", "words=docs.ldac", "--matrix").stdout)))[1:]
        for i in range(6):
            for j in range(6):
                expected = statistics.correlation([row[i] for row in logs], [row[j] for row in logs])
                self.assertAlmostEqual(float(matrix[i][j + 1]), expected, places=6)

    def test_gamma_and_correlated_models_are_models(self):
        self.planted()
        for preset in ("bayesian-nmf", "correlated-nmf"):
            for more in (("--max-iterations", 5), ("--batch", 50, "--passes", 2)):
                self.medley("fit", "words=docs.ldac", "--model", preset, "--k", 4, "--quiet", "-o", "m.medley", *more)
                scored = json.loads(self.medley("evaluate", "m.medley", "words=docs.ldac", "--json").stdout)
                self.assertEqual(scored["estimator"], "completion")
                self.assertIn("Topic 1", self.medley("inspect", "m.medley").stdout)
                shares = list(csv.reader(io.StringIO(self.medley("transform", "m.medley", "words=docs.ldac").stdout)))[1:]
                for row in shares:
                    self.assertAlmostEqual(sum(map(float, row[1:])), 1, places=9)
                exported = json.loads(self.medley("export", "m.medley").stdout)
                self.assertEqual(len(exported["h"]), 4)
                self.assertEqual([len(exported["g"]), len(exported["g"][0])], [200, 4])
                self.assertEqual("ell" in exported, preset == "correlated-nmf")
                similar = json.loads(self.medley("similar", "m.medley", "words=docs.ldac", "--row", 3, "--json").stdout)
                self.assertIn("cosine" if preset == "correlated-nmf" else "Bhattacharyya", similar["metric"])
        refused = self.refused("evaluate", "m.medley", "words=docs.ldac", "--estimator", "importance")
        self.assertIn("completion", refused)

    def test_what_cannot_be_is_said(self):
        self.planted()
        told = self.refused("fit", "words=docs.ldac", "--model", "bayesian-nmf", "--k", 3, "--dimension", 2, "-o", "m.medley")
        self.assertIn("no locations", told)
        told = self.refused("fit", "words=docs.ldac", "--model", "correlated-nmf", "--k", 3, "--dimension", 9, "-o",
                            "m.medley")
        self.assertIn("at most 3", told)
        told = self.refused("fit", "words=docs.ldac", "--model", "bayesian-nmf", "--k", 3, "--alpha", "fitted", "-o",
                            "m.medley")
        self.assertIn("no alpha", told)


if __name__ == "__main__":
    unittest.main()
