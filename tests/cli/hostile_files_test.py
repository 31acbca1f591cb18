#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Model files that were cut, changed or made up: a message, never a crash.

A sample of what tests/core/safetensors_hostile_test.cpp and tests/model/model_file_test.cpp try byte by byte.
"""
import itertools
import json
import random
import struct
import subprocess

from program import MEDLEY, ProgramTest, main


class HostileModels(ProgramTest):
    commands = itertools.cycle(["inspect", "export"])

    def expect_refusal(self, data, what):
        """By the one command or the other, in turn."""
        (self.folder / "bad.medley").write_bytes(data)
        done = self.medley_any(next(self.commands), "bad.medley")
        self.assertEqual(done.returncode, 2, f"{what}: {done.returncode} {done.stderr}")
        self.assertIn("bad.medley", done.stderr, what)

    def medley_any(self, *words):
        return subprocess.run([MEDLEY, *words], cwd=self.folder, capture_output=True, text=True, errors="replace",
                              timeout=60, check=False)

    def test_every_truncation_is_refused(self):
        whole = (self.folder / self.fitted()).read_bytes()
        for size in [0, 1, 7, 8, 9, *range(10, len(whole), len(whole) // 10), len(whole) - 1]:
            self.expect_refusal(whole[:size], f"cut at {size}")

    def test_trailing_bytes_are_refused(self):
        whole = (self.folder / self.fitted()).read_bytes()
        for _ in ("inspect", "export"):
            self.expect_refusal(whole + b"more", "trailing bytes")

    def test_noise_is_refused(self):
        draw = random.Random(1)
        for size in (1, 8, 9, 100, 5000):
            self.expect_refusal(draw.randbytes(size), f"noise of {size}")

    def test_huge_sizes_are_refused_before_they_are_allocated(self):
        for length in (2**63, 2**64 - 1, 2**40, 10**9):
            self.expect_refusal(struct.pack("<Q", length) + b"{}", f"header of {length}")
        header = json.dumps({"x": {"dtype": "F64", "shape": [2**61, 4], "data_offsets": [0, 2**63 - 8]}}).encode()
        self.expect_refusal(struct.pack("<Q", len(header)) + header, "a tensor of 2^63 values")

    def test_changed_bytes_never_crash(self):
        whole = bytearray((self.folder / self.fitted()).read_bytes())
        draw = random.Random(2)
        for _ in range(12):
            broken = bytearray(whole)
            for _ in range(draw.randint(1, 4)):
                broken[draw.randrange(len(broken))] = draw.randrange(256)
            (self.folder / "bad.medley").write_bytes(broken)
            done = self.medley_any("inspect", "bad.medley")
            self.assertIn(done.returncode, (0, 2), done.stderr)

    def test_a_data_file_is_no_model(self):
        self.survey()
        self.refused("inspect", "survey.csv", says=["survey.csv"])
        self.refused("fit", "survey.csv", "--k", "2", "--init", "survey.csv", "-o", "m", says=["survey.csv"])


if __name__ == "__main__":
    main()
