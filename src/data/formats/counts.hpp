// SPDX-License-Identifier: Apache-2.0
// What the readers of sparse counts share: their options, checks of sizes, and the way from counts
// in any order to RawCounts (rows in order, words ascending and merged, zeros left out).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/problems.hpp"
#include "data/raw.hpp"
#include "data/vocabulary_files.hpp"

namespace medley::data {

struct CountsOptions {
  const Vocabulary* vocabulary = nullptr;  ///< names of the words; null: their ids as in the file
  std::size_t memory_limit = 0;            ///< bytes; 0: none
  /// Takes rows that are complete, every so often, and leaves none: for files larger than memory.
  /// Rows that it has not been given are in the result. Counts by document must then be in order.
  std::function<void(RawCounts&)> drain = {};
};

/// Thrown instead of a result if rows are to be drained and the counts of a row lie apart.
struct OutOfOrder {};

/// Grows RawCounts row by row.
class RowCounts {
 public:
  explicit RowCounts(core::MemoryGuard& memory) : memory_(memory) {}
  /// One count of the current row; the words may come in any order.
  void add(std::uint32_t word, float count);
  /// Closes the current row, which stands on line `line`.
  void end_row(std::uint64_t line);
  /// Forgets what was added since the last end_row(): the row was broken.
  void drop_row();
  [[nodiscard]] RawCounts& counts() { return counts_; }
  /// Closed so far, drained ones included.
  [[nodiscard]] std::uint64_t rows() const { return drained_ + counts_.line.size(); }
  /// Hands the closed rows over if there are many. To be called between rows.
  void drain_if_many(const CountsOptions& options);

 private:
  core::MemoryGuard& memory_;
  RawCounts counts_;
  std::uint64_t drained_ = 0;
};

/// Collects (row, word, count) in any order.
class EntryCounts {
 public:
  explicit EntryCounts(core::MemoryGuard& memory) : memory_(memory) {}
  void add(std::uint32_t row, std::uint32_t word, float count);
  /// All of them by row; rows without any are empty. Every row added must be below `rows`.
  [[nodiscard]] RawCounts take(std::size_t rows);

 private:
  core::MemoryGuard& memory_;
  std::vector<std::uint32_t> row_, word_;
  std::vector<float> count_;
};

/// A size read from a file (rows, words, the largest id) is checked against the number of counts
/// that were really there before anything is allocated for it: throws InputError if there are too
/// few for it to be true. `what` names the size, such as "1000000000000 documents".
void check_plausible(std::uint64_t size, std::size_t counts, const std::string& where,
                     const std::string& what);

/// The vocabulary's words, or the numbers first, first + 1, ... as `size` names.
[[nodiscard]] std::vector<std::string> word_names(const CountsOptions& options, std::size_t size,
                                                  std::size_t first, core::MemoryGuard& memory);

}  // namespace medley::data
