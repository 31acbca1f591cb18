// SPDX-License-Identifier: Apache-2.0
// What can be said of a column before a family is chosen: what is missing, counts, range, levels,
// moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/catalogue.hpp"
#include "data/raw.hpp"
#include "medley/data.hpp"

namespace medley::data {

// Mean, variance and skewness of numbers that occur several times each.
//
//   mean m = sum c_i x_i / n,  m_r = sum c_i (x_i - m)^r / n,  n = sum c_i
//   variance m_2, skewness m_3 / m_2^(3/2); the skewness of equal numbers is 0

/// A number and how often it occurs.
using CountedNumber = std::pair<double, std::size_t>;

struct NumberMoments {
  double mean = 0, variance = 0, skewness = 0;
};

/// All 0 for no numbers. Finite numbers give a finite mean and skewness, however large they are.
[[nodiscard]] NumberMoments moments_of(const std::vector<CountedNumber>& numbers);

// The strings that mean "missing" for one reading: the standard ones and those of `--na`; and, for
// one column, the codes it has of its own.

class MissingStrings {
 public:
  explicit MissingStrings(const std::vector<std::string>& more) : more_(more.begin(), more.end()) {}
  [[nodiscard]] bool contains(const std::string& cell) const {
    return is_standard_missing(cell) || more_.count(cell) > 0;
  }
  /// The same with the codes of one column.
  [[nodiscard]] MissingStrings with(const std::vector<std::string>& codes) const {
    MissingStrings both = *this;
    both.more_.insert(codes.begin(), codes.end());
    return both;
  }

 private:
  std::unordered_set<std::string> more_;
};

// What can be said of a column before a family is chosen: counts, range, levels.

/// Cells as codes into their distinct values: a table column, or the values of triplets.
struct CodedCells {
  const std::vector<std::string>& distinct;
  const std::vector<std::uint32_t>& code;
  NumberMarks marks = {};                       ///< how numbers are written
  const std::vector<double>* number = nullptr;  ///< per distinct text, if all are known
};

[[nodiscard]] inline CodedCells cells_of(const RawColumn& column, const NumberMarks& marks = {}) {
  const bool known = !column.number.empty() && column.number.size() == column.distinct.size();
  return {column.distinct, column.code, marks, known ? &column.number : nullptr};
}

/// A value that occurs in a column, and how often.
struct ObservedValue {
  std::string text;
  std::size_t count = 0;
  std::optional<double> number;  ///< if the text is one
};

struct ColumnSummary {
  ColumnFacts facts;                  ///< `distinct` counts observed values
  std::vector<ObservedValue> values;  ///< the observed values, bytewise order
  std::vector<std::string> levels;    ///< their texts: what a family of levels would get
};

[[nodiscard]] ColumnSummary summarise(const CodedCells& cells, const MissingStrings& missing);
/// The levels of such a column: sorted by their texts, or as the data give them.
[[nodiscard]] std::vector<std::string> levels_of(const CodedCells& cells, GivenLevels given,
                                                 const MissingStrings& missing);
/// Of a token source: rows, size of the vocabulary, range of the counts.
[[nodiscard]] ColumnFacts facts_of_counts(const RawCounts& counts);

}  // namespace medley::data
