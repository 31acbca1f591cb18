# SPDX-License-Identifier: Apache-2.0
"""Runs the program medley in a temporary folder, for the tests beside this file.

The path of the program comes in the environment variable MEDLEY.
"""
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

MEDLEY = os.environ.get("MEDLEY", "medley")


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own and the program at hand."""

    done_before = {}  # of once: words and files before -> result and files written

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="medley-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def medley(self, *words, expect=0, **more):
        """Runs the program; the result has stdout and stderr as text."""
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
        done = subprocess.run([MEDLEY, *map(str, words)], cwd=self.folder, env=environment, text=True,
                              encoding="utf-8", errors="replace", timeout=300, check=False,
                              stdin=more.pop("stdin", subprocess.DEVNULL), capture_output=True, **more)
        self.assertEqual(done.returncode, expect, f"{words}\nstdout: {done.stdout[-2000:]}\nstderr: {done.stderr}")
        return done

    def once(self, *words):
        """What `medley` does, but run a single time for all tests of the process that ask for the same words upon
        the same files; the others get its result and its files. For what a test starts from, not what it states."""
        before = self.contents()
        key = tuple(map(str, words)), tuple(before.items())
        if key not in self.done_before:
            done = self.medley(*words)
            written = {name: text for name, text in self.contents().items() if before.get(name) != text}
            self.done_before[key] = done, written
        done, written = self.done_before[key]
        for name, text in written.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(text)
        return done

    def refused(self, *words, says=(), expect=2):
        """The command must fail with messages holding every part of `says`, and leave no new file."""
        before = self.files()
        done = self.medley(*words, expect=expect)
        self.assertTrue(done.stderr.startswith("medley: error: "), done.stderr)
        for part in says:
            self.assertIn(part, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.files(), before, "files were left behind")
        return done.stderr

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def contents(self):
        """Name -> bytes of every file."""
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in paths}

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def survey(self, name="survey.csv", rows=200, seed=7, missing=0.05):
        """Two planted groups answering six questions; the group is in the column `group`."""
        draw = random.Random(seed)
        lines = ["q1,q2,q3,q4,q5,mood,group"]
        for _ in range(rows):
            group = draw.randrange(2)
            yes = 0.9 if group else 0.1
            cells = ["yes" if draw.random() < yes else "no" for _ in range(5)]
            cells.append(draw.choice(["good", "good", "fair"] if group else ["bad", "bad", "fair"]))
            cells = [cell if draw.random() >= missing else "NA" for cell in cells]
            lines.append(",".join(cells + [f"g{group}"]))
        return self.write(name, "\n".join(lines) + "\n")

    def corpus(self, name="docs.ldac", documents=60, words=40, seed=3):
        """Documents about one of two halves of a vocabulary, with vocab.txt beside them."""
        draw = random.Random(seed)
        lines = []
        for _ in range(documents):
            half = draw.randrange(2) * words // 2
            ids = sorted({half + draw.randrange(words // 2) for _ in range(12)})
            lines.append(" ".join([str(len(ids))] + [f"{i}:{draw.randint(1, 3)}" for i in ids]))
        self.write("vocab.txt", "".join(f"word{i}\n" for i in range(words)))
        return self.write(name, "\n".join(lines) + "\n")

    def fitted(self, *more, data=None, k=2, model="m.medley"):
        """Fits the survey (group set aside), once, and returns the model's name."""
        self.once("fit", data or self.survey(), "--label", "group",
                  "--head", "none", "--k", k, "-o", model, "--quiet", *more)
        return model

    def topics(self, k=2, model="t.medley"):
        """Fits the corpus, once, and returns the model's name."""
        self.once("fit", self.corpus(), "--k", k, "-o", model, "--quiet")
        return model


def main():
    unittest.main(verbosity=1)
