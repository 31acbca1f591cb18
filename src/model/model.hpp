// SPDX-License-Identifier: Apache-2.0
// The parts of a model: schema, one family per block, a membership, an optional head, and
// aggregates of the training data. A model file holds exactly this.
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
  std::unique_ptr<families::Family> marginal;  ///< one component for all rows
  std::vector<double>
      total;  ///< per slot: weighted cells of the training data (level or word totals)
  /// For tables that are posteriors: their strengths, in the family's layout. They are kept outside
  /// the family, so that scoring uses only its parameters, the means, as points.
  std::vector<double> strengths = {};

  /// Probability of a slot under a component (discrete families).
  [[nodiscard]] double probability(std::size_t slot, std::size_t component) const;
  /// Share of a slot among the observed cells of its feature in the training data.
  [[nodiscard]] double population_share(std::size_t slot) const;
};

/// Whether two blocks have the same family, columns and levels, so that tables fit both.
[[nodiscard]] bool same_shape(const Block& a, const Block& b);

struct Parts {
  Schema schema;
  std::vector<ModelBlock> blocks;
  std::unique_ptr<memberships::Membership> membership;
  std::unique_ptr<heads::Softmax> head;  ///< null: no label; its classes are the label column's
  FitOptions options;                    ///< resolved: preset, membership, inference, alpha are set
  std::vector<double> sizes;             ///< share of memberships per component, descending
  std::vector<std::string> names;        ///< per component; empty: no name
  FitSummary summary;
  std::shared_ptr<const Draws> draws;  ///< of a sampled model; the tables are then their means

  [[nodiscard]] std::size_t components() const { return sizes.size(); }
  /// How rows are inferred; the name is options.inference.
  [[nodiscard]] const Inference& inference() const;
  [[nodiscard]] RowMethod rows() const;
  /// A deep copy (families and membership are owned), unprepared.
  [[nodiscard]] std::shared_ptr<Parts> clone() const;

  // Prepares what families need beside their parameters. The first caller builds each and the model
  // keeps it, so that using the model again costs nothing; any number of threads may call at once.
  // After that the parameters must not change.
  void prepare_rows() const;       ///< likelihood rows, as the inference reads them
  void prepare_log_rows() const;   ///< and log rows
  void prepare_draws() const;      ///< draws of cells
  void prepare_marginals() const;  ///< likelihood rows and log rows of the marginals

 private:
  mutable std::once_flag rows_, log_rows_, draws_, marginals_;
};

}  // namespace medley::model
