// SPDX-License-Identifier: Apache-2.0
// Opens the report: unpacks the data that the file carries and draws the page, or says in words why it cannot.
import { render } from "preact";

import { unpack } from "./data";
import { Page } from "./page";
import { follow } from "./state";

async function open(): Promise<void> {
  const app = document.getElementById("app");
  const data = document.getElementById("medley-data");
  if (!app || !data) return;
  try {
    if (!("DecompressionStream" in window)) throw new Error("this browser is from before 2023 and cannot unpack it");
    const report = await unpack(data.textContent ?? "");
    data.remove(); // the packed text is not needed any more
    follow(report);
    document.title = report.title;
    app.replaceChildren();
    render(<Page report={report} />, app);
  } catch (error) {
    app.textContent = `The report could not be opened: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

void open();
