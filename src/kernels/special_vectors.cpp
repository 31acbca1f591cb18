// SPDX-License-Identifier: Apache-2.0
#include "kernels/special_vectors.hpp"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/special_vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include <hwy/contrib/math/math-inl.h>

#include "kernels/special-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
    hn::Vec<Tag<double>> digamma, log_gamma_x;
    digamma_log_gamma_of(load_or_one(x, k, count), digamma, log_gamma_x);
    hn::StoreU(digamma, d, digammas);
    hn::StoreU(log_gamma_x, d, log_gammas);
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
    hn::Vec<Tag<double>> digamma, log_gamma_x;
    digamma_log_gamma_of(load_or_one(x, k, count), digamma, log_gamma_x);
    hn::StoreU(digamma, d, digammas);
    hn::StoreU(log_gamma_x, d, log_gammas);
    for (std::size_t lane = 0; lane < hn::Lanes(d) && k + lane < count; ++lane) {
      psi[k + lane] = digammas[lane];
      log_gamma[k + lane] = log_gammas[lane];
    }
  }
}

double largest_double(const double* x, std::size_t count) {
  const Tag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  double most = -std::numeric_limits<double>::infinity();
  std::size_t k = 0;
  if (count >= 2 * lanes) {
    auto even = hn::LoadU(d, x), odd = hn::LoadU(d, x + lanes);
    for (k = 2 * lanes; k + 2 * lanes <= count; k += 2 * lanes) {
      even = hn::Max(even, hn::LoadU(d, x + k));
      odd = hn::Max(odd, hn::LoadU(d, x + k + lanes));
    }
    most = hn::GetLane(hn::MaxOfLanes(d, hn::Max(even, odd)));
  }
  for (; k < count; ++k) most = x[k] > most ? x[k] : most;
  return most;
}

// Processes whole vectors, then the last few numbers in a vector padded with 1.
template <class Each>
HWY_INLINE void each_vector(const double* x, std::size_t count, double* out, Each&& each) {
  const Tag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) hn::StoreU(each(hn::LoadU(d, x + k)), d, out + k);
  if (k == count) return;
  HWY_ALIGN double last[kLanes];
  hn::StoreU(each(load_or_one(x, k, count)), d, last);
  for (std::size_t lane = 0; k < count; ++k, ++lane) out[k] = last[lane];
}

void logs_double(const double* x, std::size_t count, double* out) {
  const Tag<double> d;
  const auto none = hn::Set(d, -std::numeric_limits<double>::infinity());
  each_vector(x, count, out, [&](auto v) HWY_ATTR {
    return hn::IfThenElse(hn::Eq(v, hn::Zero(d)), none, hn::Log(d, v));
  });
}

double softmax_double(double* x, std::size_t count) {
  const Tag<double> d;
  const double top = largest_double(x, count);
  const auto least = hn::Set(d, -700.0), shift = hn::Set(d, top);
  each_vector(x, count, x, [&](auto v) HWY_ATTR {
    const auto below = hn::Sub(v, shift);
    return hn::IfThenElseZero(hn::Gt(below, least), hn::Exp(d, hn::Max(below, least)));
  });
  auto sums = hn::Zero(d);
  std::size_t k = 0;
  for (; k + hn::Lanes(d) <= count; k += hn::Lanes(d)) sums = hn::Add(sums, hn::LoadU(d, x + k));
  double sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; k < count; ++k) sum += x[k];
  const auto by = hn::Set(d, 1.0 / sum);
  each_vector(x, count, x, [&](auto v) HWY_ATTR { return hn::Mul(v, by); });
  return top + std::log(sum);
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
HWY_EXPORT(largest_double);
HWY_EXPORT(logs_double);
HWY_EXPORT(softmax_double);

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

double largest(const double* x, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(largest_double)(x, count);
}

void logs(const double* x, std::size_t count, double* out) {
  HWY_DYNAMIC_DISPATCH(logs_double)(x, count, out);
}

double softmax(double* x, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(softmax_double)(x, count);
}

double digamma_log_gamma(const double* x, std::size_t count, double* psi) {
  return HWY_DYNAMIC_DISPATCH(digamma_log_gamma_double)(x, count, psi);
}

}  // namespace medley::kernels
#endif
