// SPDX-License-Identifier: Apache-2.0
// Sweeps (kernels/digamma_sweeps.hpp) over only the active components of a row, for one instruction
// set. After a few sweeps most components hold almost none of a row's observations. The columns of
// the others are copied side by side, and sweeps continue over them alone; the contribution of the
// inactive components to a normaliser is frozen,
//
//   n_o = base_o + sum_(k active) e_k l_ok        base_o = sum_(k not active) e_k l_ok
//
// which is coordinate ascent on the row's bound, some coordinates at a time. A sweep over all
// components follows every such round, and only that sweep decides whether the row has converged:
// nothing is approximated. Included once per instruction set by digamma_sweeps.cpp.
#if defined(MEDLEY_KERNELS_ACTIVE_SWEEPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MEDLEY_KERNELS_ACTIVE_SWEEPS_INL
#undef MEDLEY_KERNELS_ACTIVE_SWEEPS_INL
#else
#define MEDLEY_KERNELS_ACTIVE_SWEEPS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A component that holds fewer observations of a row than this is not active.
inline constexpr float kLittle = 0.01F;
// The largest number of rounds over active components, and the smallest of sweeps worth a round.
inline constexpr std::size_t kRounds = 4, kWorthIt = 3;
// A row whose largest move is below this multiple of the tolerance is not worth a round either.
inline constexpr float kAlmost = 8.0F;

// The active components of a row, side by side in working memory.
struct ActivePart {
  float* rows = nullptr;   // count x padded
  float* base = nullptr;   // count
  float* state = nullptr;  // padded, and so the next four
  float *e = nullptr, *counts = nullptr, *prior = nullptr, *factor = nullptr;
  float* rest = nullptr;               // padded K of the row: e of the inactive components
  std::uint32_t* component = nullptr;  // the component of each column
  std::uint32_t* chosen = nullptr;     // columns that are still active
  std::size_t components = 0, padded = 0;
};

HWY_INLINE ActivePart lay_out(const SweepRow<float>& row, const SweepState<float>& out) {
  const std::size_t half = row.padded / 2;
  ActivePart part;
  part.rows = out.room;
  part.base = part.rows + row.count * half;
  part.state = part.base + row.count;
  part.e = part.state + half;
  part.counts = part.e + half;
  part.prior = part.counts + half;
  part.factor = part.prior + half;
  part.rest = part.factor + half;
  part.component = out.columns;
  part.chosen = part.component + row.padded;
  part.components = row.components;
  part.padded = row.padded;
  return part;
}

// Lists the active columns; returns their number.
HWY_INLINE std::size_t choose(const float* counts, std::size_t components, std::uint32_t* chosen) {
  std::size_t found = 0;
  for (std::size_t k = 0; k < components; ++k) {
    chosen[found] = static_cast<std::uint32_t>(k);
    found += counts[k] > kLittle ? 1 : 0;
  }
  return found;
}

// Whether copying the columns again is worth it.
HWY_INLINE bool far_fewer(std::size_t found, const ActivePart& part) {
  return found > 0 && 2 * padded(found) <= part.padded;
}

// Copies the chosen columns of `rows` (which may be the part's own) to the part's rows, and adds
// the contribution of the others, <rest, row>, to its base.
HWY_INLINE void take_columns(const float* rows, std::size_t count, std::size_t found,
                             ActivePart& part) {
  const Tag<float> d;
  const std::size_t wide = part.padded, narrow = padded(found);
  for (std::size_t o = 0; o < count; ++o) {
    const float* from = rows + o * wide;
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < wide; k += hn::Lanes(d))
      sum = hn::MulAdd(hn::LoadU(d, part.rest + k), hn::LoadU(d, from + k), sum);
    part.base[o] += hn::GetLane(hn::SumOfLanes(d, sum));
    float* to = part.rows + o * narrow;
    for (std::size_t j = 0; j < found; ++j) to[j] = from[part.chosen[j]];
    for (std::size_t j = found; j < narrow; ++j) to[j] = 0.0F;
  }
  part.components = found;
  part.padded = narrow;
}

