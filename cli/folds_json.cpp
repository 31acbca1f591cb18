// SPDX-License-Identifier: Apache-2.0
#include "folds_json.hpp"

#include <nlohmann/json.hpp>

#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

// A number, or a score over the folds; NaN becomes null when it is written.
Json fold_score(double score) {
  return score;
}
Json fold_score(std::size_t count) {
  return count;
}
Json fold_score(const OverFolds& score) {
  return {{"mean", score.mean}, {"sd", score.sd}};
}

// The same keys for the mean over the folds (FoldScores) and for one fold (FoldSide).
template <class Truth>
Json fold_truth_json(const Truth& truth) {
  return {{"accuracy", fold_score(truth.accuracy)},
          {"micro_precision", fold_score(truth.micro_precision)},
          {"mutual_information", fold_score(truth.mutual_information)},
          {"nmi", fold_score(truth.nmi)}};
}

// For one fold (LabelScores) and over the folds (FoldScores::Label).
template <class Label>
Json fold_label_json(const Label& label) {
  return {{"accuracy", fold_score(label.accuracy)},
          {"log_loss", fold_score(label.log_loss)},
          {"brier", fold_score(label.brier)},
          {"macro_f1", fold_score(label.macro_f1)}};
}

template <class Side>
Json fold_side_json(const Side& side) {
  Json quintiles = Json::array();
  for (const auto& part : side.entropy_quintile) quintiles.push_back(fold_score(part));
  Json out = {{"nats_per_cell_above_baseline", fold_score(side.above_baseline)},
              {"perplexity", fold_score(side.perplexity)},
              {"log_row_perplexity", fold_score(side.log_row_perplexity)},
              {"log_likelihood", fold_score(side.log_likelihood)},
              {"mean_entropy", fold_score(side.mean_entropy)},
              {"entropy_quintiles", std::move(quintiles)},
              {"unseen_cells", fold_score(side.unseen)}};
  if (side.truth.size() == 1) out.update(fold_truth_json(side.truth.front()));
  if (side.label) {  // "accuracy" is then that of the label
    out.update(fold_label_json(*side.label));
    out["label"] = fold_label_json(*side.label);
    out["label"]["calibration_error"] = json_number(side.label->calibration_error);
    out["label"]["calibration"] = calibration_json(side.label->calibration);
    out["label"]["column"] = side.label->column;
    out["label"]["method"] = side.label->method;
  }
  for (const auto& truth : side.truth) out["truth"][truth.column] = fold_truth_json(truth);
  return out;
}

Json one_fold_json(const FoldSide& side) {
  Json out = {{"estimator", to_string(side.estimator)},
              {"rows", side.rows},
              {"observations", side.observations}};
  out.update(fold_side_json(side));
  if (side.label) {
    out["label"]["rows"] = side.label->rows;
    out["label"]["unknown"] = side.label->unknown;
  }
  return out;
}

}  // namespace

std::string folds_json(const CrossValidation& validation, const CrossValidateOptions& options) {
  Json folds = Json::array();
  for (const Fold& fold : validation.folds)
    folds.push_back({{"fold", folds.size() + 1},
                     {"converged", fold.converged},
                     {"train", one_fold_json(fold.train)},
                     {"test", one_fold_json(fold.test)}});
  Json out = {{"estimator", to_string(validation.folds.front().test.estimator)},
              {"not_converged", validation.not_converged},
              {"stratified", validation.stratified},
              {"weights", weights_json(validation.weights)}};
  if (!options.scoring.truth.empty()) {
    out["match"] = to_string(options.scoring.match);
    out["matched_on"] = to_string(options.match_on);
  }
  out["train"] = fold_side_json(validation.train);
  out["test"] = fold_side_json(validation.test);
  out["folds"] = std::move(folds);
  return json_text(out);
}

}  // namespace medley::cli
