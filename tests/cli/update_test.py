# SPDX-License-Identifier: Apache-2.0
"""medley update: a saved model learns on from new rows."""
import json
import unittest

import program


class UpdateTest(program.ProgramTest):
    def two_files(self):
        """old.ldac with words w0..w5, new.ldac with two words more, and a model of the old one."""
        self.write("old.ldac", "2 0:2 1:1\n2 3:1 4:3\n2 1:2 2:1\n1 5:4\n" * 20)
        self.write("old_vocab.txt", "".join(f"w{i}\n" for i in range(6)))
        self.write("new.ldac", "3 0:2 1:1 6:1\n2 3:1 7:3\n1 7:2\n" * 20)
        self.write("new_vocab.txt", "".join(f"w{i}\n" for i in range(6)) + "fog\nhail\n")
        self.once("fit", "old.ldac", "--k", 2, "--batch", 20, "--quiet", "-o", "old.medley")

    def test_unknown_words_are_counted_and_named_most_frequent_first(self):
        self.two_files()
        self.medley("convert", "new.ldac", "-o", "new.stream")
        for name in ("new.ldac", "new.stream"):
            text = self.medley("update", "old.medley", name, "--quiet", "-o", name + ".medley").stdout
            self.assertIn("most frequent first: hail (100), fog (20).", text)
            self.assertIn("Learnt from 140 rows in all, 80 of them before.", text)
            self.assertIn("rows a second", text)
            self.assertIn("of memory", text)
        self.assertEqual((self.folder / "new.ldac.medley").read_bytes(), (self.folder / "new.stream.medley").read_bytes())
        out = json.loads(self.medley("update", "old.medley", "new.ldac", "--quiet", "--json", "-o", "j.medley").stdout)
        self.assertEqual(out["unknown"][0], {"block": "data", "name": "hail", "count": 100})
        self.assertEqual((out["rows"], out["rows_before"], out["updates"]), (140, 80, 1))

    def test_levels_and_columns_that_are_missing_or_extra_are_reported(self):
        self.write("old.csv", "a,b\nx,u\ny,v\nx,v\ny,u\n" * 10)
        self.write("new.csv", "a,c\nx,1\nz,2\nz,1\n" * 5)
        self.medley("fit", "old.csv", "--k", 2, "--quiet", "-o", "m.medley")
        text = self.medley("update", "m.medley", "new.csv", "--quiet", "-o", "n.medley").stdout
        self.assertIn('a = "z" (10)', text)
        self.assertIn('absent, taken as missing: "b"', text)
        self.assertIn("1 column the model does not know, not read: c.", text)

    def test_names_stay_and_threads_do_not_show(self):
        self.two_files()
        self.medley("name", "old.medley", "2=Weather")
        for threads in (1, 3):
            self.medley("update", "old.medley", "new.ldac", "--threads", threads, "--quiet", "-o", f"{threads}.medley")
        self.assertEqual((self.folder / "1.medley").read_bytes(), (self.folder / "3.medley").read_bytes())
        self.assertIn("Weather", self.medley("inspect", "1.medley").stdout)

    def test_what_cannot_be_done_is_said(self):
        self.two_files()
        self.write("other.csv", "p,q\n1,2\n3,4\n")
        self.write("strange.ldac", "1 0:3\n1 1:2\n")
        self.write("strange_vocab.txt", "one\ntwo\n")
        self.refused("update", "old.medley", "strange.ldac", "-o", "n.medley", says=["nothing that the model knows"])
        self.refused("update", "old.medley", "other.csv", "-o", "n.medley", says=["other.csv", "kind"])
        self.refused("update", "old.medley", "new.ldac", says=["-o"])
        self.refused("update", "old.medley", "new.ldac", "-o", "old.medley", says=["old.medley"])
        self.refused("update", "old.medley", "new.ldac", "--batch", 500, "--kappa", 0.5, "-o", "n.medley",
                     says=["--batch 500", "60 rows", "--kappa"])
        self.write("none.csv", "q1,q2,q3,q4,q5,mood,group\n")
        self.survey()
        self.medley("fit", "survey.csv", "--label", "group", "--k", 2, "--quiet", "-o", "labelled.medley")
        self.refused("update", "labelled.medley", "survey.csv", "-o", "n.medley", says=["label"])
        self.refused("update", "labelled.medley", "none.csv", "-o", "n.medley", says=["none.csv"])


if __name__ == "__main__":
    unittest.main()
