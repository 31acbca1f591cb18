// SPDX-License-Identifier: Apache-2.0
#include "data/detect_ids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "data/number.hpp"

namespace medley::data {
namespace {

constexpr double kNearlyAll = 0.95;  // of the cells differ, in a column that is called an id

// "id", "user_id", "userId", "ID number" hold the word; "paid" and "Madrid" do not.
std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words(1);
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool hump = i > 0 && capital(name[i]) && small(name[i - 1]);
    const bool part = small(name[i]) || capital(name[i]);
    if ((hump || !part) && !words.back().empty()) words.emplace_back();
    if (part) words.back() += core::lower(name.substr(i, 1));
  }
  return words;
}

bool is_called_id(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kIds = {"id", "uuid", "guid", "identifier"};
  for (const std::string& word : words_of_name(name)) {
    if (std::find(kIds.begin(), kIds.end(), word) != kIds.end()) return true;
  }
  return false;
}

// 123e4567-e89b-12d3-a456-426614174000
bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex =
        std::string_view("0123456789abcdefABCDEF").find(text[i]) != std::string_view::npos;
    if (dash ? text[i] != '-' : !hex) return false;
  }
  return true;
}

// 00017, 00018: nobody writes a quantity like that.
bool is_padded(const std::vector<ObservedValue>& values) {
  const std::size_t width = values.front().text.size();
  const auto starts_with_zero = [](const ObservedValue& v) { return v.text.front() == '0'; };
  const auto plain = [&](const ObservedValue& v) {
    return v.text.size() == width && v.text.find_first_not_of("0123456789") == std::string::npos;
  };
  return width > 1 && std::any_of(values.begin(), values.end(), starts_with_zero) &&
         std::all_of(values.begin(), values.end(), plain);
}

// n, n + 1, n + 2 ... or downwards, in the order of the rows.
bool numbers_the_rows(const CodedCells& cells, const ColumnFacts& facts) {
  if (!facts.integer || facts.missing > 0 || facts.distinct != facts.rows) return false;
  if (facts.maximum - facts.minimum != static_cast<double>(facts.rows - 1)) return false;
  constexpr double kFirstYear = 1500, kLastYear = 2200;
  if (facts.minimum >= kFirstYear && facts.maximum <= kLastYear) return false;
  const auto at = [&](std::size_t row) {
    return *number_in(cells.distinct[cells.code[row]], cells.marks);
  };
  const double step = at(1) - at(0);
  if (std::abs(step) != 1) return false;
  for (std::size_t row = 1; row < cells.code.size(); ++row) {
    if (at(row) - at(row - 1) != step) return false;
  }
  return true;
}

}  // namespace

std::string why_id(const CodedCells& cells, const ColumnSummary& column) {
  const ColumnFacts& facts = column.facts;
  const std::size_t observed = facts.rows - facts.missing;
  if (observed < kFewestForId) return {};
  const bool all_different = facts.distinct == observed;
  if (std::all_of(column.values.begin(), column.values.end(),
                  [](const ObservedValue& value) { return is_uuid(value.text); })) {
    return "it holds UUIDs, which name things";
  }
  if (all_different && !facts.numeric) {
    return "every cell is different, so it names the rows: an id, a name or free text";
  }
  if (numbers_the_rows(cells, facts)) return "it numbers the rows";
  if (all_different && facts.integer && is_padded(column.values)) {
    return "every cell is a different number with leading zeros: an id";
  }
  const bool nearly =
      static_cast<double>(facts.distinct) >= kNearlyAll * static_cast<double>(observed);
  const bool fractions = facts.numeric && !facts.integer;
  if (nearly && !fractions && is_called_id(facts.name)) {
    return "it is called an id, and nearly every cell is different";
  }
  // Repeated or not, nobody calls an answer "id".
  if (!fractions && words_of_name(facts.name) == std::vector<std::string>{"id"}) {
    return "it is called \"id\", though some rows share one";
  }
  return {};
}

}  // namespace medley::data
