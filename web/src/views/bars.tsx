// SPDX-License-Identifier: Apache-2.0
// Every row as a bar of its shares (a STRUCTURE plot), grouped by a column, ordered within the groups. Where there are
// more rows than places for bars, a bar is the mean of neighbours, and the view says so.
import { useMemo, useState } from "preact/hooks";

import { fill } from "../colour";
import type { Report, ShownRows } from "../data";
import { Figure, fit, useWidth } from "../figure";
import { cut, noun, number, percent, safe, title, whole } from "../format";
import { Choice, Frame } from "../frame";
import { largest, sample, share, shownRows } from "../rows";
import { groupBy, selected, sortRows } from "../state";
import { showRow } from "./cards";

interface Part {
  name: string;
  places: number[];
}

/** The groups of rows in the order they are drawn. */
function parts(report: Report, rows: ShownRows): Part[] {
  const count = report.model.profiles.length;
  const column = rows.columns.find((one) => one.name === groupBy.value);
  const groups: Part[] = column ? [...column.levels, ""].map((name) => ({ name, places: [] })) : [{ name: "", places: [] }];
  for (const place of sample(rows)) {
    const code = column ? column.code[place] : 0;
    groups[column ? (code > 0 ? code - 1 : column.levels.length) : 0].places.push(place);
  }
  const k = selected.value;
  const top = new Uint16Array(rows.rows);
  for (let i = 0; i < rows.rows; i++) top[i] = largest(rows, i, count);
  const of = (place: number, profile: number): number => rows.share[profile * rows.rows + place];
  for (const group of groups) {
    if (sortRows.value === "profile" && k !== null) group.places.sort((a, b) => of(b, k) - of(a, k) || a - b);
    else if (sortRows.value !== "file") group.places.sort((a, b) => top[a] - top[b] || of(b, top[b]) - of(a, top[a]) || a - b);
  }
  const filled = groups.filter((group) => group.places.length > 0);
  for (const group of filled) if (column && group.name === "") group.name = "(missing)";
  return filled;
}

/** One path for every profile: the bars of all rows at once. */
function paths(rows: ShownRows, groups: Part[], profiles: number, widths: number[], height: number): string[] {
  const out: string[][] = Array.from({ length: profiles }, () => []);
  const order = [...Array(profiles).keys()];
  const k = selected.value;
  if (k !== null) order.sort((a, b) => Number(b === k) - Number(a === k) || a - b);
  let left = 0;
  groups.forEach((group, g) => {
    const bars = Math.max(1, Math.min(group.places.length, Math.floor(widths[g])));
    const wide = widths[g] / bars;
    for (let bar = 0; bar < bars; bar++) {
      const from = Math.floor((bar * group.places.length) / bars);
      const to = Math.max(from + 1, Math.floor(((bar + 1) * group.places.length) / bars));
      let below = height;
      for (const profile of order) {
        let sum = 0;
        for (let i = from; i < to; i++) sum += share(rows, group.places[i], profile);
        const tall = (sum / (to - from)) * height;
        if (tall < 0.05) continue;
        out[profile].push(`M${(left + bar * wide).toFixed(2)} ${below.toFixed(1)}v${(-tall).toFixed(1)}h${(wide + 0.02).toFixed(2)}v${tall.toFixed(1)}z`);
        below -= tall;
      }
    }
    left += widths[g] + GAP;
  });
  return out.map((pieces) => pieces.join(""));
}

const GAP = 5;
const HEIGHT = 220;

