// SPDX-License-Identifier: Apache-2.0
// The two-step baseline where its answer is known: rows that belong to one component each. The
// regression then says of every component the class shares of its training rows.
#include "evaluate/two_step.hpp"

#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/io.hpp"

namespace medley::evaluation {
namespace {

constexpr std::size_t kRows = 200;

// Two groups of rows that answer everything differently. Class "b" is 1 in 4 rows of the first and
// 9 in 10 of the second; every eleventh row has none.
Dataset groups() {
  const testing::TemporaryFolder folder;
  std::string text = "p,q,r,s,t,u,kind\n";
  for (std::size_t i = 0; i < kRows; ++i) {
    const bool second = i % 2 == 1;
    for (std::size_t j = 0; j < 6; ++j) text += second ? "yes," : "no,";
    const bool b = second ? i % 20 != 1 : i % 8 == 0;
    text += i % 11 == 10 ? "\n" : b ? "b\n" : "a\n";
  }
  testing::put_content(folder / "t.csv", text);
  ReadOptions reading;
  reading.label = "kind";
  return read({{"", folder / "t.csv"}}, reading);
}

TEST(TwoStep, SaysTheClassSharesOfEveryGroup) {
  Dataset data = groups();
  FitOptions options;
  options.model = "mnb";
  options.components = 2;
  options.label.head = LabelHead::none;
  const Model model = fit(data, options);
  double labelled[2] = {}, with_b[2] = {};
  for (std::size_t i = 0; i < kRows; ++i) {
    if (data.label()->code[i] < 0) continue;
    ++labelled[i % 2];
    with_b[i % 2] += data.label()->levels[static_cast<std::size_t>(data.label()->code[i])] == "b";
  }
  Dataset unlabelled = data;
  unlabelled.kept[0].code.assign(kRows, kMissingClass);
  const TwoStep found = two_step(model, data, unlabelled, 1);
  EXPECT_EQ(found.test.method, "two-step");
  EXPECT_EQ(found.test.classes, (std::vector<std::string>{"a", "b"}));
  for (const ClassProbabilities* side : {&found.train, &found.test}) {
    ASSERT_EQ(side->rows(), kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      EXPECT_NEAR(side->row(i)[1], with_b[i % 2] / labelled[i % 2], 2e-3);  // the penalty is small
      EXPECT_NEAR(side->row(i)[0] + side->row(i)[1], 1, 1e-12);
    }
  }
}

}  // namespace
}  // namespace medley::evaluation
