// SPDX-License-Identifier: Apache-2.0
// Cells put aside to be predicted. Replicates of a cell go together: one that stayed would give the
// others away.
#include <utility>

#include "core/task.hpp"

#include "core/rng.hpp"
#include "data/append_cells.hpp"
#include "data/feature_of.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "predict/places.hpp"
#include "predict/purposes.hpp"

namespace medley {
namespace {

// The same data set without cells.
Dataset emptied(const Dataset& data) {
  Dataset out = data;
  for (Block& block : out.blocks) {
    const std::size_t missing = block.missing, unseen = block.unseen;
    block = block.shape();
    block.missing = missing;
    block.unseen = unseen;
    block.row_start.reserve(data.rows + 1);
  }
  return out;
}

}  // namespace

HiddenCells hide_cells(const Dataset& data, double share, std::uint64_t seed) {
  if (!(share > 0 && share < 1)) {
    throw InputError({"share of hidden cells", "must lie between 0 and 1", "for example 0.1"});
  }
  check(data);
  HiddenCells out{emptied(data), emptied(data)};
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    core::Rng rng(seed, predict::purpose(predict::Purpose::hide), row);
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      Block& rest = out.rest.blocks[b];
      Block& hidden = out.hidden.blocks[b];
      std::size_t feature = block.features.size();
      bool hide = false;
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        if (predict::predictable(block)) {
          const std::size_t here = medley::data::feature_of(block, block.slot[c]);
          if (here != std::exchange(feature, here)) hide = rng.uniform() < share;
        }
        medley::data::append_cells(block, c, c + 1, hide ? hidden : rest);
      }
      rest.row_start.push_back(rest.slot.size());
      hidden.row_start.push_back(hidden.slot.size());
    }
  }
  return out;
}

}  // namespace medley
