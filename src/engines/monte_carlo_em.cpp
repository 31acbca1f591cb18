// SPDX-License-Identifier: Apache-2.0
#include "engines/monte_carlo_em.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "engines/registry.hpp"
#include "medley/error.hpp"
#include "model/row_chain.hpp"

namespace medley::engines {
namespace {

constexpr std::uint64_t kPurpose = 0x60;
constexpr std::size_t kBurnIn = 150;
constexpr double kFading = 0.7;
// EM creeps towards alpha from one side; while it burns in, steps are this much longer.
constexpr double kOverstep = 1.8;
// The average is compared with itself this many iterations ago.
constexpr std::size_t kLookBack = 25;
// The tolerance speaks of a bound; responsibilities are noisier by about this factor.
constexpr double kMovementPerTolerance = 1000;
// A change of log alpha weighs this much beside one of the responsibilities.
constexpr double kAlphaWeight = 0.02;
// Statistics are summed in this many pieces, each by one thread.
constexpr std::size_t kPieces = 16;
constexpr double kMostChains = 32;  // of one row

std::vector<double> roots(const std::vector<double>& values) {
  std::vector<double> out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(std::sqrt(std::max(0.0, v)));
  return out;
}

void add_scaled(double factor, const std::vector<double>& from, std::vector<double>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

}  // namespace

ChainData::ChainData(const Dataset& data) : cells(data::distinct_cells(data)), start{0} {
  for (const Block& block : cells.data.blocks) columns.push_back(data::transpose(block));
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::vector<std::uint32_t> own;
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
        own.insert(own.end(), integer_of<std::size_t>(block.weight_of(c)), cells.code[b][c]);
    }
    if (own.empty() || data.weight_of(row) <= 0) continue;
    depth = std::max(depth, own.size());
    const double copies = std::clamp(std::ceil(data.weight_of(row)), 1.0, kMostChains);
    for (double copy = 0; copy < copies; ++copy) {
      code.insert(code.end(), own.begin(), own.end());
      start.push_back(code.size());
      weight.push_back(data.weight_of(row) / copies);
    }
  }
}

MonteCarloEm::MonteCarloEm(const EmData& data, EmModel model, std::uint64_t seed)
    : Engine(data, std::move(model)),
      chains_(dynamic_cast<const ChainData&>(*data.own)),
      seed_(seed) {}

void MonteCarloEm::forget() {
  iteration_ = 0;
  z_.clear();
  earlier_.clear();
  earlier_alpha_.clear();
  movement_ = 1;
}

double MonteCarloEm::iterate() {
  double log_prior = model_.log_prior();
  if (expects_mixing(model_, chains_.depth))
    log_prior += math::mixed_row_log_prior(model_.membership->parameters());
  const std::vector<std::uint16_t> before = core::may_be_stopped() ? z_ : decltype(z_)();
  ChainStatistics fresh;
  try {
    fresh = sample();
  } catch (const Interrupted&) {
    z_ = before;
    throw;
  }
  const core::Unstoppable short_work;
  blend(fresh);
  maximise();
  ++iteration_;
  if (iteration_ % kLookBack == 0) {
    const std::vector<double> now = roots(average_.cells);
    double change = 0, size = 0;
    for (std::size_t i = 0; i < earlier_.size(); ++i) {
      change += (now[i] - earlier_[i]) * (now[i] - earlier_[i]);
      size += now[i] * now[i];
    }
    movement_ = size > 0 ? std::sqrt(change / size) : 1.0;
    const auto alpha = model_.membership->parameters();
    for (std::size_t k = 0; k < earlier_alpha_.size(); ++k)
      movement_ =
          std::max(movement_, kAlphaWeight * std::abs(std::log(alpha[k] / earlier_alpha_[k])));
    earlier_ = now;
    earlier_alpha_.assign(alpha.begin(), alpha.end());
  }
  return average_.log_likelihood + log_prior;
}

