// SPDX-License-Identifier: Apache-2.0
// How profiles lie to each other, as matrices: how different what they say is, and whether rows hold them together.
// Lines are ordered so that like ones are neighbours (average linkage).
import { diverging, fill, onCell, sequential } from "../colour";
import type { Report } from "../data";
import { button, Figure, useWidth } from "../figure";
import { noun, safe, title } from "../format";
import { Frame } from "../frame";
import { choose, selected } from "../state";

/** Profiles in an order in which near ones stand together. */
export function clustered(distance: number[], count: number): number[] {
  let groups = [...Array(count).keys()].map((k) => [k]);
  const between = (a: number[], b: number[]): number => a.reduce((sum, i) => sum + b.reduce((part, j) => part + distance[i * count + j], 0), 0) / (a.length * b.length);
  while (groups.length > 1) {
    let best: [number, number] = [0, 1];
    let least = Infinity;
    for (let a = 0; a < groups.length; a++)
      for (let b = a + 1; b < groups.length; b++) {
        const d = between(groups[a], groups[b]);
        if (d < least) [best, least] = [[a, b], d];
      }
    const [a, b] = best;
    groups = [...groups.slice(0, a), [...groups[a], ...groups[b]], ...groups.slice(a + 1, b), ...groups.slice(b + 1)];
  }
  return groups[0];
}

interface MatrixProps {
  report: Report;
  values: number[];
  order: number[];
  label: string;
  tone: (value: number) => number;
  colour: (tone: number) => string;
}

function Matrix({ report, values, order, label, tone, colour }: MatrixProps) {
  const [ref, width] = useWidth(440);
  const count = order.length;
  const left = 34;
  const cell = Math.min(54, (width - left) / count);
  const place = selected.value === null ? -1 : order.indexOf(selected.value);
  const at = (i: number, j: number): number => values[order[i] * count + order[j]];
  return (
    <div ref={ref}>
      <Figure width={width} height={left + count * cell + 2} label={label} profiles={count} interactive>
        {order.map((k, i) => (
          <>
            <g transform={`translate(0,${left + i * cell})`} {...button(title(report, k), () => choose(k))}>
              <rect x="0" y={cell / 2 - 6} width="11" height="11" rx="2" fill={fill(k)} />
              {cell > 9 && (
                <text x="15" y={cell / 2 + 4} font-size="11" fill="currentColor" font-weight={selected.value === k ? "bold" : "normal"}>
                  {k + 1}
                </text>
              )}
            </g>
            <g transform={`translate(${left + i * cell},0)`}>
              <rect x={cell / 2 - 5} y="2" width={Math.min(11, cell - 1)} height="11" rx="2" fill={fill(k)} />
              {cell > 15 && (
                <text x={cell / 2} y="26" font-size="11" text-anchor="middle" fill="currentColor">
                  {k + 1}
                </text>
              )}
            </g>
          </>
        ))}
        {order.map((a, i) =>
          order.map((b, j) => (
            <g>
              <rect x={left + j * cell} y={left + i * cell} width={cell - 1} height={cell - 1} fill={i === j ? "none" : colour(tone(at(i, j)))}>
                <title>{safe(`${title(report, a)} and ${title(report, b)}: ${at(i, j).toFixed(2)}`)}</title>
              </rect>
              {cell >= 32 && i !== j && (
                <text x={left + j * cell + cell / 2} y={left + i * cell + cell / 2 + 4} font-size="11" text-anchor="middle" fill={onCell(colour(tone(at(i, j))))} pointer-events="none">
                  {at(i, j).toFixed(2)}
                </text>
              )}
            </g>
          )),
        )}
        {place >= 0 && (
          <path d={`M${left - 1} ${left + place * cell - 1}h${count * cell + 1}v${cell + 1}h${-count * cell - 1}zM${left + place * cell - 1} ${left - 1}h${cell + 1}v${count * cell + 1}h${-cell - 1}z`} fill="none" stroke="currentColor" stroke-width="2" pointer-events="none" />
        )}
      </Figure>
    </div>
  );
}

export function Relations({ report }: { report: Report }) {
  const { distance, correlation, basis, located } = report.relations;
  const count = report.model.profiles.length;
  const order = clustered(distance, count);
  const [one, many] = noun(report);
  const apart = distance.filter((_, i) => i % (count + 1) !== 0);
  const [nearest, farthest] = [Math.min(...apart), Math.max(...apart)];
  // the colours span what there is, so that differences among far ones show too
  const stretched = (value: number): number => (farthest > nearest ? 0.1 + (0.85 * (value - nearest)) / (farthest - nearest) : 0.5);
  const strongest = Math.max(0.05, ...(correlation ?? []).filter((_, i) => i % (count + 1) !== 0).map(Math.abs));
  const table = () => ({
    header: ["a", "b", "distance", ...(correlation ? [located ? "cosine" : "correlation"] : [])],
    rows: order.flatMap((a) => order.filter((b) => b > a).map((b) => [a + 1, b + 1, distance[a * count + b], ...(correlation ? [correlation[a * count + b]] : [])])),
  });
  return (
    <Frame id="relations" title={`How the ${many} lie to each other`} about={`Like ${many} are neighbours in the matrices. Click a number to follow a ${one}.`} table={table}>
      <div class="columns">
        <div>
          <h3>What they say: distance</h3>
          <p class="about">Mean Hellinger distance over the features: 0 the same, 1 nothing in common. From {nearest.toFixed(2)} (light) to {farthest.toFixed(2)} (dark).</p>
          <Matrix report={report} values={distance} order={order} label="Distances" tone={stretched} colour={sequential} />
        </div>
        {correlation && (
          <div>
            <h3>{located ? "Where they lie: cosine" : "Who holds them: correlation"}</h3>
            <p class="about">From {safe(basis ?? "")}. Orange: together more often than their sizes say; blue: less often.</p>
            <Matrix report={report} values={correlation} order={order} label={located ? "Cosines" : "Correlations"} tone={(value) => value / strongest} colour={diverging} />
          </div>
        )}
      </div>
    </Frame>
  );
}
