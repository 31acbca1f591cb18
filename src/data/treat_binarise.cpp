// SPDX-License-Identifier: Apache-2.0
// Numbers and numeric levels cut in two at a threshold: cells that pass become 1, the other
// observed ones 0; missing stays missing.
#include <algorithm>
#include <functional>
#include <optional>

#include "core/text.hpp"
#include "data/formats/csv_text.hpp"
#include "data/number.hpp"
#include "data/remap.hpp"
#include "data/treat.hpp"
#include "data/wording.hpp"
#include "data/write_source.hpp"
#include "medley/error.hpp"

namespace medley::data {
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
