// SPDX-License-Identifier: Apache-2.0
// The order of decisions; sizes, preset, membership and inference, start, chains.
#include "model/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/encode.hpp"
#include "data/source_columns.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/family_catalogue.hpp"
#include "model/model.hpp"
#include "model/resolver.hpp"

namespace medley::model {
namespace {

// In a rating log most pairs are missing, so most components have few observations of most items.
constexpr double kRatingShrink = 20;
// A variance below this is only rounding.
constexpr double kLeastVarianceFloor = 1e-9;

bool has_ratings(const Schema& schema) {
  return std::ranges::any_of(
      schema.sources, [](const SourceSpec& source) { return source.kind == SourceKind::triplets; });
}

std::size_t observed_rows(const Dataset& data) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < data.rows; ++row) count += data.observed(row) > 0 ? 1 : 0;
  return count;
}

// Makes a source for every block: a vocabulary, or a table of its features.
SourceSpec source_of(const Block& block) {
  SourceSpec source;
  source.name = block.name;
  source.kind = block.encoding == Encoding::tokens ? SourceKind::tokens : SourceKind::table;
  for (const Feature& feature : block.features) {
    ColumnSpec column;
    column.name = feature.name;
    column.family = block.family;
    column.encoding = block.encoding;
    column.levels = feature.levels;
    column.labels = feature.labels;
    column.shift = feature.shift;
    column.title = feature.title;
    source.columns.push_back(std::move(column));
  }
  return source;
}

// Reading data by a schema in which a missing cell is a level gives every column that level.
void check_missing_levels(const Dataset& data) {
  core::Problems problems;
  for (const Block& block : data.blocks) {
    for (const Feature& feature : block.features) {
      if (block.encoding != Encoding::levels ||
          std::ranges::count(feature.levels, kMissingLevel) > 0)
        continue;
      problems.add("feature " + core::quoted(feature.name),
                   "has no level \"" + std::string(kMissingLevel) +
                       "\", and the schema says that a missing cell is one",
                   "give it that level, or set missing_as_category = false");
    }
  }
  problems.throw_if_any();
}

}  // namespace

Schema schema_of(const Dataset& data) {
  Schema schema = data.schema;
  const bool described = std::ranges::any_of(schema.sources, data::has_features);
  if (!described) {
    for (const Block& block : data.blocks) schema.sources.push_back(source_of(block));
  }
  if (!described && schema.missing_as_category) check_missing_levels(data);
  const std::vector<Block> shapes = data::encode({}, schema, {}, family_catalogue()).blocks;
  if (!std::ranges::equal(data.blocks, shapes, same_shape)) {
    throw InputError({"schema", "does not describe the blocks of the data",
                      "leave its features out: then they are described by the blocks"});
  }
  return schema;
}

Resolved Resolver::run() {
  check_sizes();
  choose_preset();
  choose_label();
  choose_membership();
  choose_estimate();
  choose_smoothing();
  choose_rates();
  choose_chains();
  choose_alpha();
  choose_start();
  if (!data_.blocks.empty()) describe();
  if (!problems_.empty()) throw InputError(problems_);
  return out_;
}

void Resolver::describe() {
  try {
    out_.schema = schema_of(data_);
  } catch (const InputError& error) {
    problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
  }
}

void Resolver::object(std::string where, std::string what, std::string remedy) {
  problems_.push_back({std::move(where), std::move(what), std::move(remedy)});
}

