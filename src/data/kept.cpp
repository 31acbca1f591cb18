// SPDX-License-Identifier: Apache-2.0
#include "data/kept.hpp"

#include "core/task.hpp"
#include "core/text.hpp"
#include "data/bind.hpp"
#include "data/cells.hpp"
#include "data/facts.hpp"
#include "data/value_labels.hpp"
#include "data/wording.hpp"

namespace medley::data {

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
