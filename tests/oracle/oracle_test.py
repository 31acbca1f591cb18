# SPDX-License-Identifier: Apache-2.0
"""The oracle against printed results, against integrals done by brute force, and compare.py itself."""
import itertools
import json
import math
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

import bounds
from compare import difference
from oracle import scores
from parameters import Parameters
from rows import read
from special import digamma, log_beta

HERE = pathlib.Path(__file__).parent
VECTORS = HERE / "vectors"
EXPECTED = json.loads((VECTORS / "expected.json").read_text())


def parameters_of(name):
    return Parameters((VECTORS / f"{name}.json").read_text())


def rows_of(name):
    return read(parameters_of(name), VECTORS / f"{name}.csv")


def one_column(column, text):
    """Log-likelihoods of one cell under each component."""
    parameters = Parameters(json.dumps({"alpha": [1.0] * 2, "columns": [column]}))
    return parameters.log_row(parameters.cell(0, text))


class Vectors(unittest.TestCase):
    def test_bounds_and_likelihoods_are_the_printed_ones(self):
        for name in ("mixed", "lda", "textrefs"):
            for variant in ("std", "fast", "single", "exact"):
                if variant not in EXPECTED[name]:
                    continue
                found = scores(parameters_of(name), rows_of(name), variant)
                self.assertEqual(len(found), len(EXPECTED[name][variant]))
                for (_, _, value), printed in zip(found, EXPECTED[name][variant]):
                    self.assertLess(difference(printed, value), 1e-9, (name, variant))

    def test_memberships_and_xi_of_the_first_mixed_row_are_the_printed_ones(self):
        parameters = parameters_of("mixed")
        _, observations, y = rows_of("mixed")[0]
        log_rows = [parameters.log_row(key) for key, _ in observations]
        _, gamma, xi = bounds.standard(log_rows, [1] * 4, parameters, y)
        for found, printed in zip(gamma, EXPECTED["mixed"]["first_row"]["gamma"]):
            self.assertAlmostEqual(found, printed, delta=1e-9)
        self.assertAlmostEqual(xi, EXPECTED["mixed"]["first_row"]["xi"], delta=1e-9)

    def test_expected_pattern_counts_are_the_printed_ones(self):
        rows = rows_of("gom")
        likelihood = {}
        for (_, observations, _), (_, _, value) in zip(rows, scores(parameters_of("gom"), rows,
                                                                    "exact")):
            likelihood["".join(str(key[2]) for key, _ in observations)] = math.exp(value)
        residuals = 0.0
        for pattern, (count, printed) in EXPECTED["gom"]["patterns"].items():
            expected = len(rows) * likelihood[pattern]
            self.assertAlmostEqual(expected, printed, delta=6e-6 * max(1, printed))
            residuals += abs(count - expected) / math.sqrt(expected)
        self.assertAlmostEqual(residuals, EXPECTED["gom"]["sum_absolute_residuals"], delta=1e-5)


class Mathematics(unittest.TestCase):
    def test_all_patterns_of_yes_no_items_have_total_probability_one(self):
        parameters = parameters_of("gom")
        total = 0.0
        for cells in itertools.product((0, 1), repeat=3):
            log_rows = [parameters.log_row(("c", j, x)) for j, x in enumerate(cells)]
            total += math.exp(bounds.exact(log_rows, [1, 1, 1], parameters)[0])
        self.assertAlmostEqual(total, 1.0, delta=1e-12)

    def test_the_recursion_equals_the_sum_over_all_assignments(self):
        parameters = parameters_of("lda")
        words = [0, 0, 2, 3, 1]
        total = 0.0
        for z in itertools.product(range(3), repeat=len(words)):
            term = math.exp(log_beta([0.4 + z.count(k) for k in range(3)]) - log_beta([0.4] * 3))
            for word, k in zip(words, z):
                term *= parameters.bags[0]["p"][k][word]
            total += term
        log_rows = [parameters.log_row(("w", 0, v)) for v in (0, 2, 3, 1)]
        self.assertAlmostEqual(bounds.exact(log_rows, [2, 1, 1, 1], parameters)[0],
                               math.log(total), delta=1e-12)

    def test_fast_is_below_standard_and_standard_below_exact(self):
        for name in ("lda", "textrefs"):
            values = [[value for _, _, value in scores(parameters_of(name), rows_of(name), variant)]
                      for variant in ("fast", "std", "exact")]
            for low, middle, high in zip(*values):
                self.assertLessEqual(low, middle + 1e-12)
                self.assertLessEqual(middle, high + 1e-12)

    def test_the_log_sum_exp_head_is_above_the_papers_and_below_exact(self):
        values = []
        for kind in ("paper", "lse"):
            parameters = parameters_of("mixed")
            parameters.label["bound"] = kind
            values.append([v for _, _, v in scores(parameters, rows_of("mixed"), "std")])
        values.append(EXPECTED["mixed"]["exact"])
        for paper, better, exact in zip(*values):
            self.assertLessEqual(paper, better + 1e-12)
            self.assertLessEqual(better, exact + 1e-9)

    def test_digamma_meets_its_recurrence_and_known_values(self):
        euler = 0.57721566490153286061
        self.assertAlmostEqual(digamma(1.0), -euler, delta=1e-14)
        self.assertAlmostEqual(digamma(0.5), -euler - 2 * math.log(2), delta=1e-14)
        for x in (1e-3, 0.3, 4.0, 9.99, 25.0):
            self.assertAlmostEqual(digamma(x + 1) - digamma(x), 1 / x, delta=1e-13 / x)

    def test_underflow_is_met_in_log_space(self):
        parameters = Parameters('{"alpha": [0.001, 0.001], "columns": []}')
        value, gamma, _ = bounds.standard([[0.0, -2000.0], [-2000.0, 0.0]], [1, 1], parameters)
        # Each observation is certain of its component: log of B(alpha + 1) / B(alpha).
        self.assertAlmostEqual(value, log_beta([1.001] * 2) - log_beta([0.001] * 2), delta=1e-9)
        self.assertAlmostEqual(gamma[0], 1.001, delta=1e-9)


