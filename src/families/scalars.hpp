// SPDX-License-Identifier: Apache-2.0
// Scalars: what all families of numbers share, as simplexes.hpp is for the discrete ones. A feature
// has one slot; its cell is the number x = value - shift. Every such family is an exponential
// family, so that per cell it says three numbers (base, t1, t2) and per component three more
// (constant, first, second), and the log density is, in a loop over K that vectorises,
//
//   linear   log f(x | k) = base + constant_k + first_k t1 + second_k t2
//   curved   log f(x | k) = base + constant_k + second_k (t1 - first_k)^2
//
// The curved form is the normal density: written as a polynomial, x^2 - 2 x mean + mean^2, it would
// lose all digits when the mean is far from 0. Statistics per slot and component are sums of
// responsibilities r: sum r, sum r u1, sum r u2 with
//
//   linear   u1 = t1,            u2 = t2
//   curved   u1 = t1 - centre,   u2 = u1^2       around the column's mean, for the same reason
//
// Smoothing adds c imagined observations that are like the column's average: those of the
// population, and in the linear form Smoothing::each; then
//
//   linear   log prior = c sum_k (constant_k + first_k mean(t1) + second_k mean(t2))
//   curved   log prior = c sum_k (constant_k + second_k ((mean(t1) - first_k)^2 + variance(t1)))
//
// Free parameters are the own ones on the scale of their link. With D = derivative of the
// coefficients with respect to one of them, and off = first - centre, the gradient is
//
//   linear   D constant sum r + D first sum r u1 + D second sum r u2
//   curved   D constant sum r + D second (sum r u2 - 2 off sum r u1 + off^2 sum r)
//            - 2 second D first (sum r u1 - off sum r)
//
// The statistics that parameters are the maximum of (recall) follow from the same equations: where
// the gradient is 0 with sum r = 1, they are linear in the averages of u1 and u2, one for each own
// parameter. They are the expectations of u1 and u2 under the component itself.
//
// Parameters: per slot the family's own rows, then as many rows of references: the mean of t1 and
// the mean of t2 (curved: the variance of t1) in the training data, the same for every component.
// After those of all slots, curved: one row per slot, the floor of its variances.
//
// With posteriors the own rows are means and there are as many rows of strengths. The prior is a
// weak one around the references, made `population` observations like the column's average
// stronger; the coefficients are then expectations, so that the log density is E_q log f.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "families/family.hpp"
#include "kernels/densities.hpp"

namespace medley::families {

/// How a parameter is freed of its limits.
enum class Link {
  none,      ///< it is not: the family then offers no free parameters
  location,  ///< distance from the column's mean in its standard deviations; curved form only
  log,
  logit
};

/// One row of a slot's parameters; a family lists its own, then as many references.
struct ScalarRow {
  const char* key;     ///< in the export, and in words when a file is refused
  double least, most;  ///< what a model file may say
  double neutral;      ///< before any data were seen
  Link link = Link::none;
};

/// Numbers larger than this in size are refused: their squares must stay finite.
inline constexpr double kMostNumber = 1e100;
/// Numbers that must be above 0 are refused below this: their inverses must stay finite.
inline constexpr double kLeastNumber = 1e-100;
/// Counts beyond this are not exact in the formulas; nobody counts so far.
inline constexpr double kMostCount = 1e15;

class Scalars : public Family, private FreeParameters, private NumberCells, private VarianceFloors {
 public:
  [[nodiscard]] const FreeParameters* free() const override {
    return free_size() > 0 ? this : nullptr;
  }
  [[nodiscard]] const NumberCells* numbers() const override { return this; }
  [[nodiscard]] const VarianceFloors* floors() const override { return floored() ? this : nullptr; }
  void use_variance_floor(double share) override { variance_floor_ = share; }
  using Family::collect;
  using Family::observe;
  void observe(const Block& block, const data::Columns& columns, std::span<const double> row_weight,
               core::Reducer& across) override;
  void prepare(bool log_rows) override;
  double likelihood_rows(const Block& block, std::size_t row, double* out) const override;
  void log_rows(const Block& block, std::size_t row, double* out) const override;
  void add_log_rows(const Block& block, std::size_t row, double* total) const override;
  void collect(const data::Columns& columns, const Block& block, const Responsibilities& from,
               std::size_t begin, std::size_t end, std::span<double> statistics) const override;
  void maximise(std::span<const double> statistics, const Smoothing& smoothing) override;
  [[nodiscard]] bool recall(std::span<const double> weight, const Smoothing& smoothing,
                            std::span<double> statistics) const override;
  [[nodiscard]] double log_prior(const Smoothing& smoothing) const override;
  [[nodiscard]] std::size_t free_size() const override;
  void free_parameters(std::span<double> out) const override;
  void set_free_parameters(std::span<const double> values) override;
  void free_gradient(std::span<const double> statistics, std::span<double> out) const override;
  [[nodiscard]] Moments moments(std::size_t feature, std::size_t component) const override;
  [[nodiscard]] double cumulative(std::size_t feature, std::size_t component,
                                  double value) const override;
  [[nodiscard]] Draw draw(std::size_t feature, std::size_t component,
                          core::Rng& rng) const override;
  void take_floors(std::span<const double> parameters) override;
  [[nodiscard]] std::vector<std::size_t> at_floor() const override;
  [[nodiscard]] std::size_t earlier_rows() const override;
  [[nodiscard]] std::vector<double> completed(std::vector<double> table,
                                              std::size_t components) const override;

