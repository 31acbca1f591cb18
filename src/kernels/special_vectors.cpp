// SPDX-License-Identifier: Apache-2.0
#include "kernels/special_vectors.hpp"

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
