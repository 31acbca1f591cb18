// SPDX-License-Identifier: Apache-2.0
// Data drawn from a mixed-membership model: a survey of yes/no items and a corpus. Always the same.
#pragma once

#include <cstddef>
#include <string>

#include "medley/data.hpp"

namespace medley::bench {

/// `rows` people answer `items` yes/no questions; no answer is missing.
[[nodiscard]] Dataset survey(std::size_t rows, std::size_t items, std::size_t components);

/// Documents of `words` different words each, out of a vocabulary whose use falls off as Zipf says.
[[nodiscard]] Dataset corpus(std::size_t documents, std::size_t words, std::size_t vocabulary,
                             std::size_t components);

/// A data set of yes/no items as a CSV file with an id column, and as a log of row,item,value.
[[nodiscard]] std::string as_csv(const Dataset& data);
[[nodiscard]] std::string as_triplets(const Dataset& data);
/// And as one JSON object per line.
[[nodiscard]] std::string as_jsonl(const Dataset& data);

/// A corpus in the formats of word counts.
[[nodiscard]] std::string as_ldac(const Dataset& data);
[[nodiscard]] std::string as_svmlight(const Dataset& data);
[[nodiscard]] std::string as_docword(const Dataset& data);
[[nodiscard]] std::string as_matrix_market(const Dataset& data);

}  // namespace medley::bench
