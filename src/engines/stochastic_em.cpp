// SPDX-License-Identifier: Apache-2.0
#include "engines/stochastic_em.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "engines/registry.hpp"
#include "engines/warm_start_membership.hpp"
#include "families/dirichlet_tables.hpp"

namespace medley::engines {

StochasticEm::StochasticEm(EmModel model, std::size_t threads, core::Reducer& across)
    : model_(std::move(model)), threads_(core::thread_count(threads)), across_(across) {
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

void StochasticEm::estep(const EmData& batch, const memberships::Limits& limits) {
  if (!batch_.fits(model_)) batch_ = Statistics(model_);
  if (!across_.alone()) batch_.clear();  // slots that only others meet
  engine_of(*model_.inference).estep(batch, limits, model_, batch_);
}

void StochasticEm::blend(double keep, double add, const std::vector<data::Columns>& met,
                         const Statistics& statistics) {
  for (std::size_t b = 0; b < model_.families.size(); ++b)
    model_.families[b]->blend(keep, add, met[b], statistics.table(b));
  const memberships::PriorStatistics prior = statistics.prior();
  prior_.rows = keep * prior_.rows + add * prior.rows;
  for (std::size_t k = 0; k < prior_.sum.size(); ++k)
    prior_.sum[k] = keep * prior_.sum[k] + add * prior.sum[k];
  if (prior.per_alpha)
    prior_.per_alpha = keep * prior_.per_alpha.value_or(0.0) + add * *prior.per_alpha;
  prior_.records = prior.records;  // of the latest minibatch: they are not summed
  prior_.threads = threads_;
}

// The slots that have cells here or elsewhere.
std::vector<data::Columns> StochasticEm::met_by_any(const EmData& batch) const {
  if (across_.alone()) return batch.columns;
  std::vector<data::Columns> out;
  for (const data::Columns& columns : batch.columns) {
    std::vector<double> cells;
    for (std::size_t s = 0; s + 1 < columns.start.size(); ++s)
      cells.push_back(columns.start[s] < columns.start[s + 1] ? 1 : 0);
    across_.sum(cells);
    data::Columns& met = out.emplace_back();
    met.start.push_back(0);
    for (const double any : cells) met.start.push_back(met.start.back() + (any > 0 ? 1 : 0));
  }
  return out;
}

void StochasticEm::init_average(const Statistics& statistics, double scale) {
  std::vector<data::Columns> every_slot;
  for (const auto& family : model_.families) {
    std::vector<std::uint64_t> start(family->statistics_size() / family->padded() + 1);
    std::iota(start.begin(), start.end(), std::uint64_t{0});
    every_slot.push_back({std::move(start), {}, {}});
  }
  blend(0.0, scale, every_slot, statistics);
}

void StochasticEm::init_average_from(const Dataset& rows, double scale) {
  const EmData data = prepare(rows, threads_, across_);
  estep(data, StochasticStep().limits);
  blend(0.0, scale, met_by_any(data), batch_);
}

void StochasticEm::change_membership(const Dataset& rows,
                                     std::unique_ptr<memberships::Membership> next,
                                     const model::Inference& inference) {
  next.swap(model().membership);
  warm_start_membership(prepare(rows, threads_, across_), std::move(next), inference, model());
}

double StochasticEm::step(const Dataset& batch, const StochasticStep& how) {
  const EmData data = prepare(batch, threads_, across_);
  estep(data, how.limits);
  const std::vector<data::Columns> met = met_by_any(data);
  const core::Unstoppable short_work;
  blend(1.0 - how.rho, how.rho * how.scale, met, batch_);
  prior_.scale = how.scale;
  prior_.rho = how.rho;
  if (how.smoothing) improve_smoothing(batch);
  for (std::size_t b = 0; b < model_.families.size(); ++b)
    model_.families[b]->maximise_average(model_.smoothing_of(b));
  if (how.prior) model_.membership->maximise(prior_, model_.alpha);
  return batch_.bound();
}

// Collapsed: the average is of means of counts. Taken for Poisson distributed, there are any with
// probability 1 - exp(-mean).
void StochasticEm::improve_smoothing(const Dataset& batch) {
  if (!model_.inference->needs(model::Need::dirichlet_tables)) {
    for (std::size_t b = 0; b < model_.each.size(); ++b) {
      const families::Family& family = *model_.families[b];
      if (const auto* tables = family.dirichlet())
        model_.each[b] = tables->better_smoothing(family.average(), model_.smoothing_of(b));
    }
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
