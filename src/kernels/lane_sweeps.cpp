// SPDX-License-Identifier: Apache-2.0
#include "kernels/lane_sweeps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lane_sweeps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include "kernels/special-inl.hpp"
#include "kernels/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows stay together while more than one in this many lanes has a row that still moves.
inline constexpr std::size_t kFewMoving = 4;

using Floats = hn::Vec<Tag<float>>;

// For rows without a large state: scales their weights by the largest, or all could be zero.
HWY_INLINE void scale_small(const float* state, std::size_t components, Floats largest, float* e) {
  const Tag<float> d;
  const auto small = hn::Lt(largest, hn::Set(d, 1.0F));
  if (hn::AllFalse(d, small)) return;
  auto top = digamma_of<float>(hn::LoadU(d, state));
  for (std::size_t k = 1; k < components; ++k)
    top = hn::Max(top, digamma_of<float>(hn::LoadU(d, state + k * kAbreast)));
  const auto least = hn::Set(d, -87.0F);  // below this exp is 0
  for (std::size_t k = 0; k < components; ++k) {
    const auto below = hn::Sub(digamma_of<float>(hn::LoadU(d, state + k * kAbreast)), top);
    const auto scaled = hn::IfThenElseZero(hn::Gt(below, least), hn::Exp(d, hn::Max(below, least)));
    float* const at = e + k * kAbreast;
    hn::StoreU(hn::IfThenElse(small, scaled, hn::LoadU(d, at)), d, at);
  }
}

// e_k = exp(digamma(state_k)) f_k
HWY_INLINE void weights_of(const AbreastRows& rows, const float* state, float* e) {
  const Tag<float> d;
  auto largest = hn::Zero(d);
  for (std::size_t k = 0; k < rows.components; ++k) {
    const auto x = hn::LoadU(d, state + k * kAbreast);
    largest = hn::Max(largest, x);
    hn::StoreU(exp_digamma_float_of(x), d, e + k * kAbreast);
  }
  scale_small(state, rows.components, largest, e);
  if (rows.factor == nullptr) return;
  for (std::size_t k = 0; k < rows.components; ++k) {
    float* const at = e + k * kAbreast;
    hn::StoreU(hn::Mul(hn::Set(d, rows.factor[k]), hn::LoadU(d, at)), d, at);
  }
}

// sums_k += w_o l_ok / n_o for kMany cells, with n_o = sum_k e_k l_ok; returns the smaller of the
// least norm and the given one. A cell that a row does not have adds nothing.
template <std::size_t kMany>
HWY_INLINE Floats add_cells(const float* HWY_RESTRICT rows, const float* HWY_RESTRICT weight,
                            std::size_t components, const float* HWY_RESTRICT e,
                            float* HWY_RESTRICT sums, Floats least) {
  const Tag<float> d;
  const std::size_t step = components * kAbreast;
  Floats n[kMany];
  for (std::size_t i = 0; i < kMany; ++i) n[i] = hn::Zero(d);
  for (std::size_t k = 0; k < step; k += kAbreast) {
    const auto v = hn::LoadU(d, e + k);
    for (std::size_t i = 0; i < kMany; ++i)
      n[i] = hn::MulAdd(v, hn::LoadU(d, rows + i * step + k), n[i]);
  }
  for (std::size_t i = 0; i < kMany; ++i) {
    const auto w = hn::LoadU(d, weight + i * kAbreast);
    const auto there = hn::Gt(w, hn::Zero(d));
    least = hn::IfThenElse(there, hn::Min(least, n[i]), least);
    n[i] = hn::IfThenElseZero(there, hn::Div(w, n[i]));
  }
  for (std::size_t k = 0; k < step; k += kAbreast) {
    auto sum = hn::LoadU(d, sums + k);
    for (std::size_t i = 0; i < kMany; ++i)
      sum = hn::MulAdd(n[i], hn::LoadU(d, rows + i * step + k), sum);
    hn::StoreU(sum, d, sums + k);
  }
  return least;
}

