// SPDX-License-Identifier: Apache-2.0
// What the tests beside this file share: the program medley in a temporary folder, small data made here, and a Chromium
// that notes everything a page complains of or asks the network for.
//
// Environment: MEDLEY the program, MEDLEY_WEB the folder with node_modules, CHROMIUM the browser, DATA the bundled data.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { gunzipSync } from "node:zlib";

export const require = createRequire(path.join(process.env.MEDLEY_WEB, "package.json"));
const { chromium } = require("playwright-core");

export const VOTES = path.join(process.env.DATA, "house-votes-1984.csv");

export const folder = mkdtempSync(path.join(os.tmpdir(), "medley-web-"));
export const file = (name) => path.join(folder, name);
export const write = (name, text) => {
  writeFileSync(file(name), text);
  return file(name);
};

export const medley = (...words) =>
  execFileSync(process.env.MEDLEY, words.map(String), { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });

/** A page made by the program; its path. */
export function report(name, ...words) {
  medley("report", ...words, "-o", file(name));
  return file(name);
}

/** Random numbers that are the same every time (mulberry32). */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Documents about one of three themes, or two, with words that all share; in LDA-C, with its vocabulary. */
export function corpus(name, { documents = 150, seed = 5, strange = [] } = {}) {
  const draw = random(seed);
  const themes = [["ball", "team", "goal", "match", "coach", "league"], ["bank", "stock", "price", "market", "trade", "loan"], ["cell", "gene", "virus", "drug", "trial", "patient"]];
  const common = ["the", "year", "new", "people", "said"];
  const words = [...themes.flat(), ...common, ...strange];
  const lines = [];
  for (let d = 0; d < documents; d++) {
    const theme = d % 3;
    const other = draw() < 0.3 ? Math.floor(draw() * 3) : theme;
    const counts = new Map();
    for (let i = 0; i < 40; i++) {
      const from = draw() < 0.35 ? [...common, ...strange] : themes[draw() < 0.8 ? theme : other];
      const id = words.indexOf(from[Math.floor(draw() ** 1.6 * from.length)]);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    lines.push(`${counts.size} ${[...counts].sort((a, b) => a[0] - b[0]).map(([id, n]) => `${id}:${n}`).join(" ")}`);
  }
  write(name.replace(".ldac", "_vocab.txt"), words.join("\n") + "\n");
  return write(name, lines.join("\n") + "\n");
}

/** Lines of a CSV text as objects. */
export function parsed(text) {
  const cells = (line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => (m[1] !== undefined ? m[1].replace(/""/g, '"') : m[2]));
  const [header, ...lines] = text.trim().split("\n").map(cells);
  return lines.map((line) => Object.fromEntries(header.map((name, i) => [name, line[i]])));
}

/** The data that a page carries, as JSON without its arrays. */
export function embedded(page) {
  const packed = /id="medley-data">([^<]*)</.exec(readFileSync(page, "utf8"))[1];
  const bytes = gunzipSync(Buffer.from(packed, "base64"));
  return JSON.parse(bytes.subarray(4, 4 + bytes.readUInt32LE(0)).toString("utf8"));
}

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page from its file. `quiet()` fails if it complained or asked for anything but itself. */
export async function open(page, { hash = "", width = 1280, scheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, acceptDownloads: true });
  const tab = await context.newPage();
  const complaints = [];
  tab.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  tab.on("pageerror", (error) => complaints.push(error.message));
  tab.on("dialog", (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  tab.on("request", (request) => {
    if (request.url().split("#")[0] !== `file://${page}` && !request.url().startsWith("blob:")) complaints.push(`request ${request.url()}`);
  });
  await tab.goto(`file://${page}${hash}`);
  await tab.waitForSelector("h1");
  return Object.assign(tab, {
    quiet: () => assert.deepEqual(complaints, []),
    ids: () => tab.$$eval("main section", (sections) => sections.map((section) => section.id)),
    words: () => tab.$$eval("#terms .word-label", (labels) => labels.map((label) => label.textContent)),
    /** Serious faults of accessibility. axe is evaluated from outside: the page's own policy would refuse another script. */
    faults: async () => {
      await tab.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
      const serious = async () => (await window.axe.run()).violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
      return tab.evaluate(serious);
    },
    /** Text of what a button of a view downloads. */
    saved: async (view, kind) => {
      const [download] = await Promise.all([tab.waitForEvent("download"), tab.click(`#${view} .tools button:text-is("${kind}")`)]);
      return readFileSync(await download.path(), "utf8");
    },
    done: () => context.close(),
  });
}
