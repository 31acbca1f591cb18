// SPDX-License-Identifier: Apache-2.0
// A hand-made model with a label: a head with given P(h | k).
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "heads/softmax.hpp"
#include "support/hand_model.hpp"

namespace medley::test {

/// p[class][component] sums to 1 over the classes, which are called c0, c1, ...
inline void set_head(model::Parts& parts, const std::vector<std::vector<double>>& p) {
  const std::size_t components = parts.components();
  parts.head = std::make_unique<heads::Softmax>(components, p.size(), heads::Bound::lse, 1.0, 0.1);
  ColumnSpec label;
  label.name = "kind";
  label.role = Role::label;
  std::vector<double> eta;
  for (std::size_t h = 0; h < p.size(); ++h) {
    label.levels.push_back("c" + std::to_string(h));
    for (const double share : p[h]) eta.push_back(std::log(share));
  }
  parts.head->set_eta(eta);
  parts.schema.sources = {SourceSpec{"data", SourceKind::table, {label}, {}}};
}

}  // namespace medley::test
