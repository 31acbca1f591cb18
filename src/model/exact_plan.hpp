// SPDX-License-Identifier: Apache-2.0
// The plan of exact inference for a data set (model/exact_estep.hpp has the mathematics). The
// likelihood of a row is a sum over paths through the lattice of counts, one observation per layer.
// Rows that begin alike share the messages up from layer 0, rows that end alike share those down
// from the last layer, and each row costs one inner product where the two meet. 21,574 people
// answering 16 yes/no items have at most 256 different first halves and as many second ones: a
// hundredth of the work of solving one row after the other.
//
// A plan says which rows are computed together (a chunk), in which layer their halves meet, and
// holds the two trees of shared beginnings and ends. The chunks depend only on the data, not on the
// number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/distinct.hpp"
#include "medley/data.hpp"

namespace medley::model {

/// Nodes of a tree at one distance from its root; each has a parent in the level before.
struct TreeLevel {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> code;  ///< the observation on the edge to it: a row of distinct cells

  [[nodiscard]] std::size_t nodes() const { return parent.size(); }
};

/// Rows of one size that are computed together.
struct ExactChunk {
  std::size_t size = 0;                        ///< observations of each row, m
  std::size_t meeting = 0;                     ///< the layer where beginnings and ends meet
  std::vector<TreeLevel> beginnings;           ///< levels 1 .. meeting: layer = level
  std::vector<TreeLevel> ends;                 ///< levels 1 .. m - meeting: layer = m - level
  std::vector<std::uint32_t> row;              ///< of the data
  std::vector<std::uint32_t> begins, ends_at;  ///< per row: its node at the meeting layer
  double steps = 0;                            ///< multiply-adds of one E-step
  double bytes = 0;                            ///< memory of its messages
};

struct ExactPlan {
  std::size_t components = 0;
  std::size_t depth = 0;  ///< observations of the longest row
  data::DistinctCells cells;
  std::vector<ExactChunk> chunks;  ///< without the rows that have no observations
  double steps = 0;                ///< multiply-adds of one E-step; infinite: not possible
  double bytes = 0;                ///< working memory of one thread, and of the lattice
  /// Why exact inference is not possible, in words; empty if it is.
  std::string objection;
};

/// Fold equal rows first (data/distinct.hpp). If the plan is not possible, or needs more than
/// `most_steps`, it has no chunks.
[[nodiscard]] ExactPlan plan_exact(const Dataset& data, std::size_t components, double most_steps);

}  // namespace medley::model
