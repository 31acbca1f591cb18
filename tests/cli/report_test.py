#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What medley report writes and refuses; what the page shows is tested in tests/web."""
import base64
import gzip
import json
import os
import re
import struct
import unittest

import program

BUILT = os.environ.get("MEDLEY_REPORT", "ON") == "ON"


def data_of(page):
    """The JSON that a page carries."""
    packed = re.search(r'id="medley-data">([^<]*)<', page).group(1)
    text = gzip.decompress(base64.b64decode(packed))
    (length,) = struct.unpack("<I", text[:4])
    return json.loads(text[4:4 + length])


@unittest.skipUnless(BUILT, "built without the page")
class ReportTest(program.ProgramTest):
    def page(self, *words):
        self.medley("report", *words, "-o", "r.html")
        return (self.folder / "r.html").read_text(encoding="utf-8")

    def test_a_page_is_one_file_that_allows_nothing_but_itself(self):
        page = self.page(self.fitted())
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotRegex(policy, "https?:")
        self.assertNotRegex(page, r'(src|href)="https?:')
        self.assertEqual(data_of(page)["title"], "m")

    def test_the_same_bytes_at_any_number_of_threads(self):
        model = self.fitted()
        self.assertEqual(self.page(model, "survey.csv", "--threads", 1), self.page(model, "survey.csv", "--threads", 2))

    def test_rows_are_grouped_by_what_the_model_has_not_seen_first(self):
        data = data_of(self.page(self.fitted(), "survey.csv"))
        self.assertEqual(data["groups"][0]["by"], "group")
        self.assertEqual({one["by"] for one in data["groups"]}, {"group", "q1", "q2", "q3", "q4", "q5", "mood"})
        data = data_of(self.page("m.medley", "survey.csv", "--by", "mood"))
        self.assertEqual([one["by"] for one in data["groups"]], ["mood"])

    def test_without_rows_chains_tell_nothing_of_single_cells(self):
        self.medley("fit", self.survey(), "--ignore", "group", "--model", "gom-bayes", "--k", 2, "--chains", 2, "--sweeps", 20,
                    "--burn-in", 20, "-o", "g.medley", "--quiet")
        self.assertIn(" of row ", json.dumps(data_of(self.page("g.medley"))))
        self.assertNotIn(" of row ", json.dumps(data_of(self.page("g.medley", "--no-rows"))))

    def test_without_rows_what_few_rows_have_has_no_name(self):
        """A word, a level and a class of single rows: on the page with rows, and nowhere on the one without."""
        rows = ["colour,party,notes"]
        for row in range(60):
            colour = "zyxcolour" if row == 7 else ["red", "blue"][row % 2]
            party = "zyxparty" if row in (11, 12) else ["left", "right"][row % 2]
            notes = "apple pear plum" if row % 2 else "stone sand clay"
            notes += " zyxword zyxword" if row in (3, 4) else ""
            rows.append(f"{colour},{party},{notes}")
        (self.folder / "few.csv").write_text("\n".join(rows) + "\n")
        (self.folder / "later.csv").write_text("\n".join([*rows, "red,left,apple zyxlater", "zyxnew,left,apple pear"]) + "\n")
        self.medley("fit", "few.csv", "--label", "party", "--column", "notes=text", "--max-share", 1, "--k", 2, "-o", "few.medley",
                    "--quiet")
        secret = ["zyxcolour", "zyxparty", "zyxword", "zyxlater", "zyxnew"]
        for data in ("few.csv", "later.csv"):
            told = json.dumps(data_of(self.page("few.medley", data)))
            hidden = json.dumps(data_of(self.page("few.medley", data, "--no-rows")))
            for word in secret[:3] if data == "few.csv" else secret:
                self.assertIn(word, told)
            self.assertNotIn("zyx", hidden)
            for word in ("apple", "clay", "red", "left", "colour"):
                self.assertIn(word, hidden)
        self.assertNotIn("zyx", json.dumps(data_of(self.page("few.medley", "--no-rows"))))
        self.assertIn("zyxcolour", json.dumps(data_of(self.page("few.medley", "few.csv", "--no-rows", "--min-cell", 1))))

    def test_wrong_usage_is_refused(self):
        model = self.fitted()
        self.refused("report", model, says=["-o", "missing"])
        self.refused("report", model, "-o", model, says=["-o"])
        self.refused("report", model, "--k", 3, "-o", "r.html", says=["--k", "folder"])
        self.refused("report", model, "survey.csv", "--by", "nothing", "-o", "r.html", says=["--by", "nothing"])
        self.refused("report", model, "--names", "none.toml", "-o", "r.html", says=["none.toml"])
        (self.folder / "empty").mkdir()
        self.refused("report", "empty", "-o", "r.html", says=["no selection"])

    def test_a_folder_shows_the_advised_k_or_the_one_asked_for(self):
        self.medley("select", self.survey(rows=100), "--ignore", "group", "--k", "1..3", "--restarts", 1, "--folds", 2,
                    "--model", "mnb", "-o", "choice", "--quiet")
        self.assertEqual(len(data_of(self.page("choice", "--k", 3))["model"]["profiles"]), 3)
        data = data_of(self.page("choice"))
        chosen = data["selection"]["fits"][data["selection"]["chosen"]]["k"]
        self.assertEqual(len(data["model"]["profiles"]), chosen)
        told = json.loads((self.folder / "choice" / "select.json").read_text())["result"]["verdicts"][0]
        self.assertEqual(chosen, told["one_standard_error"]["k"])
        self.refused("report", "choice", "--k", 9, "-o", "q.html", says=["--k", "9"])


@unittest.skipIf(BUILT, "built with the page")
class WithoutPageTest(program.ProgramTest):
    def test_the_command_says_that_there_is_no_page(self):
        self.refused("report", self.fitted(), "-o", "r.html", says=["built without the report page", "MEDLEY_REPORT=ON"])


if __name__ == "__main__":
    program.main()
