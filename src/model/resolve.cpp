// SPDX-License-Identifier: Apache-2.0
// The order in which options are decided; sizes and the preset.
#include "model/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/columns.hpp"
#include "data/encode.hpp"
#include "medley/error.hpp"
#include "model/family_catalogue.hpp"
#include "model/model.hpp"
#include "model/resolver.hpp"

namespace medley::model {
namespace {

// In a rating log most pairs are missing, so most components have hardly met most items.
constexpr double kRatingShrink = 20;
// Beyond this, a variance is nothing but rounding.
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

// A source for every block: a vocabulary, or a table of its features.
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

// Whoever reads data by a schema in which a missing cell is a level gives every column that level.
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

}  // namespace medley::model
