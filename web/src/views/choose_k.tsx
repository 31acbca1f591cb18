// SPDX-License-Identifier: Apache-2.0
// How many profiles: every criterion over K, with error bars where it has any, and how profiles split and stay from one K
// to the next. A profile keeps its colour from K to K.
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";

import { fill } from "../colour";
import type { Candidate, Report, Score, SelectionPart } from "../data";
import { Figure, LeftAxis, useWidth } from "../figure";
import { noun, percent, safe, short } from "../format";
import { Frame } from "../frame";

interface Series {
  key: string;
  criterion: string;
  basis: string;
  larger: boolean; // is better
  points: { k: number; score: Score }[];
  best?: number;
  modest?: number;
  rests_on_bound: boolean;
}

const LARGER = ["cv", "coherence", "exclusivity"];
const NAMES: Record<string, string> = {
  cv: "Held-out log-likelihood per row",
  aic: "AIC",
  bic: "BIC",
  dic: "DIC",
  "pearson-squares": "Frequent patterns: squared residuals",
  "pearson-absolute": "Frequent patterns: absolute residuals",
  coherence: "Coherence",
  exclusivity: "Exclusivity",
};

/** Of the smoothing that the page shows. */
const candidates = (selection: SelectionPart): Candidate[] => selection.result.candidates.filter((one) => (one.smoothing ?? -1) === selection.smoothing);

/** K of a verdict, if it is about the fits shown. */
const shownK = (selection: SelectionPart, place?: { k: number; smoothing?: number }): number | undefined =>
  place && (place.smoothing ?? -1) === selection.smoothing ? place.k : undefined;

function series(selection: SelectionPart): Series[] {
  const out = new Map<string, Series>();
  for (const candidate of candidates(selection))
    for (const score of candidate.scores) {
      const key = `${score.criterion} ${score.basis ?? ""}`;
      if (!out.has(key)) {
        const verdict = selection.result.verdicts.find((one) => one.criterion === score.criterion && (one.basis ?? "") === (score.basis ?? ""));
        out.set(key, {
          key,
          criterion: score.criterion,
          basis: score.basis ?? "",
          larger: LARGER.includes(score.criterion),
          points: [],
          best: shownK(selection, verdict?.best),
          modest: shownK(selection, verdict?.one_standard_error),
          rests_on_bound: verdict?.rests_on_bound ?? false,
        });
      }
      if (score.value !== null) out.get(key)!.points.push({ k: candidate.k, score });
    }
  return [...out.values()].filter((one) => one.points.length > 0);
}

function Curve({ one, chosen }: { one: Series; chosen: number }) {
  const [ref, width] = useWidth(300);
  const height = 190;
  const error = (score: Score): number => score.behind_error ?? score.error ?? 0;
  const ends = one.points.flatMap(({ score }) => [score.value! - error(score), score.value! + error(score)]);
  const [first, last] = extent(one.points, (point) => point.k) as [number, number];
  const x = scaleLinear([first, last === first ? first + 1 : last], [62, width - 16]);
  const y = scaleLinear(extent(ends) as [number, number], [height - 34, 12]).nice();
  const path = line<{ k: number; score: Score }>()
    .x((point) => x(point.k))
    .y((point) => y(point.score.value!));
  return (
    <div ref={ref}>
      <h3>
        {NAMES[one.criterion] ?? one.criterion} {one.basis && <span class="quiet">({safe(one.basis)})</span>}
      </h3>
      <p class="about">
        {one.larger ? "Higher" : "Lower"} is better.{" "}
        {one.best !== undefined && `Best at K = ${one.best}${one.modest !== undefined && one.modest !== one.best ? `; within one standard error of it from K = ${one.modest}` : ""}.`}
        {one.rests_on_bound && " Rests on a bound, whose gap grows with K."}
      </p>
      <Figure width={width} height={height} label={`${NAMES[one.criterion] ?? one.criterion} over K`}>
        <LeftAxis scale={y} at={60} from={width - 10} ticks={4} format={short} />
        <line x1={x(chosen)} x2={x(chosen)} y1="10" y2={height - 32} stroke="currentColor" stroke-dasharray="3 3" stroke-opacity="0.6" />
        <path d={path(one.points) ?? ""} fill="none" stroke="#0072b2" stroke-width="2" />
        {one.points.map(({ k, score }) => (
          <g>
            {error(score) > 0 && (
              <path d={`M${x(k)} ${y(score.value! - error(score))}V${y(score.value! + error(score))}m-4 0h8M${x(k) - 4} ${y(score.value! - error(score))}h8`} stroke="currentColor" stroke-width="1.3" fill="none" />
            )}
            <circle cx={x(k)} cy={y(score.value!)} r={k === one.best ? 6 : 4} fill={k === one.best ? "#c94a00" : "#0072b2"}>
              <title>{`K = ${k}: ${short(score.value)}${error(score) > 0 ? `, standard error ${short(error(score))}` : ""}`}</title>
            </circle>
            <text x={x(k)} y={height - 18} font-size="11" text-anchor="middle" fill="currentColor" font-weight={k === chosen ? "bold" : "normal"}>
              {k}
            </text>
          </g>
        ))}
        <text x={(62 + width - 16) / 2} y={height - 3} font-size="11" text-anchor="middle" fill="currentColor">
          K
        </text>
      </Figure>
    </div>
  );
}

