// SPDX-License-Identifier: Apache-2.0
// Bundles web/src into one HTML file: node build.mjs [FOLDER]. FOLDER has node_modules and gets page.html (default:
// this folder). The page's only script and style are inline and named by their SHA-256 in a Content-Security-Policy
// that allows nothing else, so neither a document nor a column name can make the page load or run anything.
import { createHash } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const LARGEST = 150_000; // bytes of script and style

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2] ?? here);
if (folder !== here) {
  await cp(path.join(here, "src"), path.join(folder, "src"), { recursive: true });
  await cp(path.join(here, "tsconfig.json"), path.join(folder, "tsconfig.json"));
}
const esbuild = createRequire(path.join(folder, "package.json"))("esbuild");

async function bundle(entry) {
  const result = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: [path.join(folder, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife", // a module would not load from file://
    target: "es2020",
    charset: "ascii", // the same bytes whatever the page is taken for
    legalComments: "none",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const [script, style] = await Promise.all([bundle("main.tsx"), bundle("style.css")]);
if (/<\/script/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own element");
const size = Buffer.byteLength(script) + Buffer.byteLength(style);
if (size > LARGEST) throw new Error(`script and style are ${size} bytes, at most ${LARGEST} are allowed`);

const template = await readFile(path.join(folder, "src", "page.html"), "utf8");
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
const page = template
  .replace("@POLICY@", () => policy)
  .replace("@STYLE@", () => style)
  .replace("@SCRIPT@", () => script);
await writeFile(path.join(folder, "page.html"), page);
console.log(`page.html: ${size} bytes of script and style`);
