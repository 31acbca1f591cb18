// SPDX-License-Identifier: Apache-2.0
#include "samplers/sample_dp.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "kernels/lanes.hpp"
#include "model/parameters.hpp"
#include "samplers/clusters.hpp"
#include "samplers/dp_draws.hpp"
#include "samplers/dp_mixture.hpp"

namespace medley::samplers {
namespace {

// Draws that the point partition is chosen among: every pair is compared.
constexpr std::size_t kCandidates = 100;

DpSchedule schedule_of(const Dataset& data, const ChainOptions& o, std::size_t search) {
  DpSchedule out;
  const std::vector<std::size_t> starts = o.starts.empty() ? out.starts : o.starts;
  out.starts.clear();
  for (std::size_t c = 0; c < o.chains; ++c) out.starts.push_back(starts[c % starts.size()]);
  out.burn_in = std::max(o.burn_in, search);
  // Labels take as much room as tables.
  std::size_t bytes = data.rows * sizeof(std::uint32_t);
  for (const Block& block : data.blocks) bytes += block.slots() * 20 * sizeof(double);
  const std::size_t kept = draws_per_chain(o, bytes);
  out.thin = (o.sweeps + kept - 1) / kept;
  return out;
}

Labels point_partition(const std::vector<DpKept>& kept) {
  std::vector<Labels> some;
  const std::size_t count = std::min(kCandidates, kept.size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(*kept[i * kept.size() / count].labels);
  return some[least_squares(some)];
}

// What all draws say of the profiles: means over their clusters, each weighted by its size and by
// the part of it that belongs there. What is of no cluster has no part in it.
class Means {
 public:
  Means(std::size_t profiles, std::size_t blocks) : weight_(profiles, 0.0), table_(blocks) {}

  void add(const DpFinite& draw) {
    const std::size_t profiles = weight_.size();
    const std::size_t from = kernels::padded(draw.weight.size()), to = kernels::padded(profiles);
    for (std::size_t j = 0; j < draw.clusters; ++j) {
      for (std::size_t k = 0; k < profiles; ++k) {
        const double part = draw.size[j] * draw.overlap[j * profiles + k];
        weight_[k] += part;
        for (std::size_t b = 0; b < table_.size(); ++b) {
          const std::size_t rows = draw.parameters[b].size() / from;
          table_[b].resize(rows * to, 0.0);
          for (std::size_t r = 0; r < rows; ++r)
            table_[b][r * to + k] += part * draw.parameters[b][r * from + j];
        }
      }
    }
  }

  void put_into(Sampled& out) const {
    double total = 0;
    for (const double weight : weight_) total += weight;
    for (const double weight : weight_) out.prior.push_back(weight / total);
    const std::size_t width = kernels::padded(weight_.size());
    out.table = table_;
    for (std::vector<double>& table : out.table) {
      for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = i % width < weight_.size() ? table[i] / weight_[i % width] : 0.0;
    }
  }

 private:
  std::vector<double> weight_;
  std::vector<std::vector<double>> table_;  // per block, sums
};

model::Draw draw_of(const DpFinite& finite, const DpKept& kept, std::span<const double> prior,
                    std::size_t sweep) {
  model::Draw out;
  out.chain = kept.chain;
  out.sweep = sweep;
  out.prior = finite.weight;
  for (const std::vector<double>& table : finite.parameters)
    out.table.push_back(model::unpadded(table, finite.weight.size()));
  out.onto = finite.overlap;
  for (std::size_t j = finite.clusters; j < finite.weight.size(); ++j)  // as all rows are
    out.onto.insert(out.onto.end(), prior.begin(), prior.end());
  return out;
}

// The mean over draws of where a row's cluster belongs.
std::vector<double> shares(const DpModel& model, std::span<const DpKept> kept,
                           std::span<const DpFinite> finite, std::size_t profiles,
                           std::size_t rows) {
  std::vector<double> out(rows * profiles, 0.0), times(rows, 0.0);
  for (std::size_t i = 0; i < model.rows(); ++i) {
    const std::size_t row = model.origin(i);
    times[row] += static_cast<double>(kept.size());
    for (std::size_t d = 0; d < kept.size(); ++d) {
      const double* part = &finite[d].overlap[(*kept[d].labels)[i] * profiles];
      for (std::size_t k = 0; k < profiles; ++k) out[row * profiles + k] += part[k];
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = times[i / profiles] > 0 ? out[i] / times[i / profiles]
                                     : 1.0 / static_cast<double>(profiles);
  return out;
}

bool run(DpMixture& mixture, std::size_t all, const FitOptions& o, const Watch& watch) {
  const std::size_t threads = core::thread_count(o.threads);
  std::atomic<bool> stop = false;
  DpHooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const DpProgress& at) {
    if (watch.sweep && !watch.sweep(at.chain, at.sweep, at.log_joint)) stop = true;
  };
  return run_in_slices(mixture, all, watch, [&](std::size_t sweeps) {
    std::size_t done = all;
    for (const DpChain& chain : mixture.chains()) done = std::min(done, chain.sweeps());
    return done >= sweeps || mixture.run(sweeps - done, threads, hooks);
  });
}

// What the draws say.
void summarise(const Dataset& data, const FitOptions& o, const DpModel& model,
               const DpSchedule& schedule, const DpMixture& mixture, Sampled& out) {
  const std::vector<DpKept> kept = mixture.kept();
  const Labels point = point_partition(kept);
  const std::size_t profiles = *std::ranges::max_element(point) + std::size_t{1};
  const std::vector<DpFinite> finite = dp_draws(model, kept, point, core::thread_count(o.threads));
  Means means(profiles, data.blocks.size());
  for (const DpFinite& draw : finite) means.add(draw);
  means.put_into(out);
  std::vector<std::size_t> of_chain(o.chains.chains, 0);
  for (std::size_t d = 0; d < kept.size(); ++d)
    out.draws.draw.push_back(
        draw_of(finite[d], kept[d], out.prior, ++of_chain[kept[d].chain] * schedule.thin - 1));
  out.share = shares(model, kept, finite, profiles, data.rows);
  out.draws.trace = {{model::kLogJoint, mixture.traces(&DpDraws::log_joint)},
                     {model::kClusters, mixture.traces(&DpDraws::clusters)}};
  if (model.options().concentration_prior)
    out.draws.trace.push_back({model::kConcentration, mixture.traces(&DpDraws::concentration)});
  out.draws.burn_in = schedule.burn_in;
  out.draws.sweeps = o.chains.sweeps;
}

}  // namespace

DpOptions dp_options(const Dataset& data, const model::Resolved& resolved) {
  const FitOptions& o = resolved.options;
  DpOptions out;
  out.priors = block_priors(data, o.smoothing.value());
  out.concentration = o.chains.concentration;
  if (o.chains.concentration_shape > 0)
    out.concentration_prior = {o.chains.concentration_shape, o.chains.concentration_rate};
  out.seed = o.seed;
  return out;
}

Sampled sample_dp(const Dataset& data, const model::Resolved& resolved, const Watch& watch) {
  const FitOptions& o = resolved.options;
  const DpModel model(data, dp_options(data, resolved));
  const DpSchedule schedule = schedule_of(data, o.chains, model.options().search_rounds);
  DpMixture mixture(model, schedule);
  const std::size_t all = schedule.burn_in + o.chains.sweeps;
  Sampled out;
  out.finished = run(mixture, all, o, watch);
  out.sweeps = all;
  for (const DpChain& chain : mixture.chains()) out.sweeps = std::min(out.sweeps, chain.sweeps());
  if (out.finished) summarise(data, o, model, schedule, mixture, out);
  return out;
}

}  // namespace medley::samplers
