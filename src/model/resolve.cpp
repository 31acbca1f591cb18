// SPDX-License-Identifier: Apache-2.0
#include "model/resolve.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <vector>

#include "families/registry.hpp"
#include "medley/catalogue.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/choose_inference.hpp"

namespace medley::model {
namespace {

constexpr std::array<std::string_view, 6> kStarts = {"random", "sample", "noise",
                                                     "kmeans", "single", "labels"};

std::string names(const std::vector<CatalogueEntry>& entries) {
  std::string text;
  for (const auto& entry : entries) text += (text.empty() ? "" : ", ") + entry.name;
  return text;
}

bool all_blocks(const Dataset& data, Encoding encoding) {
  return std::ranges::all_of(data.blocks, [&](const Block& b) { return b.encoding == encoding; });
}

// A label with more classes than this and than half the rows is taken for an id.
constexpr std::size_t kFewClasses = 10;
// Of the conditional objective: 1 tells about as many rows right, with less sound probabilities.
constexpr double kPull = 10;

// Of gamma and correlated membership: dimensions of the locations, and how sure
// scales are of being near 1 where there is no smoothing to go by.
constexpr std::size_t kUsualDimension = 100;
constexpr double kLeastScalePrior = 1;

// Of every chain, after its burn-in.
constexpr std::size_t kUsualSweeps = 1000;

// In a rating log most pairs are missing, so most components have hardly met most items.
constexpr double kRatingShrink = 20;

bool has_ratings(const Schema& schema) {
  return std::ranges::any_of(
      schema.sources, [](const SourceSpec& source) { return source.kind == SourceKind::triplets; });
}

// Of the rows with something observed; at least 1.
double mean_size(const Dataset& data) {
  double total = 0, rows = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double m = data.observed(row);
    total += m;
    rows += m > 0 ? 1.0 : 0.0;
  }
  return rows > 0 ? std::max(1.0, total / rows) : 1.0;
}

std::size_t observed_rows(const Dataset& data) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < data.rows; ++row) count += data.observed(row) > 0 ? 1 : 0;
  return count;
}

class Resolver {
 public:
  Resolver(const Dataset& data, const FitOptions& options) : data_(data) { out_.options = options; }

  Resolved run() {
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
    if (!problems_.empty()) throw InputError(problems_);
    return out_;
  }

 private:
  void object(std::string where, std::string what, std::string remedy) {
    problems_.push_back({std::move(where), std::move(what), std::move(remedy)});
  }

  void check_sizes() {
    const FitOptions& o = out_.options;
    if (data_.blocks.empty()) {
      object("data", "no column is left to model",
             "see `medley schema` for what each column was taken for, and --column NAME=FAMILY");
    }
    const std::size_t rows = observed_rows(data_);
    if (o.components == 0 && !finds_components(o.model, o.membership))
      object("--k", "K must be at least 1", "profiles to look for, e.g. --k 3");
    if (o.components > rows && !data_.blocks.empty()) {
      object("--k",
             "K = " + std::to_string(o.components) + " is larger than the " + std::to_string(rows) +
                 " rows with something observed",
             "choose a smaller K");
    }
    if (!std::isfinite(o.smoothing)) object("--smoothing", "must be 0 or more", "default 0.01");
    if (!std::isfinite(o.shrink))
      object("--shrink", "must be a number", "default 20 for a rating log, else 0");
    if (o.shrink < 0) out_.options.shrink = has_ratings(data_.schema) ? kRatingShrink : 0.0;
    if (!(o.tolerance > 0) || !std::isfinite(o.tolerance))
      object("--tolerance", "must be above 0", "default 1e-6");
    if (o.max_iterations == 0) object("--max-iterations", "must be at least 1", "default 500");
    if (!(o.limit > 0)) object("--limit", "must be above 0 seconds", "default 3600");
    if (o.restarts == 0) object("--restarts", "must be at least 1", "default 1");
  }

