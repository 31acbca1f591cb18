// SPDX-License-Identifier: Apache-2.0
// A data set as files again: tables, triplets and words, each source in a file of its own.
#include "data/write.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "core/files.hpp"
#include "core/problems.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/encode_source.hpp"
#include "data/formats/csv.hpp"
#include "data/text/entries.hpp"
#include "medley/io.hpp"

namespace medley::data {

// A data set as files again: which source goes into which file.

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

namespace {

// What to write for each cell of a block, prepared once: ",item,value\n" for every slot of levels,
// ",item," for numbers.
std::vector<std::string> endings(const Block& block) {
  std::vector<std::string> texts;
  texts.reserve(block.slots());
  for (const Feature& feature : block.features) {
    std::string item = ",";
    append_cell(item, feature.name);
    item += ',';
    if (block.encoding == Encoding::real) {
      texts.push_back(item);
      continue;
    }
    for (const std::string& level : feature.levels) {
      std::string text = item;
      append_cell(text, level == kMissingLevel ? "NA" : level);
      texts.push_back(text + '\n');
    }
  }
  return texts;
}

}  // namespace

void write_triplets(const Dataset& data, const SourceSpec& source, const std::string& path) {
  const Block& block = *place_of(data, source, source.columns.front()).block;
  const std::vector<std::string> ending = endings(block);
  std::string nothing = ",";
  append_cell(nothing, block.features.front().name);
  nothing += ",NA\n";
  core::write_atomically(path, [&](core::FileWriter& file) {
    file.write("user,item,value\n");
    std::string user, line;
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      user.clear();
      append_cell(user, data.id_of(row));
      if (block.row_start[row] == block.row_start[row + 1]) file.write(user + nothing);
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        line = user;
        line += ending[block.slot[c]];
        if (block.encoding == Encoding::real) {
          append_number(line, block.value[c]);
          line += '\n';
        }
        file.write(line);
      }
    }
  });
}

namespace {

// A word list has one word per line, trimmed when it is read.
void check_words(const std::vector<std::string>& words) {
  core::Problems problems;
  for (const std::string& word : words) {
    if (!word.empty() && core::trimmed(word) == word &&
        word.find_first_of("\r\n") == std::string::npos)
      continue;
    problems.add(core::quoted(word), "cannot stand on a line of a word list",
                 "rename it: no line ends, no blanks at its ends");
  }
  problems.throw_if_any();
}

}  // namespace

std::string vocabulary_beside(const std::string& path) {
  return std::filesystem::path(path).replace_extension().string() + "_vocab.txt";
}

void write_words(const Dataset& data, const SourceSpec& source, const std::string& path) {
  const PlacedColumn placed = place_of(data, source, source.columns.front());
  const Block& block = *placed.block;
  const std::vector<std::string>& words = block.features[placed.feature].levels;
  check_words(words);
  core::write_atomically(vocabulary_beside(path), [&](core::FileWriter& file) {
    for (const std::string& word : words) file.write(word + '\n');
  });
  const double factor = block_factor(data, block);
  core::write_atomically(path, [&](core::FileWriter& file) {
    std::string line;
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      line = std::to_string(block.row_start[row + 1] - block.row_start[row]);
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        line += ' ';
        line += std::to_string(block.slot[c]);
        line += ':';
        append_number(line, static_cast<double>(block.weight_of(c)) / factor);
      }
      file.write(line += '\n');
    }
  });
}

}  // namespace medley::data
