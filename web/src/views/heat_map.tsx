// SPDX-License-Identifier: Apache-2.0
// Profiles x features against the population: a cell for every answer (of a yes/no question only its second level) and
// for every number. Clicking an answer shows the whole question under every profile.
import { scaleLinear } from "d3-scale";
import { useState } from "preact/hooks";

import { diverging, fill, onCell, sequential } from "../colour";
import type { BlockPart, Report } from "../data";
import { button, Figure, fit, useWidth } from "../figure";
import { cut, noun, number, percent, safe, short, title } from "../format";
import { Choice, Frame } from "../frame";
import { choose, heatFilter, heatMeasure, heatSort, selected } from "../state";

const FIRST = 30; // lines shown before one asks for more

/** A line of the heat map. `at` is its place in the arrays of its block. */
interface HeatLine {
  block: BlockPart;
  feature: number;
  at: number;
  name: string;
  level: string;
  evidence: number;
  place: number; // in the file
}

export function linesOf(report: Report, every: boolean): HeatLine[] {
  const out: HeatLine[] = [];
  for (const block of report.blocks) {
    let at = 0;
    block.features.forEach((feature, f) => {
      const levels = feature.levels ?? [""];
      levels.forEach((level, l) => {
        if (every || levels.length !== 2 || l === 1)
          out.push({ block, feature: f, at: at + l, name: feature.name, level, evidence: feature.evidence, place: out.length });
      });
      at += levels.length;
    });
  }
  return out;
}

const isNumber = (line: HeatLine): boolean => line.block.kind === "numbers";
const components = (report: Report): number => report.model.profiles.length;

function value(report: Report, line: HeatLine, k: number): number {
  return line.block.value[line.at * components(report) + k];
}

/** From -1 to 1: how far above or below the population; numbers in half standard deviations. */
function tone(report: Report, line: HeatLine, k: number): number {
  const off = value(report, line, k) - line.block.population[line.at];
  if (isNumber(line)) return Math.max(-1, Math.min(1, off / (2 * (line.block.population_sd![line.at] || 1))));
  return Math.max(-1, Math.min(1, off / 0.6));
}

function said(report: Report, line: HeatLine, k: number): string {
  return isNumber(line) ? short(value(report, line, k)) : percent(value(report, line, k));
}

const label = (line: HeatLine): string => (line.level ? `${line.name} = ${line.level}` : line.name);
const question = (line: HeatLine): string => line.block.features[line.feature].title ?? "";
/** With what the column is called, such as the question asked. */
const inFull = (line: HeatLine): string => (question(line) ? `${label(line)} (${question(line)})` : label(line));

/** One of several answers that hardly anybody gives, whatever the profile. */
function rare(report: Report, line: HeatLine): boolean {
  if (isNumber(line) || (line.block.features[line.feature].levels?.length ?? 0) <= 2) return false;
  return [line.block.population[line.at], ...Array.from({ length: components(report) }, (_, k) => value(report, line, k))].every((share) => share < 0.03);
}

function ordered(report: Report, lines: HeatLine[]): HeatLine[] {
  const wanted = heatFilter.value.trim().toLowerCase();
  const out = wanted ? lines.filter((line) => inFull(line).toLowerCase().includes(wanted)) : [...lines];
  const k = selected.value;
  if (heatSort.value === "profile" && k !== null) out.sort((a, b) => tone(report, b, k) - tone(report, a, k) || a.place - b.place);
  else if (heatSort.value !== "file") out.sort((a, b) => b.evidence - a.evidence || a.place - b.place);
  return out;
}

