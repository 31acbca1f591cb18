// SPDX-License-Identifier: Apache-2.0
// Texts as codes into a list of the different ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "medley/io.hpp"

namespace medley::python {

/// The different texts met so far, each with its code; a hash table with open addressing.
class TextCodes {
 public:
  /// The code of the text, a new one if it is new.
  std::uint32_t code(std::string_view text);
  [[nodiscard]] std::vector<std::string>& texts() { return texts_; }

 private:
  void grow();

  std::vector<std::string> texts_;
  std::vector<std::uint64_t> hash_;   ///< of each text
  std::vector<std::uint32_t> place_;  ///< code + 1, or 0: free; a power of two of places
};

/// The shortest text that reads back: 5, 0.1.
std::string shortest(double number);
std::string shortest(std::int64_t number);
std::string shortest(std::uint64_t number);

/// The largest whole number up to which a double holds every one.
inline constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;

/// A column of numbers as texts; NaN is missing.
TextColumn as_texts(const NumberColumn& numbers);

}  // namespace medley::python
