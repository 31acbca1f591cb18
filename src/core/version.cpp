// SPDX-License-Identifier: Apache-2.0
#include "medley/options.hpp"

namespace medley {

const char* version() {
  return MEDLEY_VERSION;
}

}  // namespace medley
