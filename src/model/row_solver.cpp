// SPDX-License-Identifier: Apache-2.0
#include "model/row_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/digamma_sweeps.hpp"
#include "kernels/lanes.hpp"
#include "kernels/pass.hpp"
#include "kernels/special_vectors.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"

namespace medley::model {

using memberships::Cells;
using memberships::kLeastNorm;
using memberships::Limits;
using memberships::Pooling;

namespace {

// From this many components on (padded), rows may continue with only the active ones.
constexpr std::size_t kActiveFrom = 32;

// Makes room for that many; existing values stay.
template <class T>
void make_room(core::AlignedVector<T>& in, std::size_t count) {
  if (in.size() < count) in.resize(count);
}

}  // namespace

bool narrow(const EStepModel& model) {
  return !model.rows().pooled() && model.head == nullptr &&
         std::ranges::all_of(model.families,
                             [](const auto* family) { return family->float_rows() != nullptr; });
}

RowSolver::RowSolver(const EStepModel& model, const Dataset& data)
    : model_(model),
      data_(data),
      components_(model.membership->components()),
      padded_(kernels::padded(components_)),
      all_narrow_(model::narrow(model)),
      first_(data.blocks.size() + 1, 0),
      scratch_f_(memberships::kScratch * padded_),
      scratch_d_(memberships::kScratch * padded_),
      columns_(2 * padded_),
      log_weights_(components_),
      offset_(components_, 0.0),
      full_weights_(components_),
      held_(components_),
      e_(padded_) {}

void RowSolver::lay_out(std::size_t row) {
  row_ = row;
  total_ = 0;
  label_ = model_.head == nullptr || model_.label.empty() ? -1 : model_.label[row];
  label_rest_ = 0;
  exceptional_.clear();
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    const Block& block = data_.blocks[b];
    first_[b + 1] = first_[b] + (block.row_start[row + 1] - block.row_start[row]);
    if (pooled()) {
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
        total_ += static_cast<double>(block.weight_of(c));
    } else {
      lay_out_weights(block, row, first_[b]);
    }
  }
  count_ = first_.back();
}

// For one block, whose cells begin at `place` among those of the row.
void RowSolver::lay_out_weights(const Block& block, std::size_t row, std::size_t place) {
  const std::uint64_t begin = block.row_start[row], end = block.row_start[row + 1];
  make_room(weight_d_, place + (end - begin));
  make_room(weight_f_, place + (end - begin));
  for (std::uint64_t c = begin; c < end; ++c, ++place) {
    weight_f_[place] = block.weight_of(c);
    weight_d_[place] = static_cast<double>(weight_f_[place]);
    total_ += weight_d_[place];
  }
}

double RowSolver::solve(std::size_t row, const Limits& limits, Precision precision,
                        std::span<double> state) {
  lay_out(row);
  if (total_ <= 0) {  // nothing observed: the prior's membership, and nothing to explain
    count_ = 0;
    label_ = -1;
    model_.membership->start(0, state);
    const double rest = model_.membership->log_weights(state, log_weights_);
    std::fill(e_.begin(), e_.end(), 0.0);
    return model_.membership->entry().empty_rows_informative ? rest : 0.0;
  }
  if (labelled()) {
    renew_offset(state);
  } else {
    std::fill(offset_.begin(), offset_.end(), 0.0);
  }
  const double bound =
      pooled() ? solve_pooled(row, limits, state) : solve_cells(row, limits, precision, state);
  return bound - model_.membership->constant(total_);
}

// Single membership has one pseudo-observation of weight 1, whatever the size of the row.
void RowSolver::renew_offset(std::span<const double> state) {
  model_.membership->held(state, held_);
  xi_ = model_.head->xi(held_);
  const double m = model_.rows().pooling == Pooling::sum ? 1.0 : total_;
  label_rest_ = model_.head->offset(static_cast<std::size_t>(label_), m, xi_, offset_);
}

