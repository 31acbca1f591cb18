// SPDX-License-Identifier: Apache-2.0
// What is fitted when little is said, and every refusal.
#include "model/resolve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/temporary_folder.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "support/missing_level.hpp"
#include "support/toy.hpp"

namespace medley::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Dataset table() {
  return test::dataset({test::random_block(families::bernoulli_family, 20, 1, 0)});
}
Dataset text() {
  return test::dataset({test::random_block(families::tokens_family, 20, 1, 0)});
}
Dataset both() {
  return test::dataset({test::random_block(families::bernoulli_family, 20, 1, 0),
                        test::random_block(families::tokens_family, 20, 1, 0)});
}

FitOptions options(const std::string& model = "", std::size_t components = 4) {
  FitOptions o;
  o.model = model;
  o.components = components;
  return o;
}

std::string refusal(const Dataset& data, const FitOptions& o, std::size_t problems = 1) {
  try {
    (void)resolve(data, o);
  } catch (const InputError& e) {
    EXPECT_EQ(e.total(), problems) << e.what();
    for (const Problem& p : e.problems()) EXPECT_FALSE(p.where.empty() || p.remedy.empty());
    return e.what();
  }
  return "";
}

TEST(Resolve, TheModelFollowsFromTheData) {
  EXPECT_EQ(resolve(table(), options()).options.model, "mmnb");
  EXPECT_EQ(resolve(text(), options()).options.model, "lda");
  EXPECT_EQ(resolve(both(), options()).options.model, "mmnb");
}

TEST(Resolve, TheStartFollowsFromTheData) {
  EXPECT_EQ(resolve(table(), options()).options.init, "single");
  EXPECT_EQ(resolve(text(), options()).options.init, "sample");
  EXPECT_EQ(resolve(text(), options("lda")).options.init, "collapsed");
  FitOptions no_smoothing = options("lda");
  no_smoothing.smoothing = 0;
  EXPECT_EQ(resolve(text(), no_smoothing).options.init, "random");
  EXPECT_EQ(resolve(text(), options("bayesian-nmf")).options.init, "random");
  EXPECT_EQ(resolve(both(), options()).options.init, "single");
  EXPECT_EQ(resolve(table(), options("mnb")).options.init, "kmeans");
  FitOptions in_batches = options();
  in_batches.batch = 5;
  EXPECT_EQ(resolve(text(), in_batches).options.init, "sample");
  EXPECT_EQ(resolve(both(), in_batches).options.init, "single");
}

TEST(Resolve, APresetFillsInMembershipInferenceAndAlpha) {
  struct Case {
    const char *model, *membership, *inference, *alpha;
  };
  const Case cases[] = {
      {"mmnb", "mixed", "standard", "fitted"}, {"ld-cnb", "mixed", "standard", "fitted"},
      {"gom", "mixed", "standard", "fitted"},  {"fast-mmnb", "mixed", "fast", "fitted"},
      {"mnb", "single", "standard", ""},       {"cnb", "single", "standard", ""}};
  for (const Case& c : cases) {
    const Resolved r = resolve(table(), options(c.model));
    EXPECT_EQ(r.options.membership, c.membership) << c.model;
    EXPECT_EQ(r.options.inference, c.inference) << c.model;
    EXPECT_EQ(r.options.alpha, c.alpha) << c.model;
    EXPECT_EQ(r.membership, memberships::find(c.membership));
    ASSERT_NE(r.inference, nullptr);
    EXPECT_EQ(r.inference->name, std::string(c.inference));
    EXPECT_EQ(r.alpha_start, std::string(c.membership) == "mixed" ? 0.25 : 0.0);
  }
  const Resolved references = resolve(text(), options("text-references"));
  EXPECT_EQ(references.alpha, AlphaMode::symmetric);
  EXPECT_EQ(resolve(text(), options("fast-lda")).inference, &fast_inference);
  EXPECT_EQ(resolve(table(), options("mnb")).inference, &standard_inference);
}

