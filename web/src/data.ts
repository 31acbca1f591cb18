// SPDX-License-Identifier: Apache-2.0
// What medley put into the page, field by field, and how it is unpacked: base64, gzip, then four bytes with the length
// of a JSON text, the text, and arrays that it refers to.

export interface TraitLine {
  trait: string;
  here: string;
  population: string;
  difference: string;
  share: number | null;
  title: string; // what the column is called, such as the question; may be empty
}
export interface BlockView {
  name: string;
  heading: string;
  difference: string;
  traits: TraitLine[];
  rest: string;
  words: { ranking: string; words: string[] }[];
  evidence: number | null; // of words: how much they tell the profile from the others, nats
}
export interface Profile {
  name: string;
  size: number;
  said: string;
  blocks: BlockView[];
}
export interface ModelPart {
  headline: string;
  noun: string;
  membership: string;
  prior: { name: string; values: number[] };
  profiles: Profile[];
  facts: { name: string; value: string }[];
  fit: string[];
  legend: string[];
  classes?: { column: string; classes: string[]; share: number[] };
}
export interface Light {
  state: "good" | "fair" | "poor" | "unknown";
  question: string;
  answer: string;
}
/** A block of levels (value: probabilities, slots x K) or of numbers (value: means, features x K). */
export interface BlockPart {
  name: string;
  kind: "levels" | "numbers";
  all_features: number;
  features: { name: string; title?: string; evidence: number; levels?: string[]; observed?: number }[];
  value: Float32Array;
  population: Float32Array;
  sd?: Float32Array;
  population_sd?: Float32Array;
  below?: Float32Array;
  low?: Float32Array;
  high?: Float32Array;
}
/** A block of words. Lists: rank[rank_start[k * stops + stop] ...], frex[frex_start[k] ...], numbers of words. */
export interface WordsPart {
  name: string;
  stops: number;
  top: number;
  vocabulary: number;
  occurrences: number; // of all words
  rank_start: Uint32Array;
  rank: Uint32Array;
  frex_start: Uint32Array;
  frex: Uint32Array;
  words: string[];
  total: Float32Array;
  topic_start: Uint32Array;
  topic: Uint32Array;
  value: Float32Array;
  low?: Float32Array;
  high?: Float32Array;
}
export interface Relations {
  distance: number[];
  correlation?: number[];
  basis?: string;
  located?: boolean;
}
export interface Line {
  at: number[];
  value: (number | null)[];
}
export interface Quantity {
  name: string;
  mean: number | null;
  sd: number | null;
  low: number | null;
  high: number | null;
  rhat: number | null;
  ess_bulk: number | null;
  ess_tail: number | null;
  mcse: number | null;
}
export interface Chains {
  chains: number;
  burn_in: number;
  sweeps: number;
  draws: number;
  mixed: boolean;
  rhat_limit: number;
  ess_limit: number;
  traces: { name: string; chains: Line[] }[];
  quantities: Quantity[];
  parameters: Quantity[];
  all_parameters: number;
  clusters: { k: number; share: number }[];
}
export interface Course {
  restarts: (Line & { ending: string; iterations: number })[];
  best: number;
  chains?: Chains;
}
export interface LabelPart {
  column: string;
  classes: string[];
  method: string;
  rows: number;
  unknown: number;
  unlabelled: number;
  accuracy: number;
  accuracy_error: number;
  log_loss: number | null;
  brier: number;
  macro_f1: number;
  baseline_accuracy: number;
  baseline_class: string;
  confusion: number[];
  calibration: { low: number; high: number; rows: number; confidence: number; accuracy: number }[];
  calibration_error: number;
}
export interface Group {
  group: string;
  rows: number;
  mean: number[];
  low: (number | null)[];
  high: (number | null)[];
}
export interface Groups {
  by: string;
  title: string;
  level: number;
  groups: Group[];
  all: Group;
  missing_rows: number;
  left_out: number;
  rows_left_out: number;
  rows_used: number;
  reliability: number[];
}
export interface Details {
  rows: number[];
  level?: number;
  low?: Uint16Array;
  high?: Uint16Array;
  texts: string[];
  driver_start: Uint32Array;
  feature: Uint32Array;
  cell: Uint32Array;
  profile: Uint32Array;
  times: Float32Array;
  evidence: Float32Array;
  speaks: Uint16Array;
}
/** Shares lie profile by profile: share[k * rows + i], in 65535ths. */
export interface ShownRows {
  rows: number;
  sampled: number;
  in_sample: Uint8Array;
  id: string[];
  share: Uint16Array;
  fit: Float32Array;
  observations: Float32Array;
  entropy: Float32Array;
  typical: number[][];
  mixed: number[];
  worst: number[];
  columns: { name: string; levels: string[]; code: Uint32Array }[];
  map: { x: Float32Array; y: Float32Array; pure_x: number[]; pure_y: number[]; shown: number };
  details: Details;
}
export interface RowsPart extends Partial<ShownRows> {
  all: number;
  shown: boolean;
  empty: number;
  mean_share: number[];
  top_of_rows: number[];
  purity: number[];
  profiles_per_row: number;
  note: string;
}
export interface Score {
  criterion: string;
  basis?: string;
  estimator: string;
  value: number | null;
  error: number | null;
  behind?: number | null;
  behind_error?: number | null;
  mixed?: boolean;
}
export interface Candidate {
  k: number;
  smoothing?: number;
  restarts: number;
  found_again: number;
  similarity: number | null;
  smallest_profile: number | null;
  converged: boolean;
  scores: Score[];
}
export interface Verdict {
  criterion: string;
  basis?: string;
  best: { k: number; smoothing?: number };
  one_standard_error?: { k: number; smoothing?: number };
  rests_on_bound: boolean;
  mixed?: boolean;
}
export interface SelectionPart {
  chosen: number;
  smoothing: number; // of the fits, if several were tried; else -1
  result: { candidates: Candidate[]; verdicts: Verdict[]; advice: string; warnings: string[]; folds: number };
  fits: {
    k: number;
    sizes: number[];
    titles: string[];
    colours: number[];
    links?: { from: number; to: number; similarity: number }[];
  }[];
}
export interface Report {
  format: string;
  version: number;
  medley: string;
  title: string;
  no_rows: boolean;
  min_cell: number;
  model: ModelPart;
  methods: string[];
  lights: Light[];
  blocks: BlockPart[];
  words: WordsPart[];
  relations: Relations;
  course: Course;
  rows?: RowsPart;
  groups?: Groups[];
  label?: LabelPart;
  selection?: SelectionPart;
}

