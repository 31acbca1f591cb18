// SPDX-License-Identifier: Apache-2.0
// The columns as some rows alone would have them: what a file of the training rows shows, and
// nothing that only the test rows hold.
#pragma once

#include "data/catalogue.hpp"
#include "medley/dataset.hpp"
#include "medley/read.hpp"

namespace medley::data {

/// The schema of `rows` without the levels, words, tags, options, items and classes that no row
/// holds; words and tags of table columns must also pass `words` (min_count, max_share, most_words;
/// rules and stop words were dealt with when the file was read). Columns that never vary are left
/// out, as when a file is read. What a column is (role, family, missing codes, shift) stays.
/// A text of which nothing was taken counts as missing: only max_share can tell the difference.
[[nodiscard]] Schema narrowed_schema(const Dataset& rows, const VocabularyOptions& words);

/// `data` under a narrower schema, which must have a feature left. Cells whose level, word or item
/// it does not know are taken as missing and counted in Block::unseen, as in a new file; cells of
/// columns that it leaves out are not counted. Classes of the label that it does not know become
/// kUnknownClass.
[[nodiscard]] Dataset under_schema(const Dataset& data, const Schema& narrow,
                                   const FamilyCatalogue& catalogue);

}  // namespace medley::data
