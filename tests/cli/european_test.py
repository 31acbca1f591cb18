#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A survey as a European program exports it: semicolons, decimal commas, Latin-1."""
import csv
import io
import os
import random

from program import ProgramTest, main

HEADER = ["id", "datum", "region", "gewicht", "größe", "einkommen", "alter", "frage1", "frage2", "frage3", "medien"]


def trimmed(number, digits):
    """As pandas writes it: no zeros at the end."""
    return repr(round(number, digits))


class European(ProgramTest):
    def rows(self, count=300, missing=0.06):
        draw = random.Random(11)
        rows = []
        for i in range(count):
            kind = draw.randrange(2)
            row = [f"P{i:04d}", f"{1 + i % 28:02d}.{1 + i % 12:02d}.2024", draw.choice(["Süd", "Nord", "Öst"]),
                   f"{draw.uniform(1.001, 2.4):.3f}", trimmed(draw.gauss(1.82 if kind else 1.62, 0.05), 4),
                   trimmed(draw.lognormvariate(8 if kind else 7.2, 0.3), 2), str(round(draw.uniform(18, 80)))]
            for _ in range(3):
                answer = draw.choice([4, 5, 5]) if kind else draw.choice([1, 2, 3])
                row.append("Weiß nicht" if draw.random() < 0.1 else str(answer))
            row.append(draw.choice(["TV|Web", "Web", "Zeitung|TV", "Zeitung"]))
            for column in (5,):
                if draw.random() < 0.05:
                    row[column] = "-99"
            for column in (4, 5, 6, 7, 8, 9):
                if draw.random() < missing:
                    row[column] = ""
            rows.append(row)
        return rows

    def export(self, name="eu.csv", **how):
        """The rows with semicolons, decimal commas and in Latin-1."""
        lines = [HEADER] + [row[:3] + [cell.replace(".", ",") for cell in row[3:6]] + row[6:]
                            for row in self.rows(**how)]
        return self.write(name, "".join(";".join(line) + "\r\n" for line in lines).encode("latin-1"))

    def plain(self, name="plain.csv"):
        """The same rows with commas, decimal points and in UTF-8."""
        return self.write(name, "".join(",".join(line) + "\n" for line in [HEADER] + self.rows()))

    def fitted(self):
        return self.once("fit", self.export(), "--weight", "gewicht", "--k", "2", "-o", "m.medley")

    def test_the_schema_says_how_numbers_are_written(self):
        schema = self.medley("schema", self.export(), "--weight", "gewicht").stdout
        self.assertIn("# numbers with a decimal comma: 5,3456\ndecimal = \"comma\"", schema)
        for column, family in (("größe", "gaussian"), ("einkommen", "gaussian"), ("frage1", "categorical")):
            part = schema.split(f'name = "{column}"')[1].split("[[")[0]
            self.assertIn(f'family = "{family}"', part)
        self.assertIn('"Weiß nicht" occurs', " ".join(schema.replace("# ", "").split()))
        self.assertIn("-99", schema)
        self.assertIn("dates", schema)
        self.assertIn("the file is read as Windows-1252 (Latin-1)", " ".join(schema.replace("# ", "").split()))

    def test_the_fit_is_that_of_the_same_rows_with_points_and_utf8(self):
        said = self.fitted()
        self.assertIn("data: numbers with a decimal comma", said.stdout)
        self.assertEqual(said.stdout.count("Windows-1252 (Latin-1)"), 1)
        self.medley("fit", self.plain(), "--weight", "gewicht", "--k", "2", "-o", "plain.medley")
        ours = self.medley("inspect", "m.medley").stdout
        self.assertEqual(ours, self.medley("inspect", "plain.medley").stdout)
        self.assertIn("größe", ours)
        shares = self.medley("transform", "m.medley", "eu.csv").stdout
        self.assertEqual(shares, self.medley("transform", "plain.medley", "plain.csv").stdout)
        # the rows of one file under the model of the other: the file says how it is written
        self.assertEqual(shares, self.medley("transform", "m.medley", "plain.csv").stdout)
        self.assertEqual(shares, self.medley("transform", "plain.medley", "eu.csv").stdout)

    def test_a_single_new_row_is_read_as_the_first_file_was(self):
        self.fitted()
        head = ";".join(HEADER) + "\n"
        for name, height in (("three.csv", "1,785"), ("four.csv", "1,7850")):
            self.write(name, head + f"N1;01.02.2024;Nord;1,000;{height};;44;5;5;4;Web\n")
        self.assertEqual(self.medley("transform", "m.medley", "three.csv").stdout,
                         self.medley("transform", "m.medley", "four.csv").stdout)

    def test_groups_and_the_page(self):
        self.fitted()
        groups = self.medley("groups", "m.medley", "eu.csv", "--by", "region").stdout
        for region in ("Nord", "Süd", "Öst"):
            self.assertIn(region, groups)
        if os.environ.get("MEDLEY_REPORT", "ON") == "ON":
            self.medley("report", "m.medley", "eu.csv", "-o", "page.html")
            self.assertGreater((self.folder / "page.html").stat().st_size, 10_000)

    def test_the_filled_table_is_written_as_the_file_is(self):
        self.fitted()
        self.medley("impute", "m.medley", "eu.csv", "--whole", "-o", "filled.csv")
        table = list(csv.reader(io.StringIO((self.folder / "filled.csv").read_text()), delimiter=";"))
        self.assertEqual(table[0], HEADER)
        for before, after in zip(self.rows(), table[1:], strict=True):
            for j, (old, new) in enumerate(zip(before, after, strict=True)):
                if old:
                    self.assertEqual(old if j not in (3, 4, 5) else old.replace(".", ","), new)
            self.assertRegex(after[4], r"^\d(,\d{1,4})?$")
            self.assertRegex(after[5], r"^-?\d+(,\d{1,2})?$")
            self.assertRegex(after[6], r"^\d+$")
            self.assertLess(abs(float(after[4].replace(",", ".")) - 1.72), 0.4)
        try:
            import pandas
        except ImportError:
            return
        read = pandas.read_csv(self.folder / "filled.csv", sep=";", decimal=",")
        for column in ("gewicht", "größe", "einkommen", "alter"):
            self.assertTrue(pandas.api.types.is_numeric_dtype(read[column]), column)

    def test_without_whole_a_mean_has_decimals(self):
        self.fitted()
        table = list(csv.reader(io.StringIO(self.medley("impute", "m.medley", "eu.csv").stdout), delimiter=";"))
        filled = [after[6] for before, after in zip(self.rows(), table[1:], strict=True) if not before[6]]
        self.assertTrue(any("," in cell for cell in filled), filled)

    def test_utf16_works_too(self):
        self.fitted()
        text = (self.folder / "eu.csv").read_bytes().decode("latin-1")
        self.write("wide.csv", text.encode("utf-16"))
        self.assertEqual(self.medley("transform", "m.medley", "wide.csv").stdout,
                         self.medley("transform", "m.medley", "eu.csv").stdout)
        self.write("nomark.csv", text.encode("utf-16-le"))
        self.assertEqual(self.medley("transform", "m.medley", "nomark.csv", "--encoding", "utf-16").stdout,
                         self.medley("transform", "m.medley", "eu.csv").stdout)
        self.refused("schema", "eu.csv", "--encoding", "klingon", says=["--encoding", "klingon", "latin-1"])

    def test_what_could_be_either_is_settled_by_decimal(self):
        self.write("x.csv", "x,g\n" + "".join(f'"{1 + i % 7},{100 + i}",{"ab"[i % 2]}\n' for i in range(60)))
        said = self.medley("schema", "x.csv").stdout
        self.assertIn("# left out: \"1,100\" could be 1.100 or 1100", said)
        self.assertNotIn("--id", said)
        refusal = self.refused("fit", "x.csv", "--column", "x=gaussian", "--k", "2", "-o", "m.medley",
                               says=["could be 1.100 or 1100", "--decimal comma", "59 times more"])
        self.assertNotIn("--na", refusal)
        self.assertEqual(refusal.count("medley: error"), 1)
        for mark, low in (("comma", "1.1"), ("point", "1100")):
            self.assertIn(f"numbers, {low} to", self.medley("schema", "x.csv", "--decimal", mark).stdout)


if __name__ == "__main__":
    main()
