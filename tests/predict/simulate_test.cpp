// SPDX-License-Identifier: Apache-2.0
// Draws follow the model they are drawn from; the truth is the model's own parameters.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/temporary_folder.hpp"
#include "data/same_data.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/simulate.hpp"
#include "model/model.hpp"

namespace medley {
namespace {

Model survey(const std::string& preset, double alpha = 0.4) {
  PlantOptions options;
  options.model = preset;
  options.components = 3;
  options.columns = {{"categorical", 3, 4}, {"bernoulli", 2, 0}};
  options.alpha = alpha;
  options.seed = 5;
  return plant(options);
}

SimulateOptions rows(std::size_t count, double missing = 0) {
  SimulateOptions options;
  options.rows = count;
  options.missing = missing;
  return options;
}

// Share of rows with each slot against the mean over components: E p(x) = sum_k E theta_k p_k.
TEST(Simulate, LevelsAppearAsOftenAsTheModelSays) {
  for (const char* preset : {"mmnb", "mnb"}) {
    SCOPED_TRACE(preset);
    const Model model = survey(preset);
    constexpr std::size_t kRows = 40'000;
    const Simulated drawn = simulate(model, rows(kRows));
    for (std::size_t b = 0; b < model.parts().blocks.size(); ++b) {
      const model::ModelBlock& block = model.parts().blocks[b];
      std::vector<double> share(block.shape.slots(), 0.0);
      for (const std::uint32_t slot : drawn.data.blocks[b].slot) share[slot] += 1.0 / kRows;
      for (std::size_t s = 0; s < share.size(); ++s) {
        double p = 0;
        for (std::size_t k = 0; k < 3; ++k) p += block.probability(s, k) / 3;
        EXPECT_NEAR(share[s], p, 5 * std::sqrt(0.25 / kRows)) << "slot " << s;
      }
    }
  }
}

// The truth that is written beside the data: cells of rows weighted by their share of a component
// must lean to that component. E[1{x = s} theta_k] = sum_j E[theta_j theta_k] p_sj, and for a
// symmetric Dirichlet E[theta_j theta_k] = (alpha + [j = k]) alpha / (A (A + 1)), A = K alpha.
TEST(Simulate, CellsGoWithTheMembershipsTheyWereDrawnFrom) {
  constexpr double kAlpha = 0.4, kSum = 3 * kAlpha;
  constexpr std::size_t kRows = 40'000;
  const Model model = survey("mmnb", kAlpha);
  const Simulated drawn = simulate(model, rows(kRows));
  const model::ModelBlock& block = model.parts().blocks[0];
  const Block& cells = drawn.data.blocks[0];
  std::vector<double> joint(block.shape.slots() * 3, 0.0);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::uint64_t c = cells.row_start[row]; c < cells.row_start[row + 1]; ++c) {
      for (std::size_t k = 0; k < 3; ++k)
        joint[cells.slot[c] * 3 + k] += drawn.membership.row(row)[k] / kRows;
    }
  }
  for (std::size_t s = 0; s < block.shape.slots(); ++s) {
    for (std::size_t k = 0; k < 3; ++k) {
      double expected = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        const double moment = (kAlpha + (j == k ? 1 : 0)) * kAlpha / (kSum * (kSum + 1));
        expected += moment * block.probability(s, j);
      }
      EXPECT_NEAR(joint[s * 3 + k], expected, 5 * std::sqrt(0.25 / kRows));
    }
  }
}

TEST(Simulate, SingleMembershipHasOneComponentPerRow) {
  const Simulated drawn = simulate(survey("mnb"), rows(300));
  for (std::size_t i = 0; i < 300; ++i) {
    const double* share = drawn.membership.row(i);
    EXPECT_EQ(std::count(share, share + 3, 1.0), 1);
    EXPECT_EQ(std::count(share, share + 3, 0.0), 2);
  }
}

