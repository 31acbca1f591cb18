// SPDX-License-Identifier: Apache-2.0
// What every family must do, checked for every entry of the registry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "kernels/lanes.hpp"
#include "support/perturb.hpp"
#include "support/toy.hpp"

namespace medley::families {
namespace {

constexpr std::size_t kComponents = 3;
constexpr std::size_t kRows = 40;

class EveryFamily : public testing::TestWithParam<const FamilyEntry*> {
 public:
  [[nodiscard]] const FamilyEntry& entry() const { return *GetParam(); }
  Block block = test::random_block(*GetParam(), kRows, 5, 0.2);
  data::Columns columns = data::transpose(block);
  std::unique_ptr<Family> family = GetParam()->make(block, kComponents);
  std::vector<double> vectors = std::vector<double>(kRows * kernels::padded(kComponents), 0.0);
  std::vector<double> coefficient;
  std::vector<double> statistics;

  void SetUp() override {
    core::Rng rng(9, 1);
    for (std::size_t row = 0; row < kRows; ++row) {
      // A few rows weigh much more than others: the components differ from the whole and from
      // each other.
      for (std::size_t k = 0; k < kComponents; ++k)
        vectors[row * kernels::padded(kComponents) + k] = std::pow(rng.uniform(), 6);
    }
    for (std::size_t c = 0; c < block.cells(); ++c)
      coefficient.push_back(static_cast<double>(block.weight_of(c)));
    family->observe(block, columns, {});
    statistics.resize(family->statistics_size());
  }

  // Sum of responsibilities per slot by the plain definition: coefficient x vector over its cells.
  [[nodiscard]] std::vector<double> plain_weights() const {
    const std::size_t width = kernels::padded(kComponents);
    std::vector<double> sum(block.slots() * width, 0.0);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        for (std::size_t k = 0; k < kComponents; ++k) {
          sum[block.slot[c] * width + k] += coefficient[c] * vectors[row * width + k];
        }
      }
    }
    return sum;
  }

  // A slot's first row of statistics is the sum of its responsibilities, in every family.
  [[nodiscard]] std::size_t weight_at(std::size_t slot) const {
    return slot * (family->statistics_size() / block.slots());
  }

  void collect(bool times_likelihood = false, std::vector<ExceptionalCell> exceptions = {}) {
    family->collect(columns, block,
                    {vectors.data(), coefficient.data(), times_likelihood, std::move(exceptions)},
                    0, block.slots(), statistics);
  }
  [[nodiscard]] std::vector<double> parameters() const {
    return {family->parameters().begin(), family->parameters().end()};
  }

  void learn(const Smoothing& smoothing) {
    collect();
    family->maximise(statistics, smoothing);
    family->prepare(true);
  }

  // Expected complete-data log-likelihood under the present responsibilities, with the log prior.
  [[nodiscard]] double objective(const Smoothing& smoothing) const {
    const std::size_t width = kernels::padded(kComponents);
    double sum = family->log_prior(smoothing);
    std::vector<double> logs(100 * width);
    for (std::size_t row = 0; row < kRows; ++row) {
      family->log_rows(block, row, logs.data());
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        for (std::size_t k = 0; k < kComponents; ++k) {
          sum += coefficient[c] * vectors[row * width + k] *
                 logs[(c - block.row_start[row]) * width + k];
        }
      }
    }
    return sum;
  }
};

TEST_P(EveryFamily, StatisticsBeginWithThePlainSumOfResponsibilities) {
  collect();
  const auto expected = plain_weights();
  const std::size_t width = kernels::padded(kComponents);
  for (std::size_t s = 0; s < block.slots(); ++s) {
    for (std::size_t k = 0; k < width; ++k) {
      EXPECT_NEAR(statistics[weight_at(s) + k], expected[s * width + k],
                  1e-12 * (1 + expected[s * width + k]));
    }
  }
}

// The statistics that were collected are the truth: recall must find them again from the parameters
// and the weight of each feature alone.
TEST_P(EveryFamily, RecallFindsTheStatisticsAgain) {
  for (const Smoothing& smoothing : {Smoothing(0), Smoothing(0.3), Smoothing(0.1, 2)}) {
    learn(smoothing);
    const auto collected = statistics;
    const std::size_t width = kernels::padded(kComponents);
    std::vector<double> weight;
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      for (std::size_t k = 0; k < kComponents; ++k) {
        double sum = 0;
        for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
          sum += collected[weight_at(s) + k];
        weight.push_back(sum);
      }
    }
    std::ranges::fill(statistics, -1.0);
    ASSERT_TRUE(family->recall(weight, smoothing, statistics));
    for (std::size_t i = 0; i < collected.size(); ++i) {
      if (i % width < kComponents) {
        EXPECT_NEAR(statistics[i], collected[i], 1e-8 * (1 + std::abs(collected[i])));
      }
    }
  }
}

