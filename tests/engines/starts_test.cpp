// SPDX-License-Identifier: Apache-2.0
// Where EM begins: shapes, determinism, components that differ, and starting from a saved model.
#include "engines/starts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "engines/variational_em.hpp"
#include "kernels/lanes.hpp"
#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"
#include "support/files.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

using ::testing::HasSubstr;

// Answers of four kinds, every seventh row empty, and a label with unknown places.
Dataset labelled() {
  std::vector<std::vector<int>> codes;
  KeptColumn label{"group", {"a", "b"}, {}};
  core::Rng rng(4, 4);
  for (std::size_t row = 0; row < 70; ++row) {
    std::vector<int> answers(6);
    for (std::size_t j = 0; j < 6; ++j) {
      const bool typical = rng.uniform() < 0.9;
      const bool high = (row + j) % 4 < 2;
      answers[j] = row % 7 == 6 ? -1 : typical == high ? 1 : 0;
    }
    codes.push_back(answers);
    label.code.push_back(row % 10 == 3 ? -1 : static_cast<std::int32_t>(row % 2));
  }
  Dataset data =
      test::dataset({test::level_block("bernoulli", codes, std::vector<std::size_t>(6, 2))});
  data.kept.push_back(label);
  ColumnSpec column;
  column.name = "group";
  column.role = Role::label;
  SourceSpec source;
  source.columns.push_back(column);
  data.schema.sources.push_back(source);
  return data;
}

using Start = std::function<std::vector<double>(const Dataset&, std::size_t, StartSeed)>;

const std::pair<const char*, Start> kStarts[] = {
    {"random", random_rows},
    {"sample", sampled_memberships},
    {"kmeans",
     [](const Dataset& data, std::size_t components, StartSeed seed) {
       const auto& single = memberships::single_membership;
       const EmData prepared = prepare(data, 2);
       EmModel model =
           make_model(prepare(data, 1), single, model::usual_inference(single), components);
       model.smoothing = 0.01;
       VariationalEm em(prepared, std::move(model));
       return kmeans(em, seed);
     }},
    {"labels", from_labels},
};

TEST(Starts, EveryRowOfTheMatrixIsFiniteNotNegativeAndPaddedWithZeros) {
  const Dataset data = labelled();
  for (const auto& [name, start] : kStarts) {
    for (const std::size_t components : {2U, 3U, 9U}) {
      const std::size_t width = kernels::padded(components);
      const auto m = start(data, components, {1, 0});
      ASSERT_EQ(m.size(), data.rows * width) << name;
      for (std::size_t row = 0; row < data.rows; ++row) {
        double sum = 0;
        for (std::size_t k = 0; k < width; ++k) {
          const double v = m[row * width + k];
          ASSERT_TRUE(std::isfinite(v) && v >= 0) << name;
          if (k >= components) {
            ASSERT_EQ(v, 0.0) << name;
          }
          sum += v;
        }
        if (std::string(name) != "random") {
          EXPECT_NEAR(sum, 1.0, 1e-12) << name << " row " << row;
        }
      }
    }
  }
}

// Numbers in three clouds, measured in the given unit, beside one yes/no; every ninth cell missing.
Dataset clouds(double unit) {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<int>> codes;
  core::Rng rng(6, 6);
  for (std::size_t row = 0; row < 60; ++row) {
    const double centre = 10 * static_cast<double>(row % 3);
    numbers.push_back({unit * (centre + rng.normal()),
                       row % 9 == 8 ? std::nan("") : unit * (centre + rng.normal())});
    codes.push_back({row % 3 == 0 ? 1 : 0});
  }
  return test::dataset(
      {test::real_block("gaussian", numbers, 2), test::level_block("bernoulli", codes, {2})});
}

// Densities have units: in small ones every density is above 1. Seeds must not depend on that.
TEST(Starts, KmeansFindsTheSameSeedsInEveryUnit) {
  const auto& kmeans_start = kStarts[2].second;
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const auto metres = kmeans_start(clouds(1), 3, {seed, 0});
    EXPECT_EQ(kmeans_start(clouds(0x1p-30), 3, {seed, 0}), metres) << seed;
    EXPECT_EQ(kmeans_start(clouds(0x1p40), 3, {seed, 0}), metres) << seed;
  }
}

TEST(Starts, KmeansFindsPlantedClouds) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto m = kStarts[2].second(clouds(1e-6), 3, {seed, 0});
    bool right = true;
    for (std::size_t row = 3; row < 60; ++row) {
      for (std::size_t k = 0; k < 3; ++k) right = right && m[row * 8 + k] == m[row % 3 * 8 + k];
    }
    found += right ? 1 : 0;
  }
  EXPECT_GE(found, 7U);
}

