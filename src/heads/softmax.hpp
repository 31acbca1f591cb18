// SPDX-License-Identifier: Apache-2.0
// The softmax head: a label with C classes that depends on a row through zbar, the shares of its
// observations that come from each component:
//
//   p(y = h | zbar) = exp(eta_h . zbar) / sum_h' exp(eta_h' . zbar),   eta_C = 0
//
// With phibar = E_q[zbar] the variational bound of the label's log-likelihood is one of
//
//   lse     sum_k phibar_k s_yk,   s_hk = log P(h | k) = log softmax_h(eta_.k)
//   paper   sum_k phibar_k (eta_yk - epsilon_k / xi) + 1 - 1/xi - log xi,
//           epsilon_k = sum_{h<C} exp(eta_hk),  best at xi = 1 + sum_k phibar_k epsilon_k
//
// The first is never below the second, does not depend on which class is the last, and is exact for
// single membership. Either is linear in phibar, so in the E-step the label is nothing but a vector
// added to the log of the kernel's weights. The label's log-likelihood counts `weight` times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace medley::heads {

enum class Bound { lse, paper };

/// What the M-step needs, summed over the labelled rows that have something observed.
struct Statistics {
  std::vector<double> joint;    ///< C x K: sum of phibar_k over the rows of class h, row-weighted
  std::vector<double> divided;  ///< K: sum of phibar_k / xi; paper only
};

class Softmax {
 public:
  /// Every class alike. `smoothing`: imagined rows of every class in every component.
  Softmax(std::size_t components, std::size_t classes, Bound bound, double weight,
          double smoothing);

  [[nodiscard]] std::size_t components() const { return components_; }
  [[nodiscard]] std::size_t classes() const { return classes_; }
  [[nodiscard]] Bound bound() const { return bound_; }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double smoothing() const { return smoothing_; }
  /// C x K; the last row is 0.
  [[nodiscard]] std::span<const double> eta() const { return eta_; }
  /// C x K: log P(h | k).
  [[nodiscard]] std::span<const double> log_probability() const { return log_probability_; }
  /// Takes C x K numbers; what all classes have in common per component is taken off.
  void set_eta(std::span<const double> values);

  /// Whether the offset depends on phibar: then it must be renewed as the row settles.
  [[nodiscard]] bool follows_row() const { return bound_ == Bound::paper; }
  /// 1 + phibar . epsilon
  [[nodiscard]] double xi(std::span<const double> phibar) const;
  /// What the label adds to the log weights of a row whose observations weigh m in total: K
  /// numbers. Returns the part of the bound that does not depend on phibar.
  double offset(std::size_t label, double m, double xi, std::span<double> out) const;

  [[nodiscard]] Statistics empty_statistics() const;
  void collect(std::size_t label, std::span<const double> phibar, double xi, double row_weight,
               Statistics& into) const;
  /// Sets eta to its (smoothed) maximum given the statistics.
  void maximise(const Statistics& from);
  /// Log prior of eta under the smoothing, up to a constant; bound + this is what EM increases.
  [[nodiscard]] double log_prior() const;

  /// log p(y = h | zbar) of every class.
  void log_classes(std::span<const double> zbar, std::span<double> out) const;

  /// Component k becomes old component order[k].
  void permute(std::span<const std::size_t> order);

 private:
  void derive();

  std::size_t components_, classes_;
  Bound bound_;
  double weight_, smoothing_;
  std::vector<double> eta_;              // C x K
  std::vector<double> log_probability_;  // C x K
  std::vector<double> epsilon_;          // K
};

}  // namespace medley::heads
