// SPDX-License-Identifier: Apache-2.0
// fit() as a user calls it: planted profiles are found, options are resolved or refused in words,
// checkpoints resume, same seed same model.
#include "medley/fit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "core/safetensors.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"
#include "model/model_file.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

// Grade of membership data: `truth[k][j]` is P(1) of item j in profile k, memberships
// Dirichlet(alpha).
Dataset planted(const std::vector<std::vector<double>>& truth, double alpha, std::size_t rows) {
  core::Rng rng(11, 1);
  std::vector<std::vector<int>> codes;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> theta(truth.size());
    double total = 0;
    for (double& t : theta) total += t = rng.gamma(alpha);
    std::vector<int> row;
    for (std::size_t j = 0; j < truth[0].size(); ++j) {
      double u = rng.uniform() * total;
      std::size_t k = 0;
      while (k + 1 < truth.size() && u > theta[k]) u -= theta[k++];
      row.push_back(rng.uniform() < truth[k][j] ? 1 : 0);
    }
    codes.push_back(row);
  }
  return test::dataset(
      {test::level_block("bernoulli", codes, std::vector<std::size_t>(truth[0].size(), 2))});
}

std::vector<std::vector<double>> three_profiles() {
  std::vector<std::vector<double>> truth(3, std::vector<double>(24, 0.05));
  for (std::size_t j = 0; j < 24; ++j) truth[j / 8][j] = 0.95;
  return truth;
}

FitOptions options(std::size_t components, const std::string& model = "") {
  FitOptions o;
  o.components = components;
  o.model = model;
  o.threads = 1;
  return o;
}

std::string refusal(const Dataset& data, const FitOptions& o) {
  try {
    const Model model = fit(data, o);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// Not from "sample": averages over random halves of the rows are nearly alike, and short rows do
// not pull them apart. That is why tables start from latent classes.
TEST(Fit, RecoversPlantedProfiles) {
  const auto truth = three_profiles();
  const Dataset data = planted(truth, 0.1, 2000);
  for (const char* init : {"single", "kmeans", "random"}) {
    FitOptions o = options(3, "gom");
    o.init = init;
    o.restarts = std::string(init) == "random" ? 5 : 1;
    const Model model = fit(data, o);
    const auto& block = model.parts().blocks[0];
    std::array<bool, 3> found{};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t t = 0; t < 3; ++t) {
        double worst = 0;
        for (std::size_t j = 0; j < 24; ++j)
          worst = std::max(worst, std::abs(block.probability(2 * j + 1, k) - truth[t][j]));
        if (worst < 0.1) found[t] = true;
      }
    }
    EXPECT_TRUE(found[0] && found[1] && found[2]) << init;
    EXPECT_EQ(model.summary().termination, Termination::converged) << init;
  }
}

TEST(Fit, ReportedBoundEqualsEvaluateOnTheTrainingRows) {
  const Dataset data = planted(three_profiles(), 0.3, 300);
  for (const char* name : {"gom", "fast-mmnb", "mnb"}) {
    const Model model = fit(data, options(3, name));
    EvaluateOptions bound;
    bound.estimator = "bound";
    const Evaluation e = evaluate(model, data, bound);
    EXPECT_NEAR(model.summary().bound, e.log_likelihood, 1e-9 * std::abs(e.log_likelihood)) << name;
    EXPECT_GT(e.log_likelihood, e.baseline) << name;
  }
}

TEST(Fit, SizesDescendAndSumToOne) {
  const Model model = fit(planted(three_profiles(), 0.3, 60), options(4));
  EXPECT_TRUE(std::is_sorted(model.sizes().rbegin(), model.sizes().rend()));
  EXPECT_NEAR(std::accumulate(model.sizes().begin(), model.sizes().end(), 0.0), 1.0, 1e-9);
}

