// SPDX-License-Identifier: Apache-2.0
// The page: which views there are for this report, the way to them, and the profiles as a row of buttons that stays in
// sight and that all views follow.
import type { JSX } from "preact";

import type { Report } from "./data";
import { noun, number, numbered, percent, safe, title } from "./format";
import { choose, selected } from "./state";
import { Swatch } from "./swatch";
import { Bars } from "./views/bars";
import { Cards } from "./views/cards";
import { ChooseK } from "./views/choose_k";
import { Classes } from "./views/classes";
import { Course } from "./views/course";
import { Finder } from "./views/finder";
import { GroupMeans } from "./views/group_means";
import { HeatMap } from "./views/heat_map";
import { Methods } from "./views/methods";
import { Overview } from "./views/overview";
import { Relations } from "./views/relations";
import { RowMap } from "./views/row_map";
import { Terms } from "./views/terms";

interface View {
  id: string;
  name: string;
  show: boolean;
  view: (props: { report: Report }) => JSX.Element | null;
}

function views(report: Report): View[] {
  const rows = report.rows?.shown === true;
  const [, many] = noun(report);
  return [
    { id: "overview", name: "Overview", show: true, view: Overview },
    { id: "profiles", name: many[0].toUpperCase() + many.slice(1), show: true, view: Cards },
    { id: "heat-map", name: "Heat map", show: report.blocks.length > 0, view: HeatMap },
    { id: "terms", name: "Terms", show: report.words.length > 0, view: Terms },
    { id: "rows", name: "Memberships", show: rows, view: Bars },
    { id: "groups", name: "Groups", show: (report.groups?.length ?? 0) > 0, view: GroupMeans },
    { id: "map", name: "Map", show: rows && report.model.profiles.length > 1, view: RowMap },
    { id: "relations", name: "Relations", show: report.model.profiles.length > 1, view: Relations },
    { id: "choose-k", name: "Choosing K", show: report.selection !== undefined, view: ChooseK },
    { id: "diagnostics", name: "Diagnostics", show: report.course.restarts.length > 0 || report.course.chains !== undefined, view: Course },
    { id: "classes", name: "Classes", show: report.label !== undefined, view: Classes },
    { id: "finder", name: "Find a row", show: rows, view: Finder },
    { id: "methods", name: "Methods", show: true, view: Methods },
  ].filter((view) => view.show);
}

function Chips({ report }: { report: Report }) {
  const [one] = noun(report);
  return (
    <div class="chips" role="group" aria-label={`Choose a ${one}`}>
      {report.model.profiles.map((profile, k) => (
        <button type="button" class="chip" aria-pressed={selected.value === k} onClick={() => choose(k)} title={`${title(report, k)}: ${percent(profile.size)}`}>
          <Swatch profile={k} />
          <span>{safe(numbered(k))}</span>
        </button>
      ))}
      {selected.value !== null && (
        <button type="button" class="chip clear" onClick={() => (selected.value = null)}>
          Show all
        </button>
      )}
      <span class="visually-hidden" aria-live="polite">
        {selected.value === null ? `All ${one}s` : `${number(report, selected.value)} is chosen`}
      </span>
    </div>
  );
}

export function Page({ report }: { report: Report }) {
  const all = views(report);
  return (
    <>
      <a class="skip" href="#overview" onClick={(event) => jump(event, "overview")}>
        Skip to the report
      </a>
      <header>
        <nav aria-label="Views">
          <ul>
            {all.map((view) => (
              <li>
                <a href={`#${view.id}`} onClick={(event) => jump(event, view.id)}>
                  {view.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Chips report={report} />
      </header>
      <main tabIndex={-1}>
        {all.map(({ id, view: Shown }) => (
          <Shown key={id} report={report} />
        ))}
      </main>
      <footer>
        <p>
          Made by medley {report.medley}. This file is all there is: it loads nothing and sends nothing.
          {report.no_rows && " Rows were left out on purpose."}
        </p>
      </footer>
    </>
  );
}

/** The part behind # holds the state of the page, so links scroll by themselves. */
function jump(event: Event, id: string): void {
  event.preventDefault();
  const section = document.getElementById(id);
  section?.scrollIntoView();
  section?.querySelector<HTMLElement>("h1, h2")?.focus({ preventScroll: true });
}
