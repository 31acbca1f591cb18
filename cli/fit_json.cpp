// SPDX-License-Identifier: Apache-2.0
#include "fit_json.hpp"

#include <nlohmann/json.hpp>

#include "flags.hpp"
#include "medley/report.hpp"
#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

Json fitted_block_json(const Block& block) {
  return {{"name", block.name},      {"family", block.family}, {"features", block.features.size()},
          {"levels", block.slots()}, {"cells", block.cells()}, {"missing", block.missing},
          {"unseen", block.unseen}};
}

Json chosen_json(const ChosenOptions& choice) {
  Json tried = Json::array();
  for (const Tried& t : choice.tried) {
    tried.push_back({{"option", flag_of(t.option)},
                     {"value", t.value},
                     {"accuracy", t.accuracy},
                     {"accuracy_error", t.accuracy_error},
                     {"log_loss", t.log_loss},
                     {"log_loss_error", t.log_loss_error},
                     {"chosen", t.chosen}});
  }
  return {{"rows", choice.rows}, {"fits", choice.fits}, {"tried", std::move(tried)}};
}

}  // namespace

std::string fit_json(const Model& model, const Dataset& data, const ChosenOptions& choice,
                     const std::string& model_file) {
  const FitSummary& s = model.summary();
  Json out = {{"model_file", model_file},
              {"model", model.preset()},
              {"membership", model.membership()},
              {"inference", model.inference()},
              {"components", model.components()},
              {"converged", s.termination == Termination::converged},
              {"termination", in_words(s.termination)},
              {"iterations", s.iterations},
              {"bound", s.bound},
              {s.leave_one_out ? "leave_one_out" : "penalised_bound", s.penalised_bound},
              {"exact", s.exact},
              {"rows", s.rows},
              {"empty_rows", s.empty_rows},
              {"observations", s.observations},
              {"weights", weights_json(s.weights)},
              {"sizes", model.sizes()},
              {model.prior_name(), model.prior()},
              {"best_restart", s.best_restart + 1}};
  if (s.training_bound) out["training_bound"] = *s.training_bound;
  if (s.scored_rows > 0) {
    out["scored_rows"] = s.scored_rows;
    out["bound_error"] = s.bound_error;
  }
  if (s.steps > 0) out["steps"] = s.steps;
  if (!s.smoothing.empty()) out["smoothing"] = s.smoothing;
  if (s.earlier.updates > 0) {
    out["updates"] = s.earlier.updates;
    out["rows_before"] = s.earlier.rows;
    out["observations_before"] = s.earlier.observations;
  }
  if (s.exact) {  // "bound" is no bound then, and stays for programs that read it
    out["log_likelihood"] = s.bound;
    out["log_likelihood_error"] = 0.0;
  }
  if (s.log_likelihood) {
    out["log_likelihood"] = *s.log_likelihood;
    out["log_likelihood_error"] = s.log_likelihood_error;
  }
  if (!s.why_inference.empty()) out["why_inference"] = as_flags(s.why_inference);
  Json restarts = Json::array();
  for (const RestartTrace& restart : s.restarts) {
    restarts.push_back({{"termination", in_words(restart.termination)},
                        {s.leave_one_out ? "leave_one_out" : "penalised_bound", restart.bound}});
    for (const TriedStart& start : restart.tried)
      restarts.back()["tried"].push_back({{"name", start.name},
                                          {"iterations", start.iterations},
                                          {"penalised_bound", start.bound}});
  }
  out["restarts"] = std::move(restarts);
  Json blocks = Json::array();
  for (const Block& block : data.blocks) blocks.push_back(fitted_block_json(block));
  out["blocks"] = std::move(blocks);
  if (!choice.tried.empty()) out["chosen"] = chosen_json(choice);
  out["warnings"] = as_flags(s.warnings);
  out["data_warnings"] = as_flags(data.warnings);
  if (!data.notes.empty()) out["data_notes"] = as_flags(data.notes);
  Json unknown = Json::array();
  for (const Unknown& u : data.unknown)
    unknown.push_back({{"block", u.block}, {"name", u.name}, {"count", u.count}});
  if (!unknown.empty()) out["unknown"] = std::move(unknown);
  if (!data.extra.empty()) out["extra_columns"] = data.extra;
  out["seconds"] = s.seconds;
  out["peak_bytes"] = s.peak_bytes;
  if (s.rows_learnt > 0) {
    out["rows_learnt"] = s.rows_learnt;
    out["seconds_learning"] = s.seconds_learning;
  }
  return json_text(out);
}

}  // namespace medley::cli
