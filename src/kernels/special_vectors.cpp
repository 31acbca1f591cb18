// SPDX-License-Identifier: Apache-2.0
#include "kernels/special_vectors.hpp"

#include "kernels/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/special_vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, kLanes>;

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

// Where the series is good to the type's precision.
template <class T>
constexpr T kSeriesFrom = sizeof(T) == 4 ? T{6} : T{10};

// digamma(x) = log x - 1/(2x) - sum_n B_2n / (2n x^2n) for large x; below, digamma(x) =
// digamma(x+1) - 1/x.
template <class T, class V>
HWY_INLINE V digamma_of(V x) {
  const Tag<T> d;
  const V one = hn::Set(d, T{1});
  const V from = hn::Set(d, kSeriesFrom<T>);
  V shift = hn::Zero(d);
  for (auto small = hn::Lt(x, from); !hn::AllFalse(d, small); small = hn::Lt(x, from)) {
    shift = hn::Add(shift, hn::IfThenElseZero(small, hn::Div(one, x)));
    x = hn::Add(x, hn::IfThenElseZero(small, one));
  }
  const V inverse = hn::Div(one, x);
  const V y = hn::Mul(inverse, inverse);
  V series = hn::Set(d, static_cast<T>(-1.0 / 12));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(691.0 / 32760)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(-1.0 / 132)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(1.0 / 240)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(-1.0 / 252)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(1.0 / 120)));
  series = hn::MulAdd(y, series, hn::Set(d, static_cast<T>(-1.0 / 12)));
  const V tail = hn::MulAdd(y, series, hn::Mul(hn::Set(d, static_cast<T>(-0.5)), inverse));
  return hn::Sub(hn::Add(hn::Log(d, x), tail), shift);
}

// log Gamma(x) = (x - 1/2) log x - x + log(2 pi)/2 + sum_n B_2n / (2n (2n-1) x^(2n-1)) for large x;
// below, log Gamma(x) = log Gamma(x + j) - log(x (x+1) ... (x+j-1)).
template <class V>
HWY_INLINE V log_gamma_of(V x) {
  const Tag<double> d;
  const V one = hn::Set(d, 1.0);
  const V from = hn::Set(d, kSeriesFrom<double>);
  V product = one;
  for (auto small = hn::Lt(x, from); !hn::AllFalse(d, small); small = hn::Lt(x, from)) {
    product = hn::IfThenElse(small, hn::Mul(product, x), product);
    x = hn::Add(x, hn::IfThenElseZero(small, one));
  }
  const V inverse = hn::Div(one, x);
  const V y = hn::Mul(inverse, inverse);
  V series = hn::Set(d, 1.0 / 156);
  series = hn::MulAdd(y, series, hn::Set(d, -691.0 / 360360));
  series = hn::MulAdd(y, series, hn::Set(d, 1.0 / 1188));
  series = hn::MulAdd(y, series, hn::Set(d, -1.0 / 1680));
  series = hn::MulAdd(y, series, hn::Set(d, 1.0 / 1260));
  series = hn::MulAdd(y, series, hn::Set(d, -1.0 / 360));
  series = hn::MulAdd(y, series, hn::Set(d, 1.0 / 12));
  const V half_log_2pi = hn::Set(d, 0.91893853320467274178);
  const V main = hn::MulSub(hn::Sub(x, hn::Set(d, 0.5)), hn::Log(d, x), x);
  return hn::Sub(hn::Add(hn::MulAdd(inverse, series, main), half_log_2pi), hn::Log(d, product));
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

void exp_digamma_float(const float* x, std::size_t count, std::size_t padded, float* out) {
  exp_digamma_of(x, count, padded, out);
}

void exp_digamma_double(const double* x, std::size_t count, std::size_t padded, double* out) {
  exp_digamma_of(x, count, padded, out);
}

double exp_scaled_double(const double* x, std::size_t count, std::size_t padded, double* out) {
  return exp_scaled_of(x, count, padded, out);
}

double digamma_log_gamma_double(const double* x, std::size_t count, double* psi) {
  const Tag<double> d;
  HWY_ALIGN double digammas[kLanes];
  HWY_ALIGN double log_gammas[kLanes];
  double total = 0;
  for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
    const auto v = load_or_one(x, k, count);
    hn::StoreU(digamma_of<double>(v), d, digammas);
    hn::StoreU(log_gamma_of(v), d, log_gammas);
    for (std::size_t lane = 0; lane < hn::Lanes(d) && k + lane < count; ++lane) {
      psi[k + lane] = digammas[lane];
      total += log_gammas[lane];
    }
  }
  return total;
}

void digamma_and_log_gamma_double(const double* x, std::size_t count, double* psi,
                                  double* log_gamma) {
  const Tag<double> d;
  HWY_ALIGN double digammas[kLanes];
  HWY_ALIGN double log_gammas[kLanes];
  for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
    const auto v = load_or_one(x, k, count);
    hn::StoreU(digamma_of<double>(v), d, digammas);
    hn::StoreU(log_gamma_of(v), d, log_gammas);
    for (std::size_t lane = 0; lane < hn::Lanes(d) && k + lane < count; ++lane) {
      psi[k + lane] = digammas[lane];
      log_gamma[k + lane] = log_gammas[lane];
    }
  }
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(exp_digamma_float);
HWY_EXPORT(exp_digamma_double);
HWY_EXPORT(exp_scaled_double);
HWY_EXPORT(digamma_log_gamma_double);
HWY_EXPORT(digamma_and_log_gamma_double);

void exp_digamma(const float* x, std::size_t count, std::size_t padded, float* out) {
  HWY_DYNAMIC_DISPATCH(exp_digamma_float)(x, count, padded, out);
}

void exp_digamma(const double* x, std::size_t count, std::size_t padded, double* out) {
  HWY_DYNAMIC_DISPATCH(exp_digamma_double)(x, count, padded, out);
}

double exp_scaled(const double* x, std::size_t count, std::size_t padded, double* out) {
  return HWY_DYNAMIC_DISPATCH(exp_scaled_double)(x, count, padded, out);
}

void digamma_and_log_gamma(const double* x, std::size_t count, double* psi, double* log_gamma) {
  HWY_DYNAMIC_DISPATCH(digamma_and_log_gamma_double)(x, count, psi, log_gamma);
}

double digamma_log_gamma(const double* x, std::size_t count, double* psi) {
  return HWY_DYNAMIC_DISPATCH(digamma_log_gamma_double)(x, count, psi);
}

}  // namespace medley::kernels
#endif
