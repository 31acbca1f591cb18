// SPDX-License-Identifier: Apache-2.0
// Treatments of a data set before it is modelled: cells equal to one as words, rows and columns
// with few cells dropped, numbers cut in two.
#include "data/treat.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/rng.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/formats/csv.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"
#include "data/project.hpp"
#include "data/select_rows.hpp"
#include "data/text/entries.hpp"
#include "data/write.hpp"
#include "medley/error.hpp"

namespace medley::data {

Dataset sampled(const Dataset& data, std::size_t rows, std::uint64_t seed) {
  constexpr std::uint64_t kPurpose = 0x53414D50;
  std::vector<std::size_t> order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  core::Rng rng(seed, kPurpose);
  const std::size_t wanted = std::min(rows, data.rows);
  for (std::size_t i = 0; i < wanted; ++i) std::swap(order[i], order[i + rng.below(data.rows - i)]);
  order.resize(wanted);
  std::ranges::sort(order);
  Dataset out = select_rows(data, order);
  out.schema.treatments.push_back("sampled " + std::to_string(wanted) + " of " +
                                  counted(data.rows, "row") + ", seed " + std::to_string(seed));
  return out;
}

Dataset treated(const Dataset& data, const Treatment& treatment, const FamilyCatalogue& catalogue) {
  Dataset out = data;
  if (!treatment.binarise.empty()) out = binarised(out, treatment.binarise, catalogue);
  if (treatment.min_row > 0 || treatment.min_column > 0)
    out = without_sparse(out, treatment.min_row, treatment.min_column, catalogue);
  if (treatment.sample_rows > 0) out = sampled(out, treatment.sample_rows, treatment.seed);
  if (treatment.ones_as_tokens) out = ones_as_words(out, catalogue);
  return out;
}

// Cells equal to one as words: a basket of what a row has, for models of words. The other cells and
// what was missing are gone, as words that are not there are.

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

// Rows and columns with few observed cells, dropped until every one that is left has enough: a row
// that goes takes cells from columns, and the other way round.

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

// Numbers and numeric levels cut in two at a threshold: cells that pass become 1, the other
// observed ones 0; missing stays missing.

namespace {

using Test = std::function<bool(double)>;

struct Rule {
  std::string comparison;  // ">=" ...
  double threshold = 0;
  bool median = false;

  [[nodiscard]] std::string text() const {
    std::string out = comparison;
    append_number(out, threshold);
    return out;
  }
  [[nodiscard]] Test test() const {
    const double t = threshold;
    if (comparison == ">=") return [t](double x) { return x >= t; };
    if (comparison == ">") return [t](double x) { return x > t; };
    if (comparison == "<=") return [t](double x) { return x <= t; };
    if (comparison == "<") return [t](double x) { return x < t; };
    return [t](double x) { return x == t; };
  }
};

Rule parse(const std::string& text) {
  const std::string_view all = core::trimmed(text);
  Rule rule;
  for (const char* comparison : {">=", "<=", "==", ">", "<"}) {
    if (!all.starts_with(comparison)) continue;
    rule.comparison = comparison;
    break;
  }
  const std::string_view rest = core::trimmed(all.substr(rule.comparison.size()));
  rule.median = rest == "median";
  const std::optional<double> number = number_in(std::string(rest));
  if (rule.comparison.empty() || (!number && !rule.median)) {
    throw InputError({"`binarise`", core::quoted(text) + " is not a comparison with a number",
                      "for example '>=4', '>0', '==1' or '>median'"});
  }
  rule.threshold = number.value_or(0);
  return rule;
}

// Whether the values of a column are numbers that can be compared.
bool is_numeric(const ColumnSpec& column, const SourceSpec& source) {
  if (column.role != Role::feature || column.cells != CellText::value) return false;
  if (column.encoding == Encoding::real) return true;
  const auto numbers = [&](const std::vector<std::string>& levels) {
    return std::ranges::all_of(levels, [&](const std::string& level) {
      return level == kMissingLevel || number_in(level, column.marks).has_value();
    });
  };
  return column.encoding == Encoding::levels && numbers(column.levels) &&
         std::ranges::all_of(source.item_levels, numbers);
}

class Binariser {
 public:
  Binariser(const Dataset& data, const std::string& rule, const FamilyCatalogue& catalogue)
      : data_(data), rule_(parse(rule)), catalogue_(catalogue), schema_(data.schema) {
    if (data.schema.missing_as_category)
      throw InputError({"`binarise`", "a missing cell would be a third answer",
                        "leave out `missing=\"category\"`"});
    for (SourceSpec& source : schema_.sources) {
      if (source.kind == SourceKind::tokens) continue;
      for (ColumnSpec& column : source.columns) {
        if (is_numeric(column, source)) {
          cut(column);
          source.item_levels = {};
        } else if (column.role == Role::feature) {
          ++left_alone_;
        }
      }
    }
    if (cut_ == 0)
      throw InputError({"`binarise`", "no column holds numbers", "see `infer_schema()`"});
  }

