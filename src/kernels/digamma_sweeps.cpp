// SPDX-License-Identifier: Apache-2.0
#include "kernels/digamma_sweeps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/digamma_sweeps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include "kernels/active_sweeps-inl.hpp"
#include "kernels/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE void copy(const T* from, std::size_t padded, T* to) {
  const Tag<T> d;
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d))
    hn::StoreU(hn::LoadU(d, from + k), d, to + k);
}

// Sets x2 to the extrapolated state and x0 to the old x2. Returns false and changes nothing if
// there is nothing to gain. A state that would fall to the prior or below stays unchanged.
template <class T>
HWY_INLINE bool extrapolate(const T* prior, std::size_t padded, T* x0, const T* x1, T* x2) {
  const Tag<T> d;
  auto rr = hn::Zero(d), vv = rr;
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
    const auto middle = hn::LoadU(d, x1 + k);
    const auto r = hn::Sub(middle, hn::LoadU(d, x0 + k));
    const auto v = hn::Sub(hn::Sub(hn::LoadU(d, x2 + k), middle), r);
    rr = hn::MulAdd(r, r, rr);
    vv = hn::MulAdd(v, v, vv);
  }
  const T square = hn::GetLane(hn::SumOfLanes(d, rr)), bend = hn::GetLane(hn::SumOfLanes(d, vv));
  if (!(square > bend)) return false;
  const auto step = hn::Sqrt(hn::Set(d, square / bend));
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
    const auto first = hn::LoadU(d, x0 + k), middle = hn::LoadU(d, x1 + k);
    const auto last = hn::LoadU(d, x2 + k);
    const auto r = hn::Sub(middle, first);
    const auto v = hn::Sub(hn::Sub(last, middle), r);
    const auto next = hn::MulAdd(step, hn::MulAdd(step, v, hn::Add(r, r)), first);
    const auto possible = hn::Gt(next, hn::LoadU(d, prior + k));
    hn::StoreU(last, d, x0 + k);
    hn::StoreU(hn::IfThenElse(possible, next, last), d, x2 + k);
  }
  return true;
}

// The logarithm of the divisor of the weights in double. 0 if some state is large enough for its
// weight to be; otherwise all could be zero.
HWY_INLINE double log_scale_of(const SweepRow<double>& row, const double* state) {
  if (largest_of(state, row.padded) >= 1.0) return 0.0;
  const Tag<double> d;
  double largest = state[0];  // the padding's 1/2 is not a state
  for (std::size_t k = 1; k < row.components; ++k) largest = HWY_MAX(largest, state[k]);
  return hn::GetLane(digamma_of<double>(hn::Set(d, largest)));
}

HWY_INLINE void renew_weights(const SweepRow<float>& row, const float* state, const float*,
                              float* e) {
  weights_of(row, state, e);
  if (row.factor != nullptr) multiply(row.factor, row.padded, e);
}

// e holds the weights of state `before` (null: nothing). Most components hold nothing of a long row
// and stay at their prior to the last bit, so their weights stay too.
HWY_INLINE void renew_weights(const SweepRow<double>& row, const double* state,
                              const double* before, double* e) {
  const Tag<double> d;
  const double log_scale = log_scale_of(row, state);
  if (before != nullptr && log_scale != log_scale_of(row, before)) before = nullptr;
  const auto top = hn::Set(d, log_scale), least = hn::Set(d, -700.0);  // exp of less counts as 0
  for (std::size_t k = 0; k < row.padded; k += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, state + k);
    if (before != nullptr && hn::AllTrue(d, hn::Eq(x, hn::LoadU(d, before + k)))) continue;
    const auto power = hn::Sub(digamma_of<double>(x), top);
    auto weight = hn::IfThenElseZero(hn::Gt(power, least), hn::Exp(d, hn::Max(power, least)));
    if (row.factor != nullptr) weight = hn::Mul(weight, hn::LoadU(d, row.factor + k));
    hn::StoreU(weight, d, e + k);
  }
}

template <class T>
HWY_INLINE bool sweeps_of(const SweepRow<T>& row, const SweepLimits<T>& limits,
                          const SweepState<T>& out) {
  T* const x0 = out.older;
  T* const x1 = x0 + row.padded;
  std::size_t kept = 0;  // states of plain sweeps in a row: x0, x1
  bool trying = false;   // this sweep began at an extrapolated state, and x0 is the one before it
  T before = T{0};       // what the last plain sweep changed
  const T* last = nullptr;  // the state that e is of, where it is kept
  for (std::size_t sweep = 0; sweep < limits.most; ++sweep) {
    renew_weights(row, out.state, last, out.e);
    last = trying ? nullptr : kept == 0 ? x0 : x1;
    if (!trying) copy(out.state, row.padded, kept == 0 ? x0 : x1);
    const T change = move_of(row, limits.least, out);
    if (change < T{0}) return false;
    if (change < limits.enough) break;
    if (trying) {
      trying = false;
      kept = 0;
      if (change > before) copy(x0, row.padded, out.state);
      continue;
    }
    kept = change < limits.near ? kept + 1 : 0;
    if (kept < 2) continue;
    kept = 0;
    before = change;
    trying = extrapolate(row.prior, row.padded, x0, x1, out.state);
  }
  return true;
}

bool digamma_sweeps_float(const SweepRow<float>& row, const SweepLimits<float>& limits,
                          const SweepState<float>& out) {
  return out.room == nullptr ? sweeps_of(row, limits, out) : active_sweeps_of(row, limits, out);
}

bool digamma_sweeps_double(const SweepRow<double>& row, const SweepLimits<double>& limits,
                           const SweepState<double>& out) {
  return sweeps_of(row, limits, out);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(digamma_sweeps_float);
HWY_EXPORT(digamma_sweeps_double);

bool digamma_sweeps(const SweepRow<float>& row, const SweepLimits<float>& limits,
                    const SweepState<float>& out) {
  return HWY_DYNAMIC_DISPATCH(digamma_sweeps_float)(row, limits, out);
}

bool digamma_sweeps(const SweepRow<double>& row, const SweepLimits<double>& limits,
                    const SweepState<double>& out) {
  return HWY_DYNAMIC_DISPATCH(digamma_sweeps_double)(row, limits, out);
}

}  // namespace medley::kernels
#endif
