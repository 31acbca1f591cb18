// SPDX-License-Identifier: Apache-2.0
#include "data/column_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/number.hpp"

namespace medley::data {

NumberMoments moments_of(const std::vector<CountedNumber>& numbers) {
  double largest = 0, total = 0;
  for (const auto& [value, count] : numbers) {
    largest = std::max(largest, std::abs(value));
    total += static_cast<double>(count);
  }
  NumberMoments moments;
  if (!(largest > 0)) return moments;
  // Everything in units of the largest number: neither sums nor cubes overflow.
  double mean = 0, second = 0, third = 0;
  for (const auto& [value, count] : numbers) {
    mean += value / largest * (static_cast<double>(count) / total);
  }
  for (const auto& [value, count] : numbers) {
    const double off = value / largest - mean;
    const double share = static_cast<double>(count) / total;
    second += share * off * off;
    third += share * off * off * off;
  }
  moments.mean = mean * largest;
  // Equal numbers differ from their mean by rounding alone, which has no direction to speak of.
  constexpr double kRounding = 1e-14;
  if (std::sqrt(second) <= kRounding) return moments;
  moments.variance = second * largest * largest;
  moments.skewness = third / (second * std::sqrt(second));
  return moments;
}

namespace {

// Starts empty: the first value makes minimum and maximum meaningful.
struct Range {
  double minimum = std::numeric_limits<double>::infinity();
  double maximum = -std::numeric_limits<double>::infinity();
  bool whole = true;

  void add(double value) {
    minimum = std::min(minimum, value);
    maximum = std::max(maximum, value);
    whole = whole && value == std::floor(value);
  }
  void tell(ColumnFacts& facts) const {
    facts.integer = whole;
    facts.minimum = minimum;
    facts.maximum = maximum;
  }
};

void tell_numbers(const std::vector<ObservedValue>& values, ColumnFacts& facts) {
  Range range;
  std::vector<CountedNumber> numbers;
  numbers.reserve(values.size());
  for (const ObservedValue& value : values) {
    range.add(*value.number);
    numbers.emplace_back(*value.number, value.count);
  }
  range.tell(facts);
  const NumberMoments moments = moments_of(numbers);
  facts.mean = moments.mean;
  facts.variance = moments.variance;
  facts.skewness = moments.skewness;
  if (!(facts.minimum > 0)) return;
  for (CountedNumber& number : numbers) number.first = std::log(number.first);
  facts.log_skewness = moments_of(numbers).skewness;
}

// Bytewise. Nearly all comparisons are of the first eight bytes, which lie side by side.
void sort_by_text(std::vector<std::size_t>& places, const std::vector<std::string>& texts) {
  struct Entry {
    std::uint64_t head;
    std::size_t place;
  };
  std::vector<Entry> entries;
  entries.reserve(places.size());
  for (const std::size_t place : places) {
    std::uint64_t head = 0;
    for (std::size_t i = 0; i < sizeof head; ++i)
      head =
          head << 8U | (i < texts[place].size() ? static_cast<unsigned char>(texts[place][i]) : 0U);
    entries.push_back({head, place});
  }
  std::ranges::sort(entries, [&](const Entry& a, const Entry& b) {
    return a.head != b.head ? a.head < b.head : texts[a.place] < texts[b.place];
  });
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = entries[i].place;
}

}  // namespace

ColumnSummary summarise(const CodedCells& cells, const MissingStrings& missing) {
  ColumnSummary summary;
  std::vector<std::size_t> uses(cells.distinct.size(), 0);
  for (const std::uint32_t code : cells.code) {
    if (code != kMissingCode) ++uses[code];
  }
  std::size_t observed = 0;
  std::vector<std::size_t> met;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] == 0 || missing.contains(cells.distinct[i])) continue;
    observed += uses[i];
    met.push_back(i);
  }
  sort_by_text(met, cells.distinct);
  summary.values.reserve(met.size());
  for (const std::size_t i : met) {
    summary.values.push_back({cells.distinct[i], uses[i],
                              cells.number != nullptr ? std::optional((*cells.number)[i])
                                                      : number_in(cells.distinct[i], cells.marks)});
  }
  summary.levels.reserve(summary.values.size());
  for (const ObservedValue& value : summary.values) summary.levels.push_back(value.text);
  ColumnFacts& facts = summary.facts;
  facts.rows = cells.code.size();
  facts.missing = cells.code.size() - observed;
  facts.distinct = summary.values.size();
  facts.numeric = !summary.values.empty() &&
                  std::all_of(summary.values.begin(), summary.values.end(),
                              [](const ObservedValue& value) { return value.number.has_value(); });
  if (facts.numeric) tell_numbers(summary.values, facts);
  return summary;
}

std::vector<std::string> levels_of(const CodedCells& cells, GivenLevels given,
                                   const MissingStrings& missing) {
  if (given == GivenLevels::none) return summarise(cells, missing).levels;
  std::vector<bool> met(cells.distinct.size(), given == GivenLevels::all);
  for (const std::uint32_t code : cells.code) {
    if (code != kMissingCode) met[code] = true;
  }
  std::vector<std::string> levels;
  for (std::size_t i = 0; i < met.size(); ++i) {
    if (met[i] && !missing.contains(cells.distinct[i])) levels.push_back(cells.distinct[i]);
  }
  return levels;
}

ColumnFacts facts_of_counts(const RawCounts& counts) {
  ColumnFacts facts;
  facts.kind = SourceKind::tokens;
  facts.rows = counts.row_start.size() - 1;
  facts.distinct = counts.vocabulary.size();
  Range range;
  for (const float count : counts.count) range.add(static_cast<double>(count));
  facts.numeric = !counts.count.empty();
  if (facts.numeric) range.tell(facts);
  return facts;
}

}  // namespace medley::data
