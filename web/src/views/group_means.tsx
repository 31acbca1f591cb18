// SPDX-License-Identifier: Apache-2.0
// The mean membership of every group with its interval, profile by profile.
import { scaleLinear } from "d3-scale";
import { useState } from "preact/hooks";

import { fill } from "../colour";
import type { Groups, Report } from "../data";
import { BottomAxis, Figure, fit, useWidth } from "../figure";
import { cut, noun, percent, safe, title, whole } from "../format";
import { Choice, Frame } from "../frame";
import { groupBy, selected } from "../state";

const MOST = 8; // profiles shown before one is chosen

function Plot({ report, groups }: { report: Report; groups: Groups }) {
  const [ref, width] = useWidth();
  const profiles = report.model.profiles.map((_, k) => k).filter((k) => selected.value === null || selected.value === k).slice(0, MOST);
  const line = 20;
  const head = 22;
  const left = Math.min(200, Math.round(width * 0.36));
  const block = head + groups.groups.length * line + 6;
  const high = Math.max(...profiles.flatMap((k) => groups.groups.map((group) => group.high[k] ?? group.mean[k])));
  const x = scaleLinear([0, Math.min(1, high)], [left, width - 64]).nice();
  const height = profiles.length * block;
  return (
    <div ref={ref}>
      <Figure width={width} height={height + 24} label={`Mean memberships by ${groups.by}`} profiles={report.model.profiles.length}>
        <BottomAxis scale={x} at={height} from={8} ticks={Math.max(3, Math.floor(width / 130))} format={(v) => percent(v)} />
        {profiles.map((k, i) => (
          <g transform={`translate(0,${i * block})`}>
            <text x="0" y="15" font-size="13" font-weight="bold" fill="currentColor">
              {fit(safe(title(report, k)), width - 10, 13)}
            </text>
            {groups.groups.map((group, g) => {
              const y = head + g * line + line / 2;
              const low = group.low[k] ?? group.mean[k];
              const up = group.high[k] ?? group.mean[k];
              return (
                <g>
                  <text x={left - 8} y={y + 4} text-anchor="end" font-size="12" fill="currentColor">
                    {fit(safe(group.group), left - 10, 12)}
                  </text>
                  <line x1={x(low)} x2={x(up)} y1={y} y2={y} stroke="currentColor" stroke-width="1.6" />
                  <line x1={x(low)} x2={x(low)} y1={y - 4} y2={y + 4} stroke="currentColor" stroke-width="1.6" />
                  <line x1={x(up)} x2={x(up)} y1={y - 4} y2={y + 4} stroke="currentColor" stroke-width="1.6" />
                  <circle cx={x(group.mean[k])} cy={y} r="5.5" fill={fill(k)} stroke="currentColor" stroke-width="0.7">
                    <title>{safe(`${group.group} (${whole(group.rows)} rows): ${percent(group.mean[k])}, ${percent(low)} to ${percent(up)}`)}</title>
                  </circle>
                  <text x={x(up) + 7} y={y + 4} font-size="11" fill="currentColor">
                    {percent(group.mean[k])}
                  </text>
                </g>
              );
            })}
            <line x1={x(groups.all.mean[k])} x2={x(groups.all.mean[k])} y1={head} y2={block - 6} stroke="currentColor" stroke-dasharray="4 3">
              <title>all rows: {percent(groups.all.mean[k])}</title>
            </line>
          </g>
        ))}
      </Figure>
    </div>
  );
}

export function GroupMeans({ report }: { report: Report }) {
  const all = report.groups!;
  const [own, setOwn] = useState(all[0].by);
  const rows = report.rows?.shown === true;
  // with rows on the page the groups are those of the bars above
  const name = rows && groupBy.value ? groupBy.value : own;
  const groups = all.find((one) => one.by === name) ?? all[0];
  const [one] = noun(report);
  const hidden = report.model.profiles.length - MOST;
  const table = () => ({
    header: ["by", "group", "rows", "component", "mean", "low", "high"],
    rows: all.flatMap((means) => means.groups.flatMap((group) => group.mean.map((mean, k) => [means.by, group.group, group.rows, k + 1, mean, group.low[k], group.high[k]]))),
  });
  return (
    <Frame
      id="groups"
      title={`Groups: ${safe(cut(groups.by, 60))}`}
      about={
        <>
          {groups.title && `${safe(groups.title)} `}
          Mean membership of each group with its {percent(groups.level)} interval; the broken line is the mean of all rows.
          {report.rows && groups.rows_used < report.rows.all && ` From ${whole(groups.rows_used)} of ${whole(report.rows.all)} rows, evenly spread.`}
          {groups.missing_rows > 0 && ` ${whole(groups.missing_rows)} rows have no value here.`}
          {groups.left_out > 0 && ` ${whole(groups.left_out)} groups of fewer than ${report.min_cell} rows are left out.`}
          {hidden > 0 && selected.value === null && ` The ${MOST} largest ${one}s; choose one above to see it alone.`}
        </>
      }
      controls={
        <Choice
          label="By"
          value={groups.by}
          options={all.map((means): [string, string] => [means.by, safe(cut(means.by, 40))])}
          onChange={(v) => {
            setOwn(v);
            if (rows) groupBy.value = v;
          }}
        />
      }
      table={table}
    >
      <Plot report={report} groups={groups} />
    </Frame>
  );
}