  void choose_preset() {
    FitOptions& o = out_.options;
    asked_for_model_ = !o.model.empty();
    const bool words = all_blocks(data_, Encoding::tokens);
    if (o.model.empty()) {
      const bool label =
          o.label.head == "softmax" || (o.label.head.empty() && data_.label() != nullptr);
      o.model = label ? (words ? "dlda" : "dmnb") : (words ? "lda" : "mmnb");
    }
    const auto& list = presets();
    const auto found = std::ranges::find(list, o.model, &Preset::name);
    if (found == list.end()) {
      std::string all;
      for (const Preset& p : list) all += (all.empty() ? "" : ", ") + p.name;
      object("--model", "there is no model \"" + o.model + "\"", "one of " + all);
      return;
    }
    preset_ = &*found;
    if (preset_->encoding == "tokens" /* not a family */ && !all_blocks(data_, Encoding::tokens)) {
      object("--model " + o.model, "is for word counts, but the data has table columns",
             "use mmnb for any columns");
    }
    if (preset_->encoding == "levels" && !all_blocks(data_, Encoding::levels)) {
      object("--model " + o.model,
             "is for yes/no answers and categories, but the data has other columns",
             "use lda for words, mmnb or mnb for a mix");
    }
    if (preset_->missing_as_category && !data_.schema.missing_as_category) {
      object("--model " + o.model, "takes a missing cell as a level of its own",
             "read with --missing category");
    }
  }

  // A preset of a discriminative model has its paper's bound and start; without --model the
  // defaults are ours.
  void choose_label() {
    if (preset_ == nullptr) return;
    LabelOptions& label = out_.options.label;
    const auto one_of = [&](const char* option, std::string& value, const char* first,
                            const char* second, bool take_second) {
      if (value.empty()) value = take_second ? second : first;
      if (value != first && value != second)
        object(std::string(option) + " " + value, "is not understood",
               std::string(first) + " or " + second);
    };
    one_of("--head", label.head, "none", "softmax", preset_->label);
    one_of("--label-bound", label.bound, "lse", "paper", preset_->label && asked_for_model_);
    one_of("--objective", label.objective, "joint", "conditional", false);
    if (label.head != "softmax") {
      label = {};
      label.head = "none";
      return;
    }
    const bool as_paper = asked_for_model_ && preset_->label;
    if (label.weight <= 0) label.weight = as_paper ? 1.0 : mean_size(data_);
    if (label.pull <= 0) label.pull = kPull;
    if (!std::isfinite(label.weight) || !std::isfinite(label.pull))
      object("--label-weight, --pull", "must be numbers above 0", "leave them out");
    if (!(label.smoothing >= 0) || !std::isfinite(label.smoothing))
      object("--label-smoothing", "must be 0 or more", "default 0.1");
    if (!std::isfinite(label.eta_start))
      object("--eta-start", "must be a number", "0, 10, ... 100 as in the paper");
    if (out_.options.batch > 0)
      object("--batch", "a label is not learnt from minibatches",
             "leave out --batch, or set the label aside with --head none");
    check_classes();
  }

  void check_classes() {
    const KeptColumn* column = data_.label();
    if (column == nullptr) {
      object("--model " + out_.options.model, "learns a label, but the data has no label column",
             "name it with --label COLUMN, or use a model without one: mmnb, lda");
      return;
    }
    const auto known = [](std::int32_t code) { return code >= 0; };
    if (std::ranges::none_of(column->code, known)) {
      object("column \"" + column->name + "\"", "is the label, but it is missing in every row",
             "leave out --label, or check the file and --na");
      return;
    }
    std::vector<bool> present(column->levels.size(), false);
    for (const std::int32_t code : column->code) {
      if (known(code)) present[static_cast<std::size_t>(code)] = true;
    }
    if (std::ranges::count(present, true) < 2) {
      object("column \"" + column->name + "\"",
             "is the label, but all its rows are of one class: there is nothing to tell apart",
             "leave out --label, or --head none");
      return;
    }
    const auto labelled = static_cast<std::size_t>(std::ranges::count_if(column->code, known));
    if (column->levels.size() * 2 > labelled && column->levels.size() > kFewClasses)
      object("column \"" + column->name + "\"",
             "is the label, but it has " + std::to_string(column->levels.size()) + " classes in " +
                 std::to_string(labelled) + " rows: an id, not a class",
             "name the column of the class with --label, and this one with --id");
    out_.classes = column->levels.size();
  }

