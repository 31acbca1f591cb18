// SPDX-License-Identifier: Apache-2.0
#include "model/inference.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "data/distinct.hpp"
#include "kernels/lanes.hpp"
#include "model/exact_plan.hpp"

namespace medley::model {
namespace {

// In the order of `medley models`; the first that supports a membership is its usual one.
std::vector<const Inference*>& table() {
  static std::vector<const Inference*> list = {
      &standard_inference,    &fast_inference,      &exact_inference,
      &monte_carlo_inference, &collapsed_inference, &gibbs_inference,
  };
  return list;
}

}  // namespace

bool Inference::offered_for(const memberships::MembershipEntry& membership) const {
  if (needs(Need::given_k) && membership.infers_k) return false;
  if (needs(Need::averages) && !membership.averages) return false;
  if (needs(Need::dirichlet) && !membership.dirichlet) return false;
  return !needs(Need::sampler) || membership.dirichlet || membership.infers_k;
}

std::span<const Inference* const> inferences() {
  return table();
}

const Inference* find_inference(const std::string& name) {
  for (const Inference* inference : inferences()) {
    if (name == inference->name) return inference;
  }
  return nullptr;
}

const Inference* find_inference(const std::string& name,
                                const memberships::MembershipEntry& membership) {
  const Inference* found = find_inference(name);
  return found != nullptr && found->offered_for(membership) ? found : nullptr;
}

std::vector<const Inference*> offered(const memberships::MembershipEntry& membership) {
  std::vector<const Inference*> out;
  for (const Inference* inference : inferences()) {
    if (inference->offered_for(membership)) out.push_back(inference);
  }
  return out;
}

const Inference& usual_inference(const memberships::MembershipEntry& membership) {
  return *offered(membership).front();
}

void add(const Inference& inference) {
  if (find_inference(inference.name) == nullptr) table().push_back(&inference);
}

RowMethod row_method(const Inference& inference, const memberships::MembershipEntry& membership) {
  using memberships::Pooling;
  if (membership.sole) return {Pooling::sum, true, true};
  switch (inference.rows) {
    case RowInference::average:
      return {Pooling::average, false, true};
    case RowInference::lattice:
      return {Pooling::none, true, false};
    case RowInference::cells:
      break;
  }
  return {Pooling::none, false, true};
}

bool suits(const Inference& inference, const Situation& situation) {
  std::string unused;
  return inference.suits != nullptr && inference.suits(situation, unused) > 0;
}

InferenceChoice choose_inference(const Situation& situation) {
  InferenceChoice best;
  double most = 0;
  for (const Inference* inference : offered(situation.membership)) {
    if (inference->suits == nullptr) continue;
    if (situation.label && inference->needs(Need::no_label)) continue;
    if (situation.posterior && inference->needs(Need::points)) continue;
    std::string why;
    const double suits = inference->suits(situation, why);
    if (suits <= most) continue;
    most = suits;
    best = {inference, std::move(why)};
  }
  return best;
}

// The inferences of the library: the needs, row inference and suitability of each.

namespace {

// Limit of the steps of one exact E-step: half a minute for a fit of 60 iterations on two cores.
constexpr double kCheapSteps = 1e9;
// Limit of observations times K of a sampled iteration: a minute or two for a fit.
constexpr double kCheapDraws = 3e7;
// Memory limit of collapsed inference, which keeps K numbers for every cell.
constexpr double kMostCollapsedBytes = 4e9;
// The share of cells that are words above which answers beside them matter little.
constexpr double kMostlyWords = 0.9;
// Rows with more observations are long enough for mean-field.
constexpr double kShortRow = 50;
// With fewer observations per parameter, Monte-Carlo inference overfits: it predicts worse than the
// column alone (docs/decisions/0031-default-inference.md).
constexpr double kFewPerParameter = 5;

// The ratings of the inferences, each for the situations that it suits.
constexpr double kForLabel = 1, kForShortRows = 0.8, kForWords = 0.6, kForFewRows = 0.4,
                 kForTheRest = 0.2;

struct Sizes {
  double observations = 0;
  double mean = 0;  // of the rows with something observed
  double parameters = 0;
};

Sizes sizes_of(const Situation& s) {
  Sizes out;
  double rows = 0, slots = 0;
  for (std::size_t row = 0; row < s.data.rows; ++row) {
    const double observed = s.data.observed(row);
    rows += observed > 0 ? 1 : 0;
    out.observations += observed;
  }
  for (const Block& block : s.data.blocks) slots += static_cast<double>(block.slots());
  out.mean = rows > 0 ? out.observations / rows : 0.0;
  out.parameters = slots * static_cast<double>(s.components);
  return out;
}

// Whether Monte-Carlo inference would overfit the tables.
bool few_observations(const Sizes& sizes) {
  return sizes.observations < kFewPerParameter * sizes.parameters;
}

// The fallback if nothing else suits, with the reason.
double standard_suits(const Situation& s, std::string& why) {
  if (!s.membership.dirichlet) return 0;
  if (s.posterior) return kForTheRest;
  if (s.words_alone) return 0;
  if (!data::whole_weights(s.data)) {
    why = "Standard inference was chosen because blocks are weighted.";
    return kForTheRest;
  }
  const Sizes sizes = sizes_of(s);
  if (sizes.mean > kShortRow) {
    why = "Standard inference was chosen: rows have " + std::to_string(std::lround(sizes.mean)) +
          " observations on average, long enough for it.";
  } else if (few_observations(sizes)) {
    why =
        "Standard inference was chosen: there are few observations for each parameter, which "
        "Monte-Carlo inference would fit too closely.";
  } else {
    why =
        "Standard inference was chosen: exact and Monte-Carlo inference would take long. Rows are "
        "short, so `inference=\"monte-carlo\"` is better if you can wait.";
  }
  return kForTheRest;
}

double fast_suits(const Situation& s, std::string& why) {
  if (!s.membership.dirichlet || !s.label) return 0;
  why = "The label is told better from it than from standard inference.";
  return kForLabel;
}

double exact_suits(const Situation& s, std::string& why) {
  if (s.words_alone || !data::whole_weights(s.data) || sizes_of(s).mean > kShortRow) return 0;
  const double most = kCheapSteps / static_cast<double>(s.restarts);
  const data::DistinctRows distinct = data::distinct_rows(s.data);
  if (plan_exact(distinct.data, s.components, most).steps > most) return 0;
  why =
      "Exact inference was chosen: for rows this short it is affordable, and better than a bound.";
  return kForShortRows;
}

double monte_carlo_suits(const Situation& s, std::string& why) {
  if (s.words_alone || !data::whole_weights(s.data)) return 0;
  const Sizes sizes = sizes_of(s);
  if (sizes.mean > kShortRow || few_observations(sizes)) return 0;
  if (sizes.observations * static_cast<double>(s.components * s.restarts) > kCheapDraws) return 0;
  why = "Monte-Carlo inference was chosen: rows are short (" +
        std::to_string(std::lround(sizes.mean)) +
        " observations on average), and exact inference would take long.";
  return kForFewRows;
}

// Words, with at most a few answers beside them, within the memory limit.
double collapsed_suits(const Situation& s, std::string& why) {
  if (s.minibatches || s.no_table_prior || s.data.blocks.empty()) return 0;
  double cells = 0, words = 0;
  for (const Block& block : s.data.blocks) {
    if (block.encoding == Encoding::real) return 0;
    cells += static_cast<double>(block.cells());
    if (block.encoding == Encoding::tokens) words += static_cast<double>(block.cells());
  }
  if (words < kMostlyWords * cells || (words < cells && !data::whole_weights(s.data))) return 0;
  if (cells * static_cast<double>(kernels::padded(s.components) * sizeof(float)) >
      kMostCollapsedBytes)
    return 0;
  why =
      "Collapsed inference was chosen: for words it finds better topics than standard inference, "
      "and sooner.";
  return kForWords;
}

}  // namespace

const Inference standard_inference = {
    .name = "standard",
    .summary = "mean-field with responsibilities per cell; single: exact",
    .needed = Need::given_k,
    .suits = standard_suits,
    .updates = true,
    .words_start = "collapsed"};

const Inference fast_inference = {
    .name = "fast",
    .summary = "one set of responsibilities per row; tends to sole membership in long rows",
    .needed = Need::given_k | Need::averages,
    .rows = RowInference::average,
    .suits = fast_suits,
    .updates = true,
    .words_start = "collapsed"};

const Inference exact_inference = {
    .name = "exact",
    .summary = "the likelihood itself, no approximation; for short rows such as surveys",
    .needed = Need::given_k | Need::dirichlet | Need::no_label | Need::points | Need::all_rows,
    .rows = RowInference::lattice,
    .suits = exact_suits,
    .advice =
        "These rows are short enough for exact inference, which fits them better than this bound: "
        "`inference=\"exact\"`."};

const Inference monte_carlo_inference = {
    .name = "monte-carlo",
    .summary = "the likelihood itself, by sampling; rows of any length; takes longer",
    .needed = Need::given_k | Need::dirichlet | Need::no_label | Need::points | Need::all_rows,
    .rows = RowInference::lattice,
    .suits = monte_carlo_suits,
    .samples_likelihood = true};

const Inference collapsed_inference = {
    .name = "collapsed",
    .summary =
        "memberships and tables integrated out (CVB0), smoothing fitted; words, levels and answers "
        "in long rows",
    .needed =
        Need::given_k | Need::dirichlet | Need::dirichlet_tables | Need::no_label | Need::points,
    .suits = collapsed_suits,
    .leave_one_out = true,
    .fits_smoothing = true,
    .words_start = "sample"};

const Inference gibbs_inference = {
    .name = "gibbs",
    .summary = "draws of all parameters by several Markov chains, with intervals",
    .needed = Need::sampler | Need::conjugate | Need::no_label | Need::points | Need::all_rows,
    .rows = RowInference::lattice,
    .draws = true};

}  // namespace medley::model