function Cells({ report, lines, open, onOpen }: { report: Report; lines: HeatLine[]; open: HeatLine | null; onOpen: (line: HeatLine) => void }) {
  const [ref, width] = useWidth();
  const count = components(report);
  const left = Math.min(280, Math.round(width * (width < 500 ? 0.42 : 0.3)));
  const cell = Math.min(96, (width - left - 4) / (count + 1));
  const line = 24;
  const top = 30;
  const text = cell >= 40;
  return (
    <div ref={ref}>
      <Figure width={width} height={top + lines.length * line + 4} label="Heat map: what each says of every answer" profiles={count} interactive>
        {[...Array(count).keys()].map((k) => (
          <g transform={`translate(${left + k * cell},0)`} {...button(title(report, k), () => choose(k))}>
            <rect width={cell - 1} height={top - 6} fill={selected.value === k ? "currentColor" : "transparent"} fill-opacity="0.1" rx="3" />
            <rect x={cell / 2 - 5 - (cell > 26 ? 7 : 0)} y="7" width="10" height="10" rx="2" fill={fill(k)} />
            {cell > 26 && (
              <text x={cell / 2 + 2} y="16" font-size="12" fill="currentColor" font-weight={selected.value === k ? "bold" : "normal"}>
                {k + 1}
              </text>
            )}
          </g>
        ))}
        <text x={left + count * cell + cell / 2} y="16" font-size="12" text-anchor="middle" fill="currentColor">
          {cell >= 34 ? "all" : "a"}
        </text>
        {lines.map((one, i) => (
          <g transform={`translate(0,${top + i * line})`}>
            <g>
              <rect width={left} height={line - 1} fill={open && open.block === one.block && open.feature === one.feature ? "currentColor" : "transparent"} fill-opacity="0.1" rx="3" {...button(`${label(one)}: show all answers`, () => onOpen(one))} />
              <text pointer-events="none" x={left - 8} y={line / 2 + 4} text-anchor="end" font-size="12.5" fill="currentColor">
                {fit(safe(label(one)), left - 10)}
                <title>{safe(inFull(one))}</title>
              </text>
            </g>
            {[...Array(count + 1).keys()].map((k) => {
              const all = k === count;
              const t = all ? 0 : tone(report, one, k);
              const share = all ? one.block.population[one.at] : value(report, one, k);
              const colour = heatMeasure.value === "share" && !isNumber(one) ? sequential(share) : diverging(t);
              const words = all ? (isNumber(one) ? short(share) : percent(share)) : said(report, one, k);
              return (
                <g transform={`translate(${left + k * cell},0)`}>
                  <rect width={cell - 1} height={line - 1} fill={colour}>
                    <title>{safe(`${label(one)}: ${words} ${all ? "in the population" : `in ${title(report, k)}`}`)}</title>
                  </rect>
                  {text && (
                    <text x={cell / 2} y={line / 2 + 4} font-size="11.5" text-anchor="middle" fill={onCell(colour)} pointer-events="none">
                      {words}
                    </text>
                  )}
                </g>
              );
            })}
          </g>
        ))}
        {selected.value !== null && (
          <rect x={left + selected.value * cell - 1} y={top - 1} width={cell + 1} height={lines.length * line + 1} fill="none" stroke="currentColor" stroke-width="2.5" pointer-events="none" />
        )}
      </Figure>
    </div>
  );
}

/** All answers to one question under every profile, with intervals where the model is sampled. */
function Question({ report, line, onClose }: { report: Report; line: HeatLine; onClose: () => void }) {
  const [ref, width] = useWidth();
  const { block } = line;
  const count = components(report);
  const same = linesOf(report, true).filter((one) => one.block === block && one.feature === line.feature);
  const left = Math.min(200, Math.round(width * 0.3));
  const bar = 15;
  const group = count * bar + 16;
  const numbers = isNumber(line);
  const ends = same.flatMap((one) => [...Array(count).keys()].map((k) => (block.high ? block.high[one.at * count + k] : value(report, one, k))));
  const values = same.flatMap((one) => [...Array(count).keys()].map((k) => value(report, one, k)));
  const x = scaleLinear(numbers ? [Math.min(0, ...values), Math.max(...ends, ...values, line.block.population[line.at])] : [0, 1], [left, width - 60]);
  return (
    <div class="panel" ref={ref}>
      <div class="head">
        <h3>
          {safe(line.name)}
          {question(line) && <span class="question">{safe(cut(question(line), 200))}</span>}
        </h3>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="about">
        {numbers ? "Mean of the number" : "Probability of every answer"} under each {noun(report)[0]}; the line is the population
        {block.low ? "; whiskers hold 90 % of the draws" : ""}.
      </p>
      <Figure width={width} height={same.length * group} label={`${line.name} under every ${noun(report)[0]}`} profiles={count}>
        {same.map((one, i) => (
          <g transform={`translate(0,${i * group})`}>
            <text x={left - 8} y={group / 2} text-anchor="end" font-size="12.5" fill="currentColor">
              {fit(safe(one.level || one.name), left - 10)}
            </text>
            {[...Array(count).keys()].map((k) => {
              const at = value(report, one, k);
              const y = k * bar + 4;
              return (
                <g>
                  <rect opacity={selected.value === null || selected.value === k ? 1 : 0.45} x={Math.min(x(0), x(at))} y={y} width={Math.max(1, Math.abs(x(at) - x(0)))} height={bar - 3} fill={fill(k)}>
                    <title>{safe(`${title(report, k)}: ${said(report, one, k)}`)}</title>
                  </rect>
                  {block.low && block.high && (
                    <line x1={x(block.low[one.at * count + k])} x2={x(block.high[one.at * count + k])} y1={y + bar / 2 - 1.5} y2={y + bar / 2 - 1.5} stroke="currentColor" stroke-width="1.5" />
                  )}
                  <text x={Math.max(x(at), block.high ? x(block.high[one.at * count + k]) : 0) + 5} y={y + bar - 5} font-size="10.5" fill="currentColor">
                    {said(report, one, k)}
                  </text>
                </g>
              );
            })}
            <line x1={x(block.population[one.at])} x2={x(block.population[one.at])} y1="2" y2={count * bar + 4} stroke="currentColor" stroke-width="2" stroke-dasharray="4 2" />
          </g>
        ))}
      </Figure>
    </div>
  );
}

