// SPDX-License-Identifier: Apache-2.0
#include "report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/error.hpp"

namespace medley::report {
namespace {

/// Puts commas between the thousands of the digits before the decimal point.
std::string with_commas(std::string text) {
  const std::size_t start = !text.empty() && text.front() == '-' ? 1 : 0;
  std::size_t end = text.find('.');
  if (end == std::string::npos) end = text.size();
  for (std::size_t at = end; at > start + 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

/// The number of decimals that show two digits of a number of this size.
int decimals_of(double scale) {
  constexpr int kMostDecimals = 6;
  return scale > 0 ? std::clamp(1 - nearest_integer_of<int>(std::floor(std::log10(scale))), 0,
                                kMostDecimals)
                   : 0;
}

}  // namespace

std::string grouped(std::size_t number) {
  return with_commas(std::to_string(number));
}

std::string grouped(double number, int decimals) {
  if (!std::isfinite(number)) return fmt::format("{}", number);
  const std::string text = fmt::format("{:.{}f}", number, decimals);
  // -0.00004 is 0.0000, not -0.0000
  return with_commas(text.find_first_of("123456789") == std::string::npos && text.front() == '-'
                         ? text.substr(1)
                         : text);
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  // 9.96 would be shown as "10.0"; from there on whole numbers
  return value > 0 && value < 9.95 ? fmt::format("{:.1f} %", value)
                                   : fmt::format("{:.0f} %", value);
}

std::string measured(double mean, double sd) {
  if (!std::isfinite(mean) || !std::isfinite(sd)) return "-";
  const int decimals = decimals_of(sd > 0 ? sd : std::abs(mean) / 10);
  return grouped(mean, decimals) + " ± " + grouped(sd, decimals);
}

std::string measured_range(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return "-";
  const int decimals = decimals_of(high > low ? high - low : std::abs(low) / 10);
  return grouped(low, decimals) + " to " + grouped(high, decimals);
}

std::string ratio(double value) {
  if (!std::isfinite(value)) return "-";
  if (value > 1000) return "> 1000";
  if (value >= 99.5) return fmt::format("{:.0f}", value);
  if (value >= 0.095) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

std::string bytes(std::size_t count) {
  const double megabytes = static_cast<double>(count) / (1024.0 * 1024.0);
  if (megabytes >= 10240) return grouped(megabytes / 1024, 1) + " GB";
  return grouped(megabytes, megabytes < 10 ? 1 : 0) + " MB";
}

std::string duration(double seconds) {
  if (!(seconds >= 0) || !std::isfinite(seconds)) return "unknown";
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = integer_of<std::size_t>(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string count(std::size_t number, const std::string& thing) {
  return grouped(number) + " " + thing + (number == 1 ? "" : "s");
}

}  // namespace medley::report
