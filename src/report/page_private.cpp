// SPDX-License-Identifier: Apache-2.0
// The model for a page that shows nothing about a single row. Words, items, levels and classes that
// fewer than `least` rows have lose their names and their counts, by which a page ranks and lists
// them. Levels and items are counted by the cells of the training data. Words are counted by the
// rows that have them, if the data of the page are the training data, else by their occurrences.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/model.hpp"
#include "report/page_parts.hpp"

namespace medley::report {
namespace {

// The number of rows that have each slot.
std::vector<double> rows_with(const Block& block, std::size_t rows) {
  std::vector<double> out(block.slots());
  std::vector<std::size_t> last(block.slots(), rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::uint64_t cell = block.row_start[row]; cell < block.row_start[row + 1]; ++cell) {
      const std::uint32_t slot = block.slot[cell];
      if (last[slot] != row) out[slot] += 1;
      last[slot] = row;
    }
  }
  return out;
}

void hide_names(model::ModelBlock& block, const std::vector<double>& rows, double least) {
  Block& shape = block.shape;
  const bool numbers = shape.encoding == Encoding::real;
  for (std::size_t f = 0; f < shape.features.size(); ++f) {
    Feature& feature = shape.features[f];
    const std::size_t begin = shape.first_slot[f], end = shape.first_slot[f + 1];
    double all = 0;
    for (std::size_t slot = begin; slot < end; ++slot) {
      all += rows[slot];
      if (rows[slot] >= least) continue;
      block.total[slot] = 0;
      if (numbers) continue;
      feature.levels[slot - begin].clear();
      if (!feature.labels.empty()) feature.labels[slot - begin].clear();
    }
    if (all >= least || shape.encoding == Encoding::tokens) continue;
    feature.name.clear();
    feature.title.clear();
  }
}

// The number of rows of every class: from the data if their labels are known, else from the model.
std::vector<double> rows_of_classes(const Model& model, const Dataset* data) {
  const model::Parts& parts = model.parts();
  const std::vector<std::string>& classes = parts.schema.label()->levels;
  std::vector<double> out(classes.size());
  const KeptColumn* column = data != nullptr ? data->label() : nullptr;
  if (column != nullptr && column->levels == classes) {
    for (const std::int32_t code : column->code) {
      if (code >= 0) out[static_cast<std::size_t>(code)] += 1;
    }
    return out;
  }
  const auto logs = parts.head->log_probability();
  for (std::size_t c = 0; c < out.size(); ++c) {
    for (std::size_t k = 0; k < parts.components(); ++k)
      out[c] += std::exp(logs[c * parts.components() + k]) * parts.sizes[k] *
                static_cast<double>(parts.summary.rows);
  }
  return out;
}

void hide_classes(const std::vector<double>& rows, double least,
                  std::vector<std::string>& classes) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (rows[c] < least) classes[c] = kFewRows;
  }
}

}  // namespace

Model without_rare_names(const Model& model, const Dataset* data, std::size_t least) {
  const auto parts = model.parts().clone();
  const auto limit = static_cast<double>(least);
  const bool same_rows = data != nullptr && data->rows == parts->summary.rows;
  for (std::size_t b = 0; b < parts->blocks.size(); ++b) {
    model::ModelBlock& block = parts->blocks[b];
    // nothing is known of topics that were imported without their documents
    if (std::accumulate(block.total.begin(), block.total.end(), 0.0) == 0) continue;
    const bool count = same_rows && block.shape.encoding == Encoding::tokens;
    hide_names(block, count ? rows_with(data->blocks[b], data->rows) : block.total, limit);
  }
  if (parts->head) {
    for (SourceSpec& source : parts->schema.sources) {
      for (ColumnSpec& column : source.columns) {
        if (column.role == Role::label)
          hide_classes(rows_of_classes(model, data), limit, column.levels);
      }
    }
  }
  return Model(parts);
}

LabelScores without_rare_classes(const LabelScores& scores, const Model& model, const Dataset& data,
                                 std::size_t least) {
  LabelScores out = scores;
  const auto limit = static_cast<double>(least);
  const std::vector<double> rows = rows_of_classes(model, &data);
  if (rows.size() == out.classes.size()) hide_classes(rows, limit, out.classes);
  const auto& known = model.parts().schema.label()->levels;
  const auto base = std::ranges::find(known, out.baseline_class);
  if (base != known.end() && rows[static_cast<std::size_t>(base - known.begin())] < limit)
    out.baseline_class = kFewRows;
  std::erase_if(out.calibration, [&](const CalibrationBin& bin) {
    return bin.rows > 0 && static_cast<double>(bin.rows) < limit;
  });
  return out;
}

}  // namespace medley::report
