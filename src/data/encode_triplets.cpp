// SPDX-License-Identifier: Apache-2.0
// Triplets (row, item, value) become one block with a feature per item; the items share their
// levels. A pair that is not in the file is missing, never zero; where missing is a level of its
// own
// (--missing category) it is stored like an empty cell of a table, so that a log and the table of
// the same data become the same block.
#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "core/memory_guard.hpp"
#include "core/text.hpp"
#include "data/bind.hpp"
#include "data/cells.hpp"
#include "data/encode_source.hpp"
#include "data/number_check.hpp"
#include "data/unknown.hpp"
#include "data/wording.hpp"

namespace medley::data {
namespace {

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
        cells_(translate(triplets_.values, value, absent_, context.schema.missing_as_category)),
        missing_(missing_cell(value, context.schema.missing_as_category)),
        check_({triplets_.values, triplets_.value}, value, absent_, context.catalogue,
               context.options.schema.has_value()) {
    if (value.encoding == Encoding::real) check_.mark_refused(cells_);
    unknown_.assign(triplets_.items.size(), 0.0);
    sort_by_row();
  }

  void write(std::size_t given, BlockWriter& writer) {
    writer.block().slot.reserve(order_.size());
    writer.block().row_start.reserve(context_.rows.rows + 1);
    if (value_.encoding == Encoding::real) writer.block().value.reserve(order_.size());
    for (std::size_t row = 0; row < context_.rows.rows; ++row) {
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

  const Cell& cell(std::size_t triplet) const {
    const std::uint32_t code = triplets_.value[triplet];
    return code == kMissingCode ? missing_ : cells_[code];
  }

  std::string where(std::size_t triplet) const {
    return source_.path + ':' + std::to_string(triplets_.line[triplet]);
  }

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
    if (feature == Cell::kNoLevel) {
      writer.block().unseen += pair.size();
      unknown_[triplets_.item[pair.front()]] += static_cast<double>(pair.size());
      return;
    }
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

  // Absent pairs of the features that the row has not come to yet, where they are stored.
  void fill_before(std::size_t feature, BlockWriter& writer) {
    if (missing_.level == Cell::kNoLevel) return;
    for (; next_ < feature; ++next_) writer.add(next_, missing_);
  }

  void report_repeated(std::span<const std::uint32_t> pair) const {
    std::string lines;
    for (std::size_t i = 0; i < pair.size() && i < 5; ++i) {
      lines += (i > 0 ? ", " : "") + std::to_string(triplets_.line[pair[i]]);
    }
    if (pair.size() > 5) lines += ", ...";
    context_.problems.add(where(pair[1]),
                          "row " + core::quoted(triplets_.rows[triplets_.row[pair[0]]]) +
                              ", item " + core::quoted(triplets_.items[triplets_.item[pair[0]]]) +
                              " occurs " + std::to_string(pair.size()) + " times, on lines " +
                              lines,
                          "--duplicates last takes the last one, --duplicates replicate all");
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
  Cell missing_;
  NumberCheck check_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> order_;
  std::size_t next_ = 0;  // the feature after the last one of the row that was written
};

}  // namespace

Block encode_triplets(const EncodeContext& context, const SourceSpec& spec, std::size_t given) {
  const ColumnSpec& value = spec.columns.front();
  // Items times levels can be far more than the file is long: refuse before making them.
  const std::uint64_t slots = std::uint64_t{spec.items.size()} * value.levels.size();
  check_slots(spec.name, slots);
  core::MemoryGuard memory(context.options.memory_limit, "source " + core::quoted(spec.name));
  memory.add(slots, sizeof(std::string));
  const Cell missing = missing_cell(value, context.schema.missing_as_category);
  const bool dense = missing.level != Cell::kNoLevel;
  if (dense) memory.add(context.rows.rows * spec.items.size(), sizeof(std::uint32_t));
  std::vector<Feature> features;
  features.reserve(spec.items.size());
  for (const std::string& item : spec.items) {
    features.push_back({item, value.levels, value.labels, value.shift});
  }
  BlockWriter writer(spec.name, value, std::move(features));
  if (given == kNone) {
    for (std::size_t row = 0; row < context.rows.rows; ++row) {
      for (std::size_t item = 0; dense && item < spec.items.size(); ++item)
        writer.add(item, missing);
      writer.end_row();
    }
  } else {
    TripletEncoder(context, value, spec, given).write(given, writer);
  }
  return std::move(writer.block());
}

}  // namespace medley::data
