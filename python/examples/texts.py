# SPDX-License-Identifier: Apache-2.0
"""Texts: topics of a list of documents, scored on documents held out.

    pip install medley-models[polars]
    python texts.py                    # sentences made up below
    python texts.py news.parquet body  # a column of your own
"""
import random
import sys

import polars as pl

import medley

SUBJECTS = {
    "sea": "ship sail wave harbour captain anchor tide storm island fish net whale",
    "farm": "field plough harvest barn corn cow tractor seed soil orchard hay wheat",
    "court": "judge law trial jury witness verdict appeal crime evidence lawyer sentence guilty",
}


def made_up(count: int) -> pl.DataFrame:
    """Documents of one or two subjects each."""
    rng = random.Random(5)
    rows = []
    for number in range(count):
        chosen = rng.sample(sorted(SUBJECTS), k=1 + number % 2)
        words = [rng.choice(SUBJECTS[rng.choice(chosen)].split()) for _ in range(30)]
        rows.append({"id": f"doc{number}", "body": "The " + " ".join(words) + ".", "subjects": " ".join(chosen)})
    return pl.DataFrame(rows)


def main(docs: pl.DataFrame, body: str) -> None:
    train, heldout = docs[: len(docs) * 4 // 5], docs[len(docs) * 4 // 5 :]

    topics = medley.fit(train[body], k=3, stop_words="english")
    print(topics.topics(top=6))

    theta = topics.transform(heldout[body])  # polars in, polars out
    print(theta.with_columns(heldout.select("subjects") if "subjects" in docs.columns else []))

    scores = topics.evaluate(heldout[body], estimator="completion")
    print(f"{scores.above_baseline:.3f} nats per word above the frequencies of the words alone")
    print(topics.similar(train[body], rows=[17], top=3))

    medley.stream(train[body], "texts.stream")  # rows on disk, for corpora larger than memory
    big = medley.fit(medley.stream("texts.stream"), k=3, batch=50)
    print(medley.compare(topics, big))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(pl.read_parquet(sys.argv[1]), sys.argv[2])
    else:
        main(made_up(300), "body")
