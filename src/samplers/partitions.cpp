// SPDX-License-Identifier: Apache-2.0
#include "samplers/partitions.hpp"

#include <algorithm>

#include "core/task.hpp"

namespace medley::samplers {
namespace {

std::size_t largest(const Labels& labels) {
  return labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
}

double pairs(std::span<const double> sizes) {
  double sum = 0;
  for (const double size : sizes) sum += size * (size - 1) / 2;
  return sum;
}

}  // namespace

double disagreement(const Labels& one, const Labels& other) {
  const std::size_t rows = largest(one), columns = largest(other);
  std::vector<double> table(rows * columns, 0.0), of_one(rows, 0.0), of_other(columns, 0.0);
  for (std::size_t i = 0; i < one.size(); ++i) {
    ++table[one[i] * columns + other[i]];
    ++of_one[one[i]];
    ++of_other[other[i]];
  }
  return pairs(of_one) + pairs(of_other) - 2 * pairs(table);
}

std::size_t least_squares(std::span<const Labels> draws) {
  std::vector<double> sum(draws.size(), 0.0);
  for (std::size_t d = 0; d < draws.size(); ++d) {
    for (std::size_t e = 0; e < d; ++e) {
      core::stop_if_asked();
      const double apart = disagreement(draws[d], draws[e]);
      sum[d] += apart;
      sum[e] += apart;
    }
  }
  return static_cast<std::size_t>(std::min_element(sum.begin(), sum.end()) - sum.begin());
}

std::vector<double> co_clustering(std::span<const Labels> draws) {
  const std::size_t n = draws.empty() ? 0 : draws.front().size();
  std::vector<double> share(n * n, 0.0);
  const double each = 1 / static_cast<double>(draws.size());
  for (const Labels& labels : draws) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (labels[i] == labels[j]) share[i * n + j] += each;
      }
    }
  }
  return share;
}

}  // namespace medley::samplers
