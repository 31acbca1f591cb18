// SPDX-License-Identifier: Apache-2.0
// A model prepared for a data set that was read with its schema; every use of a fitted model on
// rows begins with it. The families are the model's own and prepared once (Parts::prepare_rows). A
// sampled model gives the mean over its draws (model/draws.hpp).
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

/// Throws InputError if the data were not read with the model's schema, or are not valid. Every
/// public function that takes both calls it first, unless it begins with a ModelOnData.
void check_rows(const Model& model, const Dataset& data);

class ModelOnData {
 public:
  /// Throws InputError if the data were not read with the model's schema, or are not valid.
  ModelOnData(const Model& model, const Dataset& data);

  /// Scores rows with the same blocks as the data, by the model's inference: exactly where that is
  /// affordable. keep() as in score_rows. The states belong to the tables shown.
  [[nodiscard]] ScoredRows score(const Dataset& data, std::size_t threads,
                                 Keep keep = Keep::shares) const;
  /// The same with the exact E[theta | row] where that is quick, because the variational posterior
  /// of short rows is overconfident. The states stay the variational ones.
  [[nodiscard]] ScoredRows predictive(const Dataset& data, std::size_t threads,
                                      Keep keep = Keep::shares) const;
  /// Whether score() gives log-likelihoods, not bounds, for these rows.
  [[nodiscard]] bool exact(const Dataset& data) const;
  [[nodiscard]] EStepModel estep() const {
    return {families_, parts().membership.get(), inference_};
  }
  /// The same by standard inference, whatever the model's own. Draws of memberships begin with it,
  /// because fast inference is overconfident; it also gives the bound of models fitted without one.
  /// Memberships without standard inference use their own.
  [[nodiscard]] EStepModel standard() const;
  [[nodiscard]] std::span<const families::Family* const> families() const { return families_; }
  [[nodiscard]] const Inference& inference() const { return *inference_; }
  [[nodiscard]] RowMethod rows() const { return estep().rows(); }
  [[nodiscard]] const Parts& parts() const { return model_.parts(); }

  /// The draws of a sampled model over which results are averaged, at most kMostDraws; none if the
  /// model is not sampled.
  static constexpr std::size_t kMostDraws = 50;
  [[nodiscard]] std::vector<std::size_t> draws() const;
  /// One of these draws as a model, prepared for rows like these.
  [[nodiscard]] ModelOnData at_draw(std::size_t draw, const Dataset& data) const;

 private:
  explicit ModelOnData(const Model& model);
  [[nodiscard]] ScoredRows mean_over_draws(const Dataset& data, std::size_t threads) const;

  Model model_;
  std::vector<const families::Family*> families_;
  const Inference* inference_;
};

}  // namespace medley::model
