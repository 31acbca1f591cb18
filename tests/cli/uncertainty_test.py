#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""transform --intervals, groups and bootstrap: what they print and what they refuse."""
import csv
import io
import json

from program import ProgramTest, main


def table(text):
    return list(csv.reader(io.StringIO(text)))


class Intervals(ProgramTest):
    def test_columns_hold_low_and_high_of_every_share(self):
        model = self.fitted()
        rows = table(self.medley("transform", model, "survey.csv", "--intervals", "0.8").stdout)
        self.assertEqual(rows[0], ["id", "component_1", "component_2", "component_1_low", "component_1_high",
                                   "component_2_low", "component_2_high"])
        plain = table(self.medley("transform", model, "survey.csv").stdout)
        self.assertEqual([row[:3] for row in rows], plain)
        wider = table(self.medley("transform", model, "survey.csv", "--intervals", "0.95").stdout)
        for row, wide in zip(rows[1:], wider[1:], strict=True):
            low, high = float(row[3]), float(row[4])
            self.assertLess(low, high)
            self.assertLess(float(wide[3]), low + 1e-9)
            self.assertGreater(float(wide[4]), high - 1e-9)
            self.assertAlmostEqual(float(row[5]), 1 - high, places=8)

    def test_append_and_intervals(self):
        rows = table(self.medley("transform", self.fitted(), "survey.csv", "--append", "--intervals", "0.9").stdout)
        self.assertEqual(rows[0][-8:], ["component_1", "component_2", "component_1_low", "component_1_high",
                                        "component_2_low", "component_2_high", "top_profile", "entropy"])

    def test_single_membership_has_none(self):
        self.medley("fit", self.survey(), "--k", "2", "--membership", "single", "-o", "m.medley")
        self.refused("transform", "m.medley", "survey.csv", "--intervals", "0.9",
                     says=["--intervals", "one profile", "--membership mixed"])
        self.refused("transform", "m.medley", "survey.csv", "--intervals", "90", says=["--intervals"])


