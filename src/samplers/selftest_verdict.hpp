// SPDX-License-Identifier: Apache-2.0
// What the numbers of a test of a sampler say together: m of them are compared, and a right sampler
// may fail in any with probability 1 % at most, so that each fails where p < 0.01 / m (Bonferroni).
#pragma once

#include "medley/uncertainty.hpp"

namespace medley::samplers {

/// Fills in the limit, the verdict of every row, that of all, and the sentences.
void judge(SelfTest& test);

}  // namespace medley::samplers