  Dataset run() {
    if (rule_.median) rule_.threshold = median();
    Dataset shape = empty_data(schema_, catalogue_);
    Targets targets = same_places(data_, shape);
    for (std::size_t s = 0; s < schema_.sources.size(); ++s) {
      for (std::size_t c = 0; c < schema_.sources[s].columns.size(); ++c) {
        if (is_numeric(data_.schema.sources[s].columns[c], data_.schema.sources[s]) &&
            schema_.sources[s].kind != SourceKind::tokens)
          aim(s, c, shape, targets);
      }
    }
    Dataset out = remapped(data_, std::move(shape), targets);
    out.schema.treatments.push_back(summary(out));
    return out;
  }

 private:
  void cut(ColumnSpec& column) {
    ColumnFacts facts;
    facts.name = column.name;
    facts.rows = data_.rows;
    facts.distinct = 2;
    facts.numeric = facts.integer = true;
    facts.maximum = 1;
    facts.mean = facts.variance = 0.5;
    const FamilyChoice choice = catalogue_.choose(facts);
    column.family = choice.family;
    column.encoding = choice.encoding;
    column.levels = {"0", "1"};
    column.labels = {};
    column.shift = 0;
    column.note = "binarised " + rule_.comparison + (rule_.median ? "median" : "");
    ++cut_;
  }

  // The cells of a column (all items of triplets) to 0 and 1.
  void aim(std::size_t source, std::size_t column, const Dataset& shape, Targets& targets) const {
    const SourceSpec& before = data_.schema.sources[source];
    const PlacedColumn from = place_of(data_, before, before.columns[column]);
    const PlacedColumn to =
        place_of(shape, schema_.sources[source], schema_.sources[source].columns[column]);
    const auto old_block = static_cast<std::size_t>(from.block - data_.blocks.data());
    const auto new_block = static_cast<std::uint32_t>(to.block - shape.blocks.data());
    const bool items = before.kind == SourceKind::triplets;
    for (std::size_t i = 0; i < (items ? from.block->features.size() : 1); ++i) {
      const std::size_t f = from.feature + i;
      const std::uint32_t zero = to.block->first_slot[to.feature + i];
      for (std::size_t s = from.block->first_slot[f]; s < from.block->first_slot[f + 1]; ++s) {
        Target& target = targets[old_block][s] = {new_block, zero, {}, {}};
        if (from.block->encoding == Encoding::real) {
          target.next_slot_if = rule_.test();
        } else {
          const std::string& level = from.block->features[f].levels[s - from.block->first_slot[f]];
          if (rule_.test()(*number_in(level, before.columns[column].marks))) ++target.slot;
        }
      }
    }
  }

  // Of all observed cells of the columns that are cut; between the two middle ones their mean.
  [[nodiscard]] double median() const {
    std::vector<double> values;
    for (const Block& block : data_.blocks) collect(block, values);
    if (values.empty()) throw InputError({"`binarise`", "no cell is observed", ""});
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
  }

  void collect(const Block& block, std::vector<double>& values) const {
    const SourceSpec& source = data_.schema.sources[source_of(data_.schema, block)];
    std::vector<std::optional<double>> number(block.slots());  // of a level, or any of a real slot
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      const auto spec =
          source.kind == SourceKind::triplets
              ? source.columns.begin()
              : std::ranges::find(source.columns, block.features[f].name, &ColumnSpec::name);
      if (spec == source.columns.end() || !is_numeric(*spec, source)) continue;
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s) {
        number[s] = block.encoding == Encoding::real
                        ? 0.0
                        : number_in(block.features[f].levels[s - block.first_slot[f]], spec->marks);
      }
    }
    for (std::size_t c = 0; c < block.cells(); ++c) {
      const std::optional<double>& level = number[block.slot[c]];
      if (level) values.push_back(block.encoding == Encoding::real ? block.value[c] : *level);
    }
  }

  [[nodiscard]] std::string summary(const Dataset& out) const {
    std::size_t ones = 0, cells = 0;
    const std::vector<std::string> cut_levels = {"0", "1"};
    for (const Block& block : out.blocks) {
      std::vector<int> level(block.slots(), -1);
      for (std::size_t f = 0; f < block.features.size(); ++f) {
        if (block.features[f].levels != cut_levels) continue;
        level[block.first_slot[f]] = 0;
        level[block.first_slot[f] + 1] = 1;
      }
      for (const std::uint32_t slot : block.slot) {
        cells += level[slot] >= 0 ? 1 : 0;
        ones += level[slot] == 1 ? 1 : 0;
      }
    }
    std::string text = "binarised: 1 where " + rule_.text() +
                       (rule_.median ? " (the median)" : "") + ", " + std::to_string(ones) +
                       " of " + std::to_string(cells) + " observed cells";
    if (left_alone_ > 0)
      text += "; " + counted(left_alone_, "column") + " without numbers as before";
    return text;
  }

  const Dataset& data_;
  Rule rule_;
  const FamilyCatalogue& catalogue_;
  Schema schema_;
  std::size_t cut_ = 0, left_alone_ = 0;
};

}  // namespace

Dataset binarised(const Dataset& data, const std::string& rule, const FamilyCatalogue& catalogue) {
  return Binariser(data, rule, catalogue).run();
}

}  // namespace medley::data
