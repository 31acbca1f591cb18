// SPDX-License-Identifier: Apache-2.0
// Numbers formatted for people: grouped thousands, percentages, sizes, durations.
#pragma once

#include <cstddef>
#include <string>

namespace medley::report {

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(std::size_t number);
/// -1234.567 with 1 decimal -> "-1,234.6"; "nan", "inf" as such.
[[nodiscard]] std::string grouped(double number, int decimals);
/// 0.3149 -> "31 %", 0.0412 -> "4.1 %", 0.00003 -> "< 0.1 %".
[[nodiscard]] std::string percent(double share);
/// A mean with its standard deviation, "71.2 ± 6.0", to two digits of the latter.
[[nodiscard]] std::string measured(double mean, double sd);
/// "1,550 to 1,664": with enough decimals to show the difference of the ends to two digits.
[[nodiscard]] std::string measured_range(double low, double high);
/// A ratio of two shares: "7.6", "120", "0.03", ">1000" past a thousand, "-" if the population has
/// none.
[[nodiscard]] std::string ratio(double value);
/// 123456789 -> "118 MB" (of 2^20 bytes).
[[nodiscard]] std::string bytes(std::size_t count);
/// 0.034 -> "0.03 s", 83 -> "1 min 23 s".
[[nodiscard]] std::string duration(double seconds);
/// count(1, "row") -> "1 row", count(2000, "row") -> "2,000 rows".
[[nodiscard]] std::string count(std::size_t number, const std::string& thing);

}  // namespace medley::report
