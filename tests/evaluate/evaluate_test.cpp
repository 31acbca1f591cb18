// SPDX-License-Identifier: Apache-2.0
// Scores of a file against what follows from the scores of its rows, and what does not depend on
// the company a row is in.
#include "medley/evaluate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

using ::testing::HasSubstr;
using Order = std::vector<std::size_t>;

Model fitted(const Dataset& data, const std::string& name, std::size_t components = 2) {
  FitOptions options;
  options.model = name;
  options.components = components;
  options.threads = 1;
  return fit(data, options);
}

// The given rows of a data set, in that order.
Dataset rows_of(const Dataset& all, const Order& order) {
  Dataset data = all;
  data.rows = order.size();
  data.row_weight.clear();
  for (Block& block : data.blocks) {
    const Block from = block;
    block.row_start = {0};
    block.slot.clear();
    block.weight.clear();
    for (const std::size_t row : order) {
      for (std::uint64_t c = from.row_start[row]; c < from.row_start[row + 1]; ++c) {
        block.slot.push_back(from.slot[c]);
        if (!from.weight.empty()) block.weight.push_back(from.weight[c]);
      }
      block.row_start.push_back(block.slot.size());
    }
  }
  for (KeptColumn& kept : data.kept) {
    const auto codes = kept.code;
    kept.code.clear();
    for (const std::size_t row : order) kept.code.push_back(codes[row]);
  }
  return data;
}

