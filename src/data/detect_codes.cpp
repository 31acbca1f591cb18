// SPDX-License-Identifier: Apache-2.0
#include "data/detect_codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "data/moments.hpp"
#include "data/wording.hpp"

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

}  // namespace medley::data
