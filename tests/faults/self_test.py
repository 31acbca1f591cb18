#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The simulator of power loss finds what is wrong with saves that are wrong, and nothing with the right one."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import power  # noqa: E402

OLD, NEW = b"old", b"new content"
CREATE, WRITE, SYNC = b"C 5 out.tmp-abcdef\n", b"W 5 0 11\n" + NEW, b"S 5\n"
RENAME, FOLDER = b"R out.tmp-abcdef\tout\n", b"X 5\nD 6 .\nS 6\nX 6\n"


class Power(unittest.TestCase):
    def found(self, log, before=None):
        with tempfile.NamedTemporaryFile() as file:
            pathlib.Path(file.name).write_bytes(log)
            return power.check_outputs(file.name, {"out": OLD} if before is None else before, {"out": NEW})[0]

    def test_the_right_save_holds(self):
        self.assertEqual(self.found(CREATE + WRITE + SYNC + RENAME + FOLDER), [])
        self.assertEqual(self.found(CREATE + WRITE + SYNC + RENAME + FOLDER, before={}), [])

    def test_without_a_sync_of_the_file_it_may_be_empty(self):
        self.assertTrue(self.found(CREATE + WRITE + RENAME + FOLDER))

    def test_a_sync_before_the_last_write_is_too_early(self):
        self.assertTrue(self.found(CREATE + b"W 5 0 4\nnew " + SYNC + b"W 5 4 7\ncontent" + RENAME + FOLDER))

    def test_without_a_sync_of_the_folder_the_old_file_may_come_back(self):
        found = self.found(CREATE + WRITE + SYNC + RENAME)
        self.assertTrue(found)
        self.assertTrue(all("after the program ended" in sentence for sentence in found), found)

    def test_writing_in_place_is_found(self):
        self.assertTrue(self.found(b"C 5 out\n" + WRITE + SYNC + FOLDER))

    def test_a_checkpoint_that_goes_before_the_model_is_safe_is_found(self):
        checkpoint = (b"C 4 m.checkpoint.tmp-aaaaaa\nW 4 0 5\nstate" + b"S 4\nR m.checkpoint.tmp-aaaaaa\tm.checkpoint\n"
                      b"X 4\nD 6 .\nS 6\nX 6\n")
        model = CREATE.replace(b"out", b"m") + WRITE + SYNC + RENAME.replace(b"out", b"m") + FOLDER
        removed = b"U m.checkpoint\n"
        for log, holds in ((checkpoint + model + removed, True), (checkpoint + removed + model, False),
                           (checkpoint + model.replace(b"S 6\n", b"") + removed, False)):
            with tempfile.NamedTemporaryFile() as file:
                pathlib.Path(file.name).write_bytes(log)
                self.assertEqual(power.check_fit(file.name, {}, "m", NEW)[0] == [], holds, log)


if __name__ == "__main__":
    unittest.main()
