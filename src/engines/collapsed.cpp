// SPDX-License-Identifier: Apache-2.0
#include "engines/collapsed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "engines/collapsed_rows.hpp"
#include "engines/drawn_alpha.hpp"
#include "engines/registry.hpp"
#include "families/dirichlet_tables.hpp"
#include "kernels/collapsed_sums.hpp"
#include "medley/error.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kGroups = DiagonalCells::kGroups;
// The priors follow the counts after so many sweeps, which are then summed afresh: rounding does
// not add up. The first time is earlier.
constexpr std::size_t kPriorsEvery = 10;
constexpr std::size_t kFirstPriors = 5;
// Of alpha's fixed point each time.
constexpr int kSteps = 3;
// Times the tolerance: what a sweep may move at the end.
constexpr double kMovedPerTolerance = 1000;
// Of over-relaxation, to begin with.
constexpr double kStep = 1.8;
// After so many sweeps none of which moved less than all before, what is above 1 is halved.
constexpr std::size_t kPatience = 20;
// Sweeps between the two corrections of alpha at the end.
constexpr std::size_t kBetween = 10;
// Warm sweeps at the end.
constexpr std::size_t kWarm = 16;

}  // namespace

Collapsed::Collapsed(const EmData& data, EmModel model, std::uint64_t seed)
    : Engine(data, std::move(model)), cells_(*data.data), seed_(seed) {
  for (std::size_t row = 0; row < data.data->rows; ++row) {
    size_.push_back(data.data->observed(row));
    all_cells_ += data.data->weight_of(row) * size_.back();
  }
}

// Not before it is needed: a fit waits while another one finds its start.
void Collapsed::allocate() {
  const std::size_t features = cells_.features();
  phi_.resize(cells_.slot.size(), padded_, half_from_);
  row_count_.resize(data_.data->rows * padded_);
  slot_count_.resize(cells_.slots() * padded_);
  row_present_.resize(row_count_.size());
  slot_present_.resize(slot_count_.size());
  total_.resize(features * padded_);
  own_total_.resize(features * padded_);
  const auto many_shared =
      static_cast<std::size_t>(std::ranges::count(cells_.shared, std::uint8_t{1}));
  group_total_.resize(kGroups * many_shared * padded_);
  std::size_t longest = 0;
  for (const DiagonalCells::Run& run : cells_.runs)
    longest = std::max<std::size_t>(longest, run.count);
  scratch_.assign(kGroups, std::vector<float>(longest + 2 * padded_));
  total_of_.assign(kGroups, {});
  float* next = group_total_.data();
  for (std::size_t p = 0; p < kGroups; ++p) {
    for (std::size_t g = 0; g < features; ++g) {
      total_of_[p].push_back(cells_.shared[g] != 0 ? next : &own_total_[g * padded_]);
      if (cells_.shared[g] != 0) next += padded_;
    }
  }
}

void Collapsed::start_states(const std::vector<double>& shares) {
  shares_ = shares;
}

// phi_ok ~ (alpha_k + m_i share_ik) beta_rk, shares all alike unless a start has given some.
void Collapsed::begin() {
  try {
    deal_cells();
  } catch (const Interrupted&) {
    phi_.clear();
    throw;
  }
  const core::Unstoppable short_work;
  shares_ = {};
  sweeps_ = 0;
  step_ = kStep;
  least_moved_ = 1;
  since_least_ = 0;
  set_priors();
  sum_rows();
  sum_slots();
}

void Collapsed::deal_cells() {
  allocate();
  std::vector<const double*> table(cells_.slots());
  for (std::size_t b = 0; b < model_.families.size(); ++b) {
    for (std::uint32_t s = cells_.first_slot[b]; s < cells_.first_slot[b + 1]; ++s)
      table[s] = &model_.families[b]->parameters()[(s - cells_.first_slot[b]) * padded_];
  }
  const auto alpha = model_.membership->parameters();
  core::parallel_for(kGroups, data_.threads, [&](std::size_t p, std::size_t) {
    std::vector<double> weight(components_, 1.0);
    std::vector<float> phi(padded_, 0.0F);
    for (std::size_t v = 0; v < kGroups; ++v) {
      const std::size_t piece = DiagonalCells::piece(p, v);
      std::size_t cell = cells_.first_cell[piece];
      for (std::size_t r = cells_.first_run[piece]; r < cells_.first_run[piece + 1]; ++r) {
        core::stop_if_asked();
        const DiagonalCells::Run& run = cells_.runs[r];
        for (std::size_t k = 0; k < components_ && !shares_.empty(); ++k)
          weight[k] = alpha[k] + size_[run.row] * shares_[run.row * components_ + k];
        for (std::uint32_t c = 0; c < run.count; ++c, ++cell) {
          const double* beta = table[cells_.slot[cell]];
          double sum = 0;
          for (std::size_t k = 0; k < components_; ++k) sum += weight[k] * beta[k];
          for (std::size_t k = 0; k < components_; ++k)
            phi[k] = static_cast<float>(weight[k] * beta[k] / sum);
          phi_.put(cell, phi.data());
        }
      }
    }
  });
}