  [[nodiscard]] std::size_t features() const { return shift_.size(); }
  [[nodiscard]] double shift(std::size_t feature) const { return shift_[feature]; }
  /// The family's own rows, then its references.
  [[nodiscard]] std::span<const ScalarRow> rows() const { return rows_; }
  /// How many of the rows are the family's own.
  [[nodiscard]] std::size_t own() const { return rows_.size() / 2; }
  /// Where row `row` of a feature begins in the parameters.
  [[nodiscard]] std::size_t at(std::size_t feature, std::size_t row) const {
    return (feature * rows_.size() + row) * padded();
  }
  /// Whether variances have floors.
  [[nodiscard]] bool floored() const { return curved_; }
  /// Where the floor of a feature's variance is in the parameters.
  [[nodiscard]] std::size_t floor_at(std::size_t feature) const {
    return (features() * rows_.size() + feature) * padded();
  }

 protected:
  enum class Form { linear, curved };
  using Pair = std::array<double, 2>;  // the second is 0 where a family has one parameter
  /// The column's own averages, one for each own parameter, and the floor of its variances.
  struct Reference {
    Pair of = {};
    double floor = 0;
    double operator[](std::size_t row) const { return of[row]; }
  };
  struct Terms {
    double base = 0, t1 = 0, t2 = 0;
  };
  struct Coefficients {
    double constant = 0, first = 0, second = 0;
  };
  struct Range {
    double least, most;
  };

  /// What is believed about the own parameters of one slot and component.
  struct Belief {
    Pair mean = {}, strength = {};
  };
  struct Sums {
    double r = 0, u1 = 0, u2 = 0;
  };

  /// `rows` must outlive the family.
  Scalars(const FamilyEntry& entry, const Block& shape, std::size_t components,
          std::span<const ScalarRow> rows, Form form);

  // What a family says of itself. `p`: its own parameters for one slot and component.
  [[nodiscard]] virtual Terms terms(double x) const = 0;
  [[nodiscard]] virtual Coefficients coefficients(const Pair& p) const = 0;
  /// The parameters that maximise the expected log density, given the averages of u1 and u2 over
  /// the responsibilities; `reference`: the column's own averages.
  [[nodiscard]] virtual Pair maximum(const Pair& average, const Reference& reference) const = 0;
  [[nodiscard]] virtual Moments moments_of(const Pair& p) const = 0;
  /// P(X <= x), any x.
  [[nodiscard]] virtual double below(const Pair& p, double x) const = 0;
  [[nodiscard]] virtual double drawn(const Pair& p, core::Rng& rng) const = 0;
  // For families whose rows have links.
  /// The derivatives of the coefficients with respect to each own parameter: the logarithm of one
  /// with link log, the logit of one with link logit, the parameter itself with link location.
  [[nodiscard]] virtual std::array<Coefficients, 2> slopes(const Pair& /*p*/) const { return {}; }
  /// Where own parameter `row` has to stay, given the column's averages; what files may say if the
  /// family does not say.
  [[nodiscard]] virtual Range range(std::size_t row, const Reference& reference) const;

