// SPDX-License-Identifier: Apache-2.0
// Planted models: the wanted shape, parameters that mean what `separation` says, and a model file.
#include <gtest/gtest.h>

#include <cmath>

#include "core/temporary_folder.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/simulate.hpp"
#include "model/model.hpp"

namespace medley {
namespace {

PlantOptions with(std::vector<PlantedColumns> columns, double separation = 1.5) {
  PlantOptions options;
  options.columns = std::move(columns);
  options.separation = separation;
  return options;
}

TEST(Plant, HasTheColumnsAskedFor) {
  const Model model =
      plant(with({{"bernoulli", 2, 0}, {"categorical", 3, 5}, {"bernoulli", 1, 0}}));
  const auto& blocks = model.parts().blocks;
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].shape.features.size(), 3U);
  EXPECT_EQ(blocks[0].shape.features[2].name, "bernoulli_3");
  EXPECT_EQ(blocks[1].shape.features.size(), 3U);
  EXPECT_EQ(blocks[1].shape.slots(), 15U);
  EXPECT_EQ(model.components(), 3U);
  EXPECT_EQ(model.prior(), std::vector<double>(3, 0.3));
}

TEST(Plant, ZeroSeparationIsNoDifference) {
  const Model model = plant(with({{"categorical", 2, 5}}, 0));
  for (std::size_t s = 0; s < 10; ++s) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(model.parts().blocks[0].probability(s, k), 0.2, 1e-12);
  }
}

// The log-probabilities of a feature have the standard deviation `separation` around their mean.
TEST(Plant, SeparationIsTheSpreadOfTheLogits) {
  for (const double separation : {0.5, 2.0}) {
    const Model model = plant(with({{"categorical", 200, 20}}, separation));
    double squares = 0;
    std::size_t count = 0;
    for (std::size_t f = 0; f < 200; ++f) {
      for (std::size_t k = 0; k < 3; ++k) {
        double mean = 0;
        for (std::size_t r = 0; r < 20; ++r)
          mean += std::log(model.parts().blocks[0].probability(f * 20 + r, k)) / 20;
        for (std::size_t r = 0; r < 20; ++r, ++count) {
          const double off = std::log(model.parts().blocks[0].probability(f * 20 + r, k)) - mean;
          squares += off * off;
        }
      }
    }
    const double degrees = static_cast<double>(count) * 19 / 20;
    EXPECT_NEAR(std::sqrt(squares / degrees), separation, 0.05 * separation);
  }
}

// Whatever families there are: planted numbers are numbers the family takes, and their centres
// spread as documented where the family can be any number.
TEST(Plant, EveryFamilyCanBePlantedSavedAndDrawnFrom) {
  const testing::TemporaryFolder folder;
  for (const auto* entry : families::registry()) {
    SCOPED_TRACE(entry->name);
    const bool words = entry->encoding == Encoding::tokens;
    PlantOptions options = with({{entry->name, words ? 1U : 4U, 0}});
    options.model = words ? "lda" : "mmnb";
    const Model model = plant(options);
    EXPECT_EQ(entry->invalid_reason(*model.parts().blocks[0].family), "");
    model.save(folder / "m.medley");
    const Model loaded = Model::load(folder / "m.medley");
    SimulateOptions drawing;
    drawing.rows = 500;
    const Simulated drawn = simulate(loaded, drawing);
    for (const double value : drawn.data.blocks[0].value)
      ASSERT_TRUE(entry->refusal == nullptr || entry->refusal(value).empty()) << value;
    EXPECT_EQ(drawn.data.blocks[0].slot, simulate(model, drawing).data.blocks[0].slot);
    const std::string file = folder / (words ? "d.ldac" : "d.csv");
    write_data(drawn.data, {{"", file}});
    ReadOptions reading;
    reading.schema = drawn.data.schema;
    EXPECT_EQ(read({{"", file}}, reading).blocks[0].value, drawn.data.blocks[0].value);
  }
}

TEST(Plant, RefusesWhatMakesNoSense) {
  EXPECT_THROW((void)plant(with({})), InputError);
  EXPECT_THROW((void)plant(with({{"weibull", 1, 0}})), InputError);
  EXPECT_THROW((void)plant(with({{"bernoulli", 1, 3}})), InputError);
  EXPECT_THROW((void)plant(with({{"categorical", 0, 3}})), InputError);
  EXPECT_THROW((void)plant(with({{"categorical", 2, 3}}, -1)), InputError);
  PlantOptions triplets = with({{"categorical", 2, 3}, {"categorical", 2, 4}});
  triplets.triplets = true;
  EXPECT_THROW((void)plant(triplets), InputError);
  PlantOptions preset = with({{"categorical", 2, 3}});
  preset.model = "lda";
  EXPECT_THROW((void)plant(preset), InputError);
  preset.model = "nonsense";
  EXPECT_THROW((void)plant(preset), InputError);
}

}  // namespace
}  // namespace medley
