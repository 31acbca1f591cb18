#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A corpus of files: a folder, a pattern, a zip archive. And the words that prose is read without."""
import csv
import io
import os
import random
import struct
import zipfile
import zlib

from program import ProgramTest, main

THEMES = [["goal", "match", "team", "player", "league", "coach", "season", "cup"],
          ["vote", "party", "law", "senate", "budget", "tax", "court", "minister"]]
GRAMMAR = "the of and to in a is was for on with that by from it as".split()


def stories(count=40, seed=1):
    """Name -> (theme, text): half of the words are words of grammar, and every story says `report`."""
    draw = random.Random(seed)
    found = {}
    for i in range(count):
        theme = i % 2
        words = ["report"]
        for _ in range(40):
            words += [draw.choice(GRAMMAR), draw.choice(THEMES[theme])]
        found[f"s{i:03}"] = theme, " ".join(words) + ".\n"
    return found


def ids(done):
    return [row[0] for row in csv.reader(io.StringIO(done.stdout))][1:]


class Prose(ProgramTest):
    def table(self):
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(["id", "party", "body"])
        for i, (name, (theme, text)) in enumerate(stories().items()):
            writer.writerow([name, "ab"[i % 3 == 0], text])
        return self.write("t.csv", out.getvalue())

    def levels(self, *options):
        self.table()
        schema = self.medley("schema", "t.csv", "--id", "id", "--ignore", "party", *options).stdout
        return schema

    def test_stop_words_and_common_words_are_set_aside_and_that_is_said(self):
        schema = self.levels()
        levels = schema[schema.index("levels = "):schema.index("cells = ")]
        for word in GRAMMAR + ["report"]:
            self.assertNotIn(f'"{word}"', levels)
        for word in THEMES[0] + THEMES[1]:
            self.assertIn(f'"{word}"', levels)
        said = " ".join(schema.replace("\n# ", " ").split())
        self.assertIn("set aside: 16 English stop words, 1 word that is in more than half of the documents; "
                      "--stop-words none --max-share 1 keeps them", said)
        shown = self.medley("fit", "t.csv", "--id", "id", "--ignore", "party", "--k", "2", "-o", "m.medley").stdout
        self.assertIn("body: set aside: 16 English stop words", shown)

    def test_what_the_user_says_wins(self):
        for options, kept, gone in ((["--stop-words", "none", "--max-share", "1"], ["the", "report"], []),
                                    (["--stop-words", "english", "--max-share", "0.9"], [], ["the", "report"]),
                                    (["--max-share", "1"], ["report"], ["the"]),
                                    (["--stop-words", "german", "--max-share", "1"], ["the", "report"], [])):
            schema = self.levels(*options)
            levels = schema[schema.index("levels = "):schema.index("cells = ")]
            for word in kept:
                self.assertIn(f'"{word}"', levels, options)
            for word in gone:
                self.assertNotIn(f'"{word}"', levels, options)

    def test_words_that_were_set_aside_are_no_news(self):
        self.table()
        self.medley("fit", "t.csv", "--id", "id", "--ignore", "party", "--k", "2", "-o", "m.medley")
        self.write("new.csv", "id,body\nn1,the report of the goal and a match\nn2,a law of the zebra\n")
        done = self.medley("evaluate", "m.medley", "new.csv")
        self.assertIn("1 of 13 words not in the vocabulary (new, or too rare when it was made), left out: \"zebra\"",
                      done.stderr)
        self.assertEqual(done.stderr.count("not in the vocabulary"), 1)
        self.medley("convert", "t.csv", "--id", "id", "--ignore", "party", "-o", "t.stream")
        self.medley("fit", "t.stream", "--k", "2", "-o", "s.medley")
        again = self.medley("evaluate", "s.medley", "new.csv")
        self.assertIn("1 of 13 words", again.stderr)

    def test_small_vocabularies_keep_their_common_words(self):
        draw = random.Random(3)
        words = [f"w{chr(97 + i)}" for i in range(8)]
        self.write("d.txt", "".join(" ".join(draw.choice(words) for _ in range(30)) + "\n" for _ in range(40)))
        schema = self.medley("schema", "d.txt", "--format", "text").stdout
        self.assertIn("vocabulary 8", schema)

    def test_other_columns_beside_prose_are_named(self):
        self.table()
        shown = self.medley("fit", "t.csv", "--id", "id", "--k", "2", "-o", "m.medley").stdout
        self.assertIn("party takes part beside the prose in body; --ignore party leaves it out", shown)