  // For families with posteriors.
  /// Weak, around the column's own averages.
  [[nodiscard]] virtual Belief prior(const Reference& reference) const;
  /// The belief after data with those sums.
  [[nodiscard]] virtual Belief learnt(const Belief& before, const Sums& sums,
                                      const Reference& reference) const;
  /// What makes the log density its expectation.
  [[nodiscard]] virtual Coefficients expected(const Belief& belief) const;
  /// KL(belief || from).
  [[nodiscard]] virtual double divergence(const Belief& belief, const Belief& from) const;

 private:
  static constexpr std::size_t kStatistics = 3;  // rows per slot: sum r, sum r u1, sum r u2

  [[nodiscard]] Pair parameters_of(std::size_t feature, std::size_t component) const;
  [[nodiscard]] Reference reference_of(std::size_t feature) const;
  void set(std::size_t feature, std::size_t first_row, std::size_t component, const Pair& values);
  void set_floor(std::size_t feature, double floor);
  [[nodiscard]] std::size_t strength_at(std::size_t feature, std::size_t row) const {
    return (feature * own() + row) * padded();
  }
  [[nodiscard]] Belief belief_of(std::size_t feature, std::size_t component) const;
  void set_belief(std::size_t feature, std::size_t component, const Belief& belief);
  [[nodiscard]] Belief prior_of(std::size_t feature, const Smoothing& smoothing) const;
  /// Where those of a slot and component begin.
  [[nodiscard]] std::size_t sums_at(std::size_t slot, std::size_t component) const {
    return slot * kStatistics * padded() + component;
  }
  [[nodiscard]] Sums sums_of(std::span<const double> statistics, std::size_t feature,
                             std::size_t component) const;
  template <class Sink>
  void evaluate(std::size_t slot, const Terms& cell, Sink&& sink) const;
  [[nodiscard]] kernels::DensityTable density_table() const;
  [[nodiscard]] Terms centred(std::size_t slot, const Terms& t) const;
  void collect(const data::Columns& columns, const Block& block, const Responsibilities& from,
               std::size_t slot, double* sums) const;
  void maximise(const Sums& sums, std::size_t slot, std::size_t component, double imagined);
  [[nodiscard]] double imagined(const Smoothing& smoothing) const;
  [[nodiscard]] double free_of(std::size_t row, double p, const Reference& reference) const;
  [[nodiscard]] double from_free(std::size_t row, double free, const Reference& reference) const;
  [[nodiscard]] Pair free_gradient(const Sums& sums, std::size_t slot, std::size_t component) const;
  [[nodiscard]] Pair expected(std::size_t slot, std::size_t component) const;

  std::span<const ScalarRow> rows_;
  bool curved_;
  double variance_floor_ = kVarianceFloor;
  std::vector<double> shift_;         // features
  std::vector<double> coefficients_;  // features x 3 x padded K: constant, first, second
};

/// The family's own parameters, one number per component and key; and the column's shift where it
/// is not 0 or `show_shift` asks for it.
[[nodiscard]] std::vector<ExportField> scalar_fields(const Family& family, std::size_t feature,
                                                     bool show_shift = false);
/// Empty if every number is within the least and most of its row; else what is wrong.
[[nodiscard]] std::string invalid_scalar_reason(const Family& family);
/// What stands in the way of a column of numbers: that it is none.
[[nodiscard]] std::string scalar_objection(const data::ColumnFacts& facts, const char* family);
/// "0.2 to 9500", for a reason in words.
[[nodiscard]] std::string range_of(const data::ColumnFacts& facts);

}  // namespace medley::families
