// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_mixture.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "medley/error.hpp"
#include "samplers/sampled.hpp"

namespace medley::samplers {
namespace {

std::vector<std::int64_t> flat_labels(const std::vector<Labels>& draws) {
  std::vector<std::int64_t> all;
  for (const Labels& labels : draws) all.insert(all.end(), labels.begin(), labels.end());
  return all;
}

// Labels as they were saved; any that are none are refused.
Labels checked(const core::TensorFile& file, std::span<const std::int64_t> saved) {
  const auto rows = static_cast<std::int64_t>(saved.size());
  if (!std::ranges::all_of(saved, [&](std::int64_t l) { return l >= 0 && l < rows; }))
    throw InputError({file.origin, "holds labels that are none", "start again without it"});
  return {saved.begin(), saved.end()};
}

}  // namespace

DpMixture::DpMixture(const DpModel& model, DpSchedule schedule)
    : model_(model), schedule_(std::move(schedule)), draws_(schedule_.starts.size()) {
  core::Problems problems;
  if (schedule_.starts.empty()) problems.add("chains", "there are none", "give at least one start");
  if (std::ranges::any_of(schedule_.starts, [](std::size_t k) { return k == 0; }))
    problems.add("starts", "a chain cannot start from 0 clusters", "start from 1 or more");
  if (schedule_.thin == 0) problems.add("thin", "is 0", "keep every draw with 1");
  problems.throw_if_any();
  chains_.reserve(schedule_.starts.size());
  for (std::size_t c = 0; c < schedule_.starts.size(); ++c) {
    chains_.emplace_back(model_, c);
    chains_.back().start(schedule_.starts[c]);
  }
}

bool DpMixture::run(std::size_t sweeps, std::size_t threads, const DpHooks& hooks) {
  std::size_t until = chains_.front().sweeps();
  for (const DpChain& chain : chains_) until = std::min(until, chain.sweeps());
  until += sweeps;
  const auto stopped = [&] { return hooks.stop != nullptr && hooks.stop->load(); };
  std::mutex one_at_a_time;
  const auto go_on = [&](std::size_t c, std::size_t /*worker*/) {
    DpChain& chain = chains_[c];
    while (chain.sweeps() < until && !stopped()) {
      chain.sweep();
      if (chain.sweeps() > schedule_.burn_in && !chain.searching()) record(c);
      if (!hooks.progress) continue;
      const std::lock_guard lock(one_at_a_time);
      hooks.progress({c, chain.sweeps(), chain.clusters(), chain.log_joint(), chain.searching()});
    }
  };
  try {
    core::parallel_for(chains_.size(), threads, go_on);
  } catch (const Interrupted&) {  // the chains are between two sweeps
    return false;
  }
  return std::ranges::all_of(chains_, [&](const DpChain& c) { return c.sweeps() >= until; });
}

void DpMixture::record(std::size_t c) {
  const DpChain& chain = chains_[c];
  DpDraws& draws = draws_[c];
  if (draws.clusters.empty() || chain.log_joint() > draws.best_log_joint) {
    draws.best = chain.labels();
    draws.best_log_joint = chain.log_joint();
  }
  draws.clusters.push_back(static_cast<double>(chain.clusters()));
  draws.concentration.push_back(chain.concentration());
  draws.log_joint.push_back(chain.log_joint());
  if (draws.clusters.size() % schedule_.thin != 0) return;
  draws.labels.push_back(chain.labels());
  draws.labels_concentration.push_back(chain.concentration());
}

math::Chains DpMixture::traces(std::vector<double> DpDraws::* quantity) const {
  math::Chains out;
  for (const DpDraws& draws : draws_) out.push_back(draws.*quantity);
  std::size_t shortest = out.front().size();
  for (const auto& trace : out) shortest = std::min(shortest, trace.size());
  for (auto& trace : out) trace.resize(shortest);
  return out;
}

std::map<std::size_t, double> DpMixture::posterior_of_k() const {
  std::map<std::size_t, double> share;
  double total = 0;
  for (const DpDraws& draws : draws_) {
    for (const double k : draws.clusters) ++share[integer_of<std::size_t>(k)];
    total += static_cast<double>(draws.clusters.size());
  }
  for (auto& [k, count] : share) count /= total;
  return share;
}

std::vector<Labels> DpMixture::labels() const {
  std::vector<Labels> all;
  for (const DpDraws& draws : draws_)
    all.insert(all.end(), draws.labels.begin(), draws.labels.end());
  return all;
}

std::vector<DpKept> DpMixture::kept() const {
  const std::size_t before = std::max(schedule_.burn_in, model_.options().search_rounds);
  std::vector<DpKept> all;
  for (std::size_t c = 0; c < draws_.size(); ++c) {
    for (std::size_t d = 0; d < draws_[c].labels.size(); ++d)
      all.push_back({c, before + (d + 1) * schedule_.thin, &draws_[c].labels[d],
                     draws_[c].labels_concentration[d]});
  }
  return all;
}

const Labels& DpMixture::best() const {
  const auto better = [](const DpDraws& a, const DpDraws& b) {
    return b.best.empty() ? false : a.best.empty() || a.best_log_joint < b.best_log_joint;
  };
  return std::max_element(draws_.begin(), draws_.end(), better)->best;
}

void DpMixture::save(core::TensorFile& file) const {
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const std::string prefix = chain_prefix(c);
    const DpDraws& draws = draws_[c];
    chains_[c].save(file, prefix);
    file.put(prefix + "draws.clusters", draws.clusters);
    file.put(prefix + "draws.concentration", draws.concentration);
    file.put(prefix + "draws.log_joint", draws.log_joint);
    file.put(prefix + "draws.labels", flat_labels(draws.labels));
    file.put(prefix + "draws.labels_concentration", draws.labels_concentration);
    file.put(prefix + "draws.best",
             std::vector<std::int64_t>(draws.best.begin(), draws.best.end()));
    file.put(prefix + "draws.best_log_joint", std::vector<double>{draws.best_log_joint});
  }
}

void DpMixture::restore(const core::TensorFile& file) {
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const std::string prefix = chain_prefix(c);
    DpDraws draws;
    chains_[c].restore(file, prefix);
    draws.clusters = file.doubles(prefix + "draws.clusters");
    const std::size_t count = draws.clusters.size(), kept = count / schedule_.thin;
    draws.concentration = file.doubles(prefix + "draws.concentration", count);
    draws.log_joint = file.doubles(prefix + "draws.log_joint", count);
    draws.labels_concentration = file.doubles(prefix + "draws.labels_concentration", kept);
    const auto& labels = file.integers(prefix + "draws.labels", kept * model_.rows());
    for (std::size_t d = 0; d < kept; ++d)
      draws.labels.push_back(
          checked(file, std::span(labels).subspan(d * model_.rows(), model_.rows())));
    draws.best =
        checked(file, file.integers(prefix + "draws.best", count == 0 ? 0 : model_.rows()));
    draws.best_log_joint = file.doubles(prefix + "draws.best_log_joint", 1)[0];
    draws_[c] = std::move(draws);
  }
}

}  // namespace medley::samplers
