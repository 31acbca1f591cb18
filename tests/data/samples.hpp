// SPDX-License-Identifier: Apache-2.0
// Small raw sources and a small catalogue of families, for the tests of reading.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/catalogue.hpp"
#include "data/raw.hpp"
#include "medley/data.hpp"
#include "medley/error.hpp"

namespace medley::testing {

using Rows = std::vector<std::vector<std::string>>;

/// Two levels: bernoulli; more: categorical; words: tokens; gaussian takes numbers and poisson
/// whole ones from 0, only when asked.
inline data::FamilyCatalogue small_catalogue() {
  data::FamilyCatalogue catalogue;
  catalogue.names = {"bernoulli", "categorical", "gaussian", "poisson", "tokens"};
  catalogue.encoding_of = [](const std::string& family) -> std::optional<Encoding> {
    if (family == "bernoulli" || family == "categorical") return Encoding::levels;
    if (family == "gaussian" || family == "poisson") return Encoding::real;
    if (family == "tokens") return Encoding::tokens;
    return std::nullopt;
  };
  catalogue.objection = [](const std::string& family,
                           const data::ColumnFacts& facts) -> std::string {
    if (family == "bernoulli" && facts.distinct != 2) {
      return "has " + std::to_string(facts.distinct) + " levels, bernoulli takes 2";
    }
    return {};
  };
  catalogue.refusal = [](const std::string& family, double value) -> std::string {
    const std::string takes = "; poisson takes whole numbers from 0";
    if (family == "poisson" && value < 0) return "is below 0" + takes;
    if (family == "poisson" && value != std::floor(value)) return "is no whole number" + takes;
    return {};
  };
  catalogue.choose = [](const data::ColumnFacts& facts) -> data::FamilyChoice {
    if (facts.kind == SourceKind::tokens) return {"tokens", Encoding::tokens, "words"};
    const std::string note = std::to_string(facts.distinct) + " levels";
    if (facts.distinct > 50) return {"", Encoding::levels, "text with many values"};
    return {facts.distinct == 2 ? "bernoulli" : "categorical", Encoding::levels, note};
  };
  return catalogue;
}

/// A table as a CSV reader would leave it: missing cells are empty here; row i is on line i + 2.
inline data::RawSource table(const std::string& name, const std::vector<std::string>& header,
                             const Rows& rows) {
  data::RawTable table;
  for (std::size_t c = 0; c < header.size(); ++c) {
    data::RawColumn column;
    column.name = header[c];
    std::map<std::string, std::uint32_t> codes;
    for (const auto& row : rows) {
      if (row[c].empty()) {
        column.code.push_back(data::kMissingCode);
        continue;
      }
      const auto [entry, added] =
          codes.emplace(row[c], static_cast<std::uint32_t>(column.distinct.size()));
      if (added) column.distinct.push_back(row[c]);
      column.code.push_back(entry->second);
    }
    table.columns.push_back(std::move(column));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) table.line.push_back(r + 2);
  return {name, name + ".csv", std::move(table)};
}

/// One value per line, from line 1.
inline data::RawSource column(const std::string& name, const std::vector<std::string>& values) {
  Rows rows;
  for (const std::string& value : values) rows.push_back({value});
  data::RawSource source = table(name, {name}, rows);
  for (auto& line : std::get<data::RawTable>(source.content).line) --line;
  source.path = name + ".txt";
  source.one_value_per_line = true;
  return source;
}

/// Documents as (word, count) lists.
inline data::RawSource documents(const std::string& name, std::vector<std::string> vocabulary,
                                 const std::vector<std::map<std::uint32_t, float>>& rows) {
  data::RawCounts counts;
  counts.vocabulary = std::move(vocabulary);
  for (const auto& row : rows) {
    for (const auto& [word, count] : row) {
      counts.word.push_back(word);
      counts.count.push_back(count);
    }
    counts.row_start.push_back(counts.word.size());
    counts.line.push_back(counts.row_start.size() - 1);
  }
  return {name, name + ".ldac", std::move(counts)};
}

/// Triplet i is on line i + 2; an empty value is missing.
inline data::RawSource triplets(const std::string& name, const Rows& entries) {
  data::RawTriplets log;
  const auto code = [](std::vector<std::string>& names, const std::string& text) {
    const auto found = std::find(names.begin(), names.end(), text);
    const auto index = static_cast<std::uint32_t>(found - names.begin());
    if (found == names.end()) names.push_back(text);
    return index;
  };
  for (const auto& entry : entries) {
    log.row.push_back(code(log.rows, entry[0]));
    log.item.push_back(code(log.items, entry[1]));
    log.value.push_back(entry[2].empty() ? data::kMissingCode : code(log.values, entry[2]));
    log.line.push_back(log.line.size() + 2);
  }
  return {name, name + ".csv", std::move(log)};
}

/// The text of the cell of a level-encoded feature; empty if missing. Replicates are joined with
/// '|'.
inline std::string decoded(const Block& block, std::size_t row, const std::string& feature) {
  std::string text;
  for (std::uint64_t i = block.row_start[row]; i < block.row_start[row + 1]; ++i) {
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      if (block.features[f].name != feature) continue;
      if (block.slot[i] < block.first_slot[f] || block.slot[i] >= block.first_slot[f + 1]) continue;
      if (!text.empty()) text += '|';
      text += block.features[f].levels[block.slot[i] - block.first_slot[f]];
    }
  }
  return text;
}

/// What an InputError says, or "" if nothing is thrown.
template <typename Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace medley::testing