TEST(Resolve, WhatIsSaidWinsOverThePreset) {
  FitOptions o = options("gom");
  o.inference = "fast";
  o.alpha = "symmetric";
  o.init = "sample";
  const Resolved r = resolve(table(), o);
  EXPECT_EQ(r.options.inference, "fast");
  EXPECT_EQ(r.alpha, AlphaMode::symmetric);
  EXPECT_EQ(r.options.init, "sample");
  o = options("fast-mmnb");
  o.membership = "single";
  EXPECT_EQ(resolve(table(), o).options.inference, "standard");
  o = options("mnb");
  o.membership = "mixed";
  EXPECT_EQ(resolve(table(), o).options.alpha, "fitted");
  o = options("gom");
  o.inference = "auto";
  EXPECT_EQ(resolve(table(), o).options.inference, "exact");
}

TEST(Resolve, ATableWithoutAPresetGetsTheBestThatIsAffordable) {
  const Resolved chosen = resolve(table(), options());
  EXPECT_EQ(chosen.options.inference, "exact");
  EXPECT_NE(chosen.why, "");
  // As the preset says, with a hint.
  EXPECT_EQ(resolve(table(), options("mmnb")).inference->name, std::string("standard"));
  EXPECT_NE(resolve(table(), options("mmnb")).why.find("`inference=\"exact\"`"), std::string::npos);
  FitOptions as_asked = options("mmnb");
  as_asked.inference = "standard";
  EXPECT_EQ(resolve(table(), as_asked).why, "");
  FitOptions o = options();
  o.membership = "single";
  EXPECT_EQ(resolve(table(), o).options.inference, "standard");
}

TEST(Resolve, WordsWithoutAPresetAreFittedByCollapsedInference) {
  const Resolved chosen = resolve(text(), options());
  EXPECT_EQ(chosen.options.inference, "collapsed");
  EXPECT_TRUE(chosen.options.fit_smoothing);
  EXPECT_NE(chosen.why, "");
  EXPECT_EQ(resolve(text(), options("lda")).options.inference, "standard");
  EXPECT_EQ(resolve(both(), options()).options.inference, "exact");
  FitOptions o = options();
  o.batch = 5;
  EXPECT_EQ(resolve(text(), o).options.inference, "standard");
  o = options();
  o.smoothing = 0;
  EXPECT_EQ(resolve(text(), o).options.inference, "standard");
  o = options();
  o.estimate = Estimate::vb;
  EXPECT_EQ(resolve(text(), o).options.inference, "standard");
  o = options("lda");
  o.inference = "auto";  // rows this short can be had exactly
  EXPECT_EQ(resolve(text(), o).options.inference, "exact");
  Dataset longer = text();
  for (float& w : longer.blocks[0].weight) w *= 40;
  EXPECT_EQ(resolve(longer, o).options.inference, "collapsed");
}

TEST(Resolve, FixedAlphaIsANumberOrANumberOverK) {
  FitOptions o = options("gom");
  const std::pair<const char*, double> values[] = {
      {"fixed:0.1", 0.1}, {"fixed:50/K", 12.5}, {"fixed:1e-3", 1e-3}, {"fixed:2", 2.0}};
  for (const auto& [text_value, value] : values) {
    o.alpha = text_value;
    const Resolved r = resolve(table(), o);
    EXPECT_EQ(r.alpha, AlphaMode::fixed);
    EXPECT_DOUBLE_EQ(r.alpha_start, value);
  }
  for (const char* bad : {"fixed", "fixed:", "fixed:0", "fixed:-1", "fixed:x", "fixed:1/J",
                          "fixed:inf", "fixed:nan", "fixed:1 ", "fixed:/K", "Fitted"}) {
    o.alpha = bad;
    EXPECT_THAT(refusal(table(), o), HasSubstr("fixed:VALUE")) << bad;
  }
}

