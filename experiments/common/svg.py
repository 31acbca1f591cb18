# SPDX-License-Identifier: Apache-2.0
"""Small figures as SVG, drawn from the numbers in a results file and nothing else.

A figure has panels side by side (two by two, or at most three in a line). Kinds:
  lines  each panel {"title", "x", "series": {name: ys}, "xlabel", "ylabel"}; a missing point is null
  bars   the same, with a bar for every x (a histogram)
  heat   each panel {"title", "x", "y", "z": rows of numbers}: a value per cell, dark is large
"""
import math
from html import escape

COLOURS = ["#1f5fa8", "#c8501e", "#2f8f5b", "#8a4fa3", "#b8860b", "#5a5a5a", "#d0409a", "#3aa6b9", "#7a7a1a"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 330, 250, 58, 12, 34, 46
PER_LINE = 3


def number(value, step):
    """A tick label, with the decimals that tell it from its neighbours."""
    if abs(value) >= 10000:
        return f"{value / 1000:g}k"
    if 0 < step < 0.0005 and abs(value) < 0.01:
        return f"{round(value / 1e-4, 4):g}e-4" if abs(value) > step / 2 else "0"
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step else 4
    return f"{value:.{min(decimals, 7)}f}"


def numbers(values):
    step = values[1] - values[0] if len(values) > 1 else 0
    return [(value, number(value, step)) for value in values]


def cell(value, wide):
    """A figure that fits a cell of a heat map: .18 where 0.176 would not."""
    return f"{value:.3g}" if wide >= 40 else f"{value:.2f}".replace("0.", ".") if abs(value) < 1 else f"{value:.2g}"


def text(x, y, what, anchor="middle", size=11, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{more}>{escape(str(what))}</text>'


def ticks(low, high, most=5):
    """Round numbers that span [low, high]."""
    if high <= low:
        return [low]
    step = 10.0 ** len(str(int((high - low) / most))) if high - low >= most else 1.0
    while (high - low) / step < most - 1:
        for part in (0.5, 0.4, 0.5):
            step *= part
            if (high - low) / step >= most - 1:
                break
    first = -(-low // step) * step
    return [first + i * step for i in range(int((high - first) / step + 1e-9) + 1)][:9]


class Axes:
    """The frame of a panel, and where a point lies in it."""

    def __init__(self, panel, xs, ys, left, top):
        self.left, self.top = left + LEFT, top + TOP
        self.wide, self.high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        self.x0, self.x1 = min(xs), max(xs)
        low, high = min(ys), max(ys)
        pad = (high - low) * 0.06 or abs(high) * 0.05 or 1.0
        self.y0, self.y1 = low - pad, high + pad
        self.panel = panel

    def x(self, value):
        return self.left + (value - self.x0) / ((self.x1 - self.x0) or 1) * self.wide

    def y(self, value):
        return self.top + self.high - (value - self.y0) / (self.y1 - self.y0) * self.high

    def frame(self):
        out = [f'<rect x="{self.left}" y="{self.top}" width="{self.wide}" height="{self.high}" fill="none" '
               'stroke="#999"/>', text(self.left + self.wide / 2, self.top - 18, self.panel["title"], size=12)]
        for value, label in numbers(ticks(self.y0, self.y1)):
            out += [f'<line x1="{self.left}" x2="{self.left + self.wide}" y1="{self.y(value):.1f}" '
                    f'y2="{self.y(value):.1f}" stroke="#e4e4e4"/>',
                    text(self.left - 4, self.y(value) + 4, label, "end", 10)]
        for value, label in numbers(ticks(self.x0, self.x1)):
            out.append(text(self.x(value), self.top + self.high + 14, label, size=10))
        out.append(text(self.left + self.wide / 2, self.top + self.high + 28, self.panel.get("xlabel", "")))
        x, y = self.left - 46, self.top + self.high / 2
        turn = f' transform="rotate(-90 {x} {y})"'
        return [*out, text(x, y, self.panel.get("ylabel", ""), more=turn)]

    def legend(self):
        """Names in one line below the panel."""
        out, x = [], self.left - 40
        for i, name in enumerate(self.panel["series"]):
            colour = COLOURS[i % len(COLOURS)]
            out += [f'<rect x="{x}" y="{self.top + self.high + 33}" width="9" height="9" fill="{colour}"/>',
                    text(x + 12, self.top + self.high + 42, name, "start", 10)]
            x += 24 + 6.2 * len(name)
        return out


def lines_panel(panel, left, top):
    known = [y for ys in panel["series"].values() for y in ys if y is not None]
    axes = Axes(panel, panel["x"], known, left, top)
    out = axes.frame()
    for i, ys in enumerate(panel["series"].values()):
        points = [(axes.x(x), axes.y(y)) for x, y in zip(panel["x"], ys) if y is not None]
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        if len(points) <= 40:
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}"/>' for x, y in points]
    return out + axes.legend()


def bars_panel(panel, left, top):
    known = [0.0] + [y for ys in panel["series"].values() for y in ys if y is not None]
    gap = (panel["x"][-1] - panel["x"][0]) / max(1, len(panel["x"]) - 1) or 1.0
    axes = Axes(panel, [panel["x"][0] - gap / 2, panel["x"][-1] + gap / 2], known, left, top)
    axes.y0 = min(0.0, axes.y0) if min(known) < 0 else 0.0
    out, count = axes.frame(), len(panel["series"])
    wide = axes.wide / len(panel["x"]) * 0.8 / count
    for i, ys in enumerate(panel["series"].values()):
        for x, y in zip(panel["x"], ys):
            if y is None:
                continue
            a, b = sorted((axes.y(y), axes.y(0.0)))
            out.append(f'<rect x="{axes.x(x) + (i - count / 2) * wide:.1f}" y="{a:.1f}" width="{wide:.1f}" '
                       f'height="{b - a:.1f}" fill="{COLOURS[i % len(COLOURS)]}"/>')
    return out + axes.legend()


def heat_panel(panel, left, top):
    rows = panel["z"]
    known = [z for row in rows for z in row if z is not None]
    low, high = min(known), max(known)
    across, down = (WIDTH - LEFT - RIGHT) / len(panel["x"]), (HEIGHT - TOP - BOTTOM) / len(panel["y"])
    figures = across >= 26 and down >= 12
    out = [text(left + LEFT + (WIDTH - LEFT - RIGHT) / 2, top + 16, panel["title"], size=12)]
    for i, row in enumerate(rows):
        y = top + TOP + i * down
        if down >= 7:
            out.append(text(left + LEFT - 4, y + down / 2 + 4, panel["y"][i], "end", min(10, int(down) + 1)))
        for j, z in enumerate(row):
            if z is None:
                continue
            share = (z - low) / ((high - low) or 1)
            shade = f"rgb({int(245 - 200 * share)},{int(248 - 150 * share)},{int(252 - 80 * share)})"
            x = left + LEFT + j * across
            out.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{across:.1f}" height="{down:.1f}" fill="{shade}"/>')
            if figures:
                ink = ' fill="#fff"' if share > 0.6 else ""
                out.append(text(x + across / 2, y + down / 2 + 3, cell(z, across), size=9, more=ink))
    if across >= 12:
        out += [text(left + LEFT + (j + 0.5) * across, top + HEIGHT - BOTTOM + 13, x, size=10)
                for j, x in enumerate(panel["x"])]
    out.append(text(left + LEFT + (WIDTH - LEFT - RIGHT) / 2, top + HEIGHT - BOTTOM + 28, panel.get("xlabel", "")))
    out.append(text(left + WIDTH - RIGHT, top + HEIGHT - 6, f"light {low:.2f}, dark {high:.2f}", "end", 9))
    x, y = left + 10, top + TOP + (HEIGHT - TOP - BOTTOM) / 2
    return [*out, text(x, y, panel.get("ylabel", ""), more=f' transform="rotate(-90 {x} {y})"')]


PANELS = {"lines": lines_panel, "bars": bars_panel, "heat": heat_panel}


def draw(plot):
    """The figure as the text of an SVG file."""
    panels = plot["panels"]
    across = 2 if len(panels) == 4 else min(PER_LINE, len(panels))
    high = (len(panels) + across - 1) // across * HEIGHT
    out = ["<!-- SPDX-License-Identifier: Apache-2.0 -->",
           f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across * WIDTH} {high}" '
           f'width="{across * WIDTH}" height="{high}" font-family="sans-serif" fill="#222">',
           f'<title>{escape(plot["title"])}</title>', f'<rect width="{across * WIDTH}" height="{high}" fill="#fff"/>']
    for i, panel in enumerate(panels):
        out += PANELS[plot["kind"]](panel, i % across * WIDTH, i // across * HEIGHT)
    return "\n".join([*out, "</svg>"]) + "\n"
