// SPDX-License-Identifier: Apache-2.0
#include "folds_json.hpp"

#include <nlohmann/json.hpp>

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

// A number, or a score over the folds; NaN becomes null when it is written.
Json json_of(double score) {
  return score;
}
Json json_of(std::size_t count) {
  return count;
}
Json json_of(const OverFolds& score) {
  return {{"mean", score.mean}, {"sd", score.sd}};
}

// The same keys for the mean over the folds (FoldScores) and for one fold (FoldSide).
template <class Truth>
Json truth_json(const Truth& truth) {
  return {{"accuracy", json_of(truth.accuracy)},
          {"micro_precision", json_of(truth.micro_precision)},
          {"mutual_information", json_of(truth.mutual_information)},
          {"nmi", json_of(truth.nmi)}};
}

// For one fold (LabelScores) and over the folds (FoldScores::Label).
template <class Label>
Json label_json(const Label& label) {
  return {{"accuracy", json_of(label.accuracy)},
          {"log_loss", json_of(label.log_loss)},
          {"brier", json_of(label.brier)},
          {"macro_f1", json_of(label.macro_f1)}};
}

template <class Side>
Json side_json(const Side& side) {
  Json quintiles = Json::array();
  for (const auto& part : side.entropy_quintile) quintiles.push_back(json_of(part));
  Json out = {{"nats_per_cell_above_baseline", json_of(side.above_baseline)},
              {"perplexity", json_of(side.perplexity)},
              {"log_row_perplexity", json_of(side.log_row_perplexity)},
              {"log_likelihood", json_of(side.log_likelihood)},
              {"mean_entropy", json_of(side.mean_entropy)},
              {"entropy_quintiles", std::move(quintiles)},
              {"unseen_cells", json_of(side.unseen)}};
  if (side.truth.size() == 1) out.update(truth_json(side.truth.front()));
  if (side.label) {  // "accuracy" is then that of the label
    out.update(label_json(*side.label));
    out["label"] = label_json(*side.label);
    out["label"]["column"] = side.label->column;
    out["label"]["method"] = side.label->method;
  }
  for (const auto& truth : side.truth) out["truth"][truth.column] = truth_json(truth);
  return out;
}

Json fold_json(const FoldSide& side) {
  Json out = {{"estimator", to_string(side.estimator)},
              {"rows", side.rows},
              {"observations", side.observations}};
  out.update(side_json(side));
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
                     {"train", fold_json(fold.train)},
                     {"test", fold_json(fold.test)}});
  Json out = {{"estimator", to_string(validation.folds.front().test.estimator)},
              {"not_converged", validation.not_converged}};
  if (!options.scoring.truth.empty()) {
    out["match"] = to_string(options.scoring.match);
    out["matched_on"] = to_string(options.match_on);
  }
  out["train"] = side_json(validation.train);
  out["test"] = side_json(validation.test);
  out["folds"] = std::move(folds);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace medley::cli
