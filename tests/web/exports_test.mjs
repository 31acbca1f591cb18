// SPDX-License-Identifier: Apache-2.0
// What a reader takes away is right: CSV against the program's own tables, SVG as a figure of its own, names that come
// back.
import assert from "node:assert/strict";
import { test } from "node:test";

import { corpus, file, medley, open, parsed, report, VOTES, write } from "./support.mjs";

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

medley("fit", VOTES, "--ignore", "party", "--k", 3, "-o", file("votes.medley"), "--quiet");
const votes = report("votes.html", file("votes.medley"), VOTES);
const docs = corpus("docs.ldac");
medley("fit", docs, "--k", 3, "-o", file("topics.medley"), "--quiet");
const topics = report("topics.html", file("topics.medley"), docs);

test("the heat map's CSV is that of inspect", async () => {
  const page = await open(votes);
  const saved = parsed(await page.saved("heat-map", "CSV"));
  const told = parsed(medley("inspect", file("votes.medley"), "--format", "csv"));
  assert.equal(saved.length, told.length);
  told.forEach((line, i) => {
    for (const name of ["block", "feature", "level", "component"]) assert.equal(saved[i][name], line[name]);
    for (const name of ["population", "probability"]) near(Number(saved[i][name]), Number(line[name]), 1e-6);
    near(Number(saved[i].lift), Number(line.lift), 1e-5 * Number(line.lift));
  });
  page.quiet();
  await page.done();
});

test("the memberships' CSV is that of transform", async () => {
  const page = await open(votes);
  const saved = parsed(await page.saved("rows", "CSV"));
  const told = parsed(medley("transform", file("votes.medley"), VOTES));
  assert.equal(saved.length, 435);
  told.forEach((line, i) => {
    assert.equal(saved[i].id, line.id);
    for (let k = 1; k <= 3; k++) near(Number(saved[i][`component_${k}`]), Number(line[`component_${k}`]), 2e-5);
  });
  await page.done();
});

test("the groups' CSV is that of groups", async () => {
  const page = await open(votes);
  const saved = parsed(await page.saved("groups", "CSV")).filter((line) => line.by === "party");
  const told = JSON.parse(medley("groups", file("votes.medley"), VOTES, "--by", "party", "--json"));
  assert.equal(saved.length, 6);
  told.groups.forEach((group, g) =>
    group.profiles.forEach((profile, k) => {
      const line = saved[g * 3 + k];
      assert.equal(line.group, group.group);
      near(Number(line.mean), profile.mean, 1e-12);
      near(Number(line.low), profile.low, 1e-12);
      near(Number(line.high), profile.high, 1e-12);
    }),
  );
  await page.done();
});

test("every view with a figure saves it as an SVG that stands alone", async () => {
  const page = await open(votes);
  for (const view of ["sizes", "heat-map", "rows", "groups", "map", "relations", "diagnostics"]) {
    const text = await page.saved(view, "SVG");
    const flaw = await page.evaluate((svg) => {
      const document = new DOMParser().parseFromString(svg, "image/svg+xml");
      if (document.querySelector("parsererror")) return "no XML";
      const root = document.documentElement;
      return root.localName !== "svg" || !(Number(root.getAttribute("width")) > 200) || svg.includes("var(") ? "no figure" : "";
    }, text);
    assert.equal(flaw, "", view);
  }
  // the heat map has a cell for every profile and the population: 16 questions
  const cells = (await page.saved("heat-map", "SVG")).match(/<title>[^<]*: [^<]* in /g);
  assert.equal(cells.length, 16 * 4);
  page.quiet();
  await page.done();
});

test("every view with numbers shows them as a table", async () => {
  const page = await open(votes);
  for (const view of ["sizes", "profiles", "heat-map", "rows", "groups", "map", "relations", "diagnostics"]) {
    await page.click(`#${view} .tools button:text-is("Table")`);
    assert.ok((await page.locator(`#${view} .scroll table tbody tr`).count()) > 2, view);
  }
  page.quiet();
  await page.done();
});

test("names that are typed are exported, and read back by report and name", async () => {
  const page = await open(votes);
  const strange = 'The "other" <b>side</b> \\ é';
  await page.fill("article.card >> nth=1 >> input", strange);
  await page.locator("article.card >> nth=1 >> input").blur();
  assert.match(await page.textContent(".chips button:nth-of-type(2)"), /2 The "other"/);
  assert.match(await page.textContent("#sizes svg"), /The "other"/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('button:text-is("Download names")')]);
  assert.equal(download.suggestedFilename(), "names.toml");
  const names = file("names.toml");
  await download.saveAs(names);
  const again = await open(report("named.html", file("votes.medley"), VOTES, "--names", names));
  assert.equal(await again.inputValue("article.card >> nth=1 >> input"), strange);
  assert.equal(await again.inputValue("article.card >> nth=0 >> input"), "");
  again.quiet();
  await again.done();
  assert.match(medley("name", file("votes.medley"), "--names", names), /2 {2}The "other"/);
  assert.match(medley("name", file("votes.medley")), /2 {2}The "other"/);
  page.quiet();
  await page.done();
});

test("a file of names that makes no sense is refused with every problem", () => {
  const bad = write("bad.toml", '[names]\n7 = "none"\n1 = 3\n');
  assert.throws(() => report("x.html", file("votes.medley"), "--names", bad), (error) => {
    assert.equal(error.status, 2);
    assert.match(error.stderr, /there is no profile "7"/);
    assert.match(error.stderr, /must be a text in quotes/);
    return true;
  });
});

test("the terms' CSV has probabilities of inspect", async () => {
  const page = await open(topics);
  const told = new Map(parsed(medley("inspect", file("topics.medley"), "--format", "csv")).map((line) => [`${line.component} ${line.level}`, Number(line.probability)]));
  const saved = parsed(await page.saved("terms", "CSV"));
  assert.ok(saved.length > 20);
  for (const line of saved) near(Number(line.probability), told.get(`${line.component} ${line.word}`), 1e-6);
  page.quiet();
  await page.done();
});

test("nothing serious stands in the way of people who do not see or use no mouse (axe), light and dark", async () => {
  for (const [scheme, made, opened] of [
    ["light", votes, "#heat-map [role=button][aria-label^='el_salvador_aid']"],
    ["dark", votes, "#heat-map [role=button][aria-label^='el_salvador_aid']"],
    ["light", topics, "#terms svg [role=button] >> nth=0"],
    ["dark", topics, "#terms svg [role=button] >> nth=0"],
  ]) {
    const page = await open(made, { scheme, hash: "#row=108&profile=2" });
    await page.click(opened);
    assert.deepEqual(await page.faults(), [], `${scheme} ${made}`);
    await page.done();
  }
});

test("the keyboard reaches and works what the mouse does", async () => {
  const page = await open(votes);
  await page.focus(".chips button:nth-of-type(3)");
  await page.keyboard.press("Enter");
  assert.match(page.url(), /profile=3/);
  await page.focus("#heat-map [role=button][aria-label^='mx_missile']");
  await page.keyboard.press("Enter");
  assert.match(await page.textContent("#heat-map .panel h3"), /mx_missile/);
  page.quiet();
  await page.done();
});

test("nothing is wider than a phone", async () => {
  const page = await open(votes, { width: 390 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  page.quiet();
  await page.done();
});