// Class k answers yes to item k and hardly to others; class 0 is the smallest. In minibatches too.
TEST(Fit, ComponentsThatBeganAsClassesKeepTheirOrder) {
  std::vector<std::vector<int>> codes;
  std::vector<std::int32_t> classes;
  for (int i = 0; i < 240; ++i) {
    const int own = i % 12 == 0 ? 0 : i % 3 == 0 ? 1 : 2;
    classes.push_back(own);
    codes.push_back({own == 0 ? 1 : 0, own == 1 ? 1 : 0, own == 2 ? 1 : 0, (i / 12) % 2});
  }
  Dataset data = test::dataset({test::level_block("bernoulli", codes, {2, 2, 2, 2})});
  test::add_label(data, 3);
  data.kept[0].code = classes;
  FitOptions o = options(3, "mnb");
  o.label.head = LabelHead::none;
  o.init = "labels";
  for (const std::size_t batch : {std::size_t{0}, std::size_t{80}}) {
    o.batch = batch;
    const Model model = fit(data, o);
    EXPECT_LT(model.sizes()[0], model.sizes()[1]) << batch;
    EXPECT_LT(model.sizes()[1], model.sizes()[2]) << batch;
    const auto& yes = model.parts().blocks[0];
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t item = 0; item < 3; ++item) {
        const double p = yes.family->parameters()[(2 * item + 1) * yes.family->padded() + k];
        EXPECT_EQ(p > 0.5, item == k) << batch << " " << k << " " << item;
      }
    }
  }
}

TEST(Fit, LabelsStartNeedsALabelAndEnoughComponents) {
  Dataset data = planted(three_profiles(), 0.1, 200);
  FitOptions o = options(3);
  o.init = "labels";
  EXPECT_NE(refusal(data, o).find("label"), std::string::npos) << refusal(data, o);
  KeptColumn label{"group", {"a", "b", "c", "d"}, std::vector<std::int32_t>(200)};
  for (std::size_t i = 0; i < 200; ++i) label.code[i] = static_cast<std::int32_t>(i % 4);
  data.kept.push_back(label);
  SourceSpec source;
  ColumnSpec column;
  column.name = "group";
  column.role = Role::label;
  column.levels = label.levels;
  source.columns.push_back(column);
  data.schema.sources.push_back(source);
  EXPECT_NE(refusal(data, o).find("4 classes"), std::string::npos);
  o.components = 6;
  EXPECT_EQ(fit(data, o).components(), 6U);
}

TEST(Fit, RefusesImpossibleOptionsInWordsAllAtOnce) {
  const Dataset table = planted(three_profiles(), 0.1, 20);
  const Dataset text = test::dataset({test::random_block(families::tokens_family, 20, 1, 0)});
  FitOptions o = options(0);
  o.smoothing = std::nan("");
  o.tolerance = 0;
  const std::string several = refusal(table, o);
  for (const char* part : {"`k`", "`smoothing`", "`tolerance`"})
    EXPECT_NE(several.find(part), std::string::npos) << several;
  EXPECT_NE(refusal(table, options(21)).find("larger than the 20 rows"), std::string::npos);
  EXPECT_NE(refusal(table, options(2, "lda")).find("mmnb"), std::string::npos);
  EXPECT_NE(refusal(text, options(2, "gom")).find("lda"), std::string::npos);
  EXPECT_NE(refusal(table, options(2, "nb")).find("`missing=\"category\"`"), std::string::npos);
  EXPECT_NE(refusal(table, options(2, "nonsense")).find("text-references"), std::string::npos);
  o = options(2, "mnb");
  o.inference = "fast";
  EXPECT_NE(refusal(table, o).find("not offered"), std::string::npos);
  o = options(2, "mnb");
  o.alpha = "fitted";
  EXPECT_NE(refusal(table, o).find("no alpha"), std::string::npos);
  for (const char* alpha : {"fixed:", "fixed:0", "fixed:-1", "fixed:x", "fixed:1/J", "sometimes"}) {
    o = options(2, "gom");
    o.alpha = alpha;
    EXPECT_NE(refusal(table, o).find("`alpha"), std::string::npos) << refusal(table, o);
  }
  o = options(2);
  o.init = "no-such-start";
  EXPECT_NE(refusal(table, o).find("kmeans"), std::string::npos);
}

