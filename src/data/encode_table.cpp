// SPDX-License-Identifier: Apache-2.0
// A table becomes one block per family: the columns of that family, in the order of the schema.
// Then come the columns whose cells are taken apart (words, tags, options), a block each.
#include <algorithm>
#include <optional>

#include "core/task.hpp"

#include "core/text.hpp"
#include "data/bind_schema.hpp"
#include "data/cells.hpp"
#include "data/encode_source.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"
#include "data/text/entries.hpp"
#include "data/tie.hpp"

namespace medley::data {
namespace {

// A column of the schema with the column of the file that holds its cells (null: absent).
struct TableFeature {
  const ColumnSpec* spec = nullptr;
  const RawColumn* column = nullptr;
  std::vector<Cell> cells;           // per distinct text
  std::optional<NumberCheck> check;  // of a column of numbers
  Cell missing;
  std::size_t unseen = 0;
  std::vector<std::size_t> met = {};  // per distinct text that is unseen: how often
};

const RawColumn* find_column(const RawTable& table, const SourceSpec& spec,
                             const std::string& name) {
  // A file with one value per line has no heading to go by.
  if (spec.kind == SourceKind::column && table.columns.size() == 1) return &table.columns.front();
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const RawColumn& column) { return column.name == name; });
  return found == table.columns.end() ? nullptr : &*found;
}

void translate_cells(const EncodeContext& context, TableFeature& feature) {
  const RawColumn& column = *feature.column;
  const MissingStrings missing = context.missing.with(feature.spec->missing);
  feature.cells =
      translate(cells_of(column), *feature.spec, missing, context.schema.missing_as_category);
  if (feature.spec->encoding != Encoding::real) return;
  feature.check.emplace(CodedCells{column.distinct, column.code}, *feature.spec, missing,
                        context.catalogue, context.options.schema.has_value());
  feature.check->mark_refused(feature.cells);
}

// `colour = "green"` for every level that the schema does not know.
std::vector<std::pair<std::string, double>> unknown_levels(
    const std::vector<TableFeature>& features) {
  std::vector<std::pair<std::string, double>> out;
  for (const TableFeature& feature : features) {
    for (std::size_t i = 0; feature.unseen > 0 && i < feature.met.size(); ++i)
      out.emplace_back(feature.spec->name + " = " + core::quoted(feature.column->distinct[i]),
                       static_cast<double>(feature.met[i]));
  }
  return out;
}

std::vector<TableFeature> table_features(const EncodeContext& context, const SourceSpec& spec,
                                         std::size_t given, const std::string& family) {
  std::vector<TableFeature> features;
  const bool extra_level = context.schema.missing_as_category;
  for (const ColumnSpec& column : spec.columns) {
    if (column.role != Role::feature || column.family != family) continue;
    if (holds_entries(column)) continue;
    TableFeature feature;
    feature.spec = &column;
    feature.missing = missing_cell(column, extra_level);
    if (given != kNone) {
      const auto& table = std::get<RawTable>(context.sources[given].content);
      feature.column = find_column(table, spec, column.name);
    }
    if (feature.column != nullptr) translate_cells(context, feature);
    features.push_back(std::move(feature));
  }
  return features;
}

// One cell of a feature: by its code in the file, which is that of row `row` and copy `copy`.
Cell cell_of(const EncodeContext& context, std::size_t given, std::size_t row, std::size_t copy,
             TableFeature& feature) {
  const RawColumn& column = *feature.column;
  const std::size_t rows = column.code.size() / copies_in(column);
  const std::uint32_t code = column.code[copy * rows + row];
  if (code == kMissingCode) return feature.missing;
  const Cell& cell = feature.cells[code];
  if (cell.state == Cell::State::unseen) {
    ++feature.unseen;
    feature.met.resize(feature.cells.size(), 0);
    ++feature.met[code];
  }
  if (cell.state == Cell::State::bad) {
    const std::string& name = column.tied.empty() ? feature.spec->name : column.tied[copy];
    const Problem problem =
        feature.check->problem(place(context.sources[given], row, name), column.distinct[code]);
    context.problems.add(problem.where, problem.what, problem.remedy);
  }
  return cell;
}