class Columns(ProgramTest):
    def test_dates_by_their_year_month_or_weekday(self):
        draw = random.Random(2)
        rows = [f"19{80 + i % 3}-{1 + i % 12:02}-{1 + i % 28:02},{draw.choice('ab')},{draw.choice('cd')}" for i in range(60)]
        self.write("d.csv", "date,p,q\n" + "\n".join(rows) + "\n")
        left_out = self.medley("schema", "d.csv").stdout.replace("\n# ", " ")
        self.assertIn("--column date=year, =month or =weekday", left_out)
        schema = self.medley("schema", "d.csv", "--column", "date=month").stdout
        self.assertIn('"01 Jan", "02 Feb", "03 Mar"', schema)
        self.assertIn('date_part = "month"', schema)
        self.write("s.toml", schema)
        self.medley("fit", "d.csv", "--column", "date=month", "--k", "2", "-o", "a.medley")
        self.medley("fit", "d.csv", "--schema", "s.toml", "--k", "2", "-o", "b.medley")
        self.assertEqual(self.medley("export", "a.medley").stdout, self.medley("export", "b.medley").stdout)
        self.write("new.csv", "date,p,q\n1999-03-31,a,c\n")
        self.assertNotIn("warning", self.medley("transform", "a.medley", "new.csv").stderr)
        self.medley("schema", "d.csv", "--column", "date=year")
        self.refused("schema", "d.csv", "--column", "p=year", says=['"a" is no date', "2024-03-31"])

    def test_copies_of_a_column_with_other_families_are_pointed_out(self):
        draw = random.Random(4)
        lines = ["L1_1,L1_2,L2_1,L2_2"]
        for _ in range(80):
            lines.append(f"{draw.gauss(100, 9):.3f},{draw.choice('xyz')},{draw.choice('ab')},{draw.choice('ab')}")
        self.write("g.csv", "\n".join(lines) + "\n")
        done = self.medley("fit", "g.csv", "--k", "2", "-o", "m.medley")
        self.assertIn("columns named alike are taken differently: L1_1 as gaussian and L1_2 as categorical;", done.stdout)

    def test_a_label_of_many_numbers_is_pointed_out(self):
        lines = ["a,b,age"] + [f"{'xy'[i % 2]},{'pq'[i % 3 == 0]},{20 + i % 35}" for i in range(100)]
        self.write("t.csv", "\n".join(lines) + "\n")
        done = self.medley("fit", "t.csv", "--label", "age", "--k", "2", "-o", "m.medley")
        self.assertIn("each of its 35 values is a class of its own", done.stdout + done.stderr)