TEST_P(EveryFamily, StatisticsOfPiecesEqualThoseOfTheWhole) {
  collect();
  const auto whole = statistics;
  std::ranges::fill(statistics, -1.0);
  for (std::size_t s = block.slots(); s > 0; --s) {
    family->collect(columns, block, {vectors.data(), coefficient.data(), false, {}}, s - 1, s,
                    statistics);
  }
  EXPECT_EQ(statistics, whole);
}

// Workers that hold different rows add their statistics up, in any order.
TEST_P(EveryFamily, StatisticsOfRowsAddUp) {
  collect();
  const auto whole = statistics;
  const auto all = coefficient;
  std::vector<std::vector<double>> parts;
  for (std::size_t part = 0; part < 3; ++part) {
    coefficient = all;
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        if (row % 3 != part) coefficient[c] = 0;
      }
    }
    collect();
    parts.push_back(statistics);
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const double near = 1e-12 * (1 + std::abs(whole[i]));
    EXPECT_NEAR(parts[0][i] + parts[1][i] + parts[2][i], whole[i], near);
    EXPECT_NEAR(parts[2][i] + parts[0][i] + parts[1][i], whole[i], near);
  }
}

// The same numbers whether the likelihood is in the vectors or multiplied in by the family.
TEST_P(EveryFamily, StatisticsTimesLikelihoodEqualThoseOfWholeResponsibilities) {
  learn({0.01, 0, entry().posterior});
  const std::size_t width = kernels::padded(kComponents);
  std::vector<double> rows(100 * width);
  std::vector<ExceptionalCell> in_full;
  for (std::size_t row = 0; row < kRows; ++row) {
    family->likelihood_rows(block, row, rows.data());
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      auto& r = in_full.emplace_back(ExceptionalCell{c, {}}).responsibility;
      for (std::size_t k = 0; k < kComponents; ++k) {
        r.push_back(coefficient[c] * vectors[row * width + k] *
                    rows[(c - block.row_start[row]) * width + k]);
      }
    }
  }
  collect(true);
  const auto found = statistics;
  std::fill(coefficient.begin(), coefficient.end(), 0.0);
  collect(false, in_full);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], statistics[i], 1e-12 * (1 + std::abs(found[i])));
}

TEST_P(EveryFamily, ResponsibilitiesInFullGiveTheSameStatistics) {
  learn(0.01);
  const std::size_t width = kernels::padded(kComponents);
  std::vector<double> rows(100 * width), full(block.cells() * width, 0.0);
  for (std::size_t row = 0; row < kRows; ++row) {
    family->likelihood_rows(block, row, rows.data());
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      for (std::size_t k = 0; k < kComponents; ++k)
        full[c * width + k] = coefficient[c] * vectors[row * width + k] *
                              rows[(c - block.row_start[row]) * width + k];
    }
  }
  collect(true);
  const auto found = statistics;
  Responsibilities from;
  from.full = full.data();
  statistics = family->collect(columns, block, from);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], statistics[i], 1e-12 * (1 + std::abs(found[i])));
}

TEST_P(EveryFamily, ExceptionalCellsCountInFull) {
  learn(0.1);
  const auto before = statistics;
  collect(false, {{2, {0.25, 0.5, 0.75}}});
  for (std::size_t k = 0; k < kComponents; ++k) {
    const std::size_t at = weight_at(block.slot[2]) + k;
    EXPECT_NEAR(statistics[at] - before[at], 0.25 * static_cast<double>(k + 1), 1e-12);
  }
}

TEST_P(EveryFamily, MaximumBeatsPerturbedParameters) {
  for (const Smoothing& smoothing : {Smoothing(0), Smoothing(0.01), Smoothing(1), Smoothing(10),
                                     Smoothing(0, 5), Smoothing(0.01, 0.5)}) {
    learn(smoothing);
    const double best = objective(smoothing);
    const auto at = parameters();
    core::Rng rng(3, 1);
    for (int trial = 0; trial < 50; ++trial) {
      family->set_parameters(at);
      test::perturb(*family, block, rng, trial % 2 == 0 ? 0.1 : 0.01);
      family->prepare(true);
      EXPECT_LE(objective(smoothing), best + 1e-12 * std::abs(best))
          << smoothing.each << ' ' << smoothing.population;
    }
  }
}

