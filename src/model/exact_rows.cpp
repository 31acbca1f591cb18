// SPDX-License-Identifier: Apache-2.0
#include "model/exact_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "data/distinct.hpp"
#include "kernels/lanes.hpp"
#include "kernels/lattice.hpp"
#include "math/count_lattice.hpp"
#include "medley/error.hpp"
#include "model/exact_estep.hpp"
#include "model/exact_plan.hpp"

namespace medley::model {
namespace {

using kernels::kLanes;

constexpr double kMostLatticeBytes = 1e9;
// Below this many steps rows are solved one by one, so that the last bit of a row's score does not
// depend on other rows.
constexpr double kAloneSteps = 2e8;
constexpr std::size_t kDeepest = 10'000;  // counts are 16 bits wide
// Number of layers between two checks of how small the numbers have become.
constexpr std::size_t kRescaleEvery = 16;

// Up to kLanes rows of one size, side by side.
class Batch {
 public:
  Batch(const EStepModel& model, const Dataset& data, const math::CountLattice& lattice)
      : model_(model),
        data_(data),
        lattice_(lattice),
        components_(lattice.components()),
        padded_(kernels::padded(components_)),
        alpha_(model.membership->parameters()),
        alpha_sum_(std::accumulate(alpha_.begin(), alpha_.end(), 0.0)) {}

  // Goes through all layers; score() and counts() then read the last one.
  void solve(std::span<const std::size_t> rows, std::size_t size) {
    gather(rows, size);
    before_.assign(kLanes, 1.0);
    std::vector<double> u(components_ * kLanes);
    for (std::size_t o = 0; o < size; ++o) {
      const double inverse = 1.0 / (alpha_sum_ + static_cast<double>(o));
      const double* l = likelihood_.data() + o * components_ * kLanes;
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = l[i] * inverse;
      after_.assign(lattice_.size(o + 1) * kLanes, 0.0);
      kernels::lattice_forward({lattice_.next(o).data(), lattice_.counts(o).data(),
                                lattice_.size(o), components_, alpha_.data()},
                               u.data(), before_.data(), after_.data());
      before_.swap(after_);
      if ((o + 1) % kRescaleEvery == 0) rescale();
    }
  }

  void score(std::size_t row, std::size_t lane, std::size_t size, ScoredRows& into) const {
    std::vector<double> expected(components_, 0.0);
    double p = 0;
    const auto counts = lattice_.counts(size);
    for (std::size_t n = 0; n < lattice_.size(size); ++n) {
      const double joint = before_[n * kLanes + lane];
      p += joint;
      for (std::size_t k = 0; k < components_; ++k)
        expected[k] += joint * static_cast<double>(counts[n * components_ + k]);
    }
    into.bound[row] = std::log(p) + log_scale_[lane];
    for (std::size_t k = 0; k < components_; ++k) {
      into.share[row * components_ + k] =
          (alpha_[k] + expected[k] / p) / (alpha_sum_ + static_cast<double>(size));
    }
  }

  // p(n_k = j | x) of one row: K x (size + 1).
  [[nodiscard]] std::vector<double> counts(std::size_t lane, std::size_t size) const {
    std::vector<double> probability(components_ * (size + 1), 0.0);
    double p = 0;
    const auto counts = lattice_.counts(size);
    for (std::size_t n = 0; n < lattice_.size(size); ++n) {
      const double joint = before_[n * kLanes + lane];
      p += joint;
      for (std::size_t k = 0; k < components_; ++k)
        probability[k * (size + 1) + counts[n * components_ + k]] += joint;
    }
    for (double& value : probability) value /= p;
    return probability;
  }

  // E[f(n) | x] of every row of the batch; f is the same for all of them, so it is called once per
  // n.
  void expect(std::span<const std::size_t> rows, std::size_t size, const OfCounts& f,
              std::size_t width, std::vector<double>& into) const {
    std::vector<double> value(width), p(rows.size(), 0.0);
    const auto counts = lattice_.counts(size);
    for (std::size_t n = 0; n < lattice_.size(size); ++n) {
      f(counts.subspan(n * components_, components_), size, value);
      for (std::size_t lane = 0; lane < rows.size(); ++lane) {
        const double joint = before_[n * kLanes + lane];
        p[lane] += joint;
        for (std::size_t i = 0; i < width; ++i) into[rows[lane] * width + i] += joint * value[i];
      }
    }
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      for (std::size_t i = 0; i < width; ++i) into[rows[lane] * width + i] /= p[lane];
    }
  }

