// SPDX-License-Identifier: Apache-2.0
// From one raw source to its blocks, by the shape of the source.
#pragma once

#include <string>
#include <vector>

#include "core/problems.hpp"
#include "data/catalogue.hpp"
#include "data/column_facts.hpp"
#include "data/join.hpp"
#include "data/source_columns.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// What encoding any source needs to know, and where it puts what it has to say.
struct EncodeContext {
  const std::vector<RawSource>& sources;
  const Schema& schema;
  const ReadOptions& options;
  const FamilyCatalogue& catalogue;
  const MissingStrings& missing;
  const RowMap& rows;
  core::Problems& problems;
  std::vector<std::string>& warnings;
  std::vector<Unknown>& unknown;
};

/// `given` is the index of the source that plays the part `spec`, or kNone: everything is missing
/// then.
[[nodiscard]] std::vector<Block> encode_table(const EncodeContext& context, const SourceSpec& spec,
                                              std::size_t given);
/// One column of words, tags or options, from `column` of source `given`; null: all missing.
/// What the block of a column of words, tags or options is called.
[[nodiscard]] std::string entry_block_name(const Schema& schema, const SourceSpec& source,
                                           const ColumnSpec& spec);
[[nodiscard]] Block encode_entries(const EncodeContext& context, const SourceSpec& source,
                                   const ColumnSpec& spec, std::size_t given,
                                   const RawColumn* column);
[[nodiscard]] Block encode_counts(const EncodeContext& context, const SourceSpec& spec,
                                  std::size_t given);
[[nodiscard]] Block encode_triplets(const EncodeContext& context, const SourceSpec& spec,
                                    std::size_t given);

}  // namespace medley::data
