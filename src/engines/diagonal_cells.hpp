// SPDX-License-Identifier: Apache-2.0
// The cells of a data set cut into P x P pieces, P groups of rows by P groups of slots: in
// sub-round s = 0 .. P-1 row group p meets slot group (p + s) mod P, so that the P pieces of a
// sub-round share no row and no slot, and every piece has been visited once after P sub-rounds.
// Threads can then update the counts of rows and slots in place. P is fixed: results do not depend
// on the number of threads.
//
// Groups are runs of neighbours with about the same number of cells each. A feature of levels is
// never cut, so that its total belongs to one group; the words of a vocabulary are. Slots of all
// blocks are in one numbering, block after block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "medley/data.hpp"

namespace medley::engines {

struct DiagonalCells {
  /// P. More groups leave more of the totals stale in a sub-round, fewer keep fewer threads busy.
  static constexpr std::size_t kGroups = 8;

  /// The cells of one row within a piece.
  struct Run {
    std::uint32_t row;
    std::uint32_t count;
  };

  // Per cell, piece after piece, row after row:
  std::vector<std::uint32_t> slot;
  std::vector<float> weight;
  std::vector<Run> runs;                   ///< piece after piece
  std::vector<std::uint64_t> first_run;    ///< pieces + 1
  std::vector<std::uint64_t> first_cell;   ///< pieces + 1
  std::vector<std::uint32_t> first_slot;   ///< blocks + 1: where a block's slots begin
  std::vector<std::uint32_t> simplex;      ///< per slot: the feature it belongs to, all blocks
  std::vector<std::uint8_t> shared;        ///< per feature: several slot groups have a part in it
  std::vector<std::uint32_t> row_groups;   ///< P + 1: where the groups begin
  std::vector<std::uint32_t> slot_groups;  ///< P + 1

  explicit DiagonalCells(const Dataset& data);

  [[nodiscard]] std::size_t slots() const { return simplex.size(); }
  [[nodiscard]] std::size_t features() const { return shared.size(); }
  /// Its place among the pieces.
  [[nodiscard]] static constexpr std::size_t piece(std::size_t row_group, std::size_t slot_group) {
    return row_group * kGroups + slot_group;
  }

 private:
  void number_slots(const Dataset& data);
  void add_run(const Dataset& data, std::uint32_t row, std::size_t slot_group);
};

}  // namespace medley::engines
