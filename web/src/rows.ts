// SPDX-License-Identifier: Apache-2.0
// Rows as the views want them.
import type { Report, ShownRows } from "./data";
import { WHOLE } from "./data";

export const shownRows = (report: Report): ShownRows => report.rows as unknown as ShownRows;

export const share = (rows: ShownRows, place: number, profile: number): number => rows.share[profile * rows.rows + place] / WHOLE;

/** The profile that a row holds most of. */
export function largest(rows: ShownRows, place: number, profiles: number): number {
  let best = 0;
  for (let k = 1; k < profiles; k++) if (rows.share[k * rows.rows + place] > rows.share[best * rows.rows + place]) best = k;
  return best;
}

/** Places of the rows of the sample (of all rows, if all are there). */
export function sample(rows: ShownRows): number[] {
  const out: number[] = [];
  for (let i = 0; i < rows.rows; i++) if (rows.in_sample[i]) out.push(i);
  return out;
}
