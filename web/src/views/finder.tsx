// SPDX-License-Identifier: Apache-2.0
// One row: its shares with how sure they are, and the cells that speak loudest. Found by its id, or from the lists of
// most typical and most mixed rows, and of those that the model explains least.
import { scaleLinear } from "d3-scale";
import { useMemo } from "preact/hooks";

import { fill } from "../colour";
import type { Report, ShownRows } from "../data";
import { WHOLE } from "../data";
import { BottomAxis, button, Figure, fit, useWidth } from "../figure";
import { cut, noun, percent, safe, short, title, whole } from "../format";
import { Frame } from "../frame";
import { share, shownRows } from "../rows";
import { choose, row, selected } from "../state";
import { Swatch } from "../swatch";

const MOST_FOUND = 8;

function Found({ rows }: { rows: ShownRows }) {
  const wanted = row.value.trim().toLowerCase();
  const places = useMemo(() => {
    const out: number[] = [];
    for (let i = 0; i < rows.rows && out.length < MOST_FOUND; i++) if (rows.id[i].toLowerCase().includes(wanted)) out.push(i);
    return out;
  }, [wanted]);
  if (!wanted) return null;
  if (places.length === 0) return <p class="quiet">No row on this page has an id with “{safe(row.value)}” in it.</p>;
  return (
    <p class="small">
      <span class="quiet">Rows like that: </span>
      {places.map((place) => (
        <button type="button" class="link" onClick={() => (row.value = rows.id[place])}>
          {safe(rows.id[place])}
        </button>
      ))}
    </p>
  );
}

function Shares({ report, rows, place, detail }: { report: Report; rows: ShownRows; place: number; detail: number }) {
  const [ref, width] = useWidth(440);
  const count = report.model.profiles.length;
  const { low, high } = rows.details;
  const intervals = detail >= 0 && low !== undefined && high !== undefined;
  const order = report.model.profiles
    .map((_, k) => k)
    .sort((a, b) => share(rows, place, b) - share(rows, place, a) || a - b)
    .slice(0, 12);
  const line = 24;
  const left = Math.min(170, Math.round(width * 0.36));
  const x = scaleLinear([0, 1], [left, width - 52]);
  const height = order.length * line;
  return (
    <div ref={ref}>
      <Figure width={width} height={height + 22} label={`Shares of row ${rows.id[place]}`} profiles={count} interactive>
        <BottomAxis scale={x} at={height} from={0} ticks={4} format={(v) => percent(v)} />
        {order.map((k, i) => {
          const value = share(rows, place, k);
          return (
            <g transform={`translate(0,${i * line})`}>
              <rect width={width} height={line} fill="transparent" {...button(`${title(report, k)}: ${percent(value)}`, () => choose(k))} />
              <text pointer-events="none" x={left - 8} y="16" font-size="12.5" text-anchor="end" fill="currentColor">
                {fit(safe(title(report, k)), left - 10)}
              </text>
              <rect pointer-events="none" x={left} y="4" opacity={selected.value === null || selected.value === k ? 1 : 0.4} width={Math.max(1, x(value) - left)} height="15" fill={fill(k)} />
              {intervals && (
                <path d={`M${x(low[detail * count + k] / WHOLE)} 11.5H${x(high[detail * count + k] / WHOLE)}m0 -4v8M${x(low[detail * count + k] / WHOLE)} 7.5v8`} stroke="currentColor" stroke-width="1.6" fill="none" />
              )}
              <text pointer-events="none" x={Math.max(x(value), intervals ? x(high[detail * count + k] / WHOLE) : 0) + 6} y="16" font-size="11.5" fill="currentColor">
                {percent(value)}
              </text>
            </g>
          );
        })}
      </Figure>
      {intervals && <p class="small quiet">Whiskers: where the share lies with probability {percent(rows.details.level)}, given this row’s cells.</p>}
    </div>
  );
}

interface Driver {
  feature: string;
  cell: string;
  times: number;
  evidence: number;
  profile: number;
  speaks: number;
}

function driversOf(rows: ShownRows, detail: number): Driver[] {
  const { details } = rows;
  const out: Driver[] = [];
  if (detail < 0) return out;
  for (let i = details.driver_start[detail]; i < details.driver_start[detail + 1]; i++)
    out.push({
      feature: details.texts[details.feature[i]],
      cell: details.texts[details.cell[i]],
      times: details.times[i],
      evidence: details.evidence[i],
      profile: details.profile[i],
      speaks: details.speaks[i] / WHOLE,
    });
  return out;
}