TEST(Fit, AlphaModesDoWhatTheySay) {
  const Dataset data = planted(three_profiles(), 0.3, 300);
  FitOptions o = options(3, "gom");
  o.alpha = "fixed:50/K";
  const Model fixed = fit(data, o);
  for (const double a : fixed.parts().membership->parameters()) EXPECT_NEAR(a, 50.0 / 3, 1e-12);
  o.alpha = "symmetric";
  const Model symmetric = fit(data, o);
  const auto prior = symmetric.parts().membership->parameters();
  EXPECT_EQ(prior[0], prior[1]);
  EXPECT_EQ(prior[0], prior[2]);
  EXPECT_NE(prior[0], 1.0 / 3);
}

TEST(Fit, SameSeedSameBytesAtAnyThreadCount) {
  const Dataset data = planted(three_profiles(), 0.3, 500);
  std::vector<std::string> bytes;
  for (const std::size_t threads : {1U, 2U, 7U}) {
    FitOptions o = options(4, "gom");
    o.threads = threads;
    bytes.push_back(core::serialise_tensors(model::to_tensors(fit(data, o).parts())));
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  EXPECT_EQ(bytes[0], bytes[2]);
}

TEST(Fit, RestartsKeepTheBest) {
  const Dataset data = planted(three_profiles(), 0.3, 300);
  FitOptions o = options(3);
  o.init = "sample";
  o.restarts = 4;
  const Model model = fit(data, o);
  ASSERT_EQ(model.summary().restarts.size(), 4U);
  for (const RestartTrace& r : model.summary().restarts)
    EXPECT_LE(r.bound.back(), model.summary().penalised_bound);
}

// Stopped after so many steps and taken up again, a fit ends with the bytes of one that was not.
void expect_resumed_alike(const Dataset& data, FitOptions o,
                          const std::vector<std::size_t>& stops) {
  const std::string straight = core::serialise_tensors(model::to_tensors(fit(data, o).parts()));
  o.checkpoint =
      (std::filesystem::temp_directory_path() / ("medley-resume-" + std::to_string(::getpid())))
          .string();
  for (const std::size_t stop_after : stops) {
    std::atomic<bool> stop{stop_after == 0};
    std::size_t steps = 0;
    o.resume = false;
    if (stop) {  // nothing to keep
      EXPECT_THROW((void)fit(data, o, {{}, &stop}), Interrupted);
      EXPECT_FALSE(std::filesystem::exists(o.checkpoint));
      continue;
    }
    const Model broken =
        fit(data, o, {[&](const Progress&) { stop = ++steps >= stop_after; }, &stop});
    if (broken.summary().termination != Termination::interrupted) continue;
    EXPECT_TRUE(std::filesystem::exists(o.checkpoint));
    o.resume = true;
    EXPECT_EQ(core::serialise_tensors(model::to_tensors(fit(data, o).parts())), straight)
        << stop_after;
    EXPECT_TRUE(std::filesystem::exists(o.checkpoint));  // until the model is saved
  }
  std::filesystem::remove(o.checkpoint);
}

// Where no file can be written: a checkpoint that is a folder.
void expect_warned_and_the_same(const Dataset& data, FitOptions o) {
  const std::string straight = core::serialise_tensors(model::to_tensors(fit(data, o).parts()));
  const testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "checkpoint");
  o.checkpoint = folder / "checkpoint";
  o.checkpoint_seconds = 0;
  std::vector<std::string> heard;
  Hooks hooks;
  hooks.warn = [&](const std::string& sentence) { heard.push_back(sentence); };
  EXPECT_EQ(core::serialise_tensors(model::to_tensors(fit(data, o, hooks).parts())), straight);
  ASSERT_EQ(heard.size(), 1U);  // not of every iteration
  EXPECT_NE(heard[0].find("goes on without a checkpoint"), std::string::npos) << heard[0];
  EXPECT_NE(heard[0].find(o.checkpoint), std::string::npos) << heard[0];
  // Asked to stop, the fit has nothing else to leave.
  std::atomic<bool> stop{false};
  hooks.stop = &stop;
  hooks.progress = [&](const Progress&) { stop = true; };
  EXPECT_THROW((void)fit(data, o, hooks), InputError);
}