TEST(Resolve, NumbersOutOfRangeAreRefused) {
  EXPECT_THAT(refusal(table(), options("", 0)), HasSubstr("`k`"));
  EXPECT_THAT(refusal(table(), options("", 21)), HasSubstr("larger than the 20 rows"));
  EXPECT_EQ(refusal(table(), options("", 20)), "");
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    FitOptions o = options();
    o.smoothing = bad;
    EXPECT_THAT(refusal(table(), o), HasSubstr("`smoothing`"));
  }
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    FitOptions o = options();
    o.tolerance = bad;
    EXPECT_THAT(refusal(table(), o), HasSubstr("`tolerance`"));
  }
  for (const double bad : {0.0, -1.0, 1e-10, 1.5, std::nan(""), HUGE_VAL}) {
    FitOptions o = options();
    o.variance_floor = bad;
    EXPECT_THAT(refusal(table(), o), HasSubstr("`variance_floor`"));
  }
  FitOptions o = options();
  o.max_iterations = 0;
  EXPECT_THAT(refusal(table(), o), HasSubstr("`max_iterations`"));
  o = options();
  o.restarts = 0;
  EXPECT_THAT(refusal(table(), o), HasSubstr("`restarts`"));
}

TEST(Resolve, EmptyRowsDoNotCountTowardsK) {
  const Dataset data = test::dataset(
      {test::level_block("bernoulli", {{-1, -1}, {0, 1}, {1, -1}, {-1, -1}}, {2, 2})});
  EXPECT_EQ(refusal(data, options("", 2)), "");
  EXPECT_THAT(refusal(data, options("", 3)), HasSubstr("larger than the 2 rows"));
}

TEST(Resolve, DataThatThePresetIsNotForIsRefused) {
  EXPECT_THAT(refusal(table(), options("lda")), HasSubstr("mmnb"));
  EXPECT_THAT(refusal(both(), options("lda")), HasSubstr("table columns"));
  EXPECT_THAT(refusal(text(), options("gom")), HasSubstr("lda"));
  EXPECT_THAT(refusal(both(), options("gom")), HasSubstr("mmnb"));
  EXPECT_THAT(refusal(table(), options("nb")), HasSubstr("`missing=\"category\"`"));
  Dataset data = test::dataset({test::random_block(families::categorical_family, 20, 1, 0)});
  test::take_missing_as_level(data);
  EXPECT_EQ(refusal(data, options("nb")), "");
}

// The model could be saved, and no data read by its schema would be of its shape.
TEST(Resolve, MissingCellsAreALevelOfEveryColumnOrOfNone) {
  Dataset data = table();
  data.schema.missing_as_category = true;
  FitOptions o = options("nb");
  o.restarts = 0;
  EXPECT_THAT(refusal(data, o, 2),
              AllOf(HasSubstr("`restarts`"), HasSubstr("has no level \"(missing)\""),
                    HasSubstr("missing_as_category = false")));
}

TEST(Resolve, UnknownNamesAreRefusedWithTheKnownOnes) {
  EXPECT_THAT(refusal(table(), options("nonsense")), AllOf(HasSubstr("gom"), HasSubstr("lda")));
  FitOptions o = options();
  o.membership = "double";
  EXPECT_THAT(refusal(table(), o), AllOf(HasSubstr("mixed"), HasSubstr("single")));
  o = options();
  o.inference = "magic";
  EXPECT_THAT(refusal(table(), o), AllOf(HasSubstr("standard"), HasSubstr("fast")));
  o = options();
  o.init = "no-such-file.medley";
  EXPECT_THAT(refusal(table(), o), AllOf(HasSubstr("kmeans"), HasSubstr("saved model")));
}

TEST(Resolve, SingleMembershipHasNeitherFastInferenceNorAlpha) {
  FitOptions o = options("mnb");
  o.inference = "fast";
  EXPECT_THAT(refusal(table(), o), HasSubstr("not offered for single"));
  o = options("mnb");
  o.alpha = "fitted";
  EXPECT_THAT(refusal(table(), o), HasSubstr("no alpha"));
}

