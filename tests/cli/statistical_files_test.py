#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SPSS files, written here byte by byte from the description of the format: read, cut off, misplaced."""
import csv
import gzip
import io
import random
import struct
import subprocess

from program import MEDLEY, ProgramTest, main

SYSTEM_MISSING = -1.7976931348623157e308  # the most negative double
NUMBER, DATE = 0x050800, 0x140B00  # F8, DATE11: format, width, decimals


def sav(names, rows, weight=0, missing=None, labels=None, formats=None, titles=None):
    """A little-endian .sav file of numbers, not compressed. `weight`: 1-based variable, 0: none.
    `missing`: name -> missing values; `labels`: name -> {value: label}; `formats`: name -> format; `titles`: name ->
    what the variable is called."""
    out = [b"$FL2", b"@(#) SPSS DATA FILE medley test".ljust(60),
           struct.pack("<iiiii", 2, len(names), 0, weight, len(rows)), struct.pack("<d", 100.0),
           b"01 Jan 80", b"00:00:00", b"".ljust(64), b"\0\0\0"]
    for name in names:
        values = (missing or {}).get(name, [])
        shown = (formats or {}).get(name, NUMBER)
        title = (titles or {}).get(name, "").encode()
        out.append(struct.pack("<iiiiii", 2, 0, bool(title), len(values), shown, shown) + name.upper().encode().ljust(8))
        if title:
            out.append(struct.pack("<i", len(title)) + title.ljust((len(title) + 3) // 4 * 4))
        out.extend(struct.pack("<d", value) for value in values)
    for name, meanings in (labels or {}).items():
        out.append(struct.pack("<ii", 3, len(meanings)))
        for value, label in meanings.items():
            text = bytes([len(label)]) + label.encode()
            out.append(struct.pack("<d", value) + text.ljust((len(text) + 7) // 8 * 8))
        out.append(struct.pack("<iii", 4, 1, names.index(name) + 1))
    out.append(struct.pack("<ii", 999, 0))
    for row in rows:
        out.extend(struct.pack("<d", SYSTEM_MISSING if cell is None else cell) for cell in row)
    return b"".join(out)


class SpssFiles(ProgramTest):
    def survey_rows(self, rows=120):
        draw = random.Random(5)
        out = []
        for i in range(rows):
            yes = 0.9 if i % 2 else 0.1
            answers = [1.0 if draw.random() < yes else 2.0 for _ in range(4)]
            out.append([float(i), *answers, 13166064000.0 + 86400 * i])
        out[3][1] = None
        out[4][2] = 9.0
        return out

    def write_survey(self, name="survey.sav", **more):
        names = ["id", "q1", "q2", "q3", "q4", "day"]
        return self.write(name, sav(names, self.survey_rows(), missing={"q2": [9.0]},
                                    labels={"q1": {1.0: "yes", 2.0: "no"}}, formats={"day": DATE}, **more))

    def test_a_survey_is_fitted_and_its_table_comes_back(self):
        data = self.write_survey()
        self.medley("fit", data, "--id", "ID", "--ignore", "DAY", "--k", 2, "-o", "m.medley", "--quiet")
        done = self.medley("transform", "m.medley", data, "--append")
        table = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(len(table), 120)
        for row, wanted in zip(table, self.survey_rows()):
            cells = ["" if cell is None else f"{cell:g}" for cell in wanted[:5]]
            self.assertEqual([row[name] for name in ("ID", "Q1", "Q2", "Q3", "Q4")], cells)
        self.assertEqual([table[0]["DAY"], table[59]["DAY"]], ["2000-01-01", "2000-02-29"])

    def test_groups_are_called_what_their_codes_mean(self):
        data = self.write_survey()
        self.medley("fit", data, "--id", "ID", "--ignore", "DAY,Q1", "--k", 2, "-o", "m.medley", "--quiet")
        said = self.medley("groups", "m.medley", data, "--by", "Q1").stdout
        self.assertRegex(said, r"(?m)^  yes +\d+ ")
        self.assertRegex(said, r"(?m)^  no +\d+ ")

    def test_variables_are_called_what_the_file_calls_them(self):
        question = "How much do you agree that things are getting better?"
        data = self.write_survey(titles={"q1": "Sex of the respondent", "q3": question})
        self.medley("fit", data, "--id", "ID", "--ignore", "DAY,Q1", "--k", 2, "-o", "m.medley", "--quiet")
        self.assertIn(f"Q3: {question}", self.medley("inspect", "m.medley").stdout)
        self.assertIn(f"- Q3: {question}", self.medley("inspect", "m.medley", "--format", "md").stdout)
        said = self.medley("groups", "m.medley", data, "--by", "Q1").stdout
        self.assertIn("Q1: Sex of the respondent", said)
        self.assertIn(f'title = "{question}"', self.medley("schema", data).stdout)
        # a schema keeps it
        self.write("s.toml", self.medley("schema", data, "--id", "ID").stdout)
        self.medley("fit", data, "--schema", "s.toml", "--k", 2, "-o", "n.medley", "--quiet")
        self.assertIn(f"Q3: {question}", self.medley("inspect", "n.medley").stdout)

    def test_a_declared_weight_is_mentioned(self):
        data = self.write_survey(weight=6)
        done = self.medley("fit", data, "--id", "ID", "--k", 2, "-o", "m.medley")
        self.assertIn("survey.sav: the file declares a weight variable; use --weight DAY", done.stdout + done.stderr)

    def test_a_cut_off_file_is_refused_in_words(self):
        whole = (self.folder / self.write_survey()).read_bytes()
        for size in (5, 100, 177, 300, 400, len(whole) // 2, len(whole) - 1):
            cut = self.write("cut.sav", whole[:size])
            said = self.refused("fit", cut, "--k", 2, "-o", "m.medley",
                                says=["cut.sav: could not be read as an SPSS file"])
            self.assertRegex(said, "cut off|damaged")

    def test_rows_that_were_promised_and_are_not_there(self):
        whole = (self.folder / self.write_survey()).read_bytes()
        cut = self.write("cut.sav", whole[:-6 * 8])  # exactly one row
        self.refused("fit", cut, "--k", 2, "-o", "m.medley", says=["cut.sav", "119 rows", "cut off"])

    # A sample of what tests/fuzz/fuzz_statistical.cpp does.
    def test_changed_bytes_never_crash(self):
        whole = (self.folder / self.write_survey()).read_bytes()
        draw = random.Random(3)
        for _ in range(10):
            broken = bytearray(whole)
            for _ in range(draw.randint(1, 4)):
                broken[draw.randrange(600)] = draw.randrange(256)
            self.write("bad.sav", bytes(broken))
            done = subprocess.run([MEDLEY, "schema", "bad.sav"], cwd=self.folder, capture_output=True, text=True,
                                  errors="replace", timeout=100, check=False)
            self.assertIn(done.returncode, (0, 2), done.stderr)

    def test_the_format_is_found_without_a_name(self):
        data = self.write_survey("survey.dat")
        found = self.medley("schema", data).stdout
        self.assertEqual(found, self.medley("schema", data, "--format", "sav").stdout)
        self.assertIn('name = "Q1"', found)
        self.refused("schema", data, "--format", "dta", says=["does not begin as a Stata file does", "SPSS"])

    def test_what_cannot_be_read_is_said(self):
        whole = (self.folder / self.write_survey()).read_bytes()
        packed = self.write("survey.sav.gz", gzip.compress(whole))
        self.refused("schema", packed, says=["survey.sav.gz", "compressed", "gunzip"])
        self.refused("schema", self.write("survey.gz", gzip.compress(whole)), says=["compressed"])
        text = self.write("text.sav", "a,b\n1,2\n")
        self.refused("schema", text, says=["text.sav: does not begin as an SPSS file does"])
        with open(self.folder / "survey.sav", "rb") as stream:
            done = self.medley("schema", "-", expect=2, stdin=stream)
        self.assertIn("standard input", done.stderr)


if __name__ == "__main__":
    main()
