// SPDX-License-Identifier: Apache-2.0
// The ground of every figure: an SVG as wide as its place, the patterns that tell profiles beyond the tenth apart, axes,
// and the way a mark becomes something one can click or reach with the keyboard.
import type { ScaleLinear } from "d3-scale";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { pattern, plain } from "./colour";

/** The width of the element that `ref` is given to, kept up to date. */
export function useWidth(first = 900): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.max(260, Math.floor(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

let ruler: CanvasRenderingContext2D | null = null;

/** As much of a text as fits into so many pixels; a text that was cut ends in "…". */
export function fit(text: string, pixels: number, size = 12.5): string {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text;
  ruler.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  if (ruler.measureText(text).width <= pixels) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (ruler.measureText(`${text.slice(0, middle)}…`).width <= pixels) low = middle;
    else high = middle - 1;
  }
  return low > 0 || pixels > 8 ? `${text.slice(0, low)}…` : "";
}

function Pattern({ profile }: { profile: number }) {
  const colour = plain(profile);
  return (
    <pattern id={`pattern-${profile}`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill={colour} />
      {pattern(profile) === 1 ? <rect width="2" height="6" fill="#ffffff" fill-opacity="0.75" /> : <circle cx="3" cy="3" r="1.4" fill="#ffffff" fill-opacity="0.85" />}
    </pattern>
  );
}

export interface FigureProps {
  width: number;
  height: number;
  label: string;
  profiles?: number; // whose patterns may be needed
  interactive?: boolean;
  onMouseMove?: (event: MouseEvent) => void;
  onMouseLeave?: () => void;
  onClick?: (event: MouseEvent) => void;
  children: ComponentChildren;
}

export function Figure({ width, height, label, profiles = 0, interactive = false, children, ...more }: FigureProps) {
  const patterned = Array.from({ length: profiles }, (_, k) => k).filter((k) => pattern(k) > 0);
  return (
    <svg class="figure" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role={interactive ? "group" : "img"} aria-label={label} {...more}>
      {patterned.length > 0 && (
        <defs>
          {patterned.map((k) => (
            <Pattern profile={k} />
          ))}
        </defs>
      )}
      {children}
    </svg>
  );
}

/** What makes a mark a button: mouse, Enter and the space bar. */
export function button(label: string, act: () => void): Record<string, unknown> {
  return {
    role: "button",
    tabindex: 0,
    "aria-label": label,
    class: "press",
    onClick: act,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    },
  };
}

interface AxisProps {
  scale: ScaleLinear<number, number>;
  at: number;
  from: number; // the other end of the grid lines
  ticks: number;
  format: (value: number) => string;
}

/** Where the ticks are and what they are called: by `format`, or with as many decimals as tell them apart. */
function named(scale: ScaleLinear<number, number>, count: number, format: (value: number) => string): [number, string][] {
  const ticks = scale.ticks(count);
  const alike = new Set(ticks.map(format)).size < ticks.length;
  const name = alike ? scale.tickFormat(count, ",f") : format;
  return ticks.map((tick) => [tick, name(tick)]);
}

/** Ticks below, with faint lines upwards. */
export function BottomAxis({ scale, at, from, ticks, format }: AxisProps) {
  return (
    <g font-size="11" text-anchor="middle" fill="currentColor">
      {named(scale, ticks, format).map(([tick, name]) => (
        <g transform={`translate(${scale(tick)},0)`}>
          <line y1={from} y2={at} stroke="currentColor" stroke-opacity="0.13" />
          <text y={at + 15}>{name}</text>
        </g>
      ))}
    </g>
  );
}

/** Ticks at the left, with faint lines to the right. */
export function LeftAxis({ scale, at, from, ticks, format }: AxisProps) {
  return (
    <g font-size="11" text-anchor="end" fill="currentColor">
      {named(scale, ticks, format).map(([tick, name]) => (
        <g transform={`translate(0,${scale(tick)})`}>
          <line x1={at} x2={from} stroke="currentColor" stroke-opacity="0.13" />
          <text x={at - 6} y="4">
            {name}
          </text>
        </g>
      ))}
    </g>
  );
}