class Families(unittest.TestCase):
    def check_total(self, column, support):
        for k in range(2):
            total = sum(math.exp(one_column(column, str(x))[k]) for x in support)
            self.assertAlmostEqual(total, 1.0, delta=1e-9)

    def check_integral(self, column, low, high, steps=200000):
        width = (high - low) / steps
        parameters = Parameters(json.dumps({"alpha": [1.0] * 2, "columns": [column]}))
        for k in range(2):
            total = sum(math.exp(parameters.compute(("c", 0, low + (i + 0.5) * width))[k])
                        for i in range(steps))
            self.assertAlmostEqual(total * width, 1.0, delta=1e-6)

    def test_discrete_families_sum_to_one(self):
        self.check_total({"name": "n", "family": "poisson", "rate": [0.5, 4], "shift": 1},
                         range(1, 60))
        self.check_total({"name": "g", "family": "geometric", "p": [0.3, 0.8]}, range(200))
        self.check_total({"name": "b", "family": "bernoulli", "p": [0.3, 0.8]}, (0, 1))
        self.check_total({"name": "c", "family": "categorical", "p": [[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]]},
                         range(3))

    def test_continuous_families_integrate_to_one(self):
        self.check_integral({"name": "h", "family": "gaussian", "mu": [0, 2], "var": [1, 3]}, -20, 25)
        self.check_integral({"name": "l", "family": "lognormal", "mu": [0, 0.5], "var": [0.2, 0.3]},
                            0, 60)
        self.check_integral({"name": "e", "family": "exponential", "rate": [1, 3]}, 0, 40)
        self.check_integral({"name": "s", "family": "gamma", "shape": [2, 5], "rate": [1, 2]}, 0, 60)

    def test_an_unknown_level_says_nothing(self):
        parameters = Parameters(json.dumps({"alpha": [1.0], "columns": [
            {"name": "c", "family": "categorical", "levels": ["a", "b"], "p": [[0.5, 0.5]]},
            {"name": "b", "family": "bernoulli", "levels": ["no", "yes"], "p": [0.5]}]}))
        self.assertIsNone(parameters.cell(0, "z"))
        self.assertEqual(parameters.cell(1, "yes"), ("c", 1, 1))
        self.assertIsNone(parameters.cell(1, "maybe"))


class Readers(unittest.TestCase):
    def rows(self, text, form, parameters):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "data"
            path.write_text(text)
            return read(parameters, path, form)

    def test_ldac_equals_the_table_of_the_same_counts(self):
        text = "2 0:3 2:1\n3 1:2 2:2 3:5\n4 0:1 1:1 2:1 3:1\n0\n"
        self.assertEqual(self.rows(text, "ldac", parameters_of("lda")), rows_of("lda"))

    def test_triplets_make_rows_by_first_appearance(self):
        text = "user,item,value\nb,q2,1\na,q1,0\nb,q1,1\nb,unknown,1\nc,unknown,1\n"
        self.assertEqual(self.rows(text, "triplets", parameters_of("gom")), [
            ("b", ((("c", 0, 1), 1), (("c", 1, 1), 1)), None),
            ("a", ((("c", 0, 0), 1),), None),
            ("c", (), None)])


class Compare(unittest.TestCase):
    """compare.py on a stand-in for the program that prints the printed results."""

    def run_compare(self, values):
        lines = ["id,observations,log_likelihood,estimator,entropy,top_component,top_share"]
        lines += [f"{i},{m},{v},bound,0,1,1" for i, (m, v) in enumerate(zip((4, 9, 4, 0), values), 1)]
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "medley"
            program.write_text("#!" + sys.executable + "\nimport sys\nprint(" + repr(
                (VECTORS / "lda.json").read_text()) + " if sys.argv[1] == 'export' else " + repr(
                    "\n".join(lines)) + ")\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            return subprocess.run([sys.executable, HERE / "compare.py", program, "model",
                                   VECTORS / "lda.csv"], stdout=subprocess.PIPE,
                                  encoding="utf-8", check=False)

    def test_agreement_is_exit_code_0(self):
        done = self.run_compare(EXPECTED["lda"]["std"])
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_one_row_off_is_exit_code_1_and_named(self):
        values = list(EXPECTED["lda"]["std"])
        values[1] += 0.001
        done = self.run_compare(values)
        self.assertEqual(done.returncode, 1)
        self.assertIn("worst row 2", done.stdout)

    def test_not_a_number_never_agrees(self):
        self.assertEqual(self.run_compare(["nan", -12.23688335, -7.39787176, 0]).returncode, 1)

    def test_a_row_too_few_is_exit_code_1(self):
        self.assertEqual(self.run_compare(EXPECTED["lda"]["std"][:3]).returncode, 1)


if __name__ == "__main__":
    unittest.main()
