// SPDX-License-Identifier: Apache-2.0
// Family: the distribution of a block's cells under each of K components. It owns parameters,
// likelihood rows, sufficient statistics and their maximisation; it knows no membership and no
// engine.
//
// All K-vectors are padded to a multiple of kernels::kLanes; padding is zero in likelihood rows.
// A likelihood row is scaled so that its largest entry is 1; the log of the scale is returned, so
// that products of densities neither under- nor overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/reducer.hpp"
#include "core/rng.hpp"
#include "data/catalogue.hpp"
#include "data/slot_index.hpp"
#include "kernels/active_sums.hpp"
#include "medley/data.hpp"
#include "medley/options.hpp"

namespace medley::families {

// What some families can do besides the core that all of them have (family.hpp). A family offers a
// facet by returning a pointer to it, its own or null; whoever needs one asks for it.

struct Smoothing;

/// Likelihood rows in float, for training: those of a table that no cache holds take longer to
/// fetch than to use. Each entry is then off by 6e-8 of itself at most.
class FloatRows {
 public:
  /// As Family::likelihood_rows, rounded.
  virtual double float_rows(const Block& block, std::size_t row, float* out) const = 0;

 protected:
  ~FloatRows() = default;
};

/// The parameters of a component as numbers that may take any value, of order one, in which the
/// log-likelihood is smooth: for methods that climb a gradient or look ahead. Layout K x free_size,
/// component by component.
class FreeParameters {
 public:
  /// Of one component; above 0.
  [[nodiscard]] virtual std::size_t free_size() const = 0;
  virtual void free_parameters(std::span<double> out) const = 0;
  /// The inverse; what lies beyond a limit of the family (a variance's floor) is set to the limit.
  virtual void set_free_parameters(std::span<const double> values) = 0;
  /// The gradient of sum_o r_ok log l_ok at the present parameters, given the statistics that r
  /// adds up to; r may be below 0. A parameter at a limit has gradient 0 where climbing leads
  /// beyond it.
  virtual void free_gradient(std::span<const double> statistics, std::span<double> out) const = 0;

 protected:
  ~FreeParameters() = default;
};

/// Tables of probabilities with a Dirichlet prior: for inference with the tables integrated out,
/// and for finding the smoothing.
class DirichletTables {
 public:
  /// The prior's parameter of every slot under that smoothing.
  [[nodiscard]] virtual std::vector<double> slot_priors(const Smoothing& smoothing) const = 0;
  /// A value of smoothing.each under which the statistics are more probable, tables integrated out:
  /// a step of a fixed point that ends at the maximum. Needs smoothing.each > 0 and no population.
  [[nodiscard]] virtual double better_smoothing(std::span<const double> statistics,
                                                const Smoothing& smoothing) const = 0;

 protected:
  ~DirichletTables() = default;
};

/// Mean and variance of a cell.
struct Moments {
  double mean = 0, variance = 0;
};

/// Cells that are numbers: one cell of a feature under one component.
class NumberCells {
 public:
  [[nodiscard]] virtual Moments moments(std::size_t feature, std::size_t component) const = 0;
  /// P(cell <= value).
  [[nodiscard]] virtual double cumulative(std::size_t feature, std::size_t component,
                                          double value) const = 0;

 protected:
  ~NumberCells() = default;
};

/// Floors of variances. They are part of the parameters.
class VarianceFloors {
 public:
  /// The share of a column's usual variance (families/usual_variance.hpp) that no component's
  /// variance falls below; for the next observe.
  virtual void use_variance_floor(double share) = 0;
  /// Has the floors of a family like this one, whose parameters these are; variances below them
  /// are raised.
  virtual void take_floors(std::span<const double> parameters) = 0;
  /// Per feature, how many components have a variance that stands at its floor.
  [[nodiscard]] virtual std::vector<std::size_t> at_floor() const = 0;
  /// How many rows of parameters the files of earlier versions have.
  [[nodiscard]] virtual std::size_t earlier_rows() const = 0;
  /// A table of so many rows for `components` components (not padded), with what it lacks.
  [[nodiscard]] virtual std::vector<double> completed(std::vector<double> table,
                                                      std::size_t components) const = 0;

