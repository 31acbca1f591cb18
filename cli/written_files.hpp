// SPDX-License-Identifier: Apache-2.0
// Data files that a command writes: -o FILE, or one -o NAME=FILE per source, and the schema beside
// the first one.
#pragma once

#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/io.hpp"
#include "output.hpp"

namespace medley::cli {

/// The -o options as sources; throws InputError if there are none.
[[nodiscard]] std::vector<Source> written_sources(const std::vector<std::string>& output);
/// Whether one stream file is to be written, which holds its schema.
[[nodiscard]] bool is_stream_output(const std::vector<Source>& files);
/// FILE.schema.toml of the first file.
[[nodiscard]] std::string schema_beside(const std::vector<Source>& files);
/// Everything that will be written, for check_destinations.
[[nodiscard]] std::vector<Destination> destinations(const std::vector<Source>& files);
/// Writes data and schema; returns the names of the files in words: `a.csv and a.csv.schema.toml`.
std::string write_with_schema(const Dataset& data, const std::vector<Source>& files);
/// `medley fit FILE --schema FILE.schema.toml`, to be completed with options of the fit.
[[nodiscard]] std::string fit_command(const std::vector<Source>& files);

}  // namespace medley::cli
