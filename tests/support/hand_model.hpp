// SPDX-License-Identifier: Apache-2.0
// Models with parameters written down by hand, and blocks of numbers to go with them.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "families/registry.hpp"
#include "families/scalars.hpp"
#include "medley/model.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"
#include "support/toy.hpp"

namespace medley::test {

/// Marks a missing number in number_block.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// A block of numbers from values[row][feature].
inline Block number_block(const std::string& family, const std::vector<std::vector<double>>& values,
                          std::size_t features) {
  Block block;
  block.name = family;
  block.family = family;
  block.encoding = Encoding::real;
  block.first_slot = {0};
  for (std::size_t f = 0; f < features; ++f) {
    block.features.push_back({"x" + std::to_string(f), {}});
    block.first_slot.push_back(static_cast<std::uint32_t>(f + 1));
  }
  for (const auto& row : values) {
    for (std::size_t f = 0; f < features; ++f) {
      if (std::isnan(row[f])) continue;
      block.slot.push_back(static_cast<std::uint32_t>(f));
      block.value.push_back(row[f]);
    }
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

/// p[slot][component] becomes the table of a discrete family.
inline void set_table(families::Family& family, const std::vector<std::vector<double>>& p) {
  std::vector<double> table(family.parameters().size(), 0.0);
  for (std::size_t s = 0; s < p.size(); ++s) {
    for (std::size_t k = 0; k < p[s].size(); ++k) table[s * family.padded() + k] = p[s][k];
  }
  family.set_parameters(table);
}

/// p[feature][row][component] become the own parameters of a family of numbers: mu and var, rate
/// ...
inline void set_numbers(families::Family& family,
                        const std::vector<std::vector<std::vector<double>>>& p) {
  const auto& scalars = dynamic_cast<const families::Scalars&>(family);
  std::vector<double> table(family.parameters().begin(), family.parameters().end());
  for (std::size_t f = 0; f < p.size(); ++f) {
    for (std::size_t r = 0; r < p[f].size(); ++r) {
      for (std::size_t k = 0; k < p[f][r].size(); ++k) table[scalars.at(f, r) + k] = p[f][r][k];
    }
  }
  family.set_parameters(table);
}

/// The parts of a model for data of this shape; the tables are still to be set.
inline std::shared_ptr<model::Parts> hand_parts(const std::string& membership,
                                                const std::vector<double>& prior,
                                                const Dataset& data,
                                                const std::string& inference = "standard") {
  auto parts = std::make_shared<model::Parts>();
  parts->options.components = prior.size();
  parts->options.membership = membership;
  parts->options.inference = inference;
  parts->membership = memberships::find(membership)->make(prior.size());
  parts->membership->set_parameters(prior);
  parts->sizes.assign(prior.size(), 1.0 / static_cast<double>(prior.size()));
  parts->names.resize(prior.size());
  for (const Block& block : data.blocks) {
    const families::FamilyEntry& entry = *families::find(block.family);
    parts->blocks.push_back({block.shape(), entry.make(block, prior.size()), entry.make(block, 1),
                             std::vector<double>(block.slots(), 1.0)});
  }
  return parts;
}

}  // namespace medley::test
