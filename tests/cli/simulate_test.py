#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""simulate, compare, convert, schema --suggest and cross-validation, as one would type them."""
import csv
import json
import random

from program import ProgramTest, main


class Simulate(ProgramTest):
    def drawn(self, *more, rows=400):
        self.medley("simulate", "mmnb", "--k", "2", "--columns", "categorical:6x3,bernoulli:6", "--separation", "3",
                    "--alpha", "0.1", "-n", str(rows), "-o", "d.csv", "--model-out", "true.medley", *more)

    def rows_of(self, name):
        with open(self.folder / name, encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def test_what_is_drawn_can_be_fitted_and_is_found_again(self):
        self.drawn("--truth", "t.csv", "--missing", "0.1")
        fitted = self.medley("fit", "d.csv", "--schema", "d.csv.schema.toml", "--k", "2", "-o", "f.medley", "--json")
        self.assertEqual(json.loads(fitted.stdout)["rows"], 400)
        found = json.loads(self.medley("compare", "true.medley", "f.medley", "--json").stdout)
        self.assertEqual(sorted(pair["a"] for pair in found["pairs"]), [1, 2])
        self.assertLess(found["distance"], 0.1)
        self.assertEqual(found["features"], 12)
        truth = self.rows_of("t.csv")
        self.assertEqual(truth[0], ["id", "component_1", "component_2"])
        self.assertEqual(len(truth), 401)
        for row in truth[1:]:
            self.assertAlmostEqual(sum(map(float, row[1:])), 1, places=9)
        self.assertIn("Profile 1", self.medley("compare", "true.medley", "f.medley").stdout)
        found = json.loads(self.medley("compare", "true.medley", "f.medley", "d.csv", "--json").stdout)
        self.assertEqual(found["memberships"]["rows"], 400)
        self.assertGreater(found["memberships"]["overlap"], 0.9)
        self.assertGreater(min(found["memberships"]["correlation"]), 0.9)
        self.assertIn("overlap 0.9", self.medley("compare", "true.medley", "f.medley", "d.csv").stdout)

    def test_the_next_step_lets_the_fit_choose_its_inference(self):
        words = ("--k", "2", "--columns", "categorical:4x3", "-n", "50", "-o", "d.csv")
        said = self.medley("simulate", "mmnb", *words).stdout
        self.assertRegex(said, r"Next: medley fit .*--k 2 -o fitted.medley")
        self.assertNotIn("--model", said)
        self.assertIn("--model mnb", self.medley("simulate", "mnb", *words).stdout)

    def test_threads_do_not_matter(self):
        self.drawn("--threads", "1")
        first = (self.folder / "d.csv").read_bytes()
        self.drawn("--threads", "3")
        self.assertEqual(first, (self.folder / "d.csv").read_bytes())

    def test_the_same_seed_gives_the_same_file(self):
        self.drawn(rows=50)
        first = (self.folder / "d.csv").read_bytes()
        self.drawn(rows=50)
        self.assertEqual((self.folder / "d.csv").read_bytes(), first)
        self.drawn("--seed", "2", rows=50)
        self.assertNotEqual((self.folder / "d.csv").read_bytes(), first)

    def test_a_saved_model_with_several_sources(self):
        self.medley("simulate", "mmnb", "--columns", "bernoulli:4,tokens:1x20", "-n", "50", "--model-out", "m.medley",
                    "-o", "data=a.csv", "-o", "words=a.ldac", "--tokens", "10")
        done = self.medley("simulate", "m.medley", "-n", "30", "-o", "data=b.csv", "-o", "words=b.ldac")
        self.assertIn("medley fit data=b.csv words=b.ldac --schema b.csv.schema.toml", done.stdout)
        self.assertEqual(len(self.rows_of("b.csv")), 31)
        self.refused("simulate", "m.medley", "-n", "30", "-o", "c.csv", says=["NAME=FILE", "data, words"])

    def test_ratings(self):
        self.medley("simulate", "mmnb", "--columns", "categorical:40x5", "--triplets", "--missing", "0.8", "-n", "100",
                    "-o", "r.csv")
        rows = self.rows_of("r.csv")
        self.assertEqual(rows[0], ["user", "item", "value"])
        self.assertAlmostEqual(len(rows) / 4000, 0.2, delta=0.03)
        self.medley("fit", "r.csv", "--schema", "r.csv.schema.toml", "--k", "2", "--init", "random", "-o", "m.medley")

    def test_what_makes_no_sense_is_refused(self):
        self.refused("simulate", "mmbn", "-n", "5", "-o", "d.csv", says=["neither a file nor a preset", "mmnb"])
        self.refused("simulate", "mmnb", "-n", "5", "-o", "d.csv", says=["--columns"])
        self.refused("simulate", "mmnb", "-n", "5", "--columns", "weibull:3", "-o", "d.csv", says=["weibull"])
        self.refused("simulate", "mmnb", "-n", "5", "--columns", "bernoulli:x", "-o", "d.csv", says=["FAMILY:COUNT"])
        self.drawn(rows=20)
        self.refused("simulate", "true.medley", "--k", "3", "-n", "5", "-o", "x.csv", says=["--k", "preset"])
        self.refused("simulate", "true.medley", "-n", "5", "-o", "true.medley", says=["is read by this command"])


class Compare(ProgramTest):
    def test_models_of_different_columns_are_refused(self):
        for name, columns in [("a", "bernoulli:3"), ("b", "categorical:3x4")]:
            self.medley("simulate", "mmnb", "--columns", columns, "-n", "5", "-o", f"{name}.csv", "--model-out",
                        f"{name}.medley")
        self.refused("compare", "a.medley", "b.medley", says=["no column in common"])


class Convert(ProgramTest):
    RATINGS = "user,item,value\nu1,a,5\nu1,b,2\nu2,a,4\nu2,b,1\nu3,c,3\n"

    def test_binarised_ratings_and_what_the_schema_says(self):
        self.write("r.csv", self.RATINGS)
        done = self.medley("convert", "r.csv", "--format", "triplets", "--binarise", ">=4", "--min-column", "2", "-o",
                           "o.csv")
        self.assertIn("2 of 5 observed cells", done.stdout)
        self.assertIn("1 column", done.stdout)
        self.assertEqual((self.folder / "o.csv").read_text(),
                         "user,item,value\nu1,a,1\nu1,b,0\nu2,a,1\nu2,b,0\nu3,a,NA\n")
        schema = (self.folder / "o.csv.schema.toml").read_text()
        self.assertIn("binarised: 1 where >=4", schema)
        again = self.medley("schema", "o.csv", "--schema", "o.csv.schema.toml").stdout
        self.assertIn("binarised: 1 where >=4", again)

    def test_ones_as_words(self):
        self.write("r.csv", self.RATINGS)
        self.medley("convert", "r.csv", "--format", "triplets", "--binarise", ">=4", "--ones-as-tokens", "-o", "o.ldac")
        self.assertEqual((self.folder / "o.ldac").read_text(), "1 0:1\n1 0:1\n0\n")
        self.assertEqual((self.folder / "o_vocab.txt").read_text(), "a\nb\nc\n")

    def test_an_ignored_column_is_carried_along(self):
        self.write("t.csv", "x,class,q\n" + "".join(f"{i},c{i % 2},{'ab'[i % 2]}\n" for i in range(40)))
        self.medley("convert", "t.csv", "--ignore", "class", "--column", "x=gaussian", "--sample-rows", "10", "-o", "o.csv")
        lines = (self.folder / "o.csv").read_text().splitlines()
        self.assertEqual(lines[0], "x,class,q")
        self.assertEqual(len(lines), 11)
        for line in lines[1:]:
            x, group, q = line.split(",")
            self.assertEqual((group, q), (f"c{int(x) % 2}", "ab"[int(x) % 2]))

    def test_what_makes_no_sense_is_refused(self):
        self.write("r.csv", self.RATINGS)
        for option, says in [(["--binarise", "~4"], "comparison"), (["--min-row", "9"], "smaller"), ([], ".csv")]:
            name = "o.csv" if option else "o.parquet"
            self.refused("convert", "r.csv", "--format", "triplets", *option, "-o", name, says=[says])
        self.refused("convert", "r.csv", "--format", "triplets", "-o", "r.csv", says=["is read by this command"])


class Suggest(ProgramTest):
    def test_a_better_family_can_be_pasted(self):
        draw = random.Random(3)
        self.write("t.csv", "q,pay\n" + "".join(
            f"{draw.choice('ab')},{draw.lognormvariate(3, 1):.2f}\n" for _ in range(400)))
        text = self.medley("schema", "t.csv", "--suggest", "--column", "pay=gaussian").stdout
        self.assertIn("pay: numbers in steps of 0.01, 400 cells", text)
        self.assertIn("--column 'pay=lognormal'", text)
        self.assertNotIn("q:", text)


if __name__ == "__main__":
    main()
