// SPDX-License-Identifier: Apache-2.0
// The Dirichlet distribution and the Dirichlet-multinomial (Polya) distribution: normalisers, and
// maximum-likelihood parameters.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace medley::math {

// Newton's method for a function of alpha_1 .. alpha_K > 0 whose Hessian is diagonal plus a
// constant, H = diag(h) + w 11'. A direction costs O(K). A line search with an ascent test ensures
// that the function never falls (checking alpha > 0 is not enough). If the direction does not
// ascend, the gradient in log alpha replaces it.

/// Limits of alpha. A component that no row uses drives its alpha towards 0; equal rows drive it to
/// infinity. Both stop at the limit, and the fit reports it.
inline constexpr double kAlphaFloor = 1e-6;
inline constexpr double kAlphaCap = 1e4;

struct AlphaProblem {
  using Alpha = std::span<const double>;
  double rows = 0;  ///< weighted number; the scale of the gradient
  std::function<double(Alpha)> objective;
  std::function<std::vector<double>(Alpha)> gradient;
  /// Writes the diagonal h (all entries below 0) and returns w.
  std::function<double(Alpha, std::vector<double>& h)> curvature;
};

/// Moves alpha to a maximum; the objective never falls. At most 50 steps.
void maximise_alpha(const AlphaProblem& problem, std::vector<double>& alpha);

/// The same problem for one common value a.
struct CommonAlphaProblem {
  std::function<double(double)> objective, first, second;  ///< the function and its derivatives
};
[[nodiscard]] double maximise_common_alpha(const CommonAlphaProblem& problem, double a);

// The Dirichlet distribution: its normaliser, and the parameter that fits expected log proportions,
// the maximum of
//
//   F(alpha) = n [log Gamma(alpha_0) - sum_k log Gamma(alpha_k)] + sum_k (alpha_k - 1) s_k,
//   concave,
//
// with s_k = sum_i E log theta_ik over n (weighted) rows; alpha_0 = sum_k alpha_k.

/// lnB(a) = sum_k log Gamma(a_k) - log Gamma(sum_k a_k).
[[nodiscard]] double log_beta(std::span<const double> a);

/// F(alpha) above.
[[nodiscard]] double dirichlet_objective(std::span<const double> alpha, std::span<const double> s,
                                         double n);

/// Gradient of F.
[[nodiscard]] std::vector<double> dirichlet_gradient(std::span<const double> alpha,
                                                     std::span<const double> s, double n);

/// The alpha that maximises F, starting from `alpha`; F never falls. At most 50 Newton steps.
void fit_dirichlet(std::vector<double>& alpha, std::span<const double> s, double n);

/// The same for alpha_k = a, k = 1..K: Newton in log a. `total` = sum_k s_k.
[[nodiscard]] double fit_symmetric_dirichlet(double a, std::size_t components, double total,
                                             double n);

// The Dirichlet-multinomial (Polya) distribution of counts: with theta ~ Dirichlet(alpha)
// integrated out, m observations fall into components as z_1 .. z_m with counts n with probability
//
//   p(z) = B(alpha + n) / B(alpha) = prod_k alpha_k (alpha_k + 1) .. (alpha_k + n_k - 1)
//                                    / (alpha_0 (alpha_0 + 1) .. (alpha_0 + m - 1))
//
// and the likelihood of many rows depends on them only through the numbers of rows with n_k > t,
// and with m > t.

/// Numbers of weighted, or expected, rows by their number of observations.
struct CountsOfCounts {
  std::vector<std::vector<double>> component;  ///< K; [k][t]: rows with n_k > t
  std::vector<double> total;                   ///< [t]: rows with m > t

  CountsOfCounts() = default;
  CountsOfCounts(std::size_t components, std::size_t depth)
      : component(components, std::vector<double>(depth, 0.0)), total(depth, 0.0) {}
  [[nodiscard]] bool empty() const { return component.empty(); }
  /// Number of rows with something observed.
  [[nodiscard]] double rows() const { return total.empty() ? 0.0 : total.front(); }
};

/// log x (x + 1) .. (x + count - 1) for count = 0 .. most.
[[nodiscard]] std::vector<double> log_rising(double x, std::size_t most);

/// sum over rows of log B(alpha + n) / B(alpha), and its gradient.
[[nodiscard]] double polya_objective(std::span<const double> alpha, const CountsOfCounts& counts);
[[nodiscard]] std::vector<double> polya_gradient(std::span<const double> alpha,
                                                 const CountsOfCounts& counts);

// Where rows are few their likelihood is often highest at alpha_0 = 0, where no row mixes, though
// they hardly speak against some mixing; held-out rows do. A weak prior that is 0 there (Chung,
// Rabe-Hesketh, Dorie, Gelman and Liu 2013) keeps alpha off that boundary: one imagined row of two
// observations that lie in different components. But for a constant of the shares alpha_k /
// alpha_0, which it says nothing of, its log-probability is
//
//   log alpha_0 / (1 + alpha_0)

[[nodiscard]] double mixed_row_log_prior(std::span<const double> alpha);
/// Adds that row, its observations dealt to the components as the present alpha has it. Maximising
/// with it then never lowers the objective + the log prior: by Jensen's inequality log alpha_0 is
/// at least sum_k s_k log(alpha_k / s_k), s_k being the present shares.
void add_mixed_row(std::span<const double> alpha, CountsOfCounts& counts);

/// Moves alpha to a maximum of the objective, which never falls.
void fit_polya(std::vector<double>& alpha, const CountsOfCounts& counts);
/// The same for alpha_k = a.
[[nodiscard]] double fit_symmetric_polya(double a, const CountsOfCounts& counts);

}  // namespace medley::math
