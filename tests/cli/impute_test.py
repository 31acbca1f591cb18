#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""medley impute: the table with its gaps filled, and the distributions of missing cells."""
import csv
import io
import random
import statistics

from program import ProgramTest, main

LONG = ["id", "column", "level", "probability", "mean", "sd", "q05", "q50", "q95"]
MISSING = ("", "NA", "?")


def table(text):
    return list(csv.reader(io.StringIO(text)))


class Impute(ProgramTest):
    def people(self, name="people.csv", rows=300, missing=0.08):
        """Two kinds of people: levels, a real, a count; a note that is no feature, with commas and quotes."""
        draw = random.Random(5)
        lines = ['who,answer,"a, b",height,visits,note']
        self.truth = []
        for i in range(rows):
            kind = draw.randrange(2)
            cells = ["yes" if draw.random() < (0.95 if kind else 0.05) else "no",
                     draw.choice(["red", "red", "green"] if kind else ["blue", "blue", "green"]),
                     f"{draw.gauss(180 if kind else 160, 4):.2f}",
                     str(sum(draw.random() < (0.6 if kind else 0.1) for _ in range(10)))]
            self.truth.append(cells)
            cells = [cell if draw.random() >= missing else draw.choice(MISSING) for cell in cells]
            lines.append(",".join([f"p{i}"] + cells + [f'"said ""{i}"", twice"']))
        return self.write(name, "\n".join(lines) + "\n")

    def model(self, data=None):
        self.once("fit", data or self.people(), "--id", "who", "--ignore", "note", "--column", "height=gaussian",
                  "--column", "visits=poisson", "--k", "2", "-o", "m.medley", "--quiet")
        return "m.medley"

    def test_gaps_are_filled_and_nothing_else_changes(self):
        self.medley("impute", self.model(), "people.csv", "-o", "filled.csv")
        before = table((self.folder / "people.csv").read_text())
        after = table((self.folder / "filled.csv").read_text())
        self.assertEqual(before[0], after[0])
        self.assertEqual(len(before), len(after))
        right = heights = gaps = 0
        for old, new, truth in zip(before[1:], after[1:], self.truth, strict=True):
            for j, (a, b) in enumerate(zip(old, new, strict=True)):
                if j not in (1, 2, 3, 4) or a not in MISSING:
                    self.assertEqual(a, b)
            if old[1] in MISSING:
                gaps += 1
                self.assertIn(new[1], ("yes", "no"))
                right += new[1] == truth[0]
            if old[3] in MISSING:
                heights += 1
                self.assertLess(abs(float(new[3]) - 170), 15)
            self.assertTrue(new[4].isdigit(), new[4])
        self.assertGreater(heights, 5)
        self.assertGreater(right, 0.8 * gaps)

    def test_lines_without_a_gap_keep_every_byte(self):
        text = "a,b,c\n" + "yes,\"x, \"\"y\"\"\",1\nno,\" z \",2\nyes,NA,\n" * 20
        self.write("t.csv", text)
        self.medley("fit", "t.csv", "--ignore", "b,c", "--column", "a=bernoulli", "--k", "1", "-o", "m.medley")
        self.assertEqual(self.medley("impute", "m.medley", "t.csv").stdout.replace('" z "', "z"),
                         text.replace('" z "', "z"))

    def test_no_gap_is_no_error(self):
        model = self.model()
        self.write("one.csv", "who,answer,\"a, b\",height,visits\np1,yes,red,170,3\n")
        done = self.medley("impute", model, "one.csv")
        self.assertEqual(done.stdout, "who,answer,\"a, b\",height,visits\np1,yes,red,170,3\n")
        self.assertIn("no cell is missing", done.stderr)

    def test_an_answer_the_model_does_not_know_stays(self):
        model = self.model()
        self.write("new.csv", "who,answer,\"a, b\",height\nx,maybe,NA,181\n")
        done = self.medley("impute", model, "new.csv")
        self.assertEqual(done.stdout.splitlines()[1], "x,maybe,red,181")
        self.assertIn("does not know", done.stderr)
        self.assertIn("visits", done.stderr)  # absent, not added

    def test_distribution_is_tidy(self):
        rows = table(self.once("impute", self.model(), "people.csv", "--distribution", "--threads", "1").stdout)
        self.assertEqual(rows[0], LONG)
        cells = {}
        for row in rows[1:]:
            cells.setdefault((row[0], row[1]), []).append(row)
        data = table((self.folder / "people.csv").read_text())
        gaps = {(row[0], data[0][j]) for row in data[1:] for j in (1, 2, 3, 4) if row[j] in MISSING}
        self.assertEqual(set(cells), gaps)
        for (_, column), lines in cells.items():
            if column in ("height", "visits"):
                self.assertEqual([line[2:4] for line in lines], [["", ""]])
                mean, sd, q05, q50, q95 = map(float, lines[0][4:])
                self.assertTrue(q05 <= q50 <= q95 and q05 < mean < q95 and sd > 0)
            else:
                self.assertEqual([line[2] for line in lines],
                                 ["no", "yes"] if column == "answer" else ["blue", "green", "red"])
                self.assertAlmostEqual(sum(float(line[3]) for line in lines), 1, places=12)
                self.assertEqual({cell for line in lines for cell in line[4:]}, {""})

    def test_asked_cells_in_their_order(self):
        model = self.model()
        self.write("pairs.csv", 'column,id\nheight,p7\n"a, b",p3\nheight,p7\n')
        rows = table(self.medley("impute", model, "people.csv", "--cells", "pairs.csv").stdout)[1:]
        self.assertEqual([row[:2] for row in rows],
                         [["p7", "height"]] + [["p3", "a, b"]] * 3 + [["p7", "height"]])
        self.assertEqual(rows[0], rows[4])

    def test_an_observed_cell_is_left_out_of_its_own_prediction(self):
        model = self.model()
        for visits in ("0", "9", ""):
            self.write("one.csv", f"who,answer,\"a, b\",height,visits\np1,yes,red,182,{visits}\n")
            self.write("pairs.csv", "id,column\np1,visits\n")
            line = self.medley("impute", model, "one.csv", "--cells", "pairs.csv").stdout
            first = line if visits == "0" else first
            self.assertEqual(line, first)

    def test_draws_are_completed_tables(self):
        self.medley("impute", self.model(), "people.csv", "--draws", "8", "-o", "done.csv", "--seed", "4")
        names = [f"done.{m}.csv" for m in range(1, 9)]
        self.assertEqual([name for name in self.files() if name.startswith("done")], names)
        before = table((self.folder / "people.csv").read_text())
        draws = [table((self.folder / name).read_text()) for name in names]
        spread = []
        for i, old in enumerate(before):
            for j, cell in enumerate(old):
                values = {draw[i][j] for draw in draws}
                if i == 0 or j not in (1, 2, 3, 4) or cell not in MISSING:
                    self.assertEqual(values, {cell})
                elif j == 3:
                    spread.append(statistics.stdev(float(draw[i][j]) for draw in draws))
                elif j == 4:
                    self.assertTrue(all(value.isdigit() for value in values), values)
        self.assertGreater(statistics.mean(spread), 2)
        again = self.folder / "again.1.csv"
        self.medley("impute", "m.medley", "people.csv", "--draws", "1", "-o", "again", "--seed", "4")
        self.assertEqual(again.read_text(), (self.folder / names[0]).read_text())

    def test_threads_do_not_matter(self):
        model = self.model()
        one = self.once("impute", model, "people.csv", "--distribution", "--threads", "1").stdout
        self.assertEqual(one, self.medley("impute", model, "people.csv", "--distribution", "--threads", "3").stdout)

    def test_wrong_requests(self):
        model = self.model()
        self.refused("impute", model, "people.csv", "--draws", "3", says=["--draws", "-o"])
        self.refused("impute", model, "people.csv", "--draws", "0", "-o", "x", says=["--draws"])
        self.refused("impute", model, "people.csv", "--draws", "501", "-o", "x", says=["500"])
        self.refused("impute", model, "people.csv", "--draws", "2", "--distribution", says=["--distribution"])
        self.refused("impute", model, "-", "--format", "csv", says=["--distribution"])
        self.refused("impute", model, "people.csv", "-o", "people.csv", says=["is read by this command"])
        self.write("people.2.csv", "")
        self.write("pairs.csv", "id,column\np999,height\np1,heigth\np1,note\n")
        self.refused("impute", model, "people.csv", "--cells", "pairs.csv",
                     says=['no row "p999"', 'did you mean "height"?', '"note" is no column'])
        self.write("pairs.csv", "person,what\np1,height\n")
        self.refused("impute", model, "people.csv", "--cells", "pairs.csv", says=["id,column"])

    def test_two_rows_of_one_name(self):
        self.write("d.csv", "a,b\nyes,no\nno,yes\n")
        self.fitted(model="s.medley")
        self.write("pairs.csv", "id,column\n1,q1\n0,q1\n")
        done = self.medley("impute", "s.medley", "survey.csv", "--cells", "pairs.csv")
        self.assertIn('no row "0"', done.stderr)
        self.write("pairs.csv", "id,column\n0,q1\n")
        self.refused("impute", "s.medley", "survey.csv", "--cells", "pairs.csv", says=['no row "0"', "number from 1"])

    def test_an_unknown_pair_is_answered_na_and_the_others_are_answered(self):
        self.fitted(model="s.medley")
        self.write("some.csv", "id,column\n1,q1\n3,mood\n")
        some = self.medley("impute", "s.medley", "survey.csv", "--cells", "some.csv").stdout.splitlines()
        self.write("all.csv", "id,column\n9999,q1\n1,q1\n1,q77\n3,mood\n2,colour\n")
        done = self.medley("impute", "s.medley", "survey.csv", "--cells", "all.csv")
        na = ",".join(["NA"] * 7)
        first = [line for line in some if line.startswith("1,")]
        self.assertEqual(done.stdout.splitlines(), [some[0], f"9999,q1,{na}"] + first + [f"1,q77,{na}"] +
                         some[1 + len(first):] + [f"2,colour,{na}"])
        self.assertIn("3 of 5 pairs cannot be answered (NA); the first: all.csv: pair 1: there is no row", done.stderr)

    def test_words_have_no_cells(self):
        self.topics()
        self.refused("impute", "t.medley", "docs.ldac", says=["words only"])
        self.refused("impute", "t.medley", "docs.ldac", "--distribution", says=["words only"])

    def test_missing_as_a_category_leaves_nothing_to_fill(self):
        self.medley("fit", self.survey(), "--label", "group",
                    "--head", "none", "--missing", "category", "--k", "2", "-o", "c.medley")
        self.refused("impute", "c.medley", "survey.csv", says=["an answer of its own"])


if __name__ == "__main__":
    main()
