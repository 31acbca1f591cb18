// SPDX-License-Identifier: Apache-2.0
// Stochastic approximation EM for mixed membership: each iteration moves a Markov chain over the
// components of every row (model/row_chain.hpp), blends the statistics it gives into a running
// average,
//
//   S <- S + rho_t (s_t - S),    rho_t = 1 while it burns in, then falling as t^-0.7,
//
// and sets families and alpha to their maximum given S. It goes to a stationary point of the true
// likelihood, for any family and any length of row, at the cost of a few passes over the data per
// iteration. Its objective is an estimate from below, so it judges by the movement of the averaged
// statistics when to stop.
//
// Random numbers are a function of seed, chain and iteration; statistics are summed in fixed
// pieces: threads change no bit. A row that stands for many equal ones has several chains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/distinct.hpp"
#include "engines/engine.hpp"
#include "math/dirichlet.hpp"
#include "model/cell_table.hpp"

namespace medley::engines {

/// The data as the chains and the M-step want it; shared by all restarts.
struct ChainData final : EngineData {
  explicit ChainData(const Dataset& data);
  data::DistinctCells cells;
  std::vector<data::Columns> columns;  ///< of the distinct cells, per block
  std::vector<std::uint64_t> start;    ///< chains + 1: where a chain's observations begin
  std::vector<std::uint32_t> code;     ///< per observation: its distinct cell
  std::vector<double> weight;          ///< per chain
  std::size_t depth = 0;               ///< observations of the longest row

  [[nodiscard]] std::size_t chains() const { return weight.size(); }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t chain) const {
    return std::span(code).subspan(start[chain], start[chain + 1] - start[chain]);
  }
};

/// The running average, or one iteration's part of it.
struct ChainStatistics {
  std::vector<double> cells;  ///< distinct cells x padded K
  math::CountsOfCounts counts;
  double log_likelihood = 0;  ///< estimated from below
};

class MonteCarloEm final : public Engine {
 public:
  /// data.own must be ChainData.
  MonteCarloEm(const EmData& data, EmModel model, std::uint64_t seed);

  double iterate() override;
  /// Its objective is too noisy to compare starts by.
  [[nodiscard]] StartsWanted starts_wanted() const override { return {48, 1}; }
  [[nodiscard]] std::optional<bool> arrived(double tolerance) const override;

  void save(core::TensorFile& file, const std::string& prefix) const override;
  void restore(const core::TensorFile& file, const std::string& prefix) override;

 private:
  void forget() override;
  [[nodiscard]] ChainStatistics empty() const;
  [[nodiscard]] ChainStatistics sample();
  void sample(std::size_t begin, std::size_t end, const model::CellTable& table,
              ChainStatistics& into);
  void blend(const ChainStatistics& fresh);
  void maximise();

  const ChainData& chains_;
  std::uint64_t seed_;
  std::size_t iteration_ = 0;
  std::vector<std::uint16_t> z_;  // per observation
  ChainStatistics average_;
  // Square roots of the averaged responsibilities, and alpha, some time ago.
  std::vector<double> earlier_, earlier_alpha_;
  double movement_ = 1;  // since then, relative
};

}  // namespace medley::engines
