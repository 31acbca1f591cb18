#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What docs/reliability.md promises of files, memory and pipes, where one run of the program shows it; tests/faults attacks the
rest.
"""
import csv
import gzip
import os
import random
import resource
import stat
import struct
import subprocess
import threading
import unittest
import zipfile

from program import MEDLEY, ProgramTest, main

MEGABYTE = 1 << 20
SANITIZED = os.environ.get("MEDLEY_SANITIZE", "") != ""  # such programs take memory in their own ways


class Reliability(ProgramTest):
    def measured(self, *words, limit=None):
        """(code, stderr, largest resident size in bytes) of a run."""
        with open(self.folder / "errors", "wb") as errors:
            running = subprocess.Popen([MEDLEY, *map(str, words)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=errors,
                                       preexec_fn=limit and (lambda: resource.setrlimit(*limit)))
            _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        return running.returncode, (self.folder / "errors").read_text(), 0 if SANITIZED else used.ru_maxrss * 1024


class Outputs(Reliability):
    def test_a_name_that_somebody_foresaw_leads_nowhere(self):
        model = self.fitted()
        self.write("precious", "mine")
        with subprocess.Popen(["true"]) as last:
            last.wait()
        for pid in range(last.pid, last.pid + 2000):
            (self.folder / f"out.csv.{pid}.tmp").symlink_to("precious")
        self.medley("transform", model, "survey.csv", "-o", "out.csv")
        self.assertEqual((self.folder / "precious").read_text(), "mine")
        self.assertEqual((self.folder / "out.csv").read_text().count("\n"), 201)

    def test_a_private_file_stays_private(self):
        model = self.fitted()
        out = self.folder / self.write("out.csv", "old")
        out.chmod(0o600)
        self.medley("transform", model, "survey.csv", "-o", "out.csv")
        self.assertEqual(stat.S_IMODE(out.stat().st_mode), 0o600)
        self.assertNotEqual(out.read_text(), "old")

    def test_what_a_killed_run_left_is_removed_by_the_next(self):
        model = self.fitted()
        self.write("out.csv.tmp-abc123", "half")
        self.write("other.csv.tmp-abc123", "of another file")
        self.medley("transform", model, "survey.csv", "-o", "out.csv")
        self.assertNotIn("out.csv.tmp-abc123", self.files())
        self.assertIn("other.csv.tmp-abc123", self.files())

    def test_a_checkpoint_that_cannot_be_written_is_said_and_the_fit_goes_on(self):
        os.mkfifo(self.folder / "pipe")
        words = ["fit", self.survey(), "--ignore", "group", "--k", 2, "--quiet"]
        done = self.medley(*words, "-o", "m.medley", "--checkpoint", "pipe", "--checkpoint-every", 0)
        self.assertEqual(done.stderr.count("goes on without a checkpoint"), 1, done.stderr)
        self.assertIn("pipe", self.files())
        self.medley(*words, "-o", "whole.medley")
        self.assertEqual((self.folder / "m.medley").read_bytes(), (self.folder / "whole.medley").read_bytes())

    @unittest.skipUnless(os.environ.get("MEDLEY_REPORT", "ON") == "ON", "built without the page")
    def test_a_report_reads_its_data_once(self):
        model = self.fitted()
        rows = (self.folder / "survey.csv").read_bytes()
        self.medley("report", model, "survey.csv", "-o", "file.html", "--title", "t")
        os.mkfifo(self.folder / "pipe.csv")

        def give():
            with open(self.folder / "pipe.csv", "wb") as pipe:
                pipe.write(rows)

        giving = threading.Thread(target=give, daemon=True)
        giving.start()
        self.medley("report", model, "pipe.csv", "-o", "pipe.html", "--title", "t")
        giving.join(60)
        self.assertEqual((self.folder / "pipe.html").read_bytes(), (self.folder / "file.html").read_bytes())


class Memory(Reliability):
    BEGINNINGS = {"csv": b"a,b\n1,", "tsv": b"a\tb\n1\t", "jsonl": b'{"a": "', "ldac": b"1 0:", "docword": b"1\n1\n1\n1 1 ",
                  "mtx": b"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 ", "svmlight": b"1 1:",
                  "triplets": b"r,i,v\n1,2,", "column": b"v\n", "text": b"word "}

    def test_one_long_line_is_refused_within_the_memory_allowed(self):
        limit = 64 * MEGABYTE
        for name, beginning in self.BEGINNINGS.items():
            with gzip.open(self.folder / "bomb.gz", "wb", compresslevel=1) as bomb:
                bomb.write(beginning)
                for _ in range(300):
                    bomb.write(b"1" * MEGABYTE)
            code, errors, used = self.measured("fit", "bomb.gz", "--format", name, "--k", 2, "--memory", "64M", "-o", "m.medley")
            self.assertEqual(code, 2, f"{name}: {errors}")
            self.assertIn("longer than 4194304 bytes", errors, name)
            self.assertLess(used, limit + 40 * MEGABYTE, name)  # the program itself takes 20

    def test_a_long_document_of_an_archive_too(self):
        with zipfile.ZipFile(self.folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bomb:
            bomb.writestr("a.txt", "short\n")
            with bomb.open("b.txt", "w", force_zip64=True) as document:
                for _ in range(300):
                    document.write(b"word " * (MEGABYTE // 5))
        code, errors, used = self.measured("fit", "bomb.zip", "--k", 2, "--memory", "64M", "-o", "m.medley")
        self.assertEqual(code, 2, errors)
        self.assertIn("does not fit into the 4.1943 MB", errors)
        self.assertLess(used, 104 * MEGABYTE)

    def test_many_lines_are_refused_within_the_memory_allowed(self):
        with gzip.open(self.folder / "bomb.csv.gz", "wb", compresslevel=1) as bomb:
            bomb.write(b"a,b\n")
            for i in range(100):
                bomb.write(b"".join(b"%d,%d\n" % (i * 20000 + j, j) for j in range(20000)))
        code, errors, used = self.measured("fit", "bomb.csv.gz", "--k", 2, "--memory", "64M", "-o", "m.medley")
        self.assertEqual(code, 2, errors)
        self.assertIn("does not fit into the 67.1089 MB of memory", errors)
        self.assertLess(used, 192 * MEGABYTE)

    def test_every_command_that_reads_has_the_option(self):
        model = self.fitted()
        for words in (["transform", model], ["evaluate", model], ["impute", model], ["schema"], ["groups", model, "--by", "group"]):
            self.medley(*words, "survey.csv", "--memory", "1.5G")
            self.refused(*words, "survey.csv", "--memory", "lots", says=["--memory", "4G"])
        self.refused("fit", "survey.csv", "--k", 2, "-o", "x", "--memory", "10k", says=["--memory"])

    def test_a_state_that_decompresses_without_end_is_refused(self):
        self.survey()
        (self.folder / "choice").mkdir()
        with gzip.open(self.folder / "choice" / "select.json", "wb") as bomb:
            for _ in range(300):
                bomb.write(b"[" * MEGABYTE)
        for words in (["select", "survey.csv", "--k", "2,3", "-o", "choice", "--resume"],
                      ["report", "choice", "-o", "r.html"]):
            code, errors, used = self.measured(*words)
            self.assertEqual(code, 2, errors)
            self.assertLess(used, 128 * MEGABYTE)

    def test_names_and_schemas_without_end_are_refused(self):
        model = self.fitted()
        os.symlink("/dev/zero", self.folder / "endless")
        for words in (["name", model, "--names", "endless"], ["fit", "survey.csv", "--schema", "endless", "--k", 2, "-o", "x"]):
            self.refused(*words, says=["endless", "bytes"])

    @unittest.skipIf(SANITIZED, "sanitizers map terabytes")
    def test_more_threads_than_there_is_room_for(self):
        data = self.survey()
        self.medley("fit", data, "--ignore", "group", "--k", 2, "--quiet", "-o", "one.medley", "--threads", 1)
        code, errors, _ = self.measured("fit", data, "--ignore", "group", "--k", 2, "--quiet", "-o", "many.medley", "--threads",
                                        100, limit=(resource.RLIMIT_AS, (300 * MEGABYTE, 300 * MEGABYTE)))
        self.assertIn(code, (0, 1), errors)
        if code == 0:
            self.assertEqual((self.folder / "one.medley").read_bytes(), (self.folder / "many.medley").read_bytes())
        else:
            self.assertIn("medley: error: ", errors)


class Numbers(Reliability):
    def test_counts_beyond_what_can_be_counted_are_refused_in_every_format(self):
        """2^64 and more were once cast to sizes, and written beyond the end of a table."""
        files = {"ldac": "2 0:1 1:3\n3 0:1 1:1e20 2:1\n2 1:1 2:2\n2 0:4 2:1\n", "svmlight": "1 1:2 3:1\n0 2:1e20 4:3\n1 1:1\n",
                 "docword": "3\n4\n3\n1 1 2\n1 3 1e20\n2 2 4\n",
                 "mtx": "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 2\n1 3 1e20\n2 2 4\n"}
        for name, text in files.items():
            self.refused("fit", self.write("c.txt", text), "--format", name, "--k", 2, "-o", "m.medley",
                         says=["c.txt:", "too large for a count"])

    def test_frequency_weights_that_cannot_be_counted_are_refused(self):
        for weight in ("1e308", "1e16", "9007199254740993"):
            self.write("w.csv", f"a,b,w\nx,y,1\nx,z,{weight}\nv,y,2\n")
            self.refused("fit", "w.csv", "--weight", "w", "--weights", "frequency", "--k", 2, "-o", "m.medley",
                         says=["w.csv", "2^53"])
        self.write("w.csv", "a,b,w\nx,y,1\nx,z,1000000\nv,y,2\n")
        self.medley("fit", "w.csv", "--weight", "w", "--weights", "frequency", "--k", 2, "-o", "m.medley")

    def test_changed_numbers_of_a_correlated_model_are_refused_in_words(self):
        self.corpus()
        self.medley("fit", "docs.ldac", "--k", 3, "--model", "correlated-nmf", "--max-iterations", 5, "-o", "c.medley", "--quiet")
        whole = (self.folder / "c.medley").read_bytes()
        begin = 8 + struct.unpack("<Q", whole[:8])[0]
        draw = random.Random(1)
        hostile = [0.0, -0.0, -1.0, 5e-324, 1e-308, 1e308, float("inf"), float("nan")]
        for _ in range(60):
            changed = bytearray(whole)
            at = begin + 8 * draw.randrange((len(whole) - begin) // 8)
            changed[at:at + 8] = struct.pack("<d", draw.choice(hostile))
            (self.folder / "bad.medley").write_bytes(changed)
            done = subprocess.run([MEDLEY, "inspect", "bad.medley"], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (0, 2), done.stderr)


class Formulas(Reliability):
    def test_cells_that_a_spreadsheet_would_compute_are_marked_on_request(self):
        hostile = ["=1+1", "@sum(a1)", "+1+1", "-2+3", "=cmd|' /c calc'!a1,x"]
        harmless = ["-2", "+3.5", "-1e5", "a=b", "x"]
        cells = hostile + harmless
        rows = "".join(f'"{cell}",{"yes" if i % 2 else "no"},{"up" if i % 3 else "down"}\n' for i, cell in enumerate(cells * 3))
        self.write("f.csv", "name,q,r\n" + rows)
        self.medley("fit", "f.csv", "--ignore", "name", "--k", 2, "-o", "m.medley", "--quiet")
        for more, expected in ([], cells), (["--safe-csv"], ["'" + cell for cell in hostile] + harmless):
            self.medley("transform", "m.medley", "f.csv", "--append", "-o", "out.csv", *more)
            with open(self.folder / "out.csv", encoding="utf-8", newline="") as file:
                found = [row["name"] for row in csv.DictReader(file)]
            self.assertEqual(found, expected * 3)

    def test_names_and_answers_in_tables_too(self):
        rows = "".join(f"{'=yes' if i % 2 else '-no'},{'up' if i % 3 else 'down'},g{i % 2}\n" for i in range(60))
        self.write("f.csv", "a,b,g\n" + rows)
        self.medley("fit", "f.csv", "--ignore", "g", "--k", 2, "-o", "m.medley", "--quiet")
        self.medley("name", "m.medley", "1==yes", "2=-1+2")
        for command in (["inspect", "m.medley"], ["groups", "m.medley", "f.csv", "--by", "g"]):
            plain = list(csv.reader(self.medley(*command, "--output-format", "csv").stdout.splitlines()))
            safe = list(csv.reader(self.medley(*command, "--output-format", "csv", "--safe-csv").stdout.splitlines()))
            self.assertTrue(any("=yes" in row for row in plain), plain)
            self.assertTrue(any("'=yes" in row for row in safe), safe)
            self.assertEqual(plain, [[cell[1:] if cell.startswith(("'=", "'-")) else cell for cell in row] for row in safe])



if __name__ == "__main__":
    main()
