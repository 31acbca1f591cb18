// SPDX-License-Identifier: Apache-2.0
#include "data/bind_schema.hpp"

#include <algorithm>
#include <optional>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/message_text.hpp"
#include "data/schema_words.hpp"
#include "data/source_columns.hpp"
#include "data/text/entries.hpp"
#include "data/text/tokenise.hpp"

namespace medley::data {
namespace {

void bind_levels(ColumnSpec& column, const SourceSpec& source, bool extra_level,
                 const FamilyCatalogue& catalogue, core::Problems& problems) {
  const std::string where = "schema: column " + core::quoted(column.name);
  const bool lacks_extra =
      std::find(column.levels.begin(), column.levels.end(), kMissingLevel) == column.levels.end();
  if (column.levels.empty()) {
    problems.add(
        where, "has no levels, and " + column.family + " needs them",
        "write a fresh schema with " + core::setting("column", column.name + '=' + column.family));
    return;
  }
  if (extra_level && lacks_extra && column.encoding == Encoding::levels) {
    column.levels.emplace_back(kMissingLevel);
    if (!column.labels.empty()) column.labels.emplace_back(kMissingLevel);
  }
  ColumnFacts facts;
  facts.name = column.name;
  facts.kind = source.kind;
  facts.distinct = column.levels.size();
  const std::string objection = catalogue.objection(column.family, facts);
  if (!objection.empty()) {
    problems.add(where, objection, "the families are: " + listed(catalogue.names));
  }
}

// Each item's levels, as those of a column.
void bind_item_levels(SourceSpec& source, ColumnSpec& column, bool extra_level,
                      const FamilyCatalogue& catalogue, core::Problems& problems) {
  if (source.item_levels.size() != source.items.size()) {
    problems.add("schema: source " + core::quoted(source.name),
                 counted(source.items.size(), "item") + " and levels of " +
                     std::to_string(source.item_levels.size()),
                 "give levels of every item in [source.item_levels]");
    return;
  }
  column.levels.clear();
  column.labels.clear();
  for (std::size_t i = 0; i < source.items.size(); ++i) {
    ColumnSpec item = column;
    item.name = source.items[i];
    item.levels = source.item_levels[i];
    bind_levels(item, source, extra_level, catalogue, problems);
    source.item_levels[i] = std::move(item.levels);
  }
}

// Words, tags or options: a vocabulary of a family that counts, or options of a family of levels.
void bind_entries(ColumnSpec& column, const SourceSpec& source, bool extra_level,
                  const FamilyCatalogue& catalogue, core::Problems& problems) {
  const std::string where = "schema: column " + core::quoted(column.name);
  const std::string cells = core::quoted(word_of(kCellTexts, column.cells));
  if (source.kind != SourceKind::table && source.kind != SourceKind::column) {
    problems.add(where, "cells = " + cells + " does not go with a source of kind " +
                            core::quoted(word_of(kKinds, source.kind)));
    return;
  }
  const std::string fitting = family_of_entries(column, extra_level, catalogue);
  const std::string objection =
      catalogue.objection(column.family, facts_of_entries(column, extra_level));
  if (catalogue.encoding_of(fitting) != column.encoding || !objection.empty()) {
    problems.add(where, "the family " + column.family + " does not go with cells = " + cells,
                 "use family = " + core::quoted(fitting));
  } else if (column.levels.empty()) {
    problems.add(where, "has no levels: the words, tags or options to look for",
                 "write a fresh schema with " +
                     core::setting("column", column.name + '=' +
                                                 std::string(word_of(kCellTexts, column.cells))));
  }
  const std::vector<std::string> stems = stem_languages();
  if (!column.text.stem.empty() &&
      std::find(stems.begin(), stems.end(), column.text.stem) == stems.end()) {
    problems.add(where, "there are no word stems for " + core::quoted(column.text.stem),
                 "the languages are: " + listed(stems, stems.size()));
  }
}

void bind_feature(ColumnSpec& column, SourceSpec& source, bool extra_level,
                  const FamilyCatalogue& catalogue, core::Problems& problems) {
  const std::string where = "schema: column " + core::quoted(column.name);
  const std::optional<Encoding> encoding = catalogue.encoding_of(column.family);
  if (!encoding) {
    const Problem problem = unknown_family(where, column.family, catalogue);
    problems.add(problem.where, problem.what, problem.remedy);
    return;
  }
  column.encoding = *encoding;
  if (!column.tied.empty() && (source.kind != SourceKind::table || holds_entries(column))) {
    problems.add(where, "only columns of a table with one value in a cell can be tied",
                 "leave out tied");
  }
  if (holds_entries(column)) {
    bind_entries(column, source, extra_level, catalogue, problems);
  } else if ((source.kind == SourceKind::tokens) != (*encoding == Encoding::tokens)) {
    problems.add(where, "the family " + column.family + " does not go with a source of kind " +
                            core::quoted(word_of(kKinds, source.kind)));
  } else if (*encoding == Encoding::real) {
    column.levels.clear();
    column.labels.clear();
    source.item_levels.clear();
  } else if (!source.item_levels.empty()) {
    bind_item_levels(source, column, extra_level, catalogue, problems);
  } else {
    bind_levels(column, source, extra_level, catalogue, problems);
  }
}

}  // namespace

Schema bind_schema(Schema schema, const FamilyCatalogue& catalogue) {
  core::Problems problems;
  std::string left_out;
  for (SourceSpec& source : schema.sources) {
    for (ColumnSpec& column : source.columns) {
      if (is_feature(column)) {
        bind_feature(column, source, schema.missing_as_category, catalogue, problems);
      } else if (!column.note.empty()) {
        left_out += "; column " + core::quoted(column.name) + ": " + column.note;
      }
    }
  }
  if (std::none_of(schema.sources.begin(), schema.sources.end(), has_features)) {
    problems.add("", "no column is left to model" + left_out.substr(0, 500),
                 "see what the columns were taken for with `infer_schema()`, and choose families "
                 "with `column=\"NAME=FAMILY\"`");
  }
  problems.throw_if_any();
  return schema;
}

std::vector<std::size_t> match_sources(const Schema& schema,
                                       const std::vector<RawSource>& sources) {
  std::vector<std::size_t> match(schema.sources.size(), kNone);
  std::vector<std::string> names;
  for (std::size_t part = 0; part < match.size(); ++part) {
    names.push_back(schema.sources[part].name);
    for (std::size_t given = 0; given < sources.size(); ++given) {
      if (sources[given].name == names.back()) match[part] = given;
    }
  }
  const bool none = std::all_of(match.begin(), match.end(), [](auto m) { return m == kNone; });
  const auto holds = std::find_if(schema.sources.begin(), schema.sources.end(), has_features);
  const bool one_part =
      std::count_if(schema.sources.begin(), schema.sources.end(), has_features) == 1;
  if (none && sources.size() == 1 && one_part) {
    match[static_cast<std::size_t>(holds - schema.sources.begin())] = 0;
  } else if (none && !sources.empty()) {
    throw InputError({sources.empty() ? "" : sources.front().path,
                      "the sources of the schema are: " + listed(names),
                      "give each file as NAME=FILE"});
  }
  const auto shape = [](SourceKind kind) {
    return kind == SourceKind::column ? SourceKind::table : kind;
  };
  core::Problems problems;
  for (std::size_t part = 0; part < match.size(); ++part) {
    if (match[part] == kNone) continue;
    const RawSource& given = sources[match[part]];
    if (shape(kind_of(given)) == shape(schema.sources[part].kind)) continue;
    problems.add(given.path,
                 "is of kind " + core::quoted(word_of(kKinds, kind_of(given))) + ", but source " +
                     core::quoted(names[part]) + " of the schema is of kind " +
                     core::quoted(word_of(kKinds, schema.sources[part].kind)),
                 "say how to read it with `format`");
  }
  problems.throw_if_any();
  return match;
}

}  // namespace medley::data
