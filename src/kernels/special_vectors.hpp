// SPDX-License-Identifier: Apache-2.0
// digamma, log Gamma, exp of digamma, log and softmax for whole vectors. Recurrence up to where the
// asymptotic series holds, then the series; relative error below 3e-6 in float (of exp digamma),
// 1e-13 in double.
#pragma once

#include <cstddef>

namespace medley::kernels {

/// out_k = exp(digamma(x_k) - max_j digamma(x_j)) for k < count, and 0 up to `padded`; x_k > 0.
void exp_digamma(const float* x, std::size_t count, std::size_t padded, float* out);
void exp_digamma(const double* x, std::size_t count, std::size_t padded, double* out);

/// psi_k = digamma(x_k); returns sum_k log Gamma(x_k), k < count; x_k > 0.
double digamma_log_gamma(const double* x, std::size_t count, double* psi);

/// The same with every log Gamma(x_k).
void digamma_and_log_gamma(const double* x, std::size_t count, double* psi, double* log_gamma);

/// out_k = exp(x_k - max_j x_j) for k < count, and 0 up to `padded`; returns the maximum.
double exp_scaled(const double* x, std::size_t count, std::size_t padded, double* out);

/// max_k x_k, k < count; -infinity if there is none. No x_k is NaN.
double largest(const double* x, std::size_t count);

/// out_k = log x_k for k < count; x_k >= 0, and log 0 = -infinity. May work in place.
void logs(const double* x, std::size_t count, double* out);

/// Replaces x by exp(x) / sum exp(x); returns log sum exp of the old x. exp(-700) counts as 0.
double softmax(double* x, std::size_t count);

}  // namespace medley::kernels