class Groups(ProgramTest):
    def fitted_without_group(self):
        self.once("fit", self.survey(), "--ignore", "group", "--k", "2", "-o", "m.medley")
        return "m.medley"

    def test_tables_for_other_programs_and_papers(self):
        model = self.fitted_without_group()
        words = ("groups", model, "survey.csv", "--by", "group")
        told = {(group["group"], profile["profile"]): profile
                for group in json.loads(self.medley(*words, "--json").stdout)["groups"] for profile in group["profiles"]}
        self.assertEqual(self.medley(*words, "-o", "g.csv").stdout, "")
        rows = table((self.folder / "g.csv").read_text(encoding="utf-8"))
        self.assertEqual(rows[0][:10], ["by", "group", "rows", "weight", "profile", "title", "mean", "se", "low", "high"])
        self.assertEqual([row[1] for row in rows[1:]], ["g0", "g0", "g1", "g1", "(all rows)", "(all rows)"])
        for row in rows[1:5]:
            profile = told[row[1], int(row[4])]
            for at, key in ((6, "mean"), (7, "se"), (8, "low"), (9, "high")):
                self.assertAlmostEqual(float(row[at]), profile[key], places=12)
            self.assertAlmostEqual(float(row[10]), profile["difference"]["value"], places=12)
        excel = self.medley(*words, "--output-format", "excel").stdout
        self.assertEqual(excel, "\ufeff" + (self.folder / "g.csv").read_text(encoding="utf-8"))
        self.medley(*words, "-o", "g.md")
        lines = (self.folder / "g.md").read_text(encoding="utf-8").split("\n")
        self.assertIn("| group | rows | Profile 1 | Profile 2 |", lines)
        self.assertIn("|---|---:|---:|---:|", lines)
        self.assertEqual(sum(line.startswith("| g") for line in lines), 3)
        latex = self.medley(*words, "--output-format", "latex").stdout
        self.assertIn("group & rows & Profile 1 & Profile 2 \\\\\n", latex)
        self.assertEqual(latex.count("\\hline"), 4)
        self.refused(*words, "-o", "survey.csv", says=["-o"])
        self.refused(*words, "--output-format", "word", says=["word"])
        # --format is how data is read
        self.assertEqual(self.medley(*words, "--format", "csv").stdout, self.medley(*words).stdout)

    def test_means_with_intervals(self):
        model = self.fitted_without_group()
        out = json.loads(self.medley("groups", model, "survey.csv", "--by", "group", "--json").stdout)
        self.assertEqual([group["group"] for group in out["groups"]], sorted({g["group"] for g in out["groups"]}))
        self.assertEqual(sum(group["rows"] for group in out["groups"]), 200)
        for group in out["groups"] + [out["all"]]:
            self.assertAlmostEqual(sum(p["mean"] for p in group["profiles"]), 1, places=9)
            for profile in group["profiles"]:
                self.assertLess(profile["low"], profile["mean"])
                self.assertLess(profile["mean"], profile["high"])
        first, second = (group["profiles"][0] for group in out["groups"])
        # The planted groups are far apart, and the two differences are one another's opposite.
        self.assertGreater(abs(first["mean"] - second["mean"]), 0.5)
        self.assertAlmostEqual(first["difference"]["value"], -second["difference"]["value"], places=12)
        text = self.medley("groups", model, "survey.csv", "--by", "group").stdout
        self.assertIn("all rows", text)
        self.assertIn("Profile 2", text)

    def test_wrong_columns(self):
        model = self.fitted_without_group()
        self.refused("groups", model, "survey.csv", "--by", "grup", says=["--by", "grup", "group"])
        self.refused("groups", model, "survey.csv", "--by", "group", "--strata", "no", says=["--strata", "\"no\""])
        self.refused("groups", model, "survey.csv", "--by", "group", "--cluster", "q1", says=["--cluster", "q1"])
        self.refused("groups", model, "survey.csv", says=["--by"])


class Bootstrap(ProgramTest):
    def test_csv_json_and_text_agree(self):
        model = self.fitted()
        words = ("bootstrap", model, "survey.csv", "--replicates", "10", "--by", "group", "--quiet")
        text = self.medley(*words, "-o", "out.csv").stdout
        out = json.loads(self.medley(*words, "--json", "--threads", "1").stdout)
        rows = list(csv.DictReader(io.StringIO((self.folder / "out.csv").read_text())))
        self.assertEqual(out["replicates"], 10)
        self.assertEqual(len(rows), len(out["estimates"]))
        for row, entry in zip(rows, out["estimates"], strict=True):
            self.assertEqual(row["quantity"], entry["quantity"])
            self.assertEqual(row["feature"], entry.get("feature", ""))
            for key in ("estimate", "se", "low", "high"):
                self.assertEqual(float(row[key]), entry[key])
        self.assertEqual({row["quantity"] for row in rows}, {"size", "alpha", "probability", "group"})
        self.assertIn("10 refits", text)
        self.assertIn("Profile 1", text)
        self.assertIn("mean of group", text)

    def test_seed_decides(self):
        words = ("bootstrap", self.fitted(), "survey.csv", "--replicates", "4", "--quiet", "--json")
        once = self.medley(*words, "--seed", "3").stdout
        self.assertEqual(once, self.medley(*words, "--seed", "3").stdout)
        self.assertNotEqual(once, self.medley(*words, "--seed", "4").stdout)

    def test_refusals(self):
        model = self.fitted()
        self.refused("bootstrap", model, "survey.csv", "--replicates", "1", says=["--replicates"])
        self.refused("bootstrap", model, "survey.csv", "--by", "nothing", says=["--by", "nothing"])
        self.refused("bootstrap", model, "survey.csv", "--level", "95", says=["--level"])
        self.refused("bootstrap", model, "survey.csv", "-o", model, says=["is read by this command"])


if __name__ == "__main__":
    main()
