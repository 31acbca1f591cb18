// SPDX-License-Identifier: Apache-2.0
// What the reader has chosen. Every view reads these signals, so that a choice made in one shows in all; what differs
// from the beginning stands in the address behind #, so that a link brings it back.
import { effect, signal, type Signal } from "@preact/signals";

import type { Report } from "./data";

export const selected = signal<number | null>(null); // a profile, from 0
export const lambda = signal(6); // stop of the relevance slider
export const ranking = signal<"relevance" | "frex">("relevance");
export const sortRows = signal("largest"); // "largest", "file" or "profile"
export const groupBy = signal(""); // name of a column
export const heatMeasure = signal<"difference" | "share">("difference");
export const heatSort = signal<"file" | "telling" | "profile">("telling");
export const heatFilter = signal("");
export const mapKind = signal<"all" | "three">("all");
export const corners = signal("1,2,3"); // profiles of the triangle
export const row = signal<string>(""); // id of the row in the finder
export const names = signal<string[]>([]); // given names; "" for none

const texts: [string, Signal<string>, string][] = [
  ["ranking", ranking as Signal<string>, "relevance"],
  ["rows", sortRows, "largest"],
  ["by", groupBy, ""],
  ["heat", heatMeasure as Signal<string>, "difference"],
  ["order", heatSort as Signal<string>, "telling"],
  ["find", heatFilter, ""],
  ["map", mapKind as Signal<string>, "all"],
  ["corners", corners, "1,2,3"],
  ["row", row, ""],
];
const ALLOWED: Record<string, string[]> = {
  ranking: ["relevance", "frex"],
  rows: ["largest", "file", "profile"],
  heat: ["difference", "share"],
  order: ["file", "telling", "profile"],
  map: ["all", "three"],
};

function read(components: number): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const profile = Number(given.get("profile"));
  selected.value = Number.isInteger(profile) && profile >= 1 && profile <= components ? profile - 1 : null;
  const stop = given.has("lambda") ? Math.round(Number(given.get("lambda")) * 10) : 6;
  lambda.value = stop >= 0 && stop <= 10 ? stop : 6;
  for (const [key, where, usual] of texts) {
    const value = given.get(key) ?? usual;
    where.value = ALLOWED[key] && !ALLOWED[key].includes(value) ? usual : value;
  }
}

function written(): string {
  const out = new URLSearchParams();
  if (selected.value !== null) out.set("profile", String(selected.value + 1));
  if (lambda.value !== 6) out.set("lambda", String(lambda.value / 10));
  for (const [key, where, usual] of texts) if (where.value !== usual) out.set(key, where.value);
  return out.toString();
}

/** Begins with what the address says, and keeps it up to date. */
export function follow(report: Report): void {
  names.value = report.model.profiles.map((profile) => profile.name);
  const components = report.model.profiles.length;
  read(components);
  if (!groupBy.value && !location.hash.includes("by=")) groupBy.value = report.rows?.columns?.[0]?.name ?? "";
  texts[2][2] = groupBy.value; // the column shown at first needs no mention
  addEventListener("hashchange", () => {
    if (location.hash.slice(1) !== written()) read(components);
  });
  effect(() => {
    const hash = written();
    if (hash === location.hash.slice(1)) return;
    try {
      history.replaceState(null, "", `#${hash}`);
    } catch {
      // in a frame of a notebook, which has no address of its own
    }
  });
}

/** Chooses a profile, or none if it is chosen already. */
export function choose(profile: number): void {
  selected.value = selected.value === profile ? null : profile;
}
