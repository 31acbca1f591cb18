// SPDX-License-Identifier: Apache-2.0
// Small questions one asks of a data set.
#include "medley/data.hpp"

namespace medley {

Block Block::shape() const {
  Block shape;
  shape.name = name;
  shape.family = family;
  shape.encoding = encoding;
  shape.features = features;
  shape.first_slot = first_slot;
  return shape;
}

double Dataset::observed(std::size_t row) const {
  double total = 0;
  for (const Block& block : blocks) {
    for (std::uint64_t cell = block.row_start[row]; cell < block.row_start[row + 1]; ++cell) {
      total += static_cast<double>(block.weight_of(cell));
    }
  }
  return total;
}

Weighting Dataset::weighting() const {
  Weighting out;
  if (row_weight.empty()) return out;
  for (const SourceSpec& source : schema.sources) {
    for (const ColumnSpec& column : source.columns) {
      if (column.role == Role::weight) out.column = column.name;
    }
  }
  if (out.column.empty()) return out;
  out.counts = schema.frequency_weights;
  for (std::size_t row = 0; row < rows; ++row) {
    out.stands_for += row_weight[row] * weight_unit;
    out.cells += observed(row);
  }
  return out;
}

const KeptColumn* Dataset::kept_column(const std::string& name) const {
  for (const KeptColumn& column : kept) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

const KeptColumn* Dataset::label() const {
  const ColumnSpec* spec = schema.label();
  return spec == nullptr ? nullptr : kept_column(spec->name);
}

}  // namespace medley
