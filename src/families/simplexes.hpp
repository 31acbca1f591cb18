// SPDX-License-Identifier: Apache-2.0
// Tables of simplexes: what all discrete families share. A block's slots are partitioned into
// features, and under each component the probabilities of a feature's slots sum to 1:
//
//   p_sk = (sum of responsibilities of slot s + eps + c q_s) / (the same over the feature)
//
// the maximum under a Dirichlet(1 + eps + c q) prior: eps imagined observations of every slot
// (Laplace smoothing), and c distributed as the column is, q being its shares. Words, levels and
// yes/no answers differ only in the partition, in what data they accept and in how their parameters
// are shown. Free parameters: log p_sk, or any numbers whose softmax over the feature p is; the
// gradient is (responsibilities of slot s) - p_sk (the same over the feature).
// Parameters: slots x K probabilities. Cost of a likelihood row: a copy of K floats.
//
// With posteriors (dirichlet_tables.hpp) the prior is Dirichlet(eps + c q), the parameters are
// the posterior means, by the same formula, and the strengths, features x K, are its denominators.
// In minibatches the statistics are averaged lazily (lazy_average.hpp): a step costs K times the
// slots it meets, and the probabilities of the others are computed when they are next asked for.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "families/family.hpp"

namespace medley::families {

/// No probability is smaller: without smoothing an impossible answer costs 690 nats instead of
/// -infinity.
inline constexpr double kLeastProbability = 1e-300;

/// A table of more numbers than this (a megabyte in double) has likelihood rows in float too.
inline constexpr std::size_t kNarrowFrom = 131'072;

/// The discrete family of a block, starting from uniform probabilities.
[[nodiscard]] std::unique_ptr<Family> make_simplexes(const FamilyEntry& entry, const Block& shape,
                                                     std::size_t components);

/// The first slot of a feature in a family made by make_simplexes, and one past its last.
struct SlotRange {
  std::size_t begin, end;
};
[[nodiscard]] SlotRange feature_slots(const Family& family, std::size_t feature);

[[nodiscard]] std::size_t feature_count(const Family& family);

/// Empty if every probability is in (0, 1] and every feature sums to 1; else what is wrong.
[[nodiscard]] std::string invalid_simplex_reason(const Family& family);

/// {"p": K lists with one probability per slot of the feature}.
[[nodiscard]] std::vector<ExportField> probability_lists(const Family& family, std::size_t feature);

}  // namespace medley::families
