// SPDX-License-Identifier: Apache-2.0
// The options of a fit. To add one: a field in FitOptions and a line here. The line creates the
// flag of the command line with its help and check, the line of `medley models`, the keyword of
// other languages, and, if it says so, the entry in model files and the part in the fingerprint.
#include <algorithm>
#include <utility>

#include "medley/options.hpp"
#include "memberships/registry.hpp"
#include "model/option_table.hpp"
#include "model/resolve.hpp"

namespace medley::model {
namespace {

constexpr const char* kModel = "Model";
constexpr const char* kLabel = "Label";
constexpr const char* kRateGroup = "Gamma and correlated membership";
constexpr const char* kSampling = "Sampling (`model=\"gom-bayes\"`, dp-mixture)";
constexpr const char* kSearch = "Search";
constexpr const char* kMinibatches = "Minibatches";
constexpr const char* kOutput = "Output";

// A member, or a member of a member: at<&FitOptions::rates, &RateOptions::a0>.
template <auto First, auto... Rest>
auto& member_of(auto& options) {
  if constexpr (sizeof...(Rest) == 0) {
    return options.*First;
  } else {
    return member_of<Rest...>(options.*First);
  }
}

template <auto... Path>
Place at(std::string key, Written written, Value unset = {}) {
  return {std::move(key), [](const FitOptions& o) { return to_value(member_of<Path...>(o)); },
          [](FitOptions& o, const Value& v) { from_value(v, member_of<Path...>(o)); }, written,
          std::move(unset)};
}

template <auto Member>
Place label(std::string key, Value unset = {}) {
  return at<&FitOptions::label, Member>("label." + std::move(key), Written::always,
                                        std::move(unset));
}

template <auto Member>
Place rate(std::string key, Value unset) {
  return at<&FitOptions::rates, Member>("rates." + std::move(key), Written::with_rates,
                                        std::move(unset));
}

template <auto Member>
Place chain(std::string key) {
  return at<&FitOptions::chains, Member>("chains." + std::move(key), Written::with_chains);
}

// Whether another value gives another model; only such options are part of the fingerprint.
enum class Changes { model, nothing };

// The beginning of every line: name, group, placeholder of the value, default.
struct Shown {
  const char* name;
  const char* group;
  const char* value;
  const char* fallback;
};

FitOption shown(const Shown& text, std::vector<Place> places, Changes changes, const Range& range,
                const char* help) {
  FitOption out;
  const bool in_model =
      std::ranges::any_of(places, [](const Place& p) { return p.written != Written::never; });
  out.field = {.name = text.name,
               .group = text.group,
               .value = text.value,
               .type = range.type,
               .default_text = text.fallback,
               .help = help,
               .range = range.text,
               .in_model = in_model,
               .in_fingerprint = changes == Changes::model};
  out.places = std::move(places);
  return out;
}

// An option that sets one field.
FitOption plain(const Shown& text, Place place, Changes changes, Range range, const char* help) {
  const auto get = place.get;
  const auto set = place.set;
  FitOption out = shown(text, {std::move(place)}, changes, range, help);
  out.get = [get](const FitOptions& options) { return text_of(get(options)); };
  out.set = [set, read = std::move(range.read)](FitOptions& options, std::string_view given) {
    Value value;
    std::string wrong = read(given, value);
    if (wrong.empty()) set(options, value);
    return wrong;
  };
  return out;
}

FitOption& with(FitOption& option, std::function<std::string(const FitOptions&)> get,
                std::function<std::string(FitOptions&, std::string_view)> set) {
  option.get = std::move(get);
  option.set = std::move(set);
  return option;
}

FitOption smoothing() {
  const Range number = from_zero();
  FitOption out = shown(
      {"smoothing", kModel, "EPS",
       "0.1 for tables without `model` and with exact or monte-carlo inference; 0.05 for lda, "
       "fast-lda, online-lda, bayesian-nmf and correlated-nmf; 1 for gom-bayes and dp-mixture; "
       "fitted with collapsed inference; else 0.01"},
      {at<&FitOptions::smoothing>("smoothing", Written::always, -1.0),
       at<&FitOptions::fit_smoothing>("fit_smoothing", Written::if_set)},
      Changes::model, number,
      "pseudo-count of every answer or word, or fitted (`inference=\"collapsed\"`, "
      "`estimate=\"vb\"`)");
  out.field.range += ", or fitted";
  return with(
      out,
      [](const FitOptions& o) {
        return o.fit_smoothing ? "fitted" : text_of(to_value(o.smoothing));
      },
      [number](FitOptions& o, std::string_view given) {
        o.fit_smoothing = given == "fitted";
        if (o.fit_smoothing) return std::string();
        Value value;
        std::string wrong = number.read(given, value);
        if (wrong.empty()) o.smoothing = std::get<double>(value);
        return wrong.empty() ? wrong : wrong + ", nor fitted";
      });
}

std::string not_two(std::string_view text) {
  return '"' + std::string(text) + "\" is not two numbers above 0 with a comma between them";
}

FitOption alpha_prior() {
  FitOption out =
      shown({"alpha_prior", kSampling, "SHAPE,RATE", "2,10"},
            {chain<&ChainOptions::alpha_shape>("alpha_shape"),
             chain<&ChainOptions::alpha_rate>("alpha_rate")},
            Changes::model, {"text", "two numbers above 0 with a comma between them", {}},
            "gamma prior of the sum of alpha");  // not a family
  return with(
      out,
      [](const FitOptions& o) {
        return number_text(o.chains.alpha_shape) + ',' + number_text(o.chains.alpha_rate);
      },
      [](FitOptions& o, std::string_view given) {
        return read_two(given, o.chains.alpha_shape, o.chains.alpha_rate) ? std::string()
                                                                          : not_two(given);
      });
}

FitOption concentration() {
  static constexpr std::string_view kPrior = "gamma:";  // not a family
  const Range number = above_zero();
  FitOption out = shown(
      {"concentration", kSampling, "A", "1"},
      {chain<&ChainOptions::concentration>("concentration"),
       chain<&ChainOptions::concentration_shape>("concentration_shape"),
       chain<&ChainOptions::concentration_rate>("concentration_rate")},
      Changes::model, {"text", number.text + ", or gamma:SHAPE,RATE", {}},
      "concentration of the Dirichlet process: a number, or gamma:SHAPE,RATE");  // not a family
  return with(
      out,
      [](const FitOptions& o) {
        const ChainOptions& c = o.chains;
        return c.concentration_shape > 0
                   ? std::string(kPrior) + number_text(c.concentration_shape) + ',' +
                         number_text(c.concentration_rate)
                   : number_text(c.concentration);
      },
      [number](FitOptions& o, std::string_view given) {
        ChainOptions& c = o.chains;
        if (given.starts_with(kPrior)) {
          const bool two =
              read_two(given.substr(kPrior.size()), c.concentration_shape, c.concentration_rate);
          return two ? std::string() : not_two(given);
        }
        Value value;
        std::string wrong = number.read(given, value);
        if (wrong.empty()) {
          c.concentration = std::get<double>(value);
          c.concentration_shape = c.concentration_rate = 0;
        }
        return wrong;
      });
}

std::vector<std::string> names_in(const std::vector<CatalogueEntry>& entries,
                                  std::vector<std::string> before = {}) {
  for (const CatalogueEntry& entry : entries) before.push_back(entry.name);
  return before;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

using O = FitOptions;
using L = LabelOptions;
using R = RateOptions;
using C = ChainOptions;
using enum Changes;
using enum Written;

// clang-format off
std::vector<FitOption> make_table() {
  std::vector<FitOption> t;
  const auto add = [&t](FitOption option) { t.push_back(std::move(option)); };

  add(plain({"k", kModel, "N", ""}, at<&O::components>("components", always), Changes::model, whole_from(1),
            "number of profiles or topics"));
  add(plain({"model", kModel, "PRESET", "lda for words, else mmnb"}, at<&O::model>("model", always), Changes::model, words_of(preset_names()),
            "a published model; `presets()` lists them"));
  add(plain({"membership", kModel, "KIND", "from the preset"}, at<&O::membership>("membership", always), Changes::model, words_of(names_in(list_memberships())),
            "mixed (each row a blend of profiles), single, infinite, gamma, correlated; `list_memberships()` explains"));
  add(plain({"inference", kModel, "KIND", "auto for tables, collapsed for words; with `model` from the preset"}, at<&O::inference>("inference", always), Changes::model,
            words_of(names_in(list_inferences(), {"auto"})),
            "standard, fast, collapsed (words and answers in long rows), exact (the likelihood itself, for short rows), "
            "monte-carlo, gibbs (draws of all parameters), or auto (the best that is affordable)"));
  add(plain({"alpha", kModel, "HOW", "from the preset"}, at<&O::alpha>("alpha", always), Changes::model, alpha_words(),
            "fitted, symmetric or fixed:VALUE (0.1, 50/K)"));
  add(plain({"estimate", kModel, "HOW", "map; vb for online-lda, bayesian-nmf and correlated-nmf"}, at<&O::estimate>("estimate", since, ""), Changes::model, words_of<Estimate>(),
            "map (tables are points) or vb (posteriors, variational Bayes)"));
  add(smoothing());
  add(plain({"shrink", kModel, "C", "20 for ratings, else 0"}, at<&O::shrink>("shrink", always, -1.0), Changes::model, from_zero(),
            "shrink every profile towards the population by this many imagined observations of each column"));
  add(plain({"variance_floor", kModel, "SHARE", "0.001"}, at<&O::variance_floor>("variance_floor", since), Changes::model, from_to(1e-9, 1),
            "gaussian, lognormal: smallest variance of a profile, as a share of the column's without outliers; 1e-9 to 1"));

  add(plain({"head", kLabel, "HOW", "softmax where there is a label"}, label<&L::head>("head", ""), Changes::model, words_of<LabelHead>(),
            "softmax (learn the label with the profiles) or none (set the label aside)"));
  add(plain({"label_bound", kLabel, "HOW", "lse; paper for the presets of papers"}, label<&L::bound>("bound", ""), Changes::model, words_of<LabelBound>(),
            "bound of the label's likelihood: lse, or paper (the looser bound of the papers)"));
  add(plain({"label_weight", kLabel, "X", "as much as the rest of the row; 1 for the presets of papers"}, label<&L::weight>("weight", 0.0), Changes::model, above_zero(),
            "factor of the label's log-likelihood"));
  add(plain({"label_smoothing", kLabel, "S", "0.1"}, label<&L::smoothing>("smoothing"), Changes::model, from_zero(),
            "imagined rows of every class in every profile"));
  add(plain({"objective", kLabel, "HOW", "joint"}, label<&L::objective>("objective", ""), Changes::model, words_of<LabelObjective>(),
            "joint, or conditional (joint first, then tuned to predict the classes)"));
  add(plain({"pull", kLabel, "X", "10"}, label<&L::pull>("pull", 0.0), Changes::model, above_zero(),
            "conditional: strength of the pull towards the joint fit"));
  add(plain({"eta_start", kLabel, "X", "from the shares of the classes in the start"}, label<&L::eta_start>("eta_start", -1.0), Changes::model, from_zero(),
            "start eta at this times the identity, as in the papers"));

  add(plain({"a0", kRateGroup, "A", "1/K"}, rate<&R::a0>("a0", 0.0), Changes::model, above_zero(), "shape of a row's weights"));
  add(plain({"b0", kRateGroup, "B", "1/K"}, rate<&R::b0>("b0", 0.0), Changes::model, above_zero(), "rate of a row's weights"));
  add(plain({"c0", kRateGroup, "C", "smoothing x words"}, rate<&R::c0>("c0", 0.0), Changes::model, above_zero(),
            "prior weight of the components' scales being 1"));
  add(plain({"dimension", kRateGroup, "Q", "100, or K if that is less"}, rate<&R::dimension>("dimension", std::uint64_t{0}), Changes::model, whole_from(1),
            "correlated: dimension of the locations"));
  add(plain({"sigma2", kRateGroup, "S", "1/dimension"}, rate<&R::sigma2>("sigma2", 0.0), Changes::model, above_zero(),
            "correlated: variance of topic locations"));

  add(plain({"chains", kSampling, "N", "4"}, chain<&C::chains>("chains"), Changes::model, whole_from(1), "number of chains, each with its own start"));
  add(plain({"sweeps", kSampling, "N", "1000"}, chain<&C::sweeps>("sweeps"), Changes::model, whole_from(1), "sweeps of each chain after its burn-in"));
  add(plain({"burn_in", kSampling, "N", "as many as `sweeps`"}, chain<&C::burn_in>("burn_in"), Changes::model, whole_from(1), "sweeps of each chain to discard first"));
  add(plain({"draws", kSampling, "N", "100, or fewer to stay within 64 MB"}, chain<&C::draws>("draws"), Changes::model, whole_from(1), "draws to keep of each chain"));
  add(alpha_prior());
  add(concentration());
  add(plain({"starts", kSampling, "K,...", "1,10,40 and every row alone"}, chain<&C::starts>("starts"), Changes::model, whole_numbers(),
            "numbers of clusters with which the chains start, such as 1,10,40; above the number of rows: every row alone"));

  add(plain({"init", kSearch, "START", "single for tables, kmeans with single membership; for words sample, collapsed with `model=\"lda\"`"},
            at<&O::init>("init", always), Changes::model, words_of(named_starts()),
            "the start: random, kmeans, single, labels, sample, noise or collapsed"));
  add(plain({"tries", kSearch, "N", "16 for single membership, 48 for exact and monte-carlo inference, else 1"}, at<&O::tries>("tries", if_set), Changes::model, whole_from(1),
            "short starts per restart; the best one continues"));
  add(plain({"restarts", kSearch, "N", "1"}, at<&O::restarts>("restarts", always), Changes::model, whole_from(1), "independent fits; the best one is kept"));
  add(plain({"seed", kSearch, "S", "1"}, at<&O::seed>("seed", always), Changes::model, whole_from(0), "same seed, same model, at any number of threads"));
  add(plain({"threads", kSearch, "T", "all available cores"}, at<&O::threads>("threads", never), Changes::nothing, whole_from(1), "number of threads"));
  add(plain({"shards", kSearch, "S", "none; under mpirun one for each process"}, at<&O::shards>("shards", if_set), Changes::model, whole_from(1),
            "sum the rows in S parts, in a fixed order: the same bits in one process and in several"));
  add(plain({"tolerance", kSearch, "TOL", "1e-6"}, at<&O::tolerance>("tolerance", always), Changes::model, above_zero(), "stop when the objective grows by less than this, relatively"));
  add(plain({"limit", kSearch, "SECONDS", "3600"}, at<&O::limit>("limit", never), Changes::nothing, above_zero(), "refuse exact inference if its estimated time is longer"));
  add(plain({"max_iterations", kSearch, "N", "500"}, at<&O::max_iterations>("max_iterations", always), Changes::model, whole_from(1), "limit of the iterations"));

  add(plain({"batch", kMinibatches, "N", "all rows at once; 500 for online-lda"}, at<&O::batch>("batch", with_batches), Changes::model, whole_from(1),
            "learn from N rows at a time (stochastic inference); a stream file of `convert()` may then be larger than memory"));
  add(plain({"t0", kMinibatches, "T0", "1 below 10 minibatches a pass, 16 above 30, interpolated between"}, at<&O::t0>("t0", with_batches, -1.0), Changes::model, from_zero(),
            "step t has the weight (T0 + t)^-KAPPA"));
  add(plain({"kappa", kMinibatches, "KAPPA", "0.7"}, at<&O::kappa>("kappa", with_batches), Changes::model, above_to(0.5, 1), "exponent of the step weight, above 0.5 and at most 1"));
  add(plain({"passes", kMinibatches, "N", "1 for a stream file of 100,000 rows or more, else 5"}, at<&O::passes>("passes", with_batches), Changes::model, whole_from(1), "passes over the rows"));

  add(plain({"checkpoint", kOutput, "FILE", ""}, at<&O::checkpoint>("checkpoint", never), Changes::nothing, any_text(), "file for continuing an interrupted fit"));
  add(plain({"checkpoint_every", kOutput, "SECONDS", "60"}, at<&O::checkpoint_seconds>("checkpoint_seconds", never), Changes::nothing, from_zero(), "seconds between checkpoints"));
  add(plain({"resume", kOutput, "", ""}, at<&O::resume>("resume", never), Changes::nothing, yes_or_no(), "continue from the checkpoint"));
  return t;
}
// clang-format on

}  // namespace

const std::vector<FitOption>& fit_option_table() {
  static const std::vector<FitOption> table = make_table();
  return table;
}

bool is_written(const Place& place, const FitOptions& options) {
  static const FitOptions defaults;
  switch (place.written) {
    case Written::never:
      return false;
    case Written::always:
    case Written::since:
      return true;
    case Written::if_set:
      return place.get(options) != place.get(defaults);
    case Written::with_rates:
      return options.rates.c0.has_value();
    case Written::with_chains:
      return options.chains.sweeps > 0;
    case Written::with_batches:
      return options.batch > 0;
  }
  return false;
}

}  // namespace medley::model
