// SPDX-License-Identifier: Apache-2.0
// What a reader takes away: a figure as SVG, the numbers behind it as CSV, names as TOML. All made here, from what the
// page holds; nothing is sent anywhere.

export type Cell = string | number | null | undefined;
export interface Table {
  header: string[];
  rows: Cell[][];
}

export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function field(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return isFinite(cell) ? String(cell) : "";
  return /[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell;
}

export const csv = (table: Table): string =>
  [table.header, ...table.rows].map((cells) => cells.map(field).join(",")).join("\n") + "\n";

/** A figure that stands alone: its own size, colours for paper. */
export function svgText(figure: SVGSVGElement): string {
  const copy = figure.cloneNode(true) as SVGSVGElement;
  const { width, height } = figure.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("color", "#1a1a1a");
  copy.setAttribute("font-family", "system-ui, sans-serif");
  copy.setAttribute("font-size", "12");
  for (const element of copy.querySelectorAll("[tabindex],[class]")) {
    element.removeAttribute("tabindex");
    element.removeAttribute("class");
  }
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", String(width));
  paper.setAttribute("height", String(height));
  paper.setAttribute("fill", "#ffffff");
  copy.insertBefore(paper, copy.firstChild);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** A basic TOML string. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"\u0000-\u001f\u007f]/g, (c) => (c === "\\" || c === '"' ? `\\${c}` : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`))}"`;

export const namesToml = (names: string[]): string =>
  `# Names for medley report --names and medley name --names\n[names]\n${names
    .map((name, k) => (name ? `${k + 1} = ${quoted(name)}\n` : ""))
    .join("")}`;
