# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import shutil
import subprocess
import warnings

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOTES = ROOT / "data" / "house-votes-1984.csv"


def program():
    """The command-line program to compare with: MEDLEY_PROGRAM, the clone's, or the one on the path."""
    for place in (os.environ.get("MEDLEY_PROGRAM"), ROOT / "build" / "release" / "medley", shutil.which("medley")):
        if place and pathlib.Path(place).exists():
            return str(place)
    return None


@pytest.fixture(scope="session")
def run():
    """Runs the program and returns what it printed."""
    where = program()
    if where is None:
        pytest.skip("there is no program medley to compare with")

    def call(*words):
        done = subprocess.run([where, *map(str, words)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="session")
def votes():
    """The bundled votes as a pandas frame of texts."""
    pd = pytest.importorskip("pandas")
    return pd.read_csv(VOTES, dtype=str, keep_default_na=False, na_values=["?", ""])


@pytest.fixture(scope="session")
def votes_model(votes):
    """Three profiles of the votes."""
    import medley

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return medley.fit(votes, k=3, ignore=["party"])


@pytest.fixture(scope="session")
def two_groups():
    """Eight yes/no questions that two groups answer in opposite ways, as a dict of columns, and the groups."""
    rng = np.random.default_rng(3)
    group = rng.integers(2, size=200)
    columns = {f"q{j}": ["yes" if rng.random() < (0.9 if g == j % 2 else 0.1) else "no" for g in group] for j in range(8)}
    return columns, group
