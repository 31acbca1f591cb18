# SPDX-License-Identifier: Apache-2.0
"""Stream files and fits in minibatches, on the command line."""
import csv
import json
import os
import signal
import subprocess
import time
import unittest

import program


class StreamTest(program.ProgramTest):
    def corpus(self, rows=3000, tokens=30):
        self.once("simulate", "lda", "--k", 4, "--columns", "tokens:1x80", "--tokens", tokens, "-n", rows, "-o",
                  "corpus.stream")
        return "corpus.stream"

    def test_any_command_reads_a_stream_file_as_the_file_it_was_made_of(self):
        self.survey()
        self.medley("convert", "survey.csv", "--label", "group", "-o", "survey.stream")
        self.assertEqual(self.files(), ["survey.csv", "survey.stream"])
        for name in ("survey.csv", "survey.stream"):
            self.medley("fit", name, "--k", 2, "--label", "group", "-o", name + ".medley")
        self.assertEqual((self.folder / "survey.csv.medley").read_bytes(),
                         (self.folder / "survey.stream.medley").read_bytes())
        outputs = [self.medley(command, "survey.csv.medley", name).stdout
                   for command in ("transform",) for name in ("survey.csv", "survey.stream")]
        self.assertEqual(outputs[0], outputs[1])
        self.assertIn("q1", self.medley("schema", "survey.stream").stdout)

    def test_simulated_rows_do_not_depend_on_the_pieces_they_are_drawn_in(self):
        drawn = ("simulate", "lda", "--k", 2, "--columns", "tokens:1x30", "--tokens", 2, "-n", 17000)  # a piece: 16384
        self.medley(*drawn, "-o", "one.ldac", "--truth", "one.csv")
        self.medley(*drawn, "-o", "two.stream", "--truth", "two.csv")
        self.assertEqual((self.folder / "one.csv").read_text(), (self.folder / "two.csv").read_text())
        self.medley("convert", "two.stream", "-o", "two.ldac")
        self.assertEqual((self.folder / "one.ldac").read_text(), (self.folder / "two.ldac").read_text())

    def test_killed_and_resumed_it_ends_with_the_same_bytes(self):
        fit = ["fit", self.corpus(1000, tokens=10), "--k", 4, "--batch", 20, "--passes", 1, "--threads", 1, "--quiet",
               "--checkpoint-every", 0]
        self.medley(*fit, "-o", "straight.medley")
        words = [program.MEDLEY, *map(str, fit), "-o", "killed.medley"]
        checkpoint = self.folder / "killed.medley.checkpoint"
        for _ in range(20):  # it may end before it is killed: then it is started again
            with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL) as running:
                while not checkpoint.exists() and running.poll() is None:
                    time.sleep(0.002)
                running.send_signal(signal.SIGKILL)
            if running.returncode == -signal.SIGKILL:
                break
            (self.folder / "killed.medley").unlink()
        self.assertTrue(checkpoint.exists(), "it ended before it could be killed")
        self.assertFalse((self.folder / "killed.medley").exists())
        self.medley(*fit, "-o", "killed.medley", "--resume")
        self.assertEqual((self.folder / "killed.medley").read_bytes(), (self.folder / "straight.medley").read_bytes())

    def test_the_trace_holds_rows_seconds_and_scores(self):
        self.medley("fit", self.corpus(2000, tokens=10), "--k", 4, "--batch", 50, "--passes", 1, "--trace", "t.csv",
                    "-o", "m.medley")
        with open(self.folder / "t.csv", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(len(lines), 40)
        self.assertEqual(int(lines[-1]["rows_seen"]), 2000)
        scored = [line for line in lines if line["score"]]
        self.assertEqual([int(line["iteration"]) for line in scored], [10, 20, 30, 40])
        self.assertGreater(float(scored[-1]["score"]), float(scored[0]["score"]))

    def test_a_damaged_file_is_refused(self):
        name = self.corpus(500)
        content = (self.folder / name).read_bytes()
        self.write("cut.stream", content[:len(content) // 2])
        self.write("changed.stream", content[:-2000] + bytes([content[-2000] ^ 1]) + content[-1999:])
        for command in (["fit", "--k", 2, "-o", "m.medley"], ["fit", "--k", 2, "--batch", 100, "-o", "m.medley"]):
            self.refused(*command, "cut.stream", says=["cut.stream", "cut short"])
            self.refused(*command, "changed.stream", says=["changed.stream", "checksum"])
        self.write("other.stream", "a,b\n1,2\n")
        self.refused("fit", "other.stream", "--k", 2, "-o", "m.medley", says=["cannot be read as a stream file"])

    def test_truncated_while_it_is_read(self):
        name = self.corpus(24000, tokens=5)
        words = [program.MEDLEY, "fit", name, "--k", "4", "--batch", "50", "--passes", "50", "--threads", "1",
                 "--trace", "t.csv", "-o", "m.medley"]
        with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as fit:
            trace = self.folder / "t.csv"
            while fit.poll() is None and not (trace.exists() and trace.read_text().count("\n") > 2):
                time.sleep(0.01)
            os.truncate(self.folder / name, 100_000)
            _, error = fit.communicate(timeout=120)
        self.assertEqual(fit.returncode, 2, error)
        self.assertIn("cut it short", error)
        self.assertIn(name, error)

    def test_many_rows_are_scored_by_a_sample_that_evaluate_can_recompute(self):
        name = self.corpus(24000, tokens=5)
        fit = json.loads(self.medley("fit", name, "--k", 2, "--batch", 1000, "--passes", 1, "--seed", 5, "--quiet",
                                     "--json", "-o", "m.medley").stdout)
        self.assertEqual((fit["rows"], fit["scored_rows"]), (24000, 20000))
        score = json.loads(self.medley("evaluate", "m.medley", name, "--estimator", "bound", "--sample-rows", 20000,
                                       "--seed", 5, "--json").stdout)
        self.assertEqual(score["rows"], 20000)
        self.assertAlmostEqual(fit["bound"] / fit["observations"], score["log_likelihood"] / score["observations"], places=9)
        text = self.medley("fit", name, "--k", 2, "--batch", 1000, "--passes", 1, "--quiet", "-o", "m.medley").stdout
        self.assertIn("scaled from a sample of 20,000 rows; standard error", text)
        self.assertIn("rows a second", text)
        self.write("plain.ldac", "1 0:1\n1 1:1\n")
        self.refused("evaluate", "m.medley", "plain.ldac", "--sample-rows", 5, says=["--sample-rows", "stream file"])

    def test_empty_documents_and_zero_counts(self):
        self.write("c.ldac", "2 0:1 1:2\n0\n1 2:0\n1 1:3\n" * 10)
        self.medley("convert", "c.ldac", "-o", "c.stream")
        fit = json.loads(self.medley("fit", "c.stream", "--k", 2, "--batch", 5, "--quiet", "--json", "-o", "m.medley").stdout)
        self.assertEqual((fit["rows"], fit["empty_rows"]), (40, 20))
        self.assertEqual(fit["observations"], 60)

    def test_options_that_make_no_sense(self):
        name = self.corpus(200)
        self.refused("fit", name, "--k", 2, "--batch", 500, "-o", "m.medley", says=["--batch 500", "200 rows"])
        self.refused("fit", name, "--k", 2, "--batch", 50, "--kappa", 1.01, "-o", "m.medley", says=["--kappa", "at most 1"])
        self.refused("fit", name, "--k", 2, "--batch", 50, "--kappa", 0.5, "-o", "m.medley", says=["--kappa", "above 0.5"])
        self.medley("fit", name, "--k", 2, "--batch", 50, "--kappa", 1, "--quiet", "-o", "ok.medley")
        self.refused("fit", name, "--k", 2, "--batch", 50, "--restarts", 3, "-o", "m.medley", says=["--restarts"])
        self.refused("fit", name, "--k", 2, "--batch", 50, "--label", "x", "-o", "m.medley", says=["--label x"])


if __name__ == "__main__":
    unittest.main()
