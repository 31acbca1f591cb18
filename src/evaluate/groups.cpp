// SPDX-License-Identifier: Apache-2.0
// Mean memberships of groups. With w_i the row weights, e_ik and v_ik the mean and variance of
// theta_ik given the row, and W_g the weight of group g,
//
//   mu_gk = sum_{i in g} w_i e_ik / W_g
//   Var mu_gk = Var_design( sum_i u_i ) + sum_{i in g} w_i^2 v_ik / W_g^2,
//   u_i = w_i (e_ik - mu_gk) / W_g in the group, 0 outside
//
// A frequency weight says how often a row was observed: its w_i copies are independent, so
// w_i v_ik takes the place of w_i^2 v_ik.
//
// Intervals of means are Wilson's for an effective number of rows (as Korn and Graubard 1998), with
// the side towards the edge as Brown, Cai and DasGupta (2001) correct it where few rows are on it;
// those of differences Student's, or Newcombe's (1998) near 0 and 1.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/task.hpp"

#include "evaluate/membership_posteriors.hpp"
#include "evaluate/survey_design.hpp"
#include "math/special.hpp"
#include "medley/error.hpp"
#include "medley/uncertainty.hpp"
#include "model/model_on_data.hpp"

namespace medley {
namespace evaluation {
namespace {

// The mean of one component over some of the rows, and each row's part in it.
struct PartialMean {
  double value = 0;
  double rows = 0;  // of equal weight that would say as much (Kish)
  double posterior_variance = 0;
  std::vector<double> part;  // u_i
};

class Grouper {
 public:
  Grouper(const MembershipPosteriors& posterior, const Dataset& data, const GroupOptions& options,
          const KeptColumn& by)
      : data_(data),
        by_(by),
        level_(options.level),
        components_(data.rows == 0 ? 0 : posterior.mean.size() / data.rows),
        design_(survey_design(data, options.strata, options.cluster)),
        posterior_(posterior) {}

  GroupMeans run() {
    GroupMeans out;
    out.by = by_.name;
    out.title = by_.title;
    out.level = level_;
    out.rows = data_.rows;
    out.weights = data_.weighting();
    out.estimator = posterior_.estimator;
    out.strata = design_.strata();
    out.units = integer_of<std::size_t>(design_.units());
    out.lonely_strata = design_.lonely();
    for (std::size_t row = 0; row < data_.rows; ++row) {
      core::stop_if_asked();
      if (data_.weight_of(row) <= 0) continue;
      if (by_.code[row] < 0) {
        ++out.missing_rows;
      } else if (data_.observed(row) <= 0) {
        ++out.empty_rows;
      }
    }
    const auto everyone = [](std::size_t) { return true; };
    out.all = summarise("", everyone);
    for (std::size_t g = 0; g < by_.levels.size(); ++g) {
      const auto inside = [&](std::size_t row) {
        return by_.code[row] == static_cast<std::int32_t>(g);
      };
      GroupMean group = summarise((by_.labels.empty() ? by_.levels : by_.labels)[g], inside);
      if (group.rows == 0) continue;
      if (group.rows < out.all.rows) add_differences(inside, group);
      out.groups.push_back(std::move(group));
    }
    if (out.groups.empty())
      throw InputError({"`by`", "no row has a value in \"" + by_.name + "\" and something observed",
                        "name a column that the rows have values in"});
    for (std::size_t k = 0; k < components_; ++k) out.reliability.push_back(reliability(k));
    return out;
  }

 private:
  [[nodiscard]] bool counts(std::size_t row) const {
    return data_.weight_of(row) > 0 && by_.code[row] >= 0 && data_.observed(row) > 0;
  }

  template <class Inside>
  [[nodiscard]] PartialMean mean_of(Inside&& inside, std::size_t k) const {
    PartialMean out;
    out.part.assign(data_.rows, 0.0);
    double weights = 0, squares = 0;
    const auto each = [&](auto&& visit) {
      for (std::size_t row = 0; row < data_.rows; ++row) {
        core::stop_if_asked();
        if (counts(row) && inside(row)) visit(row, data_.weight_of(row), row * components_ + k);
      }
    };
    each([&](std::size_t, double w, std::size_t at) {
      weights += w;
      out.value += w * posterior_.mean[at];
    });
    out.value /= weights;
    each([&](std::size_t row, double w, std::size_t at) {
      const double squared = data_.schema.frequency_weights ? w : w * w;
      squares += squared;
      out.part[row] = w * (posterior_.mean[at] - out.value) / weights;
      out.posterior_variance += squared * posterior_.variance[at] / (weights * weights);
    });
    out.rows = weights * weights / squares;
    return out;
  }

  template <class Inside>
  [[nodiscard]] GroupMean summarise(const std::string& name, Inside&& inside) const {
    GroupMean group;
    group.group = name;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      core::stop_if_asked();
      if (!counts(row) || !inside(row)) continue;
      ++group.rows;
      group.weight += data_.weight_of(row);
    }
    if (group.rows == 0) return group;
    for (std::size_t k = 0; k < components_; ++k) {
      const PartialMean mean = mean_of(inside, k);
      const double error = std::sqrt(design_.variance(mean.part) + mean.posterior_variance);
      group.mean.push_back(wilson(mean, error));
      group.posterior_error.push_back(std::sqrt(mean.posterior_variance));
    }
    return group;
  }

