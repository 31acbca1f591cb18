// SPDX-License-Identifier: Apache-2.0
// Options chosen by inner validation, on clouds of points whose number is known.
#include "medley/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "core/rng.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley {
namespace {

// Points around the corners of a square; corners across are of one class, so that one component per
// class tells nothing. Every fifth row has no class.
Dataset corners(std::size_t rows) {
  const testing::TemporaryFolder folder;
  std::string text = "x,y,kind\n";
  for (std::size_t i = 0; i < rows; ++i) {
    core::Rng rng(4, 1, i);
    const std::size_t corner = i % 4;
    text += std::to_string(static_cast<double>(corner % 2) + 0.1 * rng.normal()) + ',';
    text += std::to_string((corner < 2 ? 0.0 : 1.0) + 0.1 * rng.normal()) + ',';
    text += i % 5 == 4 ? "\n" : corner == 0 || corner == 3 ? "same\n" : "other\n";
  }
  testing::put_content(folder / "t.csv", text);
  ReadOptions reading;
  reading.label = "kind";
  return read({{"", folder / "t.csv"}}, reading);
}

std::vector<Tried> of(const ChosenOptions& choice, const std::string& option) {
  std::vector<Tried> out;
  std::ranges::copy_if(choice.tried, std::back_inserter(out),
                       [&](const Tried& tried) { return tried.option == option; });
  return out;
}

Auto sizes() {
  Auto what;
  what.components = true;
  return what;
}

TEST(InnerValidation, TakesAsManyComponentsAsTheClassesHaveParts) {
  const Dataset data = corners(100);
  const ChosenOptions choice = choose_label_options(data, {}, sizes());
  EXPECT_GE(choice.fitting.components, 4U);
  EXPECT_EQ(choice.rows, 80U);  // those with a class
  const std::vector<Tried> tried = of(choice, "k");
  ASSERT_EQ(tried.size(), 5U);  // 2, 4, 6, 10, 16: the rows are 80 for fitting
  EXPECT_EQ(choice.fits, 25U);
  EXPECT_LT(tried[0].accuracy, 0.8);
  const auto taken = std::ranges::find_if(tried, &Tried::chosen);
  ASSERT_NE(taken, tried.end());
  EXPECT_EQ(taken->value, static_cast<double>(choice.fitting.components));
  EXPECT_GT(taken->accuracy, 0.95);
  EXPECT_NE(describe(choice).find("`k`"), std::string::npos);
}

TEST(InnerValidation, FewRowsAllowFewComponents) {
  const ChosenOptions choice = choose_label_options(corners(40), {}, sizes());
  EXPECT_EQ(of(choice, "k").back().value, 6);  // 32 rows to fit, five for each
}

TEST(InnerValidation, IsTheSameAtAnyNumberOfThreads) {
  const Dataset data = corners(60);
  Auto what = sizes();
  what.weight = what.eta_start = true;
  FitOptions options;
  options.threads = 1;
  const ChosenOptions one = choose_label_options(data, options, what);
  options.threads = 3;
  const ChosenOptions three = choose_label_options(data, options, what);
  ASSERT_EQ(one.tried.size(), three.tried.size());
  for (std::size_t i = 0; i < one.tried.size(); ++i) {
    EXPECT_EQ(one.tried[i].accuracy, three.tried[i].accuracy);
    EXPECT_EQ(one.tried[i].log_loss, three.tried[i].log_loss);
    EXPECT_EQ(one.tried[i].chosen, three.tried[i].chosen);
  }
  EXPECT_EQ(of(one, "label_weight").size(), 3U);  // 1, sqrt 2, 2
  EXPECT_EQ(of(one, "label_weight").back().value, 2);
  EXPECT_EQ(of(one, "eta_start").size(), 11U);
}

TEST(InnerValidation, LeavesTheRestAlone) {
  FitOptions options;
  options.components = 3;
  options.label.weight = 7;
  const ChosenOptions nothing = choose_label_options(corners(40), options, {});
  EXPECT_TRUE(nothing.tried.empty());
  EXPECT_EQ(nothing.fitting.components, 3U);
  Auto what;
  what.eta_start = true;
  const ChosenOptions choice = choose_label_options(corners(40), options, what);
  EXPECT_EQ(choice.fitting.components, 3U);
  EXPECT_EQ(choice.fitting.label.weight, 7);
  EXPECT_GE(choice.fitting.label.eta_start, 0);
}

TEST(InnerValidation, Stops) {
  const std::atomic<bool> stop{true};
  Hooks hooks;
  hooks.stop = &stop;
  const ChosenOptions choice = choose_label_options(corners(40), {}, sizes(), hooks);
  EXPECT_TRUE(choice.interrupted);
  EXPECT_EQ(choice.fitting.components, 2U);
}

TEST(InnerValidation, NeedsALabelToLearn) {
  Dataset data = corners(40);
  FitOptions aside;
  aside.label.head = LabelHead::none;
  EXPECT_THROW((void)choose_label_options(data, aside, sizes()), InputError);
  Dataset ids = data;
  ids.kept[0].levels.clear();
  for (std::size_t i = 0; i < ids.rows; ++i) {
    ids.kept[0].levels.push_back(std::to_string(i));
    ids.kept[0].code[i] = static_cast<std::int32_t>(i);
  }
  EXPECT_THROW((void)choose_label_options(ids, {}, sizes()), InputError);
  for (std::int32_t& code : data.kept[0].code) code = std::min(code, 0);  // one class left
  EXPECT_THROW((void)choose_label_options(data, {}, sizes()), InputError);
  data.kept.clear();
  EXPECT_THROW((void)choose_label_options(data, {}, sizes()), InputError);
}

}  // namespace
}  // namespace medley
