#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""medley predict, and the label in medley evaluate."""
import csv
import io
import json
import re

from program import ProgramTest, main


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


class ClassifierTest(ProgramTest):
    def classifier(self, *more):
        """Fits the survey with its group as the label, once, and returns the model's name."""
        self.once("fit", self.survey(), "--label", "group", "--k", "2", "-o", "m.medley", "--quiet", *more)
        return "m.medley"


class Predict(ClassifierTest):
    def without_group(self, name="new.csv", data="survey.csv"):
        lines = (self.folder / data).read_text().splitlines()
        return self.write(name, "\n".join(line.rpartition(",")[0] for line in lines) + "\n")

    def test_class_and_probabilities_of_every_row(self):
        model = self.classifier()
        rows = table(self.once("predict", model, "survey.csv").stdout)
        truth = [row["group"] for row in table((self.folder / "survey.csv").read_text())]
        self.assertEqual(list(rows[0]), ["id", "class", "p_g0", "p_g1"])
        self.assertEqual([row["id"] for row in rows], [str(i + 1) for i in range(len(truth))])
        for row in rows:
            p0, p1 = float(row["p_g0"]), float(row["p_g1"])
            self.assertAlmostEqual(p0 + p1, 1, places=9)
            self.assertEqual(row["class"], "g0" if p0 >= p1 else "g1")
        right = sum(row["class"] == group for row, group in zip(rows, truth, strict=True))
        self.assertGreater(right, 0.9 * len(truth))

    def test_the_label_of_a_row_is_not_used(self):
        model = self.classifier()
        known = self.once("predict", model, "survey.csv").stdout
        self.assertEqual(self.medley("predict", model, self.without_group()).stdout, known)
        text = (self.folder / "survey.csv").read_text().replace(",g0\n", ",g1\n")
        self.assertEqual(self.medley("predict", model, self.write("lies.csv", text)).stdout, known)

    def test_the_same_at_any_number_of_threads(self):
        model = self.classifier()
        one = self.medley("predict", model, "survey.csv", "--explain", "2", "--threads", "1").stdout
        self.assertEqual(self.medley("predict", model, "survey.csv", "--explain", "2", "--threads", "3").stdout, one)

    def test_append_keeps_the_table(self):
        model = self.classifier()
        self.medley("predict", model, "survey.csv", "--append", "-o", "out.csv")
        before = list(csv.reader(io.StringIO((self.folder / "survey.csv").read_text())))
        after = list(csv.reader(io.StringIO((self.folder / "out.csv").read_text())))
        self.assertEqual(after[0], before[0] + ["predicted_class", "p_g0", "p_g1"])
        for old, new in zip(before, after, strict=True):
            self.assertEqual(new[:len(old)], old)

    def test_explain_names_profiles_and_cells(self):
        model = self.classifier()
        rows = table(self.medley("predict", model, "survey.csv", "--explain", "2").stdout)
        self.assertEqual(list(rows[0])[-4:], ["profile_1", "profile_2", "cell_1", "cell_2"])
        sure = [row for row in rows if max(float(row["p_g0"]), float(row["p_g1"])) > 0.9]
        self.assertTrue(sure)
        for row in sure:
            self.assertRegex(row["profile_1"], r"^Profile [12] \(.* of the row, .* g[01]\): [+-]\d+\.\d\d$")
            self.assertRegex(row["cell_1"], r"^(q[1-5] = (yes|no)|mood = (good|bad|fair)): "
                             r"[+-]\d+\.\d\d \(alone [+-]\d+\.\d\d\)$")
        # A typical answer speaks for its group.
        for row in sure:
            for cell in (row["cell_1"], row["cell_2"]):
                found = re.match(r"^q\d = (yes|no): .*alone ([+-])", cell)
                if found:
                    typical = (found[1] == "yes") == (row["class"] == "g1")
                    self.assertEqual(found[2], "+" if typical else "-", row)

    def test_json(self):
        model = self.classifier()
        found = json.loads(self.medley("predict", model, "survey.csv", "--json", "--explain", "1").stdout)
        self.assertEqual(found["classes"], ["g0", "g1"])
        self.assertEqual(found["column"], "group")
        self.assertIn(found["method"], ("exact", "sole membership", "plug-in"))
        row = found["rows"][0]
        self.assertAlmostEqual(sum(row["probability"]), 1)
        self.assertEqual(len(row["profiles"]), 1)
        self.assertEqual(len(row["cells"]), 1)
        self.assertLessEqual({"column", "value", "times", "effect", "alone"}, set(row["cells"][0]))

    def test_a_model_without_a_label_is_refused(self):
        data = self.survey()
        self.medley("fit", data, "--ignore", "group", "--k", "2", "-o", "m.medley", "--quiet")
        self.refused("predict", "m.medley", data, says=("m.medley", "without a label", "--label"))

    def test_what_cannot_be_appended_to(self):
        model = self.classifier()
        self.refused("predict", model, "-", "--append", says=("--append", "one table"))
        self.medley("predict", model, "survey.csv", "--append", "--json", expect=2)
        self.medley("predict", model, "survey.csv", "--explain", "0", expect=2)


class EvaluateLabel(ClassifierTest):
    def test_scores_in_text_and_json(self):
        model = self.classifier()
        text = self.medley("evaluate", model, "survey.csv").stdout
        self.assertTrue(text.startswith('Class "group" of 200 rows'), text[:200])
        self.assertIn("always", text)
        self.assertIn("true \\ predicted", text)
        label = json.loads(self.medley("evaluate", model, "survey.csv", "--json").stdout)["label"]
        predicted = table(self.once("predict", model, "survey.csv").stdout)
        truth = [row["group"] for row in table((self.folder / "survey.csv").read_text())]
        right = sum(row["class"] == group for row, group in zip(predicted, truth, strict=True))
        self.assertAlmostEqual(label["accuracy"], right / 200)
        self.assertEqual(sum(map(sum, label["confusion"])), 200)
        self.assertLess(label["log_loss"], label["baseline"]["log_loss"])
        self.assertEqual(len(label["calibration"]), 10)

    def test_a_class_seen_only_at_test_time_is_wrong(self):
        model = self.classifier()
        text = (self.folder / "survey.csv").read_text().replace(",g1\n", ",g9\n", 3)
        done = self.medley("evaluate", model, self.write("new.csv", text), "--json")
        label = json.loads(done.stdout)["label"]
        self.assertEqual(label["unknown_class_rows"], 3)
        self.assertEqual(sum(label["confusion"][2]), 3)
        self.assertIn("classes the schema does not know", done.stderr)

    def test_no_label_is_a_sentence_not_an_error(self):
        model = self.classifier()
        lines = (self.folder / "survey.csv").read_text().splitlines()
        absent = "\n".join(line.rpartition(",")[0] for line in lines) + "\n"
        self.assertIn('no column "group"', self.medley("evaluate", model, self.write("a.csv", absent)).stdout)
        empty = "\n".join([lines[0]] + [line.rpartition(",")[0] + ",NA" for line in lines[1:]]) + "\n"
        done = self.medley("evaluate", model, self.write("b.csv", empty))
        self.assertIn("missing in every row", done.stdout)
        scores = json.loads(self.medley("evaluate", model, "b.csv", "--json").stdout)
        self.assertNotIn("label", scores)
        self.assertIn("missing in every row", scores["label_note"])


if __name__ == "__main__":
    main()
