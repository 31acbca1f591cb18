// SPDX-License-Identifier: Apache-2.0
// How the fit went: the bound after every iteration of every start; of a sampled model the chains, with R-hat and
// effective sample sizes.
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { useState } from "preact/hooks";

import { plain } from "../colour";
import type { Chains, Line, Quantity, Report } from "../data";
import { BottomAxis, Figure, LeftAxis, useWidth } from "../figure";
import { percent, safe, short, whole } from "../format";
import { Choice, Frame } from "../frame";

const DASHES = ["", "6 3", "2 3", "8 3 2 3"];

function Lines({ lines, best, label, across }: { lines: Line[]; best: number | null; label: string; across: string }) {
  const [ref, width] = useWidth();
  const height = 240;
  const values = lines.flatMap((one) => one.value.filter((value): value is number => value !== null)).sort((a, b) => a - b);
  // the first steps fall far below the rest: they may leave the picture at its foot
  const low = best === null ? values[0] : values[Math.floor(values.length * 0.03)];
  const x = scaleLinear([1, Math.max(2, ...lines.map((one) => one.at[one.at.length - 1] ?? 1))], [78, width - 12]);
  const y = scaleLinear(extent([low, ...values.slice(-1)]) as [number, number], [height - 36, 10]).nice().clamp(true);
  return (
    <div ref={ref}>
      <Figure width={width} height={height} label={label}>
        <LeftAxis scale={y} at={74} from={width - 8} ticks={5} format={short} />
        <BottomAxis scale={x} at={height - 34} from={10} ticks={6} format={short} />
        <text x={(74 + width) / 2} y={height - 4} font-size="11" text-anchor="middle" fill="currentColor">
          {across}
        </text>
        {lines.map((one, i) => {
          const points = one.at.map((at, j): [number, number | null] => [at, one.value[j]]).filter((point): point is [number, number] => point[1] !== null);
          const path = line()
            .x((point) => x(point[0]))
            .y((point) => y(point[1]))(points);
          const main = best === null || i === best;
          return <path d={path ?? ""} fill="none" stroke={best === null ? plain(i) : main ? "#c94a00" : "currentColor"} stroke-width={best === null ? 1.2 : main ? 2.4 : 1.2} stroke-opacity={main ? 0.95 : 0.45} stroke-dasharray={best === null ? DASHES[i % 4] : ""} />;
        })}
      </Figure>
    </div>
  );
}

function Quantities({ caption, list, chains }: { caption: string; list: Quantity[]; chains: Chains }) {
  const bad = (one: Quantity): boolean => (one.rhat ?? 0) >= chains.rhat_limit || Math.min(one.ess_bulk ?? Infinity, one.ess_tail ?? Infinity) < chains.ess_limit;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {["", "mean", "5 %", "95 %", "R-hat", "ESS bulk", "ESS tail", "verdict"].map((name) => (
              <th scope="col" class={name && name !== "verdict" ? "num" : undefined}>
                {name || "what"}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.slice(0, 24).map((one) => (
            <tr>
              <th scope="row">{safe(one.name)}</th>
              <td class="num">{short(one.mean)}</td>
              <td class="num">{short(one.low)}</td>
              <td class="num">{short(one.high)}</td>
              <td class="num">{one.rhat?.toFixed(3) ?? "–"}</td>
              <td class="num">{one.ess_bulk === null ? "–" : whole(one.ess_bulk)}</td>
              <td class="num">{one.ess_tail === null ? "–" : whole(one.ess_tail)}</td>
              <td>{one.rhat === null ? "never changed" : bad(one) ? "look" : "fine"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Sampled({ chains }: { chains: Chains }) {
  const [place, setPlace] = useState(0);
  const trace = chains.traces[place];
  return (
    <>
      <p class="about">
        {chains.chains} chains, each with a burn-in of {whole(chains.burn_in)} sweeps and {whole(chains.sweeps)} after it; {whole(chains.draws)} draws kept. Chains that have mixed
        look alike: the same level, the same spread, no drift. R-hat should be below {chains.rhat_limit}, effective sample sizes at least {chains.ess_limit}.
      </p>
      {trace && (
        <>
          <div class="controls">
            <Choice label="Followed" value={String(place)} options={chains.traces.map((one, i): [string, string] => [String(i), safe(one.name)])} onChange={(v) => setPlace(Number(v))} />
          </div>
          <Lines lines={trace.chains} best={null} label={`Trace of ${trace.name}, a line for each chain`} across="sweep" />
        </>
      )}
      {chains.clusters.length > 0 && <p>Clusters, share of the draws: {chains.clusters.filter((one) => one.share >= 0.005).map((one) => `${one.k}: ${percent(one.share)}`).join(", ")}.</p>}
      <Quantities caption="The same whatever profiles are called" list={chains.quantities} chains={chains} />
      {chains.parameters.length > 0 && <Quantities caption={`Parameters with the largest R-hat, of ${whole(chains.all_parameters)}`} list={chains.parameters} chains={chains} />}
    </>
  );
}

export function Course({ report }: { report: Report }) {
  const { restarts, best, chains } = report.course;
  const table = () =>
    chains
      ? {
          header: ["what", "mean", "sd", "low", "high", "rhat", "ess_bulk", "ess_tail", "mcse"],
          rows: [...chains.quantities, ...chains.parameters].map((one) => [one.name, one.mean, one.sd, one.low, one.high, one.rhat, one.ess_bulk, one.ess_tail, one.mcse]),
        }
      : { header: ["start", "iteration", "bound"], rows: restarts.flatMap((one, i) => one.at.map((at, j) => [i + 1, at, one.value[j]])) };
  return (
    <Frame id="diagnostics" title={chains ? "The chains" : "How the fit went"} table={table}>
      {chains ? (
        <Sampled chains={chains} />
      ) : (
        <>
          <p class="about">
            The (penalised) bound after each iteration, a line for every start{restarts.length > 1 ? `; the thick one, start ${best + 1}, was kept` : ""}. Lines that end at the same
            height have found the same solution.
          </p>
          <Lines lines={restarts} best={best} label="The bound after each iteration" across="iteration" />
          {restarts.length > 1 && <p class="small">{restarts.map((one, i) => `Start ${i + 1}: ${short(one.value[one.value.length - 1])} after ${one.iterations} iterations (${one.ending})`).join("; ")}.</p>}
        </>
      )}
    </Frame>
  );
}
