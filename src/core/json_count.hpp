// SPDX-License-Identifier: Apache-2.0
// Counts in JSON texts of files that others may have made. The parser's own conversion casts
// whatever number it finds, and a cast of -1 or 1e308 to a size is undefined.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace medley::core {

/// A whole number, written as one or with a point (3 or 3.0, below 2^53). Throws what the parser
/// throws where there is no number, std::out_of_range for others.
template <class Json>
[[nodiscard]] std::size_t count_of(const Json& json) {
  if (json.is_number_unsigned()) return json.template get<std::size_t>();
  constexpr double kMost = 9007199254740992.0;  // 2^53
  const auto number = json.template get<double>();
  if (!(number >= 0 && number < kMost)) throw std::out_of_range("a count");
  const auto count = static_cast<std::size_t>(number);
  if (static_cast<double>(count) != number) throw std::out_of_range("a count");
  return count;
}

template <class Json>
[[nodiscard]] std::vector<std::size_t> counts_of(const Json& json) {
  if (!json.is_array()) throw std::out_of_range("a list of counts");
  std::vector<std::size_t> out;
  for (const Json& one : json) out.push_back(count_of(one));
  return out;
}

}  // namespace medley::core
