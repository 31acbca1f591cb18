// SPDX-License-Identifier: Apache-2.0
// Agreement of a clustering with known classes. Hard clusters; natural logarithms.
#pragma once

#include <cstdint>
#include <span>

namespace medley::evaluation {

struct Agreement {
  std::size_t rows = 0;           ///< rows with a known class
  double micro_precision = 0;     ///< (1/n) sum over clusters of their largest class count
  double mutual_information = 0;  ///< nats
  double nmi = 0;                 ///< I / ((H(clusters) + H(classes)) / 2); 1 if both are constant
};

/// `classes` below 0 are unknown and left out.
[[nodiscard]] Agreement agreement(std::span<const std::size_t> clusters,
                                  std::span<const std::int32_t> classes);

}  // namespace medley::evaluation