/** Columns of profiles, one for each K, with bands to what they are most like at the next. */
function Flow({ selection, report }: { selection: SelectionPart; report: Report }) {
  const [ref, width] = useWidth();
  const height = 320;
  const fits = selection.fits;
  const bar = 18;
  const step = fits.length > 1 ? (width - bar - 8) / (fits.length - 1) : 0;
  const gap = 5;
  const x = (i: number): number => 4 + i * step;
  const places = fits.map((fit) => {
    // profiles stand in the order of their colours, so that bands cross as little as may be
    const order = fit.colours.map((_, k) => k).sort((a, b) => fit.colours[a] - fit.colours[b]);
    const room = height - 34 - gap * (fit.k - 1);
    const out: { y: number; h: number }[] = [];
    let y = 24;
    for (const k of order) {
      out[k] = { y, h: Math.max(1.5, fit.sizes[k] * room) };
      y += out[k].h + gap;
    }
    return out;
  });
  // a profile that leads to several is divided among them by their sizes
  const leaving = (i: number, link: { from: number; to: number }): { y: number; h: number } => {
    const next = fits[i + 1];
    const children = fits[i].links!.filter((one) => one.from === link.from).sort((a, b) => places[i + 1][a.to].y - places[i + 1][b.to].y);
    const all = children.reduce((sum, one) => sum + next.sizes[one.to], 0) || 1;
    const from = places[i][link.from];
    let above = 0;
    for (const one of children) {
      if (one.to === link.to) break;
      above += next.sizes[one.to];
    }
    return { y: from.y + (from.h * above) / all, h: (from.h * next.sizes[link.to]) / all };
  };
  return (
    <div ref={ref}>
      <Figure width={width} height={height} label="How profiles split and stay from K to K" profiles={Math.max(...fits.flatMap((fit) => fit.colours)) + 1}>
        {fits.map((fit, i) =>
          (fit.links ?? []).map((link) => {
            const a = leaving(i, link);
            const b = places[i + 1][link.to];
            const [x0, x1] = [x(i) + bar, x(i + 1)];
            const middle = (x0 + x1) / 2;
            return (
              <path
                d={`M${x0} ${a.y}C${middle} ${a.y} ${middle} ${b.y} ${x1} ${b.y}V${b.y + b.h}C${middle} ${b.y + b.h} ${middle} ${a.y + a.h} ${x0} ${a.y + a.h}Z`}
                fill={fill(fits[i + 1].colours[link.to])}
                fill-opacity={0.08 + 0.5 * Math.max(0, link.similarity) ** 2}
              >
                <title>{safe(`${fit.titles[link.from]} of ${fit.k} → ${fits[i + 1].titles[link.to]} of ${fits[i + 1].k}: similarity ${link.similarity.toFixed(2)}`)}</title>
              </path>
            );
          }),
        )}
        {fits.map((fit, i) => (
          <g>
            <text x={Math.max(16, Math.min(width - 16, x(i) + bar / 2))} y="14" font-size="12" text-anchor="middle" fill="currentColor" font-weight={i === selection.chosen ? "bold" : "normal"}>
              {fit.k}
            </text>
            {fit.sizes.map((size, k) => (
              <g>
                <rect x={x(i)} y={places[i][k].y} width={bar} height={places[i][k].h} fill={fill(fit.colours[k])}>
                  <title>{safe(`K = ${fit.k}, ${fit.titles[k]}: ${percent(size)}`)}</title>
                </rect>
              </g>
            ))}
          </g>
        ))}
      </Figure>
      <p class="about">
        Columns: the {noun(report)[1]} at each K, as tall as they are large. A band leads from each to the one it is most like; the fainter, the less alike.
      </p>
    </div>
  );
}

export function ChooseK({ report }: { report: Report }) {
  const selection = report.selection!;
  const chosen = selection.fits[selection.chosen].k;
  const all = series(selection);
  const table = () => ({
    header: ["k", "smoothing", "criterion", "basis", "estimator", "value", "error", "behind", "behind_error"],
    rows: selection.result.candidates.flatMap((one) => one.scores.map((score) => [one.k, one.smoothing, score.criterion, score.basis ?? "", score.estimator, score.value, score.error, score.behind, score.behind_error])),
  });
  return (
    <Frame
      id="choose-k"
      title="Choosing K"
      about={
        <>
          {safe(selection.result.advice)} This page shows K = {chosen}
          {selection.smoothing >= 0 && `, smoothing ${selection.smoothing}`}. Error bars are one standard error (of the difference to the best K, row by row, where it
          is known).
        </>
      }
      table={table}
    >
      <div class="columns three">
        {all.map((one) => (
          <Curve one={one} chosen={chosen} />
        ))}
      </div>
      <h3>From K to K + 1</h3>
      <Flow selection={selection} report={report} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Stability over starts at every K">
        <table>
          <caption>Stability over starts</caption>
          <thead>
            <tr>
              <th scope="col">K</th>
              <th scope="col">found again</th>
              <th scope="col">similarity of starts</th>
              <th scope="col">smallest {noun(report)[0]}</th>
              <th scope="col">converged</th>
            </tr>
          </thead>
          <tbody>
            {candidates(selection).map((one) => (
              <tr>
                <th scope="row">{one.k}</th>
                <td>
                  {one.found_again} of {one.restarts}
                </td>
                <td>{one.similarity?.toFixed(2) ?? "–"}</td>
                <td>{percent(one.smallest_profile)}</td>
                <td>{one.converged ? "yes" : "no"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {selection.result.warnings.map((warning) => (
        <p class="note">{safe(warning)}</p>
      ))}
    </Frame>
  );
}
