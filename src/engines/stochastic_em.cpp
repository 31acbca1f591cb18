// SPDX-License-Identifier: Apache-2.0
#include "engines/stochastic_em.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "engines/registry.hpp"
#include "engines/succession.hpp"
#include "families/dirichlet_tables.hpp"

namespace medley::engines {

StochasticEm::StochasticEm(EmModel model, std::size_t threads)
    : model_(std::move(model)), threads_(core::thread_count(threads)) {
  for (auto& family : model_.families) family->begin_average();
  prior_ = model_.membership->empty_statistics();
}

EmModel& StochasticEm::model() {
  for (auto& family : model_.families) family->refresh();
  return model_;
}

EmModel StochasticEm::take() {
  for (auto& family : model_.families) family->end_average();
  return std::move(model_);
}

double StochasticEm::expectation(const EmData& batch, const memberships::Limits& limits,
                                 memberships::PriorStatistics& prior) {
  return engine_of(*model_.inference).minibatch(batch, limits, model_, prior);
}

void StochasticEm::blend(double keep, double add, const EmData& batch,
                         const memberships::PriorStatistics& prior) {
  for (std::size_t b = 0; b < model_.families.size(); ++b)
    model_.families[b]->blend(keep, add, batch.columns[b]);
  prior_.rows = keep * prior_.rows + add * prior.rows;
  for (std::size_t k = 0; k < prior_.sum.size(); ++k)
    prior_.sum[k] = keep * prior_.sum[k] + add * prior.sum[k];
  if (prior.per_alpha)
    prior_.per_alpha = keep * prior_.per_alpha.value_or(0.0) + add * *prior.per_alpha;
  prior_.records = prior.records;  // of the latest minibatch: they are not summed
  prior_.threads = threads_;
}

void StochasticEm::begin_with_statistics(const EmData& data, double scale) {
  blend(0.0, scale, data, model_.membership->empty_statistics());
}

void StochasticEm::begin_with_all_statistics(double scale,
                                             const memberships::PriorStatistics& prior) {
  EmData every_slot;
  for (auto& family : model_.families) {
    std::vector<std::uint64_t> start(family->statistics().size() / family->padded() + 1);
    std::iota(start.begin(), start.end(), std::uint64_t{0});
    every_slot.columns.push_back({std::move(start), {}, {}});
  }
  blend(0.0, scale, every_slot, prior);
}

void StochasticEm::begin_with_rows(const Dataset& rows, double scale) {
  const EmData data = prepare(rows, threads_);
  memberships::PriorStatistics prior;
  expectation(data, StochasticStep().limits, prior);
  blend(0.0, scale, data, prior);
}

void StochasticEm::change_membership(const Dataset& rows,
                                     std::unique_ptr<memberships::Membership> next,
                                     const model::Inference& inference) {
  next.swap(model().membership);
  succeed(rows, std::move(next), inference, threads_, model());
}

double StochasticEm::step(const Dataset& batch, const StochasticStep& how) {
  const EmData data = prepare(batch, threads_);
  memberships::PriorStatistics prior;
  const double bound = expectation(data, how.limits, prior);
  const core::Unstoppable short_work;
  blend(1.0 - how.rho, how.rho * how.scale, data, prior);
  prior_.scale = how.scale;
  prior_.rho = how.rho;
  if (how.smoothing) improve_smoothing(batch);
  for (std::size_t b = 0; b < model_.families.size(); ++b)
    model_.families[b]->maximise_average(model_.smoothing_of(b));
  if (how.prior) model_.membership->maximise(prior_, model_.alpha);
  return bound;
}

// Collapsed: the average is of means of counts. Taken for Poisson distributed, there are any with
// probability 1 - exp(-mean).
void StochasticEm::improve_smoothing(const Dataset& batch) {
  if (!model_.inference->needs(model::Need::dirichlet_tables)) {
    model_.improve_smoothing();
    return;
  }
  for (std::size_t b = 0; b < model_.each.size(); ++b) {
    const families::Family& family = *model_.families[b];
    const std::vector<double> average = family.average();
    std::vector<float> present;
    for (const double mean : average)
      present.push_back(static_cast<float>(-std::expm1(-std::max(0.0, mean))));
    model_.each[b] = families::better_smoothing(
        {average, batch.blocks[b].first_slot, family.components(), family.padded(), present},
        model_.each[b]);
  }
}

void StochasticEm::save(core::TensorFile& file, const std::string& prefix) const {
  save_parameters(model_, file, prefix);
  for (std::size_t b = 0; b < model_.families.size(); ++b)
    file.put(prefix + "average." + std::to_string(b), model_.families[b]->average_state());
  file.put(prefix + "prior.rows", std::vector<double>{prior_.rows});
  file.put(prefix + "prior.sum", prior_.sum);
  if (prior_.per_alpha)
    file.put(prefix + "prior.per_alpha", std::vector<double>{*prior_.per_alpha});
}

void StochasticEm::restore(const core::TensorFile& file, const std::string& prefix) {
  restore_parameters(file, prefix, model_);
  for (std::size_t b = 0; b < model_.families.size(); ++b) {
    families::Family& family = *model_.families[b];
    family.restore_average(
        file.doubles(prefix + "average." + std::to_string(b), family.average_state().size()),
        model_.smoothing_of(b));
  }
  prior_.rows = file.doubles(prefix + "prior.rows", 1).front();
  prior_.sum = file.doubles(prefix + "prior.sum", prior_.sum.size());
  if (file.tensors.contains(prefix + "prior.per_alpha"))
    prior_.per_alpha = file.doubles(prefix + "prior.per_alpha", 1).front();
}

}  // namespace medley::engines
