// SPDX-License-Identifier: Apache-2.0
#include "samplers/sample_gom.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "model/parameters.hpp"
#include "samplers/gom_sampler.hpp"

namespace medley::samplers {
namespace {

std::vector<double> identity(std::size_t size) {
  std::vector<double> out(size * size, 0.0);
  for (std::size_t k = 0; k < size; ++k) out[k * size + k] = 1;
  return out;
}

std::vector<model::Trace> traces(const GomModel& model, const GomSampler& sampler) {
  std::vector<model::Trace> out = {{model::kLogLikelihood, sampler.log_likelihood()},
                                   {model::kAlphaSum, sampler.alpha0()}};
  const auto cells = sampler.cell_probabilities();
  for (std::size_t i = 0; i < cells.size(); ++i)
    out.push_back({model.cell_name(sampler.traced()[i]), cells[i], true});
  return out;
}

}  // namespace

GomOptions gom_options(const Dataset& data, const model::Resolved& resolved) {
  const FitOptions& o = resolved.options;
  GomOptions out;
  out.components = o.components;
  out.priors = block_priors(data, o.smoothing.value());
  out.alpha_prior = {o.chains.alpha_shape, o.chains.alpha_rate};
  if (resolved.alpha == AlphaMode::fixed) out.alpha.assign(o.components, resolved.alpha_start);
  out.seed = o.seed;
  return out;
}

Sampled sample_gom(const Dataset& data, const model::Resolved& resolved, const Watch& watch) {
  const FitOptions& o = resolved.options;
  const GomModel model(data, gom_options(data, resolved));
  std::size_t bytes = 0;
  for (const auto& family : model.make_families())
    bytes += family->parameters().size() * sizeof(double);
  const std::size_t kept = draws_per_chain(o.chains, bytes);
  const std::size_t thin = (o.chains.sweeps + kept - 1) / kept;
  GomSampler sampler(model, {o.chains.chains, o.chains.burn_in, thin});
  const std::size_t all = o.chains.burn_in + o.chains.sweeps;
  const std::size_t threads = core::thread_count(o.threads);
  Sampled out;
  out.finished = run_in_slices(sampler, all, watch, [&](std::size_t sweeps) {
    return sampler.run(sweeps, threads, watch.sweep);
  });
  out.sweeps = all;
  for (const GomChain& chain : sampler.chains()) out.sweeps = std::min(out.sweeps, chain.sweeps());
  if (!out.finished) return out;
  GomMeans means = sampler.means();
  out.prior = std::move(means.alpha);
  out.table = std::move(means.tables);
  out.share = std::move(means.share);
  std::vector<std::size_t> of_chain(o.chains.chains, 0);
  for (const GomDraw& draw : sampler.draws()) {
    model::Draw& to = out.draws.draw.emplace_back();
    to.chain = draw.chain;
    to.sweep = ++of_chain[draw.chain] * thin - 1;
    to.prior = draw.alpha;
    for (const std::vector<double>& table : draw.tables)
      to.table.push_back(model::unpadded(table, o.components));
    to.onto = identity(o.components);
  }
  out.draws.trace = traces(model, sampler);
  const Dic dic = sampler.dic();
  out.draws.deviance = model::Deviance{dic.mean_deviance, dic.plug_in};
  out.draws.burn_in = o.chains.burn_in;
  out.draws.sweeps = o.chains.sweeps;
  return out;
}

}  // namespace medley::samplers
