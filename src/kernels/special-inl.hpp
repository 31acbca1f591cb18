// SPDX-License-Identifier: Apache-2.0
// Special functions of vectors (kernels/special_vectors.hpp) for one instruction set. Included once
// per instruction set by the kernels built on them; do not include it elsewhere.
#if defined(MEDLEY_KERNELS_SPECIAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MEDLEY_KERNELS_SPECIAL_INL
#undef MEDLEY_KERNELS_SPECIAL_INL
#else
#define MEDLEY_KERNELS_SPECIAL_INL
#endif

#include <hwy/highway.h>
// must come after highway.h
#include <hwy/contrib/math/math-inl.h>

#include <cstddef>

#include "kernels/lanes.hpp"
#include "kernels/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Loads count - k values (at most a vector); the other lanes get 1, a harmless argument.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> load_or_one(const T* x, std::size_t k, std::size_t count) {
  const Tag<T> d;
  if (k + hn::Lanes(d) <= count) return hn::LoadU(d, x + k);
  HWY_ALIGN T padded[kLanes];
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane)
    padded[lane] = k + lane < count ? x[k + lane] : T{1};
  return hn::LoadU(d, padded);
}

// The x from which the series is accurate to the type's precision.
template <class T>
constexpr T kSeriesFrom = sizeof(T) == 4 ? T{6} : T{10};
// The number of steps of 1 that reach that x from any x above 0. For x below 0 the loop need only
// end.
template <class T>
constexpr int kMostSteps = static_cast<int>(kSeriesFrom<T>);

// digamma(x) - log x = - 1/(2x) - sum_n B_2n / (2n x^2n) for large x, from 1/x and y = 1/x^2.
template <class T, class V>
HWY_INLINE V digamma_tail(V inverse, V y) {
  const Tag<T> d;
  V series = hn::Set(d, static_cast<T>(-1.0 / 12));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(691.0 / 32760)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(-1.0 / 132)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(1.0 / 240)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(-1.0 / 252)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(1.0 / 120)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(-1.0 / 12)));
  return hn::MulAdd(y, series, hn::Mul(hn::Set(d, static_cast<T>(-0.5)), inverse));
}

// By the series for large x; below, digamma(x) = digamma(x+1) - 1/x.
template <class T, class V>
HWY_INLINE V digamma_of(V x) {
  const Tag<T> d;
  const V one = hn::Set(d, T{1});
  const V from = hn::Set(d, kSeriesFrom<T>);
  // sum of 1/x, 1/(x+1) ... as one fraction: one division instead of one for every step
  V above = hn::Zero(d), below = one;
  auto small = hn::Lt(x, from);
  for (int step = 0; step < kMostSteps<T> && !hn::AllFalse(d, small); ++step) {
    above = hn::IfThenElse(small, hn::MulAdd(above, x, below), above);
    below = hn::IfThenElse(small, hn::Mul(below, x), below);
    x = hn::Add(x, hn::IfThenElseZero(small, one));
    small = hn::Lt(x, from);
  }
  const V shift = hn::Div(above, below);
  const V inverse = hn::Div(one, x);
  const V tail = digamma_tail<T>(inverse, hn::Mul(inverse, inverse));
  return hn::Sub(hn::Add(hn::Log(d, x), tail), shift);
}

// digamma, and log Gamma(x) = (x - 1/2) log x - x + log(2 pi)/2 + sum_n B_2n / (2n (2n-1) x^(2n-1))
// for large x; below, log Gamma(x) = log Gamma(x + j) - log(x (x+1) ... (x+j-1)). Both from the
// same steps, logarithm and division.
template <class V>
HWY_INLINE void digamma_log_gamma_of(V x, V& digamma, V& log_gamma) {
  const Tag<double> d;
  const V one = hn::Set(d, 1.0);
  const V from = hn::Set(d, kSeriesFrom<double>);
  V above = hn::Zero(d), below = one;
  auto small = hn::Lt(x, from);
  for (int step = 0; step < kMostSteps<double> && !hn::AllFalse(d, small); ++step) {
    above = hn::IfThenElse(small, hn::MulAdd(above, x, below), above);
    below = hn::IfThenElse(small, hn::Mul(below, x), below);
    x = hn::Add(x, hn::IfThenElseZero(small, one));
    small = hn::Lt(x, from);
  }
  const V both = hn::Div(one, hn::Mul(below, x));
  const V shift = hn::Mul(hn::Mul(above, x), both);
  const V inverse = hn::Mul(below, both);
  const V log_x = hn::Log(d, x);
  const V y = hn::Mul(inverse, inverse);
  digamma = hn::Sub(hn::Add(log_x, digamma_tail<double>(inverse, y)), shift);
  V series = hn::Set(d, 1.0 / 156);
  series = hn::MulAdd(y, series, hn::Set(d, -691.0 / 360360));
  series = hn::MulAdd(y, series, hn::Set(d, 1.0 / 1188));
  series = hn::MulAdd(y, series, hn::Set(d, -1.0 / 1680));
  series = hn::MulAdd(y, series, hn::Set(d, 1.0 / 1260));
  series = hn::MulAdd(y, series, hn::Set(d, -1.0 / 360));
  series = hn::MulAdd(y, series, hn::Set(d, 1.0 / 12));
  const V half_log_2pi = hn::Set(d, 0.91893853320467274178);
  const V main = hn::MulSub(hn::Sub(x, hn::Set(d, 0.5)), log_x, x);
  log_gamma = hn::Sub(hn::Add(hn::MulAdd(inverse, series, main), half_log_2pi), hn::Log(d, below));
}

