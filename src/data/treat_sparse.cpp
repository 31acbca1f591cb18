// SPDX-License-Identifier: Apache-2.0
// Rows and columns with few observed cells, dropped until every one that is left has enough: a row
// that goes takes cells from columns, and the other way round.
#include <algorithm>

#include "core/task.hpp"

#include "data/remap.hpp"
#include "data/select_rows.hpp"
#include "data/text/entries.hpp"
#include "data/treat.hpp"
#include "data/wording.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

// What can be dropped of a block: its features, or the words of a vocabulary.
struct Units {
  std::vector<std::uint32_t> of_slot;
  std::vector<bool> alive;
  std::vector<std::size_t> cells;
  bool fixed = false;  // words, tags and options inside the cells of a table stay
};

class Filter {
 public:
  Filter(const Dataset& data, std::size_t min_row, std::size_t min_column)
      : data_(data), min_row_(min_row), min_column_(min_column), row_(data.rows, true) {
    for (const Block& block : data.blocks) units_.push_back(units_of(block));
  }

  // Repeats until nothing changes.
  void run() {
    while (drop_rows() || drop_columns()) ++rounds_;
  }

  [[nodiscard]] std::vector<std::size_t> rows() const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < row_.size(); ++row) {
      core::stop_if_asked();
      if (row_[row]) rows.push_back(row);
    }
    return rows;
  }

  // The schema without the columns, items and words that were dropped.
  [[nodiscard]] Schema schema() const {
    Schema out = data_.schema;
    for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
      if (units_[b].fixed) continue;
      SourceSpec& source = out.sources[source_of(data_.schema, data_.blocks[b])];
      if (source.kind == SourceKind::triplets) {
        source.items = kept_of(source.items, b);
        if (!source.item_levels.empty()) source.item_levels = kept_of(source.item_levels, b);
      } else if (source.kind == SourceKind::tokens) {
        source.columns.front().levels = kept_of(source.columns.front().levels, b);
      } else {
        std::erase_if(source.columns, [&](const ColumnSpec& column) { return dropped(column, b); });
      }
    }
    return out;
  }

  [[nodiscard]] std::size_t columns(bool alive) const {
    std::size_t count = 0;
    for (const Units& units : units_)
      count += static_cast<std::size_t>(std::ranges::count(units.alive, alive));
    return count;
  }
  [[nodiscard]] std::size_t rounds() const { return rounds_; }

 private:
  [[nodiscard]] Units units_of(const Block& block) const {
    Units units;
    const bool words = block.encoding == Encoding::tokens;
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
        units.of_slot.push_back(static_cast<std::uint32_t>(words ? s : f));
    }
    const std::size_t count = words ? block.slots() : block.features.size();
    units.alive.assign(count, true);
    units.cells.assign(count, 0);
    const SourceSpec& source = data_.schema.sources[source_of(data_.schema, block)];
    const bool table = source.kind == SourceKind::table || source.kind == SourceKind::column;
    units.fixed = table && std::ranges::none_of(source.columns, [&](const ColumnSpec& column) {
                    return column.role == Role::feature && !holds_entries(column) &&
                           column.name == block.features.front().name;
                  });
    return units;
  }

  bool drop_rows() {
    bool changed = false;
    for (std::size_t row = 0; row < row_.size(); ++row) {
      core::stop_if_asked();
      if (!row_[row]) continue;
      std::size_t cells = 0;
      for (std::size_t b = 0; b < units_.size(); ++b) {
        const Block& block = data_.blocks[b];
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
          cells += units_[b].alive[units_[b].of_slot[block.slot[c]]] ? 1 : 0;
      }
      if (cells >= min_row_) continue;
      row_[row] = false;
      changed = true;
    }
    return changed;
  }

  bool drop_columns() {
    bool changed = false;
    for (std::size_t b = 0; b < units_.size(); ++b) {
      Units& units = units_[b];
      const Block& block = data_.blocks[b];
      std::ranges::fill(units.cells, std::size_t{0});
      for (std::size_t row = 0; row < row_.size(); ++row) {
        core::stop_if_asked();
        if (!row_[row]) continue;
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
          ++units.cells[units.of_slot[block.slot[c]]];
      }
      for (std::size_t u = 0; u < units.alive.size() && !units.fixed; ++u) {
        if (!units.alive[u] || units.cells[u] >= min_column_) continue;
        units.alive[u] = false;
        changed = true;
      }
    }
    return changed;
  }

  template <typename Element>
  [[nodiscard]] std::vector<Element> kept_of(const std::vector<Element>& all, std::size_t b) const {
    std::vector<Element> kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (units_[b].alive[i]) kept.push_back(all[i]);
    }
    return kept;
  }

  [[nodiscard]] bool dropped(const ColumnSpec& column, std::size_t b) const {
    const Block& block = data_.blocks[b];
    if (column.role != Role::feature || column.family != block.family || holds_entries(column))
      return false;
    const auto found = std::ranges::find(block.features, column.name, &Feature::name);
    return found != block.features.end() &&
           !units_[b].alive[static_cast<std::size_t>(found - block.features.begin())];
  }

  const Dataset& data_;
  std::size_t min_row_, min_column_;
  std::vector<bool> row_;
  std::vector<Units> units_;
  std::size_t rounds_ = 0;
};

}  // namespace

Dataset without_sparse(const Dataset& data, std::size_t min_row, std::size_t min_column,
                       const FamilyCatalogue& catalogue) {
  Filter filter(data, min_row, min_column);
  filter.run();
  const std::vector<std::size_t> rows = filter.rows();
  if (rows.empty() || filter.columns(true) == 0) {
    throw InputError({"`min_row`, `min_column`", "no row or no column has that many observed cells",
                      "choose smaller numbers"});
  }
  const Dataset some = select_rows(data, rows);
  Dataset shape = empty_data(filter.schema(), catalogue);
  const Targets targets = same_places(some, shape);
  Dataset out = remapped(some, std::move(shape), targets);
  out.schema.treatments.push_back(
      "rows with fewer than " + std::to_string(min_row) +
      " observed cells and columns with fewer "
      "than " +
      std::to_string(min_column) + " dropped: " + counted(data.rows - rows.size(), "row") +
      " and " + counted(filter.columns(false), "column") + " in " +
      counted(filter.rounds(), "round") + "; left are " + counted(rows.size(), "row") + " and " +
      counted(filter.columns(true), "column"));
  return out;
}

}  // namespace medley::data
