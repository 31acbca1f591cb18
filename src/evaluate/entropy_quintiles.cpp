// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "medley/error.hpp"
#include "medley/evaluate.hpp"

namespace medley {

Quintiles entropy_quintiles(const Evaluation& scores, const Dataset& data) {
  check(data);
  if (scores.row.size() != data.rows)
    throw InputError({"scores", "are those of other rows", "give the data that was evaluated"});
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.row.size(); ++i) {
    if (scores.row[i].observations > 0) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(scores.row[a].entropy, a) < std::pair(scores.row[b].entropy, b);
  });
  Quintiles out;
  for (std::size_t part = 0; part < out.size(); ++part) {
    double log_likelihood = 0, observations = 0;
    const std::size_t end = (part + 1) * order.size() / out.size();
    for (std::size_t i = part * order.size() / out.size(); i < end; ++i) {
      const double weight = data.weight_of(order[i]);
      log_likelihood += weight * scores.row[order[i]].log_likelihood;
      observations += weight * scores.row[order[i]].observations;
    }
    out[part] = observations > 0 ? std::exp(-log_likelihood / observations)
                                 : std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

}  // namespace medley
