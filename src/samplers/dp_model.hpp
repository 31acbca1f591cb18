// SPDX-License-Identifier: Apache-2.0
// A Dirichlet-process mixture of the rows of a data set, the clusters' parameters integrated out:
//
//   p(labels, data) = a^K prod_k Gamma(n_k) Gamma(a) / Gamma(a + n) x prod_k marginal_k
//
// with a the concentration and K the number of distinct labels. A row with nothing observed has a
// label too, from the prior alone. This is what all chains share and none changes.
//
// A row of whole weight w is w rows, each with a label of its own. Rows that are equal in every
// observed cell have one pattern: what is computed for one of them holds for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/distinct.hpp"
#include "medley/data.hpp"
#include "samplers/clusters.hpp"
#include "samplers/concentration.hpp"

namespace medley::samplers {

struct DpOptions {
  /// Hyperparameters of each block (families/conjugate.hpp); empty, or empty for a block: defaults.
  std::vector<std::vector<double>> priors = {};
  double concentration = 1;  ///< or where it starts, if it has a prior
  std::optional<GammaPrior> concentration_prior = {};
  std::size_t split_merges = 6;  ///< moves per sweep (samplers/split_merge.hpp)
  std::size_t launch_scans = 3;  ///< scans before the one that a move is proposed from
  /// Sweeps at the beginning that look for a good partition (samplers/dp_search.hpp). No draws.
  std::size_t search_rounds = 60;
  std::uint64_t seed = 1;
};

class DpModel {
 public:
  /// InputError if a family has no conjugate prior, a prior is wrong, or weights are no
  /// whole numbers. The data must outlive the model.
  DpModel(const Dataset& data, DpOptions options);
  DpModel(const DpModel&) = delete;
  DpModel& operator=(const DpModel&) = delete;

  /// The rows that have labels: those given, each as often as its weight says, side by side.
  [[nodiscard]] const Dataset& data() const { return repeated_ ? *repeated_ : data_; }
  /// For each of them, the row that was given.
  [[nodiscard]] std::size_t origin(std::size_t row) const { return repeated_ ? origin_[row] : row; }
  /// One row per pattern, and how many rows have it as its weight.
  [[nodiscard]] const Dataset& patterns() const { return folded_.data; }
  [[nodiscard]] std::size_t pattern(std::size_t row) const { return folded_.pattern[row]; }
  /// All rows, pattern by pattern.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] const DpOptions& options() const { return options_; }
  [[nodiscard]] const Priors& priors() const { return priors_; }
  [[nodiscard]] std::size_t rows() const { return data().rows; }
  /// One number per row of Family::parameters() of a block: what a family is that has seen the data
  /// and learnt nothing.
  [[nodiscard]] const std::vector<double>& neutral(std::size_t block) const {
    return neutral_[block];
  }
  /// The log predictive of a training row under a new cluster, without the base measure.
  [[nodiscard]] double log_alone(std::size_t row) const { return alone_[row]; }
  /// The same of a row of other data with the same columns.
  [[nodiscard]] double log_alone(const Dataset& data, std::size_t row) const;
  /// The base measure of a row.
  [[nodiscard]] double log_base(const Dataset& data, std::size_t row) const;
  /// log p(labels, data), base measure included.
  [[nodiscard]] double log_joint(const Clusters& clusters, double concentration) const;
  /// The same of labels 0 .. count-1, from the beginning.
  [[nodiscard]] double log_joint(const Labels& labels, double concentration) const;

 private:
  void repeat();
  void fold();

  const Dataset& data_;              // as given
  std::optional<Dataset> repeated_;  // if weights differ from 1
  std::vector<std::uint32_t> origin_;
  data::DistinctRows folded_;
  std::vector<std::uint32_t> order_;
  DpOptions options_;
  Priors priors_;  // per block
  // A cluster without rows, as log_alone wants it; per block.
  std::vector<std::vector<double>> empty_statistics_, empty_table_;
  std::vector<std::vector<double>> neutral_;  // per block
  std::vector<double> alone_;                 // per row
  double base_ = 0;                           // of all rows
};

// A family that has seen its data and learnt nothing: what the rows of Family::parameters() hold
// that are no parameters of a component, and so what a draw of a component begins with.

/// One number per row of Family::parameters().
[[nodiscard]] std::vector<double> neutral_column(const Block& block);

}  // namespace medley::samplers
