// SPDX-License-Identifier: Apache-2.0
#include "cells_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "csv.hpp"
#include "medley/error.hpp"

namespace medley::cli {
namespace {

const Feature& feature_of(const Dataset& data, const CellPrediction& cell) {
  return data.blocks[cell.place.block].features[cell.place.feature];
}

/// A number with no more digits than are worth reading: to a thousandth of its own size or of its
/// standard deviation, whichever is smaller.
std::string rounded(double value, double sd, int most_decimals) {
  constexpr int kMostDecimals = 15;
  const double size = std::min(std::abs(value), sd);
  if (!(size > 0) || !std::isfinite(size)) return fmt::format("{}", value);
  int decimals = 3 - nearest_integer_of<int>(std::floor(std::log10(size)));
  if (most_decimals > 0) decimals = std::min(decimals, most_decimals);
  if (decimals > kMostDecimals) return fmt::format("{}", value);
  std::string text = fmt::format("{:.{}f}", value, std::max(decimals, 0));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// A number as the column writes its own.
std::string in_style(double value, double sd, const NumberStyle& style) {
  // + 0.0: no "-0"
  if (style.round) return fmt::format("{:.0f}", std::round(value) + 0.0);
  std::string text = rounded(value, sd, style.most_decimals);
  std::replace(text.begin(), text.end(), '.', style.decimal);
  return text;
}

}  // namespace

NumberStyle style_of(const std::vector<std::string_view>& texts, char decimal) {
  constexpr int kAnyDecimals = 100;
  NumberStyle style;
  style.decimal = decimal;
  for (const std::string_view text : texts) {
    const std::size_t mark = text.find(decimal);
    // an exponent, or the other mark before the decimals: no number of digits is usual
    const bool other =
        text.find_first_of("eE") != text.npos ||
        (mark == text.npos && text.find_first_of(".,") != text.npos && decimal == '.');
    const int decimals = other               ? kAnyDecimals
                         : mark == text.npos ? 0
                                             : static_cast<int>(text.size() - mark - 1);
    style.most_decimals = std::max(style.most_decimals, decimals);
  }
  return style;
}

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

void write_unknown(const std::string& id, const std::string& column, Output& output) {
  CsvLine line;
  line.add(id).add(column);
  for (int field = 0; field < 7; ++field) line.add("NA");
  output.write(line.take());
}

std::string best_text(const Dataset& data, const CellPrediction& cell, const NumberStyle& style) {
  if (!cell.probability.empty()) return feature_of(data, cell).levels[cell.mode()];
  if (cell.whole) return fmt::format("{}", cell.quantile[1]);
  return in_style(cell.mean, cell.sd, style);
}

std::string drawn_text(const Dataset& data, const CellPrediction& cell, std::size_t m,
                       const NumberStyle& style) {
  const double drawn = cell.draw[m];
  if (!cell.probability.empty())
    return feature_of(data, cell).levels[integer_of<std::size_t>(drawn)];
  return cell.whole ? fmt::format("{}", drawn) : in_style(drawn, cell.sd, style);
}

}  // namespace medley::cli