TEST(Simulate, TheMissingShareIsMetAndEachCellIsAsLikelyMissing) {
  constexpr std::size_t kRows = 20'000;
  for (const double missing : {0.1, 0.5, 0.95}) {
    const Simulated drawn = simulate(survey("mmnb"), rows(kRows, missing));
    const Block& block = drawn.data.blocks[0];
    std::vector<double> observed(3, 0.0);
    for (const std::uint32_t slot : block.slot) observed[slot / 4] += 1.0 / kRows;
    for (const double share : observed) EXPECT_NEAR(share, 1 - missing, 5 * 0.5 / std::sqrt(kRows));
    EXPECT_EQ(block.missing, 3 * kRows - block.cells());
  }
}

TEST(Simulate, WordsFollowAPoissonNumberAndTheModel) {
  PlantOptions planted;
  planted.model = "lda";
  planted.components = 2;
  planted.columns = {{"tokens", 1, 6}};
  const Model model = plant(planted);
  SimulateOptions options = rows(20'000);
  options.tokens = 150;
  const Simulated drawn = simulate(model, options);
  const Block& block = drawn.data.blocks[0];
  double mean = 0, square = 0;
  for (std::size_t row = 0; row < drawn.data.rows; ++row) {
    const double words = drawn.data.observed(row);
    mean += words / 20'000;
    square += words * words / 20'000;
  }
  EXPECT_NEAR(mean, 150, 5 * std::sqrt(150.0 / 20'000));
  EXPECT_NEAR(square - mean * mean, 150, 150 * 0.06);
  std::vector<double> share(6, 0.0);
  for (std::size_t c = 0; c < block.cells(); ++c)
    share[block.slot[c]] += static_cast<double>(block.weight[c]) / (150 * 20'000.0);
  for (std::size_t s = 0; s < 6; ++s) {
    const double p =
        (model.parts().blocks[0].probability(s, 0) + model.parts().blocks[0].probability(s, 1)) / 2;
    EXPECT_NEAR(share[s], p, 0.02);
  }
}

TEST(Simulate, TheSameSeedGivesTheSameRowsHoweverMany) {
  const Model model = survey("mmnb");
  const Simulated few = simulate(model, rows(300, 0.2)), many = simulate(model, rows(1000, 0.2));
  for (std::size_t b = 0; b < 2; ++b) {
    const Block &a = few.data.blocks[b], &c = many.data.blocks[b];
    EXPECT_TRUE(std::equal(a.slot.begin(), a.slot.end(), c.slot.begin()));
    EXPECT_TRUE(std::equal(a.row_start.begin(), a.row_start.end(), c.row_start.begin()));
  }
  SimulateOptions other = rows(300, 0.2);
  other.seed = 2;
  EXPECT_NE(simulate(model, other).data.blocks[0].slot, few.data.blocks[0].slot);
}

TEST(Simulate, WrittenFilesReadBackAsTheSameData) {
  const testing::TemporaryFolder folder;
  const Simulated table = simulate(survey("mmnb"), rows(200, 0.3));
  write_data(table.data, {{"", folder / "t.csv"}});
  ReadOptions options;
  options.schema = table.data.schema;
  testing::expect_same_data(table.data, read({{"", folder / "t.csv"}}, options));

  PlantOptions planted;
  planted.components = 4;
  planted.columns = {{"categorical", 30, 5}};
  planted.triplets = true;
  const Simulated ratings = simulate(plant(planted), rows(200, 0.9));
  write_data(ratings.data, {{"", folder / "r.csv"}});
  options.schema = ratings.data.schema;
  testing::expect_same_data(ratings.data, read({{"", folder / "r.csv"}}, options));
}

TEST(Simulate, RefusesWhatMakesNoSense) {
  const Model model = survey("mmnb");
  EXPECT_THROW((void)simulate(model, rows(0)), InputError);
  EXPECT_THROW((void)simulate(model, rows(10, 1.0)), InputError);
  EXPECT_THROW((void)simulate(model, rows(10, std::nan(""))), InputError);
  SimulateOptions none = rows(10);
  none.tokens = 0;
  EXPECT_THROW((void)simulate(model, none), InputError);
}

}  // namespace
}  // namespace medley
