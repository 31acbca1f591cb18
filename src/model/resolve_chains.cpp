// SPDX-License-Identifier: Apache-2.0
// Chains of models that are sampled.
#include <cmath>

#include "families/registry.hpp"
#include "model/resolver.hpp"

namespace medley::model {
namespace {

// Of every chain, after its burn-in.
constexpr std::size_t kUsualSweeps = 1000;

}  // namespace

void Resolver::choose_chains() {
  FitOptions& o = out_.options;
  if (out_.inference == nullptr) return;
  ChainOptions& chains = o.chains;
  if (!out_.inference->draws) {
    chains = {};
    return;
  }
  if (o.batch > 0)
    object("`inference=\"gibbs\"`", "samples all rows in every sweep, not minibatches",
           "leave out `batch`");
  if (o.restarts > 1) object("`inference=\"gibbs\"`", "has chains, not restarts", "use `chains=N`");
  if (!(o.smoothing.value_or(0) > 0))
    object("`smoothing=0`", "a sampled table needs a prior", "leave it out, or a number above 0");
  if (o.alpha == "symmetric")
    object("`alpha=\"symmetric\"`", "is not offered by `inference=\"gibbs\"`, which draws it",
           "leave out `alpha`, or fixed:VALUE");
  if (out_.membership->infers_k && o.components > 0)
    object("`k`", "infinite membership finds how many components there are", "leave out `k`");
  if (chains.chains == 0) object("`chains`", "there must be one at least", "default 4");
  if (chains.sweeps == 0) chains.sweeps = kUsualSweeps;
  if (chains.burn_in == 0) chains.burn_in = chains.sweeps;
  check_chain_priors(chains);
  for (const Block& block : data_.blocks) check_conjugate(block);
}

void Resolver::check_chain_priors(const ChainOptions& chains) {
  const auto above = [](double value) { return value > 0 && std::isfinite(value); };
  if (!above(chains.alpha_shape) || !above(chains.alpha_rate))
    object("`alpha_prior`", "needs two numbers above 0", "default 2,10");
  const bool no_prior = chains.concentration_shape == 0 && chains.concentration_rate == 0;
  const bool prior = above(chains.concentration_shape) && above(chains.concentration_rate);
  if (!above(chains.concentration) || (!no_prior && !prior))
    object("`concentration`", "must be above 0, or gamma:SHAPE,RATE",  // not a family
           "default 1");
}

void Resolver::check_conjugate(const Block& block) {
  if (families::find(block.family)->conjugate != nullptr) return;
  object(
      "column \"" + block.features.front().name + "\"",
      "is " + block.family + ", which cannot be sampled (`inference=\"gibbs\"`)",
      "use `column=\"NAME=FAMILY\"` with another family: lognormal, exponential");  // not a family
}

}  // namespace medley::model
