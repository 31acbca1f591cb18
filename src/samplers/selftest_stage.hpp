// SPDX-License-Identifier: Apache-2.0
// The table that a sampler is tested on: some rows of the user's, with their missing cells, and the
// priors of its columns. Defaults of priors that depend on a column (the mean of numbers) are taken
// from the user's data once: everything that is drawn later has the same priors.
//
// A cell that was observed w times is w observations, each of which is drawn anew: numbers become
// w cells, words and levels are sorted and counted. Row weights play no part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "medley/data.hpp"
#include "samplers/gom_model.hpp"
#include "samplers/selftest_joint.hpp"

namespace medley::samplers {

/// A component for every observation: rows, in each the blocks, in each the cells.
using Components = std::vector<std::uint16_t>;

class Stage {
 public:
  /// `rows` of the data, drawn at random; all if there are fewer. `priors`: hyperparameters of
  /// every block (families/conjugate.hpp), or empty for a block.
  Stage(const Dataset& data, const std::vector<std::vector<double>>& priors, std::size_t rows,
        std::uint64_t seed);

  [[nodiscard]] std::size_t rows() const { return shape_.rows; }
  [[nodiscard]] std::size_t observations() const { return start_.back(); }
  /// Where a row's observations begin; rows + 1.
  [[nodiscard]] std::span<const std::size_t> start() const { return start_; }
  /// In full, as the models take them.
  [[nodiscard]] const std::vector<std::vector<double>>& priors() const { return priors_; }

  /// Tables of so many components from the priors.
  [[nodiscard]] Tables draw_tables(std::size_t components, core::Rng& rng) const;
  /// Ready for draws and logarithms of likelihoods.
  [[nodiscard]] Families families(std::size_t components, const Tables& tables) const;
  /// The cells of the table. Where cells are sorted, components go with them.
  [[nodiscard]] Dataset draw_cells(const Families& families, Components& components,
                                   core::Rng& rng) const;

  // Numbers to follow: of the cells, of the tables (each component with its weight), and the
  // log-likelihood, which is the last.
  [[nodiscard]] std::vector<Followed> followed() const;
  [[nodiscard]] std::vector<double> values(const Dataset& cells, const Families& families,
                                           std::span<const double> weight,
                                           const Components& components) const;

 private:
  // A column that is followed.
  struct Column {
    std::size_t block = 0, feature = 0;
    std::size_t probe = 0;         // row of the probes that holds one of its cells
    bool two_levels = false;       // its squares tell nothing new
    double centre = 0, scale = 1;  // of numbers
  };
  struct Mean {
    double sum = 0, count = 0;
    [[nodiscard]] double value() const { return count > 0 ? sum / count : 0.0; }
  };

  void choose_columns(const Dataset& data);
  [[nodiscard]] double score(const Column& column, const Block& block, std::size_t cell) const;
  void add_cell_values(const Dataset& cells, std::vector<double>& out) const;
  void add_table_values(const Families& families, std::span<const double> weight,
                        std::vector<double>& out) const;
  [[nodiscard]] double log_likelihood(const Dataset& cells, const Families& families,
                                      const Components& components) const;

  Dataset shape_;  // the rows as they were
  Dataset probes_;
  std::vector<std::vector<double>> priors_;
  Priors conjugate_;  // per block
  Tables neutral_;    // per block, one number per row of Family::parameters()
  std::vector<std::size_t> start_ = {0};
  std::vector<Column> columns_;
};

}  // namespace medley::samplers
