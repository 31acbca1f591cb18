// SPDX-License-Identifier: Apache-2.0
// The data a model sees: rows x blocks. A block is a set of features stored together that share a
// distribution family: the yes/no items of a survey, the words of a text, the movies of a rating
// log.
//
// Every block is stored by row (compressed rows); a missing cell is simply absent and a repeated
// cell is a replicate. A discrete cell is a *slot*: a row of the block's likelihood table. The
// slots are partitioned into features, and the probabilities of one feature's slots sum to 1:
//
//   levels   one feature per column, one slot per level     survey items, ratings
//   tokens   one feature, one slot per word                 documents, references; weight = count
//   real     one slot per feature, the number in `value`    measurements
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "medley/schema.hpp"
#include "medley/weighting.hpp"

namespace medley {

/// A column (levels, real) or a vocabulary (tokens) of a block.
struct Feature {
  std::string name;                      ///< column, item or source name
  std::vector<std::string> levels = {};  ///< names of its slots: levels or words; empty for real
  std::vector<std::string> labels = {};  ///< what the levels mean, for reports; empty: as written
  double shift = 0;                      ///< subtracted from every number before the family sees it
  std::string title = {};                ///< what it is called for people; empty: its name
};

/// Features that share a family, with their cells by row.
struct Block {
  std::string name;    ///< what reports call it
  std::string family;  ///< name in the family registry
  Encoding encoding = Encoding::levels;
  std::vector<Feature> features;
  std::vector<std::uint32_t>
      first_slot;  ///< features + 1: feature f owns [first_slot[f], first_slot[f+1])

  std::vector<std::uint64_t> row_start = {
      0};                           ///< rows + 1: cells of row i are [row_start[i], row_start[i+1])
  std::vector<std::uint32_t> slot;  ///< per cell, ascending within a row
  std::vector<float> weight;        ///< per cell: how often observed; empty means 1 everywhere
  std::vector<double> value;        ///< per cell, encoding real only

  std::size_t missing =
      0;                   ///< cells of the file that held a missing value (or were absent columns)
  std::size_t unseen = 0;  ///< cells whose level or word the schema does not know: taken as missing

  [[nodiscard]] std::size_t slots() const { return first_slot.empty() ? 0 : first_slot.back(); }
  /// The block without its cells: what a model remembers of it.
  [[nodiscard]] Block shape() const;
  [[nodiscard]] std::size_t cells() const { return slot.size(); }
  [[nodiscard]] float weight_of(std::size_t cell) const {
    return weight.empty() ? 1.0F : weight[cell];
  }
};

/// Codes of a kept column that are no level: the cell is missing, or holds a class that the schema
/// of the label does not know. Whoever asks for a level tests for code >= 0.
inline constexpr std::int32_t kMissingClass = -1, kUnknownClass = -2;

/// A column set aside for the caller: the label, or one asked for with ReadOptions::keep.
struct KeptColumn {
  std::string name;
  std::vector<std::string> levels;       ///< distinct values, bytewise order
  std::vector<std::int32_t> code;        ///< per row: a level, kMissingClass or kUnknownClass
  std::vector<std::string> labels = {};  ///< what the levels mean, for reports; empty: as written
  std::string title = {};                ///< what it is called for people; empty: its name
};

/// A word, item or level that a schema does not know.
struct Unknown {
  std::string block, name;
  double count = 0;  ///< how often it was met
};
/// So many of a block are named.
inline constexpr std::size_t kNamedUnknown = 10;

/// Rows x blocks, with what is known about each row.
struct Dataset {
  std::size_t rows = 0;
  std::vector<std::string> ids;    ///< per row; empty: the row's number from 1
  std::vector<double> row_weight;  ///< per row, all >= 0; empty means 1 everywhere
  double weight_unit = 1;          ///< the weight in the file that a row_weight of 1 was written as
  std::vector<Block> blocks;
  std::vector<KeptColumn> kept;
  Schema schema;                      ///< what every column was taken for
  std::vector<std::string> warnings;  ///< in words: dropped columns, absent columns, unseen levels
  // Read by a schema that was given:
  std::vector<Unknown> unknown = {};    ///< the most frequent of each block, first
  std::vector<std::string> extra = {};  ///< columns of the files that it does not know: not read
  /// In words: what was decided for the user, and how to have it otherwise.
  std::vector<std::string> notes = {};

  [[nodiscard]] std::string id_of(std::size_t row) const {
    return ids.empty() ? std::to_string(row + 1) : ids[row];
  }
  [[nodiscard]] double weight_of(std::size_t row) const {
    return row_weight.empty() ? 1.0 : row_weight[row];
  }
  /// Observed size of a row: the sum of its cell weights over all blocks.
  [[nodiscard]] double observed(std::size_t row) const;
  /// Whether rows are weighted, by which column, and what they stand for.
  [[nodiscard]] Weighting weighting() const;
  /// The kept column of that name, or null.
  [[nodiscard]] const KeptColumn* kept_column(const std::string& name) const;
  /// The kept column whose role in the schema is label, or null.
  [[nodiscard]] const KeptColumn* label() const;
};

/// Throws InputError that lists everything wrong with a data set that was made by hand: sizes that
/// disagree, slots and codes out of range, unknown families, numbers that are none or that a family
/// does not take. Every function of the library that is given a data set begins with it.
void check(const Dataset& data);

}  // namespace medley
