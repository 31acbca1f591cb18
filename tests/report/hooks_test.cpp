// SPDX-License-Identifier: Apache-2.0
// Every public function that goes through all rows answers its hooks. One that is missing here is
// missing in the test too: add it to kFunctions.
#include "medley/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "medley/io.hpp"
#include "medley/medley.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

// What the functions are called with.
struct Given {
  Given() {
    medley::testing::put_content(folder / "survey.csv", test::survey_csv(200));
    medley::testing::put_content(folder / "corpus.ldac", test::corpus_ldac(200));
    medley::testing::put_content(folder / "numbers.csv", numbers());
    FitOptions fitting;
    fitting.components = 2;
    fitting.max_iterations = 20;
    model.emplace(fit(data, fitting));
    labelled_model.emplace(fit(labelled, fitting));
    topics.emplace(fit(words, fitting));
    FitOptions chains = fitting;
    chains.model = "gom-bayes";
    chains.chains.chains = 2;
    chains.chains.sweeps = 20;
    sampled.emplace(fit(plain, chains));
  }

  static Dataset with_label() {
    ReadOptions options;
    options.label = "kind";
    return test::read_file("survey.csv", test::survey_csv(200), options);
  }
  static Dataset without_kind() {
    ReadOptions options;
    options.family["kind"] = "ignore";
    return test::read_file("survey.csv", test::survey_csv(60), options);
  }
  static std::string numbers() {
    std::string text = "x,y\n";
    for (int i = 0; i < 200; ++i)
      text += std::to_string((i * 37) % 101) + "," + std::to_string((i * 53) % 97 + 0.5) + "\n";
    return text;
  }
  static std::vector<MemorySource> memory() {
    MemoryTable table;
    table.rows = 4;
    table.columns = {{"colour", TextColumn{{"red", "green"}, {0, 1, 0, 1}}},
                     {"size", TextColumn{{"large", "small"}, {0, 1, 1, 0}}}};
    return {{"", std::move(table)}};
  }
  Topics as_topics() const {
    Topics out;
    out.words = words.blocks[0].features[0].levels;
    out.weight = {std::vector<double>(out.words.size(), 1.0),
                  std::vector<double>(out.words.size(), 2.0)};
    return out;
  }

  medley::testing::TemporaryFolder folder;
  Dataset data = test::survey(200), labelled = with_label(), words = test::corpus(200),
          plain = test::survey(60);
  std::optional<Model> model, labelled_model, topics, sampled;
};

const Given& given() {
  static const Given all;
  return all;
}

struct Function {
  const char* name;
  void (*call)(const Hooks&);
};

void PrintTo(const Function& function, std::ostream* out) {
  *out << function.name;
}