FitOptions posterior(const std::string& model = "") {
  FitOptions o = options(model);
  o.estimate = Estimate::vb;
  return o;
}

TEST(Resolve, TablesArePointsUnlessPosteriorsAreAskedFor) {
  const Resolved usual = resolve(table(), options());
  EXPECT_EQ(usual.options.estimate, Estimate::map);
  EXPECT_FALSE(usual.smoothing().posterior);
  EXPECT_TRUE(resolve(table(), posterior()).smoothing().posterior);
  const Resolved online = resolve(text(), options("online-lda"));
  EXPECT_EQ(online.options.estimate, Estimate::vb);
  EXPECT_EQ(online.options.smoothing, 0.05);
}

// Papers' models keep their smoothing, unless they are fitted by the likelihood itself; words keep
// that of their preset.
TEST(Resolve, TablesHaveTheSmoothingThatPredictsBest) {
  const auto smoothing = [](const Dataset& data, const std::string& model,
                            const std::string& inference) {
    FitOptions o = options(model);
    o.inference = inference;
    return resolve(data, o).options.smoothing.value();
  };
  EXPECT_EQ(smoothing(table(), "", ""), 0.1);
  EXPECT_EQ(smoothing(table(), "", "standard"), 0.1);
  EXPECT_EQ(smoothing(table(), "", "monte-carlo"), 0.1);
  EXPECT_EQ(smoothing(table(), "mmnb", "exact"), 0.1);
  EXPECT_EQ(smoothing(table(), "mmnb", ""), 0.01);
  EXPECT_EQ(smoothing(table(), "mnb", ""), 0.01);
  EXPECT_EQ(smoothing(text(), "", "standard"), resolve(text(), options("lda")).options.smoothing);
  FitOptions o = options();
  o.smoothing = 0.3;
  EXPECT_EQ(resolve(table(), o).options.smoothing, 0.3);
  o = posterior();
  EXPECT_EQ(resolve(table(), o).options.smoothing, 0.01);
}

// Of a table exact inference would have been chosen, which has no posteriors.
TEST(Resolve, PosteriorsAreThoseOfVariationalBayes) {
  EXPECT_EQ(resolve(table(), posterior()).options.inference, "standard");
  FitOptions o = posterior();
  o.inference = "auto";
  EXPECT_EQ(resolve(text(), o).options.inference, "standard");
  for (const char* other : {"exact", "monte-carlo"}) {
    o.inference = other;
    EXPECT_THAT(refusal(table(), o), AllOf(HasSubstr("posteriors"), HasSubstr("standard or fast")));
  }
}

TEST(Resolve, PosteriorsThatAreNotOfferedAreRefusedInWords) {
  FitOptions o = posterior();
  o.smoothing = 0;
  EXPECT_THAT(refusal(table(), o), HasSubstr("needs a prior"));
  Dataset labelled = table();
  test::add_label(labelled, 2);
  EXPECT_THAT(refusal(labelled, posterior()), HasSubstr("`head=\"none\"`"));
  o = posterior();
  o.label.head = LabelHead::none;
  EXPECT_EQ(refusal(labelled, o), "");
  for (const auto* family : families::registry()) {
    const Dataset data = test::dataset({test::random_block(*family, 20, 1, 0)});
    if (family->posterior) {
      EXPECT_EQ(refusal(data, posterior()), "") << family->name;
    } else {
      EXPECT_THAT(refusal(data, posterior()),
                  AllOf(HasSubstr(family->name), HasSubstr("lognormal")));
    }
  }
}

FitOptions by_collapsed() {
  FitOptions o = options();
  o.inference = "collapsed";
  return o;
}

