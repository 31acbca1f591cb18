// SPDX-License-Identifier: Apache-2.0
#include "data/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "core/text.hpp"
#include "data/bind_schema.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"

namespace medley::data {
namespace {

constexpr const char* kRemedy = "a weight is a number, 0 or more; 0 leaves the row out";
constexpr const char* kEitherRemedy =
    "`decimal=\"comma\"` or `decimal=\"point\"` says which the file means";
constexpr const char* kCountRemedy =
    "frequency weights say how often a row was observed: 0, 1, 2 ...; other weights are sampling "
    "weights (`weights=\"sampling\"`)";

constexpr double kMostRows =
    9007199254740992.0;  // 2^53: from here on a row more makes no difference

}  // namespace

std::vector<double> row_weights(const EncodeContext& context, const ColumnRef& column,
                                double& unit) {
  const RawSource& source = context.sources[column.source];
  const RawColumn& cells = *column.text;
  const ColumnSpec* spec = context.schema.find(column.name);
  const NumberMarks marks = marks_by(spec != nullptr ? spec->marks : NumberMarks{}, cells.numbers,
                                     context.options.decimal);
  std::vector<std::optional<double>> number;
  for (const std::string& text : cells.distinct) {
    number.push_back(context.missing.contains(text) ? std::nullopt : number_in(text, marks));
  }
  std::vector<double> weights(context.rows.rows, 0.0);
  const bool counts = context.schema.frequency_weights;
  bool good = true;
  const auto bad = [&](const std::string& where, const std::string& what,
                       const char* way = nullptr) {
    context.problems.add(where, what, way != nullptr ? way : counts ? kCountRemedy : kRemedy);
    good = false;
  };
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const std::size_t from = context.rows.of(column.source, row);
    if (from == kNone) {
      bad(source.path, "no weight for id " + core::quoted(context.rows.ids[row]));
      continue;
    }
    const std::uint32_t code = cells.code[from];
    if (code == kMissingCode || context.missing.contains(cells.distinct[code])) {
      bad(place(source, from, column.name), "the weight is missing");
    } else if (!number[code] || *number[code] < 0) {
      const bool either = is_ambiguous_mark(cells.distinct[code], marks);
      bad(place(source, from, column.name),
          either ? may_be_either(cells.distinct[code])
                 : core::quoted(cells.distinct[code]) + " is not a weight",
          either ? kEitherRemedy : nullptr);
    } else if (counts && *number[code] != std::floor(*number[code])) {
      bad(place(source, from, column.name), core::quoted(cells.distinct[code]) + " is not a count");
    } else {
      weights[row] = *number[code];
    }
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (good && !weights.empty() && !(total > 0 && std::isfinite(total))) {
    bad(source.path + ": column " + core::quoted(column.name),
        total > 0 ? "the weights are too large to be added up" : "every weight is 0");
  }
  if (good && counts && !weights.empty() && total > kMostRows) {
    bad(source.path + ": column " + core::quoted(column.name),
        "the weights add up to more than 2^53 rows: they can no longer be counted exactly");
  }
  if (!good || counts) return weights;
  // total / rows first: rows / total could overflow for tiny weights.
  const double mean = total / static_cast<double>(weights.size());
  for (double& weight : weights) weight /= mean;
  unit = mean;
  return weights;
}

namespace {

Problem unknown_block(const std::string& name, const std::vector<Block>& blocks) {
  std::vector<std::string> names;
  for (const Block& block : blocks) names.push_back(block.name);
  const std::string meant = closest(name, names);
  return {core::setting("block_weight", name), "there is no block " + core::quoted(name),
          (meant.empty() ? "" : "did you mean " + core::quoted(meant) + "? ") +
              "the blocks are: " + listed(names)};
}

// The weights are floats: one that rounds to 0 or past the largest float is none.
bool is_weight(double weight) {
  return weight >= static_cast<double>(std::numeric_limits<float>::min()) &&
         weight <= static_cast<double>(std::numeric_limits<float>::max());
}

}  // namespace

void apply_block_weights(const Schema& schema, std::vector<Block>& blocks,
                         core::Problems& problems) {
  for (const auto& [name, weight] : schema.block_weight) {
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return b.name == name; });
    if (block == blocks.end()) {
      const Problem problem = unknown_block(name, blocks);
      problems.add(problem.where, problem.what, problem.remedy);
    } else if (!is_weight(weight)) {
      problems.add(core::setting("block_weight", name), "the weight must be a number above 0");
    } else if (weight != 1) {
      if (block->weight.empty()) block->weight.assign(block->cells(), 1.0F);
      for (float& each : block->weight) each *= static_cast<float>(weight);
    }
  }
}

bool is_tempered(const Schema& schema) {
  return std::ranges::any_of(schema.block_weight,
                             [](const auto& entry) { return entry.second != 1; });
}

}  // namespace medley::data