function Plot({ report, rows, groups }: { report: Report; rows: ShownRows; groups: Part[] }) {
  const [ref, width] = useWidth();
  const [near, setNear] = useState<number | null>(null);
  const profiles = report.model.profiles.length;
  const all = groups.reduce((sum, group) => sum + group.places.length, 0);
  const room = width - GAP * (groups.length - 1);
  // every group gets at least a hand's breadth of bars, however small it is
  const least = Math.min(14, room / groups.length);
  const raw = groups.map((group) => Math.max(least, (room * group.places.length) / all));
  const scale = room / raw.reduce((sum, value) => sum + value, 0);
  const widths = raw.map((value) => value * scale);
  const drawn = useMemo(() => paths(rows, groups, profiles, widths, HEIGHT), [rows, groups, width, selected.value]);
  const at = (event: MouseEvent): number | null => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    let x = ((event.clientX - box.left) / box.width) * width;
    for (let g = 0; g < groups.length; g++) {
      if (x <= widths[g]) return groups[g].places[Math.max(0, Math.min(groups[g].places.length - 1, Math.floor((x / widths[g]) * groups[g].places.length)))];
      x -= widths[g] + GAP;
    }
    return null;
  };
  let left = 0;
  return (
    <div ref={ref}>
      <Figure
        width={width}
        height={HEIGHT + (groups.length > 1 ? 26 : 4)}
        label={`Memberships of ${whole(all)} rows`}
        profiles={profiles}
        onMouseMove={(event) => setNear(at(event))}
        onMouseLeave={() => setNear(null)}
        onClick={(event) => {
          const place = at(event);
          if (place !== null) showRow(rows.id[place]);
        }}
      >
        {drawn.map((path, k) => (
          <path d={path} fill={fill(k)} opacity={selected.value === null || selected.value === k ? 1 : 0.35} />
        ))}
        {groups.length > 1 &&
          groups.map((group, g) => {
            const x = left;
            left += widths[g] + GAP;
            return (
              <g>
                <line x1={x} x2={x + widths[g]} y1={HEIGHT + 4} y2={HEIGHT + 4} stroke="currentColor" stroke-width="2" />
                <text x={x + widths[g] / 2} y={HEIGHT + 19} font-size="12" text-anchor="middle" fill="currentColor">
                  {fit(safe(group.name), widths[g], 12)}
                  <title>{safe(`${group.name}: ${whole(group.places.length)} rows`)}</title>
                </text>
              </g>
            );
          })}
      </Figure>
      <p class="readout">{near === null ? "Point at a bar to see the row; click to open it." : safe(told(report, rows, near))}</p>
    </div>
  );
}

function told(report: Report, rows: ShownRows, place: number): string {
  const profiles = report.model.profiles.map((_, k) => k).sort((a, b) => share(rows, place, b) - share(rows, place, a));
  const most = profiles.slice(0, 3).filter((k) => share(rows, place, k) >= 0.01);
  return `${rows.id[place]}: ${most.map((k) => `${title(report, k)} ${percent(share(rows, place, k))}`).join(", ")}`;
}

export function Bars({ report }: { report: Report }) {
  const rows = shownRows(report);
  const [one] = noun(report);
  const groups = useMemo(() => parts(report, rows), [groupBy.value, sortRows.value, selected.value]);
  const all = groups.reduce((sum, group) => sum + group.places.length, 0);
  const table = () => ({
    header: ["id", ...report.model.profiles.map((_, k) => `component_${k + 1}`)],
    rows: sample(rows).map((place) => [rows.id[place], ...report.model.profiles.map((_, k) => Math.round(share(rows, place, k) * 1e5) / 1e5)]),
  });
  return (
    <Frame
      id="rows"
      title="Who holds what"
      about={
        <>
          One bar for each row, split into its shares of the {one}s.
          {rows.sampled < report.rows!.all && ` A sample of ${whole(rows.sampled)} of ${whole(report.rows!.all)} rows.`}
          {all > 900 && " Where bars are too many to draw, neighbours are averaged."}
        </>
      }
      controls={
        <>
          {rows.columns.length > 0 && (
            <Choice label="Grouped by" value={groupBy.value} options={[["", "nothing"], ...rows.columns.map((column): [string, string] => [column.name, safe(cut(column.name, 40))])]} onChange={(v) => (groupBy.value = v)} />
          )}
          <Choice
            label="Ordered by"
            value={sortRows.value}
            options={[["largest", `largest ${one}`], ["profile", selected.value === null ? `a chosen ${one}` : number(report, selected.value).toLowerCase()], ["file", "place in the data"]]}
            onChange={(v) => (sortRows.value = v)}
          />
        </>
      }
      table={table}
    >
      <Plot report={report} rows={rows} groups={groups} />
    </Frame>
  );
}
