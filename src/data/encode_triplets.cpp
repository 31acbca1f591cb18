// SPDX-License-Identifier: Apache-2.0
// Triplets (row, item, value) become one block with a feature per item; the items share their
// levels, or each has its own (SourceSpec::item_levels). A pair that is not in the file is missing,
// never zero; where missing is a level of its own (--missing category) it is stored like an empty
// cell of a table, so that a log and the table of the same data become the same block.
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/task.hpp"

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/bind_schema.hpp"
#include "data/cells.hpp"
#include "data/encode_source.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"

namespace medley::data {
namespace {

// The column as an item has it.
ColumnSpec column_of_item(const SourceSpec& spec, std::size_t item) {
  ColumnSpec column = spec.columns.front();
  column.levels = spec.item_levels[item];
  return column;
}

// The cell of a missing value in each item; one for all where they share their levels.
std::vector<Cell> missing_cells(const SourceSpec& spec, bool missing_as_category) {
  if (spec.item_levels.empty()) return {missing_cell(spec.columns.front(), missing_as_category)};
  std::vector<Cell> cells;
  for (std::size_t item = 0; item < spec.items.size(); ++item)
    cells.push_back(missing_cell(column_of_item(spec, item), missing_as_category));
  return cells;
}

// Levels of items that have their own, by the value's place in the file.
class OwnLevels {
 public:
  OwnLevels(const SourceSpec& spec, const std::vector<std::string>& values)
      : values_(values.size()) {
    std::unordered_map<std::string_view, std::uint64_t> code;
    for (std::uint64_t v = 0; v < values.size(); ++v) code.emplace(values[v], v);
    for (std::uint64_t item = 0; item < spec.item_levels.size(); ++item) {
      const std::vector<std::string>& levels = spec.item_levels[item];
      for (std::uint32_t i = 0; i < levels.size(); ++i) {
        const auto found = code.find(levels[i]);
        if (found != code.end()) level_.emplace(item * values_ + found->second, i);
      }
    }
  }

  [[nodiscard]] Cell cell(std::uint64_t item, std::uint64_t value) const {
    const auto found = level_.find(item * values_ + value);
    if (found == level_.end()) return {Cell::State::unseen, Cell::kNoLevel, 0};
    return {Cell::State::observed, found->second, 0};
  }

 private:
  std::uint64_t values_;
  std::unordered_map<std::uint64_t, std::uint32_t> level_;
};

class TripletEncoder {
 public:
  TripletEncoder(const EncodeContext& context, const ColumnSpec& value, const SourceSpec& spec,
                 std::size_t given)
      : context_(context),
        value_(value),
        source_(context.sources[given]),
        triplets_(std::get<RawTriplets>(source_.content)),
        feature_of_(translate_words(triplets_.items, spec.items)),
        absent_(context.missing.with(value.missing)),
        cells_(translate({triplets_.values, triplets_.value}, value, absent_,
                         context.schema.missing_as_category)),
        missing_(missing_cells(spec, context.schema.missing_as_category)),
        check_({triplets_.values, triplets_.value}, value, absent_, context.catalogue,
               context.options.schema.has_value()) {
    if (value.encoding == Encoding::real) check_.mark_refused(cells_);
    if (!spec.item_levels.empty()) own_.emplace(spec, triplets_.values);
    unknown_.assign(triplets_.items.size(), 0.0);
    sort_by_row();
  }

  void write(std::size_t given, BlockWriter& writer) {
    writer.block().slot.reserve(order_.size());
    writer.block().row_start.reserve(context_.rows.rows + 1);
    if (value_.encoding == Encoding::real) writer.block().value.reserve(order_.size());
    for (std::size_t row = 0; row < context_.rows.rows; ++row) {
      core::stop_if_asked();
      const std::size_t from = context_.rows.of(given, row);
      if (from != kNone) write_row(from, writer);
      fill_before(writer.block().features.size(), writer);
      next_ = 0;
      writer.end_row();
    }
    std::vector<std::pair<std::string, double>> items;
    for (std::size_t i = 0; i < unknown_.size(); ++i)
      items.emplace_back(triplets_.items[i], unknown_[i]);
    add_unknown(writer.block().name, std::move(items), context_.unknown);
    if (writer.block().unseen > 0) {
      context_.warnings.push_back(
          source_.path + ": " + counted(writer.block().unseen, "triplet") +
          " with items or values the schema does not know, taken as missing");
    }
  }

