// SPDX-License-Identifier: Apache-2.0
#include "quality_json.hpp"

#include <nlohmann/json.hpp>

#include "flags.hpp"
#include "medley/report.hpp"
#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

Json score_if(double value, bool exists) {
  return exists ? Json(value) : Json(nullptr);
}

Json topics_json(const TopicTable& table) {
  Json topics = Json::array();
  for (std::size_t k = 0; k < table.topic.size(); ++k) {
    const TopicScores& t = table.topic[k];
    topics.push_back({{"topic", k + 1},
                      {"npmi", score_if(t.npmi, t.pairs > 0)},
                      {"umass", score_if(t.umass, t.pairs > 0)},
                      {"exclusivity", t.exclusivity},
                      {"pairs", t.pairs},
                      {"words_in_no_document", t.absent},
                      {"words", t.words}});
  }
  return {{"block", table.block},
          {"documents", table.documents},
          {"npmi", score_if(table.npmi, table.scored > 0)},
          {"umass", score_if(table.umass, table.scored > 0)},
          {"exclusivity", table.exclusivity},
          {"diversity", table.diversity},
          {"topics", std::move(topics)}};
}

Json patterns_json(const PatternFit& fit) {
  Json patterns = Json::array();
  for (const AnswerPattern& p : fit.pattern) {
    patterns.push_back({{"levels", p.levels},
                        {"observed", p.observed},
                        {"expected", p.expected},
                        {"expected_error", p.expected_error},
                        {"residual", p.residual}});
  }
  return {{"features", fit.features},
          {"rows", fit.rows},
          {"incomplete_rows", fit.incomplete},
          {"distinct", fit.distinct},
          {"least_count", fit.least_count},
          {"estimator", to_string(fit.estimator)},
          {"sum_absolute_residuals", fit.sum_absolute},
          {"sum_squared_residuals", fit.sum_squares},
          {"worst", fit.pattern.empty() ? Json(nullptr) : Json(fit.pattern[fit.worst].levels)},
          {"others_observed", fit.rest_observed},
          {"others_expected", fit.rest_expected},
          {"patterns", std::move(patterns)}};
}

Json pairs_json(const PairFit& fit) {
  Json levels = Json::array(), numbers = Json::array();
  for (const LevelPair& p : fit.levels) {
    levels.push_back({{"a", p.a},
                      {"b", p.b},
                      {"rows", p.rows},
                      {"residual", p.residual},
                      {"beyond_chance", p.beyond_chance},
                      {"level_a", p.level_a},
                      {"level_b", p.level_b},
                      {"observed", p.observed},
                      {"expected", p.expected}});
  }
  for (const NumberPair& p : fit.numbers) {
    numbers.push_back({{"a", p.a},
                       {"b", p.b},
                       {"level", p.level.empty() ? Json(nullptr) : Json(p.level)},
                       {"rows", p.rows},
                       {"observed", p.observed},
                       {"expected", p.expected},
                       {"standard_error", p.standard_error},
                       {"beyond_chance", p.beyond_chance}});
  }
  return {
      {"features", fit.features},         {"features_left_out", fit.features_left_out},
      {"level_pairs", fit.level_pairs},   {"level_pairs_beyond_chance", fit.level_pairs_beyond},
      {"number_pairs", fit.number_pairs}, {"number_pairs_beyond_chance", fit.number_pairs_beyond},
      {"levels", std::move(levels)},      {"numbers", std::move(numbers)}};
}

const char* figure_name(PredictiveCheck::Figure figure) {
  using Figure = PredictiveCheck::Figure;
  switch (figure) {
    case Figure::mean:
      return "mean";
    case Figure::variance:
      return "variance";
    case Figure::zero_share:
      return "zero_share";
    case Figure::absent_share:
      return "absent_share";
    case Figure::count_variance:
      return "count_variance";
  }
  return "";
}

Json checks_json(const PredictiveFit& fit) {
  Json checks = Json::array();
  for (const PredictiveCheck& c : fit.check) {
    checks.push_back({{"feature", c.feature},
                      {"word", c.word.empty() ? Json(nullptr) : Json(c.word)},
                      {"figure", figure_name(c.figure)},
                      {"observed", c.observed},
                      {"mean", c.mean},
                      {"low", c.low},
                      {"high", c.high},
                      {"p", c.p},
                      {"beyond_chance", c.beyond_chance},
                      {"in_words", in_words(c)}});
  }
  return {{"replicates", fit.replicates},
          {"rows", fit.rows},
          {"rows_left_out", fit.rows_left_out},
          {"checks", std::move(checks)}};
}

}  // namespace

std::string quality_json(const Quality& quality, const Model& model) {
  Json profiles = Json::array(), copies = Json::array(), topics = Json::array();
  for (std::size_t k = 0; k < quality.profile.size(); ++k) {
    const ProfileScores& p = quality.profile[k];
    const bool alone = p.nearest == k;
    profiles.push_back({{"component", k + 1},
                        {"name", model.names()[k]},
                        {"size", p.size},
                        {"top_of_rows", p.top_of_rows},
                        {"nearest", alone ? Json(nullptr) : Json(p.nearest + 1)},
                        {"distance", score_if(p.distance, !alone)}});
  }
  for (const NearCopies& pair : quality.copies) {
    copies.push_back({{"a", pair.a + 1},
                      {"b", pair.b + 1},
                      {"distance", pair.distance},
                      {"overlap", pair.overlap}});
  }
  for (const TopicTable& table : quality.topics) topics.push_back(topics_json(table));
  return json_text({{"rows", quality.rows},
                    {"effective_profiles", quality.effective_profiles},
                    {"profiles_per_row", quality.profiles_per_row},
                    {"smallest", quality.smallest + 1},
                    {"profiles", std::move(profiles)},
                    {"near_copies", std::move(copies)},
                    {"topics", std::move(topics)}});
}

std::string absolute_fit_json(const AbsoluteFit& fit) {
  return json_text(
      {{"patterns", fit.patterns.features.empty() ? Json(nullptr) : patterns_json(fit.patterns)},
       {"pairs", pairs_json(fit.pairs)},
       {"checks", checks_json(fit.checks)},
       {"notes", as_flags(fit.notes)}});
}

}  // namespace medley::cli
