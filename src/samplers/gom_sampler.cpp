// SPDX-License-Identifier: Apache-2.0
#include "samplers/gom_sampler.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <ranges>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "families/family.hpp"
#include "kernels/lanes.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"
#include "samplers/gom_record.hpp"
#include "samplers/purposes.hpp"
#include "samplers/sampled.hpp"

namespace medley::samplers {
namespace {

// Chains take turns of so many sweeps, so that all are about as far when they are stopped.
constexpr std::size_t kTurn = 25;

// Some of the cells, any as likely; ascending.
std::vector<std::size_t> some_cells(std::size_t cells, std::size_t count, std::uint64_t seed) {
  core::Rng rng(seed, purpose(Purpose::gom_traced, 0, 0));
  std::vector<std::size_t> chosen;
  for (std::size_t c = 0; c < cells && chosen.size() < count; ++c) {
    const auto left = static_cast<double>(cells - c);
    if (rng.uniform() * left < static_cast<double>(count - chosen.size())) chosen.push_back(c);
  }
  return chosen;
}

}  // namespace

GomSampler::GomSampler(const GomModel& model, GomSchedule schedule)
    : model_(model), schedule_(std::move(schedule)), probability_(schedule_.chains) {
  core::Problems problems;
  if (schedule_.chains == 0) problems.add("chains", "there are none", "give at least 1");
  if (schedule_.thin == 0) problems.add("thin", "is 0", "keep every draw with 1");
  problems.throw_if_any();
  traced_ = some_cells(model_.cell_code().size(), schedule_.traced, model_.options().seed);
  chains_.reserve(schedule_.chains);
  for (std::size_t c = 0; c < schedule_.chains; ++c) {
    chains_.emplace_back(model_, c);
    if (schedule_.start) chains_.back().start(*schedule_.start);
    records_.emplace_back(model_, traced_);
    probability_[c].resize(model_.cell_code().size());
  }
}

// Whether the last sweep of a chain has been recorded, if it is to be.
bool GomSampler::recorded(std::size_t c) const {
  const std::size_t sweeps = chains_[c].sweeps(), burn_in = schedule_.burn_in;
  return sweeps <= burn_in || records_[c].log_likelihood().size() == sweeps - burn_in;
}

// One sweep; returns its conditional log-likelihood, or 0 if nobody asks for it. Interrupted after
// the sweep itself, it goes on from there.
double GomSampler::advance(std::size_t c, std::size_t threads, bool asked) {
  GomChain& chain = chains_[c];
  if (recorded(c)) {
    const bool burning_in = chain.sweeps() < schedule_.burn_in;
    chain.sweep(burning_in, threads);
    if (burning_in) return asked ? chain.look({}, threads) : 0.0;
  }
  const double log_likelihood = chain.look(probability_[c], threads);
  const core::Unstoppable short_work;
  records_[c].add(chain, log_likelihood, probability_[c]);
  if ((chain.sweeps() - schedule_.burn_in) % schedule_.thin == 0) records_[c].keep(chain);
  return log_likelihood;
}

bool GomSampler::run(std::size_t sweeps, std::size_t threads, const GomHook& hook) {
  const std::size_t within = std::max<std::size_t>(1, threads / chains_.size());
  std::atomic<bool> stopped = false;
  std::mutex one_at_a_time;
  const auto behind = [&](std::size_t c) { return chains_[c].sweeps() < sweeps || !recorded(c); };
  const auto some_behind = [&] {
    return std::ranges::any_of(std::views::iota(std::size_t{0}, chains_.size()), behind);
  };
  const auto turn = [&](std::size_t c, std::size_t /*worker*/) {
    for (std::size_t i = 0; i < kTurn && behind(c) && !stopped; ++i) {
      const double log_likelihood = advance(c, within, static_cast<bool>(hook));
      if (!hook) continue;
      const std::scoped_lock lock(one_at_a_time);
      if (!hook(c, chains_[c].sweeps(), log_likelihood)) stopped = true;
    }
  };
  try {
    while (!stopped && some_behind()) core::parallel_for(chains_.size(), threads, turn);
  } catch (const Interrupted&) {  // the chains are between two sweeps
    return false;
  }
  return !some_behind();
}

template <class Get>
math::Chains GomSampler::traces(Get&& get) const {
  math::Chains out;
  std::size_t shortest = static_cast<std::size_t>(-1);
  for (const GomRecord& record : records_)
    shortest = std::min(shortest, out.emplace_back(get(record)).size());
  for (std::vector<double>& trace : out) trace.resize(shortest);
  return out;
}

math::Chains GomSampler::log_likelihood() const {
  return traces([](const GomRecord& record) { return record.log_likelihood(); });
}

math::Chains GomSampler::alpha0() const {
  return traces([](const GomRecord& record) { return record.alpha0(); });
}

std::vector<math::Chains> GomSampler::cell_probabilities() const {
  std::vector<math::Chains> out;
  for (std::size_t i = 0; i < records_.front().cells().size(); ++i)
    out.push_back(traces([i](const GomRecord& record) { return record.cells()[i]; }));
  return out;
}

// Of every chain, what brings its own order into that of chain 0.
std::vector<std::vector<std::size_t>> GomSampler::orders() const {
  const auto mean = [](const GomRecord& record) {
    std::vector<double> out = record.likelihood_sum();
    for (double& l : out) l /= static_cast<double>(std::max<std::size_t>(1, record.draws().size()));
    return out;
  };
  const std::vector<double> reference = mean(records_.front());
  std::vector<std::vector<std::size_t>> out;
  for (const GomRecord& record : records_)
    out.push_back(
        align_draw(mean(record), reference, model_.distinct_count(), model_.components()));
  return out;
}

std::vector<GomDraw> GomSampler::draws() const {
  const auto order = orders();
  std::vector<GomDraw> out;
  for (std::size_t c = 0; c < records_.size(); ++c) {
    for (const GomDraw& own : records_[c].draws()) {
      GomDraw& draw = out.emplace_back(own);
      draw.chain = c;
      for (std::size_t k = 0; k < order[c].size(); ++k) draw.alpha[k] = own.alpha[order[c][k]];
      for (std::vector<double>& table : draw.tables)
        families::permute_columns(table, kernels::padded(order[c].size()), order[c]);
    }
  }
  return out;
}

GomMeans GomSampler::means() const {
  const std::vector<GomDraw> all = draws();
  if (all.empty())
    throw InputError({"sweeps", "no draw was kept", "do more sweeps, or burn in for fewer"});
  const double each = 1 / static_cast<double>(all.size());
  const auto add = [each](const std::vector<double>& from, std::vector<double>& to) {
    to.resize(from.size(), 0.0);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += each * from[i];
  };
  GomMeans out;
  out.tables.resize(all.front().tables.size());
  for (const GomDraw& draw : all) {
    add(draw.alpha, out.alpha);
    for (std::size_t b = 0; b < out.tables.size(); ++b) add(draw.tables[b], out.tables[b]);
  }
  const auto order = orders();
  const std::size_t components = model_.components();
  for (std::size_t c = 0; c < records_.size(); ++c) {
    std::vector<double> share = records_[c].share_sum();
    for (std::size_t at = 0; at < share.size(); at += components) {
      for (std::size_t k = 0; k < components; ++k)
        share[at + k] = records_[c].share_sum()[at + order[c][k]];
    }
    add(share, out.share);
  }
  return out;
}

Dic GomSampler::dic() const {
  std::vector<double> all;
  for (const GomRecord& record : records_)
    all.insert(all.end(), record.log_likelihood().begin(), record.log_likelihood().end());
  double plug_in = 0;
  std::vector<double> sums(records_.size());
  for (std::size_t cell = 0; cell < model_.cell_code().size(); ++cell) {
    for (std::size_t c = 0; c < records_.size(); ++c)
      sums[c] = records_[c].log_probability_sum(cell);
    plug_in += static_cast<double>(model_.cell_weight()[cell]) *
               (math::log_sum_exp(sums) - std::log(static_cast<double>(all.size())));
  }
  return conditional_dic(all, plug_in);
}

void GomSampler::save(core::TensorFile& file) const {
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    chains_[c].save(file, chain_prefix(c));
    records_[c].save(file, chain_prefix(c) + "record.");
  }
}

void GomSampler::restore(const core::TensorFile& file) {
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    chains_[c].restore(file, chain_prefix(c));
    records_[c].restore(file, chain_prefix(c) + "record.");
    const std::size_t sweeps = chains_[c].sweeps(), burn_in = schedule_.burn_in;
    const std::size_t due = sweeps > burn_in ? sweeps - burn_in : 0;
    const std::size_t done = records_[c].log_likelihood().size();
    if ((done != due && done + 1 != due) || records_[c].draws().size() != done / schedule_.thin)
      throw InputError({file.origin, "its records do not fit the sweeps of its chain",
                        "start again without it"});
  }
}

}  // namespace medley::samplers
