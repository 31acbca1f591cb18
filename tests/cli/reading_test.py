# SPDX-License-Identifier: Apache-2.0
"""What the program makes of the columns of a table, and what it says about them."""
import csv
import io
import json
import random

from program import ProgramTest, main

QUICK = ["--init", "random", "--max-iterations", "5"]  # where any fit will do


class Reading(ProgramTest):
    def people(self, rows=80, seed=5):
        """A table with an id, a date, a code for missing, a count, a measurement and an answer."""
        draw = random.Random(seed)
        lines = ["person,day,mood,visits,height,smokes"]
        for i in range(rows):
            mood = draw.choice([1, 2, 3, 4, 5]) if i % 8 else 99
            visits = sum(draw.random() < 0.1 for _ in range(25))
            lines.append(f"p{i},{1 + i % 28}.{1 + i % 12}.2021,{mood},{visits},{draw.gauss(170, 9):.1f},"
                         f"{draw.choice(['yes', 'no'])}")
        return self.write("people.csv", "\n".join(lines) + "\n")

    def test_a_column_name_with_a_comma_or_equals_goes_in_quotes(self):
        self.write("t.csv", '"a, b",c=d,e\n' + "".join(f"{i % 3},{i * 7 % 11 / 4},{i % 2}\n" for i in range(60)))
        schema = self.medley("schema", "t.csv", "--ignore", '"a, b",e', "--column", '"c=d"=lognormal:shift=-1').stdout
        self.assertEqual(schema.count("left out as asked"), 2)
        self.assertIn('name = "c=d"\nrole = "feature"\nfamily = "lognormal"', schema)
        self.refused("schema", "t.csv", "--ignore", "a, b", says=["no column \"a\"", "goes in quotes"])

    def test_ids_dates_and_codes_are_told_in_the_schema_and_as_warnings(self):
        schema = self.medley("schema", self.people()).stdout
        fit = self.medley("fit", "people.csv", "--k", "2", *QUICK, "-o", "m.medley")
        for part in ("every cell is different", "dates or times", "99 occurs 10 times, past the answers 1 to 5",
                     'missing = ["99"]'):
            self.assertIn(part, " ".join(line.removeprefix("# ") for line in schema.splitlines()))
            self.assertIn(part, fit.stdout)

    def test_a_proposed_code_can_be_accepted_in_the_schema(self):
        text = self.medley("schema", self.people(), "--column", "mood=categorical").stdout
        edited = text.replace('levels = ["1", "2", "3", "4", "5", "99"]',
                              'levels = ["5", "4", "3", "2", "1"]\n'
                              'labels = ["awful", "bad", "fair", "good", "great"]\nmissing = ["99"]')
        self.assertNotEqual(edited, text)
        self.write("s.toml", edited)
        fit = self.medley("fit", "people.csv", "--schema", "s.toml", "--k", "2", *QUICK, "-o", "m.medley")
        self.assertNotIn("99 occurs", fit.stdout)
        rows = list(csv.DictReader(io.StringIO(self.medley("inspect", "m.medley", "--format", "csv").stdout)))
        moods = [row["level"] for row in rows if row["feature"] == "mood" and row["component"] == "1"]
        self.assertEqual(moods, ["awful", "bad", "fair", "good", "great"])

    def test_what_was_left_out_can_be_asked_for(self):
        fit = self.medley("fit", self.people(), "--column", "day=categorical", "--k", "2", *QUICK, "-o", "m.medley")
        self.assertNotIn("dates or times", fit.stdout)

    def test_a_shift_must_be_a_number(self):
        self.refused("schema", self.people(), "--column", "smokes=bernoulli:shift=1",
                     says=["a shift goes with a family of numbers"])
        self.refused("schema", "people.csv", "--column", "smokes=bernoulli:size=1", says=["must be shift=NUMBER"])
        self.refused("schema", "people.csv", "--column", "smokes=bernoulli:shift=x", says=['not "x"'])

    def test_block_weights_temper_the_scores(self):
        model = self.fitted("--membership", "single", "--block-weight", "data.bernoulli=0.5")
        scores = json.loads(self.medley("evaluate", model, "survey.csv", "--json").stdout)
        self.assertEqual((scores["tempered"], scores["estimator"]), (True, "bound"))
        rows = list(csv.DictReader(io.StringIO(self.medley("evaluate", model, "survey.csv", "--per-row").stdout)))
        self.assertEqual({row["estimator"] for row in rows}, {"tempered bound"})
        self.refused("evaluate", model, "survey.csv", "--estimator", "exact", says=["tempered", "--block-weight"])
        self.refused("evaluate", model, "survey.csv", "--block-weight", "data.bernoulli=2",
                     says=["fitted with other block weights"])

    def test_block_weights_that_are_none(self):
        for weight, says in (("data=0", "above 0"), ("data=-1", "above 0"), ("data=inf", "above 0"),
                             ("data", "NAME=W"), ("=2", "NAME=W"), ("date.bernoulli=2", "the blocks are")):
            self.refused("fit", self.survey(), "--k", "2", "-o", "m", "--block-weight", weight, says=[says])

    def test_standardise_is_kept_in_the_schema_and_changes_no_score(self):
        self.assertIn("standardise = true", self.medley("schema", self.people(), "--standardise").stdout)
        scores = []
        for more in ([], ["--standardise"]):
            self.medley("fit", "people.csv", "--k", "2", *QUICK, "-o", "m.medley", "--quiet", *more)
            scores.append(self.medley("evaluate", "m.medley", "people.csv", "--json").stdout)
        self.assertEqual(*scores)

    def test_frequency_weights_are_the_row_so_many_times(self):
        draw = random.Random(3)
        rows = [(draw.choice("ab"), draw.choice("xyz"), draw.choice("no"), draw.randrange(4)) for _ in range(60)]
        self.write("w.csv", "p,q,r,n\n" + "".join(f"{p},{q},{r},{n}\n" for p, q, r, n in rows))
        self.write("long.csv", "p,q,r\n" + "".join(f"{p},{q},{r}\n" * n for p, q, r, n in rows))
        self.medley("fit", "w.csv", "--weight", "n", "--weights", "frequency", "--k", "1", "-o", "w.medley", "--quiet")
        self.medley("fit", "long.csv", "--k", "1", "-o", "l.medley", "--quiet")
        scores = [json.loads(self.medley("evaluate", model, "long.csv", "--json").stdout)["log_likelihood"]
                  for model in ("w.medley", "l.medley")]
        self.assertAlmostEqual(*scores, places=9)
        weighted = json.loads(self.medley("evaluate", "w.medley", "w.csv", "--json").stdout)
        self.assertAlmostEqual(weighted["log_likelihood"], scores[0], places=6)

    def test_frequency_weights_are_whole(self):
        self.write("w.csv", "p,q,n\na,x,1\nb,y,2.5\n")
        self.refused("fit", "w.csv", "--weight", "n", "--weights", "frequency", "--k", "1", "-o", "m",
                     says=['w.csv:3: column "n": "2.5" is not a count', "--weights sampling"])


if __name__ == "__main__":
    main()