  void choose_membership() {
    FitOptions& o = out_.options;
    if (preset_ == nullptr) return;
    if (o.membership.empty() && single_tells_the_label()) {
      o.membership = "single";
      out_.why =
          "With a label, rows of one profile each predict as well as rows that mix them, and fit "
          "faster; --membership mixed mixes them.";
    }
    if (o.membership.empty()) o.membership = preset_->membership;
    out_.membership = memberships::find(o.membership);
    if (out_.membership == nullptr) {
      object("--membership", "there is no membership \"" + o.membership + "\"",
             "one of " + names(list_memberships()));
      return;
    }
    if (o.inference.empty() || o.inference == "auto") choose_inference();
    out_.mode = out_.membership->mode(o.inference);
    if (out_.mode != nullptr && out_.classes > 0 &&
        out_.mode->engine != memberships::Engine::variational)
      object("--inference " + o.inference, "is not offered with a label",
             "use fast or standard, or --head none");
    if (out_.mode != nullptr) return;
    std::string offered;
    for (const auto& mode : out_.membership->modes)
      offered += (offered.empty() ? "" : ", ") + std::string(mode.name);
    object("--inference " + o.inference, "is not offered for " + o.membership + " membership",
           "offered: " + offered);
  }

  // Posteriors of the tables need families that have them, a prior that is one, and an inference
  // whose sums are over expectations.
  void choose_estimate() {
    FitOptions& o = out_.options;
    if (preset_ == nullptr) return;
    if (o.estimate.empty()) o.estimate = preset_->estimate;
    given_smoothing_ = o.smoothing >= 0;
    if (o.smoothing < 0) o.smoothing = preset_->smoothing;
    if (o.estimate != "map" && o.estimate != "vb")
      object("--estimate " + o.estimate, "is not understood", "map or vb");
    if (o.estimate != "vb") return;
    if (o.smoothing == 0)
      object("--estimate vb", "needs a prior: with --smoothing 0 there is none",
             "leave out --smoothing, or use --estimate map");
    if (out_.mode != nullptr && out_.mode->engine != memberships::Engine::variational)
      object("--inference " + o.inference, "gives no posteriors of the tables (--estimate vb)",
             "use standard or fast, or --estimate map");
    if (out_.classes > 0)
      object("--estimate vb", "is not offered with a label",
             "use --estimate map, or set the label aside with --head none");
    for (const Block& block : data_.blocks) check_posterior(block);
  }

  // A prior can be fitted where it has something to explain: counts with the tables integrated out,
  // or posteriors. The most probable prior of a point is one that holds nothing but that point.
  void choose_smoothing() {
    FitOptions& o = out_.options;
    if (preset_ == nullptr || out_.mode == nullptr) return;
    const bool collapsed = out_.mode->engine == memberships::Engine::collapsed;
    if (collapsed) check_collapsed();
    if (collapsed && !given_smoothing_ && o.shrink == 0) o.fit_smoothing = true;
    if (!o.fit_smoothing) return;
    if (!collapsed && o.estimate != "vb")
      object("--smoothing fitted",
             "is not possible for tables that are points: the best prior of a point has no width",
             "use --inference collapsed or --estimate vb, or a number such as --smoothing 0.01");
    if (o.shrink > 0)
      object("--smoothing fitted", "is not offered together with --shrink",
             "use --shrink 0, or a number such as --smoothing 0.01");
    if (!collapsed && all_blocks(data_, Encoding::real))
      object("--smoothing fitted", "is for words, levels and answers, and the data has none",
             "leave out --smoothing");
  }

  // Tables that can be integrated out, with a prior.
  void check_collapsed() {
    const FitOptions& o = out_.options;
    if (o.smoothing == 0)
      object("--smoothing 0", "--inference collapsed needs a prior of the tables",
             "leave out --smoothing, or give a number above 0");
    for (const Block& block : data_.blocks) {
      if (block.encoding == Encoding::real)
        object("column \"" + block.features.front().name + "\"",
               "is " + block.family +
                   ": --inference collapsed is for words, levels and answers, not for numbers",
               "use --inference standard, or leave the column out with --ignore");
    }
  }

  void check_posterior(const Block& block) {
    if (families::find(block.family)->posterior) return;
    std::string others;
    for (const families::FamilyEntry* entry : families::registry()) {
      if (entry->posterior && entry->encoding == block.encoding)
        others += (others.empty() ? "" : ", ") + std::string(entry->name);
    }
    object("column \"" + block.features.front().name + "\"",
           "is " + block.family + ", which has no posterior (--estimate vb)",
           "use --estimate map, or --column NAME=FAMILY with one of " + others);
  }

  // Fast mixed membership, the better one of the papers for a label, ends in single membership: its
  // alpha sinks towards 0, slowly.
  [[nodiscard]] bool single_tells_the_label() const {
    const FitOptions& o = out_.options;
    return o.label.head == "softmax" && !asked_for_model_ && o.alpha.empty() &&
           (o.inference.empty() || o.inference == "auto");
  }

