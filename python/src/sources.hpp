// SPDX-License-Identifier: Apache-2.0
// Data in the making: tables column by column, then sources by name.
#pragma once

#include <vector>

#include "medley/io.hpp"

namespace medley::python {

/// Handed to a call once: it takes what is in it.
struct Sources {
  std::vector<MemorySource> all;
};

}  // namespace medley::python
