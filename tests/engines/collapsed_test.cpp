// SPDX-License-Identifier: Apache-2.0
// Collapsed inference: its fixed point by plain recomputation, counts that stay sums, planted
// topics and profiles, the same bits at any number of threads and after an interruption.
#include "engines/collapsed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "engines/starts.hpp"
#include "kernels/lanes.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/simulate.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"
#include "support/files.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

using testing::content_of;
using testing::TemporaryFolder;

constexpr std::size_t kComponents = 3;

EmModel model_for(const EmData& data, std::size_t components, double eta) {
  const auto& mixed = memberships::mixed_membership;
  EmModel out = make_model(data, mixed, *model::find_inference("collapsed"), components);
  out.smoothing = eta;
  return out;
}

// Words, references and answers; some rows are empty, some stand for several, some for half a one.
Dataset everything(std::size_t rows = 60) {
  Dataset data = test::dataset({test::random_block(families::tokens_family, rows, 1, 0.2),
                                test::random_block(families::tokens_family, rows, 2, 0.6),
                                test::random_block(families::categorical_family, rows, 3, 0.3),
                                test::random_block(families::bernoulli_family, rows, 4, 0.1)});
  for (Block& block : data.blocks) {  // rows 5 and 6 hold nothing
    const std::uint64_t gone = block.row_start[7] - block.row_start[5];
    const auto first = static_cast<std::ptrdiff_t>(block.row_start[5]);
    const auto last = first + static_cast<std::ptrdiff_t>(gone);
    block.slot.erase(block.slot.begin() + first, block.slot.begin() + last);
    if (!block.weight.empty())
      block.weight.erase(block.weight.begin() + first, block.weight.begin() + last);
    block.row_start[6] = block.row_start[5];
    for (std::size_t row = 7; row < block.row_start.size(); ++row) block.row_start[row] -= gone;
  }
  for (std::size_t row = 0; row < rows; ++row)
    data.row_weight.push_back(row % 3 == 0 ? 1.0 : row % 3 == 1 ? 2.0 : 0.5);
  return data;
}

// All counts as sums of the responsibilities, in double, with loops of the test's own.
struct Counts {
  std::size_t width;
  std::vector<double> row, slot, total;
  explicit Counts(const Collapsed& engine, const Dataset& data)
      : width(kernels::padded(kComponents)),
        row(data.rows * width, 0.0),
        slot(engine.cells().slots() * width, 0.0),
        total(engine.cells().features() * width, 0.0) {
    const std::vector<float> responsibilities = engine.responsibilities();
    each_cell(engine, [&](std::size_t i, std::size_t cell) {
      const double w = static_cast<double>(engine.cells().weight[cell]);
      const std::size_t s = engine.cells().slot[cell];
      for (std::size_t k = 0; k < kComponents; ++k) {
        const double phi = static_cast<double>(responsibilities[cell * width + k]);
        row[i * width + k] += w * phi;
        slot[s * width + k] += data.weight_of(i) * w * phi;
        total[engine.cells().simplex[s] * width + k] += data.weight_of(i) * w * phi;
      }
    });
  }
  template <class F>
  static void each_cell(const Collapsed& engine, F&& visit) {
    std::size_t cell = 0;
    for (const DiagonalCells::Run& run : engine.cells().runs) {
      for (std::uint32_t c = 0; c < run.count; ++c) visit(run.row, cell++);
    }
  }
};