std::string refusal(const Model& model, const Dataset& data, const EvaluateOptions& options = {}) {
  try {
    (void)evaluate(model, data, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// Seventy people and two empty rows.
Dataset people() {
  return test::read_file("s.csv", test::survey_csv(70) + ",,,,,one\n,,,,,\n", [] {
    ReadOptions options;
    options.keep = {"kind"};
    return options;
  }());
}

TEST(Evaluate, TotalsFollowFromTheRows) {
  const Dataset data = people();
  const Evaluation e = evaluate(fitted(data, "mmnb"), data, {});
  ASSERT_EQ(e.row.size(), 72U);
  EXPECT_EQ(e.rows, 72U);
  EXPECT_EQ(e.empty_rows, 2U);
  double sum = 0, observations = 0, baseline = 0, entropy = 0, squares = 0;
  for (std::size_t i = 0; i < 70; ++i) {
    EXPECT_EQ(e.row[i].observations, data.observed(i));
    sum += e.row[i].log_likelihood;
    observations += e.row[i].observations;
    baseline += e.row[i].baseline;
    entropy += e.row[i].entropy / 70;
  }
  for (std::size_t i = 0; i < 70; ++i) squares += std::pow(e.row[i].log_likelihood - sum / 70, 2);
  EXPECT_NEAR(e.log_likelihood, sum, 1e-9);
  EXPECT_NEAR(e.observations, observations, 1e-9);
  EXPECT_NEAR(e.baseline, baseline, 1e-9);
  EXPECT_NEAR(e.mean_entropy, entropy, 1e-12);
  EXPECT_NEAR(e.perplexity, std::exp(-sum / observations), 1e-12);
  EXPECT_NEAR(e.log_row_perplexity, -sum / 70, 1e-12);
  EXPECT_NEAR(e.standard_error, std::sqrt(70 * squares / 69), 1e-9);  // sqrt(n) times the deviation
}

TEST(Evaluate, RowsSayTheirMembership) {
  const Dataset data = people();
  const Model model = fitted(data, "mmnb", 3);
  const Evaluation e = evaluate(model, data, {});
  const Memberships shares = transform(model, data);
  for (std::size_t i = 0; i < data.rows; ++i) {
    const std::vector<double> share(shares.row(i), shares.row(i) + 3);
    double entropy = 0;
    for (const double p : share) entropy -= p * std::log(p);
    EXPECT_NEAR(e.row[i].entropy, entropy, 1e-12);
    EXPECT_EQ(e.row[i].top_share, *std::ranges::max_element(share));
    EXPECT_EQ(share[e.row[i].top], e.row[i].top_share);
  }
}

TEST(Evaluate, TheBaselineIsTheSmoothedShareOfEachLevel) {
  const Dataset data = people();
  const Evaluation e = evaluate(fitted(data, "mmnb"), data, {});
  std::vector<double> expected(data.rows, 0.0);
  for (const Block& block : data.blocks) {
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      const std::uint32_t begin = block.first_slot[f], end = block.first_slot[f + 1];
      std::vector<double> count(end - begin, 0.01);
      for (const std::uint32_t slot : block.slot) {
        if (slot >= begin && slot < end) ++count[slot - begin];
      }
      const double total = std::accumulate(count.begin(), count.end(), 0.0);
      for (std::size_t row = 0; row < data.rows; ++row) {
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
          const std::uint32_t slot = block.slot[c];
          if (slot >= begin && slot < end) expected[row] += std::log(count[slot - begin] / total);
        }
      }
    }
  }
  for (std::size_t row = 0; row < data.rows; ++row)
    EXPECT_NEAR(e.row[row].baseline, expected[row], 1e-10);
}

TEST(Evaluate, ARowOfWeightThreeCountsLikeThreeRows) {
  const Dataset data = people();
  const Model model = fitted(data, "mmnb");
  Dataset weighted = data;
  weighted.row_weight.assign(data.rows, 1.0);
  weighted.row_weight[4] = 3;
  weighted.row_weight[5] = 0;
  Order order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  order.erase(order.begin() + 5);
  order.insert(order.end(), {4, 4});
  const Evaluation a = evaluate(model, weighted, {});
  const Evaluation b = evaluate(model, rows_of(data, order), {});
  EXPECT_NEAR(a.log_likelihood, b.log_likelihood, 1e-9);
  EXPECT_NEAR(a.baseline, b.baseline, 1e-9);
  EXPECT_NEAR(a.observations, b.observations, 1e-9);
  EXPECT_NEAR(a.perplexity, b.perplexity, 1e-12);
  EXPECT_NEAR(a.log_row_perplexity, b.log_row_perplexity, 1e-12);
  EXPECT_NEAR(a.mean_entropy, b.mean_entropy, 1e-12);
}

TEST(Evaluate, EmptyRowsChangeNothing) {
  const Dataset data = people();
  const Model model = fitted(data, "mmnb");
  Order order(70);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Evaluation with = evaluate(model, data, {});
  const Evaluation without = evaluate(model, rows_of(data, order), {});
  EXPECT_EQ(with.log_likelihood, without.log_likelihood);
  EXPECT_EQ(with.perplexity, without.perplexity);
  EXPECT_EQ(with.standard_error, without.standard_error);
  EXPECT_EQ(with.log_row_perplexity, without.log_row_perplexity);
  EXPECT_EQ(without.empty_rows, 0U);
  const Evaluation nothing = evaluate(model, rows_of(data, {70, 71}), {});
  EXPECT_EQ(nothing.empty_rows, 2U);
  EXPECT_EQ(nothing.perplexity, 1.0);
  EXPECT_EQ(nothing.standard_error, 0.0);
}

TEST(Evaluate, TheEstimatorIsExactForShortRowsAndNeverBelowTheBound) {
  const Dataset data = people();
  const Model single = fitted(data, "mnb");
  const Model mixed = fitted(data, "mmnb");
  EXPECT_EQ(evaluate(single, data, {}).estimator, Estimator::exact);
  EXPECT_EQ(evaluate(mixed, data, {}).estimator, Estimator::exact);
  EvaluateOptions options;
  options.estimator = "exact";
  EXPECT_EQ(evaluate(single, data, options).estimator, Estimator::exact);
  const Evaluation exact = evaluate(mixed, data, options);
  EXPECT_EQ(exact.estimator, Estimator::exact);
  options.estimator = "bound";
  const Evaluation bound = evaluate(mixed, data, options);
  for (std::size_t i = 0; i < data.rows; ++i)
    EXPECT_GE(exact.row[i].log_likelihood, bound.row[i].log_likelihood - 1e-9);
  options.estimator = "importance";
  EXPECT_THAT(refusal(single, data, options), HasSubstr("`estimator=\"exact\"`"));
  const Evaluation drawn = evaluate(mixed, data, options);
  EXPECT_GT(drawn.sampling_error, 0);
  EXPECT_NEAR(drawn.log_likelihood, exact.log_likelihood, 6 * drawn.sampling_error);
  options.estimator = "bound";
  EXPECT_EQ(evaluate(mixed, data, options).estimator, Estimator::bound);
  options.estimator = "guess";
  EXPECT_THAT(refusal(mixed, data, options), HasSubstr("guess"));
  EXPECT_EQ(to_string(Estimator::exact), "exact");
  EXPECT_EQ(to_string(Estimator::bound), "bound");
}

TEST(Evaluate, TruthComparesTheTopComponentWithTheColumn) {
  const Dataset data = people();
  const Model model = fitted(data, "mnb");
  EvaluateOptions options;
  options.truth = {"kind"};
  const Evaluation e = evaluate(model, data, options);
  ASSERT_EQ(e.truth.size(), 1U);
  const KeptColumn& kind = *data.kept_column("kind");
  std::size_t known = 0;
  double count[2][2] = {};
  for (std::size_t i = 0; i < data.rows; ++i) {
    if (kind.code[i] < 0) continue;
    ++known;
    ++count[e.row[i].top][kind.code[i]];
  }
  EXPECT_EQ(e.truth[0].column, "kind");
  EXPECT_EQ(e.truth[0].rows, known);
  EXPECT_EQ(known, 64U);
  const double right = std::max(count[0][0], count[0][1]) + std::max(count[1][0], count[1][1]);
  EXPECT_NEAR(e.truth[0].micro_precision, right / static_cast<double>(known), 1e-12);
  EXPECT_GT(e.truth[0].nmi, 0.3);  // the planted kinds are found
  options.truth = {"nowhere"};
  EXPECT_THAT(refusal(model, data, options), HasSubstr("nowhere"));
}

// Too many ways to divide 400 words among 8 topics: they are drawn from, and the reason is given.
TEST(Evaluate, LongRowsAreScoredByDrawing) {
  std::string corpus;
  for (int document = 0; document < 4; ++document) {
    corpus += "40";
    for (int word = 0; word < 40; ++word)
      corpus += " " + std::to_string(word) + ":" + std::to_string(5 + (word * document) % 11);
    corpus += "\n";
  }
  const Dataset data = test::read_file("c.ldac", corpus);
  FitOptions fitting;
  fitting.components = 4;
  fitting.max_iterations = 5;
  EvaluateOptions options;
  options.samples = 20;
  const Model model = fit(data, fitting);
  const Evaluation e = evaluate(model, data, options);
  EXPECT_EQ(e.estimator, Estimator::left_to_right);
  EXPECT_THAT(e.reason, HasSubstr("too long"));
  EXPECT_GT(e.sampling_error, 0);
  for (const RowScore& row : e.row) EXPECT_GT(row.effective_draws, 1);
  options.estimator = "bound";
  EXPECT_EQ(evaluate(model, data, options).reason, "");  // asked for by name
}

TEST(Evaluate, DataReadWithoutTheSchemaOfTheModelIsRefused) {
  const Dataset data = people();
  const Model model = fitted(data, "mmnb");
  const Dataset more = test::survey_and_corpus(30);
  const Dataset words = test::corpus(30);
  Dataset other_levels = data;
  Dataset other_columns = data;
  Dataset fewer = data;
  std::swap(other_levels.blocks[0].features[0].levels[0],
            other_levels.blocks[0].features[0].levels[1]);
  other_columns.blocks[0].features[0].name = "z";
  fewer.blocks.pop_back();
  for (const Dataset& wrong : {more, words, other_levels, other_columns, fewer}) {
    EXPECT_THAT(refusal(model, wrong), HasSubstr("schema"));
    EXPECT_THROW((void)transform(model, wrong), InputError);
  }
  ReadOptions options;
  options.schema = model.schema();
  EXPECT_EQ(refusal(model, test::read_file("new.csv", "e,a\nhigh,no\n,yes\n", options)), "");
}

TEST(Transform, AnEmptyRowGetsThePrior) {
  const Dataset data = people();
  for (const char* name : {"mmnb", "fast-mmnb", "mnb"}) {
    const Model model = fitted(data, name, 3);
    const Memberships shares = transform(model, data);
    ASSERT_EQ(shares.rows(), 72U);
    const std::vector<double> prior = model.prior();
    const double total = std::accumulate(prior.begin(), prior.end(), 0.0);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(shares.row(70)[k], prior[k] / total, 1e-12) << name;
  }
}

TEST(Transform, ARowDoesNotDependOnTheOthersOrTheirOrderOrThreads) {
  const Dataset data = people();
  Order backwards(data.rows), some;
  for (std::size_t i = 0; i < data.rows; ++i) {
    backwards[i] = data.rows - 1 - i;
    if (i % 5 == 2) some.push_back(i);
  }
  for (const char* name : {"mmnb", "fast-mmnb", "mnb"}) {
    const Model model = fitted(data, name, 3);
    const Memberships all = transform(model, data, 1);
    EXPECT_EQ(transform(model, data, 3).share, all.share) << name;
    for (const Order* order : {&backwards, &some}) {
      const Memberships part = transform(model, rows_of(data, *order), 2);
      for (std::size_t i = 0; i < order->size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k)
          ASSERT_EQ(part.row(i)[k], all.row((*order)[i])[k]) << name << " row " << (*order)[i];
      }
    }
  }
}

