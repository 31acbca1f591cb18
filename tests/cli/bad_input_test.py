#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wrong data: a message with file, line and column and a remedy, exit code 2, no half-written file."""
import resource
import subprocess

from program import MEDLEY, ProgramTest, main


class BadInput(ProgramTest):
    def fit_refused(self, data, *more, says, k=2):
        return self.refused("fit", data, "--k", k, "-o", "m.medley", *more, says=says)

    def test_missing_file(self):
        self.fit_refused("nowhere.csv", says=["nowhere.csv"])

    def test_empty_file(self):
        self.fit_refused(self.write("empty.csv", ""), says=["empty.csv"])

    def test_header_only(self):
        self.fit_refused(self.write("header.csv", "a,b,c\n"), says=["header.csv"])

    def test_ragged_rows_are_all_listed_with_their_lines(self):
        data = self.write("ragged.csv", "a,b,c\n1,2,3\n1,2\n1,2,3\n1,2,3,4\n")
        message = self.fit_refused(data, says=["ragged.csv:3", "ragged.csv:5"])
        self.assertEqual(message.count("medley: error:"), 2)

    def test_one_problem_in_many_lines_is_one_message(self):
        data = self.write("ragged.csv", "a,b\n" + "1\n" * 50)
        message = self.fit_refused(data, says=["ragged.csv:2", "the same 49 times more: line 3; line 4; line 5 ..."])
        self.assertEqual(message.count("medley: error:"), 1)

    def test_words_in_a_column_of_numbers_are_one_message(self):
        data = self.write("words.csv", "a,w\n" + "".join(f"yes,{chr(97 + i % 26) * (1 + i // 26)}\n" for i in range(50)))
        message = self.fit_refused(data, "--column", "w=gaussian", says=["words.csv:2", "the same 49 times more: line 3; line 4"])
        self.assertEqual(message.count("medley: error:"), 1)

    def test_a_word_where_a_number_must_be(self):
        data = self.write("weights.csv", "a,w\nyes,1\nno,abc\nyes,2\nno,1\n")
        self.fit_refused(data, "--weight", "w", says=["weights.csv:3", '"w"', '"abc"'])
        counts = self.write("docs.ldac", "2 0:1 1:2\n1 0:many\n")
        self.fit_refused(counts, says=["docs.ldac:2", "many"])

    def test_a_word_past_the_vocabulary(self):
        self.write("vocab.txt", "a\nb\n")
        data = self.write("docs.ldac", "1 0:1\n2 0:1 7:1\n")
        self.fit_refused(data, "--vocab", "vocab.txt", says=["docs.ldac:2", "7"])

    def test_negative_ids_and_counts(self):
        self.fit_refused(self.write("a.ldac", "1 0:1\n1 -4:1\n"), says=["a.ldac:2", "-4"])
        self.fit_refused(self.write("b.ldac", "1 0:1\n1 1:-2\n"), says=["b.ldac:2", "-2"])

    def test_more_profiles_than_rows(self):
        self.fit_refused(self.survey(rows=20), says=["21", "20"], k=21)

    def test_no_profiles(self):
        self.fit_refused(self.survey(), says=["--k", "at least 1"], k=0)

    def test_unknown_columns(self):
        for option in (["--label", "nosuch"], ["--id", "nosuch"], ["--weight", "nosuch"], ["--ignore", "nosuch"],
                       ["--column", "nosuch=categorical"]):
            self.fit_refused(self.survey(), *option, says=["nosuch"])

    def test_unknown_family(self):
        self.fit_refused(self.survey(), "--column", "q1=normall", says=["normall"])

    def test_truth_column_that_is_not_there(self):
        model = self.fitted()
        self.refused("evaluate", model, "survey.csv", "--truth", "nosuch", says=["--truth", '"nosuch"'])

    def test_exact_scores_of_long_documents_are_out_of_reach(self):
        self.write("long.ldac", "".join(f"3 0:{900 + i} 1:{700 - i} 2:5\n" for i in range(12)))
        self.medley("fit", "long.ldac", "--k", 8, "--max-iterations", 2, "-o", "long.medley", "--quiet")
        self.refused("evaluate", "long.medley", "long.ldac", "--estimator", "exact",
                     says=["--estimator exact", "too long", "--estimator importance"])

    def test_text_among_numbers_names_the_line(self):
        lines = [f"{i * 0.37:.2f},{'ab'[i % 2]}" for i in range(40)]
        for stray in ("abc", "inf", "1e999"):
            lines[15] = stray + ",a"
            self.write("odd.csv", "height,kind\n" + "\n".join(lines) + "\n")
            self.refused("fit", "odd.csv", "--k", 2, "-o", "m.medley",
                         says=['odd.csv:17: column "height"', stray, "--na " + stray, "--ignore height"])
        self.medley("fit", "odd.csv", "--k", 2, "--init", "random", "-o", "m.medley", "--na", "1e999", "--quiet")

    def test_missing_model_file(self):
        self.refused("inspect", "nowhere.medley", says=["nowhere.medley"])

    def test_broken_schema_names_the_line(self):
        self.write("bad.toml", "x = 1\ny = = 2\n")
        self.fit_refused(self.survey(), "--schema", "bad.toml", says=["bad.toml:2"])
        self.fit_refused(self.survey(), "--schema", "nowhere.toml", says=["nowhere.toml"])

    def test_broken_archives(self):
        self.fit_refused(self.write("cut.csv.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03KL"), says=["cut.csv.gz"])

    def test_a_row_with_nothing_observed_is_kept_and_counted(self):
        text = (self.folder / self.survey(rows=50)).read_text()
        data = self.write("gaps.csv", text + "NA,,?,NA,NA,NA,g1\n")
        done = self.medley("fit", data, "--label", "group", "--head", "none", "--k", "2", "-o", "m.medley")
        self.assertIn("1 of 51 rows has nothing observed and gets", done.stdout)
        rows = self.medley("transform", "m.medley", data).stdout.splitlines()
        self.assertEqual(len(rows), 52)
        shares = [float(cell) for cell in rows[-1].split(",")[1:]]
        self.assertAlmostEqual(sum(shares), 1, places=9)

    def test_unseen_levels_are_counted_not_fatal(self):
        model = self.fitted()
        text = (self.folder / "survey.csv").read_text().replace("\nyes,", "\nperhaps,", 1)
        done = self.medley("evaluate", model, self.write("new.csv", text))
        self.assertIn("perhaps", done.stderr + done.stdout)

    def test_full_disk_leaves_no_file(self):
        """A limit on file sizes stands in for the full disk: the write fails midway."""
        data = self.survey()

        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

        for words in (["fit", data, "--label", "group", "--head", "none", "--k", "2", "-o", "full.medley", "--quiet"],):
            done = subprocess.run([MEDLEY, *words], cwd=self.folder, capture_output=True, text=True,
                                  preexec_fn=limited, timeout=300, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("full.medley", done.stderr)
            self.assertEqual(self.files(), [data])
        model = self.fitted()
        before = (self.folder / model).read_bytes()
        for words in (["name", model, "1=Other"], ["transform", model, data, "-o", "out.csv"],
                      ["export", model, "-o", "out.json"]):
            done = subprocess.run([MEDLEY, *words], cwd=self.folder, capture_output=True, text=True,
                                  preexec_fn=limited, timeout=300, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertTrue(done.stderr.startswith("medley: error: "), done.stderr)
            self.assertEqual(self.files(), [model, data])
        self.assertEqual((self.folder / model).read_bytes(), before)

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([MEDLEY, "models"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)


if __name__ == "__main__":
    main()
