# SPDX-License-Identifier: Apache-2.0
"""The files that guard.py fits: one per way in which rows are written, from a fixed seed, and the bundled votes.

Rows come from two planted groups; `group` says which, `weight` is a whole number, a tenth of the cells is missing.
"""
import csv
import json
import math
import pathlib
import random
import shutil

ROWS = 60
VOTES = pathlib.Path(__file__).parents[2] / "data" / "house-votes-1984.csv"
WORDS = [["goal", "match", "team", "player", "league", "coach"], ["vote", "party", "law", "senate", "budget", "tax"]]
TAGS = [["Pele 1970", "Cruyff 1974", "Zidane 1998"], ["Mill 1859", "Locke 1689", "Kant 1781"]]


def levels(draw, g):
    yes = 0.85 if g else 0.2
    cells = {f"q{j}": "yes" if draw.random() < yes else "no" for j in range(5)}
    cells["mood"] = draw.choice(["good", "good", "fair"] if g else ["bad", "bad", "fair"])
    return cells


def numbers(draw, g):
    return {"height": f"{draw.gauss(160 + 15 * g, 6):.1f}",
            "income": f"{math.exp(draw.gauss(7 + g, 0.8)):.2f}",
            "wait": f"{draw.expovariate(0.2 + g):.3f}",
            "visits": str(sum(draw.random() < (0.5 if g else 0.1) for _ in range(12))),
            "repairs": str(int(math.log(1 - draw.random()) / math.log(0.5 + 0.4 * g)))}


def write_table(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(rows[0])
        writer.writerows(row.values() for row in rows)


def table(draw, cells_of, rows=ROWS, missing=0.1):
    found = []
    for i in range(rows):
        g = draw.randrange(2)
        cells = {name: "" if draw.random() < missing else cell for name, cell in cells_of(draw, g).items()}
        found.append({"id": f"r{i}", **cells, "weight": 1 + i % 3, "group": f"g{g}"})
    return found


def rain(draw, g):
    return {**numbers(draw, g), "rain": f"{draw.gammavariate(2 + 3 * g, 1.5) + 1e-3:.4f}"}


def everything(draw, g):
    return {**levels(draw, g), **numbers(draw, g),
            "says": " ".join(draw.choice(WORDS[g if draw.random() < 0.9 else 1 - g]) for _ in range(8)),
            "cites": ";".join(draw.choice(TAGS[g]) for _ in range(draw.randint(1, 3))),
            "media": ";".join(m for m in ("TV", "Web", "Paper") if draw.random() < (0.7 if g else 0.4))}


def write_words(path, draw, vocabulary, length):
    """Documents about one half of the vocabulary, in the format of LDA-C."""
    lines = []
    for i in range(ROWS):
        half = i % 2 * vocabulary // 2
        ids = sorted({half + draw.randrange(vocabulary // 2) for _ in range(length)})
        lines.append(" ".join([str(len(ids))] + [f"{w}:{draw.randint(1, 3)}" for w in ids]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    names = path.with_name(path.stem + "_vocab.txt")
    names.write_text("".join(f"word{w}\n" for w in range(vocabulary)), encoding="utf-8")


def ratings(draw):
    lines = ["user,item,value"]
    for user in range(ROWS):
        for item in draw.sample(range(15), 8):
            value = draw.choice([4, 5] if (user + item) % 2 else [1, 2])
            lines.append(f"u{user},i{item},{value}")
    return "\n".join(lines) + "\n"


def make(folder):
    """Writes all files into `folder`."""
    draw = random.Random(20)
    write_table(folder / "levels.csv", table(draw, levels))
    write_table(folder / "numbers.csv", table(draw, rain))
    mixed = table(draw, everything)
    write_table(folder / "mixed.csv", mixed)
    (folder / "mixed.jsonl").write_text("".join(json.dumps(row) + "\n" for row in mixed), encoding="utf-8")
    write_table(folder / "long.csv", table(draw, levels, rows=4000, missing=0.3))
    write_words(folder / "docs.ldac", draw, 40, 12)
    write_words(folder / "refs.ldac", draw, 20, 4)
    write_table(folder / "groups.csv", [{"group": f"g{i % 2}"} for i in range(ROWS)])
    (folder / "ratings.csv").write_text(ratings(draw), encoding="utf-8")
    notes = [" ".join(draw.choice(WORDS[i % 2]) for _ in range(9)) for i in range(ROWS)]
    (folder / "notes.txt").write_text("\n".join(notes) + "\n", encoding="utf-8")
    shutil.copy(VOTES, folder / "votes.csv")
