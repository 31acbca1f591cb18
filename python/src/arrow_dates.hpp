// SPDX-License-Identifier: Apache-2.0
// Dates and moments as texts.
#pragma once

#include <cstdint>
#include <string>

namespace medley::python {

/// 2024-02-29
std::string day_text(std::int64_t days);
/// 2024-02-29 13:05:07.25
std::string moment_text(std::int64_t ticks, std::int64_t per_second);

/// Turns a cell of whole numbers into a text: days, moments.
struct CellWriter {
  enum class Kind { day, moment } kind = Kind::day;
  std::int64_t per_second = 1, per_day = 1;

  [[nodiscard]] std::string write(std::int64_t x) const;
};

}  // namespace medley::python
