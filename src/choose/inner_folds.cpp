// SPDX-License-Identifier: Apache-2.0
#include "choose/inner_folds.hpp"

#include <algorithm>
#include <utility>

#include "choose/purposes.hpp"
#include "core/rng.hpp"

namespace medley::choose {

std::vector<std::size_t> inner_folds(const KeptColumn& label, std::size_t folds,
                                     std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> rows_of(label.levels.size());
  for (std::size_t row = 0; row < label.code.size(); ++row)
    if (label.code[row] >= 0) rows_of[static_cast<std::size_t>(label.code[row])].push_back(row);
  std::vector<std::size_t> fold_of(label.code.size(), kNeverHeldOut);
  std::size_t dealt = 0;  // on from class to class, so that the folds stay of one size
  for (std::size_t h = 0; h < rows_of.size(); ++h) {
    std::vector<std::size_t>& rows = rows_of[h];
    if (rows.size() < 2) continue;
    core::Rng rng(seed, purpose(Purpose::inner_folds), h);
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[rng.below(i)]);
    for (const std::size_t row : rows) fold_of[row] = dealt++ % folds;
  }
  return fold_of;
}

std::size_t folds_to_use(const std::vector<std::size_t>& fold_of, std::size_t folds,
                         std::size_t enough) {
  std::size_t held_out = 0;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    held_out += static_cast<std::size_t>(std::ranges::count(fold_of, fold));
    if (held_out >= enough) return fold + 1;
  }
  return folds;
}

}  // namespace medley::choose
