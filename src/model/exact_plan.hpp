// SPDX-License-Identifier: Apache-2.0
// How exact inference goes about a data set (model/exact_estep.hpp has the mathematics). The
// likelihood of a row is a sum over paths through the lattice of counts, one observation per layer.
// Rows that begin alike share the messages that come up from layer 0, rows that end alike share
// those that come down from the last layer, and each row costs one inner product where the two
// meet. 21,574 people answering 16 yes/no items have at most 256 different first halves and as many
// second ones: a hundredth of the work of one row after the other.
//
// A plan says which rows are taken together (a chunk), in which layer its halves meet, and holds
// the two trees of shared beginnings and ends. Chunks depend on the data only, never on the
// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/distinct.hpp"
#include "medley/data.hpp"

namespace medley::model {

/// Nodes of a tree at one distance from its root; each hangs on a node of the level before.
struct TreeLevel {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> code;  ///< the observation that leads to it: a row of distinct cells

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
  double bytes = 0;                            ///< of messages
};

struct ExactPlan {
  std::size_t components = 0;
  std::size_t depth = 0;  ///< observations of the longest row
  data::DistinctCells cells;
  std::vector<ExactChunk> chunks;  ///< rows without observations are in none
  double steps = 0;                ///< multiply-adds of one E-step; infinite: not possible
  double bytes = 0;                ///< working memory of one thread, and of the lattice
  /// Why it is not possible, in words; empty if it is.
  std::string objection;
};

/// Equal rows should have been folded (data/distinct.hpp). A plan that is not possible, or
/// whose steps exceed `most_steps`, has no chunks.
[[nodiscard]] ExactPlan plan_exact(const Dataset& data, std::size_t components, double most_steps);

}  // namespace medley::model