// Runs the row to convergence by `step`, which repeats the membership's pass within given limits.
// An offset that depends on the row is recomputed after every pass.
template <class Step>
bool RowSolver::settle(const Limits& limits, std::span<double> state, Step&& step) {
  if (!labelled() || !model_.head->follows_row()) return step(limits, state);
  std::vector<double> before(components_);
  for (std::size_t sweep = 0; sweep < limits.max_sweeps; ++sweep) {
    std::copy(state.begin(), state.end(), before.begin());
    if (!step(Limits{0, 1}, state)) return false;
    renew_offset(state);
    double change = 0;
    for (std::size_t k = 0; k < components_; ++k)
      change = std::max(change, std::abs(state[k] - before[k]));
    if (change < limits.tolerance * std::max(1.0, total_)) break;
  }
  return true;
}

template <class T>
double RowSolver::gather(std::size_t row, core::AlignedVector<T>& rows) {
  make_room(rows, count_ * padded_);
  double log_scale = 0;
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    T* const out = rows.data() + first_[b] * padded_;
    if constexpr (std::is_same_v<T, float>) {
      log_scale += model_.families[b]->float_rows()->float_rows(data_.blocks[b], row, out);
    } else {
      log_scale += model_.families[b]->likelihood_rows(data_.blocks[b], row, out);
    }
  }
  return log_scale;
}

void RowSolver::gather_logs(std::size_t row) {
  log_rows_.resize(count_ * padded_);
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    model_.families[b]->log_rows(data_.blocks[b], row, log_rows_.data() + first_[b] * padded_);
  }
}

template <class T>
Cells<T> RowSolver::cells(core::AlignedVector<T>& rows, core::AlignedVector<T>& norm,
                          core::AlignedVector<T>& weight, core::AlignedVector<T>& scratch) {
  make_room(norm, count_);
  Cells<T> out{rows.data(), weight.data(), count_,         padded_,
               total_,      norm.data(),   scratch.data(), labelled() ? offset_.data() : nullptr};
  if constexpr (std::is_same_v<T, float>) {
    if (padded_ >= kActiveFrom) {
      make_room(room_, kernels::sweep_room(count_, padded_));
      out.room = room_.data();
      out.columns = columns_.data();
    }
  }
  return out;
}

void RowSolver::round_rows() {
  make_room(rows_f_, count_ * padded_);
  std::copy_n(rows_d_.begin(), count_ * padded_, rows_f_.begin());
}

// The first part in float, where it costs half as much. If that underflows, starts again from the
// documented start.
void RowSolver::approach(std::span<double> state) {
  constexpr Limits kClose{1e-4, 1000};
  round_rows();
  const std::vector<double> start(state.begin(), state.end());
  if (!model_.membership->iterate(cells(rows_f_, norm_f_, weight_f_, scratch_f_), kClose, state))
    std::ranges::copy(start, state.begin());
}

double RowSolver::solve_cells(std::size_t row, const Limits& limits, Precision precision,
                              std::span<double> state) {
  const memberships::Membership& membership = *model_.membership;
  narrow_ = precision == Precision::training && all_narrow_;
  const double log_scale = narrow_ ? gather(row, rows_f_) : gather(row, rows_d_);
  bool settled = false;
  if (precision == Precision::training) {
    if (!narrow_) round_rows();
    const auto passes = cells(rows_f_, norm_f_, weight_f_, scratch_f_);
    settled = settle(limits, state, [&](const Limits& most, std::span<double> now) {
      return membership.iterate(passes, most, now);
    });
  } else {
    if (!labelled()) approach(state);
    const auto passes = cells(rows_d_, norm_d_, weight_d_, scratch_d_);
    settled = settle(limits, state, [&](const Limits& most, std::span<double> now) {
      return membership.iterate(passes, most, now);
    });
  }
  if (!settled) {
    gather_logs(row);
    membership.start(total_, state);
    if (labelled()) renew_offset(state);
    const auto passes = cells(log_rows_, norm_d_, weight_d_, scratch_d_);
    settle(limits, state, [&](const Limits& most, std::span<double> now) {
      membership.iterate_log(passes, most, now);
      return true;
    });
  }
  const double rest = membership.log_weights(state, log_weights_);
  return evaluate_cells(log_scale) + rest + label_rest_;
}

