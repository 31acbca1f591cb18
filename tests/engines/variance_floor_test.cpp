// SPDX-License-Identifier: Apache-2.0
// The floor of variances in a fit: an outlier does not raise it, the option sets it, and where a
// variance stands at it, the fit says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "families/registry.hpp"
#include "medley/fit.hpp"
#include "model/model.hpp"
#include "model/model_file.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

// Two clusters, and some numbers far away in the first column: its variance is above 10,000, that
// of its middle half about 5. With spread 0.1 a cluster's variance is 0.01.
Dataset beside_outliers(double spread) {
  core::Rng rng(7, 4);
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 300; ++i) {
    const bool narrow = i % 2 == 0;
    rows.push_back({narrow ? spread * rng.normal() : 3 + rng.normal(),
                    (narrow ? 0 : 5) + rng.normal(), (narrow ? 3 : 0) + rng.normal()});
  }
  for (std::size_t i = 0; i < 10; ++i) rows[2 * i + 1][0] = 100.0 * static_cast<double>(i + 1);
  return test::dataset({test::real_block(families::gaussian_family.name, rows, 3)});
}

FitOptions three_classes() {
  FitOptions o;
  o.components = 3;
  o.model = "mnb";
  o.threads = 1;
  return o;
}

// The least variance of the first column.
double narrowest(const Model& model) {
  const families::Family& family = *model.parts().blocks[0].family;
  const families::ExportField variance = family.entry().fields(family, 0).at(1);
  double least = 1e300;
  for (const auto& var : variance.values) least = std::min(least, var.at(0));
  return least;
}

bool speaks_of_floors(const Model& model) {
  return std::ranges::any_of(model.summary().warnings, [](const std::string& warning) {
    return warning.find("`variance_floor`") != std::string::npos;
  });
}

TEST(VarianceFloor, OutliersDoNotHideASmallVariance) {
  const Dataset data = beside_outliers(0.1);
  const Model model = fit(data, three_classes());
  EXPECT_NEAR(narrowest(model), 0.01, 0.003);
  EXPECT_FALSE(speaks_of_floors(model));
  for (const RestartTrace& restart : model.summary().restarts) {
    for (std::size_t i = 1; i < restart.bound.size(); ++i)
      EXPECT_GE(restart.bound[i], restart.bound[i - 1] - 1e-9 * std::abs(restart.bound[i]));
  }
}

TEST(VarianceFloor, SaysWhereVariancesStandAtTheirFloorAndTheFloorCanBeLowered) {
  const Dataset data = beside_outliers(0.0);
  FitOptions o = three_classes();
  const Model model = fit(data, o);
  ASSERT_TRUE(speaks_of_floors(model));
  const std::string said = model.summary().warnings.back();
  EXPECT_NE(said.find("\"" + data.blocks[0].features[0].name + "\" in 1 of 3 profiles"),
            std::string::npos)
      << said;
  o.variance_floor = 1e-6;
  EXPECT_NEAR(narrowest(fit(data, o)) / narrowest(model), 1e-3, 1e-9);
  o.variance_floor = 1e-3;
  const Model copy(model::from_tensors(model::to_tensors(model.parts())));
  EXPECT_EQ(copy.parts().options.variance_floor, 1e-3);
  EXPECT_NEAR(narrowest(fit(data, o, copy)) / narrowest(model), 1, 1e-9);
}

// A model that began with another one has the floors its own options ask for.
TEST(VarianceFloor, IsThatOfTheFitNotOfTheModelItBeganWith) {
  const Dataset data = beside_outliers(0.0);
  FitOptions o = three_classes();
  const Model model = fit(data, o);
  o.variance_floor = 1e-2;
  EXPECT_NEAR(narrowest(fit(data, o, model)) / narrowest(model), 10, 1e-6);
}

TEST(VarianceFloor, HoldsInMinibatchesToo) {
  FitOptions o = three_classes();
  o.batch = 50;
  o.passes = 20;
  const Model model = fit(beside_outliers(0.1), o);
  EXPECT_LT(narrowest(model), 0.05);
}

}  // namespace
}  // namespace medley
