// SPDX-License-Identifier: Apache-2.0
// Priors of memberships and tables, and the label.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text.hpp"
#include "families/registry.hpp"
#include "model/resolver.hpp"

namespace medley::model {

// Priors of memberships: alpha of proportions, rates and locations of amounts.

namespace {

// Gamma and correlated membership: the largest default dimension of the locations, and the
// certainty that scales are near 1 if there is no smoothing to derive it from.
constexpr std::size_t kUsualDimension = 100;
constexpr double kLeastScalePrior = 1;

// Of answers in tables, where no paper says another (docs/decisions/0035-default-smoothing.md).
constexpr double kTableSmoothing = 0.1;
// Where it is fitted it begins here.
constexpr double kFittedFrom = 0.01;

}  // namespace

void Resolver::choose_alpha() {
  FitOptions& o = out_.options;
  if (out_.membership == nullptr) return;
  if (!out_.membership->dirichlet) {
    if (!o.alpha.empty()) {
      object("`alpha`", o.membership + " membership has no alpha; its prior is always fitted",
             "leave out `alpha`");
    }
    return;
  }
  const bool as_preset = o.membership == preset_->membership;
  if (o.alpha.empty()) o.alpha = as_preset ? preset_->alpha : "fitted";
  out_.alpha_start = 1.0 / static_cast<double>(std::max<std::size_t>(1, o.components));
  if (o.alpha == "fitted") {
    out_.alpha = AlphaMode::fitted;
  } else if (o.alpha == "symmetric") {
    out_.alpha = AlphaMode::symmetric;
  } else if (!parse_fixed(o.alpha)) {
    object(core::setting("alpha", o.alpha), "is not understood",
           "fitted, symmetric, or fixed:VALUE such as fixed:0.1 or fixed:50/K");
  }
}

bool Resolver::parse_fixed(std::string_view text) {
  if (!text.starts_with("fixed:")) return false;
  text.remove_prefix(6);
  const bool over_k = text.ends_with("/K");
  if (over_k) text.remove_suffix(2);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) ||
      !std::isfinite(value))
    return false;
  out_.alpha = AlphaMode::fixed;
  out_.alpha_start =
      over_k ? value / static_cast<double>(std::max<std::size_t>(1, out_.options.components))
             : value;
  return true;
}

void Resolver::choose_rates() {
  RateOptions& rates = out_.options.rates;
  const auto* membership = out_.membership;
  if (membership == nullptr) return;
  if (!membership->counts) {
    rates = {};
    return;
  }
  if (out_.classes > 0)
    object(core::setting("membership", out_.options.membership), "is not offered with a label",
           "use mixed or single, or `head=\"none\"`");
  const auto k = static_cast<double>(std::max<std::size_t>(1, out_.options.components));
  std::size_t slots = 0;
  for (const Block& block : data_.blocks) slots += block.slots();
  if (!rates.a0) rates.a0 = 1 / k;
  if (!rates.b0) rates.b0 = 1 / k;
  if (!rates.c0)
    rates.c0 =
        std::max(kLeastScalePrior, out_.options.smoothing.value_or(0) * static_cast<double>(slots));
  if (membership->located) {
    choose_locations(rates);
  } else if (rates.dimension || rates.sigma2) {
    object("`dimension`, `sigma2`", out_.options.membership + " membership has no locations",
           "use `membership=\"correlated\"`, or leave them out");
  }
  for (const auto& value : {rates.a0, rates.b0, rates.c0, rates.sigma2}) {
    if (value && !(*value > 0 && std::isfinite(*value)))
      object("`a0`, `b0`, `c0`, `sigma2`", "must be numbers above 0", "leave them out");
  }
}

void Resolver::choose_locations(RateOptions& rates) {
  const std::size_t components = std::max<std::size_t>(1, out_.options.components);
  if (rates.dimension.value_or(0) == 0) rates.dimension = std::min(kUsualDimension, components);
  if (*rates.dimension > components)
    object(core::setting("dimension", *rates.dimension),
           "locations need no more dimensions than there are components",
           "at most " + std::to_string(components));
  if (!rates.sigma2) rates.sigma2 = 1 / static_cast<double>(*rates.dimension);
}

