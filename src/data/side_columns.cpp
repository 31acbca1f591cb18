// SPDX-License-Identifier: Apache-2.0
#include "data/side_columns.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/task.hpp"
#include "core/text.hpp"
#include "data/bind_schema.hpp"
#include "data/cells.hpp"
#include "data/column_facts.hpp"
#include "data/message_text.hpp"

namespace medley::data {
namespace {

using Meaning = std::unordered_map<std::string_view, std::string_view>;

// The views point into `labels`.
Meaning meaning_of(const ValueLabels& labels) {
  Meaning meaning;
  for (const auto& [level, label] : labels) meaning.emplace(level, label);
  return meaning;
}

}  // namespace

std::vector<std::string> labels_of(const std::vector<std::string>& levels,
                                   const ValueLabels& labels) {
  const Meaning meaning = meaning_of(labels);
  std::vector<std::string> found;
  bool any = false;
  for (const std::string& level : levels) {
    const auto label = meaning.find(level);
    any = any || label != meaning.end();
    found.emplace_back(label == meaning.end() ? std::string_view(level) : label->second);
  }
  if (!any) found.clear();
  return found;
}

bool all_labelled(const std::vector<std::string>& levels, const ValueLabels& labels) {
  const Meaning meaning = meaning_of(labels);
  return !levels.empty() && std::all_of(levels.begin(), levels.end(),
                                        [&](const auto& level) { return meaning.contains(level); });
}

KeptColumn keep_column(const EncodeContext& context, const ColumnRef& column,
                       const ColumnSpec* spec) {
  const RawColumn& cells = *column.text;
  KeptColumn kept;
  kept.name = column.name;
  kept.title = spec != nullptr && !spec->title.empty() ? spec->title : cells.title;
  const MissingStrings missing =
      spec != nullptr ? context.missing.with(spec->missing) : context.missing;
  const bool classes = spec != nullptr && spec->role == Role::label;
  kept.levels =
      classes ? spec->levels : levels_of({cells.distinct, cells.code}, cells.given, missing);
  kept.labels = labels_of(kept.levels, cells.value_labels);
  ColumnSpec by_level;
  by_level.levels = kept.levels;
  const std::vector<Cell> meaning = translate(cells_of(cells), by_level, missing, false);
  std::size_t unseen = 0;
  for (std::size_t row = 0; row < context.rows.rows; ++row) {
    core::stop_if_asked();
    const std::size_t from = context.rows.of(column.source, row);
    const std::uint32_t code = from == kNone ? kMissingCode : cells.code[from];
    const Cell cell = code == kMissingCode ? Cell{} : meaning[code];
    const bool unknown = cell.state == Cell::State::unseen;
    if (unknown) ++unseen;
    kept.code.push_back(unknown                        ? kUnknownClass
                        : cell.level == Cell::kNoLevel ? kMissingClass
                                                       : static_cast<std::int32_t>(cell.level));
  }
  if (unseen > 0) {
    std::vector<std::string> examples;
    for (std::size_t i = 0; i < meaning.size(); ++i) {
      if (meaning[i].state == Cell::State::unseen) examples.push_back(cells.distinct[i]);
    }
    context.warnings.push_back(context.sources[column.source].path + ": column " +
                               core::quoted(column.name) + ": " + counted(unseen, "row") +
                               " of classes the schema does not know: " + listed(examples, 5));
  }
  return kept;
}

}  // namespace medley::data
