// SPDX-License-Identifier: Apache-2.0
// What some families can do besides the core that all of them have (family.hpp). A family offers a
// facet by returning a pointer to it, its own or null; whoever needs one asks for it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "data/transpose.hpp"
#include "medley/data.hpp"

namespace medley::families {

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
  /// The gradient of sum_o r_ok log l_ok at the present parameters, r as in the last collect; r may
  /// be below 0. A parameter at a limit has gradient 0 where climbing leads beyond it.
  virtual void free_gradient(std::span<double> out) const = 0;

 protected:
  ~FreeParameters() = default;
};

/// Tables of probabilities with a Dirichlet prior: for inference with the tables integrated out,
/// and for finding the smoothing.
class DirichletTables {
 public:
  /// The prior's parameter of every slot under that smoothing.
  [[nodiscard]] virtual std::vector<double> slot_priors(const Smoothing& smoothing) const = 0;
  /// A value of smoothing.each under which the statistics (or their average) are more probable,
  /// tables integrated out: a step of a fixed point that ends at the maximum. Needs
  /// smoothing.each > 0 and no population.
  [[nodiscard]] virtual double better_smoothing(const Smoothing& smoothing) const = 0;

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
  virtual void blend_sparse(double keep, double add, const data::Columns& columns) = 0;
  virtual void maximise_sparse(const Smoothing& smoothing) = 0;
  virtual void bring_up_sparse() = 0;
  virtual void end_sparse() = 0;
  [[nodiscard]] virtual std::vector<double> sparse_average() const = 0;
  [[nodiscard]] virtual std::vector<double> sparse_state() const = 0;
  virtual void restore_sparse(std::span<const double> state, const Smoothing& smoothing) = 0;

 protected:
  ~SparseAverage() = default;
};

}  // namespace medley::families