TEST(Collapsed, EveryCellIsVisitedOnceAndPiecesShareNothing) {
  const Dataset data = everything();
  const DiagonalCells cells(data);
  constexpr std::size_t kGroups = DiagonalCells::kGroups;
  std::size_t expected = 0;
  double weight = 0, expected_weight = 0;
  for (const Block& block : data.blocks) {
    expected += block.cells();
    for (std::size_t c = 0; c < block.cells(); ++c)
      expected_weight += static_cast<double>(block.weight_of(c));
  }
  for (const float w : cells.weight) weight += static_cast<double>(w);
  ASSERT_EQ(cells.slot.size(), expected);
  EXPECT_DOUBLE_EQ(weight, expected_weight);
  for (std::size_t p = 0; p < kGroups; ++p) {
    for (std::size_t v = 0; v < kGroups; ++v) {
      std::size_t cell = cells.first_cell[DiagonalCells::piece(p, v)];
      for (std::size_t r = cells.first_run[DiagonalCells::piece(p, v)];
           r < cells.first_run[DiagonalCells::piece(p, v) + 1]; ++r) {
        EXPECT_GE(cells.runs[r].row, cells.row_groups[p]);
        EXPECT_LT(cells.runs[r].row, cells.row_groups[p + 1]);
        for (std::uint32_t c = 0; c < cells.runs[r].count; ++c, ++cell) {
          EXPECT_GE(cells.slot[cell], cells.slot_groups[v]);
          EXPECT_LT(cells.slot[cell], cells.slot_groups[v + 1]);
        }
      }
      EXPECT_EQ(cell, cells.first_cell[DiagonalCells::piece(p, v) + 1]);
    }
  }
  // A feature of levels lies in one group.
  for (std::size_t s = 1; s < cells.slots(); ++s) {
    if (cells.simplex[s] != cells.simplex[s - 1] || cells.shared[cells.simplex[s]] != 0) continue;
    for (const std::uint32_t begin : cells.slot_groups) EXPECT_NE(begin, s);
  }
}

// At convergence every cell's responsibilities solve the equation at the counts of all others.
TEST(Collapsed, EndsAtAFixedPoint) {
  const Dataset data = everything();
  constexpr double kEta = 0.3;
  const EmData prepared = prepare(data, 1);
  EmModel model = model_for(prepared, kComponents, kEta);
  model.alpha = AlphaMode::fixed;
  const std::vector<double> alpha = {0.2, 0.5, 0.9};
  model.membership->set_parameters(alpha);
  Collapsed engine(prepared, std::move(model));
  engine.start_from(random_rows(data, kComponents, {1, 0}));
  for (int i = 0; i < 1000; ++i) engine.iterate();
  EXPECT_LT(engine.moved(), 1e-5);
  const Counts counts(engine, data);
  const std::vector<float> responsibilities = engine.responsibilities();
  const DiagonalCells& cells = engine.cells();
  std::vector<double> slots_of(cells.features(), 0.0);
  for (const std::uint32_t g : cells.simplex) slots_of[g] += 1;
  double worst = 0;
  Counts::each_cell(engine, [&](std::size_t row, std::size_t cell) {
    const std::size_t slot = cells.slot[cell], g = cells.simplex[slot];
    const double w = static_cast<double>(cells.weight[cell]);
    const double own = std::min(1.0, w * data.weight_of(row));
    std::vector<double> next(kComponents);
    double sum = 0;
    for (std::size_t k = 0; k < kComponents; ++k) {
      const double phi = static_cast<double>(responsibilities[cell * counts.width + k]);
      sum += next[k] = (counts.row[row * counts.width + k] - phi + alpha[k]) *
                       (counts.slot[slot * counts.width + k] - own * phi + kEta) /
                       (counts.total[g * counts.width + k] - own * phi + slots_of[g] * kEta);
    }
    for (std::size_t k = 0; k < kComponents; ++k) {
      const double phi = static_cast<double>(responsibilities[cell * counts.width + k]);
      worst = std::max(worst, std::abs(next[k] / sum - phi));
    }
  });
  EXPECT_LT(worst, 1e-3);
  // The tables are the posterior means at these counts.
  engine.flush();
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    for (std::size_t s = 0; s < data.blocks[b].slots(); ++s) {
      const std::size_t slot = cells.first_slot[b] + s, g = cells.simplex[slot];
      for (std::size_t k = 0; k < kComponents; ++k) {
        const double expected = (counts.slot[slot * counts.width + k] + kEta) /
                                (counts.total[g * counts.width + k] + slots_of[g] * kEta);
        EXPECT_NEAR(engine.model().families[b]->parameters()[s * counts.width + k], expected, 1e-4);
      }
    }
  }
}

