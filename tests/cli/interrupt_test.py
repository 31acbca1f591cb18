#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signals at random moments: every command ends, and leaves nothing half-written."""
import random
import shlex
import signal
import subprocess
import time

from program import MEDLEY, ProgramTest, main

HANGS = 120  # seconds; nothing is said of how fast it is
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals(ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(20)
        self.medley("simulate", "mmnb", "--columns", "categorical:12x4", "--k", "4", "-n", "3000", "-o", "rows.csv",
                    "--missing", "0.05", "--seed", "3")
        self.medley("simulate", "lda", "--columns", "tokens:1x400", "--k", "5", "--tokens", "40", "-n", "600", "-o",
                    "words.ldac", "--seed", "4")
        self.medley("fit", "rows.csv", "--k", "3", "--inference", "standard", "--max-iterations", "5", "-o",
                    "m.medley", "--quiet")
        self.medley("fit", "words.ldac", "--k", "5", "--max-iterations", "10", "-o", "w.medley", "--quiet")
        self.inputs = set(self.files())

    def took(self, words):
        begun = time.monotonic()
        self.medley(*words)
        return time.monotonic() - begun

    def signalled(self, words, which, wait):
        """(exit code, stderr) after one signal."""
        process = subprocess.Popen([MEDLEY, *words], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        try:
            process.wait(timeout=wait)
        except subprocess.TimeoutExpired:
            process.send_signal(which)
        _, error = process.communicate(timeout=HANGS)
        return process.returncode, error

    def everywhere(self, words, outputs, times=8):
        """Sends signals at random moments. What is written is whole or not there."""
        seconds = self.took(words)
        whole = {name: (self.folder / name).read_bytes() for name in outputs}
        for name in outputs:
            (self.folder / name).unlink()
        for turn in range(times):
            which = SIGNALS[turn % len(SIGNALS)]
            code, error = self.signalled(words, which, self.random.uniform(0, 1.1 * seconds))
            self.assertIn(code, (0, 130, -which), error)
            for name in sorted(set(self.files()) - self.inputs):
                self.assertIn(name, outputs, f"left behind by {words} ({code})")
                self.assertTrue((self.folder / name).read_bytes() == whole[name], f"{name} is half-written")
                (self.folder / name).unlink()

    def test_transform(self):
        self.everywhere(("transform", "m.medley", "rows.csv", "-o", "t.csv"), ("t.csv",))

    def test_evaluate(self):
        self.everywhere(("evaluate", "w.medley", "words.ldac", "--estimator", "left-to-right"), ())
        self.everywhere(("evaluate", "m.medley", "rows.csv", "--holdout-cells", "0.2"), ())
        self.everywhere(("evaluate", "m.medley", "rows.csv", "--absolute-fit"), (), times=4)

    def test_impute_and_groups(self):
        self.everywhere(("impute", "m.medley", "rows.csv", "-o", "i.csv"), ("i.csv",))

    def test_convert_and_schema(self):
        self.everywhere(("convert", "words.ldac", "-o", "w.stream"), ("w.stream",))
        self.everywhere(("schema", "rows.csv", "-o", "s.toml"), ("s.toml",))

    def test_simulate(self):
        self.everywhere(("simulate", "m.medley", "-n", "20000", "-o", "drawn.csv"),
                        ("drawn.csv", "drawn.csv.schema.toml"))

    def test_bootstrap_and_folds(self):
        self.everywhere(("bootstrap", "m.medley", "rows.csv", "--replicates", "5"), (), times=4)
        self.everywhere(("evaluate", "rows.csv", "--k", "2", "--folds", "3", "--quiet"), (), times=4)

    def test_a_command_that_waits_for_its_input_ends(self):
        for which in SIGNALS:
            process = subprocess.Popen([MEDLEY, "schema", "-"], cwd=self.folder, stdin=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.2)
            process.send_signal(which)
            process.wait(timeout=HANGS)
            self.assertEqual(process.returncode, -which)
            process.stdin.close()

    def test_a_fit_whose_connection_drops_is_taken_up_with_the_same_bytes(self):
        taken_up = 0
        for name, words in (("rows", ("fit", "rows.csv", "--k", "3", "--inference", "standard")),
                            ("words", ("fit", "words.ldac", "--k", "5")),
                            ("batches", ("fit", "words.ldac", "--k", "5", "--batch", "50"))):
            base = (*words, "--seed", "2", "--quiet")
            seconds = self.took((*base, "-o", "whole.medley"))
            whole = (self.folder / "whole.medley").read_bytes()
            for _ in range(6):
                wait = self.random.uniform(0.2, 1) * seconds
                code, error = self.signalled((*base, "-o", "m2.medley"), signal.SIGHUP, wait)
                turns = 0
                while code == 130:
                    turns += 1
                    taken_up += 1
                    self.assertNotIn("m2.medley", self.files())
                    if "m2.medley.checkpoint" not in self.files():
                        self.assertIn("nothing was learnt yet", error)
                        again = [MEDLEY, *base, "-o", "m2.medley"]
                    else:
                        again = shlex.split(error.strip().splitlines()[-1].removeprefix("medley:").strip())
                    code, error = self.signalled(again[1:], signal.SIGHUP, turns * wait)
                self.assertIn(code, (0, -signal.SIGHUP), error)  # while it read, or told what it had saved
                if code == 0 or "m2.medley" in self.files():
                    self.assertTrue((self.folder / "m2.medley").read_bytes() == whole, name)
                for left in set(self.files()) - self.inputs - {"whole.medley"}:
                    (self.folder / left).unlink()
        self.assertGreater(taken_up, 0)

    def test_under_nohup_a_dropped_connection_is_nothing(self):
        process = subprocess.Popen(["nohup", MEDLEY, "fit", "rows.csv", "--k", "3", "--inference", "standard", "-o",
                                    "n.medley", "--quiet"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=HANGS)
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    main()
