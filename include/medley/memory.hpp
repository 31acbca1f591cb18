// SPDX-License-Identifier: Apache-2.0
// Data that is in memory already: tables of columns, sparse counts, triplets. They go the way of
// files: the same schema inference, encoding, checks and messages, so that the same data from a
// file and from memory give the same model.
//
//   medley::MemoryTable table;
//   table.rows = 3;
//   table.columns = {{"colour", medley::TextColumn{{"red", "green"}, {0, 1, 0}}},
//                    {"height", medley::NumberColumn{{1.5, 2.5, NAN}}}};
//   medley::Dataset data = medley::dataset({{"", std::move(table)}});
//
// Nothing is trusted: sizes, offsets and codes are checked before they are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"
#include "medley/read.hpp"

namespace medley {

/// The code of a missing cell.
inline constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

/// Texts, each cell a code into the list of the different ones. Blanks around a text do not count.
/// What means "missing" in a file (NA, ?, ...) does so here.
struct TextColumn {
  std::vector<std::string> distinct;
  std::vector<std::uint32_t> code;  ///< per row: an index into `distinct`, or kAbsent
  bool ordered = false;             ///< the levels come in the order of `distinct`, not sorted
  bool fixed = false;  ///< the levels are `distinct`, in that order, with those that no row has
};

/// Numbers; NaN is missing. Where text is wanted (levels, ids) the shortest one that reads back
/// stands for a number: "5", "0.1".
struct NumberColumn {
  std::vector<double> value;  ///< per row
};

/// Lists of tags or options: row i holds code[start[i]] to code[start[i + 1] - 1].
struct ListColumn {
  std::vector<std::string> distinct;
  std::vector<std::uint64_t> start;   ///< rows + 1
  std::vector<std::uint32_t> code;    ///< per entry; kAbsent: no entry
  std::vector<std::uint8_t> missing;  ///< per row: not 0 where the list is missing; or empty
};

struct MemoryColumn {
  std::string name;
  std::variant<TextColumn, NumberColumn, ListColumn> cells;
  std::string title = {};  ///< what it is called for people, such as the question asked
  std::vector<std::pair<std::string, std::string>> value_labels = {};  ///< text -> what it means
};

struct MemoryTable {
  std::vector<MemoryColumn> columns;
  std::size_t rows = 0;
};

/// Sparse counts over a vocabulary. The words of a row may come in any order; repeated ones are
/// added up, zeros left out.
struct MemoryCounts {
  std::vector<std::uint64_t> row_start;  ///< rows + 1: counts of row i are [row_start[i], ...)
  std::vector<std::uint32_t> word;       ///< index into `vocabulary`
  std::vector<float> count;
  std::vector<std::string> vocabulary;  ///< empty: words are called by their numbers, from 0
};

/// A log of (row, item, value); a pair that is not in it is missing.
struct MemoryTriplets {
  TextColumn row, item;
  std::variant<TextColumn, NumberColumn> value;
};

struct MemorySource {
  std::string name;  ///< of the block it becomes; empty for a single source, then called "data"
  std::variant<MemoryTable, MemoryCounts, MemoryTriplets> content;
};

/// A data set from memory: as read() from files. Documents are a table with one TextColumn and
/// ReadOptions::family[column] = "text". Move the sources in to save a copy. Throws InputError
/// listing every problem found, by source, row and column.
[[nodiscard]] Dataset dataset(std::vector<MemorySource> sources, const ReadOptions& options = {},
                              const Hooks& hooks = {});

/// What the columns would be taken for; nothing is encoded.
[[nodiscard]] Schema infer_schema(std::vector<MemorySource> sources,
                                  const ReadOptions& options = {}, const Hooks& hooks = {});

/// A schema from pieces: batches of rows that come one after the other, or shards that others
/// looked at. It is the schema of all rows at once, in the order in which they were added. With it
/// the pieces are read (dataset() with ReadOptions::schema) and appended to a stream
/// (StreamWriter). Keeps every different text, and the codes of tables and triplets; of counts it
/// keeps the vocabulary.
class SchemaBuilder {
 public:
  explicit SchemaBuilder(ReadOptions options = {});
  ~SchemaBuilder();
  SchemaBuilder(SchemaBuilder&& other) noexcept;
  SchemaBuilder& operator=(SchemaBuilder&& other) noexcept;

  /// More rows of the same sources: their names, kinds and columns are those of the first piece.
  /// Throws InputError, as dataset() does, and keeps what it had.
  void add(const std::vector<MemorySource>& sources);
  /// The rows that another builder saw, after those of this one.
  void merge(const SchemaBuilder& other);
  [[nodiscard]] std::size_t rows() const;
  /// Throws InputError if there are no rows, or as infer_schema() does.
  [[nodiscard]] Schema finish() const;

 private:
  class Pieces;
  std::unique_ptr<Pieces> pieces_;
};

}  // namespace medley
