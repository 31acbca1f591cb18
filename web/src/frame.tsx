// SPDX-License-Identifier: Apache-2.0
// What every view has: a heading, a sentence that says how to read it, its controls, and the way out: the figure as SVG,
// the numbers as CSV, and the same numbers as a table for those who would rather read than look.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

import { csv, download, svgText, type Cell, type Table } from "./export";
import { safe, short } from "./format";

const MOST_LINES = 200;

const shown = (cell: Cell): string => (typeof cell === "number" ? short(cell) : safe(cell ?? ""));

function TableView({ table, caption }: { table: Table; caption: string }) {
  const rest = table.rows.length - MOST_LINES;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${caption}, as a table`}>
      <table>
        <thead>
          <tr>
            {table.header.map((name) => (
              <th scope="col">{safe(name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, MOST_LINES).map((cells) => (
            <tr>
              {cells.map((cell) => (
                <td class={typeof cell === "number" ? "num" : undefined}>{shown(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p class="quiet">… and {rest} more lines; the CSV has them all.</p>}
    </div>
  );
}

export interface FrameProps {
  id: string;
  title: string;
  about?: ComponentChildren;
  controls?: ComponentChildren;
  table?: () => Table;
  figure?: boolean; // false: there is nothing to save as SVG
  children: ComponentChildren;
}

export function Frame({ id, title, about, controls, table, figure = true, children }: FrameProps) {
  const body = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const save = () => {
    const drawn = [...(body.current?.querySelectorAll<SVGSVGElement>("svg.figure") ?? [])];
    drawn.forEach((one, i) => download(`${id}${i > 0 ? `-${i + 1}` : ""}.svg`, svgText(one), "image/svg+xml"));
  };
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <div class="head">
        <h2 id={`${id}-title`}>{title}</h2>
        <div class="tools">
          {figure && (
            <button type="button" onClick={save} aria-label={`Save “${title}” as SVG`}>
              SVG
            </button>
          )}
          {table && (
            <button type="button" onClick={() => download(`${id}.csv`, csv(table()), "text/csv")} aria-label={`Save “${title}” as CSV`}>
              CSV
            </button>
          )}
          {table && (
            <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} aria-label={`“${title}” as a table`}>
              Table
            </button>
          )}
        </div>
      </div>
      {about && <p class="about">{about}</p>}
      {controls && <div class="controls">{controls}</div>}
      <div ref={body}>{children}</div>
      {open && table && <TableView table={table()} caption={title} />}
    </section>
  );
}

/** A choice of a few, as a list to pull down. */
export function Choice<T extends string>(props: { label: string; value: T; options: [T, string][]; onChange: (value: T) => void }) {
  return (
    <label class="choice">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value as T)}>
        {props.options.map(([value, text]) => (
          <option value={value} selected={value === props.value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
