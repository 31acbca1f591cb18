// SPDX-License-Identifier: Apache-2.0
#include "data/number_check.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/text.hpp"
#include "data/family_words.hpp"
#include "data/number.hpp"
#include "data/wording.hpp"

namespace medley::data {

NumberCheck::NumberCheck(const CodedCells& cells, const ColumnSpec& column, MissingStrings missing,
                         const FamilyCatalogue& catalogue, bool fixed)
    : distinct_(cells.distinct),
      code_(cells.code),
      column_(column),
      missing_(std::move(missing)),
      catalogue_(catalogue),
      fixed_(fixed) {}

std::string NumberCheck::refusal(double number) const {
  return catalogue_.refusal(column_.family, number - column_.shift);
}

bool NumberCheck::takes(const std::string& text) const {
  if (missing_.contains(text)) return true;
  const std::optional<double> number = number_in(text, column_.marks);
  return number && refusal(*number).empty();
}

void NumberCheck::mark_refused(std::vector<Cell>& cells) const {
  for (Cell& cell : cells) {
    if (cell.state != Cell::State::observed || refusal(cell.value).empty()) continue;
    cell.state = Cell::State::bad;
    cell.level = Cell::kNoLevel;
  }
}

std::string NumberCheck::other_family() const {
  const ColumnSummary summary = summarise({distinct_, code_, column_.marks}, missing_);
  return summary.facts.numeric ? family_of_numbers(summary, catalogue_)
                               : family_of_levels(summary.facts, catalogue_);
}

Problem NumberCheck::problem(const std::string& where, const std::string& text) {
  if (!other_) other_ = fixed_ ? std::string() : other_family();
  const std::optional<double> number = number_in(text, column_.marks);
  if (!number) return not_a_number(where, text, column_, *other_, fixed_);
  std::string what = text;
  if (column_.shift != 0) what += fmt::format(" ({} after the shift)", *number - column_.shift);
  return {where, what + ' ' + refusal(*number), ways_out(text, column_, *other_, fixed_)};
}

}  // namespace medley::data