// The last sweeps are warm: cells become less decided, and the counts follow them.
TEST(Collapsed, SettlingMakesCellsLessDecided) {
  const Dataset data = everything();
  const EmData prepared = prepare(data, 1);
  EmModel model = model_for(prepared, kComponents, 0.1);
  model.alpha = AlphaMode::fixed;
  Collapsed engine(prepared, std::move(model));
  engine.start_from(sampled_memberships(data, kComponents, {1, 0}));
  for (int i = 0; i < 1000; ++i) engine.iterate();  // plain sweeps would change nothing any more
  const auto squares = [&] {
    double sum = 0;
    for (const float phi : engine.responsibilities()) sum += double{phi} * double{phi};
    return sum;
  };
  const double decided = squares();
  const auto alpha = engine.model().membership->parameters();
  const std::vector<double> prior(alpha.begin(), alpha.end());
  engine.finish_fit();
  EXPECT_LT(squares(), 0.999 * decided);
  EXPECT_TRUE(std::ranges::equal(prior, engine.model().membership->parameters()));
  const Counts counts(engine, data);
  for (std::size_t j = 0; j < counts.slot.size(); ++j)
    ASSERT_NEAR(static_cast<double>(engine.slot_counts()[j]), counts.slot[j], 1e-4);
}

// A step beyond takes fewer sweeps to where the cells rest, and gives way if it does not get there.
TEST(Collapsed, TheStepGivesWayWhenMovesDoNotBecomeSmaller) {
  const Dataset data = everything();
  const EmData prepared = prepare(data, 1);
  Collapsed engine(prepared, model_for(prepared, kComponents, 0.1));
  engine.start_from(sampled_memberships(data, kComponents, {1, 0}));
  engine.iterate();
  EXPECT_DOUBLE_EQ(engine.step(), 1.8);
  for (int i = 0; i < 3000; ++i) engine.iterate();  // at rest, rounding has no least
  EXPECT_LT(engine.step(), 1.8);
  EXPECT_GE(engine.step(), 1.0);
  EXPECT_LT(engine.moved(), 1e-4);
}

void expect_counts_to_stay_sums(bool half) {
  const Dataset data = everything();
  const EmData prepared = prepare(data, 1);
  EmModel model = model_for(prepared, kComponents, 0.1);
  model.fit_smoothing();
  Collapsed engine(prepared, std::move(model));
  if (half) engine.set_half_from(0);
  engine.start_from(sampled_memberships(data, kComponents, {1, 0}));
  for (int i = 0; i < 33; ++i) {
    EXPECT_TRUE(std::isfinite(engine.iterate()));
    const Counts counts(engine, data);
    for (std::size_t j = 0; j < counts.row.size(); ++j)
      ASSERT_NEAR(static_cast<double>(engine.row_counts()[j]), counts.row[j], 1e-4);
    for (std::size_t j = 0; j < counts.slot.size(); ++j)
      ASSERT_NEAR(static_cast<double>(engine.slot_counts()[j]), counts.slot[j], 1e-4);
  }
}

TEST(Collapsed, CountsStaySumsOfResponsibilities) {
  expect_counts_to_stay_sums(false);
}

TEST(Collapsed, CountsStaySumsOfResponsibilitiesInHalfPrecision) {
  expect_counts_to_stay_sums(true);
}

