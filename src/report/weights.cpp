// SPDX-License-Identifier: Apache-2.0
#include "report/weights.hpp"

#include <fmt/format.h>

#include <cmath>

#include "medley/report.hpp"
#include "report/numbers.hpp"

namespace medley::report {

std::string weights_sentence(const Weighting& weights, std::size_t rows) {
  if (!weights.used()) return "";
  const bool same = std::abs(weights.stands_for - static_cast<double>(rows)) < 0.5;
  return fmt::format("Rows are weighted by \"{}\" ({} weights): {} stand for {}.",
                     printable(weights.column), weights.counts ? "frequency" : "sampling",
                     count(rows, "row"), same ? "as many" : grouped(weights.stands_for, 0));
}

std::string weighted_cells(const Weighting& weights) {
  if (!weights.used()) return "";
  return fmt::format(", weighted from {} cells", grouped(weights.cells, 0));
}

}  // namespace medley::report
