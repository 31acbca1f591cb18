#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Columns of words, tags and sets in one table; JSON lines; a document per line."""
import csv
import io
import json
import random

from program import ProgramTest, main

# What the two planted groups write, cite and use.
WORDS = [["goal", "match", "team", "player", "league"], ["vote", "party", "law", "senate", "budget"]]
TAGS = [["Pele 1970", "Cruyff 1974"], ["Mill 1859", "Locke 1689"]]
MEDIA = [["TV", "Radio"], ["Web", "Paper"]]
OPTIONS = ["--column", "says=text", "--column", "cites=tags", "--column", "media=set"]


def people(rows=120, seed=5):
    """One dict per person; the group is in `group`."""
    draw = random.Random(seed)
    found = []
    for i in range(rows):
        g = draw.randrange(2)
        found.append({
            "id": f"p{i}", "group": f"g{g}", "code": str(1 + g if draw.random() < 0.9 else 3),
            "says": " ".join(["The"] + [draw.choice(WORDS[g]).title() for _ in range(8)]) + ".",
            "cites": [draw.choice(TAGS[g]) for _ in range(draw.randint(0, 3))],
            "media": [m for m in MEDIA[g] + MEDIA[1 - g][:1] if draw.random() < 0.7] if i % 10 else None})
    return found


def as_csv(rows):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow([";".join(v) if isinstance(v, list) else "" if v is None else v for v in row.values()])
    return out.getvalue()


def as_jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


class MixedTable(ProgramTest):
    def fit(self, name, text, *more):
        self.write(name, text)
        self.once("fit", name, "--id", "id", "--label", "group", "--k", "2", "-o", "m.medley", "--quiet", *more)
        return "m.medley"

    def test_words_tags_options_and_codes_in_one_model(self):
        data = people()
        self.fit("t.csv", as_csv(data), *OPTIONS)
        exported = json.loads(self.medley("export", "m.medley").stdout)
        self.assertEqual([c["name"] for c in exported["columns"]],
                         ["code", "media: Paper", "media: Radio", "media: TV", "media: Web"])
        self.assertEqual([(b["name"], b["columns"]) for b in exported["bags"]],
                         [("says", sorted(WORDS[0] + WORDS[1])), ("cites", sorted(TAGS[0] + TAGS[1]))])
        rows = list(csv.reader(io.StringIO(self.medley("transform", "m.medley", "t.csv").stdout)))[1:]
        first = [float(row[1]) > 0.5 for row in rows]
        agree = sum(f == (row["group"] == "g0") for f, row in zip(first, data, strict=True))
        self.assertGreater(max(agree, len(data) - agree), 0.95 * len(data))
        shown = self.medley("inspect", "m.medley").stdout
        for part in ("says:", "cites:", "media: Radio = yes", "Mill 1859", "senate"):
            self.assertIn(part, shown)

    def test_a_model_reads_the_next_file_and_reports_what_is_new(self):
        self.fit("t.csv", as_csv(people()), *OPTIONS)
        new = [dict(people(1)[0], id="n1", says="Zebra goal match", cites=["Kant 1781", "Mill 1859"],
                    media=["TV", "Podcast"])]
        self.write("new.csv", as_csv(new))
        done = self.medley("transform", "m.medley", "new.csv")
        for part in ('column "says": 1 of 3 words', '"zebra"', 'column "cites": 1 of 2 tags', '"Kant 1781"',
                     'column "media": 1 of 2 options', '"Podcast"'):
            self.assertIn(part, done.stderr)
        self.write("new.jsonl", as_jsonl(new))
        self.assertEqual(self.medley("transform", "m.medley", "new.jsonl").stdout, done.stdout)
        self.refused("transform", "m.medley", "new.csv", "--column", "says=tags", says=["says as text"])
        self.refused("transform", "m.medley", "new.csv", "--stem", "english", says=["has its vocabularies"])

    def test_json_lines_and_csv_give_the_same_model(self):
        data = people()
        self.fit("t.csv", as_csv(data), *OPTIONS)
        from_csv = self.medley("export", "m.medley").stdout
        self.fit("t.jsonl", as_jsonl(data), *OPTIONS)
        lines = json.loads(self.medley("export", "m.medley").stdout)
        table = json.loads(from_csv)
        self.assertEqual([b["columns"] for b in lines["bags"]], [b["columns"] for b in table["bags"]])
        # An empty list is an answer in JSON and a missing cell in CSV, so the numbers differ slightly.
        self.assertEqual([c["name"] for c in lines["columns"]], [c["name"] for c in table["columns"]])

    def test_arrays_are_tags_unless_asked_otherwise(self):
        self.write("t.jsonl", as_jsonl(people()))
        schema = self.medley("schema", "t.jsonl", "--id", "id").stdout
        self.assertIn('cells = "tags"\nsplit = "\\u001F"', schema)
        self.assertIn('cells = "text"', schema)  # recognised: nine words a cell
        self.write("s.toml", schema)
        self.medley("fit", "t.jsonl", "--schema", "s.toml", "--k", "2", "--init", "random", "-o", "m.medley")
        appended = self.medley("transform", "m.medley", "t.jsonl", "--append").stdout
        self.assertNotIn("\x1f", appended)
        self.assertIn("Mill 1859;", appended)

    def test_vocabulary_options(self):
        self.write("t.csv", as_csv(people()))
        schema = self.medley("schema", "t.csv", *OPTIONS, "--stop-words", "english", "--stem", "english",
                             "--vocabulary", "4").stdout
        self.assertIn('stem = "english"', schema)
        self.assertIn("vocabulary 4", schema)
        self.assertIn('set_aside = ["the"]', schema)
        self.assertIn('"The"', self.medley("schema", "t.csv", *OPTIONS, "--keep-case", "--max-share", "1").stdout)
        self.refused("schema", "t.csv", *OPTIONS, "--min-count", "1000", says=["is left", "--min-count 1"])
        self.refused("schema", "t.csv", *OPTIONS, "--stem", "klingon", says=["klingon", '"english"'])
        self.refused("schema", "t.csv", *OPTIONS, "--stop-words", "latin", says=["latin", "built in: english"])
        self.refused("schema", "t.csv", "--max-share", "1.5", says=["--max-share", "at most 1"])


