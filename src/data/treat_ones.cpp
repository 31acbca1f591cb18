// SPDX-License-Identifier: Apache-2.0
// Cells equal to one as words: a basket of what a row has, for models of words. The other cells and
// what was missing are gone, as words that are not there are.
#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "data/number.hpp"
#include "data/remap.hpp"
#include "data/treat.hpp"
#include "data/wording.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

bool is_one(const std::string& level) {
  const std::optional<double> number = number_in(level);
  return number && *number == 1;
}

// A feature with cells that can be one becomes a word.
bool can_be_one(const Block& block, std::size_t f) {
  return block.encoding == Encoding::real ||
         (block.encoding == Encoding::levels &&
          std::ranges::any_of(block.features[f].levels, is_one));
}

ColumnSpec words_column(const std::string& source, const FamilyCatalogue& catalogue) {
  ColumnFacts facts;
  facts.name = source;
  facts.kind = SourceKind::tokens;
  facts.distinct = 2;
  const FamilyChoice choice = catalogue.choose(facts);
  ColumnSpec spec;
  spec.name = source;
  spec.family = choice.family;
  spec.encoding = choice.encoding;
  spec.note = "cells equal to one";
  return spec;
}

// The schema with every table and rating log replaced by its words; a source without any is gone.
Schema words_of(const Dataset& data, const FamilyCatalogue& catalogue) {
  Schema out = data.schema;
  out.missing_as_category = false;
  for (SourceSpec& source : out.sources) {
    if (source.kind == SourceKind::tokens) continue;
    source.columns = {words_column(source.name, catalogue)};
    source.items = {};
    source.item_levels = {};
    source.kind = SourceKind::tokens;
    for (const Block& block : data.blocks) {
      if (data.schema.sources[source_of(data.schema, block)].name != source.name) continue;
      for (std::size_t f = 0; f < block.features.size(); ++f) {
        if (can_be_one(block, f)) source.columns[0].levels.push_back(block.features[f].name);
      }
    }
  }
  std::erase_if(out.sources, [](const SourceSpec& s) { return s.columns[0].levels.empty(); });
  return out;
}

std::vector<Target> targets_of(const Block& block, std::uint32_t to,
                               const std::vector<std::string>& words) {
  std::vector<Target> out(block.slots());
  std::unordered_map<std::string_view, std::uint32_t> places;
  for (const std::string& word : words)
    places.emplace(word, static_cast<std::uint32_t>(places.size()));
  for (std::size_t f = 0; f < block.features.size(); ++f) {
    const auto word = places.find(block.features[f].name);
    if (word == places.end() || !can_be_one(block, f)) continue;
    const std::uint32_t slot = word->second;
    for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s) {
      if (block.encoding == Encoding::real) {
        out[s] = {to, slot, [](double value) { return value == 1; }, {}};
      } else if (is_one(block.features[f].levels[s - block.first_slot[f]])) {
        out[s] = {to, slot, {}, {}};
      }
    }
  }
  return out;
}

}  // namespace

Dataset ones_as_words(const Dataset& data, const FamilyCatalogue& catalogue) {
  const Schema schema = words_of(data, catalogue);
  if (schema.sources.empty())
    throw InputError({"`ones_as_tokens`", "no column can hold a one",
                      "`binarise=\">=4\"` makes ones of numbers"});
  Dataset shape = empty_data(schema, catalogue);
  Targets targets = same_places(data, shape);
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const SourceSpec& source = data.schema.sources[source_of(data.schema, data.blocks[b])];
    const auto to = std::ranges::find(shape.blocks, source.name, &Block::name);
    if (source.kind == SourceKind::tokens || to == shape.blocks.end()) continue;
    targets[b] = targets_of(data.blocks[b], static_cast<std::uint32_t>(to - shape.blocks.begin()),
                            to->features[0].levels);
  }
  Dataset out = remapped(data, std::move(shape), targets);
  out.ids = {};  // a file of word counts has neither ids nor other columns
  out.kept = {};
  out.row_weight = {};
  std::size_t cells = 0, words = 0, empty = 0;
  for (const Block& block : out.blocks) {
    cells += block.cells();
    words += block.slots();
  }
  for (std::size_t row = 0; row < out.rows; ++row) empty += out.observed(row) > 0 ? 0 : 1;
  out.schema.treatments.push_back("cells equal to one as words: " + counted(cells, "word") +
                                  " over a vocabulary of " + std::to_string(words) + "; " +
                                  counted(empty, "row") + " without any");
  return out;
}

}  // namespace medley::data
