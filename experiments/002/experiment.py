# SPDX-License-Identifier: Apache-2.0
"""Paper 002, hierarchical Bayesian mixed membership: the disability survey, a simulation, and texts in place of
PNAS."""
import importlib

SLIPS = [
    "Table 3: of the printed patterns number 12 is 0000000000001000 and number 21 is 0111111111111110; as printed "
    "they would have 28 and 94 people, not 195 and 104. For K = 6 to 10 the expected counts belong to the misprinted "
    "patterns (row 12 falls from 101-386 to 24-46), which is where most of the printed residual at K = 9 comes from.",
    "Table 4: the row of absolute residuals holds sums of (O - E)^2 / E; the row of squares holds sums of (O - E)^2 "
    "in units of 10^5, and 4.4 at K = 9 should be 4.1.",
    "41 % of the sample in frequent patterns is 42.4 % (9,141 of 21,574; C002-15).",
    'The grid of the simulation is printed "5, 10, 45" (5, 10, ..., 45); the survey years '
    'hold 1984 twice and 1999 for 1994.',
    "The start with equal topics is a fixed point of the updates; some perturbation must have been used.",
]


SIZES = [
    ("folds of NLTCS", "3", "5"),
    ("starts of exact EM at every K", "1", "5"),
    ("chains of gom-bayes, sweeps after as many", "2, 60", "4, 400"),
    ("chains of gom-bayes for the profiles at K = 9", "2, 300", "2, 1000"),
    ("chains of dp-mixture on NLTCS, sweeps after 25", "4, 100", "4, 200"),
    ("folds of cora, largest K", "2, 100", "5, 300"),
    ("seeds of the simulation (mean-field)", "3 (1)", "3 (3)"),
    ("documents of the infinite mixture of cora", "200", "1,200"),
]


def run(work, paper):
    for size in SIZES:
        paper.size(*size)
    for part in ("survey", "clusters", "profiles", "simulation", "texts", "infinite"):
        paper.part(importlib.import_module(f"002.{part}").run, work, paper)
    for slip in SLIPS:
        paper.slip(slip)