void Resolver::check_sizes() {
  const FitOptions& o = out_.options;
  if (data_.blocks.empty()) {
    object("data", "no column is left to model",
           "see `infer_schema()` for what each column was taken for, and `column=\"NAME=FAMILY\"`");
  }
  const std::size_t rows = observed_rows(data_);
  if (o.components == 0 && !finds_components(o.model, o.membership))
    object("`k`", "K must be at least 1", "profiles to look for, e.g. `k=3`");
  if (o.components > rows && !data_.blocks.empty()) {
    object("`k`",
           "K = " + std::to_string(o.components) + " is larger than the " + std::to_string(rows) +
               " rows with something observed",
           "choose a smaller K");
  }
  if (o.smoothing && !(*o.smoothing >= 0 && std::isfinite(*o.smoothing)))
    object("`smoothing`", "must be 0 or more", "default 0.01");
  if (o.shrink && !(*o.shrink >= 0 && std::isfinite(*o.shrink)))
    object("`shrink`", "must be 0 or more", "default 20 for a rating log, else 0");
  if (!o.shrink) out_.options.shrink = has_ratings(data_.schema) ? kRatingShrink : 0.0;
  if (!(o.variance_floor >= kLeastVarianceFloor && o.variance_floor <= 1))
    object("`variance_floor`", "must be from 1e-9 to 1",
           "a share of each column's usual variance; default 0.001");
  if (!(o.tolerance > 0) || !std::isfinite(o.tolerance))
    object("`tolerance`", "must be above 0", "default 1e-6");
  if (o.max_iterations == 0) object("`max_iterations`", "must be at least 1", "default 500");
  if (!(o.limit > 0)) object("`limit`", "must be above 0 seconds", "default 3600");
  if (o.restarts == 0) object("`restarts`", "must be at least 1", "default 1");
}

void Resolver::choose_preset() {
  FitOptions& o = out_.options;
  asked_for_model_ = !o.model.empty();
  const bool words = all_blocks(data_, Encoding::tokens);
  if (o.model.empty()) {
    const bool label =
        o.label.head.value_or(data_.label() != nullptr ? LabelHead::softmax : LabelHead::none) ==
        LabelHead::softmax;
    o.model = label ? (words ? "dlda" : "dmnb") : (words ? "lda" : "mmnb");
  }
  const auto& list = presets();
  const auto found = std::ranges::find(list, o.model, &Preset::name);
  if (found == list.end()) {
    std::string all;
    for (const Preset& p : list) all += (all.empty() ? "" : ", ") + p.name;
    object("`model`", "there is no model \"" + o.model + "\"", "one of " + all);
    return;
  }
  preset_ = &*found;
  if (preset_->encoding == "tokens" /* not a family */ && !all_blocks(data_, Encoding::tokens)) {
    object(core::setting("model", o.model), "is for word counts, but the data has table columns",
           "use mmnb for any columns");
  }
  if (preset_->encoding == "levels" && !all_blocks(data_, Encoding::levels)) {
    object(core::setting("model", o.model),
           "is for yes/no answers and categories, but the data has other columns",
           "use lda for words, mmnb or mnb for a mix");
  }
  if (preset_->missing_as_category && !data_.schema.missing_as_category) {
    object(core::setting("model", o.model), "takes a missing cell as a level of its own",
           "read with `missing=\"category\"`");
  }
}

std::size_t minibatch(const FitOptions& options, std::size_t rows) {
  if (options.batch > 0) return options.batch;
  const auto found = std::ranges::find(presets(), options.model, &Preset::name);
  return found == presets().end() ? 0 : std::min(found->batch, rows);
}

Resolved resolve(const Dataset& data, const FitOptions& options) {
  check(data);
  return Resolver(data, options).run();
}

// Membership and inference: from the options, from the preset, or the best that is affordable.

namespace {

std::string names(const std::vector<CatalogueEntry>& entries) {
  std::string text;
  for (const auto& entry : entries) text += (text.empty() ? "" : ", ") + entry.name;
  return text;
}

}  // namespace

