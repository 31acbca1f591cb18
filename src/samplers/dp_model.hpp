// SPDX-License-Identifier: Apache-2.0
// A Dirichlet-process mixture of the rows of a data set, the clusters' parameters integrated out:
//
//   p(labels, data) = a^K prod_k Gamma(n_k) Gamma(a) / Gamma(a + n) x prod_k marginal_k
//
// with a the concentration and K the number of distinct labels. A row with nothing observed has a
// label too, from the prior alone. This is what all chains share and none changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "medley/dataset.hpp"
#include "samplers/clusters.hpp"
#include "samplers/concentration.hpp"

namespace medley::samplers {

struct DpOptions {
  /// Hyperparameters of each block (families/conjugate.hpp); empty, or empty for a block: defaults.
  std::vector<std::vector<double>> priors = {};
  double concentration = 1;  ///< or where it starts, if it has a prior
  std::optional<GammaPrior> concentration_prior = {};
  std::size_t split_merges = 4;  ///< moves per sweep (samplers/split_merge.hpp)
  std::size_t launch_scans = 1;  ///< scans before the one that a move is proposed from
  std::uint64_t seed = 1;
};

class DpModel {
 public:
  /// InputError if a family has no conjugate prior, a prior is wrong, or rows or blocks have
  /// weights. The data must outlive the model.
  DpModel(const Dataset& data, DpOptions options);

  [[nodiscard]] const Dataset& data() const { return data_; }
  [[nodiscard]] const DpOptions& options() const { return options_; }
  [[nodiscard]] const Priors& priors() const { return priors_; }
  [[nodiscard]] std::size_t rows() const { return data_.rows; }
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
  const Dataset& data_;
  DpOptions options_;
  Priors priors_;  // per block
  // A cluster without rows, as log_alone wants it; per block.
  std::vector<std::vector<double>> empty_statistics_, empty_table_;
  std::vector<double> alone_;  // per row
  double base_ = 0;            // of all rows
};

}  // namespace medley::samplers
