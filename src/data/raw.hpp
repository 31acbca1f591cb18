// SPDX-License-Identifier: Apache-2.0
// What the readers of single files produce, before anything is known about roles, families or other
// sources: text columns, sparse counts, or triplets. Dictionary-coded, so a survey costs 4 bytes a
// cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

// The lines on which the records of a file stand. Nearly always one after the other, so only where
// a run of consecutive lines begins is kept: a rating log of millions of lines costs nothing.

class LineNumbers {
 public:
  void push_back(std::uint64_t line) {
    if (runs_.empty() || line != runs_.back().line + (size_ - runs_.back().record))
      runs_.push_back({size_, line});
    ++size_;
  }
  [[nodiscard]] std::uint64_t operator[](std::size_t record) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), record,
                         [](std::size_t wanted, const Run& run) { return wanted < run.record; });
    return (after - 1)->line + (record - (after - 1)->record);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Runs of consecutive lines, which is what it costs.
  [[nodiscard]] std::size_t runs() const { return runs_.size(); }

 private:
  struct Run {
    std::size_t record;  // its first record
    std::uint64_t line;
  };
  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

/// A missing cell in any `code` vector below.
inline constexpr std::uint32_t kMissingCode = std::numeric_limits<std::uint32_t>::max();

/// Between the entries of a cell that is a list in the file itself, such as a JSON array. A list
/// without entries is the separator alone: observed, and empty.
inline constexpr char kListSeparator = '\x1F';

/// How a column writes its numbers, as far as file and column tell.
struct WrittenNumbers {
  NumberMarks marks = {};
  bool sure = false;       ///< its own cells tell, or all other columns that tell agree
  std::string doubt = {};  ///< what only the person can settle; else empty
};

/// Levels that come with the data, in the order of RawColumn::distinct, not sorted by their texts.
enum class GivenLevels : std::uint8_t {
  none,
  order,  ///< those that occur
  all     ///< also those that do not
};

/// One column of text cells. `distinct` is in order of first appearance, trimmed, as written.
struct RawColumn {
  std::string name;
  std::vector<std::string> distinct;
  std::vector<std::uint32_t> code;   ///< per row: index into distinct, or kMissingCode
  CellText cells = CellText::value;  ///< tags: entries joined by kListSeparator
  // What the file itself says about the column, where its format can.
  std::vector<std::string> missing_codes = {};  ///< texts that mean "missing" in this column
  std::vector<std::pair<std::string, std::string>> value_labels = {};  ///< text -> what it means
  std::string title = {};  ///< what the column is called for people, such as the question asked
  WrittenNumbers numbers = {};
  std::optional<Role> role = {};  ///< what the column is for, where that is plain; none: a feature
  /// The columns of the file that were tied to this one, if any; `code` then holds the rows of the
  /// first, those of the second and so on.
  std::vector<std::string> tied = {};
  GivenLevels given = GivenLevels::none;  ///< `distinct` is then in the order of the levels
  bool typed = false;  ///< the cells were numbers, never text: nobody need ask how they are written
  std::vector<double> number = {};  ///< of a typed column, per distinct text; or empty
};

/// A CSV/TSV table, an SPSS, Stata or SAS file, or (with one column) a one-value-per-line file.
struct RawTable {
  std::vector<RawColumn> columns;
  std::vector<std::uint64_t> line;  ///< per row: line of the file on which it starts, from 1; in a
                                    ///< binary file the row's number
  char delimiter = '\0';            ///< of a CSV or TSV file
};

/// Sparse counts over a vocabulary, by row; zero counts are left out, repeated words merged,
/// words ascending within a row.
struct RawCounts {
  std::vector<std::uint64_t> row_start = {0};
  std::vector<std::uint32_t> word;
  std::vector<float> count;
  std::vector<std::string> vocabulary;  ///< as long as the largest word id + 1 at least
  std::vector<std::string> label;   ///< svmlight only: the leading label, as written; else empty
  std::vector<std::uint64_t> line;  ///< per row, as in RawTable (0 where the format has none)
};

/// A log of (row, item, value); rows and items are numbered by first appearance.
struct RawTriplets {
  std::vector<std::string> rows, items, values;  ///< dictionaries
  std::vector<std::uint32_t> row, item, value;   ///< per triplet; value may be kMissingCode
  LineNumbers line;                              ///< per triplet
  char delimiter = '\0';
  WrittenNumbers numbers = {};            ///< of the values
  GivenLevels given = GivenLevels::none;  ///< levels of the values
  bool typed = false;                     ///< the values were numbers, never text
};

struct RawSource {
  std::string name;
  std::string path;  ///< for messages
  std::variant<RawTable, RawCounts, RawTriplets> content;
  bool one_value_per_line = false;  ///< a RawTable of one column, read from a file without a header
  NumberMarks marks = {};           ///< how the file writes its numbers
  std::string encoding = {};        ///< what its text was taken for, if not UTF-8 and nobody said
  bool in_memory = false;           ///< no file: rows have numbers, not lines
};

}  // namespace medley::data
