// SPDX-License-Identifier: Apache-2.0
// Collapsed inference in minibatches: rows against a plain loop, fits from end to end.
#include "engines/collapsed_rows.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "kernels/lanes.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/simulate.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"
#include "support/em.hpp"
#include "support/files.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

using testing::content_of;
using testing::TemporaryFolder;

// Statistics of all rows by plain loops: phi ~ (a - phi + alpha) beta, cell after cell.
TEST(CollapsedRows, EqualThePlainLoop) {
  constexpr std::size_t kComponents = 3;
  Dataset data = test::dataset({test::random_block(families::tokens_family, 30, 1, 0.2),
                                test::random_block(families::categorical_family, 30, 2, 0.4)});
  for (std::size_t row = 0; row < data.rows; ++row)
    data.row_weight.push_back(row % 2 == 0 ? 1.0 : 1.5);
  const EmData prepared = prepare(data, 1);
  const auto& mixed = memberships::mixed_membership;
  EmModel model = make_model(prepared, mixed, *model::find_inference("collapsed"), kComponents);
  test::randomise(model, data, 4);
  const std::vector<double> alpha = {0.2, 0.4, 0.3};
  model.membership->set_parameters(alpha);
  Statistics found(model);
  constexpr std::size_t kSweeps = 200;
  collapsed_rows(prepared, {0, kSweeps}, model, found);
  const std::size_t width = kernels::padded(kComponents);
  std::vector<std::vector<double>> expected;
  for (const Block& block : data.blocks) expected.emplace_back(block.slots() * width, 0.0);
  double expected_score = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const auto beta = test::plain_rows(model, data, row);
    const auto weight = test::plain_weights(data, row);
    std::vector<std::vector<double>> phi(beta.size(), std::vector<double>(3, 1.0 / 3));
    std::vector<double> a(3, data.observed(row) / 3);
    for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
      for (std::size_t o = 0; o < beta.size(); ++o) {
        double sum = 0;
        std::vector<double> next(3);
        for (std::size_t k = 0; k < 3; ++k)
          sum += next[k] = (a[k] - phi[o][k] + alpha[k]) * beta[o][k];
        for (std::size_t k = 0; k < 3; ++k) {
          a[k] += weight[o] * (next[k] / sum - phi[o][k]);
          phi[o][k] = next[k] / sum;
        }
        if (sweep + 1 == kSweeps)
          expected_score +=
              data.weight_of(row) * weight[o] * std::log(sum / (data.observed(row) - 1 + 0.9));
      }
    }
    std::size_t o = 0;
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c, ++o) {
        for (std::size_t k = 0; k < 3; ++k)
          expected[b][block.slot[c] * width + k] += data.weight_of(row) * weight[o] * phi[o][k];
      }
    }
  }
  EXPECT_NEAR(found.bound(), expected_score, 1e-3);
  for (std::size_t b = 0; b < expected.size(); ++b) {
    for (std::size_t i = 0; i < expected[b].size(); ++i)
      EXPECT_NEAR(found.table(b)[i], expected[b][i], 1e-3);
  }
}

FitOptions in_batches(std::size_t batch, std::size_t components) {
  FitOptions o;
  o.components = components;
  o.inference = "collapsed";
  o.batch = batch;
  o.threads = 1;
  return o;
}

std::string bytes_of(const Model& model, const TemporaryFolder& folder) {
  model.save(folder / "m.medley");
  return content_of(folder / "m.medley");
}

TEST(CollapsedBatches, FindPlantedTopics) {
  PlantOptions plan;
  plan.model = "lda";
  plan.components = 4;
  plan.columns = {{"tokens", 1, 60}};  // not a family
  plan.alpha = 0.1;
  plan.separation = 4;
  const Model truth = plant(plan);
  const Simulated drawn = simulate(truth, {1500, 0, 60, 5});
  FitOptions options = in_batches(100, 4);
  options.seed = 3;
  const Model fitted = fit(drawn.data, options);
  EXPECT_EQ(fitted.inference(), "collapsed");
  EXPECT_TRUE(fitted.summary().leave_one_out);
  for (const auto& pair : compare(truth, fitted).pairs) EXPECT_LT(pair.distance, 0.1);
  for (const double a : fitted.prior()) {
    EXPECT_GT(a, 0.07);
    EXPECT_LT(a, 0.2);
  }
}

TEST(CollapsedBatches, AStreamFileAndAnyThreadsGiveTheSameBytes) {
  const TemporaryFolder folder;
  const Dataset data = test::survey_and_corpus(400);
  FitOptions options = in_batches(50, 3);
  const std::string one = bytes_of(fit(data, options), folder);
  write_stream(data, folder / "d.stream");
  const auto rows = open_stream(folder / "d.stream");
  EXPECT_TRUE(bytes_of(fit(*rows, options), folder) == one);
  for (const std::size_t threads : {2U, 7U}) {
    options.threads = threads;
    EXPECT_TRUE(bytes_of(fit(data, options), folder) == one);
  }
}

TEST(CollapsedBatches, InterruptedAndResumedTheyEndWithTheSameBytes) {
  const TemporaryFolder folder;
  const Dataset data = test::corpus(600);
  FitOptions options = in_batches(50, 3);
  options.passes = 3;
  const std::string straight = bytes_of(fit(data, options), folder);
  options.checkpoint = folder / "checkpoint";
  for (const std::size_t stop_after : {1U, 9U, 20U, 21U, 36U}) {
    options.resume = false;
    std::atomic<bool> stop{false};
    Hooks hooks;
    hooks.progress = [&](const Progress& p) { stop = p.iteration >= stop_after; };
    hooks.stop = &stop;
    EXPECT_EQ(fit(data, options, hooks).summary().termination, Termination::interrupted);
    options.resume = true;
    EXPECT_TRUE(bytes_of(fit(data, options), folder) == straight) << stop_after;
  }
}

TEST(CollapsedBatches, AnUpdateLearnsByStandardInferenceAndSaysSo) {
  const Model first = fit(test::corpus(300), in_batches(50, 2));
  const Model second = update(first, test::corpus(100, {}, 2), {});
  EXPECT_EQ(second.inference(), "standard");
  EXPECT_NE(second.summary().why_inference.find("collapsed"), std::string::npos);
  EXPECT_EQ(second.summary().smoothing, first.summary().smoothing);
}

}  // namespace
}  // namespace medley::engines
