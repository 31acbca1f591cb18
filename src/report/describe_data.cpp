// SPDX-License-Identifier: Apache-2.0
// What was read, as text.
#include <fmt/format.h>

#include <algorithm>

#include "data/number.hpp"
#include "medley/report.hpp"
#include "report/numbers.hpp"

namespace medley {
namespace {

using report::count;

std::string shape(const Block& block) {
  if (block.encoding == Encoding::tokens) return "vocabulary of " + count(block.slots(), "word");
  std::string out = count(block.features.size(), "feature");
  if (block.encoding == Encoding::levels) out += " with " + count(block.slots(), "level");
  return out;
}

std::string block_line(const Block& block, double factor) {
  double observed = static_cast<double>(block.cells());
  if (!block.weight.empty()) {
    observed = 0;
    for (const float weight : block.weight) observed += static_cast<double>(weight);
    observed /= factor;
  }
  std::string out =
      fmt::format("  {}: {}, {}, {} observed", printable(block.name), printable(block.family),
                  shape(block), report::grouped(observed, 0));
  if (factor != 1) out += fmt::format(", each counted {} times", factor);
  if (block.missing > 0) out += fmt::format(", {} missing", report::grouped(block.missing));
  if (block.unseen > 0) {
    const bool words = block.encoding == Encoding::tokens;
    out += fmt::format(
        ", {} {}", report::grouped(block.unseen),
        words ? "not in the vocabulary and left out" : "unseen in training and taken as missing");
  }
  return out + "\n";
}

// A sentence about columns of numbers with unusual marks.
std::string marks_line(const SourceSpec& source) {
  const bool grouped = std::ranges::any_of(source.columns, [](const ColumnSpec& column) {
    return column.role == Role::feature && column.marks.thousands != '\0';
  });
  const NumberMarks marks{source.marks.decimal,
                          grouped ? (source.marks.decimal == ',' ? '.' : ',') : '\0'};
  if (marks == NumberMarks{}) return {};
  return fmt::format("  {}: {}\n", printable(source.name), data::marks_in_words(marks));
}

}  // namespace

std::string describe(const Dataset& data) {
  check(data);
  std::string out =
      fmt::format("Read {} in {}.\n", count(data.rows, "row"), count(data.blocks.size(), "block"));
  for (const Block& block : data.blocks) {
    const auto factor = data.schema.block_weight.find(block.name);
    out += block_line(block, factor == data.schema.block_weight.end() ? 1.0 : factor->second);
  }
  for (const SourceSpec& source : data.schema.sources) {
    if (source.kind != SourceKind::triplets) continue;
    const bool levels =
        !source.columns.empty() && source.columns.front().encoding == Encoding::levels;
    out += fmt::format("  {}: a pair that is not in the file is missing, {}{}\n",
                       printable(source.name),
                       data.schema.missing_as_category ? "a level of its own" : "not zero",
                       !levels ? ""
                       : source.item_levels.empty()
                           ? "; all items share one list of levels"
                           : "; each item has levels of its own (`pool_levels`: one list for all)");
  }
  for (const SourceSpec& source : data.schema.sources) out += marks_line(source);
  for (const std::string& note : data.notes) out += "  " + printable(note) + "\n";
  for (const std::string& warning : data.warnings) out += "Warning: " + printable(warning) + "\n";
  return out;
}

std::string describe_unknown(const Dataset& data) {
  std::string out;
  for (const Block& block : data.blocks) {
    std::string names;
    for (const Unknown& unknown : data.unknown) {
      if (unknown.block == block.name)
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", printable(unknown.name),
                             report::grouped(unknown.count, 0));
    }
    if (!names.empty())
      out += fmt::format("Not known to the model in {}, most frequent first: {}.\n",
                         printable(block.name), names);
  }
  if (data.extra.empty()) return out;
  out += fmt::format("{} the model does not know, not read:", count(data.extra.size(), "column"));
  for (std::size_t i = 0; i < std::min(data.extra.size(), kNamedUnknown); ++i)
    out += fmt::format("{} {}", i > 0 ? "," : "", printable(data.extra[i]));
  return out + (data.extra.size() > kNamedUnknown ? " ...\n" : ".\n");
}

}  // namespace medley
