// SPDX-License-Identifier: Apache-2.0
// The words of a topic: how often each occurs in the topic and in all, ordered by relevance (a slider from frequent to
// peculiar) or by FREX. A word that is clicked shows the topics it belongs to.
import { scaleLinear } from "d3-scale";
import { useState } from "preact/hooks";

import { fill } from "../colour";
import type { Report, WordsPart } from "../data";
import { button, Figure, fit, useWidth } from "../figure";
import { noun, number, percent, safe, title, whole } from "../format";
import { Choice, Frame } from "../frame";
import { choose, lambda, ranking, selected } from "../state";

/** Numbers of the words listed for a topic now. */
function listed(words: WordsPart, topic: number): number[] {
  const [starts, list, at] =
    ranking.value === "frex" ? [words.frex_start, words.frex, topic] : [words.rank_start, words.rank, topic * words.stops + lambda.value];
  return [...list.subarray(starts[at], starts[at + 1])];
}

/** Place of a topic among those told of a word; -1: it hardly has the word. */
function placeOf(words: WordsPart, word: number, topic: number): number {
  for (let i = words.topic_start[word]; i < words.topic_start[word + 1]; i++) if (words.topic[i] === topic) return i;
  return -1;
}

function List({ report, words, topic, word, onWord }: { report: Report; words: WordsPart; topic: number; word: number | null; onWord: (word: number) => void }) {
  const [ref, width] = useWidth(440);
  const list = listed(words, topic);
  const size = report.model.profiles[topic].size;
  const line = 21;
  const left = Math.min(190, Math.round(width * 0.36));
  const here = (one: number): number => {
    const at = placeOf(words, one, topic);
    return at < 0 ? 0 : Math.min(words.total[one], words.value[at] * words.occurrences * size);
  };
  const x = scaleLinear([0, Math.max(1, ...list.map((one) => words.total[one]))], [left, width - 54]);
  return (
    <div ref={ref} class="terms-list">
      {report.words.length > 1 && <h3>{safe(words.name)}</h3>}
      <Figure width={width} height={list.length * line + 6} label={`Words of ${title(report, topic)} in ${words.name}`} profiles={report.model.profiles.length} interactive>
        {list.map((one, i) => (
          <g transform={`translate(0,${i * line + 2})`}>
            <rect width={width} height={line - 1} fill={word === one ? "currentColor" : "transparent"} fill-opacity="0.1" rx="3" {...button(`${words.words[one]}: about ${whole(here(one))} of ${whole(words.total[one])} occurrences`, () => onWord(one))} />
            <text class="word-label" pointer-events="none" x={left - 8} y="14" text-anchor="end" font-size="13" fill="currentColor">
              {fit(safe(words.words[one]), left - 10, 13)}
            </text>
            <rect pointer-events="none" x={left} y="4" width={Math.max(1, x(words.total[one]) - left)} height="12" fill="currentColor" fill-opacity="0.18" />
            <rect pointer-events="none" x={left} y="4" width={Math.max(1, x(here(one)) - left)} height="12" fill={fill(topic)} />
            <text pointer-events="none" x={x(words.total[one]) + 5} y="14" font-size="11" fill="currentColor">
              {whole(words.total[one])}
            </text>
          </g>
        ))}
      </Figure>
      {list.length === 0 && <p class="quiet">No word occurs often enough in this {noun(report)[0]}.</p>}
    </div>
  );
}

