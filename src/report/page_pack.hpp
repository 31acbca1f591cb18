// SPDX-License-Identifier: Apache-2.0
// How numbers travel inside the page: a JSON text that refers to arrays behind it, all compressed
// once and written in base64, so that nothing in it can be taken for markup.
//
//   u32 length of the JSON, JSON, padding to 8 bytes, arrays (little-endian, each at a multiple of
//   8)
//
// An array is mentioned as {"at": offset behind the JSON, "n": numbers, "type": "f4"}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace medley::report {

class Pack {
 public:
  using Json = nlohmann::ordered_json;

  /// The mention of an array; numbers that are none become NaN.
  [[nodiscard]] Json reals(std::span<const double> values);
  [[nodiscard]] Json bytes(std::span<const std::uint8_t> values);
  [[nodiscard]] Json wholes(std::span<const std::uint32_t> values);
  /// Numbers from 0 to 1, to 1/65535.
  [[nodiscard]] Json shares(std::span<const double> values);

  /// JSON and arrays together.
  [[nodiscard]] std::string joined(const Json& json) const;

 private:
  template <class T>
  [[nodiscard]] Json add(const std::vector<T>& values, const char* type);
  std::string arrays_;
};

/// A number that JSON can hold: null for infinities and what is no number.
[[nodiscard]] nlohmann::ordered_json finite(double value);
[[nodiscard]] nlohmann::ordered_json finite(std::span<const double> values);

/// gzip; the same bytes for the same text.
[[nodiscard]] std::string compressed(std::string_view bytes);
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace medley::report