std::optional<bool> MonteCarloEm::arrived(double tolerance) const {
  return iteration_ > kBurnIn + kLookBack && movement_ < kMovementPerTolerance * tolerance;
}

ChainStatistics MonteCarloEm::empty() const {
  return {
      std::vector<double>(chains_.cells.data.rows * padded_, 0.0), {components_, chains_.depth}, 0};
}

ChainStatistics MonteCarloEm::sample() {
  for (auto& family : model_.families) family->prepare(false);
  const auto families = model_.family_pointers();
  const model::CellTable table({families, model_.membership.get(), model_.inference},
                               chains_.cells);
  const bool fresh = z_.empty();
  z_.resize(chains_.code.size());
  if (fresh) iteration_ = 0;
  const std::size_t each = (chains_.chains() + kPieces - 1) / kPieces;
  std::vector<ChainStatistics> pieces(kPieces);
  core::parallel_for(kPieces, data_.threads, [&](std::size_t piece, std::size_t) {
    pieces[piece] = empty();
    sample(std::min(piece * each, chains_.chains()), std::min((piece + 1) * each, chains_.chains()),
           table, pieces[piece]);
  });
  ChainStatistics sum = std::move(pieces.front());
  for (std::size_t p = 1; p < kPieces; ++p) {
    add_scaled(1, pieces[p].cells, sum.cells);
    add_scaled(1, pieces[p].counts.total, sum.counts.total);
    for (std::size_t k = 0; k < components_; ++k)
      add_scaled(1, pieces[p].counts.component[k], sum.counts.component[k]);
    sum.log_likelihood += pieces[p].log_likelihood;
  }
  return sum;
}

void MonteCarloEm::sample(std::size_t begin, std::size_t end, const model::CellTable& table,
                          ChainStatistics& into) {
  model::RowChain chain(table, model_.membership->parameters());
  for (std::size_t c = begin; c < end; ++c) {
    core::stop_if_asked();
    const auto cells = chains_.of(c);
    const std::span<std::uint16_t> z(&z_[chains_.start[c]], cells.size());
    const double weight = chains_.weight[c];
    core::Rng rng(seed_, (static_cast<std::uint64_t>(iteration_) << 8U) | kPurpose, c);
    const double log_w = iteration_ == 0 ? chain.draw(cells, rng, z) : chain.renew(cells, rng, z);
    chain.relabel(cells, rng, z);
    chain.sweep(cells, rng, z, weight, padded_, into.cells.data());
    into.log_likelihood += weight * log_w;
    for (const std::uint32_t cell : cells) into.log_likelihood += weight * table.log_scale[cell];
    for (std::size_t k = 0; k < components_; ++k) {
      const auto n = integer_of<std::size_t>(chain.counts()[k]);
      for (std::size_t t = 0; t < n; ++t) into.counts.component[k][t] += weight;
    }
    for (std::size_t t = 0; t < cells.size(); ++t) into.counts.total[t] += weight;
  }
}

void MonteCarloEm::blend(const ChainStatistics& fresh) {
  if (iteration_ < kBurnIn) {
    average_ = fresh;
    return;
  }
  const double rho = std::pow(static_cast<double>(iteration_ - kBurnIn + 1), -kFading);
  const auto towards = [rho](const std::vector<double>& to, std::vector<double>& from) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] += rho * (to[i] - from[i]);
  };
  towards(fresh.cells, average_.cells);
  for (std::size_t k = 0; k < components_; ++k)
    towards(fresh.counts.component[k], average_.counts.component[k]);
  average_.counts.total = fresh.counts.total;
  average_.log_likelihood += rho * (fresh.log_likelihood - average_.log_likelihood);
}

