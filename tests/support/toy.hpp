// SPDX-License-Identifier: Apache-2.0
// Small data sets made by hand or at random, for tests of any room above data.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/rng.hpp"
#include "families/registry.hpp"
#include "medley/data.hpp"

namespace medley::test {

/// A block of level columns from codes[row][feature] (-1: missing), with the given numbers of
/// levels.
inline Block level_block(const std::string& family, const std::vector<std::vector<int>>& codes,
                         const std::vector<std::size_t>& levels) {
  Block block;
  block.name = family;
  block.family = family;
  block.first_slot = {0};
  for (std::size_t f = 0; f < levels.size(); ++f) {
    Feature feature{"q" + std::to_string(f), {}};
    for (std::size_t r = 0; r < levels[f]; ++r) feature.levels.push_back("l" + std::to_string(r));
    block.features.push_back(feature);
    block.first_slot.push_back(block.first_slot.back() + static_cast<std::uint32_t>(levels[f]));
  }
  for (const auto& row : codes) {
    for (std::size_t f = 0; f < levels.size(); ++f) {
      if (row[f] >= 0)
        block.slot.push_back(block.first_slot[f] + static_cast<std::uint32_t>(row[f]));
    }
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

/// A block of word counts from counts[row][word].
inline Block token_block(const std::string& name, const std::vector<std::vector<int>>& counts) {
  Block block;
  block.name = name;
  block.family = families::tokens_family.name;
  block.encoding = Encoding::tokens;
  const std::size_t words = counts.at(0).size();
  block.first_slot = {0, static_cast<std::uint32_t>(words)};
  Feature feature{name, {}};
  for (std::size_t v = 0; v < words; ++v) feature.levels.push_back("w" + std::to_string(v));
  block.features = {feature};
  for (const auto& row : counts) {
    for (std::size_t v = 0; v < words; ++v) {
      if (row[v] == 0) continue;
      block.slot.push_back(static_cast<std::uint32_t>(v));
      block.weight.push_back(static_cast<float>(row[v]));
    }
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

/// Documents over so many words that the table of 40 components has likelihood rows in float
/// (families::kNarrowFrom). Each document keeps to a hundredth of the words and some others.
inline Block large_token_block(std::size_t rows, std::uint64_t seed) {
  core::Rng rng(seed, 78);
  constexpr std::size_t kWords = 4000, kOwn = kWords / 100, kCells = 60;
  std::vector<std::vector<int>> counts(rows, std::vector<int>(kWords, 0));
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = row % 10 * kOwn;
    for (std::size_t c = 0; c < kCells; ++c) {
      const std::size_t v = c % 4 == 0 ? rng.below(kWords) : first + rng.below(kOwn);
      ++counts[row][v];
    }
  }
  return token_block(families::tokens_family.name, counts);
}

/// A block of number columns from numbers[row][feature] (NaN: missing), each with its shift.
inline Block real_block(const std::string& family, const std::vector<std::vector<double>>& numbers,
                        std::size_t features, double shift = 0) {
  Block block;
  block.name = family;
  block.family = family;
  block.encoding = Encoding::real;
  block.first_slot = {0};
  for (std::size_t f = 0; f < features; ++f) {
    Feature feature{"x" + std::to_string(f)};
    feature.shift = shift;
    block.features.push_back(feature);
    block.first_slot.push_back(static_cast<std::uint32_t>(f + 1));
  }
  for (const auto& row : numbers) {
    for (std::size_t f = 0; f < features; ++f) {
      if (std::isnan(row[f])) continue;
      block.slot.push_back(static_cast<std::uint32_t>(f));
      block.value.push_back(row[f]);
    }
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

inline Dataset dataset(std::vector<Block> blocks) {
  Dataset data;
  data.rows = blocks.at(0).row_start.size() - 1;
  data.blocks = std::move(blocks);
  return data;
}

/// A label column "y" whose classes go round the rows.
inline void add_label(Dataset& data, std::size_t classes) {
  ColumnSpec spec;
  spec.name = "y";
  spec.role = Role::label;
  KeptColumn column{"y", {}, {}};
  for (std::size_t h = 0; h < classes; ++h) spec.levels.push_back("class" + std::to_string(h));
  column.levels = spec.levels;
  for (std::size_t row = 0; row < data.rows; ++row)
    column.code.push_back(static_cast<std::int32_t>(row % classes));
  if (data.schema.sources.empty()) data.schema.sources.emplace_back();
  data.schema.sources[0].columns.push_back(spec);
  data.kept.push_back(column);
}

/// A random number that the family takes: any, or else one above 0, or else a whole one.
inline double random_number(const families::FamilyEntry& entry, core::Rng& rng) {
  double value = 1 + 2 * rng.normal();
  if (!entry.refusal(value).empty() || !entry.refusal(-1).empty()) value = 3 * rng.gamma(1.5);
  return entry.refusal(0.5).empty() ? value : std::floor(value);
}

/// Random cells that any family of the given entry accepts; `missing` is the share of absent cells.
inline Block random_block(const families::FamilyEntry& entry, std::size_t rows, std::uint64_t seed,
                          double missing) {
  core::Rng rng(seed, 77);
  if (entry.encoding == Encoding::tokens) {
    std::vector<std::vector<int>> counts(rows, std::vector<int>(7));
    for (auto& row : counts) {
      for (int& count : row)
        count = rng.uniform() < 0.5 + missing / 2 ? 0 : 1 + static_cast<int>(rng.below(3));
    }
    return token_block(entry.name, counts);
  }
  if (entry.encoding == Encoding::real) {
    constexpr std::size_t kFeatures = 4;
    std::vector<std::vector<double>> numbers(rows, std::vector<double>(kFeatures));
    for (auto& row : numbers) {
      for (double& x : row) x = rng.uniform() < missing ? std::nan("") : random_number(entry, rng);
    }
    return real_block(entry.name, numbers, kFeatures);
  }
  data::ColumnFacts three_levels;
  three_levels.distinct = 3;
  const bool two = !entry.objection(three_levels).empty();
  const std::vector<std::size_t> levels =
      two ? std::vector<std::size_t>{2, 2, 2, 2, 2} : std::vector<std::size_t>{3, 2, 4, 5};
  std::vector<std::vector<int>> codes(rows, std::vector<int>(levels.size()));
  for (auto& row : codes) {
    for (std::size_t f = 0; f < levels.size(); ++f) {
      row[f] = rng.uniform() < missing ? -1 : static_cast<int>(rng.below(levels[f]));
    }
  }
  return level_block(entry.name, codes, levels);
}

/// Eight patterns of twelve answers, of 10, 30, ... 150 rows, each answer kept nine times in ten:
/// k-means often leaves two patterns in one component and cuts another in two.
struct Patterns {
  Dataset data;
  std::vector<std::size_t> of_row;
};
inline Patterns patterns() {
  constexpr std::size_t kPatterns = 8, kAnswers = 12;
  Patterns out;
  std::vector<std::vector<int>> codes;
  core::Rng rng(8, 8);
  for (std::size_t p = 0; p < kPatterns; ++p) {
    std::vector<int> typical(kAnswers);
    for (int& answer : typical) answer = static_cast<int>(rng.below(4));
    for (std::size_t i = 0; i < 10 + 20 * p; ++i) {
      std::vector<int> row = typical;
      for (int& answer : row) {
        if (rng.uniform() < 0.1) answer = static_cast<int>(rng.below(4));
      }
      codes.push_back(row);
      out.of_row.push_back(p);
    }
  }
  out.data = dataset({level_block("categorical", codes, std::vector<std::size_t>(kAnswers, 4))});
  return out;
}

}  // namespace medley::test