double RowSolver::evaluate_bound(std::size_t row, std::span<const double> state) {
  lay_out(row);
  narrow_ = all_narrow_;
  const double log_scale = narrow_ ? gather(row, rows_f_) : gather(row, rows_d_);
  const double rest = model_.membership->log_weights(state, log_weights_);
  return evaluate_cells(log_scale) + rest - model_.membership->constant(total_);
}

double RowSolver::solve_pooled(std::size_t row, const Limits& limits, std::span<double> state) {
  const memberships::Membership& membership = *model_.membership;
  const bool average = model_.rows().pooling == Pooling::average;
  log_rows_.assign(padded_, 0.0);
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    model_.families[b]->add_log_rows(data_.blocks[b], row, log_rows_.data());
  }
  const double weight = average ? total_ : 1.0;
  for (double& value : log_rows_) value /= average ? total_ : 1.0;
  rows_d_.resize(padded_);
  norm_d_.resize(1);
  kernels::exp_scaled(log_rows_.data(), components_, padded_, rows_d_.data());
  Cells<double> pooled{rows_d_.data(), &weight,          1, padded_, weight,
                       norm_d_.data(), scratch_d_.data()};
  if (labelled()) pooled.offset = offset_.data();
  const bool settled = settle(limits, state, [&](const Limits& most, std::span<double> now) {
    return membership.iterate(pooled, most, now);
  });
  if (!settled) {
    membership.start(total_, state);
    if (labelled()) renew_offset(state);
    Cells<double> logs = pooled;
    logs.rows = log_rows_.data();
    settle(limits, state, [&](const Limits& most, std::span<double> now) {
      membership.iterate_log(logs, most, now);
      return true;
    });
  }
  const double rest = membership.log_weights(state, log_weights_);
  for (std::size_t k = 0; k < components_; ++k) e_[k] = log_weights_[k] + offset_[k] + log_rows_[k];
  return weight * kernels::softmax(e_.data(), components_) + rest + label_rest_;
}

// sum_o w_o log sum_k exp(log_weights_k) l_ok, with the weights scaled by their largest.
double RowSolver::evaluate_cells(double log_scale) {
  for (std::size_t k = 0; k < components_; ++k) full_weights_[k] = log_weights_[k] + offset_[k];
  const double top = kernels::exp_scaled(full_weights_.data(), components_, padded_, e_.data());
  if (narrow_) round_weights();
  make_room(norm_d_, count_);
  double sum = log_scale + top * total_;
  const double least =
      narrow_ ? kernels::norms(rows_f_.data(), count_, padded_, e_.data(), norm_d_.data())
              : kernels::norms(rows_d_.data(), count_, padded_, e_.data(), norm_d_.data());
  if (least < kLeastNorm) {
    gather_logs(row_);
    for (std::size_t o = 0; o < count_; ++o) {
      if (norm_d_[o] < kLeastNorm) sum += judge_exceptional(o, top);
    }
  }
  return sum + kernels::sum_log(norm_d_.data(), weight_d_.data(), count_);
}

// Rounds to what the vectors in float will hold; values too small for a float become 0.
void RowSolver::round_weights() {
  for (double& e : e_)
    e = e < std::numeric_limits<float>::min() ? 0.0 : static_cast<double>(static_cast<float>(e));
}

