// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and names of profiles.
import { format } from "d3-format";

import type { Report } from "./data";
import { names } from "./state";

const thousands = format(",");

export const whole = (value: number): string => thousands(Math.round(value));

export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !isFinite(share)) return "–";
  const p = 100 * share;
  if (p > 0 && p < 0.1) return "< 0.1 %";
  return `${p < 10 && p > 0 ? p.toFixed(1) : p.toFixed(0)} %`;
}

/** Four digits, without exponents where that is possible. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e4) return thousands(Math.round(value));
  if (size > 0 && size < 1e-3) return value.toExponential(1);
  return format(".4~g")(value);
}

export const number = (report: Report, profile: number): string => `${report.model.noun} ${profile + 1}`;

/** "Profile 2", or the name that it was given. */
export function title(report: Report, profile: number): string {
  const name = names.value[profile];
  return name ? name : number(report, profile);
}

/** "2 Frail": the number is always there. */
export function numbered(profile: number): string {
  const name = names.value[profile];
  return name ? `${profile + 1} ${name}` : `${profile + 1}`;
}

export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Characters that steer the direction or the line of what follows are shown as what they are. */
export const safe = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g, "\ufffd");

/** [one, many] of what the components are called: "profile", "profiles". */
export const noun = (report: Report): [string, string] => {
  const one = report.model.noun.toLowerCase();
  return [one, `${one}s`];
};
