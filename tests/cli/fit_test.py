#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fitting: summaries, threads, interruption and resumption."""
import csv
import json
import os
import pty
import shlex
import signal
import subprocess
import time

from program import MEDLEY, ProgramTest, main


class Fit(ProgramTest):
    def test_summary_says_what_was_read_and_what_came_out(self):
        text = self.medley("fit", self.survey(), "--label", "group",
                           "--head", "none", "--k", "2", "--inference", "standard", "-o",
                           "m.medley").stdout
        for part in ("Read 200 rows", "missing", "Converged after", "Bound on the log-likelihood",
                     "The log-likelihood itself is", "Took",
                     "of memory", "Wrote m.medley", "medley inspect m.medley"):
            self.assertIn(part, text)
        self.assertEqual(self.files(), ["m.medley", "survey.csv"])

    def test_the_default_of_a_table_is_the_likelihood_and_says_why(self):
        text = self.medley("fit", self.survey(), "--label", "group",
                           "--head", "none", "--k", "2", "-o", "m.medley").stdout
        for part in ("exact inference", "Exact inference was chosen", "\nLog-likelihood: "):
            self.assertIn(part, text)

    def test_exact_inference_beyond_the_limit_is_refused_with_a_way_on(self):
        self.refused("fit", self.survey(), "--k", "3", "--inference", "exact", "--limit", "0.000001", "-o",
                     "m.medley", says=("would take about", "--inference monte-carlo", "--limit"))

    def test_monte_carlo_gives_the_same_bytes_with_any_threads(self):
        for threads in ("1", "2"):
            self.medley("fit", self.survey(), "--k", "2", "--inference", "monte-carlo", "--threads", threads,
                        "--max-iterations", "10", "-o", f"m{threads}.medley")
        self.assertEqual((self.folder / "m1.medley").read_bytes(), (self.folder / "m2.medley").read_bytes())

    def test_json_is_one_object_with_everything(self):
        out = json.loads(self.medley("fit", self.survey(), "--label", "group",
                                     "--head", "none", "--k", "2", "-o", "m.medley", "--json",
                                     "--restarts", "3").stdout)
        for key in ("converged", "iterations", "bound", "penalised_bound", "seconds", "peak_bytes", "sizes", "alpha",
                    "warnings", "restarts", "rows", "blocks"):
            self.assertIn(key, out)
        self.assertEqual(len(out["restarts"]), 3)
        self.assertAlmostEqual(sum(out["sizes"]), 1, places=9)

    def test_posteriors_of_the_tables(self):
        self.medley("fit", self.survey(), "--label", "group", "--head", "none", "--k", "2", "--estimate", "vb",
                    "-o", "m.medley")
        self.assertIn("Profile 1", self.medley("inspect", "m.medley").stdout)
        for options, part in ((("--inference", "exact"), "posteriors"), (("--smoothing", "0"), "needs a prior")):
            self.refused("fit", self.survey(), "--label", "group", "--head", "none", "--k", "2", "--estimate", "vb",
                         *options, "-o", "n.medley", says=(part,))
        self.refused("fit", self.survey(), "--label", "group", "--k", "2", "--estimate", "vb", "-o", "n.medley",
                     says=("--head none",))
        self.refused("fit", self.survey(), "--k", "2", "--estimate", "bayes", "-o", "n.medley", says=("map", "vb"))
        self.assertIn("online-lda", self.medley("models").stdout)

    def test_quiet_says_nothing_on_stderr(self):
        done = self.medley("fit", self.survey(), "--label", "group",
                           "--head", "none", "--k", "2", "-o", "m.medley", "--quiet")
        self.assertEqual(done.stderr, "")

    def test_threads_do_not_change_a_byte(self):
        self.survey(rows=600)
        for threads in (1, 2, 3):
            self.fitted("--threads", threads, "--max-iterations", 10, data="survey.csv", k=2,
                        model=f"m{threads}.medley")
        one = (self.folder / "m1.medley").read_bytes()
        for threads in (2, 3):
            self.assertEqual((self.folder / f"m{threads}.medley").read_bytes(), one)

    def test_topics_do_not_depend_on_threads_either(self):
        self.corpus(documents=100)
        for threads in (1, 2, 3):
            self.medley("fit", "docs.ldac", "--k", "3", "--threads", threads, "-o", f"m{threads}.medley",
                        "--max-iterations", "5")
        one = (self.folder / "m1.medley").read_bytes()
        for threads in (2, 3):
            self.assertEqual((self.folder / f"m{threads}.medley").read_bytes(), one)

    def test_strict_fails_on_a_fit_cut_short(self):
        words = ["fit", self.survey(), "--label", "group",
                 "--head", "none", "--k", "2", "-o", "m.medley", "--max-iterations", "1"]
        self.assertIn("NOT CONVERGED", self.medley(*words).stdout)
        self.medley(*words, "--strict", expect=4)

    def test_words_are_fitted_by_collapsed_inference_which_has_no_bound_to_trace(self):
        data = self.corpus()
        out = json.loads(self.medley("fit", data, "--k", 3, "-o", "m.medley", "--trace", "t.csv", "--json").stdout)
        self.assertEqual(out["inference"], "collapsed")
        self.assertIn("Collapsed inference was chosen", out["why_inference"])
        self.assertEqual(len(out["smoothing"]), 1)
        self.assertNotIn("penalised_bound", out)
        with open(self.folder / "t.csv", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual([line["bound"] for line in lines], [""] * out["iterations"])
        self.assertAlmostEqual(float(lines[-1]["leave_one_out"]), out["leave_one_out"], places=3)
        fixed = self.medley("fit", data, "--k", 3, "--smoothing", 0.1, "-o", "m.medley").stdout
        self.assertNotIn("smoothing", fixed)
        self.assertIn("Fitted smoothing:", self.medley("fit", data, "--k", 3, "-o", "m.medley").stdout)
        self.refused("fit", data, "--k", 3, "--model", "lda", "--smoothing", "fitted", "-o", "n.medley",
                     says=("--smoothing fitted", "--inference collapsed", "--estimate vb"))
        self.refused("fit", data, "--k", 3, "--smoothing", "much", "-o", "n.medley", says=("--smoothing", "much"))

    def test_trace_has_a_line_per_iteration(self):
        out = json.loads(self.medley("fit", self.survey(), "--label", "group",
                                     "--head", "none", "--k", "2", "-o", "m.medley",
                                     "--trace", "t.csv", "--json", "--restarts", "2").stdout)
        with open(self.folder / "t.csv", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(list(lines[0])[:4], ["iteration", "seconds", "rows_seen", "bound"])
        fits = [line for line in lines if line["stage"] == "fit"]
        self.assertEqual(len(fits), sum(len(restart["penalised_bound"]) for restart in out["restarts"]))
        self.assertEqual({line["restart"] for line in fits}, {"1", "2"})

    def test_every_preset_fits_or_refuses_in_words(self):
        self.survey()
        self.corpus()
        for preset in ("lda", "fast-lda", "gom", "mmnb", "fast-mmnb", "ld-cnb", "mnb", "cnb", "nb"):
            words = "docs.ldac" if "lda" in preset else "survey.csv"
            self.medley("fit", words, "--model", preset, "--k", "2", "-o", f"{preset}.medley", "--quiet")
        self.medley("fit", "words=docs.ldac", "refs=docs.ldac", "--vocab", "vocab.txt", "--model", "text-references",
                    "--k", "2", "-o", "tr.medley", "--quiet")

    def test_progress_on_a_terminal_is_one_redrawn_line(self):
        self.survey()
        master, slave = pty.openpty()
        with subprocess.Popen([MEDLEY, "fit", "survey.csv", "--label", "group",
                               "--head", "none", "--k", "2", "-o", "m.medley"],
                              cwd=self.folder, stdout=subprocess.DEVNULL, stderr=slave,
                              env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"}) as process:
            os.close(slave)
            seen = b""
            while True:
                try:
                    piece = os.read(master, 4096)
                except OSError:
                    break
                if not piece:
                    break
                seen += piece
            self.assertEqual(process.wait(), 0)
        os.close(master)
        self.assertIn(b"\r", seen)
        self.assertIn(b"bound", seen)
        self.assertNotIn(b"\x1b[36m", seen)


class Interrupted(ProgramTest):
    def start(self, *words):
        return subprocess.Popen([MEDLEY, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def stopped_after_some_iterations(self, *words, trace, lines=5):
        """Sends SIGINT once the trace shows that the fit is well under way; (exit code, stdout, stderr). A small fit
        may end before the signal comes: then it is started again."""
        path = self.folder / trace
        for _ in range(20):
            path.unlink(missing_ok=True)
            process = self.start(*words)
            while process.poll() is None and not (path.exists() and path.read_text().count(",fit\n") >= lines):
                time.sleep(0.002)
            process.send_signal(signal.SIGINT)
            out, error = process.communicate(timeout=120)
            if process.returncode != 0:
                break
            (self.folder / words[words.index("-o") + 1]).unlink()
        return process.returncode, out, error

    def test_interrupted_and_resumed_equals_uninterrupted(self):
        self.survey(rows=4000, missing=0.3)
        base = ["fit", "survey.csv", "--label", "group", "--head", "none", "--k", "6", "--init", "random", "--threads",
                "1", "--tolerance", "1e-14", "--max-iterations", "400"]
        self.medley(*base, "-o", "whole.medley", "--quiet")
        code, out, error = self.stopped_after_some_iterations(*base, "-o", "it's.medley", "--trace", "t.csv",
                                                              trace="t.csv")
        self.assertEqual(code, 130, error)
        self.assertEqual(out, "")
        self.assertIn("it's.medley.checkpoint", self.files())
        self.assertNotIn("it's.medley", self.files())
        command = error.strip().splitlines()[-1].removeprefix("medley:").strip()
        resumed = shlex.split(command)
        self.assertEqual(resumed[0], MEDLEY)
        self.assertEqual(resumed[-3:], ["--checkpoint", "it's.medley.checkpoint", "--resume"])
        self.medley(*resumed[1:])
        self.assertEqual((self.folder / "it's.medley").read_bytes(), (self.folder / "whole.medley").read_bytes())
        self.assertNotIn("it's.medley.checkpoint", self.files())

    def test_a_second_signal_ends_at_once(self):
        self.survey(rows=2000)
        process = self.start("fit", "survey.csv", "--label", "group",
                             "--head", "none", "--k", "40", "--tolerance", "1e-14", "--max-iterations",
                             "5000", "--trace", "t.csv", "-o", "m.medley")
        path = self.folder / "t.csv"
        while process.poll() is None and not (path.exists() and path.read_text().count("\n") > 2):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (130, -signal.SIGINT, -signal.SIGTERM))
        self.assertNotIn("m.medley", self.files())

    def test_resume_without_a_checkpoint_starts_over(self):
        done = self.medley("fit", self.survey(), "--label", "group",
                           "--head", "none", "--k", "2", "-o", "m.medley", "--resume")
        self.assertIn("starts from the beginning", done.stderr)


if __name__ == "__main__":
    main()
