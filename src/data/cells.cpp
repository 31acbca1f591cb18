// SPDX-License-Identifier: Apache-2.0
#include "data/cells.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/text.hpp"
#include "data/number.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

using Slots = std::unordered_map<std::string_view, std::uint32_t>;

// The views point into `names`.
Slots slots_of(const std::vector<std::string>& names) {
  Slots slots;
  slots.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    slots.emplace(names[i], static_cast<std::uint32_t>(i));
  }
  return slots;
}

Cell level_cell(const std::string& text, const Slots& slots) {
  const auto found = slots.find(text);
  if (found == slots.end()) return {Cell::State::unseen, Cell::kNoLevel, 0};
  return {Cell::State::observed, found->second, 0};
}

Cell real_cell(const std::string& text, const NumberMarks& marks) {
  const std::optional<double> number = number_in(text, marks);
  if (!number) return {Cell::State::bad, Cell::kNoLevel, 0};
  return {Cell::State::observed, 0, *number};
}

}  // namespace

Cell missing_cell(const ColumnSpec& column, bool missing_as_category) {
  Cell cell;
  if (!missing_as_category || column.encoding != Encoding::levels) return cell;
  const auto extra = std::find(column.levels.begin(), column.levels.end(), kMissingLevel);
  if (extra != column.levels.end()) {
    cell.level = static_cast<std::uint32_t>(extra - column.levels.begin());
  }
  return cell;
}

std::vector<Cell> translate(const CodedCells& coded, const ColumnSpec& column,
                            const MissingStrings& missing, bool missing_as_category) {
  const Cell absent = missing_cell(column, missing_as_category);
  const Slots slots = slots_of(column.levels);
  std::vector<Cell> cells;
  cells.reserve(coded.distinct.size());
  for (std::size_t i = 0; i < coded.distinct.size(); ++i) {
    const std::string& text = coded.distinct[i];
    if (missing.contains(text)) {
      cells.push_back(absent);
    } else if (column.encoding == Encoding::real && coded.number != nullptr) {
      cells.push_back({Cell::State::observed, 0, (*coded.number)[i]});
    } else {
      cells.push_back(column.encoding == Encoding::real ? real_cell(text, column.marks)
                                                        : level_cell(text, slots));
    }
  }
  return cells;
}

std::vector<std::uint32_t> translate_words(const std::vector<std::string>& words,
                                           const std::vector<std::string>& vocabulary) {
  const Slots slots = slots_of(vocabulary);
  std::vector<std::uint32_t> found;
  found.reserve(words.size());
  for (const std::string& word : words) {
    const auto slot = slots.find(word);
    found.push_back(slot == slots.end() ? Cell::kNoLevel : slot->second);
  }
  return found;
}

void check_slots(const std::string& source, std::uint64_t slots) {
  if (slots < Cell::kNoLevel) return;
  throw InputError({"source " + core::quoted(source),
                    "has " + std::to_string(slots) + " levels in all, more than can be numbered",
                    "leave out columns or items, or use a family of numbers"});
}

BlockWriter::BlockWriter(std::string name, const ColumnSpec& like, std::vector<Feature> features) {
  block_.name = std::move(name);
  block_.family = like.family;
  block_.encoding = like.encoding;
  block_.features = std::move(features);
  std::uint64_t slots = 0;
  block_.first_slot.reserve(block_.features.size() + 1);
  block_.first_slot.push_back(0);
  for (const Feature& feature : block_.features) {
    slots += like.encoding == Encoding::real ? 1 : feature.levels.size();
    check_slots(block_.name, slots);
    block_.first_slot.push_back(static_cast<std::uint32_t>(slots));
  }
}

void BlockWriter::add(std::size_t feature, const Cell& cell) {
  if (cell.state == Cell::State::missing) ++block_.missing;
  if (cell.state == Cell::State::unseen) ++block_.unseen;
  if (cell.level == Cell::kNoLevel) return;
  block_.slot.push_back(block_.first_slot[feature] + cell.level);
  if (block_.encoding == Encoding::real) block_.value.push_back(cell.value);
}

void BlockWriter::add_count(std::uint32_t slot, float count) {
  block_.slot.push_back(slot);
  block_.weight.push_back(count);
}

}  // namespace medley::data
