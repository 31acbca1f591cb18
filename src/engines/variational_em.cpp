// SPDX-License-Identifier: Apache-2.0
#include "engines/variational_em.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "families/registry.hpp"
#include "kernels/lanes.hpp"
#include "math/dirichlet.hpp"

namespace medley::engines {
namespace {

// Rows per chunk: constant, so that sums have the same order at any thread count.
constexpr std::size_t kRowChunk = 64;
// Slots are dealt out in about this many pieces; every slot is summed on its own.
constexpr std::size_t kSlotPieces = 256;

constexpr memberships::Limits kSettlingLimits{1e-6, 1000};

struct ChunkResult {
  double bound = 0;
  memberships::PriorStatistics prior;
  std::vector<std::vector<families::ExceptionalCell>> exceptions;  // per block
};

std::vector<const families::Family*> pointers(const EmModel& model) {
  std::vector<const families::Family*> result;
  for (const auto& family : model.families) result.push_back(family.get());
  return result;
}

}  // namespace

EmData prepare(const Dataset& data, std::size_t threads) {
  EmData result;
  result.data = &data;
  result.threads = core::thread_count(threads);
  for (const Block& block : data.blocks) result.columns.push_back(data::transpose(block));
  return result;
}

EmModel make_model(const EmData& data, const memberships::MembershipEntry& membership,
                   const memberships::InferenceMode& mode, std::size_t components) {
  EmModel model;
  for (std::size_t b = 0; b < data.data->blocks.size(); ++b) {
    const Block& block = data.data->blocks[b];
    model.families.push_back(families::find(block.family)->make(block, components));
    model.families.back()->observe(block, data.columns[b], data.data->row_weight);
  }
  model.membership = membership.make(components);
  model.mode = &mode;
  return model;
}

void save_parameters(const EmModel& model, core::TensorFile& file, const std::string& prefix) {
  const auto prior = model.membership->parameters();
  file.put(prefix + "membership", std::vector<double>(prior.begin(), prior.end()));
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    const auto tables = model.families[b]->parameters();
    file.put(prefix + "block." + std::to_string(b),
             std::vector<double>(tables.begin(), tables.end()));
  }
}

void restore_parameters(const core::TensorFile& file, const std::string& prefix, EmModel& model) {
  model.membership->set_parameters(
      file.doubles(prefix + "membership", model.membership->components()));
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    families::Family& family = *model.families[b];
    family.set_parameters(
        file.doubles(prefix + "block." + std::to_string(b), family.parameters().size()));
  }
}

VariationalEm::VariationalEm(const EmData& data, EmModel model)
    : data_(data),
      model_(std::move(model)),
      components_(model_.membership->components()),
      padded_(kernels::padded(components_)),
      coefficients_(data.data->blocks.size()),
      exceptions_(data.data->blocks.size()) {}

// Not before it is needed: a fit waits while another one finds its start.
void VariationalEm::take_room() {
  vectors_.resize(data_.data->rows * padded_);
  for (std::size_t b = 0; b < coefficients_.size(); ++b)
    coefficients_[b].resize(data_.data->blocks[b].cells());
}

void VariationalEm::start_from(const std::vector<double>& memberships) {
  const Dataset& data = *data_.data;
  take_room();
  vectors_ = memberships;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    exceptions_[b].clear();
    for (std::size_t row = 0; row < data.rows; ++row) {
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        coefficients_[b][c] = data.weight_of(row) * static_cast<double>(block.weight_of(c));
      }
    }
  }
  collect_and_maximise(false);
  state_.clear();
}

void VariationalEm::start_states(const std::vector<double>& shares) {
  const Dataset& data = *data_.data;
  const auto prior = model_.membership->parameters();
  state_.resize(data.rows * components_);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double m = data.observed(row);
    for (std::size_t k = 0; k < components_; ++k) {
      state_[row * components_ + k] = prior[k] + m * shares[row * components_ + k];
    }
  }
}

void VariationalEm::settle_prior() {
  constexpr double kStep = 1.25;
  constexpr int kSteps = 8;
  const std::vector<double> trained(model_.membership->parameters().begin(),
                                    model_.membership->parameters().end());
  const auto bound_at = [&](double factor) {
    std::vector<double> prior = trained;
    for (double& a : prior) a = std::clamp(a * factor, math::kAlphaFloor, math::kAlphaCap);
    model_.membership->set_parameters(prior);
    state_.clear();
    memberships::PriorStatistics unused;
    return expectation(kSettlingLimits, unused);
  };
  double best_factor = 1.0;
  double best = bound_at(1.0);
  for (const double step : {kStep, 1.0 / kStep}) {
    double factor = step;
    for (int i = 0; i < kSteps; ++i, factor *= step) {
      const double bound = bound_at(factor);
      if (bound <= best) break;
      best = bound;
      best_factor = factor;
    }
    if (best_factor != 1.0) break;  // it went up: no need to try the other way
  }
  bound_at(best_factor);
  state_.clear();
}

