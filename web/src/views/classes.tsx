// SPDX-License-Identifier: Apache-2.0
// How well a label is predicted: the confusion matrix and whether probabilities can be taken at their word.
import { scaleLinear } from "d3-scale";

import { onCell, sequential } from "../colour";
import type { LabelPart, Report } from "../data";
import { BottomAxis, Figure, fit, LeftAxis, useWidth } from "../figure";
import { cut, percent, safe, short, whole } from "../format";
import { Frame } from "../frame";

function Confusion({ label }: { label: LabelPart }) {
  const [ref, width] = useWidth(440);
  const count = label.classes.length;
  const left = Math.min(130, Math.round(width * 0.32));
  const cell = Math.min(70, (width - left) / count);
  const names = label.unknown > 0 ? [...label.classes, "(unknown)"] : label.classes;
  const sums = names.map((_, y) => label.confusion.slice(y * count, (y + 1) * count).reduce((sum, value) => sum + value, 0));
  return (
    <div ref={ref}>
      <h3>Confusion</h3>
      <p class="about">Lines: the true class; columns: the predicted one. Colour: share of the line.</p>
      <Figure width={width} height={40 + names.length * cell} label="Confusion matrix">
        {label.classes.map((name, h) => (
          <text x={left + h * cell + cell / 2} y="26" font-size="12" text-anchor="middle" fill="currentColor">
            {fit(safe(name), cell - 4, 12)}
            <title>{safe(name)}</title>
          </text>
        ))}
        {names.map((name, y) => (
          <g transform={`translate(0,${36 + y * cell})`}>
            <text x={left - 8} y={cell / 2 + 4} font-size="12" text-anchor="end" fill="currentColor">
              {fit(safe(name), left - 10, 12)}
            </text>
            {label.classes.map((guess, h) => {
              const rows = label.confusion[y * count + h];
              const share = sums[y] > 0 ? rows / sums[y] : 0;
              return (
                <g transform={`translate(${left + h * cell},0)`}>
                  <rect width={cell - 1} height={cell - 1} fill={sequential(share)} stroke={y === h ? "currentColor" : "none"}>
                    <title>{safe(`true ${name}, predicted ${guess}: ${short(rows)} rows (${percent(share)})`)}</title>
                  </rect>
                  {cell >= 26 && (
                    <text x={cell / 2} y={cell / 2 + 4} font-size="12" text-anchor="middle" fill={onCell(sequential(share))} pointer-events="none">
                      {short(rows)}
                    </text>
                  )}
                </g>
              );
            })}
          </g>
        ))}
      </Figure>
    </div>
  );
}

function Calibration({ label }: { label: LabelPart }) {
  const [ref, width] = useWidth(440);
  const height = Math.min(320, width);
  const x = scaleLinear([0, 1], [50, width - 26]);
  const y = scaleLinear([0, 1], [height - 38, 10]);
  const most = Math.max(1, ...label.calibration.map((bin) => bin.rows));
  return (
    <div ref={ref}>
      <h3>Calibration</h3>
      <p class="about">
        Rows by the probability of their likeliest class, against how often it was right: on the line probabilities mean what they say. Larger dots: more rows. Mean gap{" "}
        {percent(label.calibration_error)}.
      </p>
      <Figure width={width} height={height} label="Calibration">
        <LeftAxis scale={y} at={48} from={width - 10} ticks={5} format={(v) => percent(v)} />
        <BottomAxis scale={x} at={height - 36} from={10} ticks={5} format={(v) => percent(v)} />
        <text x={(50 + width) / 2} y={height - 4} font-size="11" text-anchor="middle" fill="currentColor">
          probability of the likeliest class
        </text>
        <line x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} stroke="currentColor" stroke-dasharray="4 4" />
        {label.calibration
          .filter((bin) => bin.rows > 0)
          .map((bin) => (
            <circle cx={x(bin.confidence)} cy={y(bin.accuracy)} r={4 + 9 * Math.sqrt(bin.rows / most)} fill="#0072b2" fill-opacity="0.75" stroke="currentColor">
              <title>{`${whole(bin.rows)} rows at ${percent(bin.confidence)}: right in ${percent(bin.accuracy)}`}</title>
            </circle>
          ))}
      </Figure>
    </div>
  );
}

export function Classes({ report }: { report: Report }) {
  const label = report.label!;
  const count = label.classes.length;
  const table = () => ({
    header: ["true", "predicted", "rows"],
    rows: label.confusion
      .map((rows, i) => [label.classes[Math.floor(i / count)] ?? "(unknown)", label.classes[i % count], rows])
      .filter((line) => label.unknown > 0 || line[0] !== "(unknown)"),
  });
  return (
    <Frame
      id="classes"
      title={`Predicting ${safe(cut(label.column, 60))}`}
      about={
        <>
          Right in {percent(label.accuracy)} of {whole(label.rows)} rows (always saying “{safe(label.baseline_class)}”: {percent(label.baseline_accuracy)}); macro F1{" "}
          {label.macro_f1.toFixed(2)}, log loss {short(label.log_loss)} nats, Brier score {label.brier.toFixed(3)}. If the model was fitted to these very rows, new rows will be predicted
          less well.
        </>
      }
      table={table}
    >
      <div class="columns">
        <Confusion label={label} />
        <Calibration label={label} />
      </div>
    </Frame>
  );
}
