// SPDX-License-Identifier: Apache-2.0
#include "math/assignment.hpp"

#include <algorithm>
#include <cassert>

namespace medley::math {
namespace {

// At most as many rows as columns. Potentials u (rows) and v (columns) keep every reduced cost
// c_ij - u_i - v_j at least 0, and 0 on the pairs made so far; each new row is joined by the
// shortest alternating path from it to a free column.
class Assignment {
 public:
  Assignment(std::span<const double> cost, std::size_t rows, std::size_t columns)
      : cost_(cost),
        columns_(columns),
        u_(rows, 0.0),
        v_(columns, 0.0),
        row_of_(columns, kUnassigned) {}

  std::vector<std::size_t> run() {
    for (std::size_t row = 0; row < u_.size(); ++row) join(row);
    std::vector<std::size_t> column_of(u_.size(), kUnassigned);
    for (std::size_t j = 0; j < columns_; ++j) {
      if (row_of_[j] != kUnassigned) column_of[row_of_[j]] = j;
    }
    return column_of;
  }

 private:
  void join(std::size_t start) {
    std::vector<double> distance(columns_, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before(columns_, kUnassigned);  // column before it on the path
    std::vector<bool> done(columns_, false);
    std::size_t row = start, last = kUnassigned;
    double length = 0;
    while (row != kUnassigned) {
      std::size_t next = kUnassigned;
      for (std::size_t j = 0; j < columns_; ++j) {
        if (done[j]) continue;
        const double through = length + cost_[row * columns_ + j] - u_[row] - v_[j];
        if (through < distance[j]) {
          distance[j] = through;
          before[j] = last;
        }
        if (next == kUnassigned || distance[j] < distance[next]) next = j;
      }
      done[next] = true;
      length = distance[next];
      last = next;
      row = row_of_[next];
    }
    // Columns reached before the end move by the difference, and their rows move back.
    u_[start] += length;
    for (std::size_t j = 0; j < columns_; ++j) {
      if (!done[j] || j == last) continue;
      u_[row_of_[j]] += length - distance[j];
      v_[j] -= length - distance[j];
    }
    while (before[last] != kUnassigned) {
      row_of_[last] = row_of_[before[last]];
      last = before[last];
    }
    row_of_[last] = start;
  }

  std::span<const double> cost_;
  std::size_t columns_;
  std::vector<double> u_, v_;
  std::vector<std::size_t> row_of_;  // per column
};

}  // namespace

std::vector<std::size_t> assign(std::span<const double> cost, std::size_t rows,
                                std::size_t columns) {
  assert(cost.size() == rows * columns);
  if (rows <= columns) return Assignment(cost, rows, columns).run();
  std::vector<double> turned(cost.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) turned[j * rows + i] = cost[i * columns + j];
  }
  std::vector<std::size_t> column_of(rows, kUnassigned);
  const std::vector<std::size_t> row_of = Assignment(turned, columns, rows).run();
  for (std::size_t j = 0; j < columns; ++j) column_of[row_of[j]] = j;
  return column_of;
}

}  // namespace medley::math
