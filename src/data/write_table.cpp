// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/task.hpp"

#include "core/files.hpp"
#include "data/formats/csv_text.hpp"
#include "data/write_source.hpp"

namespace medley::data {
namespace {

// An empty cell of a table with one column would be a blank line; this is missing in any file.
constexpr std::string_view kWrittenMissing = "NA";

struct CellRange {
  std::uint64_t begin = 0, end = 0;  // cells of the block
};

class TableWriter {
 public:
  TableWriter(const Dataset& data, const SourceSpec& source)
      : data_(data), quotes_(source.kind == SourceKind::table) {
    for (const ColumnSpec& column : source.columns) add(source, column);
    for (const Block& block : data.blocks) index(block);
  }

  void write_header(core::FileWriter& file) {
    line_.clear();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) line_ += ',';
      const std::vector<std::string>& tied = columns_[c].spec->tied;
      for (std::size_t copy = 0; copy < tied.size(); ++copy) {
        if (copy > 0) line_ += ',';
        append_cell(line_, tied[copy]);
      }
      if (tied.empty()) append_cell(line_, columns_[c].spec->name);
    }
    line_ += '\n';
    file.write(line_);
  }

  void write_row(std::size_t row, core::FileWriter& file) {
    for (Column& column : columns_) column.cells = {};
    for (const Indexed& indexed : blocks_) find_cells(indexed, row);
    line_.clear();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) line_ += ',';
      append(columns_[c], row);
    }
    if (line_.empty()) line_ += kWrittenMissing;
    line_ += '\n';
    file.write(line_);
  }

 private:
  struct Column {
    const ColumnSpec* spec;
    const Block* block;      // features
    std::size_t feature;     // ... and the place in it
    const KeptColumn* kept;  // label, and columns set aside
    CellRange cells = {};
  };
  struct Indexed {
    const Block* block;
    std::vector<std::uint32_t> column_of;  // per slot, a place in columns_; kNoColumn: elsewhere
  };
  static constexpr std::uint32_t kNoColumn = 0xFFFFFFFF;

  void add(const SourceSpec& source, const ColumnSpec& spec) {
    const PlacedColumn placed = place_of(data_, source, spec);
    const KeptColumn* kept = data_.kept_column(spec.name);
    const bool known = placed.block != nullptr || kept != nullptr ||
                       (spec.role == Role::id && !data_.ids.empty()) ||
                       (spec.role == Role::weight && !data_.row_weight.empty());
    if (known) columns_.push_back({&spec, placed.block, placed.feature, kept});
  }

  void index(const Block& block) {
    Indexed indexed{&block, std::vector<std::uint32_t>(block.slots(), kNoColumn)};
    bool used = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].block != &block) continue;
      const bool all = columns_[c].spec->cells != CellText::value;
      const std::size_t f = columns_[c].feature;
      const std::size_t end = all ? block.slots() : block.first_slot[f + 1];
      for (std::size_t s = block.first_slot[f]; s < end; ++s)
        indexed.column_of[s] = static_cast<std::uint32_t>(c);
      used = true;
    }
    if (used) blocks_.push_back(std::move(indexed));
  }

  void find_cells(const Indexed& indexed, std::size_t row) {
    const Block& block = *indexed.block;
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      const std::uint32_t column = indexed.column_of[block.slot[c]];
      if (column == kNoColumn) continue;
      CellRange& range = columns_[column].cells;
      if (range.begin == range.end) range.begin = c;
      range.end = c + 1;
    }
  }

  // A file of one value per line knows no quotes.
  void append_text(std::string_view text) {
    if (quotes_) {
      append_cell(line_, text);
    } else {
      line_ += text;
    }
  }

  void append(const Column& column, std::size_t row) {
    if (column.block != nullptr && !column.spec->tied.empty()) {
      append_copies(column);
    } else if (column.block != nullptr) {
      append_cells(column);
    } else if (column.spec->role == Role::id) {
      append_text(data_.ids[row]);
    } else if (column.spec->role == Role::weight) {
      append_number(line_, data_.row_weight[row]);
    } else if (column.kept->code[row] >= 0) {
      append_text(column.kept->levels[static_cast<std::size_t>(column.kept->code[row])]);
    }
  }

  // The observations of tied columns in the order of the slots; the rest of the copies is missing.
  void append_copies(const Column& column) {
    for (std::size_t copy = 0; copy < column.spec->tied.size(); ++copy) {
      if (copy > 0) line_ += ',';
      Column one = column;
      one.cells.begin = std::min(column.cells.end, column.cells.begin + copy);
      append_cells(one);
    }
  }

  void append_cells(const Column& column) {
    const Block& block = *column.block;
    if (column.cells.begin == column.cells.end) return;
    if (block.encoding == Encoding::real) {
      append_number(line_, block.value[column.cells.begin]);
    } else if (column.spec->cells == CellText::set) {
      append_text(chosen_options(column));
    } else if (block.encoding == Encoding::levels) {
      const std::string& level = level_of(column, column.cells.begin);
      if (level != kMissingLevel) append_text(level);
    } else {
      append_text(joined_words(column));
    }
  }

  [[nodiscard]] const std::string& level_of(const Column& column, std::uint64_t cell) const {
    const Block& block = *column.block;
    return block.features[column.feature]
        .levels[block.slot[cell] - block.first_slot[column.feature]];
  }

  // The options that were chosen; the separator alone where none was, which is not missing.
  [[nodiscard]] std::string chosen_options(const Column& column) const {
    const Block& block = *column.block;
    std::string text;
    bool observed = false;
    std::size_t f = 0;
    for (std::uint64_t c = column.cells.begin; c < column.cells.end; ++c) {
      while (block.slot[c] >= block.first_slot[f + 1]) ++f;
      const std::size_t level = block.slot[c] - block.first_slot[f];
      if (block.features[f].levels[level] == kMissingLevel) continue;
      observed = true;
      if (level == 0) continue;  // no
      if (!text.empty()) text += column.spec->split;
      text += column.spec->levels[f];
    }
    return observed && text.empty() ? column.spec->split : text;
  }

  // Words or tags as often as they were counted, in the order of the vocabulary.
  [[nodiscard]] std::string joined_words(const Column& column) const {
    const Block& block = *column.block;
    const std::string between = column.spec->cells == CellText::text ? " " : column.spec->split;
    const double factor = block_factor(data_, block);
    std::string text;
    for (std::uint64_t c = column.cells.begin; c < column.cells.end; ++c) {
      const auto times = std::lround(static_cast<double>(block.weight_of(c)) / factor);
      for (long i = 0; i < times; ++i) {
        if (!text.empty()) text += between;
        text += level_of(column, c);
      }
    }
    return text;
  }

  const Dataset& data_;
  bool quotes_;
  std::vector<Column> columns_;
  std::vector<Indexed> blocks_;
  std::string line_;
};

}  // namespace

void write_table(const Dataset& data, const SourceSpec& source, const std::string& path) {
  TableWriter writer(data, source);
  core::write_atomically(path, [&](core::FileWriter& file) {
    if (source.kind == SourceKind::table) writer.write_header(file);
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      writer.write_row(row, file);
    }
  });
}

}  // namespace medley::data
