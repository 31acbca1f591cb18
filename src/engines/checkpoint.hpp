// SPDX-License-Identifier: Apache-2.0
// Checkpoints: a tensor file with everything an interrupted fit needs to end with the same bits as
// an uninterrupted one. It is tied to the data and the options by a fingerprint.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "engines/engine.hpp"
#include "engines/run_trace.hpp"

namespace medley::engines {

/// Restarts that are over, and the best of them.
struct Finished {
  std::vector<RunTrace> runs;
  std::size_t best = 0;
  core::TensorFile best_model;  ///< parameters of the best, under the prefix "best."
};

/// What a fit is at.
enum class Stage {
  fit,       ///< the fit proper
  start,     ///< the fit of another kind whose tables it begins with
  choosing,  ///< trying candidates for its beginning
  lead_in,   ///< the membership that its own one follows
  fresh,     ///< nothing is kept of this restart, or all are over
};

/// Where a fit stands.
struct Position {
  std::size_t restart = 0;
  Stage stage = Stage::fit;
};

/// A hash of the data and of every option that changes the result.
[[nodiscard]] std::string fingerprint(const Dataset& data, const FitOptions& options);

/// Writes a state under the fingerprint of what it belongs to, atomically, with a sum over all of
/// it: one whose write the power failure after an interrupt has cut is told from a whole one.
void save_checkpoint(const std::string& path, const std::string& fingerprint,
                     core::TensorFile file);

/// Throws InputError if the file belongs to other data or options.
[[nodiscard]] core::TensorFile load_checkpoint(const std::string& path,
                                               const std::string& fingerprint);

/// The state of the running restart and of those that are over; `more` is added as it is.
[[nodiscard]] core::TensorFile checkpoint_of(Position position, const Engine& engine,
                                             const RunTrace& trace, const Finished& finished,
                                             const core::TensorFile& more = {});

/// The same when nothing is to be kept of the running restart.
[[nodiscard]] core::TensorFile checkpoint_of(std::size_t restart, const Finished& finished);

/// Reads it back; the caller restores engine and trace from the file under "run." and "course.".
/// Throws InputError if the file belongs to other data or options.
struct Checkpoint {
  core::TensorFile file;
  Position position;
  Finished finished;
};
[[nodiscard]] Checkpoint read_checkpoint(const std::string& path, const std::string& fingerprint);

}  // namespace medley::engines
