// SPDX-License-Identifier: Apache-2.0
#include "cross_validate.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "medley/error.hpp"
#include "medley/inspect.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const OverFolds& score) {
  return {{"mean", score.mean}, {"sd", score.sd}};
}

Json json_of(const FoldScores& scores) {
  Json out = {{"perplexity", json_of(scores.perplexity)},
              {"log_likelihood", json_of(scores.log_likelihood)},
              {"nats_per_cell_above_baseline", json_of(scores.above_baseline)}};
  for (const FoldScores::Truth& truth : scores.truth) {
    out["micro_precision"] = json_of(truth.micro_precision);
    out["mutual_information"] = json_of(truth.mutual_information);
    out["nmi"] = json_of(truth.nmi);
  }
  return out;
}

std::string folds_json(const CrossValidation& validation) {
  const Json out = {{"folds", validation.folds},
                    {"estimator", to_string(validation.estimator)},
                    {"not_converged", validation.not_converged},
                    {"train", json_of(validation.train)},
                    {"test", json_of(validation.test)}};
  return out.dump(2) + "\n";
}

}  // namespace

int run_folds(const Dataset& data, const FitOptions& fitting, const FoldsArguments& arguments) {
  if (arguments.scoring.truth.size() > 1)
    throw InputError({"--truth", "cross-validation compares with one column", "name it once"});
  ProgressLine progress(arguments.quiet);
  const StopRequest stop;
  FitHooks hooks;
  hooks.progress = [&](const Progress& step) { progress.show(step); };
  hooks.stop = stop.flag();
  const CrossValidation validation =
      cross_validate(data, fitting, arguments.folds, arguments.scoring, hooks);
  progress.finish();
  if (validation.interrupted) {
    print_note(fmt::format("interrupted after {} of {} folds; nothing is reported",
                           validation.folds, arguments.folds));
    return kInterrupted;
  }
  write_text("", arguments.json ? folds_json(validation) : describe(validation));
  return kDone;
}

}  // namespace medley::cli
