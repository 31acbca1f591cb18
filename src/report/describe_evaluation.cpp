// SPDX-License-Identifier: Apache-2.0
// The scores of a file as a small table with a word on each number.
#include <fmt/format.h>

#include "medley/report.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"
#include "report/weights.hpp"

namespace medley {
namespace {

using report::grouped;

std::string score_row(const std::string& name, const std::string& value,
                      const std::string& remark) {
  return fmt::format("{}{}{}{}\n", report::left(name, 22), report::right(value, 16),
                     remark.empty() ? "" : "  ", remark);
}

std::string score_row(const BlockScore& block, Estimator estimator) {
  const std::string how = estimator == Estimator::completion ? "" : ", on its own";
  return score_row("  " + printable(block.block), grouped(block.above_baseline, 4),
                   fmt::format("+- {:.4f}; {} observations{}", block.above_error,
                               grouped(block.observations, 0), how));
}

std::string class_scores(const TruthScores& scores) {
  return fmt::format(
             "\nAgainst column \"{}\" ({} with a known class), by each row's top profile:\n",
             printable(scores.column), report::count(scores.rows, "row")) +
         score_row("accuracy", fmt::format("{:.4f}", scores.accuracy),
                   "profiles matched to classes on these rows: " + to_string(scores.match)) +
         score_row("micro-precision", fmt::format("{:.4f}", scores.micro_precision),
                   "share of rows in the majority class of their profile") +
         score_row("mutual information", fmt::format("{:.4f}", scores.mutual_information), "nats") +
         score_row("normalised", fmt::format("{:.4f}", scores.nmi),
                   "0: unrelated, 1: the same grouping");
}

}  // namespace

std::string describe(const Evaluation& scores) {
  std::string out;
  if (scores.label) out += describe(*scores.label) + "\n";
  if (!scores.label_note.empty()) out += printable(scores.label_note) + "\n\n";
  if (scores.observations > 0) {
    out +=
        score_row("above the baseline", grouped(scores.above_baseline, 4),
                  fmt::format("nats per observation, standard error {:.4f}", scores.above_error));
    for (const BlockScore& block : scores.block) out += score_row(block, scores.estimator);
  }
  out +=
      score_row("rows", grouped(scores.rows),
                scores.empty_rows > 0 ? grouped(scores.empty_rows) + " with nothing observed" : "");
  out += score_row("observations", grouped(scores.observations, 0),
                   "cells or words" + report::weighted_cells(scores.weights));
  out += score_row("log-likelihood", grouped(scores.log_likelihood, 2),
                   fmt::format("standard error {}", grouped(scores.standard_error, 2)));
  out += score_row("estimator", to_string(scores.estimator) + (scores.tempered ? ", tempered" : ""),
                   scores.reason);
  if (scores.sampling_error > 0) {
    out += score_row("", grouped(scores.sampling_error, 2), "standard error of the drawing alone");
  }
  out += score_row("baseline", grouped(scores.baseline, 2),
                   "every column by its share in the training data");
  if (scores.observations > 0)
    out += score_row("perplexity", grouped(scores.perplexity, 4), "per observation");
  out += score_row("log row perplexity", grouped(scores.log_row_perplexity, 4), "nats per row");
  out += score_row("membership entropy", fmt::format("{:.4f}", scores.mean_entropy),
                   "nats, mean over rows");
  if (scores.weights.used())
    out += "\n" + report::weights_sentence(scores.weights, scores.rows) + "\n";
  if (scores.poorly_drawn > 0) {
    out += fmt::format(
        "\nToo few draws: the estimates of {} rest on fewer than {:.0f} effective draws and are "
        "likely too low;\nmore `samples`, or compare by `estimator=\"completion\"`.\n",
        report::count(scores.poorly_drawn, "row"), kFewDraws);
  }
  if (scores.tempered) {
    out +=
        "\nTempered: block weights count in the observations and scores, so compare them only with "
        "scores\nunder the same weights.\n";
  }
  for (const TruthScores& each : scores.truth) out += class_scores(each);
  return out;
}

}  // namespace medley
