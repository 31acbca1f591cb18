// SPDX-License-Identifier: Apache-2.0
// A CSV of row, item, value: a rating log. The columns are found by name (user or row, item, value)
// if all three are there, else they are the first three. Other columns are left out with a warning.
// The row and the item must not be empty; the value may be missing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "data/formats/csv.hpp"
#include "data/raw.hpp"

namespace medley::data {

struct TripletOptions {
  std::optional<char> delimiter = {};            ///< none: found in the header
  IsMissing is_missing = {};                     ///< of values; none: only the empty one is missing
  std::size_t memory_limit = 0;                  ///< bytes; 0: none
  std::vector<std::string>* warnings = nullptr;  ///< where to say what was left out
};

[[nodiscard]] RawTriplets read_triplets(core::ByteSource& source, const TripletOptions& options);

}  // namespace medley::data
