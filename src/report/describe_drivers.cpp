// SPDX-License-Identifier: Apache-2.0
// What drove a prediction, a phrase for each profile and cell. Names are as in the files: they go
// into tables, not to a terminal.
#include <fmt/format.h>

#include "medley/report.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"

namespace medley {

std::string describe(const ProfileDriver& driver, const Model& model,
                     const std::string& predicted) {
  return fmt::format("{} ({} of the row, {} {}): {:+.2f}", model.title(driver.component),
                     report::percent(driver.share), report::percent(driver.within), predicted,
                     driver.effect);
}

std::string describe(const CellDriver& driver, const Dataset& data) {
  const Block& block = data.blocks[driver.block];
  const Feature& feature = block.features[driver.feature];
  const std::size_t level = driver.slot - block.first_slot[driver.feature];
  std::string cell;
  switch (block.encoding) {
    case Encoding::real:
      cell = fmt::format("{} = {}", feature.name, driver.value);
      break;
    case Encoding::tokens:
      cell = feature.levels[level];
      if (driver.weight != 1) cell += fmt::format(" ({} times)", driver.weight);
      break;
    case Encoding::levels:
      cell = fmt::format("{} = {}", feature.name, report::label_of(feature, level));
      break;
  }
  return fmt::format("{}: {:+.2f} (alone {:+.2f})", cell, driver.effect, driver.alone);
}

}  // namespace medley