  template <class Inside>
  void add_differences(Inside&& inside, GroupMean& group) const {
    for (std::size_t k = 0; k < components_; ++k) {
      PartialMean here = mean_of(inside, k);
      const PartialMean rest = mean_of([&](std::size_t row) { return !inside(row); }, k);
      const double error_here = std::sqrt(design_.variance(here.part) + here.posterior_variance);
      const double error_rest = std::sqrt(design_.variance(rest.part) + rest.posterior_variance);
      const IntervalEstimate one = wilson(here, error_here), other = wilson(rest, error_rest);
      const bool near_an_edge = few(here) || few(rest);
      for (std::size_t row = 0; row < data_.rows; ++row) here.part[row] -= rest.part[row];
      const double value = here.value - rest.value;
      const double error = std::sqrt(design_.variance(here.part) + here.posterior_variance +
                                     rest.posterior_variance);
      double down = quantile() * error, up = down;
      if (near_an_edge) {
        down = std::max(down, std::hypot(one.value - one.low, other.high - other.value));
        up = std::max(up, std::hypot(one.high - one.value, other.value - other.low));
      }
      group.difference.push_back(
          {value, error, std::max(-1.0, value - down), std::min(1.0, value + up)});
    }
  }

  [[nodiscard]] double quantile() const {
    return math::student_quantile((1 + level_) / 2, design_.degrees_of_freedom());
  }

  // Rows' worth of membership on the smaller side; below kEnough errors are not to be trusted.
  static constexpr double kEnough = 5;
  [[nodiscard]] static double smaller_side(const PartialMean& mean) {
    return mean.rows * std::min(mean.value, 1 - mean.value);
  }
  [[nodiscard]] static bool few(const PartialMean& mean) { return smaller_side(mean) < kEnough; }

  // Wilson's interval for as many rows as would give yes/no answers this error,
  // n = mu (1 - mu) / error^2. A few rows whose memberships are all near 0 (or 1) cannot tell that
  // no other row is different: towards the edge n goes down to the number of rows.
  [[nodiscard]] IntervalEstimate wilson(const PartialMean& mean, double error) const {
    constexpr double kMostRows = 1e12, kUnknown = std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(error)) return {mean.value, error, kUnknown, kUnknown};
    const double mu = std::clamp(mean.value, 0.0, 1.0), spread = mu * (1 - mu);
    double n = spread > kMostRows * error * error ? kMostRows : spread / (error * error);
    if (!(error > 0)) n = kMostRows;
    if (n > mean.rows) {
      const double trust = std::clamp((smaller_side(mean) - 1) / (kEnough - 1), 0.0, 1.0);
      n = std::pow(n, trust) * std::pow(mean.rows, 1 - trust);
    }
    const double z = quantile(), z2 = z * z;
    const double centre = (mu + z2 / (2 * n)) / (1 + z2 / n);
    const double reach = z * std::sqrt(spread / n + z2 / (4 * n * n)) / (1 + z2 / n);
    return {mean.value, error, std::clamp(std::min(centre - reach, at_least(n * mu, n)), 0.0, mu),
            std::clamp(std::max(centre + reach, 1 - at_least(n * (1 - mu), n)), mu, 1.0)};
  }

  // Where only one to five of n rows are on a side, Wilson's limit of that side lies too far inside
  // (a mean of 0.15 / n is held 86 times of 100). Theirs is the mean that gives as many rows or
  // more with the whole probability of an error.
  [[nodiscard]] double at_least(double on_it, double n) const {
    if (!(on_it > 0) || on_it >= kEnough) return 1;
    return math::beta_quantile(on_it, n - on_it + 1, 1 - level_);
  }

  // Var E[theta | x] over that plus E Var[theta | x].
  [[nodiscard]] double reliability(std::size_t k) const {
    double weights = 0, mean = 0, square = 0, hidden = 0;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      core::stop_if_asked();
      if (!counts(row)) continue;
      const double w = data_.weight_of(row), e = posterior_.mean[row * components_ + k];
      weights += w;
      mean += w * e;
      square += w * e * e;
      hidden += w * posterior_.variance[row * components_ + k];
    }
    const double revealed = std::max(0.0, square / weights - mean / weights * mean / weights);
    const double total = revealed + hidden / weights;
    return total > 0 ? revealed / total : 1.0;
  }

  const Dataset& data_;
  const KeptColumn& by_;
  double level_;
  std::size_t components_;
  SurveyDesign design_;
  const MembershipPosteriors& posterior_;
};

}  // namespace
}  // namespace evaluation

GroupMeans group_means(const Model& model, const Dataset& data, const GroupOptions& options,
                       const Hooks& hooks) {
  const core::Task task(hooks);
  return group_means(model, data, options, {options.by}).front();
}

std::vector<GroupMeans> group_means(const Model& model, const Dataset& data,
                                    const GroupOptions& options,
                                    const std::vector<std::string>& columns, const Hooks& hooks) {
  const core::Task task(hooks);
  std::vector<const KeptColumn*> by;
  for (const std::string& column : columns) {
    by.push_back(data.kept_column(column));
    if (by.back() == nullptr)
      throw InputError(
          {"`by`", "the data has no column \"" + column + "\"", "name a column of the file"});
  }
  if (!(options.level > 0 && options.level < 1))
    throw InputError({"`level`", "must lie between 0 and 1", "for example 0.95"});
  const evaluation::MembershipPosteriors posterior =
      evaluation::membership_posteriors(model::ModelOnData(model, data), data, {}, options.threads);
  std::vector<GroupMeans> out;
  for (const KeptColumn* column : by)
    out.push_back(evaluation::Grouper(posterior, data, options, *column).run());
  return out;
}

}  // namespace medley