// Of 10 seeds: how many put every two rows together that belong together, but for 1 %.
std::size_t patterns_found(std::size_t swaps) {
  const test::Patterns planted = test::patterns();
  const auto& single = memberships::single_membership;
  const EmData prepared = prepare(planted.data, 1);
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EmModel model = make_model(prepared, single, model::usual_inference(single), 8);
    model.smoothing = 0.01;
    VariationalEm em(prepared, std::move(model));
    const auto m = kmeans(em, {seed, 0}, swaps);
    std::vector<std::size_t> together(64, 0);  // pattern x component
    for (std::size_t row = 0; row < planted.of_row.size(); ++row) {
      for (std::size_t k = 0; k < 8; ++k) {
        if (m[row * 8 + k] == 1) ++together[planted.of_row[row] * 8 + k];
      }
    }
    std::set<std::size_t> components;
    std::size_t right = 0;
    for (std::size_t p = 0; p < 8; ++p) {
      const auto largest =
          std::max_element(together.begin() + static_cast<std::ptrdiff_t>(p * 8),
                           together.begin() + static_cast<std::ptrdiff_t>(p * 8 + 8));
      components.insert(static_cast<std::size_t>(largest - together.begin()) % 8);
      right += *largest;
    }
    if (components.size() == 8 && right * 100 >= planted.of_row.size() * 99) ++found;
  }
  return found;
}

TEST(Starts, SwapsFindPlantedPatternsThatKmeansMisses) {
  EXPECT_LE(patterns_found(0), 6U);  // or there would be nothing to mend
  EXPECT_GE(patterns_found(16), 9U);
}

// EM never leaves a probability of 0, so a start must not give one, smoothing or not.
TEST(Starts, NothingIsImpossibleToBeginWith) {
  const Dataset data = test::dataset({test::level_block("categorical", {{0}, {1}, {2}}, {3})});
  const auto& single = memberships::single_membership;
  const EmData prepared = prepare(data, 1);
  EmModel model = make_model(prepared, single, model::usual_inference(single), 2);
  model.smoothing = 0;
  VariationalEm em(prepared, std::move(model));
  std::vector<double> hard(3 * kernels::padded(2), 0.0);
  for (std::size_t row = 0; row < 3; ++row) hard[row * kernels::padded(2) + row % 2] = 1;
  em.start_from(hard);
  for (const double log : em.component_log_likelihoods()) EXPECT_GT(log, -10);
  EXPECT_EQ(em.model().smoothing.each, 0);
}

// A cell 1e90 standard deviations away, and columns without any spread.
TEST(Starts, KmeansSurvivesNumbersOfAnySize) {
  for (const double odd : {1e90, 0.0}) {
    std::vector<std::vector<double>> numbers(20, std::vector<double>{0.0});
    numbers[3][0] = odd;
    const Dataset data = test::dataset({test::real_block("gaussian", numbers, 1)});
    for (const double v : kStarts[2].second(data, 3, {1, 0})) EXPECT_TRUE(v == 0 || v == 1);
  }
}

TEST(Starts, SameSeedSameStartAndOthersDiffer) {
  const Dataset data = labelled();
  for (const auto& [name, start] : kStarts) {
    const auto first = start(data, 4, {7, 2});
    EXPECT_EQ(start(data, 4, {7, 2}), first) << name;
    EXPECT_NE(start(data, 4, {8, 2}), first) << name;
    EXPECT_NE(start(data, 4, {7, 3}), first) << name;
  }
}

TEST(Starts, NoTwoComponentsBeginAlike) {
  const Dataset data = labelled();
  const auto& mixed = memberships::mixed_membership;
  const EmData prepared = prepare(data, 1);
  for (const auto& [name, start] : kStarts) {
    EmModel model = make_model(prepare(data, 1), mixed, model::usual_inference(mixed), 4);
    model.smoothing = 0.01;
    VariationalEm em(prepared, std::move(model));
    em.start_from(start(data, 4, {1, 0}));
    const families::Family& family = *em.model().families[0];
    std::set<std::vector<double>> tables;
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<double> table;
      for (std::size_t at = k; at < family.parameters().size(); at += family.padded())
        table.push_back(family.parameters()[at]);
      tables.insert(table);
    }
    EXPECT_EQ(tables.size(), 4U) << name;
  }
}

