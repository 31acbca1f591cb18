// SPDX-License-Identifier: Apache-2.0
#include "evaluation_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "flags.hpp"
#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What `evaluate --json` has under "label".
Json classification_json(const LabelScores& s) {
  Json confusion = Json::array();
  const std::size_t classes = s.classes.size();
  for (std::size_t y = 0; y <= classes; ++y) {
    const auto begin = s.confusion.begin() + static_cast<std::ptrdiff_t>(y * classes);
    confusion.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(classes)));
  }
  const bool known = s.rows > s.unknown;
  return {{"column", s.column},
          {"classes", s.classes},
          {"method", s.method},
          {"rows", s.rows},
          {"unknown_class_rows", s.unknown},
          {"unlabelled_rows", s.unlabelled},
          {"accuracy", s.accuracy},
          {"accuracy_error", s.accuracy_error},
          {"log_loss", known ? Json(s.log_loss) : Json()},
          {"log_loss_error", known ? Json(s.log_loss_error) : Json()},
          {"brier", s.brier},
          {"macro_f1", s.macro_f1},
          {"baseline",
           {{"from", "scored rows"},
            {"class", s.baseline_class},
            {"accuracy", s.baseline_accuracy},
            {"log_loss", known ? Json(s.baseline_log_loss) : Json()}}},
          {"confusion", std::move(confusion)},
          {"calibration", calibration_json(s.calibration)},
          {"calibration_error", s.calibration_error}};
}

}  // namespace

std::string evaluation_json(const Evaluation& s) {
  Json out = {{"estimator", to_string(s.estimator)},
              {"reason", as_flags(s.reason)},
              {"tempered", s.tempered},
              {"rows", s.rows},
              {"empty_rows", s.empty_rows},
              {"observations", s.observations},
              {"weights", weights_json(s.weights)},
              {"log_likelihood", s.log_likelihood},
              {"standard_error", s.standard_error},
              {"sampling_error", s.sampling_error},
              {"baseline", s.baseline},
              {"above_baseline", s.above_baseline},
              {"above_baseline_error", s.above_error},
              {"perplexity", s.perplexity},
              {"log_row_perplexity", s.log_row_perplexity},
              {"mean_entropy", s.mean_entropy},
              {"poorly_drawn", s.poorly_drawn}};
  Json blocks = Json::array();
  for (const BlockScore& block : s.block) {
    blocks.push_back({{"block", block.block},
                      {"observations", block.observations},
                      {"log_likelihood", block.log_likelihood},
                      {"baseline", block.baseline},
                      {"above_baseline", block.above_baseline},
                      {"above_baseline_error", block.above_error}});
  }
  out["blocks"] = std::move(blocks);
  Json truth = Json::array();
  for (const TruthScores& t : s.truth) {
    truth.push_back({{"column", t.column},
                     {"rows", t.rows},
                     {"micro_precision", t.micro_precision},
                     {"mutual_information", t.mutual_information},
                     {"nmi", t.nmi},
                     {"accuracy", t.accuracy},
                     {"match", to_string(t.match)},
                     {"matched_on", to_string(t.matched_on)}});
  }
  out["truth"] = std::move(truth);
  if (s.label) out["label"] = classification_json(*s.label);
  if (!s.label_note.empty()) out["label_note"] = as_flags(s.label_note);
  return json_text(out);
}

}  // namespace medley::cli
