// SPDX-License-Identifier: Apache-2.0
#include "data/restrict_schema.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/task.hpp"
#include "core/text.hpp"
#include "data/encode_source.hpp"
#include "data/message_text.hpp"
#include "data/source_columns.hpp"
#include "data/text/choose_vocabulary.hpp"
#include "data/text/entries.hpp"
#include "data/write.hpp"

namespace medley::data {
namespace {

constexpr std::uint32_t kYes = 1;  // the place of "yes" among the levels of an option

// The elements of a list whose place is marked.
std::vector<std::string> marked(const std::vector<std::string>& list,
                                const std::vector<bool>& mark) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (mark[i]) out.push_back(list[i]);
  }
  return out;
}

// How many rows hold each slot of a block, and how many hold any.
struct RowCounts {
  std::vector<std::size_t> of_slot;
  std::size_t rows = 0;
  std::vector<bool> several;  // encoding real, per slot: more than one number
};

std::vector<bool> different_numbers(const Block& block) {
  std::vector<bool> several(block.slots(), false);
  std::vector<const double*> first(block.slots(), nullptr);
  for (std::size_t c = 0; c < block.value.size(); ++c) {
    const std::uint32_t slot = block.slot[c];
    if (first[slot] == nullptr) first[slot] = &block.value[c];
    if (block.value[c] != *first[slot]) several[slot] = true;
  }
  return several;
}

RowCounts count_slot_rows(const Block& block) {
  RowCounts counts;
  counts.of_slot.assign(block.slots(), 0);
  counts.several = different_numbers(block);
  for (std::size_t row = 0; row + 1 < block.row_start.size(); ++row) {
    core::stop_if_asked();
    const std::uint64_t begin = block.row_start[row], end = block.row_start[row + 1];
    if (begin < end) ++counts.rows;
    for (std::uint64_t c = begin; c < end; ++c) {
      if (c == begin || block.slot[c] != block.slot[c - 1]) ++counts.of_slot[block.slot[c]];
    }
  }
  return counts;
}

// Whether all rows that hold anything of a block hold the same cells.
bool all_alike(const Block& block) {
  const auto slots = [&](std::size_t row) {
    return std::span(block.slot)
        .subspan(block.row_start[row], block.row_start[row + 1] - block.row_start[row]);
  };
  const auto same_weights = [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < slots(a).size(); ++i) {
      if (block.weight_of(block.row_start[a] + i) != block.weight_of(block.row_start[b] + i))
        return false;
    }
    return true;
  };
  std::size_t first = block.row_start.size();
  for (std::size_t row = 0; row + 1 < block.row_start.size(); ++row) {
    core::stop_if_asked();
    if (slots(row).empty()) continue;
    if (first == block.row_start.size()) first = row;
    if (!std::ranges::equal(slots(first), slots(row)) || !same_weights(first, row)) return false;
  }
  return true;
}

class Narrowing {
 public:
  Narrowing(const Dataset& rows, const VocabularyOptions& words)
      : rows_(rows), words_(words), category_(rows.schema.missing_as_category) {
    for (const Block& block : rows.blocks) counts_.push_back(count_slot_rows(block));
  }

  Schema run() {
    Schema out = rows_.schema;
    for (std::size_t s = 0; s < out.sources.size(); ++s) {
      SourceSpec& source = out.sources[s];
      for (ColumnSpec& column : source.columns) {
        if (column.role == Role::label) narrow_label(column);
        if (!is_feature(column)) continue;
        const PlacedColumn place = place_of(rows_, rows_.schema.sources[s], column);
        column.note.clear();  // it speaks of all rows
        if (place.block == nullptr || !narrow(source, column, place)) leave_out(column);
      }
    }
    return out;
  }

 private:
  [[nodiscard]] const RowCounts& counts(const Block& block) const {
    return counts_[static_cast<std::size_t>(&block - rows_.blocks.data())];
  }

  static void leave_out(ColumnSpec& column) {
    column.role = Role::ignored;
    column.family.clear();
    column.levels.clear();
    column.labels.clear();
    column.note = "left out: it never varies in the training rows";
  }

