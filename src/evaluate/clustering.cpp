// SPDX-License-Identifier: Apache-2.0
#include "evaluate/clustering.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "medley/error.hpp"

namespace medley::evaluation {
namespace {

template <class Counts>
double count_entropy(const Counts& counts, double total) {
  double h = 0;
  for (const auto& [key, count] : counts) h -= count / total * std::log(count / total);
  return h;
}

}  // namespace

Agreement agreement(std::span<const std::size_t> clusters, std::span<const std::int32_t> classes) {
  std::map<std::size_t, double> in_cluster, largest;
  std::map<std::int32_t, double> in_class;
  std::map<std::pair<std::size_t, std::int32_t>, double> in_both;
  double n = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (classes[i] < 0) continue;
    ++n;
    ++in_cluster[clusters[i]];
    ++in_class[classes[i]];
    ++in_both[{clusters[i], classes[i]}];
  }
  Agreement result;
  result.rows = integer_of<std::size_t>(n);
  if (n == 0) return result;
  for (const auto& [pair, count] : in_both) {
    largest[pair.first] = std::max(largest[pair.first], count);
    result.mutual_information +=
        count / n * std::log(count * n / (in_cluster[pair.first] * in_class[pair.second]));
  }
  for (const auto& [cluster, count] : largest) result.micro_precision += count / n;
  const double mean_entropy = 0.5 * (count_entropy(in_cluster, n) + count_entropy(in_class, n));
  result.mutual_information = std::max(0.0, result.mutual_information);
  result.nmi = mean_entropy > 0 ? result.mutual_information / mean_entropy : 1.0;
  return result;
}

}  // namespace medley::evaluation
