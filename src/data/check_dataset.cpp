// SPDX-License-Identifier: Apache-2.0
#include "data/check_dataset.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/problems.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/formats/numbers.hpp"
#include "data/message_text.hpp"

namespace medley::data {
namespace {

// Sums of larger row weights lose rows of weight 1.
constexpr double kMaxRowWeight = 1e15;

bool is_text(const std::string& text) {
  return core::find_invalid_utf8(text) == std::string::npos;
}

// Model files, schemas and reports hold text as UTF-8.
void check_text(const std::string& where, const std::string& text, core::Problems& problems) {
  if (!is_text(text))
    problems.add(where, core::quoted(text) + " is not UTF-8",
                 "convert the text to UTF-8, without null characters");
}
void check_texts(const std::string& where, const std::vector<std::string>& texts,
                 core::Problems& problems) {
  for (const std::string& text : texts) check_text(where, text, problems);
}

std::string of_size(std::size_t found, std::size_t expected) {
  return "has " + std::to_string(found) + " entries, and must have " + std::to_string(expected);
}

// One block: first its shape, then, if that is sound, its cells.
class BlockCheck {
 public:
  BlockCheck(const Dataset& data, const Block& block, const FamilyCatalogue* catalogue,
             core::Problems& problems)
      : data_(data), block_(block), catalogue_(catalogue), problems_(problems) {}

  // Of a block whose shape nobody has checked.
  void run() {
    const std::size_t before = problems_.total();
    check_family();
    check_slots();
    if (problems_.total() == before) check_features();
    if (problems_.total() == before) run_on_cells();
  }

  void run_on_cells() {
    const std::size_t before = problems_.total();
    check_sizes();
    if (problems_.total() == before) check_cells();
  }

 private:
  void object(const std::string& part, const std::string& what, const std::string& remedy = {}) {
    problems_.add("block " + core::quoted(block_.name) + (part.empty() ? "" : ": " + part), what,
                  remedy);
  }

  void check_family() {
    if (catalogue_ == nullptr) return;
    const std::optional<Encoding> encoding = catalogue_->encoding_of(block_.family);
    if (!encoding) {
      const Problem problem = unknown_family("", block_.family, *catalogue_);
      object("family", problem.what, problem.remedy);
    } else if (*encoding != block_.encoding) {
      object("encoding", "is not the one that the family " + block_.family + " needs");
    }
  }

  void check_slots() {
    const auto& first = block_.first_slot;
    check_text("block", block_.name, problems_);
    if (block_.features.empty()) object("features", "there are none");
    if (first.size() != block_.features.size() + 1) {
      object("first_slot", of_size(first.size(), block_.features.size() + 1),
             "one more than features");
      return;
    }
    if (first.front() != 0) object("first_slot", "must begin with 0");
    if (std::ranges::adjacent_find(first, std::greater_equal<>()) != first.end())
      object("first_slot", "must rise: every feature has a slot at least");
  }

  // What the features say must agree with first_slot and the encoding.
  void check_features() {
    const bool real = block_.encoding == Encoding::real;
    if (block_.encoding == Encoding::tokens && block_.features.size() > 1)
      object("features", "a block of words has one feature, its vocabulary");
    std::unordered_set<std::string> names;
    for (std::size_t f = 0; f < block_.features.size(); ++f) {
      const Feature& feature = block_.features[f];
      const std::string where = "feature " + core::quoted(feature.name);
      const std::size_t slots = block_.first_slot[f + 1] - block_.first_slot[f];
      if (!names.insert(feature.name).second) object(where, "the name occurs twice");
      if (real && slots != 1) object(where, "a feature of numbers has one slot");
      if (feature.levels.size() != (real ? 0 : slots))
        object(where + ": levels", of_size(feature.levels.size(), real ? 0 : slots));
      if (!feature.labels.empty() && feature.labels.size() != slots)
        object(where + ": labels", of_size(feature.labels.size(), slots));
      if (!std::isfinite(feature.shift)) object(where + ": shift", "is not a number");
      check_text("block " + core::quoted(block_.name) + ": " + where, feature.name, problems_);
      check_text("block " + core::quoted(block_.name) + ": " + where, feature.title, problems_);
      check_texts("block " + core::quoted(block_.name) + ": " + where, feature.labels, problems_);
      check_levels(feature, where);
    }
  }

