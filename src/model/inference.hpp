// SPDX-License-Identifier: Apache-2.0
// Inferences: how the parameters of a model are fitted and new rows inferred, what each needs, and
// which of them suits data best.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "memberships/membership.hpp"

namespace medley::model {

// Inferences: how the parameters of a model are fitted, and how new rows are inferred. An inference
// is described here by what it needs and what it gives; the engine that does the work is in the
// registry of engines (engines/registry.hpp). Which membership offers which inference follows from
// the needs of the one and the flags of the other (memberships/membership.hpp).

/// What an inference may need. Needs are combined with |.
enum class Need : unsigned {
  nothing = 0,
  // of the membership
  given_k = 1,    ///< the number of components is given, not found
  averages = 2,   ///< rows can be inferred from the average of their observations, and are not
                  ///< exact already
  dirichlet = 4,  ///< rows are proportions drawn from a Dirichlet distribution
  sampler = 8,    ///< there are Markov chains over all its parameters: dirichlet, or K found
  // of the families
  dirichlet_tables = 16,  ///< tables have a Dirichlet prior and can be integrated out
  conjugate = 32,         ///< parameters have a conjugate prior
  // of what is asked for
  no_label = 64,   ///< no label is learnt
  points = 128,    ///< tables are points, not posteriors (FitOptions::estimate)
  all_rows = 256,  ///< all rows at once, no minibatches
};
[[nodiscard]] constexpr Need operator|(Need a, Need b) {
  return static_cast<Need>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// How the rows of data are inferred once the parameters are known.
enum class RowInference {
  cells,    ///< a fixed point with responsibilities for every observation
  average,  ///< a fixed point for the average of a row's observations
  lattice   ///< exact sums over the counts of the row's components, where they are affordable
};

struct Situation;  // model/inference.hpp

/// A member of the table of inferences.
struct Inference {
  const char* name;     ///< as in FitOptions::inference
  const char* summary;  ///< one sentence, without the memberships that offer it
  Need needed = Need::nothing;
  RowInference rows = RowInference::cells;
  /// How well it suits data for which nobody has asked for an inference, 0 (not at all) to 1, and
  /// why, in a sentence. Null: it is used only when asked for.
  double (*suits)(const Situation& situation, std::string& why) = nullptr;
  /// What a fit says that was to use standard inference, as its preset does, where this one would
  /// have been chosen; null: nothing.
  const char* advice = nullptr;
  /// The model is a set of draws by Markov chains over all parameters.
  bool draws = false;
  /// Its objective predicts every cell from the others.
  bool leave_one_out = false;
  /// Its objective is only an estimate: the likelihood is sampled after the fit.
  bool samples_likelihood = false;
  /// It finds the smoothing itself if none is given.
  bool fits_smoothing = false;
  /// Goes on from the tables of a saved model, in minibatches.
  bool updates = false;
  /// How words begin in its fits: a start by name (model/resolve.cpp), if that is possible.
  const char* words_start = "random";

  [[nodiscard]] constexpr bool needs(Need need) const {
    return (static_cast<unsigned>(needed) & static_cast<unsigned>(need)) != 0;
  }
  /// Whether it is offered for that membership.
  [[nodiscard]] bool offered_for(const memberships::MembershipEntry& membership) const;
};

extern const Inference standard_inference;
extern const Inference fast_inference;
extern const Inference exact_inference;
extern const Inference monte_carlo_inference;
extern const Inference collapsed_inference;
extern const Inference gibbs_inference;

/// All inferences, in the order in which they are listed.
[[nodiscard]] std::span<const Inference* const> inferences();
/// The inference of that name, or null.
[[nodiscard]] const Inference* find_inference(const std::string& name);
/// The inference of that name if it is offered for the membership, or null.
[[nodiscard]] const Inference* find_inference(const std::string& name,
                                              const memberships::MembershipEntry& membership);
/// Those offered for a membership, the usual one first.
[[nodiscard]] std::vector<const Inference*> offered(const memberships::MembershipEntry& membership);
/// The first of them.
[[nodiscard]] const Inference& usual_inference(const memberships::MembershipEntry& membership);
/// For an inference from outside of the library (engines/registry.hpp), which must outlive every
/// use of it. To be called before any other thread reads the table.
void add(const Inference& inference);

/// How rows of a membership are inferred.
struct RowMethod {
  memberships::Pooling pooling;  ///< of a row's fixed point
  bool exact;                    ///< what a row scores is its log-likelihood
  /// By a fixed point, which scores a bound (or, for a membership whose rows belong to one
  /// component, the log-likelihood); else by sums over counts.
  bool by_fixed_point;
  [[nodiscard]] bool pooled() const { return pooling != memberships::Pooling::none; }
};
[[nodiscard]] RowMethod row_method(const Inference& inference,
                                   const memberships::MembershipEntry& membership);

// The inference of a fit for which none was asked for: the likelihood itself where it can be had,
// because on short rows the mean-field bound is far below it and its fits are worse; for words
// collapsed inference, which finds better topics than mean-field and sooner
// (docs/decisions/0018-collapsed.md); else mean-field where rows are long, and sampling in between.
// Every inference says itself how well it suits. What is chosen depends on data and K, never on the
// machine.

/// What is to be fitted.
struct Situation {
  const Dataset& data;
  const memberships::MembershipEntry& membership;
  std::size_t components = 0;
  std::size_t restarts = 1;
  bool label = false;      ///< a label is learnt
  bool posterior = false;  ///< tables are to be posteriors
  bool minibatches = false;
  bool no_table_prior = false;  ///< there is no smoothing
  bool words_alone = false;     ///< an inference is wanted only if it was made for these words
};

struct InferenceChoice {
  const Inference* inference = nullptr;  ///< null: none suits, the preset decides
  std::string why;                       ///< a sentence for the summary
};

/// Whether it suits at all.
[[nodiscard]] bool suits(const Inference& inference, const Situation& situation);
/// The one that suits best of those whose needs are met.
[[nodiscard]] InferenceChoice choose_inference(const Situation& situation);

}  // namespace medley::model
