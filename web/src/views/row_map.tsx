// SPDX-License-Identifier: Apache-2.0
// Rows in the plane. Either a projection of all profiles, which says how much of the differences it shows, or a triangle
// of three profiles, which leaves nothing of those three out. Beside it, how mixed rows are.
import { scaleLinear } from "d3-scale";
import { useMemo, useState } from "preact/hooks";

import { fill, plain } from "../colour";
import type { Report, ShownRows } from "../data";
import { BottomAxis, button, Figure, useWidth } from "../figure";
import { noun, percent, safe, title, whole } from "../format";
import { Choice, Frame } from "../frame";
import { largest, sample, share, shownRows } from "../rows";
import { choose, corners, mapKind, selected } from "../state";
import { showRow } from "./cards";

interface Points {
  x: (place: number) => number;
  y: (place: number) => number;
  corner: { profile: number; x: number; y: number }[];
}

const PAD = 34;

function projected(rows: ShownRows, width: number, height: number): Points {
  const { map } = rows;
  const xs = [...map.pure_x];
  const ys = [...map.pure_y];
  for (const place of sample(rows)) {
    xs.push(map.x[place]);
    ys.push(map.y[place]);
  }
  let [left, right, low, up] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < xs.length; i++) {
    left = Math.min(left, xs[i]);
    right = Math.max(right, xs[i]);
    low = Math.min(low, ys[i]);
    up = Math.max(up, ys[i]);
  }
  // one scale for both axes: distances are what the map is about
  const unit = Math.min((width - 2 * PAD) / Math.max(1e-9, right - left), (height - 2 * PAD) / Math.max(1e-9, up - low));
  const x = (value: number): number => width / 2 + (value - (left + right) / 2) * unit;
  const y = (value: number): number => height / 2 - (value - (low + up) / 2) * unit;
  return {
    x: (place) => x(map.x[place]),
    y: (place) => y(map.y[place]),
    corner: map.pure_x.map((at, profile) => ({ profile, x: x(at), y: y(map.pure_y[profile]) })),
  };
}

function triangle(rows: ShownRows, three: number[], width: number, height: number): Points {
  const side = Math.min(width - 2 * PAD, (height - 2 * PAD) / 0.866);
  const corner = three.map((profile, i) => ({
    profile,
    x: width / 2 + [0, -0.5, 0.5][i] * side,
    y: height / 2 + [-0.433, 0.433, 0.433][i] * side,
  }));
  const at = (place: number, axis: "x" | "y"): number => {
    const parts = three.map((profile) => share(rows, place, profile));
    const sum = parts[0] + parts[1] + parts[2] || 1;
    return parts.reduce((total, part, i) => total + (part / sum) * corner[i][axis], 0);
  };
  return { x: (place) => at(place, "x"), y: (place) => at(place, "y"), corner };
}

/** Three different profiles from the address, or the first three. */
function threeOf(report: Report): number[] {
  const given = corners.value.split(",").map((text) => Number(text) - 1);
  const fine = given.length === 3 && new Set(given).size === 3 && given.every((k) => Number.isInteger(k) && k >= 0 && k < report.model.profiles.length);
  return fine ? given : [0, 1, 2];
}

function Plot({ report, rows, three }: { report: Report; rows: ShownRows; three: number[] | null }) {
  const [ref, width] = useWidth(640);
  const [near, setNear] = useState<number | null>(null);
  const height = Math.min(460, Math.max(300, Math.round(width * 0.62)));
  const count = report.model.profiles.length;
  const key = three ? three.join() : "";
  const points = useMemo(() => (three ? triangle(rows, three, width, height) : projected(rows, width, height)), [rows, key, width, height]);
  const places = useMemo(() => (three ? sample(rows).filter((place) => three.reduce((sum, k) => sum + share(rows, place, k), 0) >= 0.5) : sample(rows)), [rows, key]);
  const drawn = useMemo(() => {
    const out: string[][] = Array.from({ length: count }, () => []);
    for (const place of places) out[largest(rows, place, count)].push(`M${points.x(place).toFixed(1)} ${points.y(place).toFixed(1)}h0`);
    return out.map((pieces) => pieces.join(""));
  }, [points, places]);
  const closest = (event: MouseEvent): number | null => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width;
    const y = ((event.clientY - box.top) / box.height) * height;
    let best: number | null = null;
    let distance = 144;
    for (const place of places) {
      const d = (points.x(place) - x) ** 2 + (points.y(place) - y) ** 2;
      if (d < distance) [best, distance] = [place, d];
    }
    return best;
  };
  const mark = count > 10 ? 15 : 20;
  // a chosen profile lies on top
  const shownCorners = [...points.corner].sort((a, b) => Number(a.profile === selected.value) - Number(b.profile === selected.value));
  const size = places.length > 3000 ? 3 : places.length > 600 ? 4.5 : 6;
  return (
    <div ref={ref}>
      <Figure
        width={width}
        height={height}
        label={three ? "Rows in the triangle of three" : "Rows in the plane"}
        profiles={count}
        interactive
        onMouseMove={(event) => setNear(closest(event))}
        onMouseLeave={() => setNear(null)}
        onClick={(event) => {
          const place = closest(event);
          if (place !== null) showRow(rows.id[place]);
        }}
      >
        {three && <path d={`M${points.corner.map((corner) => `${corner.x} ${corner.y}`).join("L")}Z`} fill="none" stroke="currentColor" stroke-opacity="0.4" />}
        {drawn.map((path, k) => (
          <path d={path} fill="none" stroke={plain(k)} stroke-width={size} stroke-linecap="round" stroke-opacity={selected.value === null ? 0.6 : selected.value === k ? 0.9 : 0.12} />
        ))}
        {shownCorners.map((corner) => (
          <g {...button(`${title(report, corner.profile)}: a row that holds nothing else`, () => choose(corner.profile))}>
            <rect x={corner.x - mark / 2} y={corner.y - mark / 2} width={mark} height={mark} rx="4" fill={fill(corner.profile)} stroke="#ffffff" stroke-width="1.5" />
            <text x={corner.x} y={corner.y + mark * 0.22} font-size={mark * 0.6} font-weight="bold" text-anchor="middle" fill="#ffffff" stroke="#000000" stroke-opacity="0.55" stroke-width="2.5" paint-order="stroke">
              {corner.profile + 1}
            </text>
          </g>
        ))}
        {near !== null && <circle cx={points.x(near)} cy={points.y(near)} r="7" fill="none" stroke="currentColor" stroke-width="2" pointer-events="none" />}
      </Figure>
      <p class="readout">
        {near === null
          ? "Point at a row to see it; click to open it."
          : safe(`${rows.id[near]}: ${title(report, largest(rows, near, count))} ${percent(share(rows, near, largest(rows, near, count)))}`)}
      </p>
    </div>
  );
}

