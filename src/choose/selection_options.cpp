// SPDX-License-Identifier: Apache-2.0
#include "choose/selection_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/weights.hpp"
#include "engines/checkpoint.hpp"
#include "medley/options.hpp"
#include "model/exact_rows.hpp"
#include "model/resolve.hpp"

namespace medley {
namespace choose {
namespace {

constexpr std::array<std::string_view, 8> kCriteria = {
    "cv", "aic", "bic", "dic", "pearson", "dp", "coherence", "exclusivity"};

bool any_words(const Dataset& data) {
  return std::ranges::any_of(data.blocks,
                             [](const Block& block) { return block.encoding == Encoding::tokens; });
}

bool all_levels(const Dataset& data) {
  return std::ranges::all_of(data.blocks,
                             [](const Block& block) { return block.encoding == Encoding::levels; });
}

std::string key_of(std::size_t components, double smoothing) {
  char text[64];
  std::snprintf(text, sizeof text, "k%02zu", components);
  std::string out = text;
  if (smoothing < 0) return out;
  std::snprintf(text, sizeof text, "_s%.12g", smoothing);
  return out + text;
}

std::vector<Place> grid_of(const SelectOptions& options) {
  std::vector<Place> out;
  const bool second_axis = !options.smoothing.empty();
  const std::vector<double> smoothing = second_axis ? options.smoothing : std::vector<double>{-1};
  for (const double eps : smoothing) {
    for (const std::size_t k : options.components) out.push_back({k, eps, key_of(k, eps)});
  }
  return out;
}

// Drawing 1000 memberships of every row, in steps; above this it would take hours.
constexpr double kDraws = 1000, kMostSteps = 1e12;

bool only_bound_affordable(const Dataset& data, std::size_t components) {
  double observations = 0;
  for (std::size_t row = 0; row < data.rows; ++row) observations += data.observed(row);
  return observations * static_cast<double>(components) * kDraws > kMostSteps &&
         !model::exact_cost(data, components).affordable(kMostSteps);
}

void check_criteria(const Dataset& data, const SelectionPlan& plan, core::Problems& problems) {
  for (const std::string& name : plan.by) {
    if (std::ranges::find(kCriteria, name) == kCriteria.end())
      problems.add("`by`", "there is no criterion " + core::quoted(name),
                   "some of cv, aic, bic, dic, pearson, dp, coherence, exclusivity");
  }
  if ((plan.wants("pearson") || plan.wants("dic")) && !all_levels(data))
    problems.add(plan.wants("pearson") ? "`by=\"pearson\"`" : "`by=\"dic\"`",
                 "is for tables whose columns all have levels", "leave it out of `by`");
  if ((plan.wants("coherence") || plan.wants("exclusivity")) && !any_words(data))
    problems.add(plan.wants("coherence") ? "`by=\"coherence\"`" : "`by=\"exclusivity\"`",
                 "is for text, and the data has no words", "leave it out of `by`");
  if (medley::data::is_tempered(data.schema) &&
      std::ranges::any_of(plan.by, [](const std::string& name) { return name != "cv"; }))
    problems.add("`block_weight`", "the likelihood is then that of no distribution over the cells",
                 "use `by=\"cv\"`, or leave out `block_weight`");
}

void check_sizes(const Dataset& data, const SelectOptions& options, const SelectionPlan& plan,
                 core::Problems& problems) {
  if (options.components.empty())
    problems.add("`k`", "nothing says which numbers of profiles to try",
                 "for example `k=\"2..10\"`");
  if (!std::ranges::is_sorted(options.components, std::less_equal<>{}))
    problems.add("`k`", "every K must be given once, the smallest first",
                 "for example `k=\"2,3,5\"`");
  if (options.folder.empty())
    problems.add("-o", "the name of the folder is missing", "for example -o selection");
  if (plan.wants("cv") && options.folds < 2)
    problems.add("`folds`", "at least 2 folds are needed", "for example `folds=5`");
  if (plan.wants("cv") && options.folds > data.rows)
    problems.add("`folds`", "there are more folds than rows", "choose fewer folds");
  if (options.fitting.restarts == 0 || options.fold_restarts == 0)
    problems.add("`restarts`", "at least 1 is needed", "default 5");
  for (const double eps : options.smoothing) {
    if (!(eps >= 0) || !std::isfinite(eps))
      problems.add("`smoothing`", "must be 0 or more", "for example `smoothing=\"0.01,0.1,1\"`");
  }
}

// Asks `resolve` what it thinks of every fit; the first objections are passed on.
void check_fits(const Dataset& data, const SelectOptions& options, const SelectionPlan& plan) {
  if (finds_components(options.fitting.model, options.fitting.membership))
    throw InputError({"`model`", "finds the number of clusters itself",
                      "add it to a selection of other models with `by=\"dp\"`"});
  for (const Place& place : plan.grid) {
    const model::Resolved resolved = model::resolve(data, fit_at(place, options, 0));
    if (resolved.inference->draws)
      throw InputError({core::setting("model", resolved.options.model), "is sampled, not fitted",
                        "use `by=\"dic\"`, which samples it at every K"});
  }
  for (const std::size_t k : options.components)
    if (plan.wants("dic")) (void)model::resolve(data, chains_with(k, options));
  if (plan.wants("dp")) (void)model::resolve(data, cluster_chains(options));
}

std::string fingerprint_of(const Dataset& data, const SelectOptions& options,
                           const SelectionPlan& plan) {
  FitOptions fitting = options.fitting;
  fitting.components = 0;
  std::string out = engines::fingerprint(data, fitting);
  out += " k";
  for (const std::size_t k : options.components) out += ' ' + std::to_string(k);
  out += " smoothing";
  for (const Place& place : plan.grid) out += ' ' + place.key;
  char text[128];
  std::snprintf(text, sizeof text, " folds %zu x %zu least %.17g clusters %.17g", options.folds,
                options.fold_restarts, options.least_count, options.cluster_smoothing);
  return out + text + " estimator " + options.estimator;
}

}  // namespace

SelectionPlan plan_selection(const Dataset& data, const SelectOptions& options) {
  SelectionPlan plan;
  const std::vector<std::string> by = options.by.empty() ? usual_criteria(data) : options.by;
  plan.by = {by.begin(), by.end()};
  plan.grid = grid_of(options);
  core::Problems problems;
  check_criteria(data, plan, problems);
  check_sizes(data, options, plan, problems);
  problems.throw_if_any();
  check_fits(data, options, plan);
  plan.estimator = options.estimator;
  if (plan.estimator == "auto" && only_bound_affordable(data, options.components.back()))
    plan.estimator = "bound";
  plan.fingerprint = fingerprint_of(data, options, plan);
  return plan;
}

FitOptions fit_at(const Place& place, const SelectOptions& options, std::size_t restart) {
  FitOptions out = options.fitting;
  out.components = place.components;
  if (place.smoothing >= 0) out.smoothing = place.smoothing;
  out.restarts = 1;
  out.seed = options.fitting.seed + restart;
  out.checkpoint.clear();
  out.resume = false;
  return out;
}

FitOptions chains_with(std::size_t components, const SelectOptions& options) {
  FitOptions out;
  out.model = "gom-bayes";
  out.components = components;
  out.chains = options.fitting.chains;
  out.label.head = LabelHead::none;
  out.seed = options.fitting.seed;
  out.threads = options.fitting.threads;
  return out;
}

FitOptions cluster_chains(const SelectOptions& options) {
  FitOptions out = chains_with(0, options);
  out.model = "dp-mixture";
  if (options.cluster_smoothing >= 0) out.smoothing = options.cluster_smoothing;
  return out;
}

}  // namespace choose

std::vector<std::string> usual_criteria(const Dataset& data) {
  check(data);
  if (medley::data::is_tempered(data.schema)) return {"cv"};
  std::vector<std::string> out = {"cv", "aic", "bic"};
  if (choose::all_levels(data)) out.emplace_back("pearson");
  if (choose::any_words(data)) {
    out.emplace_back("coherence");
    out.emplace_back("exclusivity");
  }
  return out;
}

}  // namespace medley