/** The topics that a word belongs to: p(topic | word), of the topics told. */
function TopicsOf({ report, words, word, onClose }: { report: Report; words: WordsPart; word: number; onClose: () => void }) {
  const [ref, width] = useWidth(440);
  const sizes = report.model.profiles.map((profile) => profile.size);
  const parts: [number, number][] = [];
  for (let i = words.topic_start[word]; i < words.topic_start[word + 1]; i++) parts.push([words.topic[i], words.value[i] * sizes[words.topic[i]]]);
  const all = parts.reduce((sum, [, part]) => sum + part, 0);
  parts.sort((a, b) => b[1] - a[1]);
  const shown = parts.slice(0, 10);
  const left = Math.min(190, Math.round(width * 0.36));
  const x = scaleLinear([0, 1], [left, width - 54]);
  return (
    <div class="panel" ref={ref}>
      <div class="head">
        <h3>“{safe(words.words[word])}” belongs to</h3>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="about">Of its {whole(words.total[word])} occurrences, the share that each {noun(report)[0]} accounts for.</p>
      <Figure width={width} height={shown.length * 22 + 4} label={`Topics of the word ${words.words[word]}`} profiles={sizes.length} interactive>
        {shown.map(([topic, part], i) => (
          <g transform={`translate(0,${i * 22})`}>
            <rect width={width} height="21" fill="transparent" {...button(title(report, topic), () => choose(topic))} />
            <text pointer-events="none" x={left - 8} y="15" text-anchor="end" font-size="13" fill="currentColor">
              {fit(safe(title(report, topic)), left - 10, 13)}
            </text>
            <rect pointer-events="none" x={left} y="4" width={Math.max(1, x(part / all) - left)} height="13" fill={fill(topic)} />
            <text pointer-events="none" x={x(part / all) + 5} y="15" font-size="11" fill="currentColor">
              {percent(part / all)}
            </text>
          </g>
        ))}
      </Figure>
    </div>
  );
}

/** The words listed now, of every topic, with their probabilities. */
function table(report: Report) {
  return {
    header: ["block", "component", "rank", "word", "probability", "occurrences", ...(report.words.some((words) => words.low) ? ["low", "high"] : [])],
    rows: report.words.flatMap((words) =>
      report.model.profiles.flatMap((_, topic) =>
        listed(words, topic).map((word, i) => {
          const at = placeOf(words, word, topic);
          const ends = words.low && words.high ? [words.low[at], words.high[at]] : [];
          return [words.name, topic + 1, i + 1, words.words[word], at < 0 ? null : words.value[at], words.total[word], ...ends];
        }),
      ),
    ),
  };
}

export function Terms({ report }: { report: Report }) {
  const [open, setOpen] = useState<[number, number] | null>(null);
  const topic = selected.value ?? 0;
  const [one] = noun(report);
  return (
    <Frame
      id="terms"
      title={`The words of ${title(report, topic)}`}
      about={`Coloured: occurrences that this ${one} accounts for; grey: all occurrences. Ordered by relevance, λ log p(word | ${one}) + (1 − λ) log lift: λ = 1 the most frequent words, λ = 0 the most peculiar ones. Click a word to see which ${one}s it belongs to.`}
      controls={
        <>
          <Choice label={one[0].toUpperCase() + one.slice(1)} value={String(topic)} options={report.model.profiles.map((_, k) => [String(k), `${k + 1}${title(report, k) === number(report, k) ? "" : ` ${safe(title(report, k))}`}`])} onChange={(v) => (selected.value = Number(v))} />
          <Choice label="Ordered by" value={ranking.value} options={[["relevance", "relevance"], ["frex", "FREX (frequent and exclusive)"]]} onChange={(v) => (ranking.value = v)} />
          <label class="choice">
            <span>
              λ = <output>{(lambda.value / 10).toFixed(1)}</output>
            </span>
            <input type="range" min="0" max="10" step="1" value={lambda.value} disabled={ranking.value === "frex"} aria-label="Relevance: from peculiar words to frequent ones" onInput={(event) => (lambda.value = Number(event.currentTarget.value))} />
          </label>
        </>
      }
      table={() => table(report)}
    >
      {open && <TopicsOf report={report} words={report.words[open[0]]} word={open[1]} onClose={() => setOpen(null)} />}
      <div class={report.words.length > 1 ? "columns" : undefined}>
        {report.words.map((words, b) => (
          <List report={report} words={words} topic={topic} word={open && open[0] === b ? open[1] : null} onWord={(word) => setOpen([b, word])} />
        ))}
      </div>
    </Frame>
  );
}