  // False if nothing is left that varies.
  bool narrow(SourceSpec& source, ColumnSpec& column, const PlacedColumn& place) const {
    const Block& block = *place.block;
    if (source.kind == SourceKind::tokens) return narrow_words(column, block, words_.unselected());
    if (source.kind == SourceKind::triplets) return narrow_items(source, column, block);
    if (column.cells == CellText::set) return !all_alike(block) && narrow_options(column, block);
    if (holds_entries(column)) return !all_alike(block) && narrow_words(column, block, words_);
    return column.encoding == Encoding::real ? varies(block, place.feature)
                                             : narrow_levels(column, block, place.feature);
  }

  // One number and missing cells vary where missing is a level.
  [[nodiscard]] bool varies(const Block& block, std::size_t slot) const {
    const std::size_t observed = counts(block).of_slot[slot];
    return counts(block).several[slot] || (category_ && observed > 0 && observed < rows_.rows);
  }

  bool narrow_levels(ColumnSpec& column, const Block& block, std::size_t feature) const {
    const std::size_t first = block.first_slot[feature];
    std::vector<std::size_t> rows(column.levels.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = counts(block).of_slot[first + i];
    return keep_levels(column, rows);
  }

  // Keeps the levels that some row holds, and the one for missing cells where there is one.
  bool keep_levels(ColumnSpec& column, const std::vector<std::size_t>& rows) const {
    std::vector<bool> keep(rows.size());
    std::size_t values = 0, missing = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool extra = category_ && column.levels[i] == kMissingLevel;
      keep[i] = extra || rows[i] > 0;
      if (extra) {
        missing = rows[i];
      } else if (rows[i] > 0) {
        ++values;
      }
    }
    if (!column.labels.empty()) column.labels = marked(column.labels, keep);
    column.levels = marked(column.levels, keep);
    return values > 1 || (values == 1 && missing > 0);
  }

  // Items that some row holds, in the order of their names: the order of the file may have come
  // from other rows. They share their levels, or each has its own.
  bool narrow_items(SourceSpec& source, ColumnSpec& column, const Block& block) const {
    if (!source.item_levels.empty()) return narrow_own_levels(source, block);
    const std::vector<std::size_t>& rows = counts(block).of_slot;
    std::vector<bool> keep(block.features.size(), false);
    std::vector<std::size_t> of_level(column.levels.size(), 0);
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      const std::size_t first = block.first_slot[f];
      for (std::size_t i = 0; i < block.first_slot[f + 1] - first; ++i) {
        const bool extra = category_ && column.encoding != Encoding::real &&
                           column.levels[i] == kMissingLevel;  // every row without the item
        keep[f] = keep[f] || (rows[first + i] > 0 && !extra);
        if (column.encoding != Encoding::real) of_level[i] += rows[first + i];
      }
    }
    source.items = marked(source.items, keep);
    std::ranges::sort(source.items);
    if (column.encoding != Encoding::real) return keep_levels(column, of_level);
    return std::ranges::any_of(block.value, [&](double x) { return x != block.value.front(); });
  }

  bool narrow_own_levels(SourceSpec& source, const Block& block) const {
    std::map<std::string, std::vector<std::string>> kept;  // by name
    bool any_varies = false;
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      ColumnSpec item;
      item.levels = source.item_levels[f];
      const bool item_varies = narrow_levels(item, block, f);
      any_varies = any_varies || item_varies;
      const bool extra = category_ && !item.levels.empty() && item.levels.back() == kMissingLevel;
      if (item.levels.size() > (extra ? 1U : 0U))
        kept.emplace(source.items[f], std::move(item.levels));
    }
    source.items.clear();
    source.item_levels.clear();
    for (auto& [name, levels] : kept) {
      source.items.push_back(name);
      source.item_levels.push_back(std::move(levels));
    }
    return any_varies;
  }

  // An option that nobody chose is none.
  bool narrow_options(ColumnSpec& column, const Block& block) const {
    std::vector<bool> keep(column.levels.size());
    for (std::size_t i = 0; i < keep.size(); ++i)
      keep[i] = counts(block).of_slot[block.first_slot[i] + kYes] > 0;
    column.levels = marked(column.levels, keep);
    return !column.levels.empty();
  }

  bool narrow_words(ColumnSpec& column, const Block& block, const VocabularyOptions& words) const {
    const std::vector<std::size_t>& rows = counts(block).of_slot;
    const std::size_t least = std::max<std::size_t>(1, words.min_count);
    std::vector<std::size_t> kept, in;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] < least) continue;
      kept.push_back(i);
      in.push_back(rows[i]);
    }
    const double most = most_documents(in, counts(block).rows, column.cells, words);
    std::erase_if(kept, [&](std::size_t i) {
      const bool common = static_cast<double>(rows[i]) > most;
      if (common && column.cells == CellText::text) column.set_aside.push_back(column.levels[i]);
      return common;
    });
    std::ranges::sort(column.set_aside);
    if (words.most_words > 0 && kept.size() > words.most_words) {
      std::ranges::sort(kept, [&](std::size_t a, std::size_t b) {
        return rows[a] != rows[b] ? rows[a] > rows[b] : column.levels[a] < column.levels[b];
      });
      kept.resize(words.most_words);
    }
    std::vector<bool> keep(rows.size(), false);
    for (const std::size_t i : kept) keep[i] = true;
    column.levels = marked(column.levels, keep);
    return !column.levels.empty();
  }

  void narrow_label(ColumnSpec& column) const {
    const KeptColumn* kept = rows_.kept_column(column.name);
    if (kept == nullptr) return;
    std::vector<bool> keep(column.levels.size(), false);
    for (const std::int32_t code : kept->code) {
      if (code >= 0) keep[static_cast<std::size_t>(code)] = true;
    }
    if (!column.labels.empty()) column.labels = marked(column.labels, keep);
    column.levels = marked(column.levels, keep);
    column.note.clear();
  }

  const Dataset& rows_;
  const VocabularyOptions& words_;
  bool category_;
  std::vector<RowCounts> counts_;  // per block
};

