// SPDX-License-Identifier: Apache-2.0
#include "families/conjugate.hpp"

namespace medley::families {

double Conjugate::log_predictive(const Block& block, std::size_t row,
                                 const double* statistics) const {
  std::vector<double> column(table_size());
  tabulate(statistics, column.data(), 1);
  double total = log_base(block, row);
  add_log_predictives(block, row, {statistics, column.data(), 1, 1}, &total);
  return total;
}

}  // namespace medley::families
