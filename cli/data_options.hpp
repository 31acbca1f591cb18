// SPDX-License-Identifier: Apache-2.0
// The options of every command that reads data, and what they mean to the readers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "medley/io.hpp"
#include "medley/model.hpp"

namespace medley::cli {

/// As written on the command line.
struct DataOptions {
  std::vector<std::string> data;  ///< DATA...: FILE, NAME=FILE or -
  std::string schema;
  /// Of every option in the library's table (medley/options.hpp), by its name there.
  std::map<std::string, std::vector<std::string>> given;
};

void add_data_options(Command& command, DataOptions& options);
/// --threads.
void add_threads_option(Command& command, std::size_t& threads);

[[nodiscard]] std::vector<Source> sources(const DataOptions& options);
/// Reading for a new model: the schema file if one is given, else inferred.
[[nodiscard]] ReadOptions read_options(const DataOptions& options);
/// The same for a fit: some presets take missing cells for answers.
[[nodiscard]] ReadOptions read_options(const DataOptions& options, const FitOptions& fit);
/// Reading by a model's schema; a --column that contradicts it is refused.
[[nodiscard]] ReadOptions read_options(const DataOptions& options, const Model& model);
/// Every file that these options read.
[[nodiscard]] std::vector<std::string> files_read(const DataOptions& options);

}  // namespace medley::cli