 private:
  // likelihood_[o][k][lane]: every observation of every row, repeated ones as often as they occur.
  void gather(std::span<const std::size_t> rows, std::size_t size) {
    likelihood_.assign(size * components_ * kLanes, 0.0);
    log_scale_.assign(kLanes, 0.0);
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      std::size_t o = 0;
      for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
        const Block& block = data_.blocks[b];
        const std::uint64_t begin = block.row_start[rows[lane]];
        const std::uint64_t end = block.row_start[rows[lane] + 1];
        rows_.resize((end - begin) * padded_);
        log_scale_[lane] += model_.families[b]->likelihood_rows(block, rows[lane], rows_.data());
        for (std::uint64_t c = begin; c < end; ++c) {
          const double* l = rows_.data() + (c - begin) * padded_;
          for (auto copies = integer_of<std::size_t>(block.weight_of(c)); copies > 0; --copies) {
            for (std::size_t k = 0; k < components_; ++k)
              likelihood_[(o * components_ + k) * kLanes + lane] = l[k];
            ++o;
          }
        }
      }
    }
  }

  // Scales every row's largest number back to between 1/2 and 1.
  void rescale() {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double largest = 0;
      for (std::size_t i = lane; i < before_.size(); i += kLanes)
        largest = std::max(largest, before_[i]);
      if (!(largest > 0)) continue;
      int exponent = 0;
      std::frexp(largest, &exponent);
      const double factor = std::ldexp(1.0, -exponent);
      for (std::size_t i = lane; i < before_.size(); i += kLanes) before_[i] *= factor;
      log_scale_[lane] += exponent * std::log(2.0);
    }
  }

  EStepModel model_;
  const Dataset& data_;
  const math::CountLattice& lattice_;
  std::size_t components_, padded_;
  std::span<const double> alpha_;
  double alpha_sum_;
  std::vector<double> rows_, likelihood_, log_scale_, before_, after_;
};

// Of three passes over every edge a score needs only the first, once for each component.
double score_steps(const ExactPlan& plan) {
  return plan.steps / 3 * static_cast<double>(plan.components);
}

// Rows by their number of observations.
std::map<std::size_t, std::vector<std::size_t>> rows_by_size(const Dataset& data) {
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    groups[integer_of<std::size_t>(data.observed(row))].push_back(row);
  }
  return groups;
}

double one_by_one_steps(const Dataset& data, std::size_t components) {
  double steps = 0;
  for (const auto& [size, rows] : rows_by_size(data)) {
    steps += static_cast<double>(components) * static_cast<double>(rows.size()) *
             math::CountLattice::nodes(components, size);
  }
  return steps;
}

// Solves every row and calls use(batch, rows, size) for up to kLanes rows of one size at a time,
// from several threads at once.
template <class Use>
void solve_all(const EStepModel& model, const Dataset& data, std::size_t threads, Use&& use) {
  const auto groups = rows_by_size(data);
  const math::CountLattice lattice(model.membership->components(),
                                   groups.empty() ? 0 : groups.rbegin()->first);
  struct Piece {
    std::size_t size;
    std::span<const std::size_t> rows;
  };
  std::vector<Piece> pieces;
  for (const auto& [size, rows] : groups) {
    for (std::size_t at = 0; at < rows.size(); at += kLanes)
      pieces.push_back({size, std::span(rows).subspan(at, std::min(kLanes, rows.size() - at))});
  }
  std::vector<std::unique_ptr<Batch>> batches(core::thread_count(threads));
  core::Stage stage("scoring rows", data.rows);
  core::parallel_for(pieces.size(), batches.size(), [&](std::size_t piece, std::size_t worker) {
    if (!batches[worker]) batches[worker] = std::make_unique<Batch>(model, data, lattice);
    const auto [size, rows] = pieces[piece];
    batches[worker]->solve(rows, size);
    use(*batches[worker], rows, size);
    stage.add(rows.size());
  });
}

// For few rows, or rows that are too long to share anything.
ScoredRows score_one_by_one(const EStepModel& model, const Dataset& data, std::size_t threads) {
  const std::size_t components = model.membership->components();
  ScoredRows solved{
      std::vector<double>(data.rows), std::vector<double>(data.rows * components), {}};
  solve_all(model, data, threads,
            [&](const Batch& batch, std::span<const std::size_t> rows, std::size_t size) {
              for (std::size_t lane = 0; lane < rows.size(); ++lane)
                batch.score(rows[lane], lane, size, solved);
            });
  return solved;
}

