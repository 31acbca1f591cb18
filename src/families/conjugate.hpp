// SPDX-License-Identifier: Apache-2.0
// Conjugate: what samplers need of a family, as an optional ability. A cluster's parameters have a
// conjugate prior, so that they can be integrated out, and all that matters of the cells in it are
// a few sums S ("statistics"):
//
//   log marginal     log p(cells | S) = log integral of prior x likelihood
//   log predictive   log p(row | S) = log marginal(S + row) - log marginal(S)
//
// It has no number of components: a Dirichlet-process mixture has none. It works on plain arrays of
// the statistics of one cluster, `size()` numbers for all features of the block. They are sums over
// cells: those of two clusters together are the sum of both. Missing cells are not there.
//
// The base measure is left out where it says so: factors of the likelihood that depend on the cell
// alone (1/x! of a count, 1/x of a logarithm), which are the same under every partition. As
// everywhere, a bag of words is the sequence of its tokens: no multinomial coefficient.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "math/special.hpp"
#include "medley/data.hpp"

namespace medley::families {

/// Statistics and tables of clusters side by side.
struct ClusterView {
  const double* statistics;  ///< count x size()
  const double* table;       ///< table_size() x stride: one column per cluster
  std::size_t stride, count;
};

class Conjugate {
 public:
  virtual ~Conjugate() = default;
  Conjugate(const Conjugate&) = delete;
  Conjugate& operator=(const Conjugate&) = delete;

  /// Numbers of one cluster's statistics; all 0 for an empty cluster.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The hyperparameters, for every feature: what `make` may be given to get the same prior again.
  [[nodiscard]] std::span<const double> prior() const { return prior_; }

  /// The row `times` over; a whole number.
  void add(const Block& block, std::size_t row, double* statistics, double times = 1) const {
    change(block, block.row_start[row], block.row_start[row + 1], times, statistics);
  }
  void remove(const Block& block, std::size_t row, double* statistics, double times = 1) const {
    change(block, block.row_start[row], block.row_start[row + 1], -times, statistics);
  }
  /// One cell, as often as it was observed.
  void add_cell(const Block& block, std::size_t cell, double* statistics) const {
    change(block, cell, cell + 1, 1, statistics);
  }
  void remove_cell(const Block& block, std::size_t cell, double* statistics) const {
    change(block, cell, cell + 1, -1, statistics);
  }

  /// All cells of the row together, replicates and repeated words included; with the base measure.
  [[nodiscard]] double log_predictive(const Block& block, std::size_t row,
                                      const double* statistics) const;
  /// Of all cells in the statistics, without the base measure; 0 for an empty cluster.
  [[nodiscard]] virtual double log_marginal(const double* statistics) const = 0;
  /// The base measure of a row's cells.
  [[nodiscard]] virtual double log_base(const Block& /*block*/, std::size_t /*row*/) const {
    return 0;
  }

  // The parameters of one component given its cells, as the family lays them out: `out` has one
  // number per row of Family::parameters(). Rows that are no parameters of a component (what a
  // column is like on average) are left alone.
  virtual void draw(const double* statistics, core::Rng& rng, std::span<double> out) const = 0;
  virtual void posterior_mean(const double* statistics, std::span<double> out) const = 0;

  // Tables: what the predictives are read from, so that a row costs a few operations per cell and
  // cluster.
  [[nodiscard]] std::size_t table_size() const { return table_size_; }
  /// Writes a cluster's column.
  virtual void tabulate(const double* statistics, double* column, std::size_t stride) const = 0;
  /// Brings it up to date after that row was added or removed.
  virtual void retabulate(const Block& block, std::size_t row, const double* statistics,
                          double* column, std::size_t stride) const = 0;
  /// Adds the row's log predictive under every cluster, without the base measure, to total[k].
  virtual void add_log_predictives(const Block& block, std::size_t row, const ClusterView& clusters,
                                   double* total) const = 0;

 protected:
  Conjugate(std::size_t size, std::size_t table_size) : size_(size), table_size_(table_size) {}
  /// Adds `times` times the cells [first, last) of the block.
  virtual void change(const Block& block, std::size_t first, std::size_t last, double times,
                      double* statistics) const = 0;

  std::vector<double> prior_;

 private:
  std::size_t size_, table_size_;
};

// The prior of every family. `block`: the training data, which the defaults are taken from. `prior`
// is empty (the defaults), or gives the hyperparameters once for all features, or for each in turn,
// all above 0 but for a mean. InputError if it does not.

/// Dirichlet: the imagined observations of every level; one number, or one per level. Default 1.
[[nodiscard]] std::unique_ptr<Conjugate> levels_conjugate(const Block& block,
                                                          std::span<const double> prior);
/// Dirichlet: the imagined tokens of all words together (eta). Default: one per word.
[[nodiscard]] std::unique_ptr<Conjugate> tokens_conjugate(const Block& block,
                                                          std::span<const double> prior);
/// Normal-inverse-gamma (m0, kappa0, a0, b0): variance ~ IG(a0, b0), mean ~ N(m0, variance/kappa0).
/// Default: the column's mean, 0.1, 2, a quarter of the column's variance.
[[nodiscard]] std::unique_ptr<Conjugate> gaussian_conjugate(const Block& block,
                                                            std::span<const double> prior);
/// The same on the logarithms.
[[nodiscard]] std::unique_ptr<Conjugate> lognormal_conjugate(const Block& block,
                                                             std::span<const double> prior);
/// Gamma(a, b), rate b. Default: a = 1, b = 1 / the column's mean.
[[nodiscard]] std::unique_ptr<Conjugate> poisson_conjugate(const Block& block,
                                                           std::span<const double> prior);
/// Gamma(a, b), rate b. Default: a = 1, b = the column's mean.
[[nodiscard]] std::unique_ptr<Conjugate> exponential_conjugate(const Block& block,
                                                               std::span<const double> prior);
/// Beta(a, b). Default: a = b = 1.
[[nodiscard]] std::unique_ptr<Conjugate> geometric_conjugate(const Block& block,
                                                             std::span<const double> prior);

// Hyperparameters as they are given: once for all features, or for each in turn; and the tables of
// rising factorials that go with them, one per distinct number.

/// `each` numbers for every one of `count` features (or slots), from the numbers once or in full.
/// `any`: which of them may be any number (npos: none). InputError if there are too few or too
/// many, or if one is not above 0.
[[nodiscard]] std::vector<double> spread_prior(const Block& block, std::span<const double> given,
                                               std::size_t each, std::size_t count,
                                               std::size_t any = static_cast<std::size_t>(-1));

/// How many cells, or tokens, a block has: no cluster has more.
[[nodiscard]] double total_weight(const Block& block);

class RisingTables {
 public:
  /// `most`: as for RisingTable.
  explicit RisingTables(double most) : most_(most) {}
  /// The table that begins at a; it lives as long as this.
  [[nodiscard]] const math::RisingTable* at(double a);

 private:
  double most_;
  std::map<double, std::unique_ptr<math::RisingTable>> tables_;
};

}  // namespace medley::families
