// SPDX-License-Identifier: Apache-2.0
// What drove a prediction, a phrase for each profile and cell. Names are as in the files: they go
// into tables, not to a terminal.
#include <fmt/format.h>

#include "medley/inspect.hpp"
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
  switch (block.encoding) {
    case Encoding::real:
      return fmt::format("{} = {}: {:+.2f}", feature.name, driver.value, driver.effect);
    case Encoding::tokens:
      if (driver.weight != 1)
        return fmt::format("{} ({} times): {:+.2f}", feature.levels[level], driver.weight,
                           driver.effect);
      return fmt::format("{}: {:+.2f}", feature.levels[level], driver.effect);
    case Encoding::levels:
      break;
  }
  return fmt::format("{} = {}: {:+.2f}", feature.name, report::label_of(feature, level),
                     driver.effect);
}

}  // namespace medley