class Corpus(ProgramTest):
    def folder_of(self, nested=False):
        for name, (theme, text) in stories().items():
            where = self.folder / "docs" / (["sport", "state"][theme] if nested else "")
            where.mkdir(parents=True, exist_ok=True)
            (where / f"{name}.txt").write_text(text, encoding="utf-8")

    def test_a_folder_a_pattern_and_an_archive_are_the_same_corpus(self):
        self.folder_of(nested=True)
        (self.folder / "docs" / ".hidden.txt").write_text("no", encoding="utf-8")
        (self.folder / "docs" / "photo.jpg").write_bytes(b"\xff\xd8\x00")
        os.symlink("..", self.folder / "docs" / "loop")
        with zipfile.ZipFile(self.folder / "docs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted((self.folder / "docs").glob("*/*.txt"), reverse=True):
                archive.write(path, path.relative_to(self.folder / "docs").as_posix())
        exported = []
        for data in ("docs", "docs/*/*.txt", "docs.zip"):
            done = self.medley("fit", data, "--k", "2", "-o", "m.medley")
            self.assertIn("Read 40 rows", done.stdout)
            exported.append(self.medley("export", "m.medley").stdout)
            shares = self.medley("transform", "m.medley", data)
            self.assertEqual(ids(shares), sorted(stories(), key=lambda n: (stories()[n][0], n)))
        self.assertEqual(exported[0], exported[1])
        self.assertEqual(exported[0], exported[2])
        self.assertIn('1 file is left out, being no .txt: "photo.jpg"', self.medley("transform", "m.medley",
                                                                                     "docs").stderr)
        groups = self.medley("groups", "m.medley", "docs.zip", "--by", "folder").stdout
        self.assertIn("sport", groups)
        schema = self.medley("schema", "docs.zip", "--column", "folder=categorical").stdout
        self.assertIn('levels = ["sport", "state"]', schema)

    def test_empty_odd_and_missing_files(self):
        self.folder_of()
        docs = self.folder / "docs"
        (docs / "s001.txt").write_text("", encoding="utf-8")
        (docs / "s002.txt").write_bytes(b"a\x00b")
        (docs / "s003.txt").write_bytes("café goal match team".encode("latin-1"))
        done = self.medley("fit", "docs", "--k", "2", "--min-count", "1", "-o", "m.medley")
        for part in ('1 file is not text and left out: "s002.txt"', '1 file is empty',
                     '1 file is not UTF-8 and read as Windows-1252: "s003.txt"', "Read 39 rows"):
            self.assertIn(part, done.stdout + done.stderr)
        self.assertIn('"café"', self.medley("schema", "docs", "--min-count", "1").stdout)
        (self.folder / "none").mkdir()
        self.write("none/a.csv", "a\n1\n")
        self.refused("schema", "none", says=["holds no file that ends in .txt", '"a.csv"'])
        self.refused("schema", "docs/*.doc", says=["no file matches"])
        self.refused("schema", "docs", "--format", "csv", says=["is a directory"])

    def test_the_same_name_in_two_folders(self):
        for folder in ("a", "b"):
            (self.folder / "docs" / folder).mkdir(parents=True)
            for i in range(3):
                self.write(f"docs/{folder}/{i}.txt", f"word {folder} thing")
        self.medley("fit", "docs", "--k", "2", "--init", "random", "-o", "m.medley")
        self.assertEqual(ids(self.medley("transform", "m.medley", "docs")),
                         [f"{f}/{i}" for f in "ab" for i in range(3)])

    def archive(self, **change):
        """An archive of one stored file whose directory says what `change` says."""
        data = b"some words here"
        said = {"size": len(data), "packed": len(data), "method": 0, "flags": 0, "crc": zlib.crc32(data), "header": 0}
        said.update(change)
        fixed = struct.pack("<HHHHH", 20, said["flags"], said["method"], 0, 0)
        sizes = struct.pack("<III", said["crc"], said["packed"], said["size"])
        local = b"PK\x03\x04" + fixed + sizes + struct.pack("<HH", 5, 0) + b"a.txt" + data
        central = (b"PK\x01\x02" + struct.pack("<H", 20) + fixed + sizes + struct.pack("<HHHHHII", 5, 0, 0, 0, 0, 0,
                                                                                       said["header"]) + b"a.txt")
        end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
        return local + central + end

    def test_hostile_archives_end_in_a_message(self):
        sound = self.archive()
        self.write("z.zip", sound)
        self.medley("schema", "z.zip", "--min-count", "1")
        for change, says in (({"size": 99}, "sizes disagree"), ({"crc": 1}, "checksum"), ({"flags": 1}, "encrypted"),
                             ({"method": 9}, "packed in a way"), ({"header": 4000000000}, "damaged"),
                             ({"size": 100000000, "method": 8}, "no text does"), ({"packed": 1 << 31}, "overlap")):
            self.write("z.zip", self.archive(**change))
            self.refused("schema", "z.zip", says=[says])
        for length in range(4, len(sound), 7):
            self.write("z.zip", sound[:length])
            self.refused("schema", "z.zip", says=["zip"])
        self.write("book.xlsx", b"")
        with zipfile.ZipFile(self.folder / "book.xlsx", "w") as archive:
            archive.writestr("[Content_Types].xml", "<x/>")
        self.refused("schema", "book.xlsx", says=["Excel workbook", "CSV"])


if __name__ == "__main__":
    main()