 protected:
  ~VarianceFloors() = default;
};

/// A running average of statistics (Family::begin_average ...) in which a step touches the slots
/// that it meets and no others: parameters are kept behind until they are asked for. The functions
/// are those of Family.
class SparseAverage {
 public:
  virtual void prepare_met(const data::Columns& columns, bool log_rows) = 0;
  virtual void begin_sparse() = 0;
  virtual void blend_sparse(double keep, double add, const data::Columns& columns,
                            std::span<const double> statistics) = 0;
  virtual void maximise_sparse(const Smoothing& smoothing) = 0;
  virtual void bring_up_sparse() = 0;
  virtual void end_sparse() = 0;
  [[nodiscard]] virtual std::vector<double> sparse_average() const = 0;
  [[nodiscard]] virtual std::vector<double> sparse_state() const = 0;
  virtual void restore_sparse(std::span<const double> state, const Smoothing& smoothing) = 0;

 protected:
  ~SparseAverage() = default;
};

class Conjugate;  // families/conjugate.hpp
class Family;

/// A parameter as the export shows it: per component a number, or a list with one number per level.
struct ExportField {
  std::string key;
  bool list = false;
  std::vector<std::vector<double>> values;  ///< K entries; one if common
  bool common = false;                      ///< one number for all components
};

/// What a cell can be.
enum class Support {
  two_levels,
  levels,  ///< any number of them
  words,
  numbers,
  not_negative,  ///< numbers from 0
  positive,      ///< numbers above 0
  counts         ///< whole numbers from 0
};

/// A member of the registry.
struct FamilyEntry {
  const char* name;
  const char* summary;
  Encoding encoding;
  Support support;
  /// How well the family suits a column that nobody has declared, 0 (not at all) to 1; and why.
  double (*suits)(const data::ColumnFacts&, std::string& why);
  /// What stands in the way of using it for a column; empty if nothing.
  std::string (*objection)(const data::ColumnFacts&);
  /// Empty if a number can be a cell, else what is wrong with it ("is below 0; poisson takes whole
  /// numbers from 0"). Null for families that take no numbers.
  std::string (*refusal)(double value);
  std::unique_ptr<Family> (*make)(const Block& shape, std::size_t components);
  /// The parameters of one feature, named as in the export layout.
  std::vector<ExportField> (*fields)(const Family&, std::size_t feature);
  /// What is wrong with parameters that came from a file; empty if nothing.
  std::string (*invalid_reason)(const Family&);
  /// Whether its parameters are tables of probabilities with a Dirichlet prior, which can be
  /// integrated out.
  bool dirichlet_tables = false;
  /// Whether its parameters can have a posterior (Smoothing::posterior).
  bool posterior = false;
  /// What samplers need: the prior of a block's parameters, from hyperparameters or (if there are
  /// none) from the data. Null: the family has no conjugate prior.
  std::unique_ptr<Conjugate> (*conjugate)(const Block& block,
                                          std::span<const double> prior) = nullptr;
};

/// A cell whose responsibilities cannot be written as coefficient x vector x likelihood
/// (its normaliser underflows); they are given in full.
struct ExceptionalCell {
  std::size_t cell;                    ///< index into the block's cells
  std::vector<double> responsibility;  ///< K, times the weights
};

/// The E-step's result for a block, in one of two forms. In full: full[o][k], weights included.
/// Else the responsibility of component k for cell o of row i is coefficient[o] * vectors[i][k],
/// times the cell's (scaled) likelihood row if times_likelihood.
struct Responsibilities {
  const double* vectors = nullptr;      ///< rows x padded K
  const double* coefficient = nullptr;  ///< per cell, in row order; includes cell and row weights
  bool times_likelihood = false;
  std::vector<ExceptionalCell> exceptions = {};  ///< their coefficient is 0
  const double* full = nullptr;  ///< cells x padded K; if given, nothing else is read
  /// If given, in the place of `vectors`, and the likelihood rows are those in float.
  const float* narrow = nullptr;
  /// If given, `vectors` again without the entries that do not count; whoever gains by that may
  /// read it in their place.
  const kernels::ActiveVectors* active = nullptr;
};

/// A cell that was drawn.
struct Draw {
  std::uint32_t slot = 0;
  double value = 0;  ///< encoding real only
};

/// The prior of the parameters, as imagined observations of every feature under every component.
struct Smoothing {
  double each = 0;        ///< of every level or word (Laplace); of the average number
  double population = 0;  ///< distributed as the whole column is: pulls components towards it
  /// Parameters get a posterior instead of a maximum (variational Bayes). The prior is then the
  /// conjugate one: Dirichlet(each + population share) of levels and words, with each > 0; of
  /// numbers a weak one around the column's own average, `population` observations stronger.
  bool posterior = false;
  Smoothing(double of_each, double like_population = 0, bool as_posterior = false)
      : each(of_each), population(like_population), posterior(as_posterior) {}
};

class Family {
 public:
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  /// Looks at the training data once, before the first start: the scale and centre of a column,
  /// say. What it keeps is part of the parameters. `row_weight` is empty where every row counts
  /// once; `across`: who else has rows of the same columns.
  virtual void observe(const Block& block, const data::Columns& columns,
                       std::span<const double> row_weight, core::Reducer& across);
  /// Of data that are all here.
  void observe(const Block& block, const data::Columns& columns,
               std::span<const double> row_weight) {
    observe(block, columns, row_weight, core::alone());
  }
  /// Builds what likelihood rows (and log rows, if wanted) are read from; call after parameters
  /// change.
  virtual void prepare(bool log_rows) = 0;
  /// After prepare(false) of points: builds what prepare(true) would have built besides. Other
  /// threads may read likelihood rows meanwhile.
  virtual void prepare_log_rows() {}
  /// Writes the likelihood rows of a row's cells (count x padded K); returns sum_o w_o log scale_o.
  virtual double likelihood_rows(const Block& block, std::size_t row, double* out) const = 0;
  /// log l_ok of a row's cells, count x padded K; padding is unspecified.
  virtual void log_rows(const Block& block, std::size_t row, double* out) const = 0;
  /// Adds sum_o w_o log l_ok to total[k]; needs prepare(true).
  virtual void add_log_rows(const Block& block, std::size_t row, double* total) const = 0;
  /// Sets those of slots [begin, end) in `statistics` to the sums of the responsibilities,
  /// exceptions included.
  virtual void collect(const data::Columns& columns, const Block& block,
                       const Responsibilities& from, std::size_t begin, std::size_t end,
                       std::span<double> statistics) const = 0;
  /// Of all slots.
  [[nodiscard]] std::vector<double> collect(const data::Columns& columns, const Block& block,
                                            const Responsibilities& from) const;
  /// Sets the parameters to the (smoothed) maximum given the statistics, or to their posterior. A
  /// component without weight keeps its parameters; its posterior is the prior.
  virtual void maximise(std::span<const double> statistics, const Smoothing& smoothing) = 0;
  /// Log prior of the parameters under that smoothing, up to a constant; of a posterior q its
  /// -KL(q || prior). bound + this is what EM increases.
  [[nodiscard]] virtual double log_prior(const Smoothing& smoothing) const = 0;

