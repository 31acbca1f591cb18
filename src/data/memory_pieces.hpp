// SPDX-License-Identifier: Apache-2.0
// What a schema is inferred from, gathered over pieces of the data: batches of rows, or shards.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "data/catalogue.hpp"
#include "data/formats/dictionary.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// Dictionary-coded cells that grow.
struct GrowingColumn {
  RawColumn about;  ///< everything but its cells
  Dictionary texts;
  std::vector<std::uint32_t> code;

  void append(const std::vector<std::string>& distinct, const std::vector<std::uint32_t>& codes);
  [[nodiscard]] RawColumn column() const;
};

struct GrowingTable {
  std::vector<GrowingColumn> columns;
  std::size_t rows = 0;
};

/// Of counts a schema has the words, and knows of what kind the numbers are.
struct GrowingCounts {
  Dictionary words;
  std::size_t rows = 0;
  std::vector<float> telling;  ///< the smallest count, the largest, and one that is not whole
};

struct GrowingTriplets {
  GrowingColumn item, value;
};

struct GrowingSource {
  std::string name;
  std::variant<GrowingTable, GrowingCounts, GrowingTriplets> content;
};

class MemoryPieces {
 public:
  explicit MemoryPieces(ReadOptions options) : options_(std::move(options)) {}

  /// Throws InputError, and keeps what it had, if the piece is not sound or unlike the first one.
  void add(const std::vector<MemorySource>& sources);
  void merge(const MemoryPieces& other);
  /// Of the first source; triplets if it is a log.
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] Schema schema(const FamilyCatalogue& catalogue) const;

 private:
  void append(const std::vector<GrowingSource>& piece);

  ReadOptions options_;
  std::vector<GrowingSource> sources_;
};

}  // namespace medley::data
