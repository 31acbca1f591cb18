// SPDX-License-Identifier: Apache-2.0
#include "data/facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/number.hpp"

namespace medley::data {
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

}  // namespace

ColumnSummary summarise(const CodedCells& cells, const MissingStrings& missing) {
  ColumnSummary summary;
  std::vector<std::size_t> uses(cells.distinct.size(), 0);
  std::size_t observed = 0;
  for (const std::uint32_t code : cells.code) {
    if (code != kMissingCode) ++uses[code];
  }
  Range range;
  bool all_numbers = true;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] == 0 || missing.contains(cells.distinct[i])) continue;
    observed += uses[i];
    summary.levels.push_back(cells.distinct[i]);
    const std::optional<double> number = number_in(cells.distinct[i]);
    if (number) range.add(*number);
    summary.any_number = summary.any_number || number.has_value();
    all_numbers = all_numbers && number.has_value();
  }
  std::sort(summary.levels.begin(), summary.levels.end());
  summary.facts.rows = cells.code.size();
  summary.facts.missing = cells.code.size() - observed;
  summary.facts.distinct = summary.levels.size();
  summary.facts.numeric = all_numbers && summary.any_number;
  if (summary.facts.numeric) range.tell(summary.facts);
  return summary;
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
