// SPDX-License-Identifier: Apache-2.0
// A grade-of-membership model fitted by several chains side by side, each begun elsewhere, and what
// they say together: traces for diagnostics, draws and posterior means with all components in one
// order, and the conditional DIC.
//
// Every chain's draws are in the order of its own reference (samplers/gom_record.hpp); here the
// chains' mean likelihoods are brought into the order of those of chain 0.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/safetensors.hpp"
#include "math/chain_diagnostics.hpp"
#include "samplers/gom_chain.hpp"
#include "samplers/gom_model.hpp"
#include "samplers/gom_record.hpp"

namespace medley::samplers {

/// How a model is run.
struct GomSchedule {
  std::size_t chains = 4;
  std::size_t burn_in = 500;  ///< sweeps before anything is recorded; steps are tuned in them alone
  std::size_t thin = 10;      ///< tables are kept after every so many sweeps; at least 1
  std::size_t traced = 50;    ///< cells whose probability is traced, if there are as many
  std::optional<GomState> start = {};  ///< of all chains; else each begins at random
};

/// Posterior means, components aligned.
struct GomMeans {
  std::vector<double> alpha;  ///< K
  Tables tables;              ///< per block, in the layout of Family::parameters()
  std::vector<double> share;  ///< memberships, rows x K
};

/// Called after every sweep, by one thread at a time; false: stop.
using GomHook = std::function<bool(std::size_t chain, std::size_t sweep, double log_likelihood)>;

class GomSampler {
 public:
  /// InputError if the schedule is none. The model must outlive the sampler.
  GomSampler(const GomModel& model, GomSchedule schedule);

  /// Goes on until every chain has done that many sweeps since its beginning, burn-in included, or
  /// the hook stops it or it is interrupted (core/task.hpp). Returns whether they have.
  bool run(std::size_t sweeps, std::size_t threads, const GomHook& hook = {});

  // For diagnostics: per chain, after every sweep since the burn-in; of chains that were stopped,
  // as many as the shortest has.
  [[nodiscard]] math::Chains log_likelihood() const;
  [[nodiscard]] math::Chains alpha0() const;
  /// Per traced cell.
  [[nodiscard]] std::vector<math::Chains> cell_probabilities() const;
  /// Which cells these are, of GomModel::cell_code.
  [[nodiscard]] const std::vector<std::size_t>& traced() const { return traced_; }

  /// Kept draws of all chains, chain by chain, aligned.
  [[nodiscard]] std::vector<GomDraw> draws() const;
  /// InputError if no draw was kept.
  [[nodiscard]] GomMeans means() const;
  [[nodiscard]] Dic dic() const;
  [[nodiscard]] const std::vector<GomChain>& chains() const { return chains_; }

  /// Everything that going on with the same draws needs, and what was recorded so far.
  void save(core::TensorFile& file) const;
  /// InputError if it is not a state of this sampler.
  void restore(const core::TensorFile& file);

 private:
  [[nodiscard]] bool recorded(std::size_t chain) const;
  double advance(std::size_t chain, std::size_t threads, bool asked);
  [[nodiscard]] std::vector<std::vector<std::size_t>> orders() const;
  template <class Get>
  [[nodiscard]] math::Chains traces(Get&& get) const;

  const GomModel& model_;
  GomSchedule schedule_;
  std::vector<std::size_t> traced_;
  std::vector<GomChain> chains_;
  std::vector<GomRecord> records_;                // per chain
  std::vector<std::vector<double>> probability_;  // per chain: scratch, per cell
};

}  // namespace medley::samplers