TEST(Fit, ACheckpointThatCannotBeWrittenDoesNotEndTheFit) {
  const Dataset data = planted(three_profiles(), 0.3, 100);
  expect_warned_and_the_same(data, options(3, "gom"));
  FitOptions minibatches = options(3, "gom");
  minibatches.inference = "standard";
  minibatches.batch = 20;
  expect_warned_and_the_same(data, minibatches);
  FitOptions chains = options(3, "gom-bayes");
  chains.chains.chains = 2;
  chains.chains.sweeps = 10;
  chains.chains.burn_in = 5;
  chains.chains.draws = 5;
  expect_warned_and_the_same(data, chains);
}

// The numbers in it lead to restarts that are over; they once were taken as they are.
TEST(Fit, ACheckpointOfRestartsThatNeverWereIsRefused) {
  const testing::TemporaryFolder folder;
  const Dataset data = planted(three_profiles(), 0.3, 60);
  FitOptions o = options(2, "mnb");
  o.restarts = 3;
  o.tries = 1;
  o.checkpoint = folder / "c";
  std::atomic<bool> stop{false};
  Hooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const Progress& p) { stop = p.restart == 1; };
  (void)fit(data, o, hooks);
  const core::TensorFile whole = core::load_tensors(o.checkpoint);
  ASSERT_EQ(whole.integers("position", 4)[0], 1);
  o.resume = true;
  using Position = std::vector<std::int64_t>;
  for (const Position& wrong : {Position{1, 0, 1, 1},
                                {1, 0, 1, 9000000000},
                                {1, 0, 0, 0},
                                {3, 0, 1, 0},
                                {1, 0, -1, 0},
                                {2, 0, 1, 0}}) {
    core::TensorFile changed = whole;
    changed.put("position", wrong);
    core::save_tensors(changed, o.checkpoint);
    EXPECT_THROW((void)fit(data, o), InputError) << wrong[2] << ' ' << wrong[3];
  }
  core::save_tensors(whole, o.checkpoint);
  EXPECT_EQ(fit(data, o).summary().restarts.size(), 3U);
}

TEST(Fit, RemovesWhatAKilledRunLeftOfItsCheckpoint) {
  const testing::TemporaryFolder folder;
  FitOptions o = options(2, "mnb");
  o.checkpoint = folder / "c";
  testing::put_content(folder / "c.tmp-abcdef", "half a checkpoi");
  (void)fit(planted(three_profiles(), 0.3, 60), o);
  EXPECT_EQ(folder.entries(), 0U);
}

// A checkpoint of the last iteration, as a kill while the model is being saved leaves it.
TEST(Fit, TakenUpAfterItsLastIterationItMakesNoMore) {
  const Dataset data = planted(three_profiles(), 0.3, 200);
  FitOptions o = options(3, "gom");
  o.checkpoint =
      (std::filesystem::temp_directory_path() / ("medley-last-" + std::to_string(::getpid())))
          .string();
  o.checkpoint_seconds = 0;
  const std::string straight = core::serialise_tensors(model::to_tensors(fit(data, o).parts()));
  o.resume = true;
  EXPECT_EQ(core::serialise_tensors(model::to_tensors(fit(data, o).parts())), straight);
  std::filesystem::remove(o.checkpoint);
}

// In the start, among the candidates for the beginning and in the fit proper.
TEST(Fit, InterruptedAtEveryPointAndResumedEndsWithTheSameBytes) {
  FitOptions o = options(3, "gom");
  o.restarts = 2;
  expect_resumed_alike(planted(three_profiles(), 0.3, 200), o, {1, 5, 30, 60, 90, 110, 150});
}

// Single membership and exact inference follow several starts first.
TEST(Fit, InterruptedAmongSeveralStartsAndResumedEndsWithTheSameBytes) {
  const Dataset data = planted(three_profiles(), 0.3, 200);
  expect_resumed_alike(data, options(4, "mnb"), {0, 1, 9, 20, 30, 60});
  FitOptions exact = options(3, "gom");
  exact.inference = "exact";
  expect_resumed_alike(data, exact, {0, 1, 10, 40, 60, 80});
}

