// SPDX-License-Identifier: Apache-2.0
// The parameter file: any language must find the documented keys and numbers in it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/hand_made.hpp"

namespace medley {
namespace {

using Json = nlohmann::json;
using hand_made::block;

Model with_prior(std::vector<model::ModelBlock> blocks, const std::string& membership,
                 const std::vector<double>& prior) {
  const Model made = hand_made::model(std::move(blocks), {0.7, 0.3});
  const auto parts = made.parts().clone();
  parts->options.membership = membership;
  parts->membership = memberships::find(membership)->make(2);
  parts->membership->set_parameters(prior);
  return Model(parts);
}

// Blocks own their family and can only be moved.
template <class... Blocks>
std::vector<model::ModelBlock> list(Blocks... blocks) {
  std::vector<model::ModelBlock> result;
  (result.push_back(std::move(blocks)), ...);
  return result;
}

template <class... Blocks>
Json exported(Blocks... blocks) {
  return Json::parse(with_prior(list(std::move(blocks)...), "mixed", {0.25, 1.5}).export_json());
}

model::ModelBlock yes_no() {
  return block("table.bernoulli", "bernoulli", {{"b", {"no", "yes"}}, {"c", {"down", "up"}}},
               {{0.9, 0.2}, {0.1, 0.8}, {0.5, 0.75}, {0.5, 0.25}}, {1, 1, 1, 1});
}

TEST(ExportJson, BernoulliGivesOneProbabilityPerComponentOfTheSecondLevel) {
  const Json columns = exported(yes_no()).at("columns");
  EXPECT_EQ(columns, Json::parse(R"([
    {"name": "b", "family": "bernoulli", "levels": ["no", "yes"], "p": [0.1, 0.8]},
    {"name": "c", "family": "bernoulli", "levels": ["down", "up"], "p": [0.5, 0.25]}])"));
}

TEST(ExportJson, CategoricalGivesAListOfProbabilitiesPerComponent) {
  const Json columns = exported(hand_made::survey()).at("columns");
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[2], Json::parse(R"({"name": "mood", "family": "categorical",
    "levels": ["bad", "fair", "good"], "p": [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]]})"));
}

TEST(ExportJson, WordsAreABagWithAListOfProbabilitiesPerComponent) {
  const Json out = exported(hand_made::corpus());
  EXPECT_FALSE(out.contains("columns"));
  ASSERT_EQ(out.at("bags").size(), 1U);
  const Json& bag = out.at("bags")[0];
  EXPECT_EQ(bag.at("columns"), Json({"the", "cat", "dog", "rare"}));
  EXPECT_EQ(bag.at("p"), Json::parse("[[0.6, 0.39, 0.001, 0.009], [0.6, 0.001, 0.399, 0.0]]"));
}

TEST(ExportJson, ColumnsAndBagsStandBesideEachOther) {
  const Json out = exported(yes_no(), hand_made::survey(), hand_made::corpus());
  EXPECT_EQ(out.at("columns").size(), 5U);
  EXPECT_EQ(out.at("bags").size(), 1U);
}

TEST(ExportJson, ThePriorIsAlphaForMixedAndPiForSingle) {
  const Json mixed = exported(yes_no());
  EXPECT_EQ(mixed.at("alpha"), Json({0.25, 1.5}));
  EXPECT_FALSE(mixed.contains("pi"));
  const Json single = Json::parse(with_prior({}, "single", {0.75, 0.25}).export_json());
  EXPECT_EQ(single.at("pi"), Json({0.75, 0.25}));
  EXPECT_FALSE(single.contains("alpha"));
}

TEST(ExportJson, NumbersKeepAllTheirDigits) {
  const double third = 1.0 / 3;
  const Json out =
      Json::parse(with_prior(list(yes_no()), "mixed", {third, 1e-6 / 7}).export_json());
  EXPECT_EQ(out.at("alpha")[0].get<double>(), third);
  EXPECT_EQ(out.at("alpha")[1].get<double>(), 1e-6 / 7);
}

TEST(ExportJson, NamesAndSizesAreThere) {
  const Json out =
      Json::parse(hand_made::model(list(yes_no()), {0.7, 0.3}).renamed(1, "b\"ü").export_json());
  EXPECT_EQ(out.at("sizes"), Json({0.7, 0.3}));
  EXPECT_EQ(out.at("names"), Json({"", "b\"ü"}));
}

TEST(ExportJson, ANameThatIsNoUtf8StillGivesJson) {
  const Model model = hand_made::model(list(yes_no()), {0.7, 0.3}).renamed(0, "caf\xe9");
  EXPECT_TRUE(Json::accept(model.export_json()));
}

}  // namespace
}  // namespace medley