export const WHOLE = 65535;

const ARRAYS: Record<string, (buffer: ArrayBuffer, at: number, n: number) => unknown> = {
  f4: (buffer, at, n) => new Float32Array(buffer, at, n),
  u1: (buffer, at, n) => new Uint8Array(buffer, at, n),
  u2: (buffer, at, n) => new Uint16Array(buffer, at, n),
  u4: (buffer, at, n) => new Uint32Array(buffer, at, n),
};

/** Puts arrays in the place of what refers to them. */
function resolved(value: unknown, buffer: ArrayBuffer, base: number): unknown {
  if (Array.isArray(value)) {
    // long lists of texts and numbers hold no references
    if (value.length > 0 && (typeof value[0] !== "object" || value[0] === null)) return value;
    return value.map((entry) => resolved(entry, buffer, base));
  }
  if (typeof value !== "object" || value === null) return value;
  const from = value as Record<string, unknown>;
  if (typeof from.at === "number" && typeof from.n === "number" && typeof from.type === "string")
    return ARRAYS[from.type](buffer, base + from.at, from.n);
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(from)) out[key] = resolved(from[key], buffer, base);
  return out;
}

export async function unpack(base64: string): Promise<Report> {
  const text = atob(base64.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const base = Math.ceil((4 + length) / 8) * 8;
  const report = resolved(json, buffer, base) as Report;
  if (report.format !== "medley report" || report.version !== 1) throw new Error("unknown format");
  return report;
}