// sum_o w_o log p(o | all others), at a fixed point where all counts are those at the end.
TEST(Collapsed, ReturnsTheLeaveOneOutLikelihood) {
  const Dataset data = everything();
  constexpr double kEta = 0.3;
  const EmData prepared = prepare(data, 1);
  EmModel model = model_for(prepared, kComponents, kEta);
  model.alpha = AlphaMode::fixed;
  Collapsed engine(prepared, std::move(model));
  engine.start_from(random_rows(data, kComponents, {1, 0}));
  double last = 0;
  for (int i = 0; i < 1000; ++i) last = engine.iterate();
  const Counts counts(engine, data);
  const std::vector<float> responsibilities = engine.responsibilities();
  const DiagonalCells& cells = engine.cells();
  std::vector<double> slots_of(cells.features(), 0.0);
  for (const std::uint32_t g : cells.simplex) slots_of[g] += 1;
  double expected = 0;
  Counts::each_cell(engine, [&](std::size_t row, std::size_t cell) {
    const std::size_t slot = cells.slot[cell], g = cells.simplex[slot];
    const double w = static_cast<double>(cells.weight[cell]);
    const double own = std::min(1.0, w * data.weight_of(row));
    double p = 0;
    for (std::size_t k = 0; k < kComponents; ++k) {
      const double phi = static_cast<double>(responsibilities[cell * counts.width + k]);
      const double theta = (counts.row[row * counts.width + k] - phi + 1.0 / kComponents) /
                           (data.observed(row) - 1 + 1.0);
      p += theta * (counts.slot[slot * counts.width + k] - own * phi + kEta) /
           (counts.total[g * counts.width + k] - own * phi + slots_of[g] * kEta);
    }
    expected += data.weight_of(row) * w * std::log(p);
  });
  EXPECT_NEAR(last, expected, 1e-3 * std::abs(expected));
}

std::vector<double> trace(const Dataset& data, std::size_t threads, bool half = false) {
  const EmData prepared = prepare(data, threads);
  EmModel model = model_for(prepared, kComponents, 0.1);
  model.fit_smoothing();
  Collapsed engine(prepared, std::move(model));
  if (half) engine.set_half_from(0);
  engine.start_from(random_rows(data, kComponents, {1, 0}));
  std::vector<double> out;
  for (int i = 0; i < 11; ++i) out.push_back(engine.iterate());
  engine.flush();
  for (const auto& family : engine.model().families)
    out.insert(out.end(), family->parameters().begin(), family->parameters().end());
  for (const double v : engine.model().membership->parameters()) out.push_back(v);
  out.insert(out.end(), engine.model().each.begin(), engine.model().each.end());
  return out;
}

// Enough rows for several threads to be at work at once.
TEST(Collapsed, ThreadsChangeNoBit) {
  const Dataset data = everything(8000);
  const auto one = trace(data, 1);
  EXPECT_EQ(one, trace(data, 2));
  EXPECT_EQ(one, trace(data, 7));
  for (const double v : one) EXPECT_TRUE(std::isfinite(v));
  EXPECT_EQ(trace(data, 1, true), trace(data, 7, true));
}

// What is learnt is the same to three digits, from a start that leaves nothing to chance.
TEST(Collapsed, HalfPrecisionChangesLittle) {
  const Dataset data = everything(500);
  const auto in_float = trace(data, 1), in_half = trace(data, 1, true);
  EXPECT_NE(in_float, in_half);
  for (std::size_t i = 0; i < in_float.size(); ++i)
    EXPECT_NEAR(in_half[i], in_float[i], 1e-3 * (1 + std::abs(in_float[i]))) << i;
}

TEST(Collapsed, ASavedRunGoesOnWithTheSameBits) {
  const Dataset data = everything();
  const EmData prepared = prepare(data, 1);
  std::size_t half_from = 1'000'000;
  const auto make = [&] {
    EmModel model = model_for(prepared, kComponents, 0.1);
    model.fit_smoothing();
    auto engine = std::make_unique<Collapsed>(prepared, std::move(model));
    engine->set_half_from(half_from);
    return engine;
  };
  for (const int before : {1, 9, 10, 19, 20, 27}) {
    half_from = before % 2 == 0 ? 0 : 1'000'000;
    const auto straight = make(), first = make(), second = make();
    straight->start_from(random_rows(data, kComponents, {1, 0}));
    first->start_from(random_rows(data, kComponents, {1, 0}));
    for (int i = 0; i < before; ++i) {
      straight->iterate();
      first->iterate();
    }
    core::TensorFile file;
    first->save(file, "run.");
    second->restore(core::parse_tensors(core::serialise_tensors(file), "memory"), "run.");
    for (int i = 0; i < 15; ++i) EXPECT_EQ(straight->iterate(), second->iterate());
  }
}