// How the label is learnt, and whether its column can be a label.

namespace {

// A label with more classes than this and more than half the rows is probably an id.
constexpr std::size_t kFewClasses = 10;
// Pull of the conditional objective: 1 classifies about as many rows right, with worse
// probabilities.
constexpr double kPull = 10;

// Number of observations of a row, mean over the rows with something observed; at least 1.
double mean_size(const Dataset& data) {
  double total = 0, rows = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double m = data.observed(row);
    total += m;
    rows += m > 0 ? 1.0 : 0.0;
  }
  return rows > 0 ? std::max(1.0, total / rows) : 1.0;
}

}  // namespace

void Resolver::choose_label() {
  if (preset_ == nullptr) return;
  LabelOptions& label = out_.options.label;
  const bool as_paper = asked_for_model_ && preset_->label;
  if (!label.head) label.head = preset_->label ? LabelHead::softmax : LabelHead::none;
  if (!label.bound) label.bound = as_paper ? LabelBound::paper : LabelBound::lse;
  if (!label.objective) label.objective = LabelObjective::joint;
  if (label.head != LabelHead::softmax) {
    label = {};
    label.head = LabelHead::none;
    return;
  }
  if (!label.weight) label.weight = as_paper ? 1.0 : mean_size(data_);
  if (!label.pull) label.pull = kPull;
  const auto above = [](double value) { return value > 0 && std::isfinite(value); };
  if (!above(*label.weight) || !above(*label.pull))
    object("`label_weight`, `pull`", "must be numbers above 0", "leave them out");
  if (!(label.smoothing >= 0) || !std::isfinite(label.smoothing))
    object("`label_smoothing`", "must be 0 or more", "default 0.1");
  if (label.eta_start && !(*label.eta_start >= 0 && std::isfinite(*label.eta_start)))
    object("`eta_start`", "must be 0 or more", "0, 10, ... 100 as in the paper");
  if (out_.options.batch > 0)
    object("`batch`", "a label is not learnt from minibatches",
           "leave out `batch`, or set the label aside with `head=\"none\"`");
  check_classes();
}

void Resolver::check_classes() {
  const KeptColumn* column = data_.label();
  if (column == nullptr) {
    object(core::setting("model", out_.options.model),
           "learns a label, but the data has no label column",
           "name it with `label=\"COLUMN\"`, or use a model without one: mmnb, lda");
    return;
  }
  const auto known = [](std::int32_t code) { return code >= 0; };
  if (std::ranges::none_of(column->code, known)) {
    object("column \"" + column->name + "\"", "is the label, but it is missing in every row",
           "leave out `label`, or check the file and `na`");
    return;
  }
  std::vector<bool> present(column->levels.size(), false);
  for (const std::int32_t code : column->code) {
    if (known(code)) present[static_cast<std::size_t>(code)] = true;
  }
  if (std::ranges::count(present, true) < 2) {
    object("column \"" + column->name + "\"",
           "is the label, but all its rows are of one class: there is nothing to tell apart",
           "leave out `label`, or `head=\"none\"`");
    return;
  }
  const auto labelled = static_cast<std::size_t>(std::ranges::count_if(column->code, known));
  if (column->levels.size() * 2 > labelled && column->levels.size() > kFewClasses)
    object("column \"" + column->name + "\"",
           "is the label, but it has " + std::to_string(column->levels.size()) + " classes in " +
               std::to_string(labelled) + " rows: an id, not a class",
           "name the column of the class with `label`, and this one with `id`");
  out_.classes = column->levels.size();
}

// Points or posteriors of the tables, and their prior.

