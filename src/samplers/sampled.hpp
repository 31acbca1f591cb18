// SPDX-License-Identifier: Apache-2.0
// What a sampler leaves for a model to be made of, and how it is watched and kept safe meanwhile.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "model/draws.hpp"
#include "model/resolve.hpp"

namespace medley::samplers {

/// Posterior means, and the draws they are means of.
struct Sampled {
  std::vector<double> prior;               ///< of the membership, one number per profile
  std::vector<std::vector<double>> table;  ///< per block, in the layout of Family::parameters()
  std::vector<double> share;               ///< memberships of the rows, rows x profiles
  model::Draws draws;
  bool finished = true;    ///< false: it was stopped; then nothing above is set
  std::size_t sweeps = 0;  ///< that the chain that is least far has made, burn-in included
};

/// How the arrays of a chain are named in a checkpoint: "chain3.labels".
[[nodiscard]] inline std::string chain_prefix(std::size_t chain) {
  return "chain" + std::to_string(chain) + ".";
}

struct Watch {
  /// After a sweep, by one thread at a time; false: stop. `value`: the log-likelihood, or what
  /// stands for it.
  std::function<bool(std::size_t chain, std::size_t sweep, double value)> sweep;
  /// Now and then, when it is stopped, and at the end: writes the state away. May be empty.
  std::function<void(core::TensorFile)> keep;
  /// What an earlier run kept.
  std::optional<core::TensorFile> from = {};
};

/// Sweeps between states that are kept.
inline constexpr std::size_t kSlice = 100;

/// Draws to keep of every chain: as many as asked for, or 100; fewer if the tables of all chains
/// would take more than 64 MB.
[[nodiscard]] std::size_t draws_per_chain(const ChainOptions& options, std::size_t table_bytes);

/// Hyperparameters of every block: smoothing imagined observations of every level and word; numbers
/// have defaults of their own.
[[nodiscard]] std::vector<std::vector<double>> block_priors(const Dataset& data, double smoothing);

/// Runs a sampler in slices: run(sweeps) goes on until every chain has made so many, and returns
/// whether they have. `all`: sweeps of every chain, burn-in included.
template <class Sampler, class Run>
bool run_in_slices(Sampler& sampler, std::size_t all, const Watch& watch, const Run& run) {
  if (watch.from) sampler.restore(*watch.from);
  const auto keep = [&] {
    if (!watch.keep) return;
    core::TensorFile file;
    sampler.save(file);
    watch.keep(std::move(file));
  };
  for (std::size_t to = kSlice;; to += kSlice) {
    const bool done = run(std::min(to, all));
    keep();
    if (!done) return false;
    if (to >= all) return true;
  }
}

}  // namespace medley::samplers
