// SPDX-License-Identifier: Apache-2.0
#include "core/memory_guard.hpp"

#include <fmt/format.h>

#include "medley/error.hpp"

namespace medley::core {

void MemoryGuard::refuse() const {
  const double megabytes = static_cast<double>(limit_) / 1e6;
  throw InputError(
      {file_,
       fmt::format("does not fit into the {:.6g} MB of memory allowed for reading", megabytes),
       "raise the memory limit, or read a part of the file"});
}

}  // namespace medley::core
