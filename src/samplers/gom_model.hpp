// SPDX-License-Identifier: Apache-2.0
// Grade of membership with priors of everything, for any family with a conjugate prior:
//
//   alpha_0 ~ Gamma(shape, rate),  xi ~ Dirichlet(1, .., 1),  alpha = alpha_0 xi
//   beta_k ~ the conjugate prior of its block
//   theta_i ~ Dirichlet(alpha),  z_o ~ theta_i,  x_o ~ f(. | beta_{z_o})
//
// An observation o is a cell; a word that a row has w times is w observations, and a row that
// counts w times is w people who answered the same. A missing cell is no observation. This is what
// all chains share and none changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/distinct.hpp"
#include "families/family.hpp"
#include "medley/data.hpp"
#include "samplers/clusters.hpp"
#include "samplers/concentration.hpp"

namespace medley::samplers {

struct GomOptions {
  std::size_t components = 2;
  /// Hyperparameters of each block (families/conjugate.hpp); empty, or empty for a block: defaults.
  std::vector<std::vector<double>> priors = {};
  GammaPrior alpha_prior = {2, 10};  ///< of alpha_0
  /// K numbers: alpha is held there and has no prior. Empty: it is drawn.
  std::vector<double> alpha = {};
  std::uint64_t seed = 1;
};

/// Per block the parameters of all components, in the layout of Family::parameters().
using Tables = std::vector<std::vector<double>>;
using Families = std::vector<std::unique_ptr<families::Family>>;

class GomModel {
 public:
  /// InputError if a family has no conjugate prior, a prior is wrong, rows count a fraction or
  /// blocks have weights. The data must outlive the model.
  GomModel(const Dataset& data, GomOptions options);

  [[nodiscard]] const Dataset& data() const { return data_; }
  [[nodiscard]] const GomOptions& options() const { return options_; }
  [[nodiscard]] std::size_t components() const { return options_.components; }
  [[nodiscard]] const Priors& priors() const { return priors_; }
  /// Cells that are equal, folded: what tables of likelihoods and statistics are made of.
  [[nodiscard]] const data::DistinctCells& distinct() const { return distinct_; }
  /// How often each was observed.
  [[nodiscard]] std::span<const double> distinct_count() const { return distinct_count_; }
  /// Families that have seen the data; their components are all alike.
  [[nodiscard]] Families make_families() const;

  // People: rows, each as often as it counts.
  [[nodiscard]] std::size_t people() const { return row_.size(); }
  [[nodiscard]] std::size_t row_of(std::size_t person) const { return row_[person]; }
  /// Where a person's observations begin; people + 1.
  [[nodiscard]] std::span<const std::uint64_t> start() const { return start_; }
  /// Per observation its distinct cell.
  [[nodiscard]] std::span<const std::uint32_t> code() const { return code_; }
  /// The largest number of observations of a person.
  [[nodiscard]] std::size_t depth() const { return depth_; }

  // Their cells, of all blocks: observations, but repeated words only once.
  [[nodiscard]] std::span<const std::uint64_t> cell_start() const { return cell_start_; }
  [[nodiscard]] std::span<const std::uint32_t> cell_code() const { return cell_code_; }
  [[nodiscard]] std::span<const float> cell_weight() const { return cell_weight_; }
  /// "cell sleep of row 17", or the word.
  [[nodiscard]] std::string cell_name(std::size_t cell) const;

 private:
  void lay_out();

  const Dataset& data_;
  GomOptions options_;
  Priors priors_;  // per block
  data::DistinctCells distinct_;
  std::vector<double> distinct_count_;
  Tables neutral_;  // what families have after they saw the data
  std::vector<std::size_t> row_;
  std::vector<std::uint64_t> start_ = {0}, cell_start_ = {0};
  std::vector<std::uint32_t> code_, cell_code_;
  std::vector<float> cell_weight_;
  std::size_t depth_ = 0;
};

}  // namespace medley::samplers
