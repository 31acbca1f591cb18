# SPDX-License-Identifier: Apache-2.0
"""Ratings: what would this person like? A log of (user, movie, stars).

    pip install medley-models[pandas]
    python ratings.py                       # a log that is made up below
    python ratings.py ratings.csv user item stars
"""
import pickle
import sys

import numpy as np
import pandas as pd

import medley


def made_up(users: int, movies: int) -> pd.DataFrame:
    """Two tastes: one likes even movies, the other odd ones."""
    rng = np.random.default_rng(1)
    rows = []
    for user in range(users):
        for movie in range(movies):
            if rng.random() < 0.4:
                likes = (user + movie) % 2 == 0
                stars = int(np.clip(round(rng.normal(4.5 if likes else 2.0, 0.8)), 1, 5))
                rows.append({"user": f"u{user}", "movie": f"movie {movie}", "stars": stars})
    return pd.DataFrame(rows)


def main(log: pd.DataFrame, user: str, movie: str, stars: str) -> None:
    ratings = medley.triplets(log, row=user, item=movie, value=stars)
    taste = medley.fit(ratings, k=2, columns={"value": "categorical"}, restarts=2)
    print(taste)

    someone = str(log[user].iloc[0])
    print(taste.recommend(ratings, rows=[someone], top=5))
    print(taste.evaluate(ratings, holdout_cells=0.1))

    again = pickle.loads(pickle.dumps(taste))  # the bytes of the model file; nothing is run
    assert (again.shares(ratings) == taste.shares(ratings)).all()


if __name__ == "__main__":
    if len(sys.argv) > 4:
        main(pd.read_csv(sys.argv[1]), *sys.argv[2:5])
    else:
        main(made_up(80, 30), "user", "movie", "stars")
