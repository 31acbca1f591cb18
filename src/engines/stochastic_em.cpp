// SPDX-License-Identifier: Apache-2.0
#include "engines/stochastic_em.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "engines/succession.hpp"
#include "engines/variational_em.hpp"

namespace medley::engines {

StochasticEm::StochasticEm(EmModel model, std::size_t threads)
    : model_(std::move(model)), threads_(core::thread_count(threads)) {
  for (auto& family : model_.families) statistics_.emplace_back(family->statistics().size(), 0.0);
  prior_ = model_.membership->empty_statistics();
}

double StochasticEm::expectation(const Dataset& batch, const memberships::Limits& limits,
                                 memberships::PriorStatistics& prior) {
  const EmData data = prepare(batch, threads_);
  VariationalEm rows(data, std::move(model_));
  const double bound = rows.collect(limits, prior);
  model_ = std::move(rows.model());
  return bound;
}

// Both the statistics kept here and those in the families become keep * before + add * families'.
void StochasticEm::blend(double keep, double add, const memberships::PriorStatistics& prior) {
  constexpr std::size_t kChunk = std::size_t{1} << 15;
  for (std::size_t b = 0; b < statistics_.size(); ++b) {
    std::vector<double>& before = statistics_[b];
    const std::span<double> now = model_.families[b]->statistics();
    core::parallel_for((before.size() + kChunk - 1) / kChunk, threads_,
                       [&](std::size_t chunk, std::size_t) {
                         const std::size_t end = std::min(before.size(), (chunk + 1) * kChunk);
                         for (std::size_t i = chunk * kChunk; i < end; ++i)
                           before[i] = now[i] = keep * before[i] + add * now[i];
                       });
  }
  prior_.rows = keep * prior_.rows + add * prior.rows;
  for (std::size_t k = 0; k < prior_.sum.size(); ++k)
    prior_.sum[k] = keep * prior_.sum[k] + add * prior.sum[k];
  prior_.records = prior.records;  // of the latest minibatch: they are not summed
  prior_.threads = threads_;
}

void StochasticEm::begin_with_statistics(double scale) {
  begin_with_statistics(scale, model_.membership->empty_statistics());
}

void StochasticEm::begin_with_statistics(double scale, const memberships::PriorStatistics& prior) {
  blend(0.0, scale, prior);
}

void StochasticEm::begin_with_rows(const Dataset& rows, double scale) {
  memberships::PriorStatistics prior;
  expectation(rows, StochasticStep().limits, prior);
  blend(0.0, scale, prior);
}

void StochasticEm::change_membership(const Dataset& rows,
                                     std::unique_ptr<memberships::Membership> next,
                                     const memberships::InferenceMode& mode) {
  succeed(rows, std::move(next), mode, threads_, model_);
}

double StochasticEm::step(const Dataset& batch, const StochasticStep& how) {
  memberships::PriorStatistics prior;
  const double bound = expectation(batch, how.limits, prior);
  blend(1.0 - how.rho, how.rho * how.scale, prior);
  prior_.scale = how.scale;
  prior_.rho = how.rho;
  for (auto& family : model_.families) family->maximise(model_.smoothing);
  if (how.prior) model_.membership->maximise(prior_, model_.alpha);
  return bound;
}

void StochasticEm::save(core::TensorFile& file, const std::string& prefix) const {
  save_parameters(model_, file, prefix);
  for (std::size_t b = 0; b < statistics_.size(); ++b)
    file.put(prefix + "statistics." + std::to_string(b), statistics_[b]);
  file.put(prefix + "prior.rows", std::vector<double>{prior_.rows});
  file.put(prefix + "prior.sum", prior_.sum);
}

void StochasticEm::restore(const core::TensorFile& file, const std::string& prefix) {
  restore_parameters(file, prefix, model_);
  for (std::size_t b = 0; b < statistics_.size(); ++b) {
    statistics_[b] =
        file.doubles(prefix + "statistics." + std::to_string(b), statistics_[b].size());
  }
  prior_.rows = file.doubles(prefix + "prior.rows", 1).front();
  prior_.sum = file.doubles(prefix + "prior.sum", prior_.sum.size());
}

}  // namespace medley::engines