function Drivers({ report, rows, detail }: { report: Report; rows: ShownRows; detail: number }) {
  const drivers = driversOf(rows, detail);
  if (drivers.length === 0) return <p class="quiet">What drove this row is not on the page (it is there for {whole(rows.details.rows.length)} rows).</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="What drove this row">
      <table>
        <caption>What drove it: the cells that say most</caption>
        <thead>
          <tr>
            <th scope="col">cell</th>
            <th scope="col">alone it says</th>
            <th scope="col" class="num">
              evidence, nats
            </th>
          </tr>
        </thead>
        <tbody>
          {drivers.map((driver) => (
            <tr>
              <th scope="row">
                {safe(report.words.some((words) => words.name === driver.feature) ? driver.cell : `${driver.feature} = ${driver.cell}`)}
                {driver.times !== 1 && <span class="quiet"> × {short(driver.times)}</span>}
              </th>
              <td>
                <Swatch profile={driver.profile} /> {safe(title(report, driver.profile))} <span class="quiet">({percent(driver.speaks)})</span>
              </td>
              <td class="num">{driver.evidence.toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small quiet">
        If a cell were all that is known of the row: the {noun(report)[0]} it speaks for, how probable that would be, and how far it moves opinion from the average row.
      </p>
    </div>
  );
}

function List({ name, places, rows, said }: { name: string; places: number[]; rows: ShownRows; said: (place: number) => string }) {
  return (
    <div>
      <h3>{name}</h3>
      <ul class="rows">
        {places.map((place) => (
          <li>
            <button type="button" class="link" onClick={() => (row.value = rows.id[place])}>
              {safe(cut(rows.id[place], 40))}
            </button>{" "}
            <span class="quiet">{said(place)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Finder({ report }: { report: Report }) {
  const rows = shownRows(report);
  const place = useMemo(() => rows.id.indexOf(row.value), [row.value]);
  const detail = place < 0 ? -1 : rows.details.rows.indexOf(place);
  const chosen = selected.value;
  const [one] = noun(report);
  const table = () => {
    const count = report.model.profiles.length;
    const at = rows.details;
    return {
      header: ["id", "component", "share", "low", "high"],
      rows: place < 0 ? [] : report.model.profiles.map((_, k) => [rows.id[place], k + 1, share(rows, place, k), detail >= 0 && at.low ? at.low[detail * count + k] / WHOLE : null, detail >= 0 && at.high ? at.high[detail * count + k] / WHOLE : null]),
    };
  };
  return (
    <Frame
      id="finder"
      title="Find a row"
      about={`Type an id, or take a row from the lists. ${rows.sampled < report.rows!.all ? `The page holds ${whole(rows.rows)} of ${whole(report.rows!.all)} rows.` : ""}`}
      controls={
        <label class="choice">
          <span>Row</span>
          <input type="search" id="row-search" value={row.value} onInput={(event) => (row.value = event.currentTarget.value)} placeholder="id of a row" />
        </label>
      }
      table={table}
    >
      {place >= 0 ? (
        <div class="panel" id="row-panel">
          <h3>Row {safe(rows.id[place])}</h3>
          <p class="about">
            {short(rows.observations[place])} observations; {Math.exp(rows.entropy[place]).toFixed(1)} {one}s worth;{" "}
            {rows.fit[place] >= 0
              ? `explained better than by the averages of the columns by ${rows.fit[place].toFixed(2)} nats per observation.`
              : `explained worse than by the averages of the columns, by ${(-rows.fit[place]).toFixed(2)} nats per observation.`}
          </p>
          <div class="columns">
            <Shares report={report} rows={rows} place={place} detail={detail} />
            <Drivers report={report} rows={rows} detail={detail} />
          </div>
        </div>
      ) : (
        <Found rows={rows} />
      )}
      <div class="columns three">
        <List name={chosen === null ? "Most typical" : `Most typical of ${safe(title(report, chosen))}`} places={chosen === null ? rows.typical.map((list) => list[0]).filter((at) => at !== undefined) : rows.typical[chosen]} rows={rows} said={(at) => percent(chosen === null ? Math.max(...report.model.profiles.map((_, k) => share(rows, at, k))) : share(rows, at, chosen))} />
        <List name="Most mixed" places={rows.mixed} rows={rows} said={(at) => `${Math.exp(rows.entropy[at]).toFixed(1)} ${one}s`} />
        <List name="Least gained over the baseline" places={rows.worst} rows={rows} said={(at) => `${rows.fit[at] < 0 ? "" : "+"}${rows.fit[at].toFixed(2)} nats per observation`} />
      </div>
    </Frame>
  );
}