  /// The inverse of maximise, an optional ability: sets `statistics` to those that the present
  /// parameters are the maximum of under that smoothing, weight[f K + k] being the sum of
  /// responsibilities of feature f under component k (features x K). Where the parameters say less
  /// of a slot than smoothing alone would, its statistic is below 0, by less than the smoothing.
  /// False: not offered.
  [[nodiscard]] virtual bool recall(std::span<const double> weight, const Smoothing& smoothing,
                                    std::span<double> statistics) const;

  // Posteriors. The parameters are then means, in the same layout, and the strengths say what else
  // the posterior needs: how sure it is. With strengths, likelihood rows are exp E_q log l.
  /// Rows x padded K; empty: the parameters are points.
  [[nodiscard]] std::span<const double> strengths() const { return strengths_; }
  /// What their size would be; 0 for a family without posteriors.
  [[nodiscard]] std::size_t strengths_size() const { return strength_rows_ * padded_; }
  void set_strengths(std::span<const double> values);
  /// Makes the parameters points again and returns what the strengths were.
  std::vector<double> take_strengths();

  // Facets, null unless the family has them.
  [[nodiscard]] virtual const FloatRows* float_rows() const { return nullptr; }
  [[nodiscard]] virtual const FreeParameters* free() const { return nullptr; }
  [[nodiscard]] virtual const DirichletTables* dirichlet() const { return nullptr; }
  [[nodiscard]] virtual const NumberCells* numbers() const { return nullptr; }
  [[nodiscard]] virtual const VarianceFloors* floors() const { return nullptr; }
  [[nodiscard]] FreeParameters* free() {
    return const_cast<FreeParameters*>(std::as_const(*this).free());
  }
  [[nodiscard]] VarianceFloors* floors() {
    return const_cast<VarianceFloors*>(std::as_const(*this).floors());
  }

