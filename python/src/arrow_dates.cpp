// SPDX-License-Identifier: Apache-2.0
#include "arrow_dates.hpp"

#include <chrono>
#include <cstdio>

#include "text_codes.hpp"

namespace medley::python {

std::string day_text(std::int64_t days) {
  constexpr std::int64_t kMost = 10'000'000;
  if (days > kMost || days < -kMost) return shortest(days);
  const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{days}}};
  char text[48];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

std::string moment_text(std::int64_t ticks, std::int64_t per_second) {
  const std::int64_t per_day = 86400 * per_second;
  std::int64_t days = ticks / per_day, rest = ticks % per_day;
  if (rest < 0) {
    rest += per_day;
    --days;
  }
  const std::int64_t second = rest / per_second, part = rest % per_second;
  char text[64];
  std::snprintf(text, sizeof text, " %02d:%02d:%02d", static_cast<int>(second / 3600),
                static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
  std::string out = day_text(days) + text;
  if (part == 0) return out;
  std::string digits = shortest(part + per_second).substr(1);  // with leading zeros
  while (digits.back() == '0') digits.pop_back();
  return out + "." + digits;
}

std::string CellWriter::write(std::int64_t x) const {
  if (kind == Kind::moment) return moment_text(x, per_second);
  return day_text(x >= 0 ? x / per_day : -((-x + per_day - 1) / per_day));
}

}  // namespace medley::python
