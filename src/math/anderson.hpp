// SPDX-License-Identifier: Apache-2.0
// Anderson's acceleration of a fixed-point iteration x -> g(x): from the last few pairs, the point
// where the residual f = g(x) - x would vanish if it were linear,
//
//   next = g - sum_j c_j (g_j+1 - g_j),    c = argmin |f - sum_j c_j (f_j+1 - f_j)|
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace medley::math {

class Anderson {
 public:
  explicit Anderson(std::size_t order) : order_(order) {}

  struct Pair {
    std::vector<double> x, g;
  };

  void add(std::vector<double> x, std::vector<double> g);
  void clear() { pairs_.clear(); }
  /// Two pairs or more are needed.
  [[nodiscard]] bool ready() const { return pairs_.size() > 1; }
  [[nodiscard]] std::vector<double> next() const;
  /// Oldest first; at most order + 1.
  [[nodiscard]] const std::deque<Pair>& pairs() const { return pairs_; }

 private:
  std::size_t order_;
  std::deque<Pair> pairs_;
};

}  // namespace medley::math
