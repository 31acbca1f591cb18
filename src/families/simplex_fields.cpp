// SPDX-License-Identifier: Apache-2.0
// Tables of simplexes as files and exports have them.
#include <cmath>

#include "families/simplexes.hpp"

namespace medley::families {

std::string invalid_simplex_reason(const Family& family) {
  for (std::size_t f = 0; f < feature_count(family); ++f) {
    const SlotRange slots = feature_slots(family, f);
    for (std::size_t k = 0; k < family.components(); ++k) {
      double sum = 0;
      for (std::size_t s = slots.begin; s < slots.end; ++s) {
        const double p = family.parameters()[s * family.padded() + k];
        if (!(p > 0 && p <= 1)) return "a probability is not between 0 and 1";
        sum += p;
      }
      if (std::abs(sum - 1.0) > 1e-6) return "the probabilities of a feature do not sum to 1";
    }
  }
  return {};
}

std::vector<ExportField> probability_lists(const Family& family, std::size_t feature) {
  ExportField field{"p", true, {}};
  const SlotRange slots = feature_slots(family, feature);
  for (std::size_t k = 0; k < family.components(); ++k) {
    auto& list = field.values.emplace_back();
    for (std::size_t s = slots.begin; s < slots.end; ++s)
      list.push_back(family.parameters()[s * family.padded() + k]);
  }
  return {field};
}

}  // namespace medley::families
