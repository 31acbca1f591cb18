// SPDX-License-Identifier: Apache-2.0
// Work that must not hurt us, such as parsing hostile binary files with a library that trusts them:
// it is done in a forked child with limits on memory and time, and what it writes comes back
// through a pipe. A child that crashes, hangs or takes too much is an InputError here.
//
// The process may have other threads. The child has only the one that forked, so `work` must not
// wait for others or take locks they may hold; malloc is safe (glibc sees to it). Should it block
// nevertheless, the silence limit ends it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "core/files.hpp"

namespace medley::core {

struct ChildLimits {
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of address space beyond what we have now
  unsigned processor_seconds = 60;            ///< of processor time
  unsigned silent_seconds = 60;               ///< without a byte from the child
};

/// Whether the memory limit is enforced: sanitizers map terabytes, so not in their builds.
extern const bool kChildMemoryIsLimited;

/// Starts `work` in a child process; the returned source delivers what it writes. Of our open files
/// the child keeps `input` alone; it can write to no file, and its own messages go nowhere. Errors
/// of the child surface as InputError (named `name`) from next(), in place of the end of the
/// stream. `work` should catch its own exceptions: to us they all mean "it failed". When the source
/// goes the child goes, wherever it is. Throws RunError if no process can be started.
[[nodiscard]] std::unique_ptr<ByteSource> run_in_child(
    const std::string& name, int input, const ChildLimits& limits,
    const std::function<void(FileWriter& output)>& work);

}  // namespace medley::core
