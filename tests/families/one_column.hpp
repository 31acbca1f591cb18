// SPDX-License-Identifier: Apache-2.0
// A family on one column of numbers, taught by weights that a test chooses.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "kernels/lanes.hpp"
#include "support/plain_density.hpp"
#include "support/toy.hpp"

namespace medley::families {

struct OneColumn {
  OneColumn(const FamilyEntry& entry, const std::vector<double>& values, double shift = 0,
            std::size_t components = 1)
      : block(column(entry, values, shift)),
        columns(data::transpose(block)),
        family(entry.make(block, components)) {
    family->observe(block, columns, {});
    family->prepare(true);
  }

  static Block column(const FamilyEntry& entry, const std::vector<double>& values, double shift) {
    std::vector<std::vector<double>> rows;
    for (const double value : values) rows.push_back({value});
    return test::real_block(entry.name, rows, 1, shift);
  }

  /// Sets the parameters to the maximum when component k answers for share[row][k] of each row.
  void learn(const std::vector<std::vector<double>>& share, const Smoothing& smoothing) {
    std::vector<double> vectors(share.size() * family->padded(), 0.0);
    for (std::size_t row = 0; row < share.size(); ++row)
      std::copy(share[row].begin(), share[row].end(), &vectors[row * family->padded()]);
    const std::vector<double> ones(block.cells(), 1.0);
    family->maximise(family->collect(columns, block, {vectors.data(), ones.data(), false, {}}),
                     smoothing);
    family->prepare(true);
  }
  /// One component that answers for every row in full.
  void learn(const Smoothing& smoothing = 0) {
    learn(std::vector<std::vector<double>>(block.cells(), {1.0}), smoothing);
  }

  [[nodiscard]] double parameter(const std::string& key, std::size_t component = 0) const {
    return test::exported(*family, 0, component).at(key);
  }
  void set(std::size_t row, double value) const {
    std::vector<double> table(family->parameters().begin(), family->parameters().end());
    for (std::size_t k = 0; k < family->components(); ++k)
      table[row * family->padded() + k] = value;
    family->set_parameters(table);
    family->prepare(true);
  }

  /// log f(value) under a component, from the family's own rows.
  [[nodiscard]] std::vector<double> log_densities(const std::vector<double>& values,
                                                  std::size_t component = 0) const {
    const Block cells = column(family->entry(), values, block.features[0].shift);
    std::vector<double> result, row(family->padded());
    for (std::size_t i = 0; i < values.size(); ++i) {
      family->log_rows(cells, i, row.data());
      result.push_back(row[component]);
    }
    return result;
  }

  Block block;
  data::Columns columns;
  std::unique_ptr<Family> family;
};

}  // namespace medley::families