void MonteCarloEm::maximise() {
  const std::vector<Block>& blocks = chains_.cells.data.blocks;
  std::vector<families::Responsibilities> from;
  const double* cells = average_.cells.data();
  for (const Block& block : blocks) {
    from.emplace_back().full = cells;
    cells += block.cells() * padded_;
  }
  collect_tables(blocks, chains_.columns, from, data_, model_, workspace());
  maximise_families(workspace(), model_);
  memberships::PriorStatistics prior;
  prior.counts = average_.counts;
  if (expects_mixing(model_, prior.counts.total.size()))
    math::add_mixed_row(model_.membership->parameters(), prior.counts);
  const std::vector<double> before(model_.membership->parameters().begin(),
                                   model_.membership->parameters().end());
  model_.membership->maximise(prior, model_.alpha);
  if (iteration_ >= kBurnIn || model_.alpha == AlphaMode::fixed) return;
  std::vector<double> alpha(model_.membership->parameters().begin(),
                            model_.membership->parameters().end());
  for (std::size_t k = 0; k < components_; ++k) {
    alpha[k] = std::clamp(before[k] * std::pow(alpha[k] / before[k], kOverstep), math::kAlphaFloor,
                          math::kAlphaCap);
  }
  model_.membership->set_parameters(alpha);
}

void MonteCarloEm::save(core::TensorFile& file, const std::string& prefix) const {
  save_parameters(model_, file, prefix);
  file.put(prefix + "iteration", std::vector<std::int64_t>{static_cast<std::int64_t>(iteration_)});
  file.put(prefix + "z", std::vector<std::int64_t>(z_.begin(), z_.end()));
  file.put(prefix + "cells", average_.cells);
  file.put(prefix + "total", average_.counts.total);
  for (std::size_t k = 0; k < average_.counts.component.size(); ++k)
    file.put(prefix + "counts." + std::to_string(k), average_.counts.component[k]);
  file.put(prefix + "earlier", earlier_);
  file.put(prefix + "earlier_alpha", earlier_alpha_);
  file.put(prefix + "numbers", std::vector<double>{average_.log_likelihood, movement_});
}

void MonteCarloEm::restore(const core::TensorFile& file, const std::string& prefix) {
  restore_parameters(file, prefix, model_);
  forget();
  const std::int64_t iteration = file.integers(prefix + "iteration", 1)[0];
  iteration_ = static_cast<std::size_t>(std::max<std::int64_t>(0, iteration));
  if (iteration_ == 0) return;
  for (const std::int64_t k : file.integers(prefix + "z", chains_.code.size())) {
    z_.push_back(static_cast<std::uint16_t>(
        std::clamp<std::int64_t>(k, 0, static_cast<std::int64_t>(components_) - 1)));
  }
  average_ = empty();
  average_.cells = file.doubles(prefix + "cells", average_.cells.size());
  average_.counts.total = file.doubles(prefix + "total", chains_.depth);
  for (std::size_t k = 0; k < components_; ++k) {
    average_.counts.component[k] =
        file.doubles(prefix + "counts." + std::to_string(k), chains_.depth);
  }
  earlier_ = file.doubles(prefix + "earlier");
  if (earlier_.size() != average_.cells.size()) earlier_.clear();
  earlier_alpha_ = file.doubles(prefix + "earlier_alpha");
  if (earlier_alpha_.size() != components_) earlier_alpha_.clear();
  const auto& numbers = file.doubles(prefix + "numbers", 2);
  average_.log_likelihood = numbers[0];
  movement_ = numbers[1];
}

namespace {

std::shared_ptr<const EngineData> chain_data(const EmData& em, const FitOptions&) {
  const Dataset& data = *em.data;
  if (!data::whole_weights(data)) {
    throw InputError({"`inference=\"monte-carlo\"`",
                      "needs whole numbers of observations (no block weights)",
                      "use `inference=\"standard\"`, or fit without `block_weight`"});
  }
  return std::make_shared<const ChainData>(data);
}

}  // namespace

const EngineEntry monte_carlo_engine = {
    .inference = &model::monte_carlo_inference,
    .make = [](const EmData& data, EmModel model, std::uint64_t seed) -> std::unique_ptr<Engine> {
      return std::make_unique<MonteCarloEm>(data, std::move(model), seed);
    },
    .prepare_data = chain_data};

}  // namespace medley::engines