TEST(Starts, RandomRowsSeedsComponentsWithRowsThatHoldSomething) {
  const Dataset data = labelled();
  const std::size_t width = kernels::padded(3);
  const auto m = random_rows(data, 3, {1, 0});
  std::vector<int> seeds(3, 0);
  for (std::size_t row = 0; row < data.rows; ++row) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (m[row * width + k] < 1.0) continue;
      ++seeds[k];
      EXPECT_GT(data.observed(row), 0.0);
    }
  }
  EXPECT_EQ(seeds, (std::vector<int>{20, 20, 20}));  // 60 rows hold something
}

TEST(Starts, MoreComponentsThanRowsAreServed) {
  const Dataset data = test::dataset({test::level_block("bernoulli", {{0}, {1}, {-1}}, {2})});
  for (const auto& [name, start] : kStarts) {
    if (std::string(name) == "labels") continue;
    EXPECT_EQ(start(data, 5, {1, 0}).size(), 3 * kernels::padded(5)) << name;
  }
}

TEST(Starts, OnlyEmptyRowsAreServed) {
  const Dataset data = test::dataset({test::level_block("bernoulli", {{-1}, {-1}}, {2})});
  for (const auto& [name, start] : kStarts) {
    if (std::string(name) == "labels") continue;
    for (const double v : start(data, 2, {1, 0})) EXPECT_TRUE(std::isfinite(v)) << name;
  }
}

TEST(Starts, LabelsPutARowInAComponentOfItsClass) {
  const Dataset data = labelled();
  for (const std::size_t components : {2U, 3U, 5U}) {
    const std::size_t width = kernels::padded(components);
    const auto m = from_labels(data, components, {1, 0});
    std::vector<double> rows_in(components, 0.0);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const std::int32_t code = data.kept[0].code[row];
      for (std::size_t k = 0; k < components; ++k) {
        const double v = m[row * width + k];
        if (code < 0) {
          EXPECT_NEAR(v, 1.0 / static_cast<double>(components), 1e-15);
        } else if (v > 0) {
          EXPECT_EQ(v, 1.0);
          EXPECT_EQ(k % 2, static_cast<std::size_t>(code));
          ++rows_in[k];
        }
      }
    }
    for (const double n : rows_in) EXPECT_GT(n, 0.0);
  }
  EXPECT_THROW((void)from_labels(data, 1, {1, 0}), InputError);
  Dataset unlabelled = data;
  unlabelled.schema.sources.clear();
  EXPECT_THROW((void)from_labels(unlabelled, 2, {1, 0}), InputError);
}

// --- from a file ---

FitOptions options(const std::string& model, std::size_t components, const std::string& init = "") {
  FitOptions o;
  o.model = model;
  o.components = components;
  o.init = init;
  o.threads = 1;
  return o;
}