TEST(Resolve, CollapsedInferenceFitsItsSmoothingUnlessOneIsGiven) {
  EXPECT_TRUE(resolve(text(), by_collapsed()).options.fit_smoothing);
  FitOptions o = by_collapsed();
  o.smoothing = 0.2;
  EXPECT_FALSE(resolve(text(), o).options.fit_smoothing);
  EXPECT_EQ(resolve(text(), o).options.smoothing, 0.2);
  o = by_collapsed();
  o.shrink = 5;
  EXPECT_FALSE(resolve(text(), o).options.fit_smoothing);
  EXPECT_FALSE(resolve(text(), options("lda")).options.fit_smoothing);
}

TEST(Resolve, CollapsedInferenceIsForTablesWithAPriorAndMixedMembership) {
  for (const auto* family : families::registry()) {
    const Dataset data = test::dataset({test::random_block(*family, 20, 1, 0)});
    const std::string said = refusal(data, by_collapsed());
    if (family->encoding == Encoding::real) {
      EXPECT_THAT(said, AllOf(HasSubstr(family->name), HasSubstr("standard"))) << family->name;
    } else {
      EXPECT_EQ(said, "") << family->name;
    }
  }
  FitOptions o = by_collapsed();
  o.smoothing = 0;
  EXPECT_THAT(refusal(text(), o), HasSubstr("needs a prior"));
  o = by_collapsed();
  o.estimate = Estimate::vb;
  EXPECT_THAT(refusal(text(), o), HasSubstr("gives no posteriors"));
  o = by_collapsed();
  o.membership = "single";
  EXPECT_THAT(refusal(text(), o), HasSubstr("not offered for single"));
  Dataset labelled = text();
  test::add_label(labelled, 2);
  EXPECT_THAT(refusal(labelled, by_collapsed()), HasSubstr("`head=\"none\"`"));
}

TEST(Resolve, SmoothingIsFittedWhereTablesAreNotPoints) {
  FitOptions o = posterior();
  o.fit_smoothing = true;
  EXPECT_EQ(refusal(text(), o), "");
  o.shrink = 3;
  EXPECT_THAT(refusal(text(), o), HasSubstr("`shrink=0`"));
  o = options("lda");
  o.fit_smoothing = true;
  EXPECT_THAT(refusal(text(), o), AllOf(HasSubstr("collapsed"), HasSubstr("`estimate=\"vb\"`")));
  o = posterior();
  o.fit_smoothing = true;
  const Dataset numbers = test::dataset({test::random_block(families::gaussian_family, 20, 1, 0)});
  EXPECT_THAT(refusal(numbers, o), HasSubstr("leave out `smoothing`"));
}

TEST(Resolve, APresetMaySayTheRowsOfAMinibatch) {
  EXPECT_EQ(minibatch(options("lda"), 1000), 0U);
  EXPECT_EQ(minibatch(options("online-lda"), 10000), 500U);
  EXPECT_EQ(minibatch(options("online-lda"), 80), 80U);
  FitOptions o = options("online-lda");
  o.batch = 7;
  EXPECT_EQ(minibatch(o, 10000), 7U);
}

TEST(Resolve, AllObjectionsComeAtOnce) {
  FitOptions o = options("mnb", 0);
  o.smoothing = std::nan("");
  o.tolerance = 0;
  o.max_iterations = 0;
  o.restarts = 0;
  o.inference = "fast";
  o.alpha = "fitted";
  o.init = "nowhere";
  EXPECT_THAT(refusal(table(), o, 8), AllOf(HasSubstr("`k`"), HasSubstr("nowhere")));
}

TEST(Resolve, NoBlocksIsRefusedInWords) {
  Dataset nothing;
  nothing.rows = 5;
  EXPECT_THAT(refusal(nothing, options()), HasSubstr("no column is left"));
}

TEST(Resolve, AFileIsNoStart) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / "m.medley", "x");
  FitOptions o = options();
  o.init = folder / "m.medley";
  EXPECT_THAT(refusal(table(), o), AllOf(HasSubstr("is no start"), HasSubstr("`fit()`")));
  for (const std::string& name : named_starts()) EXPECT_NE(name, kModelStart);
}

}  // namespace
}  // namespace medley::model