  // Learning in minibatches: maximise from a running average of statistics.
  /// prepare for rows that have no other cells than these; brings what they need up to date.
  void prepare_for(const data::Columns& columns, bool log_rows);
  /// The average begins with 0.
  void begin_average();
  /// average <- keep average + add statistics; only slots with cells in `columns` have statistics.
  void blend(double keep, double add, const data::Columns& columns,
             std::span<const double> statistics);
  /// Sets the parameters to the maximum, or the posterior, given the average.
  void maximise_average(const Smoothing& smoothing);
  /// Brings all parameters up to date.
  void refresh();
  /// Brings all parameters up to date and forgets the average.
  void end_average();
  /// The average in the layout of the statistics.
  [[nodiscard]] std::vector<double> average() const;
  /// What going on with the same bits needs, besides parameters and strengths; and back.
  [[nodiscard]] std::vector<double> average_state() const;
  void restore_average(std::span<const double> state, const Smoothing& smoothing);

  // One cell of a feature under one component.
  /// Builds what draws are read from; call after parameters change.
  virtual void prepare_draws() {}
  [[nodiscard]] virtual Draw draw(std::size_t feature, std::size_t component,
                                  core::Rng& rng) const = 0;

  [[nodiscard]] const FamilyEntry& entry() const { return entry_; }
  [[nodiscard]] std::size_t components() const { return components_; }
  [[nodiscard]] std::size_t padded() const { return padded_; }
  /// Rows x padded K; what a row means is the family's own (a slot's probability, a mean ...).
  [[nodiscard]] std::span<const double> parameters() const { return parameters_; }
  /// As points.
  void set_parameters(std::span<const double> values);
  /// How many numbers the statistics of a block are: rows x padded K, slot after slot. They are
  /// plain sums over cells, so those of some rows may be scaled, and added to those of others.
  [[nodiscard]] std::size_t statistics_size() const { return statistics_rows_ * padded_; }
  /// Component k becomes old component order[k].
  void permute(std::span<const std::size_t> order);
  /// How many threads large tables are worked on with; 1 to begin with. Never changes a result.
  void use_threads(std::size_t threads) { threads_ = threads; }

 protected:
  /// How many rows of each there are; strengths: once there is a posterior.
  struct Rows {
    std::size_t parameters, statistics, strengths;
  };
  Family(const FamilyEntry& entry, std::size_t components, const Rows& rows);

  /// The average of a family that keeps it otherwise than as a plain one; null: plain.
  [[nodiscard]] virtual SparseAverage* sparse() { return nullptr; }
  [[nodiscard]] const SparseAverage* sparse() const { return const_cast<Family*>(this)->sparse(); }

  std::vector<double> parameters_;
  std::vector<double> strengths_;
  std::size_t threads_ = 1;

 private:
  const FamilyEntry& entry_;
  std::size_t components_;
  std::size_t padded_;
  std::vector<double> average_;  // of the statistics, if it is plain and minibatches are learnt
  std::size_t statistics_rows_, strength_rows_;
};

/// How many free parameters a component has; 0: the family offers none.
[[nodiscard]] inline std::size_t free_size(const Family& family) {
  const FreeParameters* free = family.free();
  return free == nullptr ? 0 : free->free_size();
}

/// In a matrix of rows x padded K: column k becomes the old column order[k].
void permute_columns(std::span<double> matrix, std::size_t padded,
                     std::span<const std::size_t> order);

}  // namespace medley::families
