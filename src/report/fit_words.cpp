// SPDX-License-Identifier: Apache-2.0
#include "report/fit_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "report/numbers.hpp"

namespace medley::report {
namespace {

constexpr double kNear = 1e-3;
constexpr std::size_t kFewBlocks = 6;

}  // namespace

std::optional<StartAgreement> agreement_of_starts(const FitSummary& summary) {
  if (summary.best_restart >= summary.restarts.size()) return std::nullopt;
  const std::vector<TriedStart>& tried = summary.restarts[summary.best_restart].tried;
  if (tried.size() < 2 || !tried[0].name.starts_with("start ")) return std::nullopt;
  StartAgreement out{tried[0].name, tried.size(), 0, 0};
  const double best = tried[0].bound;
  for (const TriedStart& start : tried) {
    const double behind = (best - start.bound) / std::max(1.0, std::abs(best));
    if (behind <= kNear) ++out.near;
    out.farthest = std::max(out.farthest, behind);
  }
  return out;
}

std::string smoothing_values(const std::vector<double>& of_blocks) {
  if (of_blocks.size() > kFewBlocks) {
    const auto [low, high] = std::ranges::minmax_element(of_blocks);
    return fmt::format("{:.3g} to {:.3g} over {} blocks", *low, *high, of_blocks.size());
  }
  std::string out;
  for (const double each : of_blocks) out += fmt::format("{}{:.3g}", out.empty() ? "" : ", ", each);
  return out;
}

std::string weights_sentence(const Weighting& weights, std::size_t rows) {
  if (!weights.used()) return "";
  const bool same = std::abs(weights.stands_for - static_cast<double>(rows)) < 0.5;
  return fmt::format("Rows are weighted by \"{}\" ({} weights): {} stand for {}.",
                     printable(weights.column), weights.counts ? "frequency" : "sampling",
                     count(rows, "row"), same ? "as many" : grouped(weights.stands_for, 0));
}

std::string weighted_cells(const Weighting& weights) {
  if (!weights.used()) return "";
  return fmt::format(", weighted from {} cells", grouped(weights.cells, 0));
}

}  // namespace medley::report
