// SPDX-License-Identifier: Apache-2.0
// A small square in the colour of a profile.
import { fill, pattern, plain } from "./colour";

export function Swatch({ profile, colour = profile }: { profile: number; colour?: number }) {
  return (
    <svg class="swatch" width="13" height="13" aria-hidden="true">
      {pattern(colour) > 0 && <rect width="13" height="13" rx="3" fill={plain(colour)} />}
      <rect width="13" height="13" rx="3" fill={pattern(colour) > 0 ? fill(colour) : plain(colour)} />
    </svg>
  );
}