// A block's name says how many families its source has, so it may change: its weight goes with it.
std::map<std::string, double> weights_of_blocks(const Dataset& from, const Targets& targets,
                                                const std::vector<Block>& to) {
  std::map<std::string, double> weights;
  for (std::size_t b = 0; b < from.blocks.size(); ++b) {
    const auto weight = from.schema.block_weight.find(from.blocks[b].name);
    const auto target = std::ranges::find_if(
        targets[b], [](const Target& t) { return t.block != Target::kNowhere; });
    if (weight != from.schema.block_weight.end() && target != targets[b].end())
      weights.emplace(to[target->block].name, weight->second);
  }
  return weights;
}

// The column that a block's feature belongs to, or null.
const ColumnSpec* column_of(const SourceSpec& source, const Schema& schema, const Block& block,
                            std::size_t feature) {
  const auto found = std::ranges::find_if(source.columns, [&](const ColumnSpec& column) {
    if (!is_feature(column)) return false;
    if (source.kind == SourceKind::tokens || source.kind == SourceKind::triplets) return true;
    if (holds_entries(column)) return entry_block_name(schema, source, column) == block.name;
    return column.name == block.features[feature].name;
  });
  return found == source.columns.end() ? nullptr : &*found;
}

// Whether the level of a feature is a word that its column leaves out on purpose.
bool is_set_aside(const ColumnSpec& column, const Feature& feature, std::size_t level) {
  return !column.set_aside.empty() &&
         std::ranges::binary_search(column.set_aside, feature.levels[level]);
}

// Per slot, whether a cell there is one whose column is known but whose value is not.
std::vector<bool> unknown_slots(const Dataset& data, std::size_t b, const Targets& targets,
                                const Schema& narrow) {
  const Block& block = data.blocks[b];
  const std::size_t s = source_of(data.schema, block);
  std::vector<bool> unknown(block.slots(), false);
  for (std::size_t f = 0; f < block.features.size(); ++f) {
    const ColumnSpec* column = column_of(data.schema.sources[s], data.schema, block, f);
    const auto& columns = narrow.sources[s].columns;
    const auto now = column == nullptr
                         ? columns.end()
                         : std::ranges::find(columns, column->name, &ColumnSpec::name);
    if (now == columns.end() || !is_feature(*now)) continue;
    for (std::size_t slot = block.first_slot[f]; slot < block.first_slot[f + 1]; ++slot) {
      const std::size_t level = slot - block.first_slot[f];
      const bool chosen = column->cells != CellText::set
                              ? !is_set_aside(*now, block.features[f], level)
                              : level == kYes;
      unknown[slot] = targets[b][slot].block == Target::kNowhere && chosen;
    }
  }
  return unknown;
}

