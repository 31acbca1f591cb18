// SPDX-License-Identifier: Apache-2.0
// One card for every profile: a name that can be changed, how large it is, what sets it apart from the population, and
// rows that are typical of it.
import { signal } from "@preact/signals";

import { plain } from "../colour";
import type { BlockView, Report, TraitLine } from "../data";
import { download, namesToml } from "../export";
import { cut, noun, number, safe, title } from "../format";
import { Frame } from "../frame";
import { choose, names, row, selected } from "../state";
import { Swatch } from "../swatch";

/** A name of many parts may break between them. */
const breakable = (text: string) => text.split(/(?<=[_.\-/])/).map((part, i) => (i > 0 ? [<wbr />, part] : part));

/** A number may break before ± and before a bracket, nowhere else. */
const together = (text: string): string => text.replace(/ /g, "\u00a0").replace(/\u00a0(?=[±(])/g, " ");

/** A card shows so many blocks of words or tags, those that tell most about the profile, until all are asked for. */
const FEW_BLOCKS = 6;
const allBlocks = signal(false);

/** The blocks that are shown: all of them, or those that tell most, each with its most frequent words. */
function shownBlocks(blocks: BlockView[]): BlockView[] {
  const words = blocks.filter((block) => block.words.length > 0);
  if (allBlocks.value || words.length <= FEW_BLOCKS) return blocks;
  const kept = new Set([...words].sort((a, b) => (b.evidence ?? 0) - (a.evidence ?? 0)).slice(0, FEW_BLOCKS));
  return blocks.filter((block) => block.words.length === 0 || kept.has(block)).map((block) => (block.words.length > 1 ? { ...block, words: block.words.slice(0, 1) } : block));
}

function rename(profile: number, name: string): void {
  names.value = names.value.map((old, k) => (k === profile ? name.trim() : old));
}

function Trait({ line, profile }: { line: TraitLine; profile: number }) {
  const share = Math.max(0, Math.min(1, line.share ?? 0));
  return (
    <tr>
      <th scope="row">
        {breakable(safe(line.trait))}
        {line.title && <span class="question">{safe(cut(line.title, 90))}</span>}
      </th>
      <td class="num">
        {together(safe(line.here))}
        <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width="100" height="4" fill="currentColor" fill-opacity="0.12" />
          <rect width={100 * share} height="4" fill={plain(profile)} />
        </svg>
      </td>
      <td class="num quiet">{together(safe(line.population))}</td>
      <td class="num">{together(safe(line.difference))}</td>
    </tr>
  );
}

function Block({ block, profile, several }: { block: BlockView; profile: number; several: boolean }) {
  return (
    <div>
      {several && <h4>{safe(block.name)}</h4>}
      {block.words.map((line) => (
        <p class="words">
          <span class="quiet">{line.ranking}</span> {line.words.map(safe).join(" · ")}
        </p>
      ))}
      {block.traits.length > 0 && (
        <table class="traits">
          <thead>
            <tr>
              <th scope="col">{block.heading}</th>
              <th scope="col" class="num">
                here
              </th>
              <th scope="col" class="num">
                all
              </th>
              <th scope="col" class="num">
                {block.difference}
              </th>
            </tr>
          </thead>
          <tbody>
            {block.traits.map((line) => (
              <Trait line={line} profile={profile} />
            ))}
          </tbody>
        </table>
      )}
      {block.rest && <p class="quiet small">{safe(block.rest)}.</p>}
    </div>
  );
}

function Card({ report, profile }: { report: Report; profile: number }) {
  const one = report.model.profiles[profile];
  const typical = report.rows?.typical?.[profile] ?? [];
  const blocks = shownBlocks(one.blocks);
  return (
    <article class={selected.value === profile ? "card chosen" : "card"} aria-label={title(report, profile)}>
      <h3>
        <button type="button" class="plain" aria-pressed={selected.value === profile} onClick={() => choose(profile)}>
          <Swatch profile={profile} /> {number(report, profile)}
        </button>
      </h3>
      <label class="name">
        <span class="visually-hidden">Name of {number(report, profile).toLowerCase()}</span>
        <input type="text" value={names.value[profile]} placeholder="Give it a name" maxLength={200} onChange={(event) => rename(profile, event.currentTarget.value)} />
      </label>
      <p class="size">{safe(one.said)}</p>
      {blocks.map((block) => (
        <Block block={block} profile={profile} several={one.blocks.length > 1} />
      ))}
      {blocks.length < one.blocks.length && (
        <p class="quiet small">
          The {blocks.length} of {one.blocks.length} blocks that tell most about it, with their most frequent entries.
        </p>
      )}
      {typical.length > 0 && (
        <p class="small">
          <span class="quiet">Most typical rows </span>
          {typical.map((place) => (
            <button type="button" class="link" onClick={() => showRow(report.rows!.id![place])}>
              {safe(report.rows!.id![place])}
            </button>
          ))}
        </p>
      )}
    </article>
  );
}

/** Opens a row in the finder. */
export function showRow(id: string): void {
  row.value = id;
  document.getElementById("finder")?.scrollIntoView();
}

export function Cards({ report }: { report: Report }) {
  const [one, many] = noun(report);
  const shownFirst = selected.value;
  const blocksOfWords = report.model.profiles[0].blocks.filter((block) => block.words.length > 0).length;
  const order = report.model.profiles.map((_, k) => k);
  if (shownFirst !== null) order.sort((a, b) => Number(b === shownFirst) - Number(a === shownFirst) || a - b);
  const table = () => ({
    header: [one, "name", "size", "block", "list", "entry", "here", "population", "difference"],
    rows: report.model.profiles.flatMap((profile, k) =>
      profile.blocks.flatMap((block) => [
        ...block.traits.map((line) => [k + 1, names.value[k], profile.size, block.name, "distinctive", line.trait, line.here, line.population, line.difference]),
        ...block.words.flatMap((line) => line.words.map((word) => [k + 1, names.value[k], profile.size, block.name, line.ranking, word, "", "", ""])),
      ]),
    ),
  });
  return (
    <Frame
      id="profiles"
      title={`The ${many}`}
      about={
        <>
          What sets each {one} apart, most telling first. {report.model.legend.map(safe).join(" ")} Names you type here are used all over the page; download
          them to keep them.
        </>
      }
      controls={
        <>
          <button type="button" onClick={() => download("names.toml", namesToml(names.value), "application/toml")} disabled={names.value.every((name) => !name)}>
            Download names
          </button>
          {blocksOfWords > FEW_BLOCKS && (
            <button type="button" aria-pressed={allBlocks.value} onClick={() => (allBlocks.value = !allBlocks.value)}>
              {allBlocks.value ? "Show the most telling blocks" : `Show all ${blocksOfWords} blocks`}
            </button>
          )}
        </>
      }
      table={table}
      figure={false}
    >
      <div class="cards">
        {order.map((k) => (
          <Card key={k} report={report} profile={k} />
        ))}
      </div>
    </Frame>
  );
}
