# SPDX-License-Identifier: Apache-2.0
"""A survey: who holds which opinions? The votes of the 1984 US House of Representatives.

    pip install medley-models[pandas]
    python survey.py house-votes-1984.csv
"""
import sys
from pathlib import Path

import pandas as pd

import medley


def main(path: str) -> None:
    votes = pd.read_csv(path, dtype="category", na_values="?")

    data = medley.dataset(votes, keep=["party"])  # what every column was taken for
    print(data)

    model = medley.fit(votes, k=3, ignore=["party"], restarts=3)
    print(model.profiles(top=4))

    model = model.rename({1: "Liberal", 2: "Conservative", 3: "Mixed"})
    shares = model.transform(votes, intervals=0.9)  # a DataFrame with the index of `votes`
    print(shares.head())

    print(model.groups(votes, by="party"))  # mean shares of each party, with intervals
    full = model.impute(votes)  # categories stay categories
    print(f"{votes.isna().sum().sum()} missing votes filled, {full.isna().sum().sum()} left")

    choice = medley.select(votes, k=range(2, 5), ignore=["party"], folds=3, restarts=2)
    print(choice.advice)

    if medley._core.has_report_page():
        model.report(votes, by=["party"]).save("votes.html")


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2] / "data" / "house-votes-1984.csv"
    main(sys.argv[1] if len(sys.argv) > 1 else str(here))
