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

#include "core/aligned.hpp"
#include "kernels/collapsed.hpp"
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

// The responsibilities of the cells in collapsed inference, cells x padded K: in float, or in half
// precision where there are so many that a sweep would spend its time fetching them. They decide
// only what an observation takes out of the counts before it is dealt out anew, and the counts, in
// float, are their sums either way.

class PhiStore {
 public:
  /// More numbers than this are kept in half precision.
  static constexpr std::size_t kHalfFrom = 8'000'000;

  /// All 0.
  void resize(std::size_t cells, std::size_t padded, std::size_t half_from);
  void clear();
  [[nodiscard]] bool empty() const { return cells_ == 0; }
  [[nodiscard]] bool half() const { return !half_.empty(); }

  void put(std::size_t cell, const float* phi);
  void get(std::size_t cell, float* phi) const;
  /// As the kernel wants those from `cell` on.
  void show(std::size_t cell, kernels::CollapsedCells& to);

  [[nodiscard]] std::vector<float> all() const;
  /// As they are kept, for a file: two of half precision in the room of a float.
  [[nodiscard]] std::vector<float> packed() const;
  [[nodiscard]] std::size_t packed_size() const;
  void restore_packed(const std::vector<float>& values);
  /// Sizes must be alike; exact for what all() gave.
  void restore(const std::vector<float>& values);

 private:
  std::size_t cells_ = 0, padded_ = 0;
  core::AlignedVector<float> float_;
  core::AlignedVector<kernels::Half> half_;
};

}  // namespace medley::engines