 private:
  // order_[first_[r] .. first_[r + 1]) are the triplets of row r, in file order.
  void sort_by_row() {
    first_.assign(triplets_.rows.size() + 1, 0);
    for (const std::uint32_t row : triplets_.row) ++first_[row + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    order_.resize(triplets_.row.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t t = 0; t < order_.size(); ++t) order_[next[triplets_.row[t]]++] = t;
  }

  // Of a triplet whose item is known.
  [[nodiscard]] Cell cell(std::size_t triplet) const {
    const std::uint32_t code = triplets_.value[triplet];
    const std::uint32_t feature = feature_of_[triplets_.item[triplet]];
    if (code == kMissingCode) return missing(feature);
    if (!own_) return cells_[code];
    return cells_[code].state == Cell::State::missing ? missing(feature)
                                                      : own_->cell(feature, code);
  }

  [[nodiscard]] const Cell& missing(std::size_t feature) const {
    return own_ ? missing_[feature] : missing_.front();
  }

  std::string where(std::size_t triplet) const { return place_of_triplet(source_, triplet); }

  void write_row(std::size_t row, BlockWriter& writer) {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first_[row]);
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(first_[row + 1]);
    std::sort(begin, end, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (auto at = begin; at != end;) {
      const auto same_item = [&](std::size_t t) {
        return triplets_.item[t] == triplets_.item[*at];
      };
      const auto stop = std::find_if_not(at, end, same_item);
      write_pair({at, stop}, writer);
      at = stop;
    }
  }

  // By feature, then in file order; items the schema does not know come last, each on its own.
  std::tuple<std::uint32_t, std::uint32_t, std::size_t> key(std::size_t triplet) const {
    return {feature_of_[triplets_.item[triplet]], triplets_.item[triplet], triplet};
  }

  // All triplets of one (row, item), in file order.
  void write_pair(std::span<std::uint32_t> pair, BlockWriter& writer) {
    if (pair.size() > 1 && context_.options.duplicates == Duplicates::error) report_repeated(pair);
    if (context_.options.duplicates == Duplicates::last) pair = pair.last(1);
    const std::uint32_t feature = feature_of_[triplets_.item[pair.front()]];
    if (feature == Cell::kNoLevel) return leave_out(pair, writer);
    fill_before(feature, writer);
    next_ = feature + 1;
    if (pair.size() > 1) {
      std::sort(pair.begin(), pair.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(cell(a).level, a) < std::pair(cell(b).level, b);
      });
    }
    for (const std::uint32_t triplet : pair) {
      if (cell(triplet).state == Cell::State::bad) report_bad(triplet);
      writer.add(feature, cell(triplet));
    }
  }

  // Triplets of an item that the schema does not know. An item without a value has no levels, so it
  // is known to no schema with levels for each item: that is no news.
  void leave_out(std::span<const std::uint32_t> pair, BlockWriter& writer) {
    const auto is_absent = [&](std::uint32_t t) {
      const std::uint32_t code = triplets_.value[t];
      return code == kMissingCode || cells_[code].state == Cell::State::missing;
    };
    const auto absent =
        own_ ? static_cast<std::size_t>(std::ranges::count_if(pair, is_absent)) : std::size_t{0};
    writer.block().missing += absent;
    writer.block().unseen += pair.size() - absent;
    unknown_[triplets_.item[pair.front()]] += static_cast<double>(pair.size() - absent);
  }

  // Absent pairs of the features that the row has not come to yet, where they are stored.
  void fill_before(std::size_t feature, BlockWriter& writer) {
    if (missing_.empty() || missing_.front().level == Cell::kNoLevel) return;
    for (; next_ < feature; ++next_) writer.add(next_, missing(next_));
  }

  void report_repeated(std::span<const std::uint32_t> pair) const {
    std::string lines;
    for (std::size_t i = 0; i < pair.size() && i < 5; ++i) {
      lines += (i > 0 ? ", " : "") + std::to_string(triplets_.line[pair[i]]);
    }
    if (pair.size() > 5) lines += ", ...";
    context_.problems.add(
        where(pair[1]),
        "row " + core::quoted(triplets_.rows[triplets_.row[pair[0]]]) + ", item " +
            core::quoted(triplets_.items[triplets_.item[pair[0]]]) + " occurs " +
            std::to_string(pair.size()) + " times, " + (source_.in_memory ? "at " : "on lines ") +
            lines,
        "`duplicates=\"last\"` takes the last one, `duplicates=\"replicate\"` all");
  }

  void report_bad(std::size_t triplet) {
    const Problem problem = check_.problem(where(triplet) + ": column " + core::quoted(value_.name),
                                           triplets_.values[triplets_.value[triplet]]);
    context_.problems.add(problem.where, problem.what, problem.remedy);
  }

  const EncodeContext& context_;
  const ColumnSpec& value_;
  const RawSource& source_;
  const RawTriplets& triplets_;
  std::vector<std::uint32_t> feature_of_;  // per item of the file
  std::vector<double> unknown_;            // per item: triplets left out because of it
  MissingStrings absent_;
  std::vector<Cell> cells_;  // per distinct value
  std::optional<OwnLevels> own_;
  std::vector<Cell> missing_;  // per feature with levels of its own; else one
  NumberCheck check_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> order_;
  std::size_t next_ = 0;  // the feature after the last one of the row that was written
};

}  // namespace

Block encode_triplets(const EncodeContext& context, const SourceSpec& spec, std::size_t given) {
  const ColumnSpec& value = spec.columns.front();
  const bool own = !spec.item_levels.empty();
  // Items times levels can be far more than the file is long: refuse before making them.
  std::uint64_t slots = std::uint64_t{spec.items.size()} * value.levels.size();
  for (const std::vector<std::string>& levels : spec.item_levels) slots += levels.size();
  check_slots(spec.name, slots);
  core::MemoryGuard memory(context.options.memory_limit, "source " + core::quoted(spec.name));
  memory.add(slots, sizeof(std::string));
  const std::vector<Cell> missing = missing_cells(spec, context.schema.missing_as_category);
  const bool dense = !missing.empty() && missing.front().level != Cell::kNoLevel;
  if (dense) memory.add(context.rows.rows * spec.items.size(), sizeof(std::uint32_t));
  std::vector<Feature> features;
  features.reserve(spec.items.size());
  for (std::size_t i = 0; i < spec.items.size(); ++i) {
    features.push_back(
        {spec.items[i], own ? spec.item_levels[i] : value.levels, value.labels, value.shift});
  }
  BlockWriter writer(spec.name, value, std::move(features));
  if (given == kNone) {
    for (std::size_t row = 0; row < context.rows.rows; ++row) {
      core::stop_if_asked();
      for (std::size_t item = 0; dense && item < spec.items.size(); ++item)
        writer.add(item, missing[own ? item : 0]);
      writer.end_row();
    }
  } else {
    TripletEncoder(context, value, spec, given).write(given, writer);
  }
  return std::move(writer.block());
}

}  // namespace medley::data