// The row of the file, or kNone where the join found none.
void write_row(const EncodeContext& context, std::size_t given, std::size_t row,
               std::vector<TableFeature>& features, BlockWriter& writer) {
  std::vector<Cell> copies;
  for (std::size_t f = 0; f < features.size(); ++f) {
    TableFeature& feature = features[f];
    if (feature.column == nullptr || row == kNone) {
      writer.add(f, feature.missing);
      continue;
    }
    if (feature.column->tied.empty()) {
      writer.add(f, cell_of(context, given, row, 0, feature));
      continue;
    }
    copies.clear();
    for (std::size_t copy = 0; copy < feature.column->tied.size(); ++copy)
      copies.push_back(cell_of(context, given, row, copy, feature));
    if (writer.block().encoding == Encoding::levels)
      std::ranges::sort(copies, {}, &Cell::level);  // slots ascend within a row
    for (const Cell& cell : copies) writer.add(f, cell);
  }
  writer.end_row();
}

void warn_unseen(const EncodeContext& context, const RawSource& source,
                 const TableFeature& feature) {
  if (feature.unseen == 0) return;
  std::vector<std::string> examples;
  for (std::size_t i = 0; i < feature.cells.size(); ++i) {
    if (feature.cells[i].state == Cell::State::unseen) {
      examples.push_back(feature.column->distinct[i]);
    }
  }
  context.warnings.push_back(
      source.path + ": column " + core::quoted(feature.spec->name) + ": " +
      counted(feature.unseen, "cell") +
      " with levels the schema does not know, taken as missing: " + listed(examples, 5));
}

void warn_absent(const EncodeContext& context, const SourceSpec& spec, std::size_t given) {
  std::vector<std::string> absent;
  const auto& table = std::get<RawTable>(context.sources[given].content);
  for (const ColumnSpec& column : spec.columns) {
    const bool needed = column.role == Role::feature;
    if (needed && find_column(table, spec, column.name) == nullptr) absent.push_back(column.name);
  }
  if (absent.empty()) return;
  context.warnings.push_back(context.sources[given].path + ": " + counted(absent.size(), "column") +
                             " of the schema absent, taken as missing: " + listed(absent, 10));
}

Block encode_family(const EncodeContext& context, const SourceSpec& spec, std::size_t given,
                    const std::string& family, const std::string& name) {
  std::vector<TableFeature> features = table_features(context, spec, given, family);
  std::vector<Feature> described;
  for (const TableFeature& feature : features) {
    described.push_back({feature.spec->name, feature.spec->levels, feature.spec->labels,
                         feature.spec->shift, feature.spec->title});
  }
  BlockWriter writer(name, *features.front().spec, std::move(described));
  writer.block().slot.reserve(context.rows.rows * features.size());
  for (std::size_t row = 0; row < context.rows.rows; ++row) {
    core::stop_if_asked();
    const std::size_t from = given == kNone ? kNone : context.rows.of(given, row);
    write_row(context, given, from, features, writer);
  }
  for (const TableFeature& feature : features) {
    if (given != kNone) warn_unseen(context, context.sources[given], feature);
  }
  add_unknown(name, unknown_levels(features), context.unknown);
  return std::move(writer.block());
}

}  // namespace

std::vector<Block> encode_table(const EncodeContext& context, const SourceSpec& spec,
                                std::size_t given) {
  std::vector<std::string> families;
  for (const ColumnSpec& column : spec.columns) {
    const bool known = std::find(families.begin(), families.end(), column.family) != families.end();
    if (column.role != Role::feature || holds_entries(column)) continue;
    if (!known) families.push_back(column.family);
  }
  if (given != kNone) warn_absent(context, spec, given);
  std::vector<Block> blocks;
  for (const std::string& family : families) {
    const std::string name = families.size() == 1 ? spec.name : spec.name + '.' + family;
    blocks.push_back(encode_family(context, spec, given, family, name));
  }
  for (const ColumnSpec& column : spec.columns) {
    if (column.role != Role::feature || !holds_entries(column)) continue;
    const RawColumn* cells =
        given == kNone
            ? nullptr
            : find_column(std::get<RawTable>(context.sources[given].content), spec, column.name);
    blocks.push_back(encode_entries(context, spec, column, given, cells));
  }
  return blocks;
}

}  // namespace medley::data
