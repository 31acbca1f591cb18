// SPDX-License-Identifier: Apache-2.0
#include "engines/build_model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "engines/batch_plan.hpp"
#include "engines/warm_start_membership.hpp"
#include "medley/error.hpp"
#include "model/score_rows.hpp"

namespace medley::engines {
namespace {

// Rows of the same file, or of an earlier one.
void add_weighting(const Weighting& more, Weighting& to) {
  if (more.used()) {
    to.column = more.column;
    to.counts = more.counts;
  }
  to.stands_for += more.stands_for;
  to.cells += more.cells;
}

constexpr std::size_t kRowsAtOnce = 4096;

// What is counted over all rows.
class RowCounts {
 public:
  explicit RowCounts(const StreamToFinish& what) {
    const FitOptions& options = what.resolved.options;
    for (std::size_t b = 0; b < what.like.blocks.size(); ++b) {
      marginals_.emplace_back(what.like, b);
      if (what.before == nullptr) continue;
      const model::ModelBlock& block = what.before->parts().blocks[b];
      // Models that are updated consist of families that can recall: see update.cpp.
      (void)marginals_[b].recall(*block.marginal, block.total,
                                 {options.smoothing.value_or(0), options.shrink.value_or(0)});
    }
  }

  void add(const Dataset& rows) {
    rows_ += rows.rows;
    add_weighting(rows.weighting(), weights_);
    for (std::size_t row = 0; row < rows.rows; ++row) {
      const double observed = rows.observed(row);
      observations_ += rows.weight_of(row) * observed;
      if (observed <= 0) ++empty_;
    }
    for (model::MarginalFit& marginal : marginals_) marginal.add(rows);
  }

  void put_into(FitSummary& summary) const {
    summary.rows += rows_;
    summary.empty_rows += empty_;
    summary.observations += observations_;
    summary.weights = weights_;
  }
  [[nodiscard]] double observations() const { return observations_; }
  [[nodiscard]] double observed_rows() const { return static_cast<double>(rows_ - empty_); }
  [[nodiscard]] Population population(std::size_t block, const FitOptions& options) {
    model::MarginalFit& marginal = marginals_[block];
    return {marginal.take({options.smoothing.value_or(0), options.shrink.value_or(0)}),
            marginal.slot_totals()};
  }

 private:
  std::size_t rows_ = 0, empty_ = 0;
  double observations_ = 0;
  Weighting weights_;
  std::vector<model::MarginalFit> marginals_;
};

// What scored rows add up to.
class SampleScore {
 public:
  explicit SampleScore(std::size_t components) : size_(components, 0.0) {}

  /// Rows that come in runs of the given ranges.
  void add(const Dataset& rows, std::span<const RowRange> runs, const model::ScoredRows& scored) {
    std::size_t row = 0;
    for (const RowRange& run : runs) {
      Run sum;
      for (std::size_t i = run.begin; i < run.end; ++i, ++row) add(rows, row, scored, sum);
      runs_.push_back(sum);
      bound_ += sum.bound;
      observations_ += sum.observations;
    }
    rows_ += row;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] double bound() const { return bound_; }
  /// As if `all` observations were like these; nothing observed: 0.
  [[nodiscard]] double scaled(double all) const {
    return observations_ > 0 ? all * bound_ / observations_ : 0.0;
  }
  /// Of that, the rows being so many in all.
  [[nodiscard]] double error(double all, std::size_t rows) const {
    const auto count = static_cast<double>(runs_.size());
    if (observations_ <= 0 || runs_.size() < 2) return 0;
    double squares = 0;
    for (const Run& run : runs_) {
      const double off = run.bound - bound_ / observations_ * run.observations;
      squares += off * off;
    }
    const double left = 1.0 - static_cast<double>(rows_) / static_cast<double>(rows);
    return all / observations_ * std::sqrt(left * count / (count - 1) * squares);
  }
  [[nodiscard]] std::vector<double> sizes() const {
    std::vector<double> out = size_;
    for (double& size : out)
      size = weight_ > 0 ? size / weight_ : 1.0 / static_cast<double>(out.size());
    return out;
  }

 private:
  struct Run {
    double bound = 0, observations = 0;
  };

  void add(const Dataset& rows, std::size_t row, const model::ScoredRows& scored, Run& run) {
    const double weight = rows.weight_of(row), observed = rows.observed(row);
    run.bound += weight * scored.bound[row];
    run.observations += weight * observed;
    if (observed <= 0) return;
    weight_ += weight;
    for (std::size_t k = 0; k < size_.size(); ++k)
      size_[k] += weight * scored.share[row * size_.size() + k];
  }

