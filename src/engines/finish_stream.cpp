// SPDX-License-Identifier: Apache-2.0
#include "engines/finish_stream.hpp"

#include <algorithm>

#include "model/exact_rows.hpp"
#include "model/marginal.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kAtOnce = 4096;

// What is known of the rows so far.
class RowSums {
 public:
  RowSums(const Dataset& like, std::size_t components) : size_(components, 0.0) {
    for (std::size_t b = 0; b < like.blocks.size(); ++b) marginals_.emplace_back(like, b);
  }

  void add(const Dataset& rows, const model::ScoredRows& scored, FitSummary& summary) {
    const std::size_t components = size_.size();
    summary.rows += rows.rows;
    for (std::size_t row = 0; row < rows.rows; ++row) {
      const double weight = rows.weight_of(row);
      const double observed = rows.observed(row);
      summary.observations += weight * observed;
      summary.bound += weight * scored.bound[row];
      if (observed <= 0) {
        ++summary.empty_rows;
        continue;
      }
      weight_ += weight;
      for (std::size_t k = 0; k < components; ++k)
        size_[k] += weight * scored.share[row * components + k];
    }
    for (model::MarginalFit& marginal : marginals_) marginal.add(rows);
  }

  [[nodiscard]] std::vector<double> sizes() const {
    std::vector<double> out = size_;
    for (double& size : out)
      size = weight_ > 0 ? size / weight_ : 1.0 / static_cast<double>(out.size());
    return out;
  }
  [[nodiscard]] model::MarginalFit& marginal(std::size_t block) { return marginals_[block]; }

 private:
  std::vector<double> size_;
  double weight_ = 0;
  std::vector<model::MarginalFit> marginals_;
};

void summarise_course(const Finished& finished, FitSummary& summary) {
  const Course& course = finished.courses[finished.best];
  for (const Course& c : finished.courses) summary.restarts.push_back({c.bound, c.termination});
  summary.termination = course.termination;
  summary.iterations = course.iterations();
  summary.best_restart = finished.best;
  summary.penalised_bound = course.bound.empty() ? 0.0 : course.bound.back();
}

}  // namespace

std::shared_ptr<model::Parts> finish_stream(const RowSource& rows, const Dataset& like,
                                            const model::Resolved& resolved, EmModel best,
                                            const Finished& finished,
                                            const std::function<bool(std::size_t)>& go_on) {
  const FitOptions& options = resolved.options;
  auto parts = std::make_shared<model::Parts>();
  FitSummary& summary = parts->summary;
  summarise_course(finished, summary);
  std::vector<std::vector<double>> strengths;
  for (const auto& family : best.families) {
    strengths.push_back(family->take_strengths());
    family->prepare(best.mode->pooling != memberships::Pooling::none);
  }
  const auto families = best.family_pointers();
  const model::EStepModel model{families, best.membership.get(), best.mode};
  RowSums sums(like, options.components);
  summary.exact = best.mode->exact;
  for (std::size_t at = 0; at < rows.rows(); at += kAtOnce) {
    if (at > 0 && !go_on(at)) {
      summary.termination = Termination::interrupted;
      break;
    }
    const Dataset some = rows.batch(at, std::min(rows.rows(), at + kAtOnce));
    sums.add(some, model::score_rows(model, some, options.threads), summary);
  }
  parts->schema = like.schema;
  parts->options = options;
  parts->names.resize(options.components);
  parts->sizes = sums.sizes();
  parts->membership = std::move(best.membership);
  for (std::size_t b = 0; b < like.blocks.size(); ++b) {
    parts->blocks.push_back({like.blocks[b].shape(), std::move(best.families[b]),
                             sums.marginal(b).take({options.smoothing, options.shrink}),
                             sums.marginal(b).slot_totals(), std::move(strengths[b])});
  }
  summary.why_inference = resolved.why;
  order_by_size(*parts);
  warn(finished.courses[finished.best], *parts);
  return parts;
}

}  // namespace medley::engines