void Collapsed::set_priors() {
  slot_prior_.clear();
  prior_sum_.assign(cells_.features(), 0.0);
  for (std::size_t b = 0; b < model_.families.size(); ++b) {
    for (const double eta : model_.families[b]->dirichlet()->slot_priors(model_.smoothing_of(b))) {
      prior_sum_[cells_.simplex[slot_prior_.size()]] += eta;
      slot_prior_.push_back(static_cast<float>(eta));
    }
  }
}

// The cells of a run, the first of which is `cell`; without working memory.
kernels::CollapsedCells Collapsed::of_run(const DiagonalCells::Run& run, std::size_t cell) {
  kernels::CollapsedCells out;
  out.slot = &cells_.slot[cell];
  out.weight = &cells_.weight[cell];
  out.count = run.count;
  phi_.show(cell, out);
  return out;
}

void Collapsed::sum_rows() {
  core::parallel_for(kGroups, data_.threads, [&](std::size_t p, std::size_t) {
    const std::size_t first = cells_.row_groups[p] * padded_;
    const std::size_t many = cells_.row_groups[p + 1] * padded_ - first;
    std::fill_n(row_count_.data() + first, many, 0.0F);
    std::fill_n(row_present_.data() + first, many, 1.0F);
    std::size_t cell = cells_.first_cell[DiagonalCells::piece(p, 0)];
    const std::size_t end = cells_.first_run[DiagonalCells::piece(p, kGroups)];
    for (std::size_t r = cells_.first_run[DiagonalCells::piece(p, 0)]; r < end; ++r) {
      const std::size_t at = cells_.runs[r].row * padded_;
      kernels::sum_row(of_run(cells_.runs[r], cell), padded_, &row_count_[at], &row_present_[at]);
      cell += cells_.runs[r].count;
    }
    for (std::size_t i = first; i < first + many; ++i) row_present_[i] = 1.0F - row_present_[i];
  });
}

void Collapsed::sum_slots() {
  core::parallel_for(kGroups, data_.threads, [&](std::size_t v, std::size_t) {
    const std::size_t first = cells_.slot_groups[v];
    std::vector<double> sum((cells_.slot_groups[v + 1] - first) * padded_, 0.0);
    std::fill_n(slot_present_.data() + first * padded_, sum.size(), 1.0F);
    for (std::size_t p = 0; p < kGroups; ++p) {
      const std::size_t piece = DiagonalCells::piece(p, v);
      std::size_t cell = cells_.first_cell[piece];
      for (std::size_t r = cells_.first_run[piece]; r < cells_.first_run[piece + 1]; ++r) {
        kernels::sum_slots(of_run(cells_.runs[r], cell), data_.data->weight_of(cells_.runs[r].row),
                           first, padded_, sum.data(), slot_present_.data() + first * padded_);
        cell += cells_.runs[r].count;
      }
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
      slot_count_[first * padded_ + i] = static_cast<float>(sum[i]);
      float& present = slot_present_[first * padded_ + i];
      present = 1.0F - present;
    }
  });
}

// Totals of the counts as they are, in double.
void Collapsed::sum_totals() {
  constexpr float kNever = std::numeric_limits<float>::infinity();
  std::ranges::fill(total_, 0.0);
  for (std::size_t s = 0; s < cells_.slots(); ++s) {
    double* total = &total_[cells_.simplex[s] * padded_];
    for (std::size_t k = 0; k < components_; ++k)
      total[k] += static_cast<double>(slot_count_[s * padded_ + k]);
  }
  for (std::size_t g = 0; g < cells_.features(); ++g) {
    for (std::size_t k = 0; k < padded_; ++k) {
      double& total = total_[g * padded_ + k];
      total = k < components_ ? total + prior_sum_[g] : static_cast<double>(kNever);
      own_total_[g * padded_ + k] = static_cast<float>(total);
    }
  }
}

