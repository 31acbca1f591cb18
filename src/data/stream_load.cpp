// SPDX-License-Identifier: Apache-2.0
// A stream file as read() gives any other: its rows under its own schema, or under that of a model.
#include <algorithm>
#include <filesystem>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/encode.hpp"
#include "data/narrow.hpp"
#include "data/remap.hpp"
#include "data/stream_file.hpp"

namespace medley::data {
namespace {

bool has_features(const SourceSpec& source) {
  return std::ranges::any_of(source.columns,
                             [](const ColumnSpec& c) { return c.role == Role::feature; });
}

// A file given alone plays the only part of a schema, whatever its name: so with stream files.
void take_name(Dataset& data, const Schema& wanted) {
  if (std::ranges::count_if(wanted.sources, has_features) != 1) return;
  if (std::ranges::count_if(data.schema.sources, has_features) != 1) return;
  const auto theirs = std::ranges::find_if(wanted.sources, has_features);
  const auto ours = std::ranges::find_if(data.schema.sources, has_features);
  for (Block& block : data.blocks) {
    if (block.name == ours->name || block.name.starts_with(ours->name + '.'))
      block.name = theirs->name + block.name.substr(ours->name.size());
  }
  ours->name = theirs->name;
}

bool same_columns(const std::vector<Block>& a, const std::vector<Block>& b) {
  return std::ranges::equal(a, b, [](const Block& x, const Block& y) {
    return x.name == y.name && x.family == y.family && x.first_slot == y.first_slot &&
           std::ranges::equal(x.features, y.features, [](const Feature& f, const Feature& g) {
             return f.name == g.name && f.levels == g.levels && f.shift == g.shift;
           });
  });
}

// Under the schema of a model. Its sources must be those of the file.
Dataset by_schema(Dataset data, const Schema& wanted, const std::string& path,
                  const FamilyCatalogue& catalogue) {
  take_name(data, wanted);
  const bool same_sources = std::ranges::equal(data.schema.sources, wanted.sources, {},
                                               &SourceSpec::name, &SourceSpec::name);
  if (!same_sources || data.schema.missing_as_category != wanted.missing_as_category) {
    throw InputError({path,
                      same_sources ? "was converted with another --missing than the model's data"
                                   : "was made of other sources than the model's data",
                      "convert the data again, with the schema of the model (--schema)"});
  }
  if (data.schema.block_weight != wanted.block_weight) {
    throw InputError({path, "was converted with other block weights than the model's data",
                      "convert the data again, with the schema of the model (--schema)"});
  }
  Dataset shape = empty_data(wanted, catalogue);
  if (same_columns(data.blocks, shape.blocks)) {
    data.schema = std::move(shape.schema);
    return data;
  }
  Dataset out = under_schema(data, wanted, catalogue);
  for (const Block& block : out.blocks) {
    if (block.unseen > 0)
      out.warnings.push_back(path + ": " + std::to_string(block.unseen) + " cells of block " +
                             core::quoted(block.name) +
                             " with levels or words the schema does not know, left out");
  }
  return out;
}

}  // namespace

void check_stream_options(const Dataset& data, const ReadOptions& options,
                          const std::string& path) {
  if (!options.schema) check_options_against(data.schema, options);
  core::Problems problems;
  std::vector<std::pair<std::string, std::string>> named = {{"--label", options.label}};
  for (const std::string& name : options.keep) named.emplace_back("keep", name);
  for (const auto& [option, name] : named) {
    if (name.empty() || data.kept_column(name) != nullptr) continue;
    problems.add(option + ' ' + name, path + " holds no such column set aside",
                 "convert the data again with --label " + name);
  }
  const ColumnSpec* id = options.id.empty() ? nullptr : data.schema.find(options.id);
  if (!options.id.empty() && (id == nullptr || id->role != Role::id)) {
    problems.add("--id " + options.id, path + " was not converted with this id",
                 "convert the data again with --id " + options.id);
  }
  const ColumnSpec* weight = options.weight.empty() ? nullptr : data.schema.find(options.weight);
  if (!options.weight.empty() && (weight == nullptr || weight->role != Role::weight)) {
    problems.add("--weight " + options.weight, path + " was not converted with these weights",
                 "convert the data again with --weight " + options.weight);
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
  const auto file = open_stream(path, catalogue);
  check_stream_options(file->shape(), options, path);
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (options.memory_limit != 0 && size > options.memory_limit) {
    throw InputError({path,
                      "has " + std::to_string(size) + " bytes, more than may be held in memory (" +
                          std::to_string(options.memory_limit) + ")",
                      "fit it with --batch N, which reads a little at a time"});
  }
  Dataset data = file->batch(0, file->rows());
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    data.blocks[b].missing = file->shape().blocks[b].missing;
    data.blocks[b].unseen = file->shape().blocks[b].unseen;
  }
  if (options.schema) data = by_schema(std::move(data), *options.schema, path, catalogue);
  set_label(data, options.label);
  return data;
}

}  // namespace medley::data
