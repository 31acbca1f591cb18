// SPDX-License-Identifier: Apache-2.0
#include "evaluate/membership_posteriors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "data/distinct.hpp"
#include "evaluate/importance.hpp"
#include "evaluate/purposes.hpp"
#include "math/conjugate.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"
#include "medley/uncertainty.hpp"
#include "model/exact_rows.hpp"

namespace medley::evaluation {
namespace {

constexpr std::size_t kRowChunk = 4;

// The posteriors of distinct rows, filled in row by row from several threads.
class Posteriors {
 public:
  Posteriors(const model::ModelOnData& model, const Dataset& data,
             std::span<const double> probabilities, std::size_t threads)
      : model_(model),
        data_(data),
        probabilities_(probabilities),
        threads_(threads),
        components_(model.parts().components()),
        alpha_(model.parts().membership->parameters()) {
    out_.mean.resize(data.rows * components_);
    out_.variance.resize(data.rows * components_);
    out_.quantile.assign(probabilities.size(), std::vector<double>(data.rows * components_));
  }

  void single() {
    out_.mean = model_.score(data_, threads_).share;
    std::ranges::transform(out_.mean, out_.variance.begin(), [](double r) { return r * (1 - r); });
  }

  void exact() {
    const double alpha_sum = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
    model::visit_counts(model_.estep(), data_, threads_,
                        [&](std::size_t row, std::size_t m, std::span<const double> counts) {
                          for (std::size_t k = 0; k < components_; ++k) {
                            note(row * components_ + k, {alpha_[k], alpha_sum - alpha_[k],
                                                         counts.subspan(k * (m + 1), m + 1)});
                          }
                        });
  }

  // One component holds all of every row.
  void certain() {
    std::ranges::fill(out_.mean, 1.0);
    for (std::vector<double>& values : out_.quantile) std::ranges::fill(values, 1.0);
  }

  void sampled(std::uint64_t seed) {
    const model::ScoredRows scored =
        model::score_rows(model_.standard(), data_, threads_, model::Keep::shares_and_states);
    std::vector<double> effective(data_.rows, std::numeric_limits<double>::infinity());
    core::parallel_for(
        (data_.rows + kRowChunk - 1) / kRowChunk, core::thread_count(threads_),
        [&](std::size_t chunk, std::size_t) {
          RowObservations row;
          for (std::size_t i = chunk * kRowChunk; i < std::min(data_.rows, (chunk + 1) * kRowChunk);
               ++i) {
            core::stop_if_asked();
            row.gather(model_.families(), data_, i);
            effective[i] = sample(
                i, draw_memberships(
                       row, alpha_, std::span(scored.state).subspan(i * components_, components_),
                       kPosteriorDraws, core::Rng(seed, purpose(Purpose::posterior), i)));
          }
        });
    out_.estimator = Estimator::importance;
    out_.effective_draws =
        effective.empty() ? 0.0 : *std::min_element(effective.begin(), effective.end());
  }

  // The results of the distinct rows, given to every row.
  MembershipPosteriors unfold(const std::vector<std::uint32_t>& pattern) {
    for (std::vector<double>* values : {&out_.mean, &out_.variance}) spread(pattern, *values);
    for (std::vector<double>& values : out_.quantile) spread(pattern, values);
    return std::move(out_);
  }

 private:
  void note(std::size_t at, const math::BetaMixture& theta) {
    out_.mean[at] = theta.mean();
    out_.variance[at] = theta.variance();
    for (std::size_t q = 0; q < probabilities_.size(); ++q)
      out_.quantile[q][at] = theta.quantile(probabilities_[q]);
  }

  // Returns how many draws of equal weight these are worth.
  double sample(std::size_t row, WeightedDraws draws) {
    std::vector<double>& weight = draws.log_weight;
    math::softmax(weight);
    double squares = 0;
    for (const double w : weight) squares += w * w;
    std::vector<std::size_t> order(weight.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t k = 0; k < components_; ++k) {
      const auto theta = [&](std::size_t draw) { return draws.theta[draw * components_ + k]; };
      const std::size_t at = row * components_ + k;
      for (std::size_t s = 0; s < weight.size(); ++s) out_.mean[at] += weight[s] * theta(s);
      for (std::size_t s = 0; s < weight.size(); ++s) {
        const double off = theta(s) - out_.mean[at];
        out_.variance[at] += weight[s] * off * off;
      }
      if (probabilities_.empty()) continue;
      std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return theta(a) != theta(b) ? theta(a) < theta(b) : a < b;
      });
      for (std::size_t q = 0; q < probabilities_.size(); ++q) {
        double below = 0;
        const auto found = std::ranges::find_if(
            order, [&](std::size_t s) { return (below += weight[s]) >= probabilities_[q]; });
        out_.quantile[q][at] = theta(found == order.end() ? order.back() : *found);
      }
    }
    return 1 / squares;
  }

  void spread(const std::vector<std::uint32_t>& pattern, std::vector<double>& values) const {
    std::vector<double> all;
    all.reserve(pattern.size() * components_);
    for (const std::uint32_t p : pattern)
      for (std::size_t k = 0; k < components_; ++k) all.push_back(values[p * components_ + k]);
    values.swap(all);
  }

  const model::ModelOnData& model_;
  const Dataset& data_;
  std::span<const double> probabilities_;
  std::size_t threads_;
  std::size_t components_;
  std::span<const double> alpha_;
  MembershipPosteriors out_;
};

}  // namespace

MembershipPosteriors membership_posteriors(const model::ModelOnData& model, const Dataset& data,
                                           std::span<const double> probabilities,
                                           std::size_t threads, std::uint64_t seed) {
  const data::DistinctRows distinct = data::distinct_rows(data);
  Posteriors posteriors(model, distinct.data, probabilities, threads);
  if (!model.parts().membership->entry().dirichlet) {
    posteriors.single();
  } else if (model.parts().components() == 1) {
    posteriors.certain();
  } else if (model::exact_cost(data, model.parts().components()).affordable(model::kQuickSteps)) {
    posteriors.exact();
  } else {
    posteriors.sampled(seed);
  }
  return posteriors.unfold(distinct.pattern);
}

}  // namespace medley::evaluation

namespace medley {

MembershipIntervals membership_intervals(const Model& model, const Dataset& data, double level,
                                         std::size_t threads, std::uint64_t seed,
                                         const Hooks& hooks) {
  const core::Task task(hooks);
  if (!(level > 0 && level < 1))
    throw InputError({"`intervals`", "the level must lie between 0 and 1", "for example 0.9"});
  if (!model.parts().membership->entry().dirichlet) {
    throw InputError({"`intervals`",
                      "under single membership a row belongs to one profile; its shares are the "
                      "probabilities of each, and have no intervals",
                      "leave it out, or fit with `membership=\"mixed\"`"});
  }
  const std::array<double, 2> probabilities = {(1 - level) / 2, (1 + level) / 2};
  evaluation::MembershipPosteriors posteriors = evaluation::membership_posteriors(
      model::ModelOnData(model, data), data, probabilities, threads, seed);
  for (double& low : posteriors.quantile[0]) low = low < kNoShare ? 0.0 : low;
  for (double& high : posteriors.quantile[1]) high = high > 1 - kNoShare ? 1.0 : high;
  return {model.components(),
          level,
          posteriors.estimator,
          posteriors.effective_draws,
          std::move(posteriors.quantile[0]),
          std::move(posteriors.quantile[1])};
}

}  // namespace medley
