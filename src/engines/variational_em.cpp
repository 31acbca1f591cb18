// SPDX-License-Identifier: Apache-2.0
#include "engines/variational_em.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "engines/contest.hpp"
#include "engines/fit_head.hpp"
#include "engines/registry.hpp"
#include "engines/warm_start_membership.hpp"
#include "math/dirichlet.hpp"
#include "math/optimise.hpp"
#include "medley/error.hpp"
#include "model/row_solver.hpp"

namespace medley::engines {
namespace {

// Rows per chunk: of the data alone, so that sums have the same order at any thread count. Few rows
// are cut finer, or threads would wait for the last chunk; many not, as each chunk keeps sums.
std::size_t rows_per_chunk(std::size_t rows) {
  constexpr std::size_t kChunks = 256, kFewest = 8, kMost = 64;
  return std::clamp(rows / kChunks, kFewest, kMost);
}

constexpr memberships::Limits kRecalibrationLimits{1e-6, 1000};

}  // namespace

// Some rows, and what their E-step gives.
struct VariationalEm::Chunk {
  std::size_t begin = 0;  // where it would begin if all its rows were here, among all rows
  std::size_t first = 0, end = 0;
  double bound = 0, observations = 0;
  memberships::PriorStatistics prior = {};
  std::vector<std::vector<families::ExceptionalCell>> exceptions = {};  // per block
};

// What one thread works with.
struct VariationalEm::Worker {
  Worker(const model::EStepModel& parts, const Dataset& data) : solver(parts, data) {
    if (model::LaneRowSolver::suit(parts)) abreast.emplace(parts, data);
  }
  model::RowSolver solver;
  std::optional<model::LaneRowSolver> abreast;  // where rows can settle abreast
};

VariationalEm::VariationalEm(const EmData& data, EmModel model, Steps steps)
    : Engine(data, std::move(model)),
      steps_(steps),
      coefficients_(data.data->blocks.size()),
      exceptions_(data.data->blocks.size()) {}

// Not before it is needed: a fit waits while another one finds its start.
void VariationalEm::allocate(bool narrow) {
  narrow_.resize(narrow ? data_.data->rows * padded_ : 0);
  vectors_.resize(narrow ? 0 : data_.data->rows * padded_);
  for (std::size_t b = 0; b < coefficients_.size(); ++b)
    coefficients_[b].resize(data_.data->blocks[b].cells());
  if (model_.head) means_.resize(data_.data->rows * components_);
}

void VariationalEm::forget() {
  state_.clear();
  momentum_.clear();
  asked_ = false;
  penalised_ = growth_ = 0;
}

void VariationalEm::follow(const Schedule& schedule) {
  cold_ = schedule.cold;
  carry_rows_ = false;
  hold_alpha_ = schedule.alpha > 0 ? kHeld : 0;
  if (hold_alpha_ > 0)
    model_.membership->set_parameters(std::vector<double>(components_, schedule.alpha));
  momentum_.clear();
  asked_ = false;
}

// Rows that go on from where they were are held where the first tables put them, and alpha falls
// while the tables are still poor: numbers and ratings end far below what rows begun afresh reach
// (docs/decisions/0027-starts.md). Short rows of answers end higher the warm way. A large alpha at
// first lets rows mix before profiles are told apart, a small one keeps them apart; none is right
// for every table. Cold rows with alpha fitted from the first iteration only show whether cold rows
// are worth it: from then on alpha is held, which ended as high or higher on every table tried.
// Rows begun afresh in every other iteration end as high as in every one, in a quarter less time.
std::vector<Candidate> VariationalEm::candidates() {
  if (is_single() || components_ < 2) return {};
  const auto start = std::make_shared<core::TensorFile>();
  save(*start, "");
  std::vector<Candidate> out;
  const auto add = [&](const char* name, const Schedule& schedule,
                       std::optional<std::size_t> replaces) {
    out.push_back({name,
                   [start, schedule](Engine& engine) {
                     engine.restore(*start, "");
                     static_cast<VariationalEm&>(engine).follow(schedule);
                   },
                   replaces});
  };
  constexpr std::size_t kCold = 1;  // its place in the list
  add("warm", {}, std::nullopt);
  add("cold", {.cold = true}, std::nullopt);
  if (has_alpha() && model_.alpha != AlphaMode::fixed) {
    add("cold (alpha 1)", {.cold = true, .alpha = 1}, kCold);
    add("cold (alpha 0.1)", {.cold = true, .alpha = 0.1}, kCold);
  }
  return out;
}

StartsWanted VariationalEm::starts_wanted() const {
  return is_single() ? StartsWanted{16, 6, 16} : StartsWanted{};
}

bool VariationalEm::is_single() const {
  return model_.membership->entry().sole;
}

bool VariationalEm::has_alpha() const {
  return model_.membership->entry().dirichlet;
}

void VariationalEm::start_states(const std::vector<double>& shares) {
  const Dataset& data = *data_.data;
  const std::size_t size = model_.membership->state_size();
  state_.resize(data.rows * size);
  for (std::size_t row = 0; row < data.rows; ++row) {
    model_.membership->start(data.observed(row),
                             std::span(shares).subspan(row * components_, components_),
                             std::span(state_).subspan(row * size, size));
  }
}

void VariationalEm::finish_fit() {
  core::TensorFile before;
  if (core::may_be_stopped()) save_parameters(model_, before, "");
  std::vector<double> rows = std::move(state_);
  std::vector<std::vector<double>> strengths;
  for (auto& family : model_.families) strengths.push_back(family->take_strengths());
  try {
    use_labels_ = false;
    recalibrate();
    use_labels_ = true;
    state_.clear();
    for (std::size_t b = 0; b < strengths.size(); ++b) {
      if (!strengths[b].empty()) model_.families[b]->set_strengths(strengths[b]);
    }
  } catch (const Interrupted&) {
    use_labels_ = true;
    restore_parameters(before, "", model_);
    state_ = std::move(rows);
    throw;
  }
}

void VariationalEm::recalibrate() {
  recalibrate_alpha();
  finalize_membership(data_, static_cast<double>(data_.all_rows), model_);
  if (model_.head && !model_.head->follows_row()) refit_head();
}

void VariationalEm::refit_head() {
  if (!model_.rows().pooled()) {
    state_.clear();
    infer_rows(kRecalibrationLimits, workspace());
    head_from_shares(data_, means_, components_, *model_.head);
  } else {
    head_from_predictions(data_, sole_shares(*this), *model_.head);
  }
}

void VariationalEm::recalibrate_alpha() {
  if (!has_alpha() || model_.alpha == AlphaMode::fixed) return;
  constexpr double kAlphaStep = 1.25;
  constexpr int kAlphaSteps = 8;
  const std::vector<double> trained(model_.membership->parameters().begin(),
                                    model_.membership->parameters().end());
  const auto bound_at = [&](double factor) {
    std::vector<double> prior = trained;
    for (double& a : prior) a = std::clamp(a * factor, math::kAlphaFloor, math::kAlphaCap);
    model_.membership->set_parameters(prior);
    state_.clear();
    return infer_rows(kRecalibrationLimits, workspace());
  };
  bound_at(math::best_power(kAlphaStep, kAlphaSteps, bound_at));
}

// Growth with momentum comes in waves: one more iteration tells the end from a trough.
std::size_t VariationalEm::quiet_iterations() const {
  return Engine::quiet_iterations() + (extrapolates() ? 1 : 0);
}

bool VariationalEm::extrapolates() const {
  return steps_ == Steps::extrapolated && has_free_parameters(model_);
}

// A row is left alone when its state moves by less than this share of its size: as closely as the
// fit itself has come, so that early iterations do not polish rows for parameters that will move
// (AP, K = 100: a quarter less time, to the same end). The first two are exact, and stopping rows
// by their sweeps (20 instead of 300) lost 2 % of the bound on a 16-item survey: the first sweeps
// decide which optimum a row ends in. Later iterations need only a few sweeps, because rows go on
// from where they were.
double VariationalEm::iterate() {
  constexpr double kClosest = 1e-6, kLoosest = 1e-3;
  if (cold_) return iterate({kLoosest, 300});
  return iterate({std::clamp(growth_, kClosest, kLoosest), 300});
}

double VariationalEm::iterate(const memberships::Limits& limits) {
  if (model_.awaits_posterior()) become_posterior(limits);
  const double before = penalised_;
  if (cold_ && !carry_rows_) state_.clear();
  save_states();
  try {
    if (!infer_ahead(limits)) infer(limits);
    collect_tables_of_rows(workspace());
  } catch (const Interrupted&) {
    restore_states();
    if (leads_) kept_.put_back(model_);
    penalised_ = before;
    throw;
  }
  const core::Unstoppable short_work;
  asked_ = leads_ = false;
  growth_ = before == 0 ? 0.0 : (penalised_ - before) / std::max(1.0, std::abs(before));
  maximise_tables(workspace(), model_);
  carry_rows_ = cold_ && !carry_rows_;
  if (hold_alpha_ > 0) --hold_alpha_;
  if (hold_alpha_ > 0) return penalised_ + gain_of_alpha(workspace().prior());
  maximise_prior(workspace(), data_.threads, model_);
  return penalised_;
}

// What an iteration that is interrupted puts back.
void VariationalEm::save_states() {
  if (core::may_be_stopped() || (!cold_ && extrapolates())) {
    rows_before_ = state_;
  } else {
    rows_before_.clear();
  }
}

void VariationalEm::restore_states() {
  state_ = rows_before_;
}

// By how much alpha at its maximum would raise the bound, rows as they are.
double VariationalEm::gain_of_alpha(const memberships::PriorStatistics& prior) {
  const auto held = model_.membership->parameters();
  const std::vector<double> before(held.begin(), held.end());
  model_.membership->maximise(prior, model_.alpha);
  const double gain =
      math::dirichlet_objective(model_.membership->parameters(), prior.sum, prior.rows) -
      math::dirichlet_objective(before, prior.sum, prior.rows);
  model_.membership->set_parameters(before);
  return gain;
}

void VariationalEm::infer(const memberships::Limits& limits) {
  const double log_prior = model_.log_prior();
  bound_ = infer_rows(limits, workspace());
  penalised_ = bound_ + log_prior;
}

bool VariationalEm::infer_ahead(const memberships::Limits& limits) {
  if (cold_ || !extrapolates()) return false;
  if (!asked_) {
    auto ahead = momentum_.next(free_parameters(model_, std::move(ahead_)));
    asked_ = true;
    leads_ = ahead.has_value();
    if (leads_) ahead_ = std::move(*ahead);
  }
  if (!leads_) return false;
  const double before = penalised_;
  kept_.keep(model_);
  set_free_parameters(ahead_, model_);
  infer(limits);
  if (penalised_ >= before) return true;  // neither lower nor no number
  kept_.put_back(model_);
  restore_states();
  leads_ = false;
  momentum_.restart();
  return false;
}

// What has free parameters has nothing but points to keep.
void VariationalEm::Kept::keep(const EmModel& model) {
  const auto of_membership = model.membership->parameters();
  prior.assign(of_membership.begin(), of_membership.end());
  tables.resize(model.families.size());
  for (std::size_t b = 0; b < tables.size(); ++b) {
    const auto of_family = model.families[b]->parameters();
    tables[b].assign(of_family.begin(), of_family.end());
  }
}

void VariationalEm::Kept::put_back(EmModel& model) const {
  model.membership->set_parameters(prior);
  for (std::size_t b = 0; b < tables.size(); ++b) model.families[b]->set_parameters(tables[b]);
}

void VariationalEm::become_posterior(const memberships::Limits& limits) {
  save_states();
  try {
    estep(limits, workspace());
  } catch (const Interrupted&) {
    restore_states();
    throw;
  }
  maximise_families(workspace(), model_);
}

void VariationalEm::collect_tables_of_rows(Statistics& into) {
  collect_tables(data_.data->blocks, data_.columns, take_responsibilities(), data_, model_, into);
}

void VariationalEm::estep(const memberships::Limits& limits, Statistics& into) {
  bound_ = infer_rows(limits, into);
  collect_tables_of_rows(into);
}

void VariationalEm::prepare_families() {
  const bool logs = model_.rows().pooled();
  for (std::size_t b = 0; b < model_.families.size(); ++b)
    model_.families[b]->prepare_for(data_.columns[b], logs);
}

memberships::PriorStatistics VariationalEm::infer_prior(const memberships::Limits& limits) {
  bound_ = infer_rows(limits, workspace());
  memberships::PriorStatistics prior = workspace().prior();
  prior.threads = data_.threads;
  return prior;
}

// Chunks are cut in the numbers that rows have among all.
double VariationalEm::infer_rows(const memberships::Limits& limits, Statistics& into) {
  const Dataset& data = *data_.data;
  prepare_families();
  const auto families = model_.family_pointers();
  const model::EStepModel parts{families, model_.membership.get(), model_.inference,
                                use_labels_ ? model_.head.get() : nullptr, data_.label};
  allocate(model::narrow(parts));
  if (state_.empty()) init_states();
  xi_.assign(model_.head ? data.rows : 0, 0.0);
  const std::size_t chunk_rows = rows_per_chunk(data_.all_rows);
  const std::size_t first_row = data_.first_row, first_chunk = first_row / chunk_rows;
  std::vector<Chunk> chunks((first_row + data.rows + chunk_rows - 1) / chunk_rows - first_chunk);
  std::vector<std::unique_ptr<Worker>> workers(data_.threads);
  core::parallel_for(chunks.size(), data_.threads, [&](std::size_t c, std::size_t worker) {
    if (!workers[worker]) workers[worker] = std::make_unique<Worker>(parts, data);
    Chunk& chunk = chunks[c];
    chunk.begin = (first_chunk + c) * chunk_rows;
    chunk.first = std::max(chunk.begin, first_row) - first_row;
    chunk.end = std::min(data.rows, chunk.begin + chunk_rows - first_row);
    infer_rows(limits, *workers[worker], chunk);
  });
  merge(chunks, into);
  data_.across->sum(into.totals());
  return into.bound();
}

void VariationalEm::init_states() {
  const std::size_t size = model_.membership->state_size();
  state_.resize(data_.data->rows * size);
  for (std::size_t row = 0; row < data_.data->rows; ++row)
    model_.membership->start(data_.data->observed(row),
                             std::span(state_).subspan(row * size, size));
}

void VariationalEm::infer_rows(const memberships::Limits& limits, Worker& worker, Chunk& chunk) {
  const Dataset& data = *data_.data;
  const std::size_t state_size = model_.membership->state_size();
  chunk.prior = model_.membership->empty_statistics();
  chunk.exceptions.resize(data.blocks.size());
  model::LaneRowSolver::Left left{};
  left.fill(limits.max_sweeps);
  std::size_t group = chunk.first;  // where the rows that settle together begin
  for (std::size_t row = chunk.first; row < chunk.end; ++row) {
    core::stop_if_asked();
    const std::size_t lane = (data_.first_row + row - chunk.begin) % kernels::kAbreast;
    if (lane == 0) group = row;
    if (row == group && worker.abreast) {
      const std::size_t end = std::min(chunk.end, row + kernels::kAbreast - lane);
      left = worker.abreast->settle(row, end, limits, state_);
    }
    const std::span<double> state(&state_[row * state_size], state_size);
    const std::size_t sweeps = left[row - group];
    const memberships::Limits rest{limits.tolerance, sweeps, limits.every_component};
    const double bound = sweeps == 0
                             ? worker.solver.evaluate_bound(row, state)
                             : worker.solver.solve(row, rest, model::Precision::training, state);
    chunk.bound += data.weight_of(row) * bound;
    keep_row(row, worker.solver, chunk);
  }
}

void VariationalEm::keep_row(std::size_t row, const model::RowSolver& solver, Chunk& chunk) {
  const Dataset& data = *data_.data;
  const std::size_t state_size = model_.membership->state_size();
  const double weight = data.weight_of(row);
  chunk.observations += weight * solver.observed();
  if (solver.observed() > 0 || model_.membership->entry().empty_rows_informative) {
    model_.membership->collect({&state_[row * state_size], state_size}, solver.log_weights(),
                               weight, chunk.prior);
  }
  if (model_.head && solver.observed() > 0) {
    solver.write_mean(std::span(means_).subspan(row * components_, components_));
    xi_[row] = solver.labelled() ? solver.xi() : 0.0;
  }
  if (narrow_.empty()) {
    solver.write_vector(&vectors_[row * padded_]);
  } else {
    solver.write_vector(&narrow_[row * padded_]);
  }
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    solver.write_coefficients(b, weight, coefficients_[b].data() + data.blocks[b].row_start[row]);
    solver.append_exceptions(b, weight, chunk.exceptions[b]);
  }
}

