// SPDX-License-Identifier: Apache-2.0
// Data sets made by hand, without a schema: answers, words and numbers of two kinds of rows.
#pragma once

#include <string>

#include "core/rng.hpp"
#include "medley/data.hpp"

namespace medley::test {

inline Block answers(std::size_t rows, std::size_t items = 3) {
  Block block;
  block.name = "answers";
  block.family = "categorical";
  block.first_slot = {0};
  for (std::size_t f = 0; f < items; ++f) {
    block.features.push_back({"q" + std::to_string(f), {"low", "middle", "high"}});
    block.first_slot.push_back(static_cast<std::uint32_t>(3 * (f + 1)));
  }
  for (std::size_t row = 0; row < rows; ++row) {
    core::Rng rng(5, 1, row);
    for (std::size_t f = 0; f < items; ++f) {
      const std::uint64_t level = row % 2 == 0 ? rng.below(2) : 1 + rng.below(2);
      block.slot.push_back(static_cast<std::uint32_t>(3 * f + level));
    }
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

inline Block words(std::size_t rows, std::size_t vocabulary = 8) {
  Block block;
  block.name = "words";
  block.family = "tokens";
  block.encoding = Encoding::tokens;
  block.features.push_back({"words", {}});
  for (std::size_t w = 0; w < vocabulary; ++w)
    block.features.front().levels.push_back("w" + std::to_string(w));
  block.first_slot = {0, static_cast<std::uint32_t>(vocabulary)};
  for (std::size_t row = 0; row < rows; ++row) {
    core::Rng rng(5, 2, row);
    for (std::size_t w = 0; w < vocabulary; ++w) {
      if (rng.uniform() < ((w < vocabulary / 2) == (row % 2 == 0) ? 0.2 : 0.8)) continue;
      block.slot.push_back(static_cast<std::uint32_t>(w));
      block.weight.push_back(static_cast<float>(1 + rng.below(3)));
    }
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

inline Block sizes(std::size_t rows, const std::string& family = "gaussian") {
  Block block;
  block.name = "sizes";
  block.family = family;
  block.encoding = Encoding::real;
  block.features = {{"height"}, {"width"}};
  block.first_slot = {0, 1, 2};
  for (std::size_t row = 0; row < rows; ++row) {
    core::Rng rng(5, 3, row);
    for (std::uint32_t f = 0; f < 2; ++f) {
      if (rng.uniform() < 0.1) continue;
      block.slot.push_back(f);
      block.value.push_back((row % 2 == 0 ? 1.0 : 3.0) + rng.uniform());
    }
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

/// All three, with ids, weights and a kept column.
inline Dataset hand_data(std::size_t rows) {
  Dataset data;
  data.rows = rows;
  data.blocks = {answers(rows), words(rows), sizes(rows)};
  KeptColumn& kind = data.kept.emplace_back();
  kind.name = "kind";
  kind.levels = {"even", "odd"};
  for (std::size_t row = 0; row < rows; ++row) {
    data.ids.push_back("r" + std::to_string(row));
    data.row_weight.push_back(row % 3 == 0 ? 2.0 : 0.5);
    kind.code.push_back(static_cast<std::int32_t>(row % 2));
  }
  return data;
}

}  // namespace medley::test
