// SPDX-License-Identifier: Apache-2.0
#include "families/conjugate.hpp"

#include <cmath>
#include <string>

#include "core/problems.hpp"

namespace medley::families {

double Conjugate::log_predictive(const Block& block, std::size_t row,
                                 const double* statistics) const {
  std::vector<double> column(table_size());
  tabulate(statistics, column.data(), 1);
  double total = log_base(block, row);
  add_log_predictives(block, row, {statistics, column.data(), 1, 1}, &total);
  return total;
}

std::vector<double> spread_prior(const Block& block, std::span<const double> given,
                                 std::size_t each, std::size_t count, std::size_t any) {
  core::Problems problems;
  const std::string where = "prior of " + block.name;
  if (given.size() != each && given.size() != each * count) {
    problems.add(where,
                 "has " + std::to_string(given.size()) + " numbers; " + block.family + " takes " +
                     std::to_string(each) + ", or " + std::to_string(each * count),
                 "give them once for all, or for each in turn");
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool fine = std::isfinite(given[i]) && (i % each == any || given[i] > 0);
    if (!fine)
      problems.add(where, "number " + std::to_string(i + 1) + " is not above 0",
                   "give a number above 0");
  }
  problems.throw_if_any();
  std::vector<double> all;
  for (std::size_t i = 0; i < each * count; ++i) all.push_back(given[i % given.size()]);
  return all;
}

double total_weight(const Block& block) {
  double sum = 0;
  for (std::size_t c = 0; c < block.cells(); ++c) sum += static_cast<double>(block.weight_of(c));
  return sum;
}

const math::RisingTable* RisingTables::at(double a) {
  auto& table = tables_[a];
  if (table == nullptr) table = std::make_unique<math::RisingTable>(a, most_);
  return table.get();
}

}  // namespace medley::families
