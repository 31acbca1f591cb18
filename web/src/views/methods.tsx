// SPDX-License-Identifier: Apache-2.0
// What was done, in sentences for a paper, with a button that copies them as Markdown.
import { useState } from "preact/hooks";

import type { Report } from "../data";
import { noun, percent, safe, title } from "../format";
import { Frame } from "../frame";

function sentences(report: Report): string[] {
  const { model } = report;
  const fact = (name: string): string => model.facts.find((one) => one.name === name)?.value ?? "";
  const sizes = model.profiles.map((profile, k) => `${title(report, k)} ${percent(profile.size)}`).join(", ");
  const counted = (count: string, word: string): string => `${count} ${word}${count === "1" ? "" : "s"}`;
  const tries = fact("Chains") ? counted(fact("Chains"), "chain") : counted(fact("Starts"), "start");
  const chosen = report.selection?.result;
  const choice = chosen
    ? [`How many ${noun(report)[1]} there are was chosen by medley select among K = ${[...new Set(chosen.candidates.map((one) => one.k))].join(", ")}: ${chosen.advice}`]
    : [];
  return [
    `A model with ${model.profiles.length} ${noun(report)[1]} (${fact("Model") || "no preset"}, ${model.membership} membership, ${fact("Inference")} inference) was fitted to ${fact("Rows learnt from")} rows with ${fact("Observations")} observations by medley ${report.medley} (seed ${fact("Seed")}, ${tries}${fact("Smoothing") ? `, smoothing ${fact("Smoothing")}` : ""}).`,
    ...report.methods.slice(0, -1),
    ...choice,
    ...model.fit.filter((line) => line.trim()),
    `Sizes (shares of all memberships): ${sizes}.`,
    ...report.methods.slice(-1),
  ];
}

export function Methods({ report }: { report: Report }) {
  const [copied, setCopied] = useState("");
  const text = sentences(report);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(`## Methods\n\n${text.join("\n\n")}\n`);
      setCopied("Copied.");
    } catch {
      setCopied("The browser does not allow it here: select the text and copy it.");
    }
  };
  return (
    <Frame
      id="methods"
      title="Methods"
      about="What was done, for a paper or a log."
      controls={
        <>
          <button type="button" onClick={copy}>
            Copy as Markdown
          </button>
          <span class="quiet" role="status">
            {copied}
          </span>
        </>
      }
      figure={false}
    >
      {text.map((line) => (
        <p>{safe(line)}</p>
      ))}
    </Frame>
  );
}
