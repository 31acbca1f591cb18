#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fit in several processes of mpirun: the bits of one process, and no process that waits for ever.

MEDLEY_MPI is the program medley-mpi, empty where it was not built.
"""
import os
import shutil
import signal
import subprocess
import time
import unittest

from program import MEDLEY, ProgramTest, main

MEDLEY_MPI = os.environ.get("MEDLEY_MPI", "")
MPIRUN = shutil.which("mpirun")


def launch(processes):
    """The words that start so many processes."""
    said = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True, check=False).stdout
    open_mpi = "Open MPI" in said or "OpenRTE" in said
    more = ["--allow-run-as-root", "--oversubscribe"] if open_mpi else []
    return [MPIRUN, *more, "-n", str(processes)]


class Shards(ProgramTest):
    """What needs no MPI."""

    def test_a_fit_in_shards_is_that_of_one_piece_but_for_rounding(self):
        self.survey()
        ends = []
        for more in ([], ["--shards", "5"]):
            self.medley("fit", "survey.csv", "--k", "2", "--inference", "standard", "--init", "random", "--ignore",
                        "group", "-o", "m.medley", "--json", *more)
            shares = self.medley("transform", "m.medley", "survey.csv").stdout.splitlines()[1:]
            ends.append(sorted(float(number) for line in shares for number in line.split(",")[1:]))
        for a, b in zip(*ends):
            self.assertAlmostEqual(a, b, places=3)

    def test_what_needs_all_rows_is_refused(self):
        self.survey()
        self.refused("fit", "survey.csv", "--k", "2", "--inference", "exact", "--shards", "3", "-o", "m.medley",
                     says=["--inference exact", "standard"])

    @unittest.skipUnless(MPIRUN, "there is no mpirun")
    def test_the_program_without_mpi_is_refused_under_mpirun(self):
        self.survey()
        done = subprocess.run([*launch(2), MEDLEY, "fit", "survey.csv", "--k", "2", "-o", "m.medley"], cwd=self.folder,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("medley-mpi", done.stderr)
        self.assertFalse((self.folder / "m.medley").exists())


@unittest.skipUnless(MEDLEY_MPI and MPIRUN, "there is no medley-mpi")
class Processes(ProgramTest):
    def several(self, processes, *words, expect=0):
        done = subprocess.run([*launch(processes), MEDLEY_MPI, *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=300, check=False, stdin=subprocess.DEVNULL)
        if expect is not None:
            self.assertEqual(done.returncode, expect, done.stdout[-1000:] + done.stderr)
        return done

    def same_bytes(self, *fit):
        self.medley("fit", *fit, "--shards", "8", "-o", "one.medley", "--quiet")
        expected = (self.folder / "one.medley").read_bytes()
        for processes in (1, 2, 4):
            self.several(processes, "fit", *fit, "--shards", "8", "-o", "many.medley", "--quiet")
            self.assertTrue((self.folder / "many.medley").read_bytes() == expected, f"{processes} processes")

    def test_a_survey_with_missing_cells_has_the_bytes_of_one_process(self):
        self.survey(missing=0.1)
        self.same_bytes("survey.csv", "--k", "2", "--ignore", "group", "--inference", "standard")

    def test_a_mixed_table_has_the_bytes_of_one_process(self):
        self.medley("simulate", "mmnb", "--columns", "categorical:4x3,gaussian:3,poisson:2", "--k", "3", "-n", "400", "-o",
                    "rows.csv", "--missing", "0.1", "--seed", "5")
        self.same_bytes("rows.csv", "--k", "3", "--inference", "fast")

    def test_words_have_the_bytes_of_one_process(self):
        self.medley("simulate", "lda", "--columns", "tokens:1x200", "--k", "4", "--tokens", "30", "-n", "300", "-o",
                    "words.ldac", "--seed", "4")
        self.same_bytes("words.ldac", "--k", "4", "--model", "lda")

    def test_there_are_as_many_shards_as_processes(self):
        self.survey()
        words = ("fit", "survey.csv", "--k", "2", "--inference", "standard", "--ignore", "group", "--quiet")
        self.several(3, *words, "-o", "many.medley")
        self.medley(*words, "--shards", "3", "-o", "one.medley")
        self.assertEqual((self.folder / "many.medley").read_bytes(), (self.folder / "one.medley").read_bytes())

    def test_a_mistake_is_said_once(self):
        done = self.several(3, "fit", "nothing.csv", "--k", "2", "-o", "m.medley", expect=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("medley: error: "), 1, done.stderr)
        self.assertIn("nothing.csv", done.stderr)

    def test_other_commands_are_refused(self):
        done = self.several(2, "models", expect=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("only `medley-mpi fit`", done.stderr)

    def long_fit(self, *more):
        """mpirun of a fit that does not end by itself, once its processes are at work, and their numbers."""
        self.medley("simulate", "mmnb", "--columns", "categorical:20x4", "--k", "4", "-n", "4000", "-o", "long.csv",
                    "--seed", "6")
        run = subprocess.Popen([*launch(3), MEDLEY_MPI, "fit", "long.csv", "--k", "12", "--inference", "standard",
                                "--max-iterations", "1000000", "--tolerance", "1e-300", "--shards", "6", "--threads",
                                "1", "-o", "m.medley", *more], cwd=self.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        for _ in range(600):
            found = subprocess.run(["pgrep", "-f", f"{MEDLEY_MPI} fit long.csv --k 12"], capture_output=True, text=True,
                                   check=False).stdout.split()
            own = [int(pid) for pid in found if "medley" in self.name_of(pid)]
            if len(own) == 3:
                break
            time.sleep(0.1)
        self.assertEqual(len(own), 3)
        time.sleep(1.5)
        return run, own

    @staticmethod
    def name_of(pid):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                return file.read()
        except OSError:
            return ""

    def assert_gone(self, pids):
        for _ in range(100):
            left = [pid for pid in pids if "medley" in self.name_of(pid)]
            if not left:
                return
            time.sleep(0.1)
        self.fail(f"still there: {left}")

    def test_the_others_end_when_one_is_killed(self):
        for which in (0, 2):
            run, own = self.long_fit()
            os.kill(own[which], signal.SIGKILL)
            run.communicate(timeout=60)
            self.assertNotEqual(run.returncode, 0)
            self.assert_gone(own)
            self.assertFalse((self.folder / "m.medley").exists())

    def test_the_others_give_up_when_one_does_not_answer(self):
        run, own = self.long_fit("--wait", "2")
        os.kill(own[1], signal.SIGSTOP)
        try:
            _, said = run.communicate(timeout=60)
        finally:
            for pid in own:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("has not answered for 2 s", said)


if __name__ == "__main__":
    main()
