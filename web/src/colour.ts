// SPDX-License-Identifier: Apache-2.0
// One colour for every profile, everywhere. Ten colours that people who do not see all colours tell apart (after Okabe
// and Ito); from the eleventh profile on they come again with stripes, then with dots, so that no two of 30 look alike.

const COLOURS = ["#0072b2", "#e08a00", "#009e73", "#c8609a", "#4aa3df", "#c94a00", "#7b5ea7", "#9a8a00", "#8c564b", "#6b7280"];

export const plain = (profile: number): string => COLOURS[profile % COLOURS.length];

/** The kind of pattern: 0 plain, 1 stripes, 2 dots. */
export const pattern = (profile: number): number => Math.floor(profile / COLOURS.length) % 3;

export const fill = (profile: number): string => (pattern(profile) === 0 ? plain(profile) : `url(#pattern-${profile})`);

const mix = (from: number[], to: number[], t: number): string =>
  `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * t)).join(",")})`;

const MIDDLE = [247, 247, 247];
const MORE = [178, 78, 0];
const LESS = [0, 90, 160];

/** From -1 (less, blue) over 0 (as the population, nearly white) to 1 (more, orange). */
export function diverging(t: number): string {
  const x = Math.max(-1, Math.min(1, t));
  return x >= 0 ? mix(MIDDLE, MORE, x) : mix(MIDDLE, LESS, -x);
}

/** From 0 (nearly white) to 1 (dark blue). */
export const sequential = (t: number): string => mix(MIDDLE, [8, 64, 129], Math.max(0, Math.min(1, t)));

function luminance(colour: string): number {
  const [r, g, b] = (colour.match(/\d+/g) ?? ["255", "255", "255"]).map((text) => {
    const c = Number(text) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever can be read better on a cell of that colour, rgb(...). */
export const onCell = (colour: string): string => (luminance(colour) < 0.19 ? "#ffffff" : "#111111");