// A row of weight 2 is two rows: what comes of rows that stand twice in the data is the same.
TEST(Collapsed, ARowOfWeightTwoIsTwoRows) {
  Dataset once = test::dataset({test::random_block(families::tokens_family, 40, 1, 0.2)});
  once.row_weight.assign(40, 2.0);
  Dataset twice = test::dataset({test::random_block(families::tokens_family, 40, 1, 0.2)});
  Block& block = twice.blocks[0];
  const Block copy = block;
  block.slot.insert(block.slot.end(), copy.slot.begin(), copy.slot.end());
  block.weight.insert(block.weight.end(), copy.weight.begin(), copy.weight.end());
  for (std::size_t row = 1; row < copy.row_start.size(); ++row)
    block.row_start.push_back(copy.row_start.back() + copy.row_start[row]);
  twice.rows = 80;
  const auto tables = [](const Dataset& data) {
    const EmData prepared = prepare(data, 1);
    Collapsed engine(prepared, model_for(prepared, 2, 0.2));
    const std::vector<double> alpha = {0.3, 0.4};
    engine.model().membership->set_parameters(alpha);
    engine.model().alpha = AlphaMode::fixed;
    std::vector<double> memberships;  // of both copies the same
    for (std::size_t row = 0; row < data.rows; ++row) {
      memberships.resize(row * kernels::padded(2), 0.0);
      const double share = static_cast<double>(row % 40) / 40;
      memberships.insert(memberships.end(), {share, 1 - share});
    }
    memberships.resize(data.rows * kernels::padded(2), 0.0);
    engine.start_from(memberships);
    for (int i = 0; i < 1000; ++i) engine.iterate();
    engine.flush();
    const auto p = engine.model().families[0]->parameters();
    return std::vector<double>(p.begin(), p.end());
  };
  const auto a = tables(once), b = tables(twice);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 2e-3);
}

FitOptions collapsed(std::size_t components) {
  FitOptions o;
  o.components = components;
  o.inference = "collapsed";
  o.threads = 1;
  return o;
}

TEST(CollapsedFit, FindsPlantedTopics) {
  PlantOptions plan;
  plan.model = "lda";
  plan.components = 4;
  plan.columns = {{"tokens", 1, 60}};  // not a family
  plan.alpha = 0.1;
  plan.separation = 4;
  const Model truth = plant(plan);
  const Simulated drawn = simulate(truth, {1500, 0, 60, 5});
  FitOptions options = collapsed(4);
  options.seed = 3;
  const Model fitted = fit(drawn.data, options);
  EXPECT_EQ(fitted.inference(), "collapsed");
  EXPECT_EQ(fitted.summary().termination, Termination::converged);
  EXPECT_TRUE(fitted.summary().leave_one_out);
  EXPECT_FALSE(fitted.summary().exact);
  const Comparison match = compare(truth, fitted);
  for (const auto& pair : match.pairs) EXPECT_LT(pair.distance, 0.1);
  for (const double a : fitted.prior()) EXPECT_NEAR(a, 0.1, 0.03);
  // What is reported can be recomputed.
  EvaluateOptions by_bound;
  by_bound.estimator = "bound";
  EXPECT_NEAR(fitted.summary().bound, evaluate(fitted, drawn.data, by_bound).log_likelihood,
              1e-9 * std::abs(fitted.summary().bound));
}

// By expected counts alone it would be half as large again.
TEST(CollapsedFit, FindsThePlantedAlphaOfTopicsThatOverlap) {
  PlantOptions plan;
  plan.model = "lda";
  plan.components = 8;
  plan.columns = {{"tokens", 1, 200}};  // not a family
  plan.alpha = 0.1;
  plan.separation = 2.5;
  const Simulated drawn = simulate(plant(plan), {900, 0, 80, 5});
  for (const AlphaMode mode : {AlphaMode::fitted, AlphaMode::symmetric}) {
    FitOptions options = collapsed(8);
    options.alpha = mode == AlphaMode::fitted ? "fitted" : "symmetric";
    const auto alpha = fit(drawn.data, options).prior();
    EXPECT_NEAR(std::accumulate(alpha.begin(), alpha.end(), 0.0), 0.8, 0.2);
    options.threads = 3;
    EXPECT_EQ(fit(drawn.data, options).prior(), alpha);
  }
}