void Resolver::choose_membership() {
  FitOptions& o = out_.options;
  if (preset_ == nullptr) return;
  if (o.membership.empty() && single_tells_the_label()) {
    o.membership = "single";
    out_.why =
        "With a label, rows of one profile each predict as well as rows that mix them, and fit "
        "faster; `membership=\"mixed\"` mixes them.";
    if (o.label.objective == LabelObjective::joint)
      out_.why +=
          " `objective=\"conditional\"` usually tells the classes better; its profiles describe "
          "the "
          "other columns less well.";
  }
  if (o.membership.empty()) o.membership = preset_->membership;
  out_.membership = memberships::find(o.membership);
  if (out_.membership == nullptr) {
    object("`membership`", "there is no membership \"" + o.membership + "\"",
           "one of " + names(list_memberships()));
    return;
  }
  if (o.inference.empty() || o.inference == "auto") choose_inference();
  out_.inference = find_inference(o.inference, *out_.membership);
  if (out_.inference != nullptr && out_.classes > 0 && out_.inference->needs(Need::no_label))
    object(core::setting("inference", o.inference), "is not offered with a label",
           "use fast or standard, or `head=\"none\"`");
  if (out_.inference != nullptr) return;
  std::string names_offered;
  for (const Inference* inference : offered(*out_.membership))
    names_offered += (names_offered.empty() ? "" : ", ") + std::string(inference->name);
  object(core::setting("inference", o.inference),
         "is not offered for " + o.membership + " membership", "offered: " + names_offered);
}

bool Resolver::single_tells_the_label() const {
  const FitOptions& o = out_.options;
  return o.label.head == LabelHead::softmax && !asked_for_model_ && o.alpha.empty() &&
         (o.inference.empty() || o.inference == "auto");
}

Situation Resolver::situation() const {
  const FitOptions& o = out_.options;
  const Estimate estimate = o.estimate.value_or(preset_->estimate);
  return {data_,
          *out_.membership,
          o.components,
          o.restarts,
          o.label.head == LabelHead::softmax,
          estimate == Estimate::vb,
          o.batch > 0,
          o.smoothing == 0};
}

void Resolver::choose_inference() {
  FitOptions& o = out_.options;
  const bool automatic = o.inference == "auto";
  const bool words = all_blocks(data_, Encoding::tokens);
  Situation what = situation();
  if (!asked_for_model_ || automatic) {
    // After an objection to the data, checks that examine them more closely are left out.
    what.words_alone = (words && !automatic) || !problems_.empty();
    const InferenceChoice choice = model::choose_inference(what);
    if (choice.inference != nullptr) {
      o.inference = choice.inference->name;
      out_.why = choice.why;
      return;
    }
  }
  const bool as_preset = o.membership == preset_->membership;
  o.inference = as_preset ? preset_->inference : usual_inference(*out_.membership).name;
  const bool of_preset = asked_for_model_ && !automatic && o.inference == standard_inference.name;
  if (!of_preset || words || what.label || what.posterior || what.minibatches || !problems_.empty())
    return;
  what.words_alone = false;
  const InferenceChoice better = model::choose_inference(what);
  if (better.inference != nullptr && better.inference->advice != nullptr)
    out_.why = better.inference->advice;
}

// The start of a fit.

void Resolver::choose_start() {
  FitOptions& o = out_.options;
  if (o.init.empty() && preset_ == nullptr) return;
  if (o.init.empty()) o.init = default_start();
  // The single-membership fit itself starts like k-means.
  const bool single =
      out_.membership != nullptr && out_.membership->sole && !out_.membership->infers_k;
  if (o.init == "single" && single) o.init = "kmeans";
  if (o.init == "noise" && (o.batch == 0 || !all_blocks(data_, Encoding::tokens)))
    object("`init=\"noise\"`", "is for words that are learnt in minibatches",
           "use `batch=N`, or `init=\"random\"`");
  if (o.init == "collapsed" && !starts_collapsed())
    object("`init=\"collapsed\"`",
           "is for words in mixed membership, all rows at once, with smoothing",
           "use `init=\"random\"`");
  const std::vector<std::string> starts = named_starts();
  if (std::ranges::find(starts, o.init) == starts.end())
    object(core::setting("init", o.init), "is no start",
           "random, sample, noise, kmeans, single, labels, collapsed; to start from a saved model "
           "give it to `fit()`");
}

// Whether a few sweeps of collapsed inference can find the first topics.
bool Resolver::starts_collapsed() const {
  const FitOptions& o = out_.options;
  return out_.membership != nullptr && collapsed_inference.offered_for(*out_.membership) &&
         out_.inference != nullptr &&
         out_.inference->words_start == std::string_view("collapsed") && out_.classes == 0 &&
         o.batch == 0 && o.smoothing.value_or(0) > 0 && o.shrink.value_or(0) == 0 &&
         all_blocks(data_, Encoding::tokens) && suits(collapsed_inference, situation());
}