// Counted as reading counts them: words and tags inside cells as often as they are there.
std::size_t count_unseen(const Dataset& data, std::size_t b, const std::vector<bool>& unknown) {
  const Block& block = data.blocks[b];
  const SourceKind kind = data.schema.sources[source_of(data.schema, block)].kind;
  const bool repeated = block.encoding == Encoding::tokens && kind != SourceKind::tokens;
  const double factor = block_factor(data, block);
  std::size_t count = 0;
  for (std::size_t c = 0; c < block.cells(); ++c) {
    if (!unknown[block.slot[c]]) continue;
    const double times = static_cast<double>(block.weight_of(c)) / factor;
    count += repeated ? static_cast<std::size_t>(std::llround(times)) : 1;
  }
  return count;
}

void recode_labels(const Schema& narrow, Dataset& out) {
  for (KeptColumn& kept : out.kept) {
    const ColumnSpec* column = narrow.find(kept.name);
    if (column == nullptr || column->role != Role::label) continue;
    std::vector<std::int32_t> place(kept.levels.size(), kUnknownClass);
    for (std::size_t i = 0; i < column->levels.size(); ++i) {
      const auto before = std::ranges::find(kept.levels, column->levels[i]);
      if (before != kept.levels.end())
        place[static_cast<std::size_t>(before - kept.levels.begin())] =
            static_cast<std::int32_t>(i);
    }
    for (std::int32_t& code : kept.code) {
      if (code >= 0) code = place[static_cast<std::size_t>(code)];
    }
    kept.levels = column->levels;
  }
}

}  // namespace

Schema narrowed_schema(const Dataset& rows, const VocabularyOptions& words) {
  return Narrowing(rows, words).run();
}

SchemaProjection make_projection(const Dataset& from, const Schema& to,
                                 const FamilyCatalogue& catalogue) {
  Schema schema = to;
  schema.block_weight.clear();
  SchemaProjection out{empty_data(schema, catalogue), {}};
  out.targets = same_places(from, out.shape);
  out.shape.schema.block_weight = weights_of_blocks(from, out.targets, out.shape.blocks);
  for (std::size_t b = 0; b < from.blocks.size(); ++b)
    out.unknown.push_back(unknown_slots(from, b, out.targets, to));
  return out;
}

void count_unknown(const Dataset& rows, const SchemaProjection& by,
                   std::vector<std::vector<double>>& count) {
  count.resize(rows.blocks.size());
  for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
    const Block& block = rows.blocks[b];
    const double factor = block_factor(rows, block);
    count[b].resize(block.slots(), 0.0);
    for (std::size_t c = 0; c < block.cells(); ++c) {
      if (by.unknown[b][block.slot[c]])
        count[b][block.slot[c]] += static_cast<double>(block.weight_of(c)) / factor;
    }
  }
}

std::vector<Unknown> named_unknown(const Dataset& from,
                                   const std::vector<std::vector<double>>& count) {
  std::vector<Unknown> out;
  for (std::size_t b = 0; b < count.size(); ++b) {
    const Block& block = from.blocks[b];
    std::vector<std::pair<std::string, double>> names;
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      const Feature& feature = block.features[f];
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s) {
        if (count[b][s] <= 0) continue;
        const std::string level =
            feature.levels.empty() ? "" : feature.levels[s - block.first_slot[f]];
        names.emplace_back(block.encoding == Encoding::tokens
                               ? level
                               : feature.name + (level.empty() ? "" : " = " + core::quoted(level)),
                           count[b][s]);
      }
    }
    add_unknown(block.name, std::move(names), out);
  }
  return out;
}

Dataset project_rows(const Dataset& rows, const SchemaProjection& by) {
  Dataset out = remapped(rows, by.shape, by.targets);
  for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
    const auto target = std::ranges::find_if(
        by.targets[b], [](const Target& t) { return t.block != Target::kNowhere; });
    if (target != by.targets[b].end())
      out.blocks[target->block].unseen += count_unseen(rows, b, by.unknown[b]);
  }
  recode_labels(by.shape.schema, out);
  return out;
}

Dataset under_schema(const Dataset& data, const Schema& narrow, const FamilyCatalogue& catalogue) {
  return project_rows(data, make_projection(data, narrow, catalogue));
}

}  // namespace medley::data
