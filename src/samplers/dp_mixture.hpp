// SPDX-License-Identifier: Apache-2.0
// A Dirichlet-process mixture fitted by several chains side by side, and what they drew. Chains
// should start apart (one cluster, several, every row alone): only if they then agree about K has
// any of them arrived. With a search (DpOptions::search_rounds) they have met before their first
// draw, and agreement says that they found the same clusters and sample alike about them; better
// ones that no search found cannot be ruled out. More seeds, or more rounds, tell more.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "math/chain_diagnostics.hpp"
#include "samplers/dp_chain.hpp"
#include "samplers/dp_draws.hpp"
#include "samplers/dp_model.hpp"

namespace medley::samplers {

/// How a mixture is run.
struct DpSchedule {
  /// Clusters that each chain starts from; more than there are rows: every row alone.
  std::vector<std::size_t> starts = {1, 10, 40, static_cast<std::size_t>(-1)};
  std::size_t burn_in = 0;  ///< sweeps before draws are kept; the search never is
  std::size_t thin = 10;    ///< labels are kept after every so many sweeps; at least 1
};

/// Where a chain is, after a sweep.
struct DpProgress {
  std::size_t chain = 0, sweep = 0;  ///< the chain's number; sweeps it has done, from 1
  std::size_t clusters = 0;
  double log_joint = 0;
  bool searching = false;  ///< still looking for a start
};

/// Optional hooks into a run, as Hooks.
struct DpHooks {
  std::function<void(const DpProgress&)> progress = {};  ///< never called twice at once
  const std::atomic<bool>* stop = nullptr;               ///< set it to stop after this sweep
};

/// What one chain drew after its burn-in.
struct DpDraws {
  std::vector<double> clusters, concentration, log_joint;  ///< after every sweep
  std::vector<Labels> labels;                              ///< thinned
  std::vector<double> labels_concentration;                ///< of the thinned
  Labels best;                                             ///< the draw of the largest joint
  double best_log_joint = 0;
};

class DpMixture {
 public:
  /// The model must outlive the mixture.
  DpMixture(const DpModel& model, DpSchedule schedule);

  /// Every chain goes on until it has done that many sweeps more than the one that has done fewest,
  /// on up to `threads` threads. Returns false if it was stopped; running again makes up for what
  /// some chains are behind.
  bool run(std::size_t sweeps, std::size_t threads, const DpHooks& hooks = {});

  [[nodiscard]] const std::vector<DpDraws>& draws() const { return draws_; }
  [[nodiscard]] const std::vector<DpChain>& chains() const { return chains_; }
  /// One quantity of all chains, for diagnostics: traces(&DpDraws::clusters). As many draws of each
  /// as the shortest has.
  [[nodiscard]] math::Chains traces(std::vector<double> DpDraws::* quantity) const;
  /// The share of draws with each number of clusters.
  [[nodiscard]] std::map<std::size_t, double> posterior_of_k() const;
  /// The thinned labels of all chains, chain by chain.
  [[nodiscard]] std::vector<Labels> labels() const;
  /// The same with where they come from and their concentrations.
  [[nodiscard]] std::vector<DpKept> kept() const;
  /// The partition of the largest joint that any chain met.
  [[nodiscard]] const Labels& best() const;

  /// Everything that going on with the same draws needs, and the draws so far.
  void save(core::TensorFile& file) const;
  /// InputError if it is not a state of this mixture.
  void restore(const core::TensorFile& file);

 private:
  void record(std::size_t chain);

  const DpModel& model_;
  DpSchedule schedule_;
  std::vector<DpChain> chains_;
  std::vector<DpDraws> draws_;  // per chain
};

}  // namespace medley::samplers