// Pulled hard enough, every component is what the population alone says of the column.
TEST_P(EveryFamily, ShrinkagePullsTowardsThePopulation) {
  learn(Smoothing(0, 1e12));
  const std::unique_ptr<Family> column = entry().make(block, 1);
  column->observe(block, columns, {});
  std::vector<double> ones(kRows * column->padded(), 0.0);
  for (std::size_t row = 0; row < kRows; ++row) ones[row * column->padded()] = 1;
  column->maximise(column->collect(columns, block, {ones.data(), coefficient.data(), false, {}}),
                   Smoothing(0, 1e12));
  column->prepare(true);
  std::vector<double> here(100 * family->padded()), alone(100 * column->padded());
  for (std::size_t row = 0; row < kRows; ++row) {
    family->log_rows(block, row, here.data());
    column->log_rows(block, row, alone.data());
    for (std::size_t o = 0; o < block.row_start[row + 1] - block.row_start[row]; ++o) {
      for (std::size_t k = 0; k < kComponents; ++k)
        EXPECT_NEAR(here[o * family->padded() + k], alone[o * column->padded()], 1e-6);
    }
  }
}

// A missing cell is no cell: a row without any changes nothing at all.
TEST_P(EveryFamily, MissingIsNeutral) {
  learn(0.01);
  const auto before = parameters();
  Block longer = block;
  longer.row_start.push_back(block.cells());
  vectors.resize(vectors.size() + kernels::padded(kComponents), 1.0);
  const data::Columns transposed = data::transpose(longer);
  auto other = entry().make(longer, kComponents);
  other->observe(longer, transposed, {});
  other->maximise(
      other->collect(transposed, longer, {vectors.data(), coefficient.data(), false, {}}), 0.01);
  EXPECT_TRUE(std::ranges::equal(other->parameters(), before));
  other->prepare(true);
  std::vector<double> total(kernels::padded(kComponents), 0.25);
  EXPECT_EQ(other->likelihood_rows(longer, kRows, total.data()), 0.0);
  other->add_log_rows(longer, kRows, total.data());
  EXPECT_THAT(total, testing::Each(0.25));
}

// The scaled likelihoods of every row, their scale and their sums are those of the log rows.
void expect_rows_agree(const Family& family, const Block& block) {
  const std::size_t width = kernels::padded(kComponents);
  std::vector<double> logs(100 * width), rows(100 * width), total(width);
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::size_t count = block.row_start[row + 1] - block.row_start[row];
    family.log_rows(block, row, logs.data());
    const double log_scale = family.likelihood_rows(block, row, rows.data());
    double expected_scale = 0;
    for (std::size_t o = 0; o < count; ++o) {
      const double largest = *std::max_element(&logs[o * width], &logs[o * width] + kComponents);
      expected_scale += static_cast<double>(block.weight_of(block.row_start[row] + o)) * largest;
      for (std::size_t k = 0; k < width; ++k) {
        const double truth = k < kComponents ? std::exp(logs[o * width + k] - largest) : 0.0;
        EXPECT_NEAR(rows[o * width + k], truth, 1e-12);
      }
    }
    EXPECT_NEAR(log_scale, expected_scale, 1e-10 * (1 + std::abs(expected_scale)));
    std::fill(total.begin(), total.end(), 0.0);
    family.add_log_rows(block, row, total.data());
    for (std::size_t k = 0; k < kComponents; ++k) {
      double truth = 0;
      for (std::size_t o = 0; o < count; ++o) {
        truth +=
            static_cast<double>(block.weight_of(block.row_start[row] + o)) * logs[o * width + k];
      }
      EXPECT_NEAR(total[k], truth, 1e-10 * (1 + std::abs(truth)));
    }
  }
}

TEST_P(EveryFamily, LikelihoodRowsAgreeWithLogRows) {
  learn(0.01);
  expect_rows_agree(*family, block);
}

TEST_P(EveryFamily, ParametersOutOfRangeAreFlaws) {
  EXPECT_EQ(entry().invalid_reason(*family), "");
  learn(0.01);
  EXPECT_EQ(entry().invalid_reason(*family), "");
  const auto good = parameters();
  for (std::size_t at = 0; at < good.size(); at += kernels::padded(kComponents)) {
    for (const double bad : {std::nan(""), 1e300, -1e300}) {
      auto broken = good;
      broken[at + 1] = bad;
      family->set_parameters(broken);
      EXPECT_NE(entry().invalid_reason(*family), "") << at << " " << bad;
    }
  }
}

