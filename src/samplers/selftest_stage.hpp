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
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "medley/data.hpp"
#include "samplers/gom_model.hpp"

namespace medley::samplers {

// What a test of a sampler needs of it: a state (unknowns, cells) that can be drawn from both ends.
//
//   forward   unknowns ~ prior, cells ~ p(cells | unknowns)
//   by turns  cells ~ p(cells | unknowns), unknowns ~ the sampler given the cells
//
// If the sampler leaves p(unknowns | cells) in place, both have the same distribution. Models are
// behind this interface, so that the tests (samplers/selftest_checks.hpp, selftest_sbc.hpp) are
// written once, and so that wrong samplers can be put before them.

/// A number that is followed, the same whatever components are called.
struct Followed {
  std::string name;
  bool of_cells = false;  ///< it depends on the cells alone
};

class Joint {
 public:
  Joint() = default;
  virtual ~Joint() = default;
  Joint(const Joint&) = delete;
  Joint& operator=(const Joint&) = delete;

  /// Unknowns from their prior, then cells.
  virtual void draw_forward(core::Rng& rng) = 0;
  /// New cells given the unknowns.
  virtual void draw_cells(core::Rng& rng) = 0;
  /// Puts the sampler before the cells. `here`: at the present unknowns; else where it begins by
  /// itself.
  virtual void begin(std::uint64_t seed, bool here) = 0;
  /// One sweep: the unknowns are those that the sampler drew. `tune`: as in its burn-in.
  virtual void sweep(bool tune) = 0;

  [[nodiscard]] virtual std::vector<Followed> followed() const = 0;
  /// Their values, in that order.
  [[nodiscard]] virtual std::vector<double> values() const = 0;
};

/// Called by several threads; each has its own.
using MakeJoint = std::function<std::unique_ptr<Joint>()>;

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