TEST(Transform, SharesSumToOne) {
  const Dataset data = test::survey_and_corpus(40);
  for (const char* name : {"mmnb", "fast-mmnb", "mnb"}) {
    const Memberships shares = transform(fitted(data, name, 3), data);
    for (std::size_t i = 0; i < data.rows; ++i)
      EXPECT_NEAR(std::accumulate(shares.row(i), shares.row(i) + 3, 0.0), 1.0, 1e-12);
  }
}

TEST(Evaluate, BlockWeightsTemperTheScores) {
  ReadOptions reading;
  reading.keep = {"kind"};
  reading.block_weight = {{"data.bernoulli", 0.5}, {"data.categorical", 0.5}};
  const Dataset half = test::read_file("s.csv", test::survey_csv(70), reading);
  reading.block_weight = {{"data.bernoulli", 1}};
  const Dataset plain = test::read_file("s.csv", test::survey_csv(70), reading);
  const Model model = fitted(plain, "mnb");
  EvaluateOptions exact;
  exact.estimator = "exact";
  EXPECT_FALSE(evaluate(model, plain, {}).tempered);
  EXPECT_EQ(evaluate(model, plain, {}).estimator, Estimator::exact);
  const Evaluation tempered = evaluate(model, half, {});
  EXPECT_TRUE(tempered.tempered);
  EXPECT_EQ(tempered.estimator, Estimator::bound);
  EXPECT_DOUBLE_EQ(tempered.observations, evaluate(model, plain, {}).observations / 2);
  EXPECT_NEAR(tempered.baseline, evaluate(model, plain, {}).baseline / 2, 1e-9);
  EXPECT_THAT(refusal(model, half, exact), HasSubstr("tempered"));
  EXPECT_EQ(refusal(model, plain, exact), "");
}

}  // namespace
}  // namespace medley
