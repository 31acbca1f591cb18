// SPDX-License-Identifier: Apache-2.0
#include "data/detect_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "data/column_facts.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"

namespace medley::data {
namespace {

using Values = std::vector<ObservedValue>;

// What questionnaires use for "does not know", "refused" and the like, positive or negative.
bool is_usual_code(double number) {
  static constexpr std::array<double, 27> kCodes = {
      7,   8,   9,   66,  77,   88,   96,   97,   98,   99,   555,   666,   777,  888,
      996, 997, 998, 999, 7777, 8888, 9996, 9997, 9998, 9999, 77777, 88888, 99999};
  const double size = std::abs(number);
  if (number < 0 && size <= 3) return size == std::floor(size);  // -1, -2, -3
  return std::find(kCodes.begin(), kCodes.end(), size) != kCodes.end();
}

// The values from the most to the least extreme: [0, n) are the suspects, the others are the rest.
class Suspicion {
 public:
  Suspicion(const Values& values, std::size_t suspects) : values_(values), n_(suspects) {
    std::vector<CountedNumber> rest;
    for (std::size_t i = n_; i < values_.size(); ++i) {
      rest.emplace_back(number(i), values_[i].count);
      low_ = std::min(low_, number(i));
      high_ = std::max(high_, number(i));
      whole_ = whole_ && number(i) == std::floor(number(i));
    }
    deviation_ = std::sqrt(moments_of(rest).variance);
    for (std::size_t i = 0; i < n_; ++i) {
      occurrences_ += values_[i].count;
      most_ = std::max(most_, values_[i].count);
    }
  }

  // In words; empty if the suspects are values like any other.
  [[nodiscard]] std::string why() const {
    if (occurrences_ < kRepeatedly || rest() < 2) return {};
    if (is_past_answers()) return "past the answers " + range();
    if (is_far()) return "far from the other values (" + range() + ')';
    if (is_only_negative()) return "the only negative value" + std::string(n_ > 1 ? "s" : "");
    return {};
  }

 private:
  static constexpr std::size_t kRepeatedly = 2;
  static constexpr std::size_t kOften = 5;

  double number(std::size_t i) const { return *values_[i].number; }
  std::size_t rest() const { return values_.size() - n_; }
  // From the rest to the nearest suspect.
  double gap() const { return std::max(number(n_ - 1) - high_, low_ - number(n_ - 1)); }
  double span() const { return high_ - low_; }

  std::string range() const {
    const auto text = [&](double wanted) {
      for (std::size_t i = n_; i < values_.size(); ++i) {
        if (number(i) == wanted) return values_[i].text;
      }
      return std::string();
    };
    return text(low_) + " to " + text(high_);
  }

  bool is_far() const {
    if (gap() > 3 * span()) return true;
    // The rest may have a long tail; then many times the same number is what stands out.
    return most_ >= kOften && gap() > 2 * deviation_ && gap() > span() / 2;
  }

  // -9 among incomes. A scale such as -1, 0, 1 goes on on the other side.
  bool is_only_negative() const { return number(0) < 0 && low_ >= 0 && high_ >= 5; }

  // 1, 2, 3, 4, 5, 8, 9. Were these counts, then 6 and 7 would hardly be absent and 8 frequent.
  bool is_past_answers() const {
    const bool run =
        whole_ && (low_ == 0 || low_ == 1) && span() == static_cast<double>(rest() - 1);
    return run && number(0) > 0 && most_ >= kOften && gap() >= 2;
  }

  const Values& values_;
  std::size_t n_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  bool whole_ = true;
  double deviation_ = 0;
  std::size_t occurrences_ = 0, most_ = 0;
};

// The suspects at one end of the values; `sorted` begins with that end. As many as stand apart
// together: 98 alone is next to 99, both are far from 1 to 5.
SuspectedCodes suspects_at(const Values& sorted) {
  SuspectedCodes found;
  for (std::size_t n = 1; n < sorted.size() && is_usual_code(*sorted[n - 1].number); ++n) {
    const std::string why = Suspicion(sorted, n).why();
    if (why.empty()) continue;
    found.texts.clear();
    std::size_t occurrences = 0;
    std::string names;
    for (std::size_t i = n; i-- > 0;) {
      found.texts.push_back(sorted[i].text);
      names += sorted[i].text + (i > 1 ? ", " : i == 1 ? " and " : "");
      occurrences += sorted[i].count;
    }
    found.why =
        names + (n > 1 ? " occur " : " occurs ") + counted(occurrences, "time") + ", " + why;
  }
  return found;
}

}  // namespace

SuspectedCodes suspected_codes(const ColumnSummary& column) {
  const ColumnFacts& facts = column.facts;
  const bool any = is_usual_code(facts.minimum) || is_usual_code(facts.maximum);
  if (!facts.numeric || !any) return {};
  Values values = column.values;
  const auto below = [](const ObservedValue& a, const ObservedValue& b) {
    return std::pair(*a.number, a.text) < std::pair(*b.number, b.text);
  };
  std::sort(values.begin(), values.end(), below);
  SuspectedCodes low = suspects_at(values);
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(low.texts.size()));
  std::reverse(values.begin(), values.end());
  SuspectedCodes high = suspects_at(values);
  if (low.texts.empty()) return high;
  low.texts.insert(low.texts.end(), high.texts.begin(), high.texts.end());
  if (!high.why.empty()) low.why += "; " + high.why;
  return low;
}

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

bool is_rating_log(const RawTable& table) {
  if (table.columns.size() != 3) return false;
  const RawColumn& rows = table.columns[0];
  const RawColumn& items = table.columns[1];
  // Two ordinary columns met this often would agree in some of their pairs by chance.
  constexpr std::size_t kFewestNames = 10, kUses = 5;
  const std::size_t names = std::max(rows.distinct.size(), items.distinct.size());
  const std::size_t fewest = std::min(rows.distinct.size(), items.distinct.size());
  if (fewest < kFewestNames || table.line.size() < kUses * names) return false;
  std::vector<std::uint64_t> pairs;
  pairs.reserve(table.line.size());
  for (std::size_t i = 0; i < table.line.size(); ++i) {
    if (rows.code[i] == kMissingCode || items.code[i] == kMissingCode) return false;
    pairs.push_back(std::uint64_t{rows.code[i]} << 32U | items.code[i]);
  }
  std::sort(pairs.begin(), pairs.end());
  return std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end();
}

}  // namespace medley::data
