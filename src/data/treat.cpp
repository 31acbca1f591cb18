// SPDX-License-Identifier: Apache-2.0
#include "data/treat.hpp"

#include <algorithm>
#include <numeric>

#include "core/rng.hpp"
#include "data/select_rows.hpp"
#include "data/wording.hpp"

namespace medley::data {

Dataset sampled(const Dataset& data, std::size_t rows, std::uint64_t seed) {
  constexpr std::uint64_t kPurpose = 0x53414D50;
  std::vector<std::size_t> order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  core::Rng rng(seed, kPurpose);
  const std::size_t wanted = std::min(rows, data.rows);
  for (std::size_t i = 0; i < wanted; ++i) std::swap(order[i], order[i + rng.below(data.rows - i)]);
  order.resize(wanted);
  std::ranges::sort(order);
  Dataset out = select_rows(data, order);
  out.schema.treatments.push_back("sampled " + std::to_string(wanted) + " of " +
                                  counted(data.rows, "row") + ", seed " + std::to_string(seed));
  return out;
}

Dataset treated(const Dataset& data, const Treatment& treatment, const FamilyCatalogue& catalogue) {
  Dataset out = data;
  if (!treatment.binarise.empty()) out = binarised(out, treatment.binarise, catalogue);
  if (treatment.min_row > 0 || treatment.min_column > 0)
    out = without_sparse(out, treatment.min_row, treatment.min_column, catalogue);
  if (treatment.sample_rows > 0) out = sampled(out, treatment.sample_rows, treatment.seed);
  if (treatment.ones_as_tokens) out = ones_as_words(out, catalogue);
  return out;
}

}  // namespace medley::data
