// SPDX-License-Identifier: Apache-2.0
// Inferences: how the parameters of a model are fitted and new rows inferred, what each inference
// needs, and which one suits the data best.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "memberships/membership.hpp"

namespace medley::model {

// The description of an inference: its needs and its properties. The registry of engines
// (engines/registry.hpp) has the code. The needs of an inference and the flags of a membership
// (memberships/membership.hpp) determine whether they can be combined.

/// What an inference may need; combined with |.
enum class Need : unsigned {
  nothing = 0,
  // From the membership:
  given_k = 1,    ///< the number of components is given, not found
  averages = 2,   ///< rows can be inferred from the average of their observations, and their
                  ///< inference is not already exact
  dirichlet = 4,  ///< rows are proportions drawn from a Dirichlet distribution
  sampler = 8,    ///< Markov chains exist for all its parameters: dirichlet, or K is found
  // From the families:
  dirichlet_tables = 16,  ///< tables have a Dirichlet prior and can be integrated out
  conjugate = 32,         ///< parameters have a conjugate prior
  // From the options:
  no_label = 64,   ///< no label is learnt
  points = 128,    ///< tables are points, not posteriors (FitOptions::estimate)
  all_rows = 256,  ///< all rows at once, no minibatches
};
[[nodiscard]] constexpr Need operator|(Need a, Need b) {
  return static_cast<Need>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// How rows are inferred when the parameters are known.
enum class RowInference {
  cells,    ///< a fixed point with responsibilities for every observation
  average,  ///< a fixed point for the average of a row's observations
  lattice   ///< exact sums over the counts of the row's components, where they are affordable
};

struct Situation;  // below

/// An entry of the table of inferences.
struct Inference {
  const char* name;     ///< as in FitOptions::inference
  const char* summary;  ///< one sentence, without the memberships that support it
  Need needed = Need::nothing;
  RowInference rows = RowInference::cells;
  /// How well it suits data if the user has set no inference, 0 (not at all) to 1, and why, in a
  /// sentence. Null: it must be requested.
  double (*suits)(const Situation& situation, std::string& why) = nullptr;
  /// Advice in the summary of a fit whose preset set standard inference, if this inference would
  /// have been chosen otherwise; null: none.
  const char* advice = nullptr;
  /// The model is a set of draws from Markov chains over all parameters.
  bool draws = false;
  /// Its objective predicts every cell from the others.
  bool leave_one_out = false;
  /// Its objective is only an estimate: the likelihood is sampled after the fit.
  bool samples_likelihood = false;
  /// It finds the smoothing itself if none is given.
  bool fits_smoothing = false;
  /// It can continue from the tables of a saved model, in minibatches.
  bool updates = false;
  /// The start of its fits to words: a name as in FitOptions::init, if that is possible.
  const char* words_start = "random";

  [[nodiscard]] constexpr bool needs(Need need) const {
    return (static_cast<unsigned>(needed) & static_cast<unsigned>(need)) != 0;
  }
  /// Whether it can be combined with the membership.
  [[nodiscard]] bool offered_for(const memberships::MembershipEntry& membership) const;
};

extern const Inference standard_inference;
extern const Inference fast_inference;
extern const Inference exact_inference;
extern const Inference monte_carlo_inference;
extern const Inference collapsed_inference;
extern const Inference gibbs_inference;

/// All inferences, in listing order.
[[nodiscard]] std::span<const Inference* const> inferences();
/// The inference of that name, or null.
[[nodiscard]] const Inference* find_inference(const std::string& name);
/// The inference of that name if it can be combined with the membership, or null.
[[nodiscard]] const Inference* find_inference(const std::string& name,
                                              const memberships::MembershipEntry& membership);
/// The inferences for a membership, the usual one first.
[[nodiscard]] std::vector<const Inference*> offered(const memberships::MembershipEntry& membership);
/// The first of them.
[[nodiscard]] const Inference& usual_inference(const memberships::MembershipEntry& membership);
/// Adds an inference from outside the library (engines/registry.hpp); it must outlive every use.
/// Call it before any other thread reads the table.
void add(const Inference& inference);

/// How rows of a membership are inferred.
struct RowMethod {
  memberships::Pooling pooling;  ///< of a row's fixed point
  bool exact;                    ///< the score of a row is its log-likelihood
  /// True: by a fixed point, which scores a bound (or, if rows belong to one component, the
  /// log-likelihood). False: by sums over counts.
  bool by_fixed_point;
  [[nodiscard]] bool pooled() const { return pooling != memberships::Pooling::none; }
};
[[nodiscard]] RowMethod row_method(const Inference& inference,
                                   const memberships::MembershipEntry& membership);

// The inference of a fit whose user has set none. Where it is affordable, the likelihood itself,
// because on short rows the mean-field bound is far below it and its fits are worse. For words
// collapsed inference, which finds better topics than mean-field in less time
// (docs/decisions/0018-collapsed.md). Otherwise mean-field for long rows, and sampling in between.
// Every inference rates how well it suits. The choice depends on data and K, never on the machine.

/// What is to be fitted.
struct Situation {
  const Dataset& data;
  const memberships::MembershipEntry& membership;
  std::size_t components = 0;
  std::size_t restarts = 1;
  bool label = false;      ///< a label is learnt
  bool posterior = false;  ///< tables are posteriors
  bool minibatches = false;
  bool no_table_prior = false;  ///< there is no smoothing
  bool words_alone = false;     ///< only an inference made for these words is wanted
};

struct InferenceChoice {
  const Inference* inference = nullptr;  ///< null: none suits, use the preset's
  std::string why;                       ///< a sentence for the summary
};

/// Whether the inference suits at all.
[[nodiscard]] bool suits(const Inference& inference, const Situation& situation);
/// The inference that suits best among those whose needs are met.
[[nodiscard]] InferenceChoice choose_inference(const Situation& situation);

}  // namespace medley::model
