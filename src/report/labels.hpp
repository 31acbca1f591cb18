// SPDX-License-Identifier: Apache-2.0
// What reports call a level: its label where the schema has one, else the level as written.
#pragma once

#include <cstddef>
#include <string>

#include "medley/data.hpp"

namespace medley::report {

[[nodiscard]] inline const std::string& label_of(const Feature& feature, std::size_t level) {
  return feature.labels.empty() ? feature.levels[level] : feature.labels[level];
}

}  // namespace medley::report
