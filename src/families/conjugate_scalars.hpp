// SPDX-License-Identifier: Apache-2.0
// What the conjugate priors of all families of numbers share, as scalars.hpp does for the families
// themselves: a number x becomes u = t(x - shift) - centre, and a cluster's statistics are, per
// feature, the sums over its cells of
//
//   1, u                 poisson, exponential, geometric
//   1, u, u^2            gaussian; u about the column's mean, where the squares keep their digits
//
// A feature that a row has several times (replicates, or a weight above 1) is scored by the
// difference of log marginals, which is exact; a single cell from the cluster's table, a few
// numbers per feature.
#pragma once

#include <array>
#include <vector>

#include "families/conjugate.hpp"

namespace medley::families {

class ScalarConjugate : public Conjugate {
 public:
  using Sums = std::array<double, 3>;  ///< count, sum u, sum u^2
  using Row = std::array<double, 4>;   ///< a feature's numbers in the table
  using Own = std::array<double, 2>;   ///< the family's own parameters
  struct Shape {
    std::size_t sums, rows, own;  ///< how many of each are used
  };

  [[nodiscard]] double log_marginal(const double* statistics) const override;
  [[nodiscard]] double log_base(const Block& block, std::size_t row) const override;
  void draw(const double* statistics, core::Rng& rng, std::span<double> out) const override;
  void posterior_mean(const double* statistics, std::span<double> out) const override;
  void tabulate(const double* statistics, double* column, std::size_t stride) const override;
  void retabulate(const Block& block, std::size_t row, const double* statistics, double* column,
                  std::size_t stride) const override;
  void add_log_predictives(const Block& block, std::size_t row, const ClusterView& clusters,
                           double* total) const override;

 protected:
  ScalarConjugate(const Block& block, Shape shape, std::vector<double> prior);
  void change(const Block& block, std::size_t first, std::size_t last, double times,
              double* statistics) const override;

  // What a family says of itself, for one feature.
  /// t(x), and the log of its base measure.
  [[nodiscard]] virtual double term(double x) const { return x; }
  [[nodiscard]] virtual double base(double /*x*/) const { return 0; }
  [[nodiscard]] virtual double marginal(std::size_t feature, const Sums& sums) const = 0;
  [[nodiscard]] virtual Row table_row(std::size_t feature, const Sums& sums) const = 0;
  /// Adds the log predictive of u under every cluster to total; `table` has the feature's rows.
  virtual void add_predictives(std::size_t feature, double u, const ClusterView& table,
                               double* total) const = 0;
  [[nodiscard]] virtual Own drawn(std::size_t feature, const Sums& sums, core::Rng& rng) const = 0;
  [[nodiscard]] virtual Own mean(std::size_t feature, const Sums& sums) const = 0;

  /// Hyperparameter h of a feature.
  [[nodiscard]] double prior_of(std::size_t feature, std::size_t h) const {
    return prior_[feature * hyper_ + h];
  }
  std::vector<double> centre_;  ///< per feature; 0 unless the family sets it

 private:
  [[nodiscard]] std::size_t features() const { return shift_.size(); }
  [[nodiscard]] double u_of(const Block& block, std::size_t cell) const;
  [[nodiscard]] Sums sums_of(std::size_t feature, const double* statistics) const;
  void set_row(std::size_t feature, const double* statistics, double* column,
               std::size_t stride) const;
  void add_replicates(const Block& block, std::size_t first, std::size_t last,
                      const ClusterView& clusters, double* total) const;

  Shape shape_;
  std::size_t hyper_;  // numbers per feature
  std::vector<double> shift_;
};

/// Mean and variance of t(x - shift) in a column's cells, with their weights; {1, 1} where there is
/// none or they are no use (a mean not above 0 if `positive`, a variance of 0).
struct ColumnMoments {
  double mean = 1, variance = 1;
};
[[nodiscard]] std::vector<ColumnMoments> column_moments(const Block& block, double (*term)(double),
                                                        bool positive);
/// The sum of the numbers of each column, at its largest: how far tables of counts have to reach.
[[nodiscard]] double largest_sum(const Block& block);

}  // namespace medley::families