function Purity({ report }: { report: Report }) {
  const [ref, width] = useWidth(300);
  const bins = report.rows!.purity;
  const height = 150;
  const all = bins.reduce((sum, value) => sum + value, 0) || 1;
  const x = scaleLinear([0, 1], [14, width - 20]);
  const y = scaleLinear([0, Math.max(...bins) / all || 1], [height - 24, 8]);
  return (
    <div ref={ref}>
      <h3>How mixed rows are</h3>
      <p class="about">Rows by the share of their largest {noun(report)[0]}: at the right rows of one {noun(report)[0]}, at the left mixed ones. All {whole(report.rows!.all)} rows.</p>
      <Figure width={width} height={height} label="Rows by the share of their largest">
        <BottomAxis scale={x} at={height - 24} from={8} ticks={4} format={(v) => percent(v)} />
        {bins.map((value, i) => (
          <rect x={x(i / bins.length) + 0.5} y={y(value / all)} width={Math.max(1, x(1 / bins.length) - x(0) - 1)} height={height - 24 - y(value / all)} fill="currentColor" fill-opacity="0.55">
            <title>{`${percent(i / bins.length)} to ${percent((i + 1) / bins.length)}: ${whole(value)} rows`}</title>
          </rect>
        ))}
      </Figure>
    </div>
  );
}

export function RowMap({ report }: { report: Report }) {
  const rows = shownRows(report);
  const count = report.model.profiles.length;
  const [one, many] = noun(report);
  const triangular = count >= 3 && (mapKind.value === "three" || count === 3);
  const three = triangular ? threeOf(report) : null;
  const pick = (i: number, profile: number): void => {
    const next = [...three!];
    const already = next.indexOf(profile);
    if (already >= 0) next[already] = next[i];
    next[i] = profile;
    corners.value = next.map((k) => k + 1).join(",");
  };
  const about = three
    ? count === 3
      ? `Each row lies between the three ${many} as its shares say: exact, nothing is lost.`
      : `Rows that hold at least half of their shares in these three ${many}; each lies between them as those shares say.`
    : `Rows with similar shares lie near each other (principal coordinates of Hellinger distances). Flat as it is, it shows ${percent(rows.map.shown)} of the differences between rows: what lies together here may be apart in the rest.`;
  const table = () => ({
    header: ["id", "x", "y", "largest"],
    rows: sample(rows).map((place) => [rows.id[place], rows.map.x[place], rows.map.y[place], largest(rows, place, count) + 1]),
  });
  return (
    <Frame
      id="map"
      title="The rows from above"
      about={`${about} Numbered squares: a row that would be all one ${one}.`}
      controls={
        count > 3 && (
          <>
            <Choice label="Show" value={mapKind.value} options={[["all", `all ${many} (projection)`], ["three", `three ${many} (exact)`]]} onChange={(v) => (mapKind.value = v)} />
            {three &&
              three.map((profile, i) => (
                <Choice label={["Top", "Left", "Right"][i]} value={String(profile)} options={report.model.profiles.map((_, k): [string, string] => [String(k), safe(title(report, k))])} onChange={(v) => pick(i, Number(v))} />
              ))}
          </>
        )
      }
      table={table}
    >
      <div class="wide-narrow">
        <Plot report={report} rows={rows} three={three} />
        <Purity report={report} />
      </div>
    </Frame>
  );
}
