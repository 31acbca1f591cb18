// SPDX-License-Identifier: Apache-2.0
// Whole selections on small data with a planted number of profiles; the files they leave.
#include "medley/select.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include "core/rng.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/io.hpp"
#include "medley/model.hpp"
#include "medley/report.hpp"

namespace medley {
namespace {

// Three kinds of people, each sure of its own third of twelve yes/no answers.
Dataset thirds(std::size_t rows) {
  const testing::TemporaryFolder folder;
  std::string text = "a,b,c,d,e,f,g,h,i,j,k,l\n";
  for (std::size_t i = 0; i < rows; ++i) {
    core::Rng rng(11, 1, i);
    for (std::size_t item = 0; item < 12; ++item) {
      const double yes = item / 4 == i % 3 ? 0.95 : 0.05;
      text += rng.uniform() < yes ? "yes" : "no";
      text += item < 11 ? ',' : '\n';
    }
  }
  testing::put_content(folder / "t.csv", text);
  return read({{"", folder / "t.csv"}}, {});
}

SelectOptions asked(const std::string& folder) {
  SelectOptions out;
  out.components = {1, 2, 3, 4};
  out.fitting.model = "mnb";
  out.fitting.restarts = 2;
  out.fitting.threads = 1;
  out.folds = 3;
  out.folder = folder;
  return out;
}

const SelectionVerdict& verdict(const Selection& s, const std::string& criterion,
                                const std::string& basis = "") {
  for (const SelectionVerdict& v : s.verdicts)
    if (v.criterion == criterion && v.basis == basis) return v;
  throw std::runtime_error("no verdict of " + criterion);
}

TEST(Select, FindsThePlantedNumber) {
  const testing::TemporaryFolder folder;
  const Dataset data = thirds(240);
  const Selection found = select(data, asked(folder / "s"));
  ASSERT_EQ(found.candidates.size(), 4U);
  EXPECT_EQ(found.candidates[verdict(found, "bic", "likelihood").best].components, 3U);
  EXPECT_EQ(found.candidates[verdict(found, "cv").modest].components, 3U);
  EXPECT_FALSE(verdict(found, "cv").bound);  // single membership is exact
  EXPECT_EQ(found.candidates[2].again, 2U);
  EXPECT_GT(found.candidates[2].similarity, 0.99);
  EXPECT_NEAR(found.candidates[2].smallest, 1.0 / 3, 0.05);
  EXPECT_EQ(found.candidates[2].parameters, 2 + 3 * 12);
  EXPECT_NE(describe(found).find("Best by each criterion"), std::string::npos);
}

TEST(Select, InformationCriteriaAreThoseOfTheModelsThatItLeaves) {
  const testing::TemporaryFolder folder;
  const Dataset data = thirds(90);
  const Selection found = select(data, asked(folder / "s"));
  for (const SelectionCandidate& c : found.candidates) {
    const Model model = Model::load((folder / "s") + "/" + c.file);
    const double log_likelihood = evaluate(model, data, {}).log_likelihood;
    for (const SelectionScore& s : c.scores) {
      const double penalty = s.criterion == "aic" ? 2 : std::log(90.0);
      if (s.criterion != "aic" && s.criterion != "bic") continue;
      EXPECT_NEAR(s.value, -2 * log_likelihood + penalty * c.parameters, 1e-6);
    }
  }
}

TEST(Select, HeldOutScoresAreThoseOfCrossValidation) {
  const testing::TemporaryFolder folder;
  const Dataset data = thirds(90);
  SelectOptions options = asked(folder / "s");
  options.by = {"cv"};
  options.components = {2};
  const Selection found = select(data, options);
  FitOptions fitting = options.fitting;
  fitting.components = 2;
  fitting.restarts = 1;
  CrossValidateOptions folds;
  folds.folds = 3;
  folds.words = VocabularyOptions{}.unselected();
  double total = 0;
  for (const Fold& fold : cross_validate(data, fitting, folds).folds)
    total += fold.test.log_likelihood;
  EXPECT_NEAR(found.candidates[0].scores[0].value, total / 90, 1e-9);
}

TEST(Select, IsTheSameAtAnyNumberOfThreads) {
  const testing::TemporaryFolder folder;
  const Dataset data = thirds(60);
  SelectOptions options = asked(folder / "one");
  options.fitting.model = "";  // mixed membership
  options.components = {1, 2, 3};
  (void)select(data, options);
  options.folder = folder / "two";
  options.fitting.threads = 2;
  (void)select(data, options);
  for (const char* name : {"criteria.csv", "select.json", "k03.medley", "k02_held_out.csv"}) {
    const std::string one = testing::content_of((folder / "one") + "/" + name);
    EXPECT_FALSE(one.empty()) << name;
    EXPECT_TRUE(one == testing::content_of((folder / "two") + "/" + name)) << name;
  }
}

// As a run that was killed while it wrote its first select.json leaves the folder.
TEST(Select, BeginsInAFolderThatHoldsNothingButHalfOfAFile) {
  const Dataset data = thirds(60);
  for (const bool resume : {false, true}) {
    const testing::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "s");
    testing::put_content(folder / "s/select.json.tmp-abc123", "{\"format\": \"med");
    SelectOptions options = asked(folder / "s");
    options.components = {1, 2};
    options.by = {"bic"};
    options.resume = resume;
    EXPECT_EQ(select(data, options).candidates.size(), 2U);
    EXPECT_FALSE(std::filesystem::exists(folder / "s/select.json.tmp-abc123"));
  }
}

// A select.json of zeros that a decompressor makes of a few bytes, and one that is merely long.
TEST(Select, ALongStateIsRefusedBeforeItIsParsed) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "s");
  testing::put_content(folder / "s/select.json", std::string(17'000'000, '['));
  SelectOptions options = asked(folder / "s");
  options.resume = true;
  EXPECT_THROW((void)select(thirds(30), options), InputError);
  EXPECT_THROW((void)load_selected(folder / "s", 0), InputError);
}

