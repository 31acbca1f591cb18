// SPDX-License-Identifier: Apache-2.0
// Rows that need not all be in memory. A stream file holds a data set with its schema so that any
// of its rows can be had without reading the others; fit.hpp fits a model to one with memory for
// little more than a minibatch.
//
// The file is in the safetensors layout, so that any language reads it: per block `row_start` (I64,
// rows + 1), `slot` (U32), `weight` (F32) and `value` (F64), as in dataset.hpp; ids, row weights
// and kept columns (U32: 0 is missing, else the level's number from 1) by row; the schema as TOML.
// Every array has a companion NAME.crc (U32) with the CRC-32 of each piece of it, a piece being
// the part that belongs to `rows_per_piece` rows (offsets: with the one that ends the piece
// before).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"
#include "medley/read.hpp"

namespace medley {

/// Rows [begin, end).
struct RowRange {
  std::size_t begin = 0, end = 0;
};

/// Rows that are handed out a few at a time. Rows may be asked for from several threads.
class RowSource {
 public:
  RowSource() = default;
  virtual ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  [[nodiscard]] virtual std::size_t rows() const = 0;
  /// The data set without its rows: schema, columns, and what was counted while it was read.
  [[nodiscard]] virtual const Dataset& shape() const = 0;
  /// The rows of the ranges in the order given, as a data set of their own. Throws InputError if
  /// they turn out to be damaged.
  [[nodiscard]] virtual Dataset batch(std::span<const RowRange> ranges) const = 0;
  [[nodiscard]] Dataset batch(std::size_t begin, std::size_t end) const {
    const RowRange range{begin, end};
    return batch(std::span(&range, 1));
  }
  /// The same for equal data, and almost certainly for no other.
  [[nodiscard]] virtual std::string fingerprint() const = 0;
};

/// About `count` rows in runs of 16, spread at random over all; all if there are no more. With the
/// seed of a fit in minibatches and 20,000 rows: those that its summary was scored on.
[[nodiscard]] Dataset sample_rows(const RowSource& rows, std::size_t count, std::uint64_t seed,
                                  const Hooks& hooks = {});

/// What stream files are called by convention; they are known by their content.
inline constexpr const char* kStreamEnding = ".stream";

/// Whether a file with this name can be read and begins like a stream file.
[[nodiscard]] bool is_stream(const std::string& path);
/// Opens it: schema and sizes are checked now, rows when they are asked for. Throws InputError.
[[nodiscard]] std::unique_ptr<RowSource> open_stream(const std::string& path);
/// The same; also throws InputError if the options ask for what only a new conversion can do. With
/// a schema in the options, the rows come under it: what it does not know is left out, and counted
/// in shape().
[[nodiscard]] std::unique_ptr<RowSource> open_stream(const std::string& path,
                                                     const ReadOptions& options);

/// Writes a stream file, rows by rows; holds a piece of them in memory.
class StreamWriter {
 public:
  /// Throws InputError if the folder is not there. What is appended is kept on its disk.
  explicit StreamWriter(const std::string& path);
  ~StreamWriter();
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  /// More rows; all have the blocks and kept columns of the first ones. Throws RunError if the disk
  /// is full.
  void append(const Dataset& rows);
  /// Gives the file its name, whole or not at all. `schema` must be the one of the rows; it may
  /// have been found while they were read.
  void finish(const Schema& schema);
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t cells() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// Writes a data set that is in memory.
void write_stream(const Dataset& data, const std::string& path, const Hooks& hooks = {});

/// What was written.
struct StreamedData {
  std::size_t rows = 0, cells = 0;
  bool loaded = false;  ///< it had to be in memory as a whole
  std::vector<std::string> warnings = {};
};

/// From files to a stream file. One source of LDA-C or (with its counts sorted by document) docword
/// takes bounded memory, unless options say more about it than its format, words and name;
/// everything else is read as by read().
StreamedData convert_to_stream(const std::vector<Source>& sources, const ReadOptions& options,
                               const std::string& path, const Hooks& hooks = {});

}  // namespace medley