  std::size_t rows_ = 0;
  double bound_ = 0, observations_ = 0, weight_ = 0;
  std::vector<double> size_;
  std::vector<Run> runs_;
};

// Ranges cut and gathered into pieces of about kRowsAtOnce rows.
std::vector<std::vector<RowRange>> in_pieces(const std::vector<RowRange>& ranges) {
  std::vector<std::vector<RowRange>> out;
  std::size_t room = 0;
  for (RowRange range : ranges) {
    while (range.begin < range.end) {
      if (room == 0) {
        out.emplace_back();
        room = kRowsAtOnce;
      }
      const std::size_t end = std::min(range.end, range.begin + room);
      out.back().push_back({range.begin, end});
      room -= end - range.begin;
      range.begin = end;
    }
  }
  return out;
}

SampleScore score_some(const StreamToFinish& what, const EmModel& best) {
  for (const auto& family : best.families) {
    family->prepare(best.rows().pooled());
  }
  const auto families = best.family_pointers();
  const model::EStepModel model{families, best.membership.get(), best.inference};
  const FitOptions& options = what.resolved.options;
  SampleScore score(options.components);
  for (const auto& piece : in_pieces(spread_sample(what.rows.rows(), kSampledRows, options.seed))) {
    const Dataset some = what.rows.batch(piece);
    score.add(some, piece, model::score_rows(model, some, options.threads));
  }
  return score;
}

void count_all(const StreamToFinish& what, RowCounts& counts) {
  for (std::size_t at = 0; at < what.rows.rows(); at += kRowsAtOnce) {
    core::stop_if_asked();
    if (at > 0 && what.counted) what.counted(at);
    counts.add(what.rows.batch(at, std::min(what.rows.rows(), at + kRowsAtOnce)));
  }
}

// Puts the finishing touches to the model, scores and counts. Nothing if the fit was interrupted,
// or now is.
struct Looked {
  SampleScore score;
  RowCounts counts;
};
std::optional<Looked> look_at_rows(const StreamToFinish& what, const Finished& finished,
                                   EmModel& best) {
  if (finished.runs.back().termination == Termination::interrupted) return std::nullopt;
  try {
    const std::size_t earlier = what.before == nullptr ? 0 : what.before->summary().rows;
    if (best.membership->located() != nullptr)
      finalize_membership(prepare(what.like, what.resolved.options.threads),
                          static_cast<double>(earlier + what.rows.rows()), best);
    Looked out{score_some(what, best), RowCounts(what)};
    count_all(what, out.counts);
    return out;
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

void summarise_sample(const Looked& looked, std::size_t rows, model::Parts& parts) {
  FitSummary& summary = parts.summary;
  const double observations = looked.counts.observations();
  const bool all = looked.score.rows() == rows;
  summary.bound = all ? looked.score.bound() : looked.score.scaled(observations);
  if (!all) {
    summary.scored_rows = looked.score.rows();
    summary.bound_error = looked.score.error(observations, rows);
  }
  parts.sizes = looked.score.sizes();
}

// What the model was before becomes part of what it is.
void join_earlier(const Model& before, double new_rows, model::Parts& parts) {
  const FitSummary& old = before.summary();
  FitSummary& summary = parts.summary;
  summary.earlier = {old.earlier.updates + 1, old.rows, old.observations};
  const auto old_rows = static_cast<double>(old.rows - old.empty_rows);
  for (std::size_t k = 0; k < parts.sizes.size(); ++k) {
    parts.sizes[k] = (old_rows * before.sizes()[k] + new_rows * parts.sizes[k]) /
                     std::max(old_rows + new_rows, 1.0);
  }
  summary.rows += old.rows;
  summary.empty_rows += old.empty_rows;
  summary.observations += old.observations;
  if (summary.weights.used() && !old.weights.used())
    add_weighting({"", false, static_cast<double>(old.rows), old.observations}, summary.weights);
  add_weighting(old.weights, summary.weights);
  parts.names = before.names();
}

}  // namespace

std::shared_ptr<model::Parts> build_streamed_model(const StreamToFinish& what, EmModel best,
                                                   const Finished& finished) {
  const FitOptions& options = what.resolved.options;
  const bool exact = best.rows().exact, leave_one_out = best.inference->leave_one_out;
  // What is reported is of the means of the tables, as all later uses of the model are.
  std::vector<std::vector<double>> strengths;
  for (const auto& family : best.families) strengths.push_back(family->take_strengths());
  std::optional<Looked> looked = look_at_rows(what, finished, best);
  const core::Unstoppable short_work;
  const bool scored = looked.has_value();
  if (!scored) {
    looked.emplace(Looked{SampleScore(options.components), RowCounts(what)});
    looked->counts.add(what.like);
  }
  RowCounts& counts = looked->counts;
  std::vector<Population> populations;
  for (std::size_t b = 0; b < what.like.blocks.size(); ++b)
    populations.push_back(counts.population(b, options));
  std::vector<double> each = std::move(best.each);
  auto parts = assemble(what.resolved, what.like, std::move(best), std::move(populations));
  for (std::size_t b = 0; b < strengths.size(); ++b)
    parts->blocks[b].strengths = std::move(strengths[b]);
  FitSummary& summary = parts->summary;
  summarise_runs(finished, summary);
  summary.steps = summary.iterations;
  summary.exact = exact;
  summary.leave_one_out = leave_one_out;
  summary.smoothing = std::move(each);
  summary.why_inference = what.resolved.why;
  counts.put_into(summary);
  if (scored) {
    summarise_sample(*looked, what.rows.rows(), *parts);
  } else {
    summary.termination = Termination::interrupted;
    leave_unscored(*parts);
    if (!what.begun) take_marginals(parts->blocks);
  }
  if (what.before != nullptr) {
    join_earlier(*what.before, counts.observed_rows(), *parts);
  } else {
    number_components(*parts);
  }
  warn(finished.runs[finished.best], *parts);
  return parts;
}

}  // namespace medley::engines
