// SPDX-License-Identifier: Apache-2.0
// Treatments of a data set before it is modelled, as the papers did: see medley/io.hpp. Each adds
// a line to Schema::treatments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "data/catalogue.hpp"
#include "medley/io.hpp"

namespace medley::data {

[[nodiscard]] Dataset binarised(const Dataset& data, const std::string& rule,
                                const FamilyCatalogue& catalogue);
[[nodiscard]] Dataset without_sparse(const Dataset& data, std::size_t min_row,
                                     std::size_t min_column, const FamilyCatalogue& catalogue);
[[nodiscard]] Dataset sampled(const Dataset& data, std::size_t rows, std::uint64_t seed);
[[nodiscard]] Dataset ones_as_words(const Dataset& data, const FamilyCatalogue& catalogue);

/// All of them in the documented order.
[[nodiscard]] Dataset treated(const Dataset& data, const Treatment& treatment,
                              const FamilyCatalogue& catalogue);

}  // namespace medley::data
