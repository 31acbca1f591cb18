// SPDX-License-Identifier: Apache-2.0
#include "data/label_leak.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace medley::data {
namespace {

constexpr std::size_t kLeastRows = 20, kRowsPerValue = 5;

// What is known of one column while its cells go by.
struct Telling {
  std::map<double, std::int32_t> class_of;  // by value: the slot, or the number
  std::size_t rows = 0;
  bool refuted = false;

  void see(double value, std::int32_t label, std::size_t most_values) {
    ++rows;
    const auto [known, added] = class_of.emplace(value, label);
    if (known->second != label || class_of.size() > most_values) refuted = true;
  }
  [[nodiscard]] bool tells() const {
    if (refuted || rows < kLeastRows || class_of.size() * kRowsPerValue > rows) return false;
    return std::ranges::any_of(
        class_of, [&](const auto& entry) { return entry.second != class_of.begin()->second; });
  }
};

void look_through(const Block& block, const KeptColumn& label, std::vector<std::string>& out) {
  std::vector<std::size_t> feature_of(block.slots());
  for (std::size_t f = 0; f < block.features.size(); ++f)
    for (std::size_t slot = block.first_slot[f]; slot < block.first_slot[f + 1]; ++slot)
      feature_of[slot] = f;
  std::vector<Telling> columns(block.features.size());
  const std::size_t most_values = label.code.size() / kRowsPerValue;
  for (std::size_t row = 0; row < label.code.size(); ++row) {
    if (label.code[row] < 0) continue;
    for (std::size_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      Telling& column = columns[feature_of[block.slot[c]]];
      const double value = block.encoding == Encoding::real ? block.value[c] : block.slot[c];
      if (!column.refuted) column.see(value, label.code[row], most_values);
    }
  }
  for (std::size_t f = 0; f < columns.size(); ++f)
    if (columns[f].tells()) out.push_back(block.features[f].name);
}

}  // namespace

std::vector<std::string> columns_that_tell(const Dataset& data, const KeptColumn& label) {
  std::vector<std::string> out;
  for (const Block& block : data.blocks)
    if (block.encoding != Encoding::tokens) look_through(block, label, out);
  return out;
}

}  // namespace medley::data