HWY_INLINE void take_vector(const float* from, float rest, const ActivePart& part, float* to) {
  for (std::size_t j = 0; j < part.components; ++j) to[j] = from[part.component[j]];
  for (std::size_t j = part.components; j < part.padded; ++j) to[j] = rest;
}

// Freezes the inactive components at the state in `e`, the weights of the present columns.
HWY_INLINE void leave_out(const SweepRow<float>& row, const float* rows, const float* e,
                          std::size_t found, const float* state, ActivePart& part) {
  std::memcpy(part.rest, e, part.padded * sizeof(float));
  for (std::size_t j = 0; j < found; ++j) part.rest[part.chosen[j]] = 0.0F;
  for (std::size_t j = 0; j < found; ++j) part.component[j] = part.component[part.chosen[j]];
  take_columns(rows, row.count, found, part);
  take_vector(state, 0.5F, part, part.state);
  take_vector(row.prior, 0.5F, part, part.prior);
  if (row.factor != nullptr) take_vector(row.factor, 0.0F, part, part.factor);
}

HWY_INLINE void put_back(const ActivePart& part, float* state) {
  for (std::size_t j = 0; j < part.components; ++j) state[part.component[j]] = part.state[j];
}

// The weights, without scaling: some state is large enough.
HWY_INLINE void weights_of(const SweepRow<float>& row, const ActivePart& part) {
  const Tag<float> d;
  for (std::size_t k = 0; k < part.padded; k += hn::Lanes(d))
    hn::StoreU(exp_digamma_float_of(hn::LoadU(d, part.state + k)), d, part.e + k);
  if (row.factor != nullptr) multiply(part.factor, part.padded, part.e);
}

// One round of at most `most` sweeps; none if most components are active. Returns the number of
// sweeps; `sound` becomes false if a norm was too small.
HWY_INLINE std::size_t active_round(const SweepRow<float>& row, const SweepLimits<float>& limits,
                                    std::size_t most, const SweepState<float>& out, bool& sound) {
  ActivePart part = lay_out(row, out);
  const std::size_t found = choose(out.counts, row.components, part.chosen);
  if (!far_fewer(found, part) || largest_of(out.state, row.padded) < 1.0F) return 0;
  for (std::size_t k = 0; k < row.components; ++k)
    part.component[k] = static_cast<std::uint32_t>(k);
  std::memset(part.base, 0, row.count * sizeof(float));
  weights_of(row, out.state, out.e);
  if (row.factor != nullptr) multiply(row.factor, row.padded, out.e);
  leave_out(row, row.rows, out.e, found, out.state, part);
  for (std::size_t sweep = 0; sweep < most; ++sweep) {
    weights_of(row, part);
    const float smallest = pass_of(part.rows, row.weight, row.count, part.padded, part.e, out.norm,
                                   part.counts, part.base);
    sound = smallest > limits.least;
    const float change = renew(part.prior, part.counts, part.padded, part.state);
    if (!sound || change < limits.enough || sweep + 1 == most) {
      put_back(part, out.state);
      return sweep + 1;
    }
    if (sweep % kWorthIt != 0) continue;
    const std::size_t fewer = choose(part.counts, part.components, part.chosen);
    if (!far_fewer(fewer, part)) continue;
    put_back(part, out.state);
    weights_of(row, part);
    leave_out(row, part.rows, part.e, fewer, out.state, part);
  }
  return most;
}

HWY_INLINE bool active_sweeps_of(const SweepRow<float>& row, const SweepLimits<float>& limits,
                                 const SweepState<float>& out) {
  std::size_t rounds = 0;
  for (std::size_t sweep = 0; sweep < limits.most;) {
    const float change = sweep_of(row, limits.least, out);
    if (change < 0) return false;
    ++sweep;
    if (change < limits.enough) break;
    if (rounds == kRounds || sweep < 2 || change < kAlmost * limits.enough) continue;
    if (limits.most - sweep <= kWorthIt) continue;
    bool sound = true;
    const std::size_t done = active_round(row, limits, limits.most - sweep - 1, out, sound);
    if (!sound) return false;
    sweep += done;
    rounds += done > 0 ? 1 : 0;
  }
  return true;
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
