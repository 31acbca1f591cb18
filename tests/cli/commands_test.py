#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What transform, evaluate, inspect, name, export and schema print."""
import csv
import io
import json
import math
import subprocess

from program import MEDLEY, ProgramTest, main


def table(text):
    return list(csv.reader(io.StringIO(text)))


class Transform(ProgramTest):
    def test_one_line_per_row_whose_shares_sum_to_one(self):
        rows = table(self.medley("transform", self.fitted("--init", "random", k=3), "survey.csv").stdout)
        self.assertEqual(rows[0], ["id", "component_1", "component_2", "component_3"])
        self.assertEqual([row[0] for row in rows[1:]], [str(i) for i in range(1, 201)])
        for row in rows[1:]:
            self.assertAlmostEqual(sum(map(float, row[1:])), 1, places=12)

    def test_append_keeps_the_table_as_it_is(self):
        text = 'id,q1,q2,"a, b"\n' + "".join(
            f'"row ""{i}""",{"yes" if i % 2 else "no"},{"?" if i == 5 else "a" if i % 3 else "b"},x{i % 2}\n'
            for i in range(40))
        self.write("t.csv", text)
        self.medley("fit", "t.csv", "--id", "id", "--k", "2", "-o", "m.medley")
        self.medley("name", "m.medley", "1=First")
        self.medley("transform", "m.medley", "t.csv", "--append", "-o", "out.csv")
        rows, original = table((self.folder / "out.csv").read_text()), table(text)
        self.assertEqual(rows[0], original[0] + ["component_1", "component_2", "top_profile", "entropy"])
        for row, before in zip(rows[1:], original[1:], strict=True):
            self.assertEqual(row[:4], before)
            shares = [float(row[4]), float(row[5])]
            self.assertEqual(row[6], "First" if shares[0] >= shares[1] else "Profile 2")
            self.assertAlmostEqual(float(row[7]), -sum(s * math.log(s) for s in shares if s > 0), places=9)

    def test_append_needs_a_table(self):
        self.refused("transform", self.topics(), "docs.ldac", "--append", says=["--append", "no table"])

    def test_a_model_is_never_the_output(self):
        self.refused("transform", self.fitted(), "survey.csv", "-o", "m.medley", says=["is read by this command"])

    def test_standard_input(self):
        model = self.fitted()
        with open(self.folder / "survey.csv", encoding="utf-8") as data:
            piped = self.medley("transform", model, "-", "--format", "csv", stdin=data).stdout
        self.assertEqual(piped, self.medley("transform", model, "survey.csv").stdout)

    def test_a_reader_that_leaves_early_hears_nothing(self):
        model = self.fitted()
        self.survey("long.csv", rows=5000)
        with subprocess.Popen([MEDLEY, "transform", model, "long.csv"], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdout.read(10)
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.wait(), 141)


class Evaluate(ProgramTest):
    def test_per_row_is_exactly_as_documented(self):
        text = self.medley("evaluate", self.fitted(), "survey.csv", "--per-row").stdout
        rows = table(text)
        self.assertEqual(text.splitlines()[0],
                         "id,observations,log_likelihood,estimator,entropy,top_component,top_share")
        self.assertEqual(len(rows), 201)
        for row in rows[1:]:
            self.assertEqual(row[3], "exact")
            self.assertIn(row[5], ("1", "2"))
            self.assertLessEqual(float(row[2]), 0)

    def test_rows_sum_to_the_total_and_to_the_fit(self):
        fit = json.loads(self.medley("fit", self.survey(), "--label", "group",
                                     "--head", "none", "--k", "2", "-o", "m.medley",
                                     "--inference", "standard", "--json").stdout)
        rows = table(self.medley("evaluate", "m.medley", "survey.csv", "--per-row", "--estimator", "bound").stdout)[1:]
        scores = json.loads(self.medley("evaluate", "m.medley", "survey.csv", "--json", "--estimator", "bound").stdout)
        total = math.fsum(float(row[2]) for row in rows)
        self.assertAlmostEqual(total, scores["log_likelihood"], places=6)
        self.assertAlmostEqual(total, fit["bound"], places=6)
        self.assertGreater(scores["log_likelihood"], scores["baseline"])
        self.assertAlmostEqual(scores["perplexity"], math.exp(-total / scores["observations"]), places=9)

    def test_truth_finds_the_planted_groups(self):
        scores = json.loads(self.medley("evaluate", self.fitted(), "survey.csv", "--truth", "group", "--json").stdout)
        self.assertEqual(scores["truth"][0]["column"], "group")
        self.assertGreater(scores["truth"][0]["micro_precision"], 0.9)

    def test_exact_for_single_membership(self):
        model = self.fitted("--membership", "single")
        self.assertIn("exact", self.medley("evaluate", model, "survey.csv").stdout)

    def test_per_row_and_json_exclude_each_other(self):
        self.refused("evaluate", "m", "d", "--per-row", "--json", says=["--per-row", "--json"])


