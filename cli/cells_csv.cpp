// SPDX-License-Identifier: Apache-2.0
#include "cells_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "csv.hpp"

namespace medley::cli {
namespace {

const Feature& feature_of(const Dataset& data, const CellPrediction& cell) {
  return data.blocks[cell.place.block].features[cell.place.feature];
}

/// A number with no more digits than are worth reading: to a thousandth of its own size or of its
/// standard deviation, whichever is smaller.
std::string rounded(double value, double sd) {
  constexpr int kMostDecimals = 15;
  const double size = std::min(std::abs(value), sd);
  if (!(size > 0) || !std::isfinite(size)) return fmt::format("{}", value);
  const int decimals = 3 - static_cast<int>(std::floor(std::log10(size)));
  if (decimals > kMostDecimals) return fmt::format("{}", value);
  std::string text = fmt::format("{:.{}f}", value, std::max(decimals, 0));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

void write_cells(const Dataset& data, const std::vector<CellPrediction>& cells, Output& output) {
  CsvLine line;
  for (const CellPrediction& cell : cells) {
    const std::string id = data.id_of(cell.place.row);
    const Feature& feature = feature_of(data, cell);
    for (std::size_t r = 0; r < cell.probability.size(); ++r) {
      line.add(id).add(feature.name).add(feature.levels[r]).add(cell.probability[r]);
      for (int empty = 0; empty < 5; ++empty) line.add("");
      output.write(line.take());
    }
    if (!cell.probability.empty()) continue;
    line.add(id).add(feature.name).add("").add("").add(cell.mean).add(cell.sd);
    for (const double q : cell.quantile) line.add(q);
    output.write(line.take());
  }
}

std::string best_text(const Dataset& data, const CellPrediction& cell) {
  if (!cell.probability.empty()) return feature_of(data, cell).levels[cell.mode()];
  if (cell.whole) return fmt::format("{}", cell.quantile[1]);
  return rounded(cell.mean, cell.sd);
}

std::string drawn_text(const Dataset& data, const CellPrediction& cell, std::size_t m) {
  const double drawn = cell.draw[m];
  if (!cell.probability.empty())
    return feature_of(data, cell).levels[static_cast<std::size_t>(drawn)];
  return cell.whole ? fmt::format("{}", drawn) : rounded(drawn, cell.sd);
}

}  // namespace medley::cli