std::string refusal(const Dataset& data, const FitOptions& o, const std::string& start = "") {
  try {
    (void)(start.empty() ? fit(data, o) : fit(data, o, Model::load(start)));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// bound + log prior of the tables, rows inferred from the documented start.
double penalised(const Model& model) {
  double sum = model.summary().bound;
  for (const auto& block : model.parts().blocks)
    sum += block.family->log_prior(model.parts().options.smoothing.value_or(0));
  return sum;
}

TEST(StartFile, AFitGoesOnWhereTheSavedOneStood) {
  const testing::TemporaryFolder folder;
  const Dataset data = test::survey_and_corpus(80);
  for (const char* name : {"mmnb", "fast-mmnb", "mnb"}) {
    FitOptions o = options(name, 3);
    o.max_iterations = 10;
    const Model first = fit(data, o);
    first.save(folder / "m.medley");
    const Model second = fit(data, options(name, 3), Model::load(folder / "m.medley"));
    const auto& trace = second.summary().restarts[0].bound;
    const double enough = 1e-6 * std::abs(trace.back());
    EXPECT_NEAR(trace.front(), penalised(first), enough) << name;
    for (std::size_t i = 1; i < trace.size(); ++i)
      EXPECT_GE(trace[i], trace[i - 1] - enough) << name << " iteration " << i;
  }
}

TEST(StartFile, TheTablesAndThePriorAreThoseOfTheFile) {
  const testing::TemporaryFolder folder;
  const Dataset data = test::survey_and_corpus(60);
  const Model saved = fit(data, options("mmnb", 3));
  saved.save(folder / "m.medley");
  const auto& mixed = memberships::mixed_membership;
  EmModel model = make_model(prepare(data, 1), mixed, model::usual_inference(mixed), 3);
  start_from_model(Model::load(folder / "m.medley"), data.blocks, model);
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const auto expected = saved.parts().blocks[b].family->parameters();
    EXPECT_TRUE(std::ranges::equal(model.families[b]->parameters(), expected));
  }
  EXPECT_TRUE(std::ranges::equal(model.membership->parameters(), saved.prior()));
}

TEST(StartFile, ClassSharesAndAlphaAreTurnedIntoEachOther) {
  const testing::TemporaryFolder folder;
  const Dataset data = test::survey(60);
  fit(data, options("mnb", 2)).save(folder / "single.medley");
  fit(data, options("mmnb", 2)).save(folder / "mixed.medley");
  const auto& mixed = memberships::mixed_membership;
  const auto& single = memberships::single_membership;
  EmModel to_mixed = make_model(prepare(data, 1), mixed, model::usual_inference(mixed), 2);
  start_from_model(Model::load(folder / "single.medley"), data.blocks, to_mixed);
  EmModel to_single = make_model(prepare(data, 1), single, model::usual_inference(single), 2);
  start_from_model(Model::load(folder / "mixed.medley"), data.blocks, to_single);
  const auto alpha = to_mixed.membership->parameters();
  const auto pi = to_single.membership->parameters();
  EXPECT_NEAR(alpha[0] + alpha[1], 0.5, 1e-12);
  EXPECT_NEAR(pi[0] + pi[1], 1.0, 1e-12);
}

// A common alpha must begin common, or the first M-step lowers the bound.
TEST(StartFile, ASymmetricFitFromAnUnevenOneDoesNotFall) {
  const testing::TemporaryFolder folder;
  const Dataset data = test::survey_and_corpus(80);
  fit(data, options("mmnb", 3)).save(folder / "m.medley");
  FitOptions o = options("mmnb", 3);
  o.alpha = "symmetric";
  const Model model = fit(data, o, Model::load(folder / "m.medley"));
  EXPECT_EQ(model.prior()[0], model.prior()[2]);
  const auto& trace = model.summary().restarts[0].bound;
  for (std::size_t i = 1; i < trace.size(); ++i)
    EXPECT_GE(trace[i], trace[i - 1] - 1e-7 * std::abs(trace[i]));
  EXPECT_EQ(model.summary().warnings, std::vector<std::string>{});
}

TEST(StartFile, AnotherKIsRefused) {
  const testing::TemporaryFolder folder;
  const Dataset data = test::survey(60);
  fit(data, options("mmnb", 2)).save(folder / "m.medley");
  EXPECT_THAT(refusal(data, options("mmnb", 3), folder / "m.medley"), HasSubstr("`k=2`"));
}

TEST(StartFile, OtherColumnsAreRefused) {
  const testing::TemporaryFolder folder;
  fit(test::survey(60), options("mmnb", 2)).save(folder / "m.medley");
  const std::string renamed = "z" + test::survey_csv(60).substr(1);
  for (const Dataset& other :
       {test::corpus(60), test::survey_and_corpus(60), test::read_file("r.csv", renamed)}) {
    EXPECT_THAT(refusal(other, options("", 2), folder / "m.medley"),
                HasSubstr("the model to start from"));
  }
}

TEST(StartFile, AFileThatIsNoModelIsRefused) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / "m.medley", "hello");
  EXPECT_THAT(refusal(test::survey(60), options("mmnb", 2), folder / "m.medley"),
              HasSubstr("m.medley"));
}

// About one count of every word in every component, Gamma(100, rate 100): mean 1, variance 1/100.
TEST(Starts, NoiseIsAboutOneCountOfEveryWord) {
  const Dataset data = test::corpus(30);
  const EmData prepared = prepare(data, 1);
  const auto& mixed = memberships::mixed_membership;
  const auto drawn = [&](std::uint64_t seed) {
    std::vector<double> out;
    EmModel model = make_model(prepared, mixed, model::usual_inference(mixed), 300);
    (void)start_from_noise({seed, 0}, model);
    const families::Family& family = *model.families[0];
    for (std::size_t v = 0; v < 6; ++v) {
      for (std::size_t k = 0; k < 300; ++k)
        out.push_back(family.parameters()[v * family.padded() + k]);
    }
    return out;
  };
  const std::vector<double> p = drawn(1);
  double mean = 0, squares = 0;
  for (std::size_t k = 0; k < 300; ++k) {
    double sum = 0;
    for (std::size_t v = 0; v < 6; ++v) sum += p[v * 300 + k];
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  for (const double value : p) mean += value / 1800;
  for (const double value : p) squares += (value - mean) * (value - mean) / 1800;
  EXPECT_NEAR(mean, 1.0 / 6, 1e-12);
  // A share of six such counts is Beta(100, 500).
  EXPECT_NEAR(squares, (1.0 / 6) * (5.0 / 6) / 601, 0.1 * squares);
  EXPECT_EQ(drawn(1), p);
  EXPECT_NE(drawn(2), p);
}

}  // namespace
}  // namespace medley::engines
