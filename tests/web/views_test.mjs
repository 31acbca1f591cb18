// SPDX-License-Identifier: Apache-2.0
// Every kind of report opens from its file without a complaint, and its views follow each other.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { corpus, file, medley, open, parsed, random, report, VOTES, write } from "./support.mjs";

medley("fit", VOTES, "--ignore", "party", "--k", 3, "--restarts", 2, "-o", file("votes.medley"), "--quiet");
const votes = report("votes.html", file("votes.medley"), VOTES);
const docs = corpus("docs.ldac");
medley("fit", docs, "--k", 3, "-o", file("topics.medley"), "--quiet");
const topics = report("topics.html", file("topics.medley"), docs);

test("the page of House votes opens quietly with all its views", async () => {
  const page = await open(votes);
  assert.deepEqual(await page.ids(), ["overview", "sizes", "profiles", "heat-map", "rows", "groups", "map", "relations", "diagnostics", "finder", "methods"]);
  assert.equal(await page.textContent("h1"), "votes");
  assert.match(await page.textContent("#overview .lights"), /Did the fit converge\? Good/);
  assert.match(await page.textContent("#overview .lights"), /1 row \(0\.2 %\)/); // one member never voted
  assert.equal(await page.locator("article.card").count(), 3);
  assert.equal(await page.textContent("#groups h2"), "Groups: party");
  // The bound moves by less than one after the start: its axis needs decimals.
  const ticks = await page.locator('#diagnostics svg.figure g[text-anchor="end"]').first().locator("text").allTextContents();
  assert.ok(ticks.length > 2 && new Set(ticks).size === ticks.length, ticks.join(" "));
  page.quiet();
  await page.done();
});

test("the page of topics opens quietly", async () => {
  const page = await open(topics);
  assert.ok((await page.ids()).includes("terms"));
  assert.ok(!(await page.ids()).includes("heat-map"));
  assert.equal(await page.textContent("#terms h2"), "The words of Topic 1");
  const fitted = JSON.parse(medley("fit", docs, "--k", 3, "-o", file("again.medley"), "--quiet", "--json")).smoothing;
  assert.match(await page.textContent("#overview"), new RegExp(`${Number(fitted[0]).toPrecision(3).replace(/0+$/, "")} \\(fitted\\)`));
  page.quiet();
  await page.done();
});

/** A survey with wide numbers, weights and a design. */
function income(name, rows = 200) {
  const draw = random(11);
  const lines = ["stratum,region,income,weight,q1,q2,q3,q4"];
  for (let i = 0; i < rows; i++) {
    const rich = draw() < 0.5;
    const answers = [1, 2, 3, 4].map(() => (draw() < (rich ? 0.85 : 0.2) ? "agree" : "disagree"));
    lines.push(`s${i % 4},${i % 3 ? "North" : "South"},${6471 + (rich ? 3400 : 0) + Math.round(1200 * draw())},${(1 + (i % 2)) * 1000},${answers.join(",")}`);
  }
  return write(name, lines.join("\n") + "\n");
}

