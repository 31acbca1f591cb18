# SPDX-License-Identifier: Apache-2.0
"""python -m medley.selftest: whether the package works here. Needs numpy alone."""
from __future__ import annotations

import pickle
import sys
import warnings

import numpy as np

import medley


def _check(what: str, good: bool) -> None:
    print(f"{'ok' if good else 'FAILED':>6}  {what}")
    if not good:
        sys.exit(1)


def main() -> None:
    """Fits a table and some texts, and looks at what comes out."""
    warnings.simplefilter("ignore")
    print(f"medley {medley.__version__} on Python {sys.version.split()[0]}, numpy {np.__version__}")
    rng = np.random.default_rng(7)
    group = rng.integers(2, size=300)
    answers = {f"q{j}": ["yes" if rng.random() < (0.9 if g == j % 2 else 0.1) else "no" for g in group] for j in range(8)}
    model = medley.fit(answers, k=2, restarts=2)
    shares = model.shares(answers)
    _check("shares of a table add up to 1", bool(np.allclose(shares.sum(axis=1), 1)))
    same = (shares.argmax(axis=1) == group).mean()
    _check("the two groups are found", max(same, 1 - same) > 0.95)
    again = medley.fit(answers, k=2, restarts=2, threads=1)
    _check("same bits with one thread", again.to_bytes() == model.to_bytes())
    _check("a model pickles", pickle.loads(pickle.dumps(model)).to_bytes() == model.to_bytes())
    sea, land = ["ship sail wave harbour"] * 40, ["field plough harvest barn"] * 40
    topics = medley.fit(sea + land, k=2)
    top = topics.shares(sea + land).argmax(axis=1)
    _check("two topics are told apart", len(set(top[:40])) == 1 and len(set(top[40:])) == 1 and top[0] != top[40])
    try:
        medley.fit(answers, k=2, restart=2)
        _check("a misspelt option is refused", False)
    except medley.InputError as error:
        _check("a misspelt option is refused", "restarts" in str(error))
    print("All is well.")


if __name__ == "__main__":
    main()