TEST(CollapsedFit, FindsPlantedProfilesOfATable) {
  PlantOptions plan;
  plan.components = 3;
  plan.columns = {{"categorical", 30, 4}, {"bernoulli", 20, 2}};
  plan.alpha = 0.2;
  plan.separation = 2;
  const Model truth = plant(plan);
  const Simulated drawn = simulate(truth, {1500, 0.1, 1, 5});
  const Model fitted = fit(drawn.data, collapsed(3));
  ASSERT_EQ(fitted.summary().smoothing.size(), fitted.parts().blocks.size());
  for (const auto& pair : compare(truth, fitted).pairs) EXPECT_LT(pair.distance, 0.1);
  for (const double a : fitted.prior()) {
    EXPECT_GT(a, 0.18);
    EXPECT_LT(a, 0.4);
  }
}

TEST(CollapsedFit, OneComponentIsTheSmoothedMarginal) {
  const Dataset data = test::survey_and_corpus(200);
  FitOptions options = collapsed(1);
  options.smoothing = 0.7;
  const Model fitted = fit(data, options);
  EXPECT_TRUE(fitted.summary().smoothing.empty());
  for (const auto& block : fitted.parts().blocks) {
    for (std::size_t f = 0; f + 1 < block.shape.first_slot.size(); ++f) {
      double all = 0;
      for (std::size_t s = block.shape.first_slot[f]; s < block.shape.first_slot[f + 1]; ++s)
        all += block.total[s] + 0.7;
      for (std::size_t s = block.shape.first_slot[f]; s < block.shape.first_slot[f + 1]; ++s)
        EXPECT_NEAR(block.probability(s, 0), (block.total[s] + 0.7) / all, 1e-5);
    }
  }
}

TEST(CollapsedFit, RowsWithoutAnythingAndZeroCountsAreNoTrouble) {
  const Dataset data = test::read_file("c.ldac", test::corpus_ldac(100) + "0\n1 2:0\n0\n");
  const Model fitted = fit(data, collapsed(2));
  EXPECT_EQ(fitted.summary().empty_rows, 3U);
  EXPECT_TRUE(std::isfinite(fitted.summary().bound));
}

TEST(CollapsedFit, InterruptedAnywhereAndResumedItEndsWithTheSameBytes) {
  const TemporaryFolder folder;
  const auto bytes = [&](const Model& model) {
    model.save(folder / "m.medley");
    return content_of(folder / "m.medley");
  };
  for (const Dataset& data : {test::corpus(300), test::survey_and_corpus(300)}) {
    FitOptions options = collapsed(3);
    options.restarts = 2;
    options.max_iterations = 30;
    const std::string straight = bytes(fit(data, options));
    options.checkpoint = folder / "checkpoint";
    for (const std::size_t stop_after : {1U, 7U, 20U, 41U}) {
      options.resume = false;
      std::atomic<bool> stop{false};
      std::size_t steps = 0;
      Hooks hooks;
      hooks.progress = [&](const Progress&) { stop = ++steps >= stop_after; };
      hooks.stop = &stop;
      const Model so_far = fit(data, options, hooks);
      EXPECT_EQ(so_far.summary().termination, Termination::interrupted);
      options.resume = true;
      EXPECT_TRUE(bytes(fit(data, options)) == straight) << stop_after;
    }
  }
}

TEST(CollapsedFit, ProgressSaysWhatItsNumberIs) {
  const Dataset data = test::survey_and_corpus(200);
  bool fits = false;
  Hooks hooks;
  hooks.progress = [&](const Progress& p) {
    EXPECT_EQ(p.leave_one_out, p.stage == "fit");
    fits = fits || p.stage == "fit";
  };
  (void)fit(data, collapsed(2), hooks);
  EXPECT_TRUE(fits);
}

}  // namespace
}  // namespace medley::engines