  // A preset infers as its paper did unless --inference says auto; a table without one gets the
  // best that is affordable, words without one collapsed inference.
  void choose_inference() {
    FitOptions& o = out_.options;
    const bool table = !asked_for_model_ && !all_blocks(data_, Encoding::tokens);
    const bool mixed = out_.membership == &memberships::mixed_membership;
    if (mixed && o.label.head == "softmax" && (!asked_for_model_ || o.inference == "auto")) {
      o.inference = "fast";
      out_.why = "The label is told better from it than from standard inference.";
      return;
    }
    const bool posterior = o.estimate == "vb" || (o.estimate.empty() && preset_->estimate == "vb");
    if (mixed && posterior && (table || o.inference == "auto")) {
      o.inference = "standard";
      return;
    }
    InferenceChoice words;
    if (mixed && !posterior && !table && o.batch == 0 && o.smoothing != 0)
      words = choose_for_words(data_, o.components);
    const bool asked = asked_for_model_ && o.inference != "auto";
    if (mixed && !asked && problems_.empty() && (table || o.inference == "auto")) {
      const InferenceChoice choice = model::choose_inference(data_, o.components, o.restarts);
      if (choice.name == "exact" || words.name.empty()) words = choice;
    }
    if (!asked && !words.name.empty()) {
      o.inference = words.name;
      out_.why = words.why;
      return;
    }
    const bool as_preset = o.membership == preset_->membership;
    o.inference = as_preset ? preset_->inference : out_.membership->modes[0].name;
  }

  // Priors of the memberships that count observations.
  void choose_rates() {
    RateOptions& rates = out_.options.rates;
    const auto* membership = out_.membership;
    if (membership == nullptr) return;
    if (!membership->counts) {
      rates = {};
      return;
    }
    if (out_.classes > 0)
      object("--membership " + out_.options.membership, "is not offered with a label",
             "use mixed or single, or --head none");
    const auto k = static_cast<double>(std::max<std::size_t>(1, out_.options.components));
    std::size_t slots = 0;
    for (const Block& block : data_.blocks) slots += block.slots();
    if (!(rates.a0 > 0)) rates.a0 = 1 / k;
    if (!(rates.b0 > 0)) rates.b0 = 1 / k;
    if (!(rates.c0 > 0))
      rates.c0 = std::max(kLeastScalePrior, out_.options.smoothing * static_cast<double>(slots));
    if (membership->located) {
      choose_locations(rates);
    } else if (rates.dimension > 0 || rates.sigma2 > 0) {
      object("--dimension, --sigma2", out_.options.membership + " membership has no locations",
             "use --membership correlated, or leave them out");
    }
    for (const double value : {rates.a0, rates.b0, rates.c0, rates.sigma2}) {
      if (!std::isfinite(value))
        object("--a0, --b0, --c0, --sigma2", "must be numbers above 0", "leave them out");
    }
  }

  // Of models that are sampled; of all others there are none.
  void choose_chains() {
    FitOptions& o = out_.options;
    if (out_.mode == nullptr) return;
    ChainOptions& chains = o.chains;
    if (!out_.mode->draws) {
      chains = {};
      return;
    }
    if (o.batch > 0)
      object("--inference gibbs", "samples all rows in every sweep, not minibatches",
             "leave out --batch");
    if (o.restarts > 1) object("--inference gibbs", "has chains, not restarts", "use --chains N");
    if (!(o.smoothing > 0))
      object("--smoothing 0", "a sampled table needs a prior", "leave it out, or a number above 0");
    if (o.alpha == "symmetric")
      object("--alpha symmetric", "is not offered by --inference gibbs, which draws it",
             "leave out --alpha, or fixed:VALUE");
    if (out_.membership->open && o.components > 0)
      object("--k", "infinite membership finds how many components there are", "leave out --k");
    if (chains.chains == 0) object("--chains", "there must be one at least", "default 4");
    if (chains.sweeps == 0) chains.sweeps = kUsualSweeps;
    if (chains.burn_in == 0) chains.burn_in = chains.sweeps;
    check_chain_priors(chains);
    for (const Block& block : data_.blocks) check_conjugate(block);
  }

  void check_chain_priors(const ChainOptions& chains) {
    const auto above = [](double value) { return value > 0 && std::isfinite(value); };
    if (!above(chains.alpha_shape) || !above(chains.alpha_rate))
      object("--alpha-prior", "needs two numbers above 0", "default 2,10");
    const bool no_prior = chains.concentration_shape == 0 && chains.concentration_rate == 0;
    const bool prior = above(chains.concentration_shape) && above(chains.concentration_rate);
    if (!above(chains.concentration) || (!no_prior && !prior))
      object("--concentration", "must be above 0, or gamma:SHAPE,RATE",  // not a family
             "default 1");
  }

