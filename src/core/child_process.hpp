// SPDX-License-Identifier: Apache-2.0
// Runs work that must not harm this process, such as parsing hostile binary files with a library
// that trusts them, in a forked child with limits on memory and time. The child's output comes back
// through a pipe. A child that crashes, hangs or uses too much becomes an InputError here.
//
// The process may have other threads. The child has only the thread that forked, so `work` must not
// wait for other threads or take locks that they may hold; malloc is safe in glibc. If `work`
// blocks nevertheless, the silence limit ends it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "core/files.hpp"

namespace medley::core {

struct ChildLimits {
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of address space beyond the current use
  unsigned processor_seconds = 60;            ///< of processor time
  unsigned silent_seconds = 60;               ///< without a byte from the child
};

/// Whether the memory limit is enforced. Sanitizers map terabytes, so it is not in their builds.
extern const bool kChildMemoryIsLimited;

/// Starts `work` in a child process; the returned source delivers what it writes. Of the open files
/// the child keeps only `input`. It can write to no file, and its own messages are discarded.
/// next() reports errors of the child as InputError (named `name`), in place of the end of the
/// stream. `work` should catch its own exceptions: here they all mean "it failed". Destroying the
/// source kills the child. Throws RunError if no process can be started.
[[nodiscard]] std::unique_ptr<ByteSource> run_in_child(
    const std::string& name, int input, const ChildLimits& limits,
    const std::function<void(FileWriter& output)>& work);

}  // namespace medley::core