// sum_o w_o l_ok / n_o; returns the least norm of each row.
HWY_INLINE Floats add_all_cells(const AbreastRows& rows, std::size_t lane, const float* e,
                                float* sums) {
  constexpr std::size_t kAtOnce = 4;
  const Tag<float> d;
  const std::size_t step = rows.components * kAbreast;
  for (std::size_t k = 0; k < step; k += kAbreast) hn::StoreU(hn::Zero(d), d, sums + k);
  const float* from = rows.rows + lane;
  const float* weight = rows.weight + lane;
  auto least = hn::Set(d, 1.0F);
  std::size_t o = 0;
  for (; o + kAtOnce <= rows.count; o += kAtOnce)
    least =
        add_cells<kAtOnce>(from + o * step, weight + o * kAbreast, rows.components, e, sums, least);
  for (; o < rows.count; ++o)
    least = add_cells<1>(from + o * step, weight + o * kAbreast, rows.components, e, sums, least);
  return least;
}

// The rows of one vector, from `lane` on.
HWY_INLINE void sweep_lanes(const AbreastRows& rows, const AbreastLimits& limits,
                            const AbreastState& out, std::size_t lane) {
  const Tag<float> d;
  float* const e = out.room + lane;
  float* const sums = e + rows.components * kAbreast;
  const auto enough = hn::LoadU(d, limits.enough + lane);
  const auto all = hn::Eq(enough, enough);
  auto sound = all, moving = all;
  for (std::size_t sweep = 0; sweep < limits.most; ++sweep) {
    weights_of(rows, out.state + lane, e);
    const auto least = add_all_cells(rows, lane, e, sums);
    sound = hn::And(sound, hn::Or(hn::Not(moving), hn::Gt(least, hn::Set(d, limits.least))));
    moving = hn::And(moving, sound);
    auto change = hn::Zero(d);
    for (std::size_t k = 0; k < rows.components; ++k) {
      float* const state = out.state + k * kAbreast + lane;
      float* const counts = out.counts + k * kAbreast + lane;
      const auto found = hn::Mul(hn::LoadU(d, e + k * kAbreast), hn::LoadU(d, sums + k * kAbreast));
      const auto next = hn::Add(hn::Set(d, rows.prior[k]), found);
      const auto before = hn::LoadU(d, state);
      change = hn::Max(change, hn::Abs(hn::Sub(next, before)));
      hn::StoreU(hn::IfThenElse(moving, next, before), d, state);
      hn::StoreU(hn::IfThenElse(moving, found, hn::LoadU(d, counts)), d, counts);
    }
    moving = hn::And(moving, hn::Ge(change, enough));
    if (kFewMoving * hn::CountTrue(d, moving) > hn::Lanes(d)) continue;
    const auto how = hn::IfThenElse(moving, hn::Set(d, kMoving), hn::Set(d, kSettled));
    hn::StoreU(hn::IfThenElseZero(sound, how), d, out.how + lane);
    hn::StoreU(hn::Set(d, static_cast<float>(sweep + 1)), d, out.sweeps + lane);
    return;
  }
  hn::StoreU(hn::IfThenElseZero(sound, hn::Set(d, kSettled)), d, out.how + lane);
  hn::StoreU(hn::Set(d, static_cast<float>(limits.most)), d, out.sweeps + lane);
}

void sweeps_abreast_of(const AbreastRows& rows, const AbreastLimits& limits,
                       const AbreastState& out) {
  for (std::size_t lane = 0; lane < kAbreast; lane += hn::Lanes(Tag<float>()))
    sweep_lanes(rows, limits, out, lane);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(sweeps_abreast_of);

void lane_sweeps(const AbreastRows& rows, const AbreastLimits& limits, const AbreastState& out) {
  HWY_DYNAMIC_DISPATCH(sweeps_abreast_of)(rows, limits, out);
}

}  // namespace medley::kernels
#endif
