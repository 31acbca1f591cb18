// SPDX-License-Identifier: Apache-2.0
#include "evaluate/resample.hpp"

#include <algorithm>

#include "core/rng.hpp"
#include "evaluate/purposes.hpp"

namespace medley::evaluation {
namespace {

// Draws from units by how many copies of each there are.
class Urn {
 public:
  void add(std::uint32_t unit, double copies) {
    unit_.push_back(unit);
    below_.push_back((below_.empty() ? 0.0 : below_.back()) + copies);
  }
  [[nodiscard]] double size() const { return below_.empty() ? 0.0 : below_.back(); }
  [[nodiscard]] std::uint32_t draw(core::Rng& rng) const {
    const auto found = std::ranges::upper_bound(below_, rng.uniform() * size());
    const auto at = static_cast<std::size_t>(found - below_.begin());
    return unit_[std::min(at, unit_.size() - 1)];
  }

 private:
  std::vector<std::uint32_t> unit_;
  std::vector<double> below_;
};

}  // namespace

std::vector<double> resampled(const SurveyDesign& design, std::uint64_t seed,
                              std::size_t replicate) {
  std::vector<Urn> urns(design.strata());
  for (std::size_t c = 0; c < design.stratum.size(); ++c)
    urns[design.stratum[c]].add(static_cast<std::uint32_t>(c), design.copies[c]);
  core::Rng rng(seed, purpose(Purpose::resample), replicate);
  std::vector<double> drawn(design.stratum.size(), 0.0);
  for (const Urn& urn : urns) {
    const double n = urn.size();
    const bool rescaled = design.given && n >= 2;
    const double draws = rescaled ? n - 1 : n;
    for (double i = 0; i < draws; ++i) drawn[urn.draw(rng)] += n / draws;
  }
  std::vector<double> factor;
  for (const std::uint32_t unit : design.unit) {
    factor.push_back(unit == SurveyDesign::kLeftOut ? 0.0 : drawn[unit] / design.copies[unit]);
  }
  return factor;
}

}  // namespace medley::evaluation
