// SPDX-License-Identifier: Apache-2.0
// Clusters beside known classes: agreement, and which class each cluster stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "medley/evaluate.hpp"

namespace medley::evaluation {

// Agreement of a clustering with known classes. Hard clusters; natural logarithms.

struct Agreement {
  std::size_t rows = 0;           ///< rows with a known class
  double micro_precision = 0;     ///< (1/n) sum over clusters of their largest class count
  double mutual_information = 0;  ///< nats
  double nmi = 0;                 ///< I / ((H(clusters) + H(classes)) / 2); 1 if both are constant
};

/// `classes` below 0 are unknown and left out.
[[nodiscard]] Agreement agreement(std::span<const std::size_t> clusters,
                                  std::span<const std::int32_t> classes);

// Which class each cluster stands for, and how many rows are right by that.

/// Top component and class of some rows; a class below 0 is unknown.
struct Grouping {
  std::vector<std::size_t> clusters;
  std::vector<std::int32_t> classes;
  std::size_t components = 0, class_count = 0;
};

/// Of the scored rows; `rows` are their places in the column.
[[nodiscard]] Grouping grouping(const Evaluation& scores, std::size_t components,
                                const KeptColumn& column, std::span<const std::size_t> rows);

/// The class of every component, -1: none (identity: components beyond the classes; majority: a
/// component without rows of a known class; hungarian: more components than classes). Throws
/// InputError if identity lacks components.
[[nodiscard]] std::vector<std::int32_t> match_classes(const Grouping& rows, Match match);

/// All scores of these rows, their classes told by `class_of`.
[[nodiscard]] TruthScores truth_scores(const std::string& column, const Grouping& rows,
                                       std::span<const std::int32_t> class_of);

/// The kept column of a --truth option. Throws InputError if there is none.
[[nodiscard]] const KeptColumn& truth_column(const Dataset& data, const std::string& name);

}  // namespace medley::evaluation
