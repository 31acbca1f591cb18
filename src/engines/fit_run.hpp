// SPDX-License-Identifier: Apache-2.0
// What every fit does besides its mathematics, whether it learns from all rows, from minibatches or
// by chains: it has a clock, tells its progress, writes a checkpoint when it is time, and stops
// when it is asked to.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "core/reducer.hpp"
#include "core/safetensors.hpp"
#include "medley/error.hpp"
#include "medley/options.hpp"

namespace medley::engines {

class FitRun {
 public:
  /// The clock begins. Removes what killed runs left beside the checkpoint.
  FitRun(const FitOptions& options, const Hooks& hooks, core::Reducer& across = core::alone());
  /// What the checkpoint belongs to, a hash of data and options; not asked for without one.
  void identify(const std::function<std::string()>& fingerprint);

  [[nodiscard]] double seconds() const;
  /// Tells it with the seconds so far, if anybody listens.
  [[nodiscard]] bool heard() const { return static_cast<bool>(hooks_.progress); }
  void tell(Progress progress) const;

  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  /// Whether there is to be a checkpoint.
  [[nodiscard]] bool keeps() const { return !path_.empty(); }
  /// The file to go on from; empty: there is none. Of several ranks each has a file of its own, and
  /// all of them go on from the same moment.
  [[nodiscard]] std::string resumed_file();
  /// Whether there is one, of a fit that is alone.
  [[nodiscard]] bool resumes() const;
  /// Whether it is time to write another; of several ranks all write if it is time for one.
  [[nodiscard]] bool due() const;
  /// Writes the checkpoint that `make` gives, if there is to be one. That it cannot be written is
  /// no reason to lose the fit that it is to keep safe: the fit hears of it once and goes on. Only
  /// a fit that was asked to stop has nothing else to leave, and throws. That one has little time
  /// (core::Haste): if its state is too large for it, or the disk too slow, the checkpoint before
  /// stays, from which it comes to the same end later.
  void keep(const std::function<core::TensorFile()>& make);

  /// Throws Interrupted if the fit is to stop; of several ranks all do if one is to.
  void stop_if_asked() const;

  /// How long it took, and how much memory.
  void summarise(FitSummary& summary) const;

 private:
  [[nodiscard]] std::string too_large() const;

  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  const Hooks& hooks_;
  core::Reducer& across_;
  std::string path_, fingerprint_;
  // A rank writes two files in turn, PATH.shard-1a and PATH.shard-1b. A program that dies while
  // some have written and others have not leaves the one before on all of them.
  [[nodiscard]] std::string file_of(std::size_t number) const;

  bool resume_;
  std::size_t number_ = 0;       // of the next checkpoint of several ranks
  double every_, written_ = 0;   // seconds
  std::optional<double> whole_;  // when one was last written to its end
  bool failing_ = false;         // to write the checkpoint
};

}  // namespace medley::engines