void Resolver::choose_estimate() {
  FitOptions& o = out_.options;
  if (preset_ == nullptr) return;
  if (!o.estimate) o.estimate = preset_->estimate;
  given_smoothing_ = o.smoothing.has_value();
  if (!o.smoothing) o.smoothing = default_smoothing();
  if (o.estimate != Estimate::vb) return;
  if (o.smoothing == 0)
    object("`estimate=\"vb\"`", "needs a prior: with `smoothing=0` there is none",
           "leave out `smoothing`, or use `estimate=\"map\"`");
  if (out_.inference != nullptr && out_.inference->needs(Need::points))
    object(core::setting("inference", o.inference),
           "gives no posteriors of the tables (`estimate=\"vb\"`)",
           "use standard or fast, or `estimate=\"map\"`");
  if (out_.classes > 0)
    object("`estimate=\"vb\"`", "is not offered with a label",
           "use `estimate=\"map\"`, or set the label aside with `head=\"none\"`");
  for (const Block& block : data_.blocks) check_posterior(block);
}

double Resolver::default_smoothing() const {
  const FitOptions& o = out_.options;
  const Inference* inference = out_.inference;
  if (inference != nullptr && inference->fits_smoothing) return kFittedFrom;
  // Fits of the likelihood itself are ours, whatever the preset; a sampled prior is not a point's.
  const bool lattice = inference != nullptr && inference->rows == RowInference::lattice;
  const bool ours = inference != nullptr && !inference->draws && (lattice || !asked_for_model_) &&
                    (out_.membership->dirichlet || out_.membership->sole) &&
                    o.estimate == Estimate::map && o.batch == 0 &&
                    o.label.head != LabelHead::softmax;
  const bool words = std::ranges::any_of(
      data_.blocks, [](const Block& block) { return block.encoding == Encoding::tokens; });
  return ours && !words ? std::max(preset_->smoothing, kTableSmoothing) : preset_->smoothing;
}

void Resolver::choose_smoothing() {
  FitOptions& o = out_.options;
  if (preset_ == nullptr || out_.inference == nullptr) return;
  if (out_.inference->needs(Need::dirichlet_tables)) check_integrable();
  const bool fits = out_.inference->fits_smoothing;
  if (fits && !given_smoothing_ && o.shrink.value_or(0) == 0) o.fit_smoothing = true;
  if (!o.fit_smoothing) return;
  if (!fits && o.estimate != Estimate::vb)
    object(
        "`smoothing=\"fitted\"`",
        "is not possible for tables that are points: the best prior of a point has no width",
        "use `inference=\"collapsed\"` or `estimate=\"vb\"`, or a number such as `smoothing=0.01`");
  if (o.shrink.value_or(0) > 0)
    object("`smoothing=\"fitted\"`", "is not offered together with `shrink`",
           "use `shrink=0`, or a number such as `smoothing=0.01`");
  if (!fits && all_blocks(data_, Encoding::real))
    object("`smoothing=\"fitted\"`", "is for words, levels and answers, and the data has none",
           "leave out `smoothing`");
}

void Resolver::check_integrable() {
  const FitOptions& o = out_.options;
  if (o.smoothing == 0)
    object("`smoothing=0`",
           core::setting("inference", o.inference) + " needs a prior of the tables",
           "leave out `smoothing`, or give a number above 0");
  for (const Block& block : data_.blocks) {
    if (!families::find(block.family)->dirichlet_tables)
      object("column \"" + block.features.front().name + "\"",
             "is " + block.family + ": " + core::setting("inference", o.inference) +
                 " is for words, levels and answers, not for numbers",
             "use `inference=\"standard\"`, or leave the column out with `ignore`");
  }
}

void Resolver::check_posterior(const Block& block) {
  if (families::find(block.family)->posterior) return;
  std::string others;
  for (const families::FamilyEntry* entry : families::registry()) {
    if (entry->posterior && entry->encoding == block.encoding)
      others += (others.empty() ? "" : ", ") + std::string(entry->name);
  }
  object("column \"" + block.features.front().name + "\"",
         "is " + block.family + ", which has no posterior (`estimate=\"vb\"`)",
         "use `estimate=\"map\"`, or `column=\"NAME=FAMILY\"` with one of " + others);
}

}  // namespace medley::model
