// SPDX-License-Identifier: Apache-2.0
#include "report/answers.hpp"

#include <algorithm>
#include <cmath>

namespace medley::report {
namespace {

/// x log(x / y), 0 at x = 0; rounding may leave y at 0 where x is tiny.
double relative(double x, double y) {
  constexpr double kTiny = 1e-12;
  return x > 0 ? x * std::log(x / std::max(y, kTiny)) : 0.0;
}

double divergence(double p, double q) {
  return relative(p, q) + relative(1 - p, 1 - q);
}

}  // namespace

Answers distinctive_answers(const model::ModelBlock& block, std::size_t component, double size,
                            std::size_t top) {
  Answers out;
  std::vector<Answer> candidates;
  for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
    const std::size_t begin = block.shape.first_slot[f], end = block.shape.first_slot[f + 1];
    double observed = 0;
    for (std::size_t s = begin; s < end; ++s) observed += block.total[s];
    const double here = observed * size;
    bool differs = false;
    for (std::size_t s = begin; s < end; ++s) {
      const double p = block.probability(s, component);
      const double q = observed > 0 ? block.total[s] / observed : 0;
      // nobody gave this answer: its probability is smoothing, or where the fit began
      if (q == 0) continue;
      const double cautious = (here * p + kCaution * q) / (here + kCaution);
      if (!(cautious > q)) continue;
      const double distance = divergence(cautious, q);
      if (distance < kAlike) continue;
      candidates.push_back({f, s, p, q, here * distance});
      differs = true;
    }
    if (!differs) ++out.alike;
  }
  std::sort(candidates.begin(), candidates.end(), [](const Answer& a, const Answer& b) {
    return a.evidence != b.evidence ? a.evidence > b.evidence : a.slot < b.slot;
  });
  std::vector<bool> shown(block.shape.features.size(), false);
  for (std::size_t i = 0; i < std::min(top, candidates.size()); ++i) {
    shown[candidates[i].feature] = true;
    out.shown.push_back(candidates[i]);
  }
  const auto features_shown =
      static_cast<std::size_t>(std::count(shown.begin(), shown.end(), true));
  out.differing = shown.size() - out.alike - features_shown;
  return out;
}

}  // namespace medley::report
