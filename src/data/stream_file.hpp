// SPDX-License-Identifier: Apache-2.0
// Reads stream files: schema and sizes when opened, rows a piece at a time. Pieces are read by
// position and checked against their checksums, sizes and what their families take, before anybody
// sees them; a file that is damaged, or truncated while it is read, is refused in words. Nothing
// that grows with the number of rows is kept.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/catalogue.hpp"
#include "medley/io.hpp"

namespace medley::data {

[[nodiscard]] std::unique_ptr<RowSource> open_stream(const std::string& path,
                                                     const FamilyCatalogue& catalogue);
/// From memory that outlives it, for tests and fuzzing.
[[nodiscard]] std::unique_ptr<RowSource> parse_stream(std::string_view bytes,
                                                      const std::string& origin,
                                                      const FamilyCatalogue& catalogue);

/// Throws InputError if the options contradict what the file at `path`, of that shape, was made by.
void check_stream_options(const Dataset& shape, const ReadOptions& options,
                          const std::string& path);

/// All of a stream file as read() gives it: under the schema of the options if there is one, with
/// the label they name. Throws InputError if the options ask for what only a new conversion can do,
/// or the data needs more memory than options.memory_limit.
[[nodiscard]] Dataset load_stream(const std::string& path, const ReadOptions& options,
                                  const FamilyCatalogue& catalogue);

}  // namespace medley::data
