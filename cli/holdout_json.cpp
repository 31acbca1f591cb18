// SPDX-License-Identifier: Apache-2.0
#include "holdout_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Scores that no cell has are null.
Json hidden_cells_json(const CellScores& s) {
  const auto of = [](double value, std::size_t cells) { return cells > 0 ? Json(value) : Json(); };
  return {{"what", s.what},
          {"cells", s.cells},
          {"log_loss", of(s.log_loss, s.cells)},
          {"baseline_log_loss", of(s.baseline_log_loss, s.cells)},
          {"gain", of(s.baseline_log_loss - s.log_loss, s.cells)},
          {"gain_error", of(s.gain_error, s.cells)},
          {"level_cells", s.level_cells},
          {"accuracy", of(s.accuracy, s.level_cells)},
          {"baseline_accuracy", of(s.baseline_accuracy, s.level_cells)},
          {"number_cells", s.number_cells},
          {"rmse", of(s.rmse, s.number_cells)},
          {"baseline_rmse", of(s.baseline_rmse, s.number_cells)},
          {"scaled_rmse", of(s.scaled_rmse, s.number_cells)},
          {"coverage50", of(s.coverage50, s.number_cells)},
          {"coverage90", of(s.coverage90, s.number_cells)}};
}

Json flipped_json(const NoiseScores& s) {
  return {{"share", s.share},
          {"cells", s.cells},
          {"flipped", s.flipped},
          {"log_loss", s.log_loss},
          {"perplexity", std::exp(s.log_loss)},
          {"perplexity_of_rows", s.perplexity}};
}

}  // namespace

namespace {

void add_holdout(const Holdout& holdout, Json& out) {
  out["scores"] = Json::array();
  for (const CellScores& scores : holdout.scores)
    out["scores"].push_back(hidden_cells_json(scores));
  out["flip"] = Json::array();
  for (const NoiseScores& scores : holdout.flipped) out["flip"].push_back(flipped_json(scores));
}

}  // namespace

std::string holdout_json(const Holdout& holdout, const HoldoutOptions& options,
                         std::size_t repeats) {
  Json out = {{"holdout_cells", options.share}, {"seed", options.seed}, {"repeats", repeats}};
  add_holdout(holdout, out);
  return json_text(out);
}

std::string holdouts_json(const std::vector<std::pair<std::size_t, Holdout>>& holdouts,
                          const HoldoutOptions& options, std::size_t repeats) {
  Json out = {{"holdout_cells", options.share}, {"seed", options.seed}, {"repeats", repeats}};
  out["sizes"] = Json::array();
  for (const auto& [size, holdout] : holdouts) {
    Json one = {{"k", size}};
    add_holdout(holdout, one);
    out["sizes"].push_back(std::move(one));
  }
  return json_text(out);
}

}  // namespace medley::cli
