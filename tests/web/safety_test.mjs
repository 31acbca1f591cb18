// SPDX-License-Identifier: Apache-2.0
// Words, ids and column names are other people's text: they may look like markup, and do nothing. Rows that are left out
// are not in the file. A large file stays small.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";

import { corpus, embedded, file, medley, open, random, report, VOTES, write } from "./support.mjs";

medley("fit", VOTES, "--ignore", "party", "--k", 2, "-o", file("votes.medley"), "--quiet");

const EVIL = "</script><img src=x onerror=alert(1)>";

test("a corpus whose words are markup does nothing but show them", async () => {
  const docs = corpus("evil.ldac", { strange: [EVIL, "<svg/onload=alert(2)>", "@MEDLEY_DATA@", "javascript:alert(3)"] });
  medley("fit", docs, "--k", 2, "-o", file("evil.medley"), "--quiet");
  const made = report("evil.html", file("evil.medley"), docs, "--title", `${EVIL}<b>title</b>`);
  const text = readFileSync(made, "utf8");
  assert.equal(text.includes("onerror"), false);
  assert.equal(text.match(/<script/g).length, 2);
  const page = await open(made);
  await page.locator("#terms input[type=range]").fill("10");
  assert.ok((await page.words()).some((word) => word.startsWith("</script>")), "the word itself is shown");
  assert.equal(await page.locator("main img, main script, main b").count(), 0);
  assert.equal(await page.textContent("h1"), `${EVIL}<b>title</b>`);
  page.quiet();
  await page.done();
});

test("a column, a level and an id that are markup do nothing but show", async () => {
  const draw = random(3);
  const lines = ['who,"""><b>",q2,q3,"<img src=x onerror=alert(5)>"'];
  for (let i = 0; i < 120; i++) {
    const group = i % 2;
    const answer = () => (draw() < (group ? 0.9 : 0.1) ? `"<i onclick=alert(4)>yes"` : "no");
    lines.push(`"<script>alert(${i})</script>",${answer()},${answer()},${answer()},g${group}`);
  }
  const data = write("evil.csv", lines.join("\n") + "\n");
  medley("fit", data, "--id", "who", "--ignore", "<img src=x onerror=alert(5)>", "--k", 2, "-o", file("table.medley"), "--quiet");
  const page = await open(report("table.html", file("table.medley"), data, "--id", "who"));
  assert.match(await page.textContent("#heat-map"), /"><b>/);
  assert.equal(await page.textContent("#groups h2"), "Groups: <img src=x onerror=alert(5)>");
  await page.fill("#row-search", "<script>alert(7)</script>");
  assert.match(await page.textContent("#row-panel h3"), /<script>alert\(7\)<\/script>/);
  assert.equal(await page.locator("main img, main script, main b, main i").count(), 0);
  page.quiet();
  await page.done();
});

test("a script that got into the page would be refused by its policy", async () => {
  const made = report("votes.html", file("votes.medley"), VOTES);
  write("broken.html", readFileSync(made, "utf8").replace("</body>", "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'></body>"));
  const page = await open(file("broken.html"));
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.throws(() => page.quiet(), /Content Security Policy/); // so quiet() does notice
  await page.done();
});

test("--no-rows leaves nothing of a single row in the file", async () => {
  const lines = readFileSync(VOTES, "utf8").trim().split("\n");
  const data = write("members.csv", lines.map((line, i) => `${i === 0 ? "member" : `member-${i}`},${line}`).join("\n") + "\n");
  const made = report("private.html", file("votes.medley"), data, "--id", "member", "--no-rows", "--by", "party");
  const json = embedded(made);
  assert.equal(JSON.stringify(json).includes("member-"), false);
  assert.equal(json.rows.shown, false);
  for (const field of ["id", "share", "map", "details", "typical"]) assert.equal(json.rows[field], undefined);
  assert.equal(json.groups[0].groups.length, 2); // of 267 and 168 rows
  const page = await open(made);
  assert.ok(!(await page.ids()).includes("finder"));
  assert.match(await page.textContent("footer"), /Rows were left out on purpose/);
  page.quiet();
  await page.done();
  const few = embedded(report("few.html", file("votes.medley"), VOTES, "--no-rows", "--by", "party", "--min-cell", 200));
  assert.deepEqual(few.groups[0].groups.map((group) => group.group), ["democrat"]);
  assert.equal(few.groups[0].left_out, 1);
});

test("100,000 rows and 20 profiles: under 5 MB, a labelled sample beside aggregates of all", async () => {
  const draw = random(11);
  const columns = [...Array(24).keys()];
  const profiles = [...Array(20).keys()].map(() => columns.map(() => (draw() < 0.5 ? 0.1 : 0.9)));
  const lines = [columns.map((c) => `q${c}`).join(",") + ",region"];
  for (let i = 0; i < 100000; i++) {
    const one = profiles[Math.floor(draw() * 20)];
    lines.push(columns.map((c) => (draw() < one[c] ? "y" : "n")).join(",") + `,r${i % 5}`);
  }
  write("few.csv", lines.slice(0, 2001).join("\n") + "\n");
  const data = write("many.csv", lines.join("\n") + "\n");
  medley("fit", file("few.csv"), "--ignore", "region", "--inference", "standard", "--k", 20, "--max-iterations", 5, "-o", file("many.medley"), "--quiet");
  const made = report("many.html", file("many.medley"), data, "--by", "region");
  const size = statSync(made).size;
  assert.ok(size < 5e6, `${size} bytes`);
  const json = embedded(made);
  assert.equal(json.rows.all, 100000);
  assert.equal(json.rows.sampled, 20000);
  assert.equal(json.rows.top_of_rows.reduce((sum, value) => sum + value, 0), 100000);
  const began = Date.now();
  const page = await open(made);
  console.log(`100,000 rows, K = 20: ${size} bytes, opened in ${Date.now() - began} ms`);
  assert.match(await page.textContent("#overview .note"), /a sample of 20,000 of 100,000 rows/);
  page.quiet();
  await page.done();
});
