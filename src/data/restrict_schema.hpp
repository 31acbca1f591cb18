// SPDX-License-Identifier: Apache-2.0
// The columns as some rows alone would have them: what a file of the training rows shows, and
// nothing that only the test rows hold.
#pragma once

#include <vector>

#include "data/catalogue.hpp"
#include "data/project.hpp"
#include "medley/data.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// The schema of `rows` without the levels, words, tags, options, items and classes that no row
/// holds; words and tags of table columns must also pass `words` (min_count, max_share, most_words;
/// rules and stop words were dealt with when the file was read). Columns that never vary are left
/// out, as when a file is read. What a column is (role, family, missing codes, shift) stays.
/// A text of which nothing was taken counts as missing: only max_share can tell the difference.
[[nodiscard]] Schema narrowed_schema(const Dataset& rows, const VocabularyOptions& words);

/// How rows go from one schema to another, worked out once for rows that come some at a time.
struct SchemaProjection {
  Dataset shape;    ///< of the new schema, without rows
  Targets targets;  ///< where cells go
  /// Per old block and slot: its column is known, its level, word or item is not.
  std::vector<std::vector<bool>> unknown = {};
};
/// `from` may be without rows.
[[nodiscard]] SchemaProjection make_projection(const Dataset& from, const Schema& to,
                                               const FamilyCatalogue& catalogue);
/// Rows of the shape that the passage was made for; what was unknown is in Block::unseen.
[[nodiscard]] Dataset project_rows(const Dataset& rows, const SchemaProjection& by);
/// Adds to `count` (per old block and slot) how often the rows hold what is unknown.
void count_unknown(const Dataset& rows, const SchemaProjection& by,
                   std::vector<std::vector<double>>& count);
/// What was counted, by name.
[[nodiscard]] std::vector<Unknown> named_unknown(const Dataset& from,
                                                 const std::vector<std::vector<double>>& count);

/// `data` under a narrower schema, which must have a feature left. Cells whose level, word or item
/// it does not know are taken as missing and counted in Block::unseen, as in a new file; cells of
/// columns that it leaves out are not counted. Classes of the label that it does not know become
/// kUnknownClass.
[[nodiscard]] Dataset under_schema(const Dataset& data, const Schema& narrow,
                                   const FamilyCatalogue& catalogue);

}  // namespace medley::data
