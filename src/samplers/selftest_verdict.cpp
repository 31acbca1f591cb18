// SPDX-License-Identifier: Apache-2.0
#include "samplers/selftest_verdict.hpp"

#include <algorithm>

namespace medley::samplers {
namespace {

constexpr double kFamilyWise = 0.01;
constexpr double kSlow = 0.05;  // share of fits from which on it is said

}  // namespace

void judge(SelfTest& test) {
  test.least_p = kFamilyWise / static_cast<double>(std::max<std::size_t>(1, test.row.size()));
  std::string failed;
  for (SelfTestRow& row : test.row) {
    row.passed = row.p >= test.least_p;
    if (!row.passed) failed += (failed.empty() ? "" : ", ") + row.name;
  }
  test.passed = failed.empty();
  const bool sbc = test.kind == SelfTestKind::sbc;
  const std::string numbers = std::to_string(test.row.size()) + " numbers";
  if (test.passed) {
    test.sentence.push_back("The sampler passes: " + numbers +
                            (sbc ? " of the truth are ranked among its draws as they should be."
                                 : " have the same mean from the priors and by turns."));
  } else {
    test.sentence.push_back("The sampler FAILS: " + failed + (sbc ? " not ranked" : " not") +
                            " as it should be. A right sampler fails once in a hundred seeds: try "
                            "`seed=2` and, if it fails again, please report it.");
  }
  if (static_cast<double>(test.slow) > kSlow * static_cast<double>(test.replicates))
    test.sentence.push_back(
        "In " + std::to_string(test.slow) + " of " + std::to_string(test.replicates) +
        " fits the draws still depended on each other, which spoils ranks: a failure here may be "
        "slow mixing and no mistake. `selftest geweke` does not mind; or try fewer `rows`.");
}

}  // namespace medley::samplers
