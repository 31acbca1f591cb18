// SPDX-License-Identifier: Apache-2.0
// From a data set back to the files it could have been read from: one function per shape of source.
#pragma once

#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// The block that holds the cells of a column, and the column's place in it (the first place where
/// a column has a block of its own: words, tags, the options of a set).
struct PlacedColumn {
  const Block* block = nullptr;  ///< null: no block has it
  std::size_t feature = 0;
};
[[nodiscard]] PlacedColumn place_of(const Dataset& data, const SourceSpec& source,
                                    const ColumnSpec& column);

/// What write_data() promises, of data that are sound and described by their schema.
std::vector<std::string> write_files(const Dataset& data, const std::vector<Source>& files);

/// Whether the data set holds anything of this source that can be written.
[[nodiscard]] bool can_write(const Dataset& data, const SourceSpec& source);

/// A CSV table, or one value per line (SourceKind::column). Columns that the data set does not hold
/// (left out when it was read) are left out.
void write_table(const Dataset& data, const SourceSpec& source, const std::string& path);

/// user,item,value; a row without any cell gets a line whose value is missing, so that it is there.
void write_triplets(const Dataset& data, const SourceSpec& source, const std::string& path);

/// LDA-C, with the words in X_vocab.txt beside X.ldac, where the reader looks for them.
void write_words(const Dataset& data, const SourceSpec& source, const std::string& path);
/// The file of words that belongs to an LDA-C file.
[[nodiscard]] std::string vocabulary_beside(const std::string& path);

/// The factor that reading gave the cells' weights; they are written without it.
[[nodiscard]] double block_factor(const Dataset& data, const Block& block);

}  // namespace medley::data