void VariationalEm::merge(std::vector<Chunk>& chunks, Statistics& into) {
  into.bound() = into.observations() = 0;
  memberships::PriorStatistics prior = model_.membership->empty_statistics();
  for (auto& cells : exceptions_) cells.clear();
  for (Chunk& chunk : chunks) {
    into.bound() += chunk.bound;
    into.observations() += chunk.observations;
    prior.rows += chunk.prior.rows;
    for (std::size_t k = 0; k < prior.sum.size(); ++k) prior.sum[k] += chunk.prior.sum[k];
    prior.records.insert(prior.records.end(), chunk.prior.records.begin(),
                         chunk.prior.records.end());
    for (std::size_t b = 0; b < exceptions_.size(); ++b)
      std::ranges::move(chunk.exceptions[b], std::back_inserter(exceptions_[b]));
  }
  into.set_prior(prior);
  if (model_.head) into.set_head(head_statistics());
}

std::vector<families::Responsibilities> VariationalEm::take_responsibilities() {
  const bool times_likelihood = !model_.rows().pooled();
  const bool few = !times_likelihood && active_.take(vectors_, components_);
  std::vector<families::Responsibilities> from;
  for (std::size_t b = 0; b < exceptions_.size(); ++b) {
    from.push_back(
        {vectors_.data(), coefficients_[b].data(), times_likelihood, std::move(exceptions_[b])});
    if (!narrow_.empty()) from.back().narrow = narrow_.data();
    if (few) from.back().active = active_.get();
    exceptions_[b].clear();
  }
  return from;
}