TEST(Select, TakenUpAgainItEndsTheSame) {
  const testing::TemporaryFolder folder;
  const Dataset data = thirds(60);
  SelectOptions options = asked(folder / "whole");
  options.components = {1, 2, 3};
  (void)select(data, options);
  options.folder = folder / "parts";
  std::atomic<bool> stop = false;
  Hooks hooks;
  hooks.stop = &stop;
  std::size_t steps = 0, runs = 0;
  hooks.progress = [&](const Progress&) { stop = ++steps % 4 == 0; };
  for (bool interrupted = true; interrupted && runs < 50; ++runs) {
    stop = false;
    interrupted = select(data, options, hooks).interrupted;
    options.resume = true;
  }
  EXPECT_GT(runs, 2U);
  EXPECT_LT(runs, 50U);
  EXPECT_EQ(testing::content_of((folder / "whole") + "/criteria.csv"),
            testing::content_of((folder / "parts") + "/criteria.csv"));
  const std::size_t before = steps;
  (void)select(data, options, hooks);
  EXPECT_EQ(steps, before);  // nothing was fitted again
}

TEST(Select, RefusesAFolderOfOtherDataOrOptions) {
  const testing::TemporaryFolder folder;
  const Dataset data = thirds(30);
  SelectOptions options = asked(folder / "s");
  options.by = {"bic"};
  options.components = {1, 2};
  (void)select(data, options);
  EXPECT_THROW((void)select(data, options), InputError);  // there already
  options.resume = true;
  EXPECT_NO_THROW((void)select(data, options));
  options.by = {"aic", "bic"};
  EXPECT_NO_THROW((void)select(data, options));
  EXPECT_THROW((void)select(thirds(33), options), InputError);
  options.folds = 4;
  EXPECT_THROW((void)select(data, options), InputError);
}

TEST(Select, ASecondAxisHasAModelForEveryPair) {
  const testing::TemporaryFolder folder;
  SelectOptions options = asked(folder / "s");
  options.by = {"bic"};
  options.components = {1, 2};
  options.smoothing = {0.01, 1};
  const Selection found = select(thirds(30), options);
  ASSERT_EQ(found.candidates.size(), 4U);
  EXPECT_EQ(found.candidates[3].smoothing, 1);
  EXPECT_TRUE(std::filesystem::exists((folder / "s") + "/k02_s0.01.medley"));
  EXPECT_NE(found.candidates[1].penalised_bound, found.candidates[3].penalised_bound);
}

TEST(Select, SaysWhatMakesNoSense) {
  const testing::TemporaryFolder folder;
  const Dataset data = thirds(30);
  SelectOptions options = asked(folder / "s");
  options.by = {"magic", "coherence"};
  options.components = {};
  try {
    (void)select(data, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 3U);
  }
  options = asked(folder / "s");
  options.fitting.model = "dp-mixture";
  EXPECT_THROW((void)select(data, options), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

}  // namespace
}  // namespace medley