// Fifty rows of each of two patterns: both components are used, by whole rows.
TEST(Fit, PureRowsAreCalledSingleNotUnused) {
  std::vector<std::vector<int>> codes;
  for (std::size_t row = 0; row < 100; ++row) codes.emplace_back(2, static_cast<int>(row % 2));
  const Dataset data = test::dataset({test::level_block("categorical", codes, {2, 2})});
  FitOptions o;
  o.components = 2;
  const Model model = fit(data, o);
  ASSERT_EQ(model.summary().warnings.size(), 1U);
  EXPECT_NE(model.summary().warnings[0].find("compare `membership=\"single\"`"), std::string::npos);
  o.components = 6;  // four of them have nothing to hold
  const auto warnings = fit(data, o).summary().warnings;
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings[0].find("less than one row's worth"), std::string::npos) << warnings[0];
}

TEST(Fit, TriesSayHowManyStarts) {
  const Dataset data = planted(three_profiles(), 0.3, 200);
  FitOptions o = options(4, "mnb");
  const auto tried = fit(data, o).summary().restarts[0].tried;
  ASSERT_GE(tried.size(), 2U);
  EXPECT_TRUE(tried[0].name.starts_with("start "));
  for (std::size_t i = 1; i < tried.size(); ++i) EXPECT_LE(tried[i].bound, tried[0].bound);
  o.tries = 1;
  EXPECT_TRUE(fit(data, o).summary().restarts[0].tried.empty());
  o.tries = 2;
  const auto of_two = fit(data, o).summary().restarts[0].tried;
  ASSERT_FALSE(of_two.empty());
  for (const TriedStart& start : of_two) EXPECT_TRUE(start.name.ends_with("of 2")) << start.name;
}

// Words begin with collapsed inference.
TEST(Fit, InterruptedWordsResumedEndWithTheSameBytes) {
  const Dataset data = test::dataset({test::large_token_block(60, 6)});
  FitOptions o = options(4, "lda");
  o.tolerance = 1e-8;  // so that no sweep of the start is left out
  // In the first sweeps of the start, in its last, and in the fit.
  using Stops = std::vector<std::size_t>;
  expect_resumed_alike(data, o, test::quick() ? Stops{7, 24, 26} : Stops{1, 7, 24, 26, 30});
}

TEST(Fit, CheckpointOfOtherOptionsIsRefused) {
  const Dataset data = planted(three_profiles(), 0.3, 200);
  FitOptions o = options(3, "gom");
  o.checkpoint =
      (std::filesystem::temp_directory_path() / ("medley-other-" + std::to_string(::getpid())))
          .string();
  std::atomic<bool> stop{false};
  const Model broken = fit(data, o, {[&](const Progress&) { stop = true; }, &stop});
  o.resume = true;
  o.components = 4;
  EXPECT_NE(refusal(data, o).find("other options"), std::string::npos);
  std::filesystem::remove(o.checkpoint);
}

// Going on from a model: at its optimum nothing is left to do.
TEST(Fit, GoesOnFromAModelInMemory) {
  const Dataset data = planted(three_profiles(), 0.1, 200);
  FitOptions o = options(3, "mnb");  // exact: a mean-field fit may find a better optimum yet
  o.tolerance = 1e-9;
  const Model model = fit(data, o);
  o.init = "a-file-that-is-gone.medley";
  o.restarts = 5;
  const Model again = fit(data, o, model);
  EXPECT_EQ(again.summary().restarts.size(), 1U);
  EXPECT_LT(again.summary().iterations, 10U);
  EXPECT_NEAR(again.summary().penalised_bound, model.summary().penalised_bound,
              1e-6 * std::abs(model.summary().penalised_bound));
  EXPECT_THROW(static_cast<void>(fit(data, options(2, "mnb"), model)), InputError);
}

}  // namespace
}  // namespace medley
