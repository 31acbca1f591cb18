#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Row weights: every command that uses them says so, and what the rows stand for."""
import csv
import json

from program import ProgramTest, main


class Weights(ProgramTest):
    def weighted(self, name="weighted.csv", scale=1.5):
        """The survey with a column w; the sum of the weights and the number of observed answers."""
        self.survey()
        lines = list(csv.reader((self.folder / "survey.csv").open(encoding="utf-8")))
        total, cells = 0.0, 0
        for i, line in enumerate(lines):
            if i == 0:
                line.append("w")
                features = [at for at, head in enumerate(line) if head not in ("id", "group", "w")]
                continue
            weight = scale * (1 + i % 3)
            total += weight
            cells += sum(1 for at in features if line[at] not in ("", "NA"))
            line.append(f"{weight:g}")
        self.write(name, "\n".join(",".join(line) for line in lines) + "\n")
        return name, total, cells

    def test_every_command_says_which_weights_were_used(self):
        data, total, _ = self.weighted()
        fit = ["--ignore", "group", "--weight", "w", "--k", "2"]
        sentence = f'Rows are weighted by "w" (sampling weights): 200 rows stand for {total:,.0f}.'
        self.assertIn(sentence, self.medley("fit", data, *fit, "-o", "m.medley").stdout)
        self.assertIn('weighted by "w"', self.medley("inspect", "m.medley").stdout)
        for words in (["inspect", "m.medley"], ["groups", "m.medley", data, "--by", "group"],
                      ["evaluate", "m.medley", data], ["evaluate", data, *fit, "--folds", "2"],
                      ["bootstrap", "m.medley", data, "--replicates", "3"]):
            said = " ".join(self.medley(*words).stdout.split())
            self.assertIn(sentence, said, words)

    def test_json_tells_weights_and_cells(self):
        data, total, cells = self.weighted()
        out = json.loads(self.medley("fit", data, "--ignore", "group", "--weight", "w", "--k", "2", "-o", "m.medley",
                                     "--json").stdout)
        self.assertEqual(out["weights"]["column"], "w")
        self.assertEqual(out["weights"]["kind"], "sampling")
        self.assertAlmostEqual(out["weights"]["stand_for"], total, places=6)
        self.assertEqual(out["weights"]["cells"], cells)
        # the model file remembers
        again = json.loads(self.medley("evaluate", "m.medley", data, "--json").stdout)
        self.assertEqual(again["weights"], out["weights"])

    def test_frequency_weights_are_called_so(self):
        data, total, _ = self.weighted(scale=1)
        said = self.medley("fit", data, "--ignore", "group", "--weight", "w", "--weights", "frequency", "--k", "2", "-o",
                           "m.medley").stdout
        self.assertIn(f"(frequency weights): 200 rows stand for {total:,.0f}.", said)
        self.assertRegex(said, r"[\d,]+ observations, weighted from [\d,]+ cells")

    def test_without_weights_nothing_is_said(self):
        self.survey()
        done = self.medley("fit", "survey.csv", "--ignore", "group", "--k", "2", "-o", "m.medley")
        self.assertNotIn("weighted", done.stdout)
        self.assertNotIn("weighted", self.medley("inspect", "m.medley").stdout)
        self.assertIsNone(json.loads(self.medley("evaluate", "m.medley", "survey.csv", "--json").stdout)["weights"])


if __name__ == "__main__":
    main()