TEST_P(EveryFamily, ComponentWithoutWeightKeepsItsParameters) {
  learn(0.01);
  const auto before = parameters();
  std::fill(vectors.begin(), vectors.end(), 0.0);
  learn(0.0);
  EXPECT_EQ(parameters(), before);
}

TEST_P(EveryFamily, ExportHasOneValueOrListPerComponent) {
  learn(0.01);
  for (std::size_t f = 0; f < block.features.size(); ++f) {
    for (const ExportField& field : entry().fields(*family, f)) {
      ASSERT_EQ(field.values.size(), field.common ? 1U : kComponents);
      const std::size_t levels = block.first_slot[f + 1] - block.first_slot[f];
      for (const auto& values : field.values) EXPECT_EQ(values.size(), field.list ? levels : 1U);
    }
  }
}

TEST_P(EveryFamily, PermutingMovesComponents) {
  learn(0.01);
  const auto before = parameters();
  family->permute(std::vector<std::size_t>{2, 0, 1});
  const std::size_t width = kernels::padded(kComponents);
  for (std::size_t at = 0; at < before.size(); at += width) {
    EXPECT_EQ(family->parameters()[at], before[at + 2]);
    EXPECT_EQ(family->parameters()[at + 1], before[at]);
    EXPECT_EQ(family->parameters()[at + 2], before[at + 1]);
  }
}

// Learning in minibatches: the average by its definition, and the parameters that it gives.
TEST_P(EveryFamily, TheAverageOfMinibatchesIsThePlainOne) {
  for (const Smoothing& smoothing : {Smoothing(0.1, 0.5), Smoothing(0.1, 0.5, entry().posterior)}) {
    auto plain = entry().make(block, kComponents);
    plain->observe(block, columns, {});
    family->begin_average();
    std::vector<double> average(statistics.size(), 0.0);
    for (int step = 0; step < 5; ++step) {
      for (double& v : vectors) v = std::sqrt(v);
      std::fill(coefficient.begin(), coefficient.end(), 1.0 + step);
      family->prepare_for(columns, false);
      collect();
      const auto now = statistics;
      family->blend(0.75, 3, columns, statistics);
      family->maximise_average(smoothing);
      for (std::size_t i = 0; i < now.size(); ++i) average[i] = 0.75 * average[i] + 3 * now[i];
    }
    const auto found = family->average();
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], average[i], 1e-12 * (1 + std::abs(average[i])));
    plain->maximise(average, smoothing);
    auto resumed = entry().make(block, kComponents);
    resumed->observe(block, columns, {});
    resumed->set_parameters(parameters());
    resumed->begin_average();
    resumed->restore_average(family->average_state(), smoothing);
    if (!family->strengths().empty()) resumed->set_strengths(family->strengths());
    resumed->end_average();
    family->end_average();
    for (std::size_t i = 0; i < family->parameters().size(); ++i) {
      const double truth = plain->parameters()[i];
      EXPECT_NEAR(family->parameters()[i], truth, 1e-12 * (1 + std::abs(truth)));
      EXPECT_EQ(family->parameters()[i], resumed->parameters()[i]);
    }
    ASSERT_EQ(family->strengths().size(), plain->strengths().size());
    for (std::size_t i = 0; i < plain->strengths().size(); ++i)
      EXPECT_NEAR(family->strengths()[i], plain->strengths()[i], 1e-12 * plain->strengths()[i]);
  }
}

class EveryPosterior : public EveryFamily {
 public:
  [[nodiscard]] std::vector<double> strengths() const {
    return {family->strengths().begin(), family->strengths().end()};
  }
};

// E_q log likelihood - KL(q || prior) is largest where q is the posterior.
TEST_P(EveryPosterior, ThePosteriorBeatsOtherBeliefs) {
  for (const Smoothing& smoothing :
       {Smoothing(0.01, 0, true), Smoothing(1, 0, true), Smoothing(0.1, 3, true)}) {
    learn(smoothing);
    const double best = objective(smoothing);
    const auto mean = parameters();
    const auto sure = strengths();
    core::Rng rng(3, 1);
    for (int trial = 0; trial < 50; ++trial) {
      const double step = trial % 2 == 0 ? 0.1 : 0.01;
      family->set_parameters(mean);
      if (trial % 5 != 0) test::perturb(*family, block, rng, step);
      auto other = sure;
      for (double& s : other) s *= std::exp(trial % 3 == 0 ? 0.0 : step * rng.normal());
      family->set_strengths(other);
      family->prepare(true);
      EXPECT_LE(objective(smoothing), best + 1e-12 * std::abs(best)) << smoothing.each;
    }
  }
}

