// SPDX-License-Identifier: Apache-2.0
#include "evaluate/row_observations.hpp"

namespace medley::evaluation {

void RowObservations::gather(std::span<const families::Family* const> families, const Dataset& data,
                             std::size_t row) {
  components = families.front()->components();
  padded = families.front()->padded();
  weight.clear();
  log_scale = 0;
  total = 0;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    const std::size_t first = weight.size();
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      weight.push_back(static_cast<double>(block.weight_of(c)));
      total += weight.back();
    }
    rows.resize(weight.size() * padded);
    log_scale += families[b]->likelihood_rows(block, row, rows.data() + first * padded);
  }
}

}  // namespace medley::evaluation
