// SPDX-License-Identifier: Apache-2.0
// The composition: schema + one family per block + a membership + perhaps a head, with what was
// learnt about the training data as aggregates. This is all that a model file holds.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "families/family.hpp"
#include "heads/softmax.hpp"
#include "medley/data.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "memberships/membership.hpp"
#include "model/draws.hpp"
#include "model/inference.hpp"

namespace medley::model {

/// One block of a model: its shape (a Block without cells), its family and its training totals.
struct ModelBlock {
  Block shape;
  std::unique_ptr<families::Family> family;
  std::unique_ptr<families::Family> marginal;  ///< one component for all: the columns on their own
  std::vector<double>
      total;  ///< per slot: weighted cells of the training data (level or word totals)
  /// Where the tables are posteriors: how sure they are, in the family's layout. They are kept out
  /// of the family, so that whoever scores rows with it takes its parameters, the means, as points.
  std::vector<double> strengths = {};

  /// Probability (discrete families) of a slot under a component.
  [[nodiscard]] double probability(std::size_t slot, std::size_t component) const;
  /// Share of a slot among the observed cells of its feature in the training data.
  [[nodiscard]] double population_share(std::size_t slot) const;
};

/// Whether two blocks have the same family, columns and levels: then one's tables serve the other.
[[nodiscard]] bool same_shape(const Block& a, const Block& b);

struct Parts {
  Schema schema;
  std::vector<ModelBlock> blocks;
  std::unique_ptr<memberships::Membership> membership;
  std::unique_ptr<heads::Softmax> head;  ///< null: no label; its classes are the label column's
  FitOptions options;              ///< as resolved: preset, membership, inference, alpha filled in
  std::vector<double> sizes;       ///< share of memberships per component, descending
  std::vector<std::string> names;  ///< per component; empty: not named
  FitSummary summary;
  std::shared_ptr<const Draws> draws;  ///< of a sampled model, whose tables are then their means

  [[nodiscard]] std::size_t components() const { return sizes.size(); }
  /// How rows are inferred; the name is options.inference.
  [[nodiscard]] const Inference& inference() const;
  [[nodiscard]] RowMethod rows() const;
  /// A deep copy (families and membership are owned), nothing of it prepared.
  [[nodiscard]] std::shared_ptr<Parts> clone() const;

  // What families need beside their parameters. Each is built by the first caller and kept with the
  // model, so that using a model again costs nothing; any number of threads may ask at once. From
  // then on the parameters must not change.
  void prepare_rows() const;       ///< likelihood rows, as the mode reads them
  void prepare_log_rows() const;   ///< and log rows
  void prepare_draws() const;      ///< draws of cells
  void prepare_marginals() const;  ///< likelihood rows and log rows of the marginals

 private:
  mutable std::once_flag rows_, log_rows_, draws_, marginals_;
};

}  // namespace medley::model
