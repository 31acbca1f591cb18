// SPDX-License-Identifier: Apache-2.0
#include "kernels/targets.hpp"

#include <hwy/targets.h>

namespace medley::kernels {

std::vector<std::int64_t> targets() {
  return hwy::SupportedAndGeneratedTargets();
}

}  // namespace medley::kernels
