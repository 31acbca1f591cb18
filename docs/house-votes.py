#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/house-votes.svg, the picture of the README, from a real fit. To make it again:

    docs/house-votes.py build/release/medley > docs/house-votes.svg

Left: each profile's probability of a yes on the 16 votes. Right: the shares of the 435 members.
"""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).parent.parent / "data" / "house-votes-1984.csv"
COLOURS = ["#0072b2", "#d55e00", "#e8c353"]  # told apart by colour-blind readers, too
STACK = [0, 2, 1]  # from the bottom: the two that oppose each other are at the ends
INK, FAINT, PAPER, LINE = "#24292f", "#6a737d", "#fdfcf9", "#dcd9d0"
WIDTH, TOP, ROW, CELL = 840, 104, 21, 44
LABELS_END, MAP_LEFT, BARS_LEFT = 186, 194, 366
HEIGHT_OF_BARS = 16 * ROW
TITLES = {"export_administration_act_south_africa": "South Africa export act", "mx_missile": "MX missile",
          "adoption_of_the_budget_resolution": "budget resolution", "el_salvador_aid": "El Salvador aid",
          "aid_to_nicaraguan_contras": "aid to Nicaraguan contras", "duty_free_exports": "duty-free exports",
          "synfuels_corporation_cutback": "synfuels cutback", "anti_satellite_test_ban": "anti-satellite test ban",
          "water_project_cost_sharing": "water project cost sharing"}


def run(program, *arguments):
    done = subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return list(csv.DictReader(io.StringIO(done.stdout.decode())))


def fitted(program):
    """({vote: [probability of yes per profile]}, [(party, shares) per member])."""
    with tempfile.TemporaryDirectory() as folder:
        model = str(pathlib.Path(folder) / "votes.medley")
        subprocess.run([program, "fit", DATA, "--ignore", "party", "--k", "3", "--quiet", "-o", model], check=True,
                       stdout=subprocess.DEVNULL)
        yes = {}
        for line in run(program, "inspect", model, "--format", "csv"):
            if line["level"] == "y":
                yes.setdefault(line["feature"], []).append(float(line["probability"]))
        members = [(line["party"], [float(line[f"component_{k}"]) for k in (1, 2, 3)])
                   for line in run(program, "transform", model, str(DATA), "--append")]
    return yes, members


def text(x, y, words, size=12, fill=INK, anchor="start", weight=400):
    return (f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{words}</text>')


def blend(colour, share):
    """From paper (0) to the colour (1)."""
    mixed = [round(int(PAPER[i:i + 2], 16) * (1 - share) + int(colour[i:i + 2], 16) * share) for i in (1, 3, 5)]
    return "#%02x%02x%02x" % tuple(mixed)


def readable_on(colour):
    red, green, blue = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else "#ffffff"


def heat_map(yes):
    out = []
    order = sorted(yes, key=lambda vote: yes[vote][1] - yes[vote][0])
    for row, vote in enumerate(order):
        y = TOP + row * ROW
        out.append(text(LABELS_END, y + 15, TITLES.get(vote, vote.replace("_", " ")), anchor="end"))
        for k, p in enumerate(yes[vote]):
            colour = blend(COLOURS[k], 0.04 + 0.96 * p)
            out.append(f'<rect x="{MAP_LEFT + k * CELL}" y="{y}" width="{CELL - 2}" height="{ROW - 2}" rx="2" '
                       f'fill="{colour}"/>')
            out.append(text(MAP_LEFT + k * CELL + (CELL - 2) / 2, y + 14, f"{100 * p:.0f}", 11, readable_on(colour),
                            "middle"))
    return out


def head(members):
    out = [text(24, 34, "The 1984 US House in three voting profiles", 18, weight=600),
           text(MAP_LEFT + 1.5 * CELL, 62, "chance of a yes, %", 12, FAINT, "middle"),
           text(BARS_LEFT, 62, "435 members, a thin bar each: shares of the profiles", 12, FAINT)]
    for k, colour in enumerate(COLOURS):
        middle = MAP_LEFT + k * CELL + (CELL - 2) / 2
        size = sum(shares[k] for _, shares in members) / len(members)
        out.append(f'<circle cx="{middle}" cy="84" r="11" fill="{colour}"/>')
        out.append(text(middle, 88.5, k + 1, 13, readable_on(colour), "middle", 600))
        out.append(text(middle, TOP + HEIGHT_OF_BARS + 20, f"{100 * size:.0f} %", 12, INK, "middle", 600))
    out.append(text(LABELS_END, TOP + HEIGHT_OF_BARS + 20, "size of the profile", 12, FAINT, "end"))
    return out


def bars(group, left):
    """The members of a party side by side, one unit wide each: an area with steps per profile."""
    floor = [0.0] * len(group)
    out = []
    for k in STACK:
        ceiling = [low + shares[k] for low, shares in zip(floor, group)]
        level = lambda share: round(TOP + HEIGHT_OF_BARS * (1 - share), 1)
        there = "".join(f"V{level(c)}H{left + i + 1}" for i, c in enumerate(ceiling))
        back = "".join(f"V{level(f)}H{left + i}" for i, f in reversed(list(enumerate(floor))))
        out.append(f'<path fill="{COLOURS[k]}" d="M{left} {level(floor[0])}{there}{back}Z"/>')
        floor = ceiling
    return out


def place(shares):
    """Members by their largest share, those who lean towards the neighbouring profile next to it."""
    largest = shares.index(max(shares))
    return STACK.index(largest), shares[1] - shares[0]


def shares(members):
    out, left = [], BARS_LEFT
    for party, title in (("democrat", "Democrats"), ("republican", "Republicans")):
        group = sorted((s for p, s in members if p == party), key=place)
        out += bars(group, left)
        out.append(text(left + len(group) / 2, TOP + HEIGHT_OF_BARS + 20, f"{len(group)} {title}", 12, INK, "middle",
                        600))
        left += len(group) + 12
    return out


def main():
    yes, members = fitted(sys.argv[1])
    height = TOP + HEIGHT_OF_BARS + 42
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
          'font-family="-apple-system, \'Segoe UI\', \'Helvetica Neue\', Helvetica, Arial, sans-serif" role="img">')
    print("<title>Three voting profiles of the 1984 US House, and how its members divide among them</title>")
    # A card of its own, so that it looks the same on a light and on a dark page.
    print(f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="10" fill="{PAPER}" stroke="{LINE}"/>')
    for line in head(members) + heat_map(yes) + shares(members):
        print(line)
    print("</svg>")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: docs/house-votes.py MEDLEY > docs/house-votes.svg")
    main()