test("names of columns keep their room beside wide numbers, and design variables do not lead the groups", async () => {
  const data = income("income.csv");
  medley("fit", data, "--weight", "weight", "--ignore", "stratum,region", "--k", 2, "-o", file("income.medley"), "--quiet");
  const made = report("income.html", file("income.medley"), data);
  for (const width of [1280, 390]) {
    const page = await open(made, { width });
    const lines = await page.$$eval("article.card .traits tbody th", (heads) => heads.map((head) => ({ text: head.textContent, width: head.clientWidth, height: head.clientHeight })));
    assert.ok(lines.some((line) => line.text === "income"));
    for (const line of lines) assert.ok(line.width >= 100, `${line.text}: ${line.width} at ${width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    assert.equal(await page.textContent("#groups h2"), "Groups: region");
    assert.match(await page.textContent("#methods"), /Rows are weighted by "weight" \(sampling weights\): 200 rows stand for 300,000\./);
    assert.match(await page.textContent("#methods"), /The model describes 5 columns/);
    assert.match(await page.textContent("#finder"), /Least gained over the baseline/);
    page.quiet();
    await page.done();
  }
});

test("a card shows a few of many blocks of tags until all are asked for", async () => {
  const draw = random(4);
  const names = [...Array(14).keys()].map((b) => `locus${b}`);
  const allele = (i) => 180 + 2 * Math.floor(4 * draw()) + (i % 2 ? 6 : 0);
  const lines = [names.join(","), ...[...Array(60).keys()].map((i) => names.map(() => `${allele(i)};${allele(i)}`).join(","))];
  const data = write("loci.csv", lines.join("\n") + "\n");
  medley("fit", data, ...names.flatMap((name) => ["--column", `${name}=tags`]), "--k", 2, "-o", file("loci.medley"), "--quiet");
  const page = await open(report("loci.html", file("loci.medley")));
  const blocks = () => page.locator("article.card >> nth=0").locator("h4").count();
  assert.equal(await blocks(), 6);
  assert.match(await page.textContent("article.card >> nth=0"), /The 6 of 14 blocks that tell most/);
  await page.click('button:text-is("Show all 14 blocks")');
  assert.equal(await blocks(), 14);
  page.quiet();
  await page.done();
});

test("words and references are shown side by side", async () => {
  const refs = corpus("refs.ldac", { seed: 9 });
  const both = [`words=${docs}`, `refs=${refs}`];
  medley("fit", ...both, "--k", 3, "-o", file("both.medley"), "--quiet");
  const page = await open(report("both.html", file("both.medley"), ...both));
  assert.deepEqual(await page.locator("#terms .terms-list h3").allTextContents(), ["words", "refs"]);
  assert.equal(await page.locator("#terms .terms-list svg").count(), 2);
  page.quiet();
  await page.done();
});

test("the page of a select run shows every criterion with the flow of profiles", async () => {
  medley("select", VOTES, "--ignore", "party", "--k", "2..4", "--restarts", 2, "--folds", 2, "-o", file("choice"), "--quiet");
  const page = await open(report("choice.html", file("choice"), VOTES));
  const text = await page.textContent("#choose-k");
  for (const name of ["Held-out log-likelihood per row", "AIC", "BIC"]) assert.ok(text.includes(name), name);
  const flow = page.locator('#choose-k svg[aria-label^="How profiles split"]');
  assert.equal(await flow.locator("rect").count(), 2 + 3 + 4);
  assert.ok((await flow.locator("path").count()) >= 3 + 4);
  assert.ok((await page.locator("#choose-k svg path[stroke-width='1.3']").count()) > 0, "error bars");
  // numbers are those that select wrote
  const wrote = parsed(readFileSync(file("choice/criteria.csv"), "utf8"));
  const saved = parsed(await page.saved("choose-k", "CSV"));
  assert.equal(saved.length, wrote.length);
  wrote.forEach((line, i) => assert.ok(Math.abs(Number(line.value) - Number(saved[i].value)) <= 1e-9 * Math.abs(line.value)));
  assert.match(await page.textContent("#overview .lights"), /of 2 starts found the same optimum/);
  assert.deepEqual(await page.faults(), []);
  page.quiet();
  await page.done();
});

test("the page of a sampler run shows traces, R-hat, effective sizes and intervals", async () => {
  medley("fit", VOTES, "--ignore", "party", "--model", "gom-bayes", "--k", 2, "--chains", 2, "--sweeps", 60, "--burn-in", 60, "-o", file("gibbs.medley"), "--quiet");
  const page = await open(report("gibbs.html", file("gibbs.medley"), VOTES));
  const text = await page.textContent("#diagnostics");
  for (const word of ["R-hat", "ESS bulk", "log-likelihood", "2 chains"]) assert.ok(text.includes(word), word);
  assert.equal(await page.locator("#diagnostics svg.figure path").count(), 2);
  await page.click("#heat-map [role=button][aria-label^='el_salvador_aid']");
  assert.ok((await page.locator("#heat-map .panel svg line[stroke-width='1.5']").count()) > 0, "whiskers");
  assert.deepEqual(await page.faults(), []);
  page.quiet();
  await page.done();
});

test("the page of a labelled model shows confusion and calibration", async () => {
  medley("fit", VOTES, "--label", "party", "--k", 3, "-o", file("label.medley"), "--quiet");
  const page = await open(report("label.html", file("label.medley"), VOTES));
  const told = JSON.parse(medley("evaluate", file("label.medley"), VOTES, "--json")).label;
  const cells = parsed(await page.saved("classes", "CSV")).map((line) => Number(line.rows));
  assert.deepEqual(cells, told.confusion.slice(0, 2).flat());
  assert.equal(await page.locator('#classes svg[aria-label="Calibration"] circle').count(), told.calibration.filter((bin) => bin.rows > 0).length);
  assert.deepEqual(await page.faults(), []);
  page.quiet();
  await page.done();
});

test("a model without data has a page too", async () => {
  const page = await open(report("alone.html", file("votes.medley")));
  assert.deepEqual(await page.ids(), ["overview", "sizes", "profiles", "heat-map", "relations", "diagnostics", "methods"]);
  page.quiet();
  await page.done();
});

test("clicking a profile updates every linked view, and the address brings it back", async () => {
  const page = await open(votes);
  await page.click(".chips button:nth-of-type(2)");
  assert.equal(await page.getAttribute(".chips button:nth-of-type(2)", "aria-pressed"), "true");
  assert.match(await page.getAttribute("article.card.chosen", "aria-label"), /Profile 2/);
  assert.match(await page.getAttribute("article.card >> nth=0", "aria-label"), /Profile 2/); // it comes first
  const opacity = (k) => page.getAttribute(`#rows svg.figure > path >> nth=${k}`, "opacity");
  assert.equal(await opacity(1), "1");
  assert.notEqual(await opacity(0), "1");
  assert.match(await page.textContent("#finder"), /Most typical of Profile 2/);
  assert.match(page.url(), /#profile=2$/);
  await page.selectOption("#heat-map select >> nth=1", "profile");
  const first = await page.getAttribute("#heat-map svg.figure [role=button][aria-label$='show all answers'] >> nth=0", "aria-label");
  assert.match(first, /physician_fee_freeze = y/); // what sets the second profile apart most
  const again = await open(votes, { hash: new URL(page.url()).hash });
  assert.equal(await again.getAttribute(".chips button:nth-of-type(2)", "aria-pressed"), "true");
  await again.click("#heat-map svg.figure g[aria-label='Profile 3']");
  assert.equal(await again.getAttribute(".chips button:nth-of-type(3)", "aria-pressed"), "true");
  again.quiet();
  await again.done();
  await page.done();
});

test("choosing a topic changes the words, the relevance slider reorders them, FREX orders them its own way", async () => {
  const page = await open(topics);
  const slider = page.locator("#terms input[type=range]");
  await slider.fill("10");
  const frequent = await page.words();
  // at lambda = 1: by probability, as inspect has it
  const table = parsed(medley("inspect", file("topics.medley"), "--format", "csv")).filter((line) => line.component === "1");
  const byProbability = table.sort((a, b) => b.probability - a.probability).map((line) => line.level);
  assert.deepEqual(frequent.slice(0, 10), byProbability.slice(0, 10));
  await slider.fill("0");
  const peculiar = await page.words();
  assert.notDeepEqual(peculiar, frequent);
  const lift = table.sort((a, b) => b.lift - a.lift).map((line) => line.level);
  assert.deepEqual(peculiar.slice(0, 6), lift.slice(0, 6)); // at lambda = 0: by lift
  await page.selectOption("#terms select >> nth=1", "frex");
  const frex = await page.words();
  const told = /FREX +(.*)\n/.exec(medley("inspect", file("topics.medley"), "--top", 5))[1].trim().split(/\s+/);
  assert.deepEqual(frex.slice(0, 5), told);
  await page.click(".chips button:nth-of-type(3)");
  assert.equal(await page.textContent("#terms h2"), "The words of Topic 3");
  assert.notDeepEqual(await page.words(), frex);
  await page.click("#terms svg [role=button] >> nth=0");
  assert.match(await page.textContent("#terms .panel"), /belongs to/);
  page.quiet();
  await page.done();
});

test("search finds a row with its memberships, their intervals and what drove them", async () => {
  const page = await open(votes);
  await page.fill("#row-search", "104");
  const line = parsed(medley("transform", file("votes.medley"), VOTES)).find((one) => one.id === "104");
  const shares = ["component_1", "component_2", "component_3"].map((name) => Number(line[name]));
  assert.match(await page.textContent("#row-panel h3"), /Row 104/);
  const labels = await page.$$eval("#row-panel svg [role=button]", (marks) => marks.map((mark) => mark.getAttribute("aria-label")));
  const largest = shares.indexOf(Math.max(...shares));
  assert.match(labels[0], new RegExp(`^Profile ${largest + 1}: `));
  assert.ok(labels[0].endsWith(`${(100 * shares[largest]).toFixed(0)} %`), labels[0]);
  assert.equal(await page.locator("#row-panel svg path").count(), 3); // whiskers
  assert.equal(await page.locator("#row-panel tbody tr").count(), 8); // drivers
  await page.fill("#row-search", "no such row");
  assert.match(await page.textContent("#finder"), /No row on this page/);
  page.quiet();
  await page.done();
});