void Collapsed::open_totals(std::size_t p) {
  for (std::size_t g = 0; g < cells_.features(); ++g) {
    if (cells_.shared[g] == 0) continue;
    std::copy_n(&own_total_[g * padded_], padded_, total_of_[p][g]);
  }
}

// What the row groups have changed comes together, in order.
void Collapsed::close_totals() {
  for (std::size_t g = 0; g < cells_.features(); ++g) {
    if (cells_.shared[g] == 0) continue;
    for (std::size_t k = 0; k < components_; ++k) {
      float& known = own_total_[g * padded_ + k];
      double& total = total_[g * padded_ + k];
      for (std::size_t p = 0; p < kGroups; ++p)
        total += static_cast<double>(total_of_[p][g][k]) - static_cast<double>(known);
      known = static_cast<float>(total);
    }
  }
}

double Collapsed::update_piece(std::size_t p, std::size_t v, bool warm, double& log_sum) {
  const std::size_t piece = DiagonalCells::piece(p, v);
  const auto alpha = model_.membership->parameters();
  double alpha_0 = 0, moved = 0;
  for (const double a : alpha) alpha_0 += a;
  const kernels::CollapsedTables tables{slot_count_.data(), slot_prior_.data(),
                                        cells_.simplex.data(), total_of_[p].data(), padded_};
  float* const held = scratch_[p].data();
  std::size_t cell = cells_.first_cell[piece];
  for (std::size_t r = cells_.first_run[piece]; r < cells_.first_run[piece + 1]; ++r) {
    const DiagonalCells::Run& run = cells_.runs[r];
    float* const count = &row_count_[run.row * padded_];
    for (std::size_t k = 0; k < components_; ++k) held[k] = count[k] + static_cast<float>(alpha[k]);
    const double weight = data_.data->weight_of(run.row);
    kernels::CollapsedCells some = of_run(run, cell);
    some.room = held + padded_;
    some.step = static_cast<float>(step_);
    some.warm = warm;
    const kernels::CollapsedChange change = kernels::update_collapsed(
        some, {held, static_cast<float>(size_[run.row] + alpha_0), static_cast<float>(weight)},
        tables);
    for (std::size_t k = 0; k < components_; ++k) count[k] = held[k] - static_cast<float>(alpha[k]);
    moved += weight * change.moved;
    log_sum += weight * change.log_sum;
    cell += run.count;
  }
  return moved;
}

// Over all cells; returns the leave-one-out log-likelihood. Interrupted, it goes on where it was:
// what was done of it is in sweep_.
double Collapsed::sweep(bool warm) {
  if (!sweep_.begun) {
    sum_totals();
    sweep_ = {};
    sweep_.begun = true;
  }
  for (; sweep_.diagonal < kGroups; ++sweep_.diagonal) {
    core::parallel_for(kGroups, data_.threads, [&](std::size_t p, std::size_t) {
      if (sweep_.done[p] != 0) return;
      open_totals(p);
      double log_sum = 0;
      sweep_.piece_moved[p] = update_piece(p, (p + sweep_.diagonal) % kGroups, warm, log_sum);
      sweep_.piece_log[p] = log_sum;
      sweep_.done[p] = 1;
    });
    close_totals();
    for (std::size_t p = 0; p < kGroups; ++p) {
      sweep_.moved += sweep_.piece_moved[p];
      sweep_.logs += sweep_.piece_log[p];
    }
    sweep_.done.fill(0);
  }
  sweep_.begun = false;
  moved_ = all_cells_ > 0 ? 0.5 * sweep_.moved / (step_ * all_cells_) : 0.0;
  return sweep_.logs;
}

double Collapsed::iterate() {
  if (phi_.empty()) begin();
  const double leave_one_out = sweep(false);
  const core::Unstoppable short_work;
  ++sweeps_;
  watch_step();
  if (sweeps_ % kPriorsEvery == 0 || sweeps_ == kFirstPriors) improve_priors();
  return leave_one_out;
}

// A step of 1 settles; a longer one might not.
void Collapsed::watch_step() {
  if (moved_ < least_moved_) {
    least_moved_ = moved_;
    since_least_ = 0;
  } else if (++since_least_ == kPatience) {
    step_ = 0.5 * (1 + step_);
    since_least_ = 0;
  }
}