  void check_conjugate(const Block& block) {
    if (families::find(block.family)->conjugate != nullptr) return;
    object("column \"" + block.features.front().name + "\"",
           "is " + block.family + ", which cannot be sampled (--inference gibbs)",
           "use --column NAME=FAMILY with another family: lognormal, exponential");  // not a family
  }

  void choose_locations(RateOptions& rates) {
    const std::size_t components = std::max<std::size_t>(1, out_.options.components);
    if (rates.dimension == 0) rates.dimension = std::min(kUsualDimension, components);
    if (rates.dimension > components)
      object("--dimension " + std::to_string(rates.dimension),
             "locations need no more dimensions than there are components",
             "at most " + std::to_string(components));
    if (!(rates.sigma2 > 0)) rates.sigma2 = 1 / static_cast<double>(rates.dimension);
  }

  void choose_alpha() {
    FitOptions& o = out_.options;
    if (out_.membership == nullptr) return;
    const bool has_alpha = std::string_view(out_.membership->parameter) == "alpha";
    if (!has_alpha) {
      if (!o.alpha.empty()) {
        object("--alpha", o.membership + " membership has no alpha; its prior is always fitted",
               "leave out --alpha");
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
      object("--alpha " + o.alpha, "is not understood",
             "fitted, symmetric, or fixed:VALUE such as fixed:0.1 or fixed:50/K");
    }
  }

  // fixed:VALUE with VALUE a number above 0, or a number over K.
  bool parse_fixed(std::string_view text) {
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

  void choose_start() {
    FitOptions& o = out_.options;
    if (o.init.empty() && preset_ == nullptr) return;
    if (o.init.empty()) o.init = default_start();
    // The single-membership fit itself begins like k-means.
    if (o.init == "single" && o.membership == "single") o.init = "kmeans";
    if (o.init == "noise" && (o.batch == 0 || !all_blocks(data_, Encoding::tokens)))
      object("--init noise", "is for words that are learnt in minibatches",
             "use --batch N, or --init random");
    if (is_named_start(o.init) || std::filesystem::exists(o.init)) return;
    object("--init " + o.init, "is neither a start nor a model file",
           "random, sample, noise, kmeans, single, labels, or the path of a saved model");
  }

  // The start of the paper's discriminative models needs a component for every class.
  [[nodiscard]] std::string default_start() const {
    const FitOptions& o = out_.options;
    if (out_.classes == 0 && !all_blocks(data_, Encoding::tokens)) return "single";
    // In minibatches a topic that begins as a few documents keeps what is particular to them. 8,000
    // words, 100 topics, 20,000 documents, nats per held-out word above the unigrams: random
    // -0.264, sample 0.147 (the truth 0.410); where there is next to nothing to learn -0.391 and
    // -0.000 (the truth 0.019). KOS, 50 topics, two seeds: random -7.452 and -7.454, sample -7.419
    // and -7.431.
    // Collapsed inference, 50 topics: 20 Newsgroups -7.840 from random documents and -7.806 from
    // sampled memberships after 60 sweeps; AP -7.801 and -7.776 after 30, and both -7.75 at the
    // end.
    const bool collapsed =
        out_.mode != nullptr && out_.mode->engine == memberships::Engine::collapsed;
    if (out_.classes == 0) return o.batch > 0 || collapsed ? "sample" : "random";
    const bool as_paper = asked_for_model_ && preset_->label;
    return as_paper && out_.options.components >= out_.classes ? "labels" : "single";
  }

  const Dataset& data_;
  Resolved out_;
  const Preset* preset_ = nullptr;
  bool asked_for_model_ = false;
  bool given_smoothing_ = false;
  std::vector<Problem> problems_;
};

}  // namespace

bool is_named_start(const std::string& init) {
  return std::ranges::find(kStarts, init) != kStarts.end();
}

std::size_t minibatch(const FitOptions& options, std::size_t rows) {
  if (options.batch > 0) return options.batch;
  const auto found = std::ranges::find(presets(), options.model, &Preset::name);
  return found == presets().end() ? 0 : std::min(found->batch, rows);
}

Resolved resolve(const Dataset& data, const FitOptions& options) {
  return Resolver(data, options).run();
}

}  // namespace medley::model
