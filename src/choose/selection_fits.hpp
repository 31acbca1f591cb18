// SPDX-License-Identifier: Apache-2.0
// The fits of a selection: every candidate from several starts, from a split of the candidate
// before, on the training rows of every fold, by chains. Pieces run side by side, the largest K
// first; each candidate that is complete goes to the folder at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "choose/selection_folder.hpp"
#include "choose/selection_options.hpp"
#include "evaluate/fold_data.hpp"
#include "medley/data.hpp"
#include "medley/model.hpp"
#include "medley/select.hpp"

namespace medley::choose {

// A start for K + 1 components from a fit with K: its largest component becomes two that share its
// rows, pushed apart in opposite directions by noise in the free parameters (logits, logs).

/// Nothing if a family offers no free parameters, or the prior has more than one number for a
/// component. The result serves as a start alone: it lacks what rows are scored against.
[[nodiscard]] std::optional<Model> split_largest(const Model& model, std::uint64_t seed);

class SelectionFits {
 public:
  SelectionFits(const Dataset& data, const SelectOptions& options, const SelectionPlan& plan,
                SelectionFolder& folder, const Hooks& hooks);

  /// Each does what the folder lacks; false if it was stopped.
  bool run_restarts();
  bool run_splits();
  bool run_folds();
  bool run_chains();
  bool run_clusters();

 private:
  /// `pieces` of every place in `places` (indices of the grid): work(place, piece, threads) gives
  /// false if it was stopped; finish(place), called once by the last piece, one at a time.
  using Work = std::function<bool(std::size_t place, std::size_t piece, std::size_t threads)>;
  bool side_by_side(const std::string& stage, std::vector<std::size_t> places, std::size_t pieces,
                    const Work& work, const std::function<void(std::size_t place)>& finish);
  void finish_restarts(std::size_t place, std::vector<Model>& models);
  void finish_split(std::size_t place, const Model& split);
  [[nodiscard]] bool stopped() const { return hooks_.stop != nullptr && hooks_.stop->load(); }
  [[nodiscard]] Hooks quiet() const {
    Hooks out;
    out.stop = hooks_.stop;
    return out;
  }

  const Dataset& data_;
  const SelectOptions& options_;
  const SelectionPlan& plan_;
  SelectionFolder& folder_;
  const Hooks& hooks_;
  std::chrono::steady_clock::time_point begun_;
  double cost_ = 0, cost_done_ = 0;  ///< of all fits that the folder lacks, a fit costing K
};

}  // namespace medley::choose