// Alpha, sweeps, alpha again, warm sweeps. settled_ counts what is done of it.
void Collapsed::finish_fit() {
  if (phi_.empty() || components_ == 1) return;
  const bool fits_alpha = model_.alpha != AlphaMode::fixed;
  for (; settled_ < 2 + kBetween + kWarm; ++settled_) {
    const bool corrects = settled_ == 0 || settled_ == kBetween + 1;
    const bool warm = settled_ > kBetween + 1;
    if (!warm && !fits_alpha) continue;
    if (corrects) {
      correct_alpha();
    } else {
      sweep(warm);
    }
  }
  const core::Unstoppable short_work;
  sum_rows();
  sum_slots();
}

// To the maximum of the likelihood of rows whose cells have no part in the tables (those of one
// row, where it stands for several): where many words are rare, tables know the rows they were made
// of.
void Collapsed::correct_alpha() {
  sum_rows();
  sum_slots();
  sum_totals();
  std::vector<std::vector<std::size_t>> cells_of(data_.data->rows);
  std::size_t next = 0;
  for (const DiagonalCells::Run& run : cells_.runs) {
    for (std::uint32_t c = 0; c < run.count; ++c) cells_of[run.row].push_back(next++);
  }
  std::vector<float> phi(padded_);
  RowDraws draws(
      *data_.data, components_,
      [&](std::size_t row, RowCells& out) {
        const double own = std::min(1.0, data_.data->weight_of(row));
        for (const std::size_t cell : cells_of[row]) {
          const std::size_t slot = cells_.slot[cell];
          const double* total = &total_[cells_.simplex[slot] * padded_];
          phi_.get(cell, phi.data());
          for (std::size_t k = 0; k < padded_; ++k) {
            const double mine = own * static_cast<double>(cells_.weight[cell] * phi[k]);
            const double rest =
                std::max(0.0, static_cast<double>(slot_count_[slot * padded_ + k]) - mine);
            out.likelihood.push_back(static_cast<float>(
                (rest + static_cast<double>(slot_prior_[slot])) / (total[k] - mine)));
          }
          out.weight.push_back(cells_.weight[cell]);
        }
      },
      seed_);
  model_.membership->set_parameters(
      drawn_alpha(draws, model_.membership->parameters(), model_.alpha, data_.threads));
}

// Counts are summed afresh, and alpha and the smoothing follow them.
void Collapsed::improve_priors() {
  sum_rows();
  sum_slots();
  if (model_.alpha != AlphaMode::fixed && components_ > 1) {
    for (int step = 0; step < kSteps; ++step) improve_alpha();
  }
  if (model_.each.empty()) return;
  counts_to_statistics();
  for (std::size_t b = 0; b < model_.families.size(); ++b) {
    const std::span<double> counts = workspace().table(b);
    const auto present = std::span<const float>(slot_present_)
                             .subspan(cells_.first_slot[b] * padded_, counts.size());
    model_.each[b] = families::better_smoothing(
        {counts, data_.data->blocks[b].first_slot, components_, padded_, present}, model_.each[b]);
  }
  set_priors();
}

// Over fixed groups of rows.
void Collapsed::improve_alpha() {
  std::vector<memberships::PriorStatistics> of_group(kGroups);
  core::parallel_for(kGroups, data_.threads, [&](std::size_t p, std::size_t) {
    of_group[p] = model_.membership->empty_statistics();
    AlphaSums sums(model_.membership->parameters());
    for (std::size_t row = cells_.row_groups[p]; row < cells_.row_groups[p + 1]; ++row) {
      const std::size_t at = row * padded_;
      if (size_[row] > 0)
        sums.add(&row_count_[at], &row_present_[at], size_[row], data_.data->weight_of(row),
                 of_group[p]);
    }
  });
  memberships::PriorStatistics all = model_.membership->empty_statistics();
  for (const memberships::PriorStatistics& part : of_group) add_alpha_sums(part, all);
  model_.membership->maximise(all, model_.alpha);
}

void Collapsed::counts_to_statistics() {
  for (std::size_t b = 0; b < model_.families.size(); ++b) {
    const std::span<double> statistics = workspace().table(b);
    const float* count = &slot_count_[cells_.first_slot[b] * padded_];
    for (std::size_t i = 0; i < statistics.size(); ++i)
      statistics[i] = std::max(0.0, static_cast<double>(count[i]));
  }
}

void Collapsed::flush() {
  if (phi_.empty()) return;
  counts_to_statistics();
  for (std::size_t b = 0; b < model_.families.size(); ++b)
    model_.families[b]->maximise(workspace().table(b), model_.smoothing_of(b));
}

std::optional<bool> Collapsed::arrived(double tolerance) const {
  return moved_ < kMovedPerTolerance * tolerance;
}