TEST_P(EveryPosterior, LikelihoodRowsAgreeWithLogRows) {
  learn({0.01, 0, true});
  expect_rows_agree(*family, block);
}

TEST_P(EveryPosterior, WithoutDataItIsThePrior) {
  std::fill(vectors.begin(), vectors.end(), 0.0);
  learn({0.2, 1, true});
  EXPECT_NEAR(family->log_prior({0.2, 1, true}), 0, 1e-10);
}

// As the data grow, what a cell is expected to score becomes what it scores at the mean.
TEST_P(EveryPosterior, OfVeryMuchDataItIsAPoint) {
  for (double& w : coefficient) w *= 1e9;
  learn({0.01, 0, true});
  const std::size_t width = kernels::padded(kComponents);
  std::vector<double> sure(100 * width), point(100 * width);
  EXPECT_FALSE(strengths().empty());
  for (std::size_t row = 0; row < kRows; ++row) {
    family->log_rows(block, row, sure.data());
    const auto kept = family->take_strengths();
    family->prepare(true);
    family->log_rows(block, row, point.data());
    family->set_strengths(kept);
    family->prepare(true);
    for (std::size_t o = 0; o < block.row_start[row + 1] - block.row_start[row]; ++o) {
      for (std::size_t k = 0; k < kComponents; ++k)
        EXPECT_NEAR(sure[o * width + k], point[o * width + k], 1e-5);
    }
  }
}

TEST_P(EveryPosterior, TheMeansAreNoFlaws) {
  learn({0.01, 0, true});
  EXPECT_EQ(entry().invalid_reason(*family), "");
  EXPECT_EQ(strengths().size(), family->strengths_size());
  for (std::size_t at = 0; at < strengths().size(); at += family->padded()) {
    for (std::size_t k = 0; k < kComponents; ++k) EXPECT_GT(strengths()[at + k], 0);
  }
}

TEST_P(EveryPosterior, PermutingMovesStrengthsAndPointsHaveNone) {
  learn({0.01, 0, true});
  const auto before = strengths();
  family->permute(std::vector<std::size_t>{2, 0, 1});
  for (std::size_t at = 0; at < before.size(); at += family->padded()) {
    EXPECT_EQ(family->strengths()[at], before[at + 2]);
    EXPECT_EQ(family->strengths()[at + 1], before[at]);
  }
  learn(0.01);
  EXPECT_TRUE(family->strengths().empty());
}

std::vector<const FamilyEntry*> with_posteriors() {
  std::vector<const FamilyEntry*> out;
  for (const FamilyEntry* entry : registry()) {
    if (entry->posterior) out.push_back(entry);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryPosterior, testing::ValuesIn(with_posteriors()),
                         [](const auto& member) { return std::string(member.param->name); });
INSTANTIATE_TEST_SUITE_P(Registry, EveryFamily,
                         testing::ValuesIn(registry().begin(), registry().end()),
                         [](const auto& member) { return std::string(member.param->name); });

// What the registry says that a cell can be, against what reading turns away.
TEST(Families, SupportIsWhatIsNotRefused) {
  for (const FamilyEntry* entry : registry()) {
    SCOPED_TRACE(entry->name);
    const auto takes = [&](double x) { return entry->refusal(x).empty(); };
    const Support support = entry->support;
    EXPECT_EQ(support == Support::words, entry->encoding == Encoding::tokens);
    if (entry->encoding == Encoding::levels) {
      data::ColumnFacts three;
      three.distinct = 3;
      EXPECT_EQ(support == Support::two_levels, !entry->objection(three).empty());
      EXPECT_TRUE(support == Support::two_levels || support == Support::levels);
    }
    if (entry->encoding != Encoding::real) continue;
    EXPECT_TRUE(takes(1) && takes(20));
    EXPECT_EQ(takes(0.5), support != Support::counts);
    EXPECT_EQ(takes(0), support != Support::positive);
    EXPECT_EQ(takes(-1), support == Support::numbers);
  }
}

TEST(Families, FacetsBelongToTheSupport) {
  for (const FamilyEntry* entry : registry()) {
    SCOPED_TRACE(entry->name);
    const Block block = test::random_block(*entry, 5, 2, 0);
    const auto family = entry->make(block, 2);
    EXPECT_EQ(family->numbers() != nullptr, entry->encoding == Encoding::real);
    EXPECT_EQ(family->dirichlet() != nullptr, entry->dirichlet_tables);
    EXPECT_TRUE(family->floors() == nullptr || entry->support == Support::numbers ||
                entry->support == Support::positive);
  }
}

}  // namespace
}  // namespace medley::families
