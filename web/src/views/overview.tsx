// SPDX-License-Identifier: Apache-2.0
// The first look: what was fitted to what, whether it can be trusted, in words, and how large the profiles are.
import { scaleLinear } from "d3-scale";

import { fill } from "../colour";
import type { Light, Report } from "../data";
import { button, Figure, fit, useWidth } from "../figure";
import { noun, percent, safe, title, whole } from "../format";
import { Frame } from "../frame";
import { choose, selected } from "../state";

const WORDS: Record<Light["state"], string> = { good: "Good", fair: "Look", poor: "Act", unknown: "Not known" };

function Mark({ state }: { state: Light["state"] }) {
  return (
    <svg class={`mark ${state}`} width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      {state === "good" && <circle cx="9" cy="9" r="8" />}
      {state === "fair" && <path d="M9 1 L17 16 H1 Z" />}
      {state === "poor" && <rect x="2" y="2" width="14" height="14" />}
      {state === "unknown" && <circle cx="9" cy="9" r="7" />}
    </svg>
  );
}

function Lights({ report }: { report: Report }) {
  return (
    <ul class="lights">
      {report.lights.map((light) => (
        <li>
          <Mark state={light.state} />
          <div>
            <strong>
              {light.question} <span class={`word ${light.state}`}>{WORDS[light.state]}</span>
            </strong>
            <p>{safe(light.answer)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Sizes({ report }: { report: Report }) {
  const [ref, width] = useWidth();
  const profiles = report.model.profiles;
  const line = profiles.length > 12 ? 20 : 26;
  const left = Math.min(220, Math.round(width * 0.36));
  const x = scaleLinear([0, Math.max(...profiles.map((profile) => profile.size))], [0, width - left - 60]);
  return (
    <div ref={ref}>
      <Figure width={width} height={profiles.length * line + 6} label="Size of each, as a share of all memberships" profiles={profiles.length} interactive>
        {profiles.map((profile, k) => (
          <g transform={`translate(0,${k * line + 3})`}>
            <rect width={width} height={line} fill="transparent" {...button(`${title(report, k)}, ${percent(profile.size)}`, () => choose(k))} />
            <text pointer-events="none" x={left - 8} y={line / 2 + 4} text-anchor="end" font-size="13" fill="currentColor">
              {fit(safe(title(report, k)), left - 10, 13)}
            </text>
            <rect pointer-events="none" x={left} y="3" opacity={selected.value === null || selected.value === k ? 1 : 0.35} width={Math.max(1, x(profile.size))} height={line - 6} rx="2" fill={fill(k)} />
            <text pointer-events="none" x={left + x(profile.size) + 6} y={line / 2 + 4} font-size="12" fill="currentColor">
              {percent(profile.size)}
            </text>
          </g>
        ))}
      </Figure>
    </div>
  );
}

export function Overview({ report }: { report: Report }) {
  const [one, many] = noun(report);
  const rows = report.rows;
  const table = () => ({
    header: [one, "name", "size"],
    rows: report.model.profiles.map((profile, k) => [k + 1, title(report, k), profile.size]),
  });
  return (
    <>
      <section id="overview" class="hero" aria-labelledby="overview-title">
        <h1 id="overview-title" tabIndex={-1}>
          {safe(report.title)}
        </h1>
        <p class="lead">{safe(report.model.headline)}.</p>
        <Lights report={report} />
        <dl class="facts">
          {report.model.facts.map((fact) => (
            <div>
              <dt>{fact.name}</dt>
              <dd>{safe(fact.value)}</dd>
            </div>
          ))}
          {rows && (
            <div>
              <dt>{report.model.noun}s in a row</dt>
              <dd>{rows.profiles_per_row.toFixed(1)} on average</dd>
            </div>
          )}
        </dl>
        {rows?.shown && rows.sampled! < rows.all && (
          <p class="note">
            The page shows a sample of {whole(rows.sampled!)} of {whole(rows.all)} rows, evenly spread over the {many}. Sizes, counts and tables
            are of all rows.
          </p>
        )}
      </section>
      <Frame
        id="sizes"
        title={`How large each ${one} is`}
        about={`Share of all memberships. A ${one} keeps its number and colour everywhere on this page; click one to follow it.`}
        table={table}
      >
        <Sizes report={report} />
      </Frame>
    </>
  );
}
