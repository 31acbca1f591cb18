# SPDX-License-Identifier: Apache-2.0
"""The program against the oracle on a table with a column of every family, cells missing.

The path of the program comes in the environment variable MEDLEY.
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
MEDLEY = os.environ.get("MEDLEY", "medley")

# Column -> its family; the two groups of rows differ in every one.
COLUMNS = {
    "height": ("gaussian", lambda draw, g: draw.gauss(160 + 15 * g, 6)),
    "seconds": ("gaussian", lambda draw, g: 1.7e9 + draw.gauss(40 * g, 10)),
    "income": ("lognormal", lambda draw, g: math.exp(draw.gauss(7 + g, 0.8))),
    "rain": ("gamma", lambda draw, g: draw.gammavariate(2 + 3 * g, 1.5) + 1e-6),
    "wait": ("exponential", lambda draw, g: draw.expovariate(0.2 + g)),
    "visits": ("poisson", lambda draw, g: 1 + count(draw, 2 + 5 * g)),
    "calls": ("poisson", lambda draw, g: count(draw, 9 - 6 * g)),
    "repairs": ("geometric", lambda draw, g: int(math.log(1 - draw.random()) / math.log(0.6 + 0.3 * g))),
    "member": ("bernoulli", lambda draw, g: "yes" if draw.random() < 0.2 + 0.6 * g else "no"),
    "colour": ("categorical", lambda draw, g: draw.choice(["red", "red", "blue"] if g else ["blue", "green"])),
}


def count(draw, rate):
    """Poisson by waiting times."""
    total, n = draw.expovariate(1), 0
    while total < rate:
        total += draw.expovariate(1)
        n += 1
    return n


def table(rows, seed=3, missing=0.1):
    draw = random.Random(seed)
    lines = [",".join(COLUMNS)]
    for row in range(rows):
        group = draw.randrange(2)
        cells = [value(draw, group) for _, value in COLUMNS.values()]
        lines.append(",".join("" if draw.random() < missing or row == 7 else
                              (f"{c:.10g}" if isinstance(c, float) else str(c)) for c in cells))
    return "\n".join(lines) + "\n"


class EveryFamily(unittest.TestCase):
    fitted = {}  # options -> bytes of the model: fitted once for all tests

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="medley-oracle-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def medley(self, *words):
        done = subprocess.run([MEDLEY, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def compare(self, data, variant, form="csv"):
        done = subprocess.run([sys.executable, "-B", HERE / "compare.py", MEDLEY, "model", data, "--variant",
                               variant, "--format", form, "--limit", "1e-8"],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def fit_table(self, *options):
        (self.folder / "data.csv").write_text(table(100))
        if options not in self.fitted:
            self.fitted[options] = self.new_fit(*options)
        (self.folder / "model").write_bytes(self.fitted[options])

    def new_fit(self, *options):
        families = [f"--column={name}={family}" for name, (family, _) in COLUMNS.items()]
        schema = self.medley("schema", "data.csv", *families)
        at = schema.index('"visits"')
        shifted = schema[:at] + schema[at:].replace('family = "poisson"\n', 'family = "poisson"\nshift = 1\n', 1)
        self.assertNotEqual(shifted, schema)
        (self.folder / "schema.toml").write_text(shifted)
        self.medley("fit", "data.csv", "--schema", "schema.toml", "--k", "3", "--init", "random", "--max-iterations",
                    "30", "-o", "model", "--quiet", *options)
        return (self.folder / "model").read_bytes()

    def test_every_row_agrees_under_every_inference(self):
        for variant, options in (("std", []), ("fast", ["--inference", "fast"]),
                                 ("single", ["--membership", "single"])):
            with self.subTest(variant):
                self.fit_table(*options)
                self.compare("data.csv", variant)

    def test_the_export_has_the_keys_of_every_family(self):
        self.fit_table()
        keys = {"gaussian": {"mu", "var"}, "lognormal": {"mu", "var"}, "gamma": {"shape", "rate"},
                "exponential": {"rate"}, "geometric": {"p"}, "poisson": {"rate", "shift"}, "bernoulli": {"levels", "p"},
                "categorical": {"levels", "p"}}
        columns = json.loads(self.medley("export", "model"))["columns"]
        self.assertEqual({c["name"]: c["family"] for c in columns},
                         {name: family for name, (family, _) in COLUMNS.items()})
        for column in columns:
            self.assertEqual(set(column) - {"name", "family"}, keys[column["family"]])
        shift = {c["name"]: c["shift"] for c in columns if "shift" in c}
        self.assertEqual(shift, {"visits": 1, "calls": 0})

    def test_triplets_of_numbers(self):
        draw = random.Random(5)
        lines = ["user,item,value"]
        for user in range(60):
            group = draw.randrange(2)
            for item in range(12):
                if draw.random() < 0.4:
                    lines.append(f"u{user},i{item},{draw.gauss(3 * group * (item % 3 - 1), 2):.4f}")
        (self.folder / "ratings.csv").write_text("\n".join(lines) + "\n")
        self.medley("fit", "ratings.csv", "--format", "triplets", "--column", "value=gaussian", "--k", "2",
                    "-o", "model", "--quiet")
        self.compare("ratings.csv", "std", "triplets")


if __name__ == "__main__":
    unittest.main()
