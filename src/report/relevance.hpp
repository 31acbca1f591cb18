// SPDX-License-Identifier: Apache-2.0
// Words of a topic by relevance (Sievert and Shirley, 2014): a slider from what is frequent in the
// topic to what is peculiar to it,
//
//   relevance(w, k | lambda) = lambda log p(w | k) + (1 - lambda) log(p(w | k) / p(w))
//
// with p(w) the share of the word in the training data. Words that the training data does not hold
// are left out. Except at lambda = 1, words with fewer than kEnoughOccurrences expected occurrences
// in the topic (words.hpp) come after all others: else accidents would fill the other end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model.hpp"

namespace medley::report {

/// Places of the slider: lambda = 0, 0.1, ..., 1.
inline constexpr std::size_t kLambdaStops = 11;

/// The `top` most relevant slots of a component at every stop, best first; equal ones in the order
/// of the vocabulary. `size` is the component's share of all memberships.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> most_relevant(const model::ModelBlock& block,
                                                                    std::size_t component,
                                                                    double size, std::size_t top);

}  // namespace medley::report
