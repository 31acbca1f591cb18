// SPDX-License-Identifier: Apache-2.0
// One Markov chain over what a grade-of-membership model (samplers/gom_model.hpp) does not know.
// Its state is the component z of every observation, the tables beta, and alpha; memberships are
// integrated out. A sweep is
//
//   rows     z of each person, the others being independent given beta and alpha:
//            p(z_o = k) ~ (n_k without o + alpha_k) f(x_o | beta_k), one observation after the
//            other; and two moves of many at once (model/row_chain.hpp), for at small alpha single
//            ones hardly ever leave a component
//   tables   beta_k from its conjugate posterior given the observations in k
//   alpha    random walks (samplers/concentration.hpp)
//
// Random numbers depend on (seed, chain, sweep, person) alone: the same draws at any number of
// threads, and after the chain was saved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/rng.hpp"
#include "core/safetensors.hpp"
#include "math/dirichlet.hpp"
#include "model/cell_table.hpp"
#include "samplers/concentration.hpp"
#include "samplers/gom_model.hpp"

namespace medley::samplers {

/// Where a chain is, or begins.
struct GomState {
  std::vector<double> alpha = {};     ///< K
  Tables tables = {};                 ///< per block
  std::vector<std::uint16_t> z = {};  ///< per observation; empty: drawn given the rest
};

class GomChain {
 public:
  /// Begins at random: tables after a few persons each, alpha from its prior. `number` tells chains
  /// of one seed apart. The model must outlive the chain.
  GomChain(const GomModel& model, std::size_t number);

  /// Begins there. InputError if it is no state of this model.
  void start(const GomState& state);

  /// `tune`: the steps of alpha too; not to be asked for once draws are kept. Interrupted, the
  /// chain stays where it was.
  void sweep(bool tune, std::size_t threads);
  // Its parts, in this order.
  void draw_rows(std::size_t threads);
  void draw_tables(std::size_t threads);
  void draw_alpha(bool tune);

  /// Draws memberships theta given the state. Returns the conditional log-likelihood, sum over
  /// observations of log P_o, P_o = sum_k theta_ik f(x_o | beta_k). Writes P_o / scale of every
  /// cell (GomModel::cell_code) unless the span is empty; scale as in likelihoods().
  double look(std::span<double> probability, std::size_t threads) const;
  /// E[theta | z, alpha] of a person, K numbers.
  void expect_membership(std::size_t person, std::span<double> out) const;

  [[nodiscard]] const std::vector<std::uint16_t>& z() const { return z_; }
  [[nodiscard]] double alpha0() const { return walk_.alpha0(); }
  [[nodiscard]] const std::vector<double>& alpha() const { return alpha_; }
  [[nodiscard]] const Tables& tables() const { return tables_; }
  /// Of the distinct cells under the present tables.
  [[nodiscard]] const model::CellTable& likelihoods() const { return *likelihoods_; }
  [[nodiscard]] std::size_t sweeps() const { return sweep_; }

  void save(core::TensorFile& file, const std::string& prefix) const;
  /// InputError if it is not a state of this model.
  void restore(const core::TensorFile& file, const std::string& prefix);

 private:
  void start_at_random();
  void deal();
  void prepare();
  void count_observations();
  void gather_statistics();
  void draw_component(std::size_t k, core::Rng& rng);
  [[nodiscard]] math::CountsOfCounts counts_of_counts() const;
  void draw_membership(std::size_t person, std::span<const double> nothing_below, core::Rng& rng,
                       std::span<double> out) const;

  const GomModel& model_;
  std::size_t number_;
  Families families_;
  Tables tables_;
  AlphaWalk walk_;
  std::vector<double> alpha_;
  std::vector<std::uint16_t> z_;
  std::size_t sweep_ = 0;  // done
  std::optional<model::CellTable> likelihoods_;
  // Working memory.
  std::vector<Block> weighted_;       // the distinct cells, each as often as a component has it
  std::vector<std::uint32_t> count_;  // distinct cells x K
  std::vector<std::vector<double>> sums_;  // per block: statistics of every component
};

}  // namespace medley::samplers
