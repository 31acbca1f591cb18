// SPDX-License-Identifier: Apache-2.0
#include "model/cell_table.hpp"

#include <cmath>

namespace medley::model {

CellTable::CellTable(const EStepModel& model, const data::DistinctCells& cells)
    : CellTable(model.families, cells) {}

CellTable::CellTable(std::span<const families::Family* const> families,
                     const data::DistinctCells& cells)
    : components(families.front()->components()),
      likelihood(cells.data.rows * components),
      log_scale(cells.data.rows) {
  std::vector<double> row(families.front()->padded());
  for (std::size_t b = 0; b < cells.data.blocks.size(); ++b) {
    const Block& block = cells.data.blocks[b];
    for (std::size_t cell = 0; cell < cells.data.rows; ++cell) {
      if (block.row_start[cell] == block.row_start[cell + 1]) continue;
      const double scale = families[b]->likelihood_rows(block, cell, row.data());
      double sum = 0;
      for (std::size_t k = 0; k < components; ++k) sum += row[k];
      for (std::size_t k = 0; k < components; ++k) likelihood[cell * components + k] = row[k] / sum;
      log_scale[cell] = scale + std::log(sum);
    }
  }
}

}  // namespace medley::model