std::string Resolver::default_start() const {
  const FitOptions& o = out_.options;
  if (out_.classes == 0 && !all_blocks(data_, Encoding::tokens)) return "single";
  // In minibatches, a topic that begins as a few documents keeps their peculiarities. 8,000 words,
  // 100 topics, 20,000 documents, nats per held-out word above the unigrams: random -0.264, sample
  // 0.147 (the truth 0.410); where there is next to nothing to learn -0.391 and
  // -0.000 (the truth 0.019). KOS, 50 topics, two seeds: random -7.452 and -7.454, sample -7.419
  // and -7.431.
  // Collapsed inference, 50 topics: 20 Newsgroups -7.840 from random documents and -7.806 from
  // sampled memberships after 60 sweeps; AP -7.801 and -7.776 after 30, and both -7.75 at the
  // end.
  if (out_.classes == 0 && o.batch > 0) return "sample";
  if (out_.classes == 0 && out_.inference != nullptr) {
    const std::string start = out_.inference->words_start;
    return start != "collapsed" || starts_collapsed() ? start : "random";
  }
  if (out_.classes == 0) return "random";
  const bool as_paper = asked_for_model_ && preset_->label;
  return as_paper && out_.options.components >= out_.classes ? "labels" : "single";
}

std::vector<std::string> named_starts() {
  return {"random", "kmeans", "single", "labels", "sample", "noise", "collapsed"};
}

// Options of the chains of sampled models.

namespace {

// Default sweeps of every chain after its burn-in.
constexpr std::size_t kUsualSweeps = 1000;

}  // namespace

void Resolver::choose_chains() {
  FitOptions& o = out_.options;
  if (out_.inference == nullptr) return;
  ChainOptions& chains = o.chains;
  if (!out_.inference->draws) {
    chains = {};
    return;
  }
  if (o.batch > 0)
    object("`inference=\"gibbs\"`", "samples all rows in every sweep, not minibatches",
           "leave out `batch`");
  if (o.restarts > 1) object("`inference=\"gibbs\"`", "has chains, not restarts", "use `chains=N`");
  if (!(o.smoothing.value_or(0) > 0))
    object("`smoothing=0`", "a sampled table needs a prior", "leave it out, or a number above 0");
  if (o.alpha == "symmetric")
    object("`alpha=\"symmetric\"`", "is not offered by `inference=\"gibbs\"`, which draws it",
           "leave out `alpha`, or fixed:VALUE");
  if (out_.membership->infers_k && o.components > 0)
    object("`k`", "infinite membership finds how many components there are", "leave out `k`");
  if (chains.chains == 0) object("`chains`", "there must be one at least", "default 4");
  if (chains.sweeps == 0) chains.sweeps = kUsualSweeps;
  if (chains.burn_in == 0) chains.burn_in = chains.sweeps;
  check_chain_priors(chains);
  for (const Block& block : data_.blocks) check_conjugate(block);
}

void Resolver::check_chain_priors(const ChainOptions& chains) {
  const auto above = [](double value) { return value > 0 && std::isfinite(value); };
  if (!above(chains.alpha_shape) || !above(chains.alpha_rate))
    object("`alpha_prior`", "needs two numbers above 0", "default 2,10");
  const bool no_prior = chains.concentration_shape == 0 && chains.concentration_rate == 0;
  const bool prior = above(chains.concentration_shape) && above(chains.concentration_rate);
  if (!above(chains.concentration) || (!no_prior && !prior))
    object("`concentration`", "must be above 0, or gamma:SHAPE,RATE",  // not a family
           "default 1");
}

void Resolver::check_conjugate(const Block& block) {
  if (families::find(block.family)->conjugate != nullptr) return;
  object(
      "column \"" + block.features.front().name + "\"",
      "is " + block.family + ", which cannot be sampled (`inference=\"gibbs\"`)",
      "use `column=\"NAME=FAMILY\"` with another family: lognormal, exponential");  // not a family
}

}  // namespace medley::model
