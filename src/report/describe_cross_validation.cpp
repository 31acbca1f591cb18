// SPDX-License-Identifier: Apache-2.0
// Cross-validation as a small table: train beside test, mean and standard deviation over the folds.
#include <fmt/format.h>

#include "medley/inspect.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {
namespace {

std::string cell(const OverFolds& score, int decimals) {
  return fmt::format("{} ± {}", report::grouped(score.mean, decimals),
                     report::grouped(score.sd, decimals));
}

std::string row(const std::string& name, const std::string& train, const std::string& test,
                const std::string& remark) {
  return fmt::format("{}{}{}  {}\n", report::left(name, 22), report::right(train, 26),
                     report::right(test, 26), remark);
}

}  // namespace

std::string describe(const CrossValidation& v) {
  constexpr int kFour = 4;
  const FoldScores &train = v.train, &test = v.test;
  std::string out =
      row(report::count(v.folds, "fold"), "train", "test", "mean ± sd over the folds");
  out += row("perplexity", cell(train.perplexity, kFour), cell(test.perplexity, kFour),
             "per cell or word; estimator: " + to_string(v.estimator));
  out += row("log-likelihood", cell(train.log_likelihood, 1), cell(test.log_likelihood, 1),
             "of a fold's rows");
  out += row("above the baseline", cell(train.above_baseline, kFour),
             cell(test.above_baseline, kFour), "nats per cell, over the training marginals");
  for (std::size_t t = 0; t < train.truth.size(); ++t) {
    const FoldScores::Truth &a = train.truth[t], &b = test.truth[t];
    out +=
        fmt::format("\nAgainst column \"{}\", by each row's top profile:\n", printable(a.column));
    out += row("micro-precision", cell(a.micro_precision, kFour), cell(b.micro_precision, kFour),
               "majority class of each profile, within the fold");
    out += row("mutual information", cell(a.mutual_information, kFour),
               cell(b.mutual_information, kFour), "nats");
    out += row("normalised", cell(a.nmi, kFour), cell(b.nmi, kFour), "0: unrelated, 1: the same");
  }
  if (v.not_converged > 0)
    out += fmt::format("{} of {} did not converge: raise --max-iterations\n", v.not_converged,
                       report::count(v.folds, "fit"));
  return out;
}

}  // namespace medley
