// SPDX-License-Identifier: Apache-2.0
// Runs a test with each instruction set that was compiled and that this machine has.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "kernels/targets.hpp"

namespace medley::test {

template <class F>
void on_every_target(F body) {
  for (const std::int64_t target : kernels::targets()) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace medley::test
