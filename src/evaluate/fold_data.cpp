// SPDX-License-Identifier: Apache-2.0
#include "evaluate/fold_data.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "data/restrict_schema.hpp"
#include "data/select_rows.hpp"
#include "medley/error.hpp"
#include "model/family_catalogue.hpp"

namespace medley::evaluation {
namespace {

bool has_features(const Schema& schema) {
  return std::ranges::any_of(schema.sources, [](const SourceSpec& source) {
    return std::ranges::any_of(
        source.columns, [](const ColumnSpec& column) { return column.role == Role::feature; });
  });
}

// Reading gave sampling weights mean 1 over all rows; a file of these rows would have its own mean.
void scale_weights(Dataset& rows) {
  if (rows.row_weight.empty() || rows.schema.frequency_weights) return;
  const double total = std::accumulate(rows.row_weight.begin(), rows.row_weight.end(), 0.0);
  if (!(total > 0)) return;
  const double mean = total / static_cast<double>(rows.rows);
  for (double& weight : rows.row_weight) weight /= mean;
  rows.weight_unit *= mean;
}

}  // namespace

FoldData fold_data(const Dataset& data, std::span<const std::size_t> fold_of, std::size_t fold,
                   const VocabularyOptions& words) {
  FoldData out;
  for (std::size_t row = 0; row < data.rows; ++row)
    (fold_of[row] == fold ? out.test_rows : out.train_rows).push_back(row);
  const Dataset train = medley::data::select_rows(data, out.train_rows);
  const Schema schema = medley::data::narrowed_schema(train, words);
  if (!has_features(schema)) {
    throw InputError({"`folds`",
                      "no column varies among the " + std::to_string(train.rows) +
                          " training rows of fold " + std::to_string(fold + 1),
                      "use more rows or more folds, and `min_count=1` for text"});
  }
  const medley::data::FamilyCatalogue& catalogue = model::family_catalogue();
  out.train = medley::data::under_schema(train, schema, catalogue);
  out.train.warnings.clear();                              // they speak of all rows
  for (Block& block : out.train.blocks) block.unseen = 0;  // words left out on purpose
  out.test =
      medley::data::under_schema(medley::data::select_rows(data, out.test_rows), schema, catalogue);
  scale_weights(out.train);
  scale_weights(out.test);
  return out;
}

std::size_t fold_bytes(const Dataset& data, std::size_t components) {
  // Cells: the rows chosen, the rows renamed, their distinct ones and the transposed ones, with
  // coefficients. Rows: states, vectors, shares. Slots: parameters, statistics, tables, marginals.
  constexpr std::size_t kOfCell = 4 * (sizeof(float) + sizeof(double) + sizeof(std::uint32_t)),
                        kOfRow = 6 * sizeof(double), kOfSlot = 8 * sizeof(double);
  std::size_t cells = 0, slots = 0;
  for (const Block& block : data.blocks) {
    cells += block.cells();
    slots += block.slots();
  }
  return cells * kOfCell + (data.rows * kOfRow + slots * kOfSlot) * (components + 8);
}

}  // namespace medley::evaluation
