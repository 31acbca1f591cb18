// SPDX-License-Identifier: Apache-2.0
// What a cell's text stands for under a column's encoding. Text is looked up once per distinct
// value, not once per cell; adding an encoding means adding one function here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "data/column_facts.hpp"
#include "medley/data.hpp"

namespace medley::data {

struct Cell {
  enum class State : std::uint8_t {
    observed,
    missing,  ///< stored all the same if `level` says so (`missing_as_category`)
    unseen,   ///< a level the schema does not know
    bad       ///< no number where one is needed
  };
  static constexpr std::uint32_t kNoLevel = std::numeric_limits<std::uint32_t>::max();

  State state = State::missing;
  std::uint32_t level = kNoLevel;  ///< slot within the feature; kNoLevel: nothing is stored
  double value = 0;                ///< encoding real
};

/// The cell of a missing value: the extra level if the column has one.
[[nodiscard]] Cell missing_cell(const ColumnSpec& column, bool missing_as_category);

/// One cell per distinct text; how numbers are written is up to `column`.
[[nodiscard]] std::vector<Cell> translate(const CodedCells& cells, const ColumnSpec& column,
                                          const MissingStrings& missing, bool missing_as_category);

/// The slot of each word, or Cell::kNoLevel for words the schema does not know.
[[nodiscard]] std::vector<std::uint32_t> translate_words(
    const std::vector<std::string>& words, const std::vector<std::string>& vocabulary);

/// Throws InputError if a source has more slots than can be numbered.
void check_slots(const std::string& source, std::uint64_t slots);

/// Fills a block row by row; slots must come in ascending order within a row.
class BlockWriter {
 public:
  /// Takes the features' levels as slots. Throws InputError if they are more than can be numbered.
  BlockWriter(std::string name, const ColumnSpec& like, std::vector<Feature> features);
  void add(std::size_t feature, const Cell& cell);
  void add_count(std::uint32_t slot, float count);
  void end_row() { block_.row_start.push_back(block_.slot.size()); }
  [[nodiscard]] Block& block() { return block_; }

 private:
  Block block_;
};

}  // namespace medley::data
