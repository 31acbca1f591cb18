// SPDX-License-Identifier: Apache-2.0
// What every family must do, checked for every entry of the registry.
#include <gtest/gtest.h>

#include <cmath>

#include "data/transpose.hpp"
#include "families/registry.hpp"
#include "kernels/lanes.hpp"
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

  void SetUp() override {
    core::Rng rng(9, 1);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t k = 0; k < kComponents; ++k)
        vectors[row * kernels::padded(kComponents) + k] = rng.uniform();
    }
    for (std::size_t c = 0; c < block.cells(); ++c)
      coefficient.push_back(static_cast<double>(block.weight_of(c)));
  }

  // Statistics by the plain definition: sum over cells of coefficient x vector.
  [[nodiscard]] std::vector<double> plain_statistics() const {
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

  void learn(double smoothing) {
    family->collect(columns, block, {vectors.data(), coefficient.data(), false, {}}, 0,
                    block.slots());
    family->maximise(smoothing);
    family->prepare(true);
  }

  // Expected complete-data log-likelihood under the present responsibilities, with the log prior.
  [[nodiscard]] double objective(double smoothing) const {
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

TEST_P(EveryFamily, StatisticsEqualThePlainSum) {
  family->collect(columns, block, {vectors.data(), coefficient.data(), false, {}}, 0,
                  block.slots());
  const auto expected = plain_statistics();
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(family->statistics()[i], expected[i], 1e-12 * (1 + expected[i]));
}

TEST_P(EveryFamily, StatisticsOfPiecesEqualThoseOfTheWhole) {
  family->collect(columns, block, {vectors.data(), coefficient.data(), false, {}}, 0,
                  block.slots());
  const std::vector<double> whole(family->statistics().begin(), family->statistics().end());
  for (std::size_t s = block.slots(); s > 0; --s) {
    family->collect(columns, block, {vectors.data(), coefficient.data(), false, {}}, s - 1, s);
  }
  EXPECT_TRUE(std::equal(whole.begin(), whole.end(), family->statistics().begin()));
}

TEST_P(EveryFamily, ExceptionalCellsCountInFull) {
  learn(0.1);
  const std::vector<double> before(family->statistics().begin(), family->statistics().end());
  Responsibilities from{vectors.data(), coefficient.data(), false, {}};
  from.exceptions.push_back({2, {0.25, 0.5, 0.75}});
  family->collect(columns, block, from, 0, block.slots());
  const std::size_t at = block.slot[2] * kernels::padded(kComponents);
  for (std::size_t k = 0; k < kComponents; ++k) {
    EXPECT_NEAR(family->statistics()[at + k] - before[at + k], 0.25 * static_cast<double>(k + 1),
                1e-12);
  }
}

TEST_P(EveryFamily, MaximumBeatsPerturbedParameters) {
  for (const double smoothing : {0.0, 0.01, 1.0}) {
    learn(smoothing);
    const double best = objective(smoothing);
    const std::vector<double> at(family->parameters().begin(), family->parameters().end());
    core::Rng rng(3, 1);
    const std::size_t width = kernels::padded(kComponents);
    for (int trial = 0; trial < 50; ++trial) {
      // Perturb within the simplexes: multiply and normalise per feature.
      std::vector<double> other = at;
      for (std::size_t f = 0; f + 1 < block.first_slot.size(); ++f) {
        for (std::size_t k = 0; k < kComponents; ++k) {
          double sum = 0;
          for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s) {
            sum += other[s * width + k] *= std::exp(0.1 * rng.normal());
          }
          for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
            other[s * width + k] /= sum;
        }
      }
      family->set_parameters(other);
      EXPECT_LE(objective(smoothing), best + 1e-9 * std::abs(best));
    }
  }
}

TEST_P(EveryFamily, LikelihoodRowsAgreeWithLogRows) {
  learn(0.01);
  const std::size_t width = kernels::padded(kComponents);
  std::vector<double> logs(100 * width), rows(100 * width), total(width);
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::size_t count = block.row_start[row + 1] - block.row_start[row];
    family->log_rows(block, row, logs.data());
    const double log_scale = family->likelihood_rows(block, row, rows.data());
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
    family->add_log_rows(block, row, total.data());
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

TEST_P(EveryFamily, ProbabilitiesOfAFeatureSumToOne) {
  learn(0.01);
  EXPECT_EQ(entry().flaw(*family), "");
  std::vector<double> broken(family->parameters().begin(), family->parameters().end());
  broken[0] += 0.1;
  family->set_parameters(broken);
  EXPECT_NE(entry().flaw(*family), "");
}

TEST_P(EveryFamily, ComponentWithoutWeightKeepsItsParameters) {
  learn(0.01);
  const std::vector<double> before(family->parameters().begin(), family->parameters().end());
  std::fill(vectors.begin(), vectors.end(), 0.0);
  learn(0.0);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), family->parameters().begin()));
}

TEST_P(EveryFamily, ExportHasOneValueOrListPerComponent) {
  learn(0.01);
  for (std::size_t f = 0; f < block.features.size(); ++f) {
    for (const ExportField& field : entry().fields(*family, f)) {
      ASSERT_EQ(field.values.size(), kComponents);
      const std::size_t levels = block.first_slot[f + 1] - block.first_slot[f];
      for (const auto& values : field.values) EXPECT_EQ(values.size(), field.list ? levels : 1U);
    }
  }
}

TEST_P(EveryFamily, PermutingMovesComponents) {
  learn(0.01);
  const std::vector<double> before(family->parameters().begin(), family->parameters().end());
  family->permute(std::vector<std::size_t>{2, 0, 1});
  const std::size_t width = kernels::padded(kComponents);
  for (std::size_t at = 0; at < before.size(); at += width) {
    EXPECT_EQ(family->parameters()[at], before[at + 2]);
    EXPECT_EQ(family->parameters()[at + 1], before[at]);
    EXPECT_EQ(family->parameters()[at + 2], before[at + 1]);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryFamily,
                         testing::ValuesIn(registry().begin(), registry().end()),
                         [](const auto& member) { return std::string(member.param->name); });

}  // namespace
}  // namespace medley::families