  void check_levels(const Feature& feature, const std::string& where) {
    if (block_.encoding == Encoding::real) return;
    check_texts("block " + core::quoted(block_.name) + ": " + where, feature.levels, problems_);
    std::unordered_set<std::string_view> names;
    names.reserve(feature.levels.size());
    for (const std::string& level : feature.levels) {
      if (!names.insert(level).second)
        object(where + ": levels", core::quoted(level) + " occurs twice");
    }
    ColumnFacts facts;
    facts.name = feature.name;
    facts.kind = block_.encoding == Encoding::tokens ? SourceKind::tokens : SourceKind::table;
    facts.distinct = feature.levels.size();
    if (catalogue_ == nullptr) return;
    if (const std::string objection = catalogue_->objection(block_.family, facts);
        !objection.empty())
      object(where, objection);
  }

  void check_sizes() {
    const std::size_t cells = block_.slot.size();
    const auto& start = block_.row_start;
    // rows + 1 would be 0 for the largest number of rows.
    if (start.empty() || start.size() - 1 != data_.rows) {
      object("row_start",
             "has " + std::to_string(start.size()) + " entries for " + std::to_string(data_.rows) +
                 " rows",
             "one more than rows");
    } else {
      if (start.front() != 0) object("row_start", "must begin with 0");
      if (!std::ranges::is_sorted(start)) object("row_start", "must not fall");
      if (start.back() != cells)
        object("row_start", "ends with " + std::to_string(start.back()) + ", but there are " +
                                std::to_string(cells) + " cells");
    }
    if (!block_.weight.empty() && block_.weight.size() != cells)
      object("weight", of_size(block_.weight.size(), cells), "one for each cell, or none");
    const std::size_t values = block_.encoding == Encoding::real ? cells : 0;
    if (block_.value.size() != values)
      object("value", of_size(block_.value.size(), values), "one for each cell of numbers");
  }

  void check_cells() {
    const bool words = block_.encoding == Encoding::tokens;
    const auto factor = data_.schema.block_weight.find(block_.name);
    const bool counts = factor == data_.schema.block_weight.end() || factor->second == 1;
    const double most = counts ? kMaxCount : static_cast<double>(std::numeric_limits<float>::max());
    for (std::size_t row = 0; row < data_.rows; ++row) {
      core::stop_if_asked();
      for (std::uint64_t c = block_.row_start[row]; c < block_.row_start[row + 1]; ++c) {
        const auto where = [&] { return "row " + std::to_string(row + 1); };
        if (block_.slot[c] >= block_.slots()) {
          object(where(), "slot " + std::to_string(block_.slot[c]) + " of " +
                              std::to_string(block_.slots()));
          continue;
        }
        if (c > block_.row_start[row] && block_.slot[c] < block_.slot[c - 1] + (words ? 1U : 0U))
          object(where(), words ? "the words must ascend, each once" : "the slots must not fall");
        if (const auto weight = static_cast<double>(block_.weight_of(c));
            !(weight > 0 && weight <= most))
          object(where(),
                 "a cell's weight must be above 0 and at most " +
                     std::to_string(std::llround(std::min(most, kMaxCount))),
                 "leave out cells that were not observed");
        if (block_.encoding == Encoding::real) check_value(c, where());
      }
    }
  }

  void check_value(std::uint64_t cell, const std::string& where) {
    const Feature& feature = block_.features[block_.slot[cell]];
    const double value = block_.value[cell] - feature.shift;
    const std::string place = where + ", " + core::quoted(feature.name);
    if (!std::isfinite(value)) {
      object(place, "is not a finite number", "leave out cells that are missing");
    } else if (catalogue_ != nullptr) {
      if (const std::string refusal = catalogue_->refusal(block_.family, value); !refusal.empty())
        object(place, std::to_string(value) + ' ' + refusal);
    }
  }

  const Dataset& data_;
  const Block& block_;
  const FamilyCatalogue* catalogue_;
  core::Problems& problems_;
};

// An enumerator that is none comes from a cast.
template <class Enum>
bool is_enumerator(Enum value, Enum last) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) <= static_cast<int>(last);
}

bool are_marks(const NumberMarks& marks) {
  const auto mark = [](char c) { return c == '.' || c == ','; };
  return mark(marks.decimal) &&
         (marks.thousands == '\0' || (mark(marks.thousands) && marks.thousands != marks.decimal));
}