void Collapsed::save(core::TensorFile& file, const std::string& prefix) const {
  save_parameters(model_, file, prefix);
  file.put(prefix + "phi", phi_.packed());
  file.put(prefix + "rows", row_count_);
  file.put(prefix + "slots", slot_count_);
  file.put(prefix + "sweeps", std::vector<std::int64_t>{static_cast<std::int64_t>(sweeps_),
                                                        static_cast<std::int64_t>(since_least_)});
  file.put(prefix + "step", std::vector<double>{step_, least_moved_});
  if (phi_.empty()) file.put(prefix + "shares", shares_);
  if (settled_ > 0)
    file.put(prefix + "settled", std::vector<std::int64_t>{static_cast<std::int64_t>(settled_)});
  if (sweep_.begun) save_sweep(file, prefix + "sweep.");
}

// What a sweep that was interrupted has done.
void Collapsed::save_sweep(core::TensorFile& file, const std::string& prefix) const {
  std::vector<std::int64_t> place{static_cast<std::int64_t>(sweep_.diagonal)};
  place.insert(place.end(), sweep_.done.begin(), sweep_.done.end());
  file.put(prefix + "place", std::move(place));
  std::vector<double> sums{sweep_.moved, sweep_.logs};
  sums.insert(sums.end(), sweep_.piece_moved.begin(), sweep_.piece_moved.end());
  sums.insert(sums.end(), sweep_.piece_log.begin(), sweep_.piece_log.end());
  file.put(prefix + "sums", std::move(sums));
  file.put(prefix + "total", total_);
  file.put(prefix + "own_total", own_total_);
  file.put(prefix + "group_total", group_total_);
}

void Collapsed::restore_sweep(const core::TensorFile& file, const std::string& prefix) {
  const auto& place = file.integers(prefix + "place", 1 + kGroups);
  const auto& sums = file.doubles(prefix + "sums", 2 + 2 * kGroups);
  sweep_.begun = true;
  sweep_.diagonal =
      static_cast<std::size_t>(std::clamp<std::int64_t>(place[0], 0, std::int64_t{kGroups}));
  sweep_.moved = sums[0];
  sweep_.logs = sums[1];
  for (std::size_t p = 0; p < kGroups; ++p) {
    sweep_.done[p] = place[1 + p] != 0 ? 1 : 0;
    sweep_.piece_moved[p] = sums[2 + p];
    sweep_.piece_log[p] = sums[2 + kGroups + p];
  }
  total_ = file.doubles(prefix + "total", total_.size());
  own_total_ = file.floats(prefix + "own_total", own_total_.size());
  const auto& groups = file.floats(prefix + "group_total", group_total_.size());
  std::ranges::copy(groups, group_total_.begin());  // others point into it
}

void Collapsed::restore(const core::TensorFile& file, const std::string& prefix) {
  restore_parameters(file, prefix, model_);
  forget();
  if (file.tensors.contains(prefix + "shares")) {  // it had not begun
    shares_ = file.doubles(prefix + "shares");
    if (!shares_.empty()) shares_ = file.doubles(prefix + "shares", data_.data->rows * components_);
    return;
  }
  allocate();
  phi_.restore_packed(file.floats(prefix + "phi", phi_.packed_size()));
  row_count_ = file.floats(prefix + "rows", row_count_.size());
  slot_count_ = file.floats(prefix + "slots", slot_count_.size());
  const auto& sweeps = file.integers(prefix + "sweeps", 2);
  sweeps_ = static_cast<std::size_t>(std::max<std::int64_t>(0, sweeps[0]));
  since_least_ = static_cast<std::size_t>(std::max<std::int64_t>(0, sweeps[1]));
  const auto& step = file.doubles(prefix + "step", 2);
  step_ = step[0];
  least_moved_ = step[1];
  if (file.tensors.contains(prefix + "settled")) {
    const std::int64_t settled = file.integers(prefix + "settled", 1)[0];
    settled_ = static_cast<std::size_t>(std::max<std::int64_t>(0, settled));
  }
  if (file.tensors.contains(prefix + "sweep.place")) restore_sweep(file, prefix + "sweep.");
  set_priors();
}

const EngineEntry collapsed_engine = {
    .inference = &model::collapsed_inference,
    .make = [](const EmData& data, EmModel model, std::uint64_t seed) -> std::unique_ptr<Engine> {
      return std::make_unique<Collapsed>(data, std::move(model), seed);
    },
    .estep = collapsed_rows};

}  // namespace medley::engines