template <class T>
HWY_INLINE T exp_scaled_of(const T* x, std::size_t count, std::size_t padded, T* out) {
  const Tag<T> d;
  T largest = x[0];
  for (std::size_t k = 1; k < count; ++k) largest = x[k] > largest ? x[k] : largest;
  const auto top = hn::Set(d, largest);
  // Below this exp is 0; keeps the vector Exp away from -infinity and from denormals.
  const auto least = hn::Set(d, static_cast<T>(sizeof(T) == 4 ? -87.0 : -700.0));
  for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
    const auto below = hn::Sub(load_or_one(x, k, count), top);
    hn::StoreU(hn::IfThenElseZero(hn::Gt(below, least), hn::Exp(d, hn::Max(below, least))), d,
               out + k);
  }
  for (std::size_t k = count; k < padded; ++k) out[k] = T{0};
  return largest;
}

template <class T>
HWY_INLINE void exp_digamma_of(const T* x, std::size_t count, std::size_t padded, T* out) {
  const Tag<T> d;
  for (std::size_t k = 0; k < count; k += hn::Lanes(d))
    hn::StoreU(digamma_of<T>(load_or_one(x, k, count)), d, out + k);
  exp_scaled_of(out, count, padded, out);
}

// exp(digamma(x)) for 0 < x, not scaled: 0 below x of about 1/86. With y = x + 6 where x < 6, else
// y = x, and h = y - 1/2,
//
//   exp(digamma(y)) = h + 1/(24 h) - 37/(5760 h^3) + 10313/(2903040 h^5) - ...
//   digamma(x) = digamma(x + 6) - sum_{i<6} 1/(x + i)
//              = digamma(x + 6) - (2x + 5) (3 t^2 + 20 t + 24) / (t (t + 4) (t + 6)),  t = x (x +
//              5)
//
// Relative error below 1e-6 for x >= 0.1; below that the error of exp of a large number, 1e-7 / x.
template <class V>
HWY_INLINE V exp_digamma_float_of(V x) {
  const Tag<float> d;
  const auto small = hn::Lt(x, hn::Set(d, 6.0F));
  const V h = hn::Add(x, hn::IfThenElse(small, hn::Set(d, 5.5F), hn::Set(d, -0.5F)));
  const V inverse = hn::Div(hn::Set(d, 1.0F), h);
  const V y = hn::Mul(inverse, inverse);
  V series = hn::Set(d, static_cast<float>(10313.0 / 2903040));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<float>(-37.0 / 5760)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<float>(1.0 / 24)));
  const V large = hn::MulAdd(inverse, series, h);
  if (hn::AllFalse(d, small)) return large;
  const V t = hn::Mul(x, hn::Add(x, hn::Set(d, 5.0F)));
  const V top =
      hn::MulAdd(t, hn::MulAdd(t, hn::Set(d, 3.0F), hn::Set(d, 20.0F)), hn::Set(d, 24.0F));
  const V bottom = hn::Mul(hn::Mul(t, hn::Add(t, hn::Set(d, 4.0F))), hn::Add(t, hn::Set(d, 6.0F)));
  const V shift = hn::Div(hn::Mul(hn::MulAdd(x, hn::Set(d, 2.0F), hn::Set(d, 5.0F)), top), bottom);
  const V least = hn::Set(d, -87.0F);  // below this exp is 0
  const V power = hn::Neg(shift);
  const V factor = hn::IfThenElseZero(hn::Gt(power, least), hn::Exp(d, hn::Max(power, least)));
  return hn::IfThenElse(small, hn::Mul(large, factor), large);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