// These throw Interrupted.
const Function kFunctions[] = {
    {"read", [](const Hooks& h) { (void)read({{"", given().folder / "survey.csv"}}, {}, h); }},
    {"infer_schema",
     [](const Hooks& h) {
       (void)infer_schema(std::vector<Source>{{"", given().folder / "survey.csv"}}, {}, h);
     }},
    {"read_text_table",
     [](const Hooks& h) { (void)read_text_table({"", given().folder / "survey.csv"}, {}, h); }},
    {"dataset", [](const Hooks& h) { (void)dataset(Given::memory(), {}, h); }},
    {"infer_schema of memory", [](const Hooks& h) { (void)infer_schema(Given::memory(), {}, h); }},
    {"treated",
     [](const Hooks& h) {
       Treatment treatment;
       treatment.min_row = 1;
       (void)treated(given().data, treatment, h);
     }},
    {"write_data",
     [](const Hooks& h) {
       (void)write_data(given().data, {{"", given().folder / "written.csv"}}, h);
     }},
    {"write_stream",
     [](const Hooks& h) { write_stream(given().data, given().folder / "a.stream", h); }},
    {"convert_to_stream",
     [](const Hooks& h) {
       (void)convert_to_stream({{"", given().folder / "corpus.ldac"}}, {},
                               given().folder / "b.stream", h);
     }},
    {"suggest_families",
     [](const Hooks& h) {
       (void)suggest_families({{"", given().folder / "numbers.csv"}}, {}, {}, h);
     }},
    {"transform", [](const Hooks& h) { (void)transform(*given().model, given().data, 1, h); }},
    {"evaluate", [](const Hooks& h) { (void)evaluate(*given().model, given().data, {}, h); }},
    {"evaluate, left-to-right",
     [](const Hooks& h) {
       EvaluateOptions options;
       options.estimator = "left-to-right";
       (void)evaluate(*given().topics, given().words, options, h);
     }},
    {"predict_cells",
     [](const Hooks& h) {
       (void)predict_cells(*given().model, given().data, missing_cells(given().data, 10'000), {},
                           h);
     }},
    {"predict_classes",
     [](const Hooks& h) {
       (void)predict_classes(*given().labelled_model, given().labelled, 1, h);
     }},
    {"explain_classes",
     [](const Hooks& h) {
       (void)explain_classes(*given().labelled_model, given().labelled, 3, 1, h);
     }},
    {"recommend",
     [](const Hooks& h) {
       (void)recommend(*given().model, given().data, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {}, h);
     }},
    {"holdout_cells",
     [](const Hooks& h) { (void)holdout_cells(*given().model, given().data, {}, h); }},
    {"holdout_fit",
     [](const Hooks& h) {
       FitOptions fitting;
       fitting.components = 2;
       (void)holdout_fit(given().data, fitting, {}, h);
     }},
    {"similar",
     [](const Hooks& h) {
       const std::vector<std::size_t> rows = {0, 5};
       (void)similar(*given().model, given().data, rows, {}, h);
     }},
    {"similar, by draws",
     [](const Hooks& h) {
       const std::vector<std::size_t> rows = {0, 5};
       (void)similar(*given().sampled, given().plain, rows, {}, h);
     }},
    {"quality", [](const Hooks& h) { (void)quality(*given().topics, given().words, {}, h); }},
    {"absolute_fit",
     [](const Hooks& h) { (void)absolute_fit(*given().model, given().data, {}, h); }},
    {"component_correlations",
     [](const Hooks& h) { (void)component_correlations(*given().model, given().data, 1, h); }},
    {"group_means",
     [](const Hooks& h) {
       (void)group_means(*given().model, given().data, GroupOptions{.by = "kind"}, h);
     }},
    {"group_means of several",
     [](const Hooks& h) { (void)group_means(*given().model, given().data, {}, {"kind"}, h); }},
    {"membership_intervals",
     [](const Hooks& h) {
       (void)membership_intervals(*given().model, given().data, 0.9, 1, 1, h);
     }},
    {"diagnose", [](const Hooks& h) { (void)diagnose(*given().sampled, given().plain, 1, h); }},
    {"simulate",
     [](const Hooks& h) {
       SimulateOptions options;
       options.rows = 100;
       (void)simulate(*given().model, options, h);
     }},
    {"import_topics",
     [](const Hooks& h) { (void)import_topics(given().as_topics(), {}, &given().words, h); }},
    {"report_data",
     [](const Hooks& h) { (void)report_data({*given().model, &given().data}, {}, h); }},
    {"fit",
     [](const Hooks& h) {
       FitOptions fitting;
       fitting.components = 2;
       (void)fit(given().data, fitting, h);
     }},
};

class Hooked : public ::testing::TestWithParam<Function> {};

TEST_P(Hooked, ThrowsInterruptedWhereItIsStoppedAlready) {
  const std::atomic<bool> stop{true};
  Hooks hooks;
  hooks.stop = &stop;
  EXPECT_THROW(GetParam().call(hooks), Interrupted);
}

TEST_P(Hooked, TellsWhatItDoes) {
  std::size_t told = 0;
  Hooks hooks;
  hooks.progress = [&](const Progress& p) {
    ++told;
    EXPECT_NE(p.stage, "");
  };
  GetParam().call(hooks);
  EXPECT_GE(told, 1U);
}

// From the hooks themselves, at every stage that is told: nothing is left in a state that matters.
TEST_P(Hooked, CanBeStoppedAtEveryStageAndCalledAgain) {
  std::size_t stages = 0;
  Hooks counting;
  counting.progress = [&](const Progress&) { ++stages; };
  GetParam().call(counting);
  for (std::size_t at = 1; at <= std::min<std::size_t>(stages, 20); ++at) {
    std::atomic<bool> stop{false};
    std::size_t told = 0;
    Hooks hooks;
    hooks.stop = &stop;
    hooks.progress = [&](const Progress&) { stop = ++told >= at; };
    try {
      GetParam().call(hooks);
    } catch (const Interrupted&) {
    }
  }
  EXPECT_NO_THROW(GetParam().call({}));
}

INSTANTIATE_TEST_SUITE_P(Functions, Hooked, ::testing::ValuesIn(kFunctions));

// These return what they have.
TEST(HookedResults, SayThatTheyWereInterrupted) {
  const std::atomic<bool> stop{true};
  Hooks hooks;
  hooks.stop = &stop;
  FitOptions fitting;
  fitting.components = 2;
  EXPECT_TRUE(cross_validate(given().data, fitting, {}, hooks).interrupted);
  EXPECT_TRUE(bootstrap(*given().model, given().data, {}, hooks).interrupted);
  SelectOptions selecting;
  selecting.components = {2, 3};
  selecting.folder = given().folder / "selection";
  EXPECT_TRUE(select(given().data, selecting, hooks).interrupted);
  FitOptions sampled;
  sampled.model = "dp-mixture";
  EXPECT_TRUE(selftest(given().plain, sampled, {}, hooks).interrupted);
  Auto what;
  what.components = true;
  EXPECT_TRUE(choose_label_options(given().labelled, {}, what, hooks).interrupted);
}

TEST(HookedResults, NothingIsLeftOfAFileThatWasBeingWritten) {
  const medley::testing::TemporaryFolder folder;
  std::atomic<bool> stop{false};
  Hooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const Progress&) { stop = true; };
  EXPECT_THROW((void)write_data(given().data, {{"", folder / "data.csv"}}, hooks), Interrupted);
  stop = false;
  EXPECT_THROW(write_stream(given().data, folder / "data.stream", hooks), Interrupted);
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
}

}  // namespace
}  // namespace medley
