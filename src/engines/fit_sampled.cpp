// SPDX-License-Identifier: Apache-2.0
#include "engines/fit_sampled.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "core/files.hpp"
#include "core/task.hpp"
#include "engines/checkpoint.hpp"
#include "engines/finish.hpp"
#include "engines/registry.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/marginal.hpp"
#include "model/model_on_data.hpp"
#include "samplers/sample_dp.hpp"
#include "samplers/sample_gom.hpp"

namespace medley::engines {
namespace {

class SampledFit {
 public:
  SampledFit(const Dataset& data, const model::Resolved& resolved, const Hooks& hooks)
      : data_(data), resolved_(resolved), hooks_(hooks), begun_(std::chrono::steady_clock::now()) {
    if (!options().checkpoint.empty()) fingerprint_ = fingerprint(data, options());
  }

  Model run() {
    samplers::Watch watch;
    watch.sweep = [&](std::size_t chain, std::size_t sweep, double value) {
      return after(chain, sweep, value);
    };
    if (!options().checkpoint.empty()) {
      watch.keep = [&](core::TensorFile file) { keep(std::move(file)); };
      if (options().resume && std::filesystem::exists(options().checkpoint))
        watch.from = load_checkpoint(options().checkpoint, fingerprint_);
    }
    auto parts = finish(sample(watch));
    if (parts->summary.termination == Termination::interrupted && last_) write(std::move(*last_));
    parts->summary.seconds = seconds();
    parts->summary.peak_bytes = core::peak_memory();
    return Model(std::move(parts));
  }

 private:
  [[nodiscard]] const FitOptions& options() const { return resolved_.options; }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }
  samplers::Sampled sample(const samplers::Watch& watch) const {
    try {
      return resolved_.membership->infers_k ? samplers::sample_dp(data_, resolved_, watch)
                                            : samplers::sample_gom(data_, resolved_, watch);
    } catch (const Interrupted&) {
      samplers::Sampled none;
      none.finished = false;
      return none;
    }
  }

  bool after(std::size_t chain, std::size_t sweep, double value) {
    const std::size_t chains = options().chains.chains;
    const std::size_t all = options().chains.burn_in + options().chains.sweeps;
    if (first_ == 0) first_ = sweep;  // a run that was resumed begins further on
    ++done_;
    if (hooks_.progress) {
      Progress p;
      p.stage = sweep <= options().chains.burn_in ? "burn-in" : "sweep";
      p.restart = chain;
      p.restarts = chains;
      p.iteration = sweep;
      p.bound = value;
      p.seconds = seconds();
      p.rows_seen = done_ * data_.rows;
      const double left =
          static_cast<double>((all - first_ + 1) * chains) - static_cast<double>(done_);
      p.seconds_left = p.seconds / static_cast<double>(done_) * std::max(left, 0.0);
      hooks_.progress(p);
    }
    return !core::asked_to_stop();
  }

  // What is not written now is when the fit is interrupted later on.
  void keep(core::TensorFile file) {
    if (core::asked_to_stop() || seconds() - kept_ >= options().checkpoint_seconds) {
      write(std::move(file));
    } else {
      last_ = std::move(file);
    }
  }

  void write(core::TensorFile file) {
    last_.reset();
    care_.keep([&] { save_checkpoint(options().checkpoint, fingerprint_, std::move(file)); });
    kept_ = seconds();
  }

  // What the columns are like, and which model it is.
  [[nodiscard]] std::shared_ptr<model::Parts> begun(std::size_t components) const {
    auto parts = std::make_shared<model::Parts>();
    parts->schema = resolved_.schema;
    parts->options = options();
    parts->options.components = components;
    parts->names.resize(components);
    parts->sizes.assign(components, 1 / static_cast<double>(components));
    parts->membership = resolved_.membership->make(components);
    const families::Smoothing smoothing{model::kMarginalSmoothing, 0};
    for (const Block& block : data_.blocks) {
      parts->blocks.push_back({block.shape(), families::find(block.family)->make(block, components),
                               model::fit_marginal(data_, block, smoothing),
                               model::slot_totals(data_, block)});
    }
    return parts;
  }

  [[nodiscard]] std::shared_ptr<model::Parts> finish(samplers::Sampled sampled) const {
    const std::size_t components = sampled.finished ? sampled.prior.size() : 1;
    std::optional<core::Unstoppable> short_work;  // what was interrupted is still to be a model
    if (!sampled.finished) short_work.emplace();
    auto parts = begun(components);
    FitSummary& summary = parts->summary;
    summary.iterations = sampled.sweeps;
    count_rows(summary);
    if (!sampled.finished) {
      summary.termination = Termination::interrupted;
      take_marginals(parts->blocks);
      leave_unscored(*parts);
      return parts;
    }
    summary.termination = Termination::sampled;
    parts->membership->set_parameters(sampled.prior);
    for (std::size_t b = 0; b < parts->blocks.size(); ++b)
      parts->blocks[b].family->set_parameters(sampled.table[b]);
    set_sizes(sampled.share, *parts);
    parts->draws = std::make_shared<model::Draws>(std::move(sampled.draws));
    order_by_size(*parts);
    try {
      score(parts);
    } catch (const Interrupted&) {
      summary.termination = Termination::interrupted;
      summary.bound = std::numeric_limits<double>::quiet_NaN();
    }
    return parts;
  }

  void score(const std::shared_ptr<model::Parts>& parts) const {
    const model::ModelOnData on_data{Model(parts), data_};
    const std::vector<double> found = on_data.score(data_, options().threads).bound;
    double sum = 0;
    for (std::size_t row = 0; row < data_.rows; ++row) sum += data_.weight_of(row) * found[row];
    parts->summary.exact = on_data.exact(data_);
    parts->summary.bound = sum;
  }

  void count_rows(FitSummary& summary) const {
    summary.rows = data_.rows;
    summary.weights = data_.weighting();
    for (std::size_t row = 0; row < data_.rows; ++row) {
      const double observed = data_.observed(row);
      summary.observations += data_.weight_of(row) * observed;
      summary.empty_rows += observed > 0 ? 0 : 1;
    }
  }

  void set_sizes(const std::vector<double>& share, model::Parts& parts) const {
    std::ranges::fill(parts.sizes, 0.0);
    const std::size_t components = parts.sizes.size();
    double total = 0;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      if (data_.observed(row) <= 0) continue;
      total += data_.weight_of(row);
      for (std::size_t k = 0; k < components; ++k)
        parts.sizes[k] += data_.weight_of(row) * share[row * components + k];
    }
    for (double& size : parts.sizes)
      size = total > 0 ? size / total : 1 / static_cast<double>(components);
  }

  const Dataset& data_;
  const model::Resolved& resolved_;
  const Hooks& hooks_;
  std::chrono::steady_clock::time_point begun_;
  std::string fingerprint_;
  std::size_t first_ = 0, done_ = 0;
  double kept_ = 0;
  CheckpointCare care_{options().checkpoint, hooks_};
  std::optional<core::TensorFile> last_;
};

}  // namespace

Model fit_sampled(const Dataset& data, const model::Resolved& resolved, const Hooks& hooks) {
  const core::Task task(hooks.stop);
  return SampledFit(data, resolved, hooks).run();
}

const EngineEntry gibbs_engine = {.inference = &model::gibbs_inference, .sample = fit_sampled};

}  // namespace medley::engines
