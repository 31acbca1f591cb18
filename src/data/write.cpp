// SPDX-License-Identifier: Apache-2.0
// A data set as files again: which source goes into which file.
#include <algorithm>

#include "core/task.hpp"

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/encode_source.hpp"
#include "data/text/entries.hpp"
#include "data/write_source.hpp"
#include "medley/io.hpp"

namespace medley::data {
namespace {

const char* wanted_ending(SourceKind kind) {
  switch (kind) {
    case SourceKind::tokens:
      return ".ldac";
    case SourceKind::column:
      return ".txt";
    default:
      return ".csv";
  }
}

const char* in_words(SourceKind kind) {
  switch (kind) {
    case SourceKind::tokens:
      return "word counts are written as LDA-C";
    case SourceKind::triplets:
      return "ratings are written as CSV: user,item,value";
    case SourceKind::column:
      return "a single column is written one value per line";
    default:
      return "a table is written as CSV";
  }
}

struct Destined {
  const SourceSpec* source;
  std::string path;
};

// Every source with its file; sources that the data set holds nothing of need none.
std::vector<Destined> destined(const Dataset& data, const std::vector<Source>& files) {
  std::vector<const SourceSpec*> sources;
  std::string names;
  for (const SourceSpec& source : data.schema.sources) {
    if (!can_write(data, source)) continue;
    sources.push_back(&source);
    names += (names.empty() ? "" : ", ") + source.name;
  }
  core::Problems problems;
  std::vector<Destined> out;
  for (const Source& file : files) {
    const bool only = file.name.empty() && sources.size() == 1 && files.size() == 1;
    const auto found =
        only ? sources.begin() : std::ranges::find(sources, file.name, &SourceSpec::name);
    if (found == sources.end()) {
      problems.add(file.path, "which source is to be written there is not clear",
                   "give each as NAME=FILE; the sources are: " + names);
      continue;
    }
    const std::string ending = wanted_ending((*found)->kind);
    if (!core::lower(file.path).ends_with(ending))
      problems.add(file.path, in_words((*found)->kind), "give it a name that ends in " + ending);
    out.push_back({*found, file.path});
  }
  for (const SourceSpec* source : sources) {
    if (std::ranges::find(out, source, &Destined::source) == out.end() && problems.total() == 0)
      problems.add("source " + core::quoted(source->name), "has no file to be written to",
                   "name one: " + source->name + "=FILE" + wanted_ending(source->kind));
  }
  problems.throw_if_any();
  return out;
}

}  // namespace

PlacedColumn place_of(const Dataset& data, const SourceSpec& source, const ColumnSpec& column) {
  if (column.role != Role::feature) return {};
  if (holds_entries(column)) {
    const auto found =
        std::ranges::find(data.blocks, entry_block_name(data.schema, source, column), &Block::name);
    return {found == data.blocks.end() ? nullptr : &*found, 0};
  }
  for (const Block& block : data.blocks) {
    const bool ours = block.name == source.name || block.name.starts_with(source.name + '.');
    if (!ours || block.family != column.family || block.features.empty()) continue;
    if (source.kind == SourceKind::triplets || source.kind == SourceKind::tokens)
      return {&block, 0};
    const auto found = std::ranges::find(block.features, column.name, &Feature::name);
    if (found != block.features.end())
      return {&block, static_cast<std::size_t>(found - block.features.begin())};
  }
  return {};
}

bool can_write(const Dataset& data, const SourceSpec& source) {
  return std::ranges::any_of(source.columns, [&](const ColumnSpec& column) {
    return place_of(data, source, column).block != nullptr ||
           data.kept_column(column.name) != nullptr;
  });
}

double block_factor(const Dataset& data, const Block& block) {
  const auto found = data.schema.block_weight.find(block.name);
  return found == data.schema.block_weight.end() ? 1.0 : found->second;
}

std::vector<std::string> write_files(const Dataset& data, const std::vector<Source>& files) {
  std::vector<std::string> written;
  for (const auto& [source, path] : destined(data, files)) {
    switch (source->kind) {
      case SourceKind::tokens:
        write_words(data, *source, path);
        written.push_back(vocabulary_beside(path));
        break;
      case SourceKind::triplets:
        write_triplets(data, *source, path);
        break;
      default:
        write_table(data, *source, path);
    }
    written.push_back(path);
  }
  return written;
}

}  // namespace medley::data
