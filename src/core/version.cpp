// SPDX-License-Identifier: Apache-2.0
#include "medley/version.hpp"

namespace medley {

const char* version() {
  return MEDLEY_VERSION;
}

}  // namespace medley