heads::Statistics VariationalEm::head_statistics() const {
  heads::Statistics statistics = model_.head->empty_statistics();
  for (std::size_t row = 0; row < xi_.size(); ++row) {
    if (xi_[row] <= 0) continue;
    model_.head->collect(static_cast<std::size_t>(data_.label[row]),
                         std::span(means_).subspan(row * components_, components_), xi_[row],
                         data_.data->weight_of(row), statistics);
  }
  return statistics;
}

void VariationalEm::save(core::TensorFile& file, const std::string& prefix) const {
  file.put(prefix + "state", cold_ && !carry_rows_ ? std::vector<double>() : state_);
  file.put(prefix + "penalised", std::vector<double>{penalised_, growth_});
  file.put(prefix + "schedule",
           std::vector<std::int64_t>{cold_ ? 1 : 0, static_cast<std::int64_t>(hold_alpha_),
                                     carry_rows_ ? 1 : 0});
  momentum_.save(file, prefix + "momentum.");
  if (asked_) file.put(prefix + "ahead", leads_ ? ahead_ : std::vector<double>());
  save_parameters(model_, file, prefix);
}

void VariationalEm::restore(const core::TensorFile& file, const std::string& prefix) {
  const auto& schedule = file.integers(prefix + "schedule", 3);
  cold_ = schedule[0] != 0;
  hold_alpha_ = static_cast<std::size_t>(std::clamp<std::int64_t>(schedule[1], 0, kHeld));
  carry_rows_ = cold_ && schedule[2] != 0;
  state_ = file.doubles(prefix + "state");
  if (!state_.empty())  // one row too few or too many is told
    state_ = file.doubles(prefix + "state", data_.data->rows * model_.membership->state_size());
  const auto& penalised = file.doubles(prefix + "penalised", 2);
  penalised_ = penalised[0];
  growth_ = penalised[1];
  momentum_.restore(file, prefix + "momentum.");
  asked_ = file.tensors.contains(prefix + "ahead");
  if (asked_) ahead_ = file.doubles(prefix + "ahead");
  leads_ = asked_ && !ahead_.empty();
  restore_parameters(file, prefix, model_);
}

namespace {

std::unique_ptr<Engine> make_variational(const EmData& data, EmModel model, std::uint64_t) {
  return std::make_unique<VariationalEm>(data, std::move(model),
                                         VariationalEm::Steps::extrapolated);
}

void variational_estep(const EmData& rows, const memberships::Limits& limits, EmModel& model,
                       Statistics& into) {
  LentModel engine(rows, model);
  engine->estep(limits, into);
}

}  // namespace

const EngineEntry standard_engine = {.inference = &model::standard_inference,
                                     .make = make_variational,
                                     .estep = variational_estep,
                                     .spreads = true};

const EngineEntry fast_engine = {.inference = &model::fast_inference,
                                 .make = make_variational,
                                 .estep = variational_estep,
                                 .spreads = true};

}  // namespace medley::engines