class DocumentPerLine(ProgramTest):
    def test_two_ways_to_say_it(self):
        self.write("docs.txt", "red fish\nblue fish\n\nred red bird\n")
        one = self.medley("schema", "docs=docs.txt", "--format", "docs=text", "--min-count", "1").stdout
        two = self.medley("schema", "docs=docs.txt", "--column", "docs=text", "--min-count", "1").stdout
        self.assertEqual(one, two)
        self.assertIn('levels = ["bird", "blue", "fish", "red"]', one)

    def test_beside_another_source(self):
        self.write("docs.txt", "red fish\nblue fish\n\nred red bird\n")
        self.write("t.csv", "q\na\nb\na\nb\n")
        self.medley("fit", "docs=docs.txt", "t=t.csv", "--format", "docs=text", "--k", "2", "--init", "random", "-o",
                    "m.medley")
        done = self.medley("transform", "m.medley", "docs=docs.txt", "t=t.csv")
        self.assertEqual(len(done.stdout.splitlines()), 5)
        self.refused("schema", "docs=docs.txt", "--format", "doc=text", says=['no source "doc"'])
        self.refused("schema", "docs=docs.txt", "--format", "docs=words", says=["--format", "jsonl"])


class JsonLines(ProgramTest):
    def test_problems_name_the_line(self):
        self.write("t.jsonl", '{"a": 1}\n{"a": {"b": 2}}\n{"a": 1, "a": 2}\n{"a": \n')
        self.refused("schema", "t.jsonl", says=['t.jsonl:2: key "a"', "flatten", "t.jsonl:3: ", "t.jsonl:4: "])


if __name__ == "__main__":
    main()