/** The columns of `medley inspect --format csv`. */
function table(report: Report) {
  const count = components(report);
  const sampled = report.blocks.some((block) => block.low);
  return {
    header: ["block", "feature", "level", "population", "component", "probability", "lift", "mean", "sd", "population_mean", "population_sd", ...(sampled ? ["low", "high"] : [])],
    rows: linesOf(report, true).flatMap((line) =>
      [...Array(count).keys()].map((k) => {
        const at = line.at * count + k;
        const p = line.block.population[line.at];
        const v = line.block.value[at];
        const ends = sampled ? [line.block.low?.[at], line.block.high?.[at]] : [];
        return isNumber(line)
          ? [line.block.name, line.name, "", "", k + 1, "", "", v, line.block.sd![at], p, line.block.population_sd![line.at], ...ends]
          : [line.block.name, line.name, line.level, p, k + 1, v, p > 0 ? v / p : null, "", "", "", "", ...ends];
      }),
    ),
  };
}

export function HeatMap({ report }: { report: Report }) {
  const [open, setOpen] = useState<HeatLine | null>(null);
  const [more, setMore] = useState(false);
  const lines = ordered(report, linesOf(report, false));
  const shown = more ? lines.slice(0, 400) : lines.filter((line) => heatSort.value === "file" || heatFilter.value || !rare(report, line)).slice(0, FIRST);
  const left = report.blocks.reduce((sum, block) => sum + block.all_features - block.features.length, 0);
  const [one] = noun(report);
  return (
    <Frame
      id="heat-map"
      title={`What each ${one} answers`}
      about={
        <>
          {heatMeasure.value === "difference"
            ? `Colour: orange where a ${one} gives the answer more often than the population (“all”), blue where less often. `
            : "Colour: how probable the answer is. "}
          Numbers are probabilities, or means. Of a question with two answers one is shown. Click a question for all its answers.
          {left > 0 && ` ${left} features that hardly differ are left out here; medley inspect --format csv has them.`}
        </>
      }
      controls={
        <>
          <Choice label="Colour" value={heatMeasure.value} options={[["difference", "against the population"], ["share", "probability"]]} onChange={(v) => (heatMeasure.value = v)} />
          <Choice
            label="Order"
            value={heatSort.value}
            options={[["telling", "most telling first"], ["file", "as in the data"], ["profile", selected.value === null ? `by a chosen ${one}` : `by ${number(report, selected.value).toLowerCase()}`]]}
            onChange={(v) => (heatSort.value = v)}
          />
          <label class="choice">
            <span>Find</span>
            <input type="search" value={heatFilter.value} onInput={(event) => (heatFilter.value = event.currentTarget.value)} placeholder="question or answer" />
          </label>
        </>
      }
      table={() => table(report)}
    >
      {open && <Question report={report} line={open} onClose={() => setOpen(null)} />}
      <Cells report={report} lines={shown} open={open} onOpen={setOpen} />
      {lines.length > shown.length && !more && (
        <button type="button" onClick={() => setMore(true)}>
          Show all {lines.length} answers
        </button>
      )}
      {more && lines.length > shown.length && <p class="quiet">The first {shown.length} of {lines.length}; use Find for others.</p>}
      {lines.length === 0 && <p class="quiet">Nothing matches “{safe(heatFilter.value)}”.</p>}
    </Frame>
  );
}
