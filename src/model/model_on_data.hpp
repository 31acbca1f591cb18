// SPDX-License-Identifier: Apache-2.0
// A model made ready for a data set that was read with its schema. What every use of a fitted model
// on rows begins with. The families are the model's own and prepared once (Parts::prepare_rows). A
// sampled model answers with the mean over its draws (model/draws.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "medley/data.hpp"
#include "medley/model.hpp"
#include "model/draws.hpp"
#include "model/model.hpp"
#include "model/score_rows.hpp"

namespace medley::model {

/// Throws InputError if the data was not read with the model's schema, or are not sound. What every
/// public function that is given both begins with, unless it begins with a ModelOnData.
void check_rows(const Model& model, const Dataset& data);

class ModelOnData {
 public:
  /// Throws InputError if the data was not read with the model's schema, or are not sound.
  ModelOnData(const Model& model, const Dataset& data);

  /// Of rows with the blocks of the data it was made for, as the model's inference says: exactly
  /// where that is affordable. keep() as in score_rows. The states are those of the tables shown.
  [[nodiscard]] ScoredRows score(const Dataset& data, std::size_t threads,
                                 Keep keep = Keep::shares) const;
  /// The same with the exact E[theta | row] where that is quick: short rows deserve better than the
  /// variational posterior, which is too sure of itself. The states stay the variational ones.
  [[nodiscard]] ScoredRows predictive(const Dataset& data, std::size_t threads,
                                      Keep keep = Keep::shares) const;
  /// Whether score() gives log-likelihoods rather than bounds for these rows.
  [[nodiscard]] bool exact(const Dataset& data) const;
  [[nodiscard]] EStepModel estep() const {
    return {families_, parts().membership.get(), inference_};
  }
  /// The same by standard inference, whatever the model's own: what draws of memberships begin
  /// with, because fast inference is too sure of itself, and the bound of models that were fitted
  /// without. Of memberships without one, their own.
  [[nodiscard]] EStepModel standard() const;
  [[nodiscard]] std::span<const families::Family* const> families() const { return families_; }
  [[nodiscard]] const Inference& inference() const { return *inference_; }
  [[nodiscard]] RowMethod rows() const { return estep().rows(); }
  [[nodiscard]] const Parts& parts() const { return model_.parts(); }

  /// The draws of a sampled model that its answers are means over, at most kMostDraws; none for a
  /// model that is not sampled.
  static constexpr std::size_t kMostDraws = 50;
  [[nodiscard]] std::vector<std::size_t> draws() const;
  /// One of them, ready for rows like these.
  [[nodiscard]] ModelOnData at_draw(std::size_t draw, const Dataset& data) const;

 private:
  explicit ModelOnData(const Model& model);
  [[nodiscard]] ScoredRows mean_over_draws(const Dataset& data, std::size_t threads) const;

  Model model_;
  std::vector<const families::Family*> families_;
  const Inference* inference_;
};

}  // namespace medley::model