class Inspect(ProgramTest):
    def test_text_shows_both_profiles(self):
        text = self.medley("inspect", self.fitted()).stdout
        for part in ("Profile 1", "Profile 2", "of memberships", "q1 = ", "population", "lift"):
            self.assertIn(part, text)
        self.assertNotIn("\x1b", text)

    def test_topics_show_three_rankings(self):
        text = self.medley("inspect", self.topics(), "--top", "4").stdout
        for part in ("Topic 1", "probability", "lift", "FREX", "word"):
            self.assertIn(part, text)

    def test_csv_is_complete_and_sums_to_one(self):
        rows = list(csv.DictReader(io.StringIO(self.medley("inspect", self.fitted(), "--format", "csv").stdout)))
        self.assertEqual(list(rows[0]), ["block", "feature", "level", "population", "component", "probability", "lift",
                                         "mean", "sd", "population_mean", "population_sd"])
        sums = {}
        for row in rows:
            key = row["block"], row["feature"], row["component"]
            sums[key] = sums.get(key, 0) + float(row["probability"])
        self.assertEqual(len(sums), 12)
        for total in sums.values():
            self.assertAlmostEqual(total, 1, places=9)

    def test_markdown_and_latex(self):
        model = self.fitted()
        self.assertIn("| answer | here | population | lift |", self.medley("inspect", model, "--format", "md").stdout)
        latex = self.medley("inspect", model, "--format", "latex").stdout
        self.assertEqual(latex.count("\\begin{tabular}"), latex.count("\\end{tabular}"))
        self.assertIn(" \\%", latex)
        self.refused("inspect", model, "--format", "word", says=["word"])

    def test_control_characters_of_the_data_are_not_printed(self):
        text = (self.folder / self.survey()).read_text().replace("yes", "\x1b[31myes").replace("q1", "q\x071")
        self.write("hostile.csv", text)
        self.medley("fit", "hostile.csv", "--label", "group", "--head", "none", "--k", "2", "-o", "h.medley")
        shown = self.medley("inspect", "h.medley").stdout
        self.assertIn("yes", shown)
        self.assertNotIn("\x1b", shown)
        self.assertNotIn("\x07", shown)


class Name(ProgramTest):
    def test_names_are_used_everywhere_and_can_be_taken_away(self):
        model = self.fitted()
        self.assertEqual(self.medley("name", model).stdout, "1  -\n2  -\n")
        self.assertEqual(self.medley("name", model, "2=Frail, old", "1=Robust").stdout, "1  Robust\n2  Frail, old\n")
        self.assertIn('Profile 2 "Frail, old"', self.medley("inspect", model).stdout)
        self.medley("name", model, "1=")
        self.assertEqual(self.medley("name", model).stdout, "1  -\n2  Frail, old\n")
        self.assertEqual(self.files(), [model, "survey.csv"])

    def test_wrong_numbers_change_nothing(self):
        model = self.fitted()
        before = (self.folder / model).read_bytes()
        self.refused("name", model, "1=A", "3=C", "x=D", says=["there is no profile 3", '"x=D"'])
        self.assertEqual((self.folder / model).read_bytes(), before)


class Export(ProgramTest):
    def test_json_has_the_documented_layout(self):
        model = self.fitted()
        out = json.loads(self.medley("export", model).stdout)
        self.assertEqual(len(out["alpha"]), 2)
        self.assertEqual([column["name"] for column in out["columns"]], ["q1", "q2", "q3", "q4", "q5", "mood"])
        mood = out["columns"][5]
        self.assertEqual(mood["levels"], ["bad", "fair", "good"])
        self.assertAlmostEqual(sum(mood["p"][0]), 1, places=9)
        self.medley("export", model, "-o", "out.json")
        self.assertEqual(json.loads((self.folder / "out.json").read_text()), out)


class Schema(ProgramTest):
    def test_what_is_printed_can_be_edited_and_given_back(self):
        self.survey()
        text = self.medley("schema", "survey.csv", "--label", "group").stdout
        self.assertIn("mood", text)
        self.medley("schema", "survey.csv", "--label", "group", "-o", "s.toml")
        self.assertEqual((self.folder / "s.toml").read_text(), text)
        self.fitted(model="b.medley", data="survey.csv")
        self.medley("fit", "survey.csv", "--schema", "s.toml", "--head", "none", "--k", "2", "-o", "a.medley")
        self.assertEqual(self.medley("export", "a.medley").stdout, self.medley("export", "b.medley").stdout)


if __name__ == "__main__":
    main()