void check_column(const std::string& source, const ColumnSpec& column, core::Problems& problems) {
  const std::string where = "schema: " + source + "column " + core::quoted(column.name);
  for (const std::string* text : {&column.name, &column.family, &column.note, &column.split,
                                  &column.text.stem, &column.title, &column.date_part})
    check_text(where, *text, problems);
  for (const auto* texts :
       {&column.levels, &column.labels, &column.missing, &column.set_aside, &column.tied})
    check_texts(where, *texts, problems);
  if (!column.labels.empty() && column.labels.size() != column.levels.size())
    problems.add(where + ": labels", of_size(column.labels.size(), column.levels.size()));
  if (!std::isfinite(column.shift)) problems.add(where + ": shift", "is not a number");
  if (!is_enumerator(column.role, Role::ignored) ||
      !is_enumerator(column.encoding, Encoding::real) ||
      !is_enumerator(column.cells, CellText::set) || !are_marks(column.marks))
    problems.add(where, "its role, encoding, cells or marks of numbers are none that there is");
  if (column.cells != CellText::value && column.split.empty())
    problems.add(where + ": split", "is empty", "say what stands between entries, such as ;");
}

void check_schema(const Schema& schema, core::Problems& problems) {
  check_texts("schema: na", schema.na, problems);
  check_texts("schema: treatments", schema.treatments, problems);
  for (const SourceSpec& source : schema.sources) {
    const std::string where = "schema: source " + core::quoted(source.name);
    check_text(where, source.name, problems);
    check_texts(where + ": items", source.items, problems);
    for (const std::vector<std::string>& levels : source.item_levels)
      check_texts(where + ": item_levels", levels, problems);
    if (!is_enumerator(source.kind, SourceKind::column) || !are_marks(source.marks))
      problems.add(where, "its kind or marks of numbers are none that there is");
    for (const ColumnSpec& column : source.columns)
      check_column("source " + core::quoted(source.name) + ": ", column, problems);
  }
  for (const auto& [block, weight] : schema.block_weight) {
    check_text("schema: block_weight", block, problems);
    if (!(weight > 0) || !std::isfinite(weight))
      problems.add("schema: block_weight of " + core::quoted(block), "must be above 0");
  }
}

void check_rows(const Dataset& data, core::Problems& problems) {
  if (!data.ids.empty() && data.ids.size() != data.rows)
    problems.add("ids", of_size(data.ids.size(), data.rows), "one for each row, or none");
  if (!data.row_weight.empty() && data.row_weight.size() != data.rows)
    problems.add("row_weight", of_size(data.row_weight.size(), data.rows),
                 "one for each row, or none");
  for (const double weight : data.row_weight) {
    if (!(weight >= 0 && weight <= kMaxRowWeight)) {
      problems.add("row_weight", "a weight must be from 0 to 1e15");
      break;
    }
  }
  if (!(data.weight_unit > 0) || !std::isfinite(data.weight_unit))
    problems.add("weight_unit", "must be above 0");
}

void check_kept(const Dataset& data, core::Problems& problems) {
  for (const KeptColumn& column : data.kept) {
    const std::string where = "column " + core::quoted(column.name);
    check_text(where, column.name, problems);
    check_text(where, column.title, problems);
    check_texts(where, column.levels, problems);
    check_texts(where, column.labels, problems);
    if (column.code.size() != data.rows)
      problems.add(where + ": code", of_size(column.code.size(), data.rows), "one for each row");
    if (!column.labels.empty() && column.labels.size() != column.levels.size())
      problems.add(where + ": labels", of_size(column.labels.size(), column.levels.size()));
    if (std::ranges::any_of(column.code, [&](std::int32_t code) {
          return code < kUnknownClass || code >= std::ssize(column.levels);
        }))
      problems.add(
          where + ": code", "one is not that of a level",
          "codes are 0 to " + std::to_string(column.levels.size()) + " - 1, or -1 for missing");
  }
  // Whoever learns a label takes the classes from the schema and the codes from the column.
  const ColumnSpec* label = data.schema.label();
  const KeptColumn* column = data.label();
  if (label != nullptr && column != nullptr && label->levels != column->levels)
    problems.add("column " + core::quoted(label->name), "its levels are not those of the schema",
                 "give the schema's column the same levels in the same order");
}

}  // namespace

void check_cells(const Dataset& data, const FamilyCatalogue* catalogue) {
  core::Problems problems;
  check_rows(data, problems);
  for (const Block& block : data.blocks)
    BlockCheck(data, block, catalogue, problems).run_on_cells();
  check_kept(data, problems);
  problems.throw_if_any();
}

void check_dataset(const Dataset& data, const FamilyCatalogue* catalogue) {
  core::Problems problems;
  check_rows(data, problems);
  check_schema(data.schema, problems);
  check_texts("ids", data.ids, problems);
  std::unordered_set<std::string> names;
  for (const Block& block : data.blocks) {
    if (!names.insert(block.name).second)
      problems.add("block " + core::quoted(block.name), "the name occurs twice");
    BlockCheck(data, block, catalogue, problems).run();
  }
  check_kept(data, problems);
  problems.throw_if_any();
}

}  // namespace medley::data
