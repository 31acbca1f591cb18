// SPDX-License-Identifier: Apache-2.0
// How numbers are stored in the page: a JSON text that refers to arrays behind it, all compressed
// together and encoded in base64, which contains no markup.
//
//   u32 length of the JSON, JSON, padding to 8 bytes, arrays (little-endian, each at a multiple of
//   8)
//
// The JSON refers to an array as {"at": offset behind the JSON, "n": numbers, "type": "f4"}.
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

  /// Adds an array and returns its reference; infinities become NaN.
  [[nodiscard]] Json reals(std::span<const double> values);
  [[nodiscard]] Json bytes(std::span<const std::uint8_t> values);
  [[nodiscard]] Json wholes(std::span<const std::uint32_t> values);
  /// Adds numbers from 0 to 1, with a resolution of 1/65535.
  [[nodiscard]] Json shares(std::span<const double> values);

  /// JSON and arrays together.
  [[nodiscard]] std::string joined(const Json& json) const;

 private:
  template <class T>
  [[nodiscard]] Json add(const std::vector<T>& values, const char* type);
  std::string arrays_;
};

/// A number that JSON can hold: null for infinities and NaN.
[[nodiscard]] nlohmann::ordered_json finite(double value);
[[nodiscard]] nlohmann::ordered_json finite(std::span<const double> values);

/// gzip; equal text gives equal bytes.
[[nodiscard]] std::string compressed(std::string_view bytes);
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace medley::report