// Handles a cell whose normaliser underflows in log space; its norm becomes 1 so that it adds
// nothing more.
double RowSolver::judge_exceptional(std::size_t place, double top) {
  const double* log_row = log_rows_.data() + place * padded_;
  std::vector<double> phi(components_);
  for (std::size_t k = 0; k < components_; ++k) phi[k] = full_weights_[k] + log_row[k];
  const double log_norm =
      math::softmax(phi) - top - *std::max_element(log_row, log_row + components_);
  for (double& p : phi) p *= weight_d_[place];
  exceptional_.push_back({place, std::move(phi)});
  norm_d_[place] = 1.0;
  return weight_d_[place] * log_norm;
}

void RowSolver::write_mean(std::span<double> out) const {
  if (pooled()) {
    std::copy_n(e_.begin(), components_, out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  const auto add = [&](std::size_t o, double times) {
    const double coefficient = times * weight_d_[o] / norm_d_[o];
    for (std::size_t k = 0; k < components_; ++k) {
      const std::size_t at = o * padded_ + k;
      out[k] += coefficient * (narrow_ ? static_cast<double>(rows_f_[at]) : rows_d_[at]) * e_[k];
    }
  };
  for (std::size_t o = 0; o < count_; ++o) add(o, 1);
  for (const Exceptional& cell : exceptional_) {
    add(cell.place, -1);
    for (std::size_t k = 0; k < components_; ++k) out[k] += cell.responsibility[k];
  }
  for (double& mean : out) mean /= total_;
}

void RowSolver::write_vector(double* out) const {
  std::copy(e_.begin(), e_.end(), out);
}

void RowSolver::write_vector(float* out) const {
  for (std::size_t k = 0; k < padded_; ++k) out[k] = static_cast<float>(e_[k]);
}

void RowSolver::write_coefficients(std::size_t block, double row_weight, double* out) const {
  if (pooled()) {
    const Block& cells = data_.blocks[block];
    for (std::uint64_t c = cells.row_start[row_]; c < cells.row_start[row_ + 1]; ++c)
      *out++ = row_weight * static_cast<double>(cells.weight_of(c));
    return;
  }
  for (std::size_t o = first_[block]; o < first_[block + 1]; ++o)
    out[o - first_[block]] = count_ == 0 ? 0.0 : row_weight * weight_d_[o] / norm_d_[o];
  for (const Exceptional& e : exceptional_) {
    if (e.place >= first_[block] && e.place < first_[block + 1]) out[e.place - first_[block]] = 0.0;
  }
}

void RowSolver::append_exceptions(std::size_t block, double row_weight,
                                  std::vector<families::ExceptionalCell>& into) const {
  for (const Exceptional& e : exceptional_) {
    if (e.place < first_[block] || e.place >= first_[block + 1]) continue;
    families::ExceptionalCell cell{data_.blocks[block].row_start[row_] + (e.place - first_[block]),
                                   e.responsibility};
    for (double& r : cell.responsibility) r *= row_weight;
    into.push_back(std::move(cell));
  }
}

using kernels::kAbreast;

namespace {

// Up to this many components, solving a row alone would be slower.
constexpr std::size_t kFew = 16;

// The cells of a row, in all blocks.
std::size_t cells_of(const Dataset& data, std::size_t row) {
  std::size_t cells = 0;
  for (const Block& block : data.blocks) cells += block.row_start[row + 1] - block.row_start[row];
  return cells;
}

}  // namespace

bool LaneRowSolver::suit(const EStepModel& model) {
  return model.membership->components() <= kFew && !model.rows().pooled() &&
         model.head == nullptr && model.membership->fixed_point().has_value();
}

LaneRowSolver::LaneRowSolver(const EStepModel& model, const Dataset& data)
    : model_(model),
      data_(data),
      components_(model.membership->components()),
      padded_(kernels::padded(components_)),
      total_{},
      state_(components_ * kAbreast),
      counts_(components_ * kAbreast),
      room_(2 * components_ * kAbreast) {
  const auto fixed_point = model.membership->fixed_point();
  prior_.assign(fixed_point->prior.begin(), fixed_point->prior.end());
  if (!fixed_point->offset.empty()) {
    factor_.resize(components_);
    memberships::offset_factors(fixed_point->offset.data(), components_, factor_.data());
  }
}

// Returns false if the rows differ too much in length.
bool LaneRowSolver::lay_out(std::size_t first, std::size_t end) {
  constexpr std::size_t kLeastFull = 2;  // at least one of so many cells is to be there
  longest_ = 0;
  std::size_t all = 0;
  for (std::size_t row = first; row < end; ++row) {
    const std::size_t cells = cells_of(data_, row);
    longest_ = std::max(longest_, cells);
    all += cells;
  }
  if (all * kLeastFull < longest_ * kAbreast) return false;
  rows_.resize(std::max(rows_.size(), longest_ * components_ * kAbreast));
  weight_.assign(longest_ * kAbreast, 0.0F);
  row_.resize(std::max(row_.size(), longest_ * padded_));
  return true;
}

void LaneRowSolver::gather(std::size_t row, std::size_t lane) {
  std::size_t o = 0;
  double total = 0;
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    const Block& block = data_.blocks[b];
    model_.families[b]->likelihood_rows(block, row, row_.data() + o * padded_);
    for (std::size_t cell = block.row_start[row]; cell < block.row_start[row + 1]; ++cell, ++o) {
      const double weight = static_cast<double>(block.weight_of(cell));
      weight_[o * kAbreast + lane] = static_cast<float>(weight);
      total += weight;
    }
  }
  total_[lane] = total;
  for (std::size_t cell = 0; cell < o; ++cell) {
    const double* from = row_.data() + cell * padded_;
    float* to = rows_.data() + cell * components_ * kAbreast + lane;
    for (std::size_t k = 0; k < components_; ++k) to[k * kAbreast] = static_cast<float>(from[k]);
  }
}

LaneRowSolver::Left LaneRowSolver::settle(std::size_t first, std::size_t end,
                                          const memberships::Limits& limits,
                                          std::span<double> states) {
  Left left{};
  left.fill(limits.max_sweeps);
  if (!lay_out(first, end)) return left;
  std::fill(state_.begin(), state_.end(), 1.0F);
  std::array<float, kAbreast> enough{}, how{}, sweeps{};
  enough.fill(std::numeric_limits<float>::infinity());  // a lane without a row is soon done
  for (std::size_t lane = 0; lane < end - first; ++lane) {
    const double* state = &states[(first + lane) * components_];
    gather(first + lane, lane);
    for (std::size_t k = 0; k < components_; ++k)
      state_[k * kAbreast + lane] = static_cast<float>(state[k]);
    enough[lane] = static_cast<float>(limits.tolerance * std::max(1.0, total_[lane]));
  }
  kernels::lane_sweeps(
      {rows_.data(), weight_.data(), longest_, components_, prior_.data(),
       factor_.empty() ? nullptr : factor_.data()},
      {enough.data(), limits.max_sweeps, static_cast<float>(memberships::kLeastNorm)},
      {state_.data(), counts_.data(), how.data(), sweeps.data(), room_.data()});
  const auto fixed_point = model_.membership->fixed_point();
  for (std::size_t lane = 0; lane < end - first; ++lane) {
    if (how[lane] == kernels::kUnsound || total_[lane] <= 0) continue;
    left[lane] = 0;
    if (how[lane] == kernels::kMoving)
      left[lane] =
          limits.max_sweeps - std::min(limits.max_sweeps, integer_of<std::size_t>(sweeps[lane]));
    // The prior is added in double, so that a component without counts has exactly the prior.
    for (std::size_t k = 0; k < components_; ++k)
      states[(first + lane) * components_ + k] =
          fixed_point->prior[k] + static_cast<double>(counts_[k * kAbreast + lane]);
  }
  return left;
}

}  // namespace medley::model
