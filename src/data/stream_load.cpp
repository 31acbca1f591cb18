// SPDX-License-Identifier: Apache-2.0
// A stream file as read() gives any other: its rows under its own schema, or under that of a model.
#include <filesystem>
#include <memory>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/encode.hpp"
#include "data/schema_rows.hpp"
#include "data/stream_file.hpp"

namespace medley::data {

void check_stream_options(const Dataset& data, const ReadOptions& options,
                          const std::string& path) {
  if (!options.schema) check_options_against(data.schema, options);
  core::Problems problems;
  std::vector<std::pair<std::string, std::string>> named = {{"label", options.label}};
  for (const std::string& name : options.keep) named.emplace_back("keep", name);
  for (const auto& [option, name] : named) {
    if (name.empty() || data.kept_column(name) != nullptr) continue;
    problems.add(core::setting(option, name), path + " holds no such column set aside",
                 "convert the data again with " + core::setting("label", name));
  }
  const ColumnSpec* id = options.id.empty() ? nullptr : data.schema.find(options.id);
  if (!options.id.empty() && (id == nullptr || id->role != Role::id)) {
    problems.add(core::setting("id", options.id), path + " was not converted with this id",
                 "convert the data again with " + core::setting("id", options.id));
  }
  const ColumnSpec* weight = options.weight.empty() ? nullptr : data.schema.find(options.weight);
  if (!options.weight.empty() && (weight == nullptr || weight->role != Role::weight)) {
    problems.add(core::setting("weight", options.weight),
                 path + " was not converted with these weights",
                 "convert the data again with " + core::setting("weight", options.weight));
  }
  problems.throw_if_any();
}

namespace {

// A column that was set aside and is now said to be the label.
void set_label(Dataset& data, const std::string& label) {
  for (SourceSpec& source : data.schema.sources) {
    for (ColumnSpec& column : source.columns) {
      if (column.name != label || column.role != Role::ignored) continue;
      column.role = Role::label;
      column.levels = data.kept_column(label)->levels;
    }
  }
}

}  // namespace

Dataset load_stream(const std::string& path, const ReadOptions& options,
                    const FamilyCatalogue& catalogue) {
  std::unique_ptr<RowSource> file = open_stream(path, catalogue);
  check_stream_options(file->shape(), options, path);
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (options.memory_limit != 0 && size > options.memory_limit) {
    throw InputError({path,
                      "has " + std::to_string(size) + " bytes, more than may be held in memory (" +
                          std::to_string(options.memory_limit) + ")",
                      "fit it with `batch=N`, which reads a little at a time"});
  }
  if (options.schema) file = rows_under_schema(std::move(file), *options.schema, path, catalogue);
  Dataset data = file->batch(0, file->rows());
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    data.blocks[b].missing = file->shape().blocks[b].missing;
    data.blocks[b].unseen = file->shape().blocks[b].unseen;
  }
  data.warnings = file->shape().warnings;
  data.unknown = file->shape().unknown;
  data.extra = file->shape().extra;
  set_label(data, options.label);
  return data;
}

}  // namespace medley::data