std::vector<double> distinct_log_likelihoods(const EStepModel& model, const Dataset& data,
                                             std::size_t threads) {
  const std::size_t components = model.membership->components();
  if (one_by_one_steps(data, components) > kAloneSteps) {
    const ExactPlan plan = plan_exact(data, components, std::numeric_limits<double>::infinity());
    if (plan.objection.empty()) return ExactEStep(plan, data, threads).log_likelihoods(model);
  }
  return score_one_by_one(model, data, threads).bound;
}

}  // namespace

bool ExactCost::affordable(double most_steps) const {
  return steps <= most_steps && bytes <= kMostLatticeBytes;
}

ExactCost exact_cost(const Dataset& data, std::size_t components) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (!data::whole_weights(data)) return {kNever, kNever};
  const data::DistinctRows distinct = data::distinct_rows(data);
  ExactCost cost{one_by_one_steps(distinct.data, components), 0};
  const auto groups = rows_by_size(distinct.data);
  const std::size_t deepest = groups.empty() ? 0 : groups.rbegin()->first;
  if (deepest > kDeepest) return {kNever, kNever};
  if (cost.steps > kQuickSteps) {  // then it is worth knowing how much the rows share
    const ExactPlan plan = plan_exact(distinct.data, components, 0.0);
    if (plan.objection.empty()) return {score_steps(plan), plan.bytes};
  }
  const double nodes = math::CountLattice::nodes(components, deepest);
  cost.bytes = nodes * static_cast<double>(6 * components) +
               nodes * static_cast<double>(2 * kLanes * sizeof(double));
  return cost;
}

bool scores_exactly(const EStepModel& model, const Dataset& data) {
  if (model.rows().by_fixed_point) return model.rows().exact;
  return exact_cost(data, model.membership->components()).affordable(kPatientSteps);
}

ScoredRows score_by_mode(const EStepModel& model, const Dataset& data, std::size_t threads,
                         Keep keep) {
  const bool variational = model.rows().by_fixed_point;
  if (variational || !scores_exactly(model, data)) return score_rows(model, data, threads, keep);
  ScoredRows out = score_exactly(model, data, threads);
  if (keep == Keep::shares_and_states) out.state = score_rows(model, data, threads, keep).state;
  return out;
}

std::vector<double> exact_log_likelihoods(const EStepModel& model, const Dataset& data,
                                          std::size_t threads) {
  const data::DistinctRows distinct = data::distinct_rows(data);
  const std::vector<double> each = distinct_log_likelihoods(model, distinct.data, threads);
  std::vector<double> all;
  all.reserve(data.rows);
  for (const std::uint32_t pattern : distinct.pattern) all.push_back(each[pattern]);
  return all;
}

ScoredRows score_exactly(const EStepModel& model, const Dataset& data, std::size_t threads) {
  const data::DistinctRows distinct = data::distinct_rows(data);
  const std::size_t components = model.membership->components();
  if (one_by_one_steps(distinct.data, components) <= kAloneSteps)
    return unfold(score_one_by_one(model, distinct.data, threads), distinct, components);
  const ExactPlan plan =
      plan_exact(distinct.data, components, std::numeric_limits<double>::infinity());
  if (plan.objection.empty()) {
    ExactEStep estep(plan, distinct.data, threads);
    return unfold(estep.score(model), distinct, components);
  }
  return unfold(score_one_by_one(model, distinct.data, threads), distinct, components);
}

void visit_counts(const EStepModel& model, const Dataset& data, std::size_t threads,
                  const VisitCounts& visit) {
  solve_all(model, data, threads,
            [&](const Batch& batch, std::span<const std::size_t> rows, std::size_t size) {
              for (std::size_t lane = 0; lane < rows.size(); ++lane)
                visit(rows[lane], size, batch.counts(lane, size));
            });
}

std::vector<double> expect_of_counts(const EStepModel& model, const Dataset& data,
                                     std::size_t threads, std::size_t width, const OfCounts& f) {
  const data::DistinctRows distinct = data::distinct_rows(data);
  std::vector<double> each(distinct.data.rows * width, 0.0);
  solve_all(model, distinct.data, threads,
            [&](const Batch& batch, std::span<const std::size_t> rows, std::size_t size) {
              batch.expect(rows, size, f, width, each);
            });
  std::vector<double> all;
  all.reserve(data.rows * width);
  for (const std::uint32_t pattern : distinct.pattern) {
    const auto begin = each.begin() + static_cast<std::ptrdiff_t>(pattern * width);
    all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return all;
}

}  // namespace medley::model
