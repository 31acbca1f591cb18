// SPDX-License-Identifier: Apache-2.0
#include "data/detect_stray_text.hpp"

#include <cstddef>
#include <vector>

#include "core/text.hpp"
#include "data/number.hpp"
#include "data/wording.hpp"

namespace medley::data {

std::string stray_text(const ColumnSummary& column) {
  // As many different numbers as this are a quantity, not codes beside a few words.
  constexpr std::size_t kFewestNumbers = 10, kMostTexts = 5;
  constexpr double kMostCells = 0.2;
  std::vector<std::string> texts;
  std::string either;  // a text that is a number, but which one?
  std::size_t cells = 0, all = 0;
  for (const ObservedValue& value : column.values) {
    all += value.count;
    if (value.number) continue;
    cells += value.count;
    texts.push_back(value.text);
    if (either.empty() && is_ambiguous_mark(value.text)) either = value.text;
  }
  const bool few = static_cast<double>(cells) <= kMostCells * static_cast<double>(all);
  if (texts.empty() || texts.size() > kMostTexts || !few) return {};
  if (column.values.size() - texts.size() < kFewestNumbers) return {};
  if (!either.empty())
    return may_be_either(either) + ": `decimal=\"comma\"` or `decimal=\"point\"` says which";
  return "all but " + std::to_string(cells) + " of " + counted(all, "cell") + " are numbers; are " +
         listed(texts) + " missing? " + core::setting("na", texts.front());
}

}  // namespace medley::data