double VariationalEm::iterate(const memberships::Limits& limits) {
  double log_prior = 0;
  for (const auto& family : model_.families) log_prior += family->log_prior(model_.smoothing);
  memberships::PriorStatistics prior;
  bound_ = expectation(limits, prior);
  collect_and_maximise(model_.mode->pooling == memberships::Pooling::none);
  model_.membership->maximise(prior, model_.alpha);
  return bound_ + log_prior;
}

void VariationalEm::prepare_families() {
  const bool logs = model_.mode->pooling != memberships::Pooling::none;
  for (auto& family : model_.families) family->prepare(logs);
}

double VariationalEm::expectation(const memberships::Limits& limits,
                                  memberships::PriorStatistics& prior) {
  const Dataset& data = *data_.data;
  prepare_families();
  const auto families = pointers(model_);
  const model::EStepModel parts{families, model_.membership.get(), model_.mode};
  take_room();
  const bool cold = state_.empty();
  state_.resize(data.rows * components_);

  const std::size_t chunks = (data.rows + kRowChunk - 1) / kRowChunk;
  std::vector<ChunkResult> results(chunks);
  std::vector<std::unique_ptr<model::RowSolver>> solvers(data_.threads);
  core::parallel_for(chunks, data_.threads, [&](std::size_t chunk, std::size_t worker) {
    if (!solvers[worker]) solvers[worker] = std::make_unique<model::RowSolver>(parts, data);
    model::RowSolver& solver = *solvers[worker];
    ChunkResult& result = results[chunk];
    result.prior.sum.assign(components_, 0.0);
    result.exceptions.resize(data.blocks.size());
    const std::size_t end = std::min(data.rows, (chunk + 1) * kRowChunk);
    for (std::size_t row = chunk * kRowChunk; row < end; ++row) {
      const std::span<double> state(&state_[row * components_], components_);
      if (cold) model_.membership->start(data.observed(row), state);
      const double weight = data.weight_of(row);
      result.bound += weight * solver.solve(row, limits, model::Precision::training, state);
      if (solver.observed() > 0)
        model_.membership->collect(state, solver.log_weights(), weight, result.prior);
      solver.write_vector(&vectors_[row * padded_]);
      for (std::size_t b = 0; b < data.blocks.size(); ++b) {
        solver.write_coefficients(b, weight,
                                  coefficients_[b].data() + data.blocks[b].row_start[row]);
        solver.append_exceptions(b, weight, result.exceptions[b]);
      }
    }
  });

  double bound = 0;
  prior.sum.assign(components_, 0.0);
  for (auto& cells : exceptions_) cells.clear();
  for (ChunkResult& result : results) {
    bound += result.bound;
    prior.rows += result.prior.rows;
    for (std::size_t k = 0; k < components_; ++k) prior.sum[k] += result.prior.sum[k];
    for (std::size_t b = 0; b < exceptions_.size(); ++b) {
      std::ranges::move(result.exceptions[b], std::back_inserter(exceptions_[b]));
    }
  }
  return bound;
}

void VariationalEm::collect_and_maximise(bool times_likelihood) {
  const Dataset& data = *data_.data;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    families::Family& family = *model_.families[b];
    families::Responsibilities from{vectors_.data(), coefficients_[b].data(), times_likelihood, {}};
    from.exceptions.swap(exceptions_[b]);
    const std::size_t slots = data.blocks[b].slots();
    const std::size_t piece = (slots + kSlotPieces - 1) / kSlotPieces;
    core::parallel_for(piece == 0 ? 0 : (slots + piece - 1) / piece, data_.threads,
                       [&](std::size_t chunk, std::size_t) {
                         family.collect(data_.columns[b], data.blocks[b], from, chunk * piece,
                                        std::min(slots, (chunk + 1) * piece));
                       });
    family.maximise(model_.smoothing);
  }
}

std::vector<double> VariationalEm::component_log_likelihoods() {
  const Dataset& data = *data_.data;
  for (auto& family : model_.families) family->prepare(true);
  std::vector<double> result(data.rows * components_);
  const std::size_t chunks = (data.rows + kRowChunk - 1) / kRowChunk;
  core::parallel_for(chunks, data_.threads, [&](std::size_t chunk, std::size_t) {
    std::vector<double> total(padded_);
    for (std::size_t row = chunk * kRowChunk; row < std::min(data.rows, (chunk + 1) * kRowChunk);
         ++row) {
      std::fill(total.begin(), total.end(), 0.0);
      for (std::size_t b = 0; b < data.blocks.size(); ++b) {
        model_.families[b]->add_log_rows(data.blocks[b], row, total.data());
      }
      std::copy_n(total.begin(), components_,
                  result.begin() + static_cast<std::ptrdiff_t>(row * components_));
    }
  });
  return result;
}

void VariationalEm::save(core::TensorFile& file, const std::string& prefix) const {
  file.put(prefix + "state", state_);
  save_parameters(model_, file, prefix);
}

void VariationalEm::restore(const core::TensorFile& file, const std::string& prefix) {
  state_ = file.doubles(prefix + "state", data_.data->rows * components_);
  restore_parameters(file, prefix, model_);
}

}  // namespace medley::engines
