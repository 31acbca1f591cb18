// SPDX-License-Identifier: Apache-2.0
// The rows of a stream file under the schema of a model, some at a time: what the model does not
// know is left out and counted.
#pragma once

#include <memory>
#include <string>

#include "data/catalogue.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// `path` names the file in messages. Its sources must be those of the schema, by name or by being
/// alone; throws InputError if they are not. Where levels, words or items are unknown, all rows are
/// read once to count them: shape() has the counts and the names.
[[nodiscard]] std::unique_ptr<RowSource> rows_under_schema(std::unique_ptr<RowSource> rows,
                                                           const Schema& wanted,
                                                           const std::string& path,
                                                           const FamilyCatalogue& catalogue);

}  // namespace medley::data
