// SPDX-License-Identifier: Apache-2.0
// One model, many threads: everything that takes a const Model may be called at once. For the
// thread sanitizer; without it, the answers must at least be those of one thread.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/predict.hpp"
#include "medley/report.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

constexpr std::size_t kSharers = 8;

struct Answers {
  std::vector<double> shares;
  double bound = 0;
  std::string text, json;
  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers ask(const Model& model, const Dataset& data, std::size_t threads) {
  EvaluateOptions scoring;
  scoring.threads = threads;
  scoring.estimator = "bound";
  return {transform(model, data, threads).share, evaluate(model, data, scoring).log_likelihood,
          inspect(model, {}), model.export_json()};
}

void expect_the_same_of_all(const Dataset& data, const std::string& preset) {
  FitOptions options;
  options.components = preset == "dp-mixture" ? 0 : 2;  // which finds it
  options.model = preset;
  options.threads = 2;
  options.max_iterations = 5;
  options.chains.chains = 2;
  options.chains.sweeps = 6;
  options.chains.burn_in = 3;
  options.chains.draws = 3;
  const Model model = fit(data, options);
  const Answers alone = ask(model, data, 1);
  std::vector<Answers> found(kSharers);
  std::vector<std::thread> sharers;
  for (std::size_t i = 0; i < kSharers; ++i)
    sharers.emplace_back([&, i] { found[i] = ask(model, data, 1 + i % 3); });
  for (std::thread& sharer : sharers) sharer.join();
  for (const Answers& one : found) EXPECT_TRUE(one == alone) << preset;
}

TEST(SharedModel, AnswersEightThreadsAtOnce) {
  for (const char* preset : {"gom", "mnb", "gom-bayes", "dp-mixture"})
    expect_the_same_of_all(test::survey(40), preset);
  for (const char* preset : {"lda", "fast-lda", "bayesian-nmf", "correlated-nmf"})
    expect_the_same_of_all(test::corpus(40), preset);
}

TEST(SharedModel, EightFitsAtOnceGiveTheModelOfOne) {
  const Dataset data = test::survey(60);
  FitOptions options;
  options.components = 2;
  options.model = "gom";
  options.inference = "standard";
  options.threads = 2;
  options.max_iterations = 8;
  const std::string alone = fit(data, options).export_json();
  std::vector<std::string> found(kSharers);
  std::vector<std::thread> fitters;
  for (std::size_t i = 0; i < kSharers; ++i)
    fitters.emplace_back([&, i] { found[i] = fit(data, options).export_json(); });
  for (std::thread& fitter : fitters) fitter.join();
  for (const std::string& one : found) EXPECT_EQ(one, alone);
}

}  // namespace
}  // namespace medley
