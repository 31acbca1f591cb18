// SPDX-License-Identifier: Apache-2.0
#include "engines/fit_sampled.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/task.hpp"
#include "engines/build_model.hpp"
#include "engines/checkpoint.hpp"
#include "engines/fit_run.hpp"
#include "engines/registry.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/model_on_data.hpp"
#include "samplers/sample_dp.hpp"
#include "samplers/sample_gom.hpp"

namespace medley::engines {
namespace {

class SampledFit {
 public:
  SampledFit(const Dataset& data, const model::Resolved& resolved, const Hooks& hooks)
      : data_(data), resolved_(resolved), run_(options(), hooks) {
    run_.identify([&] { return fingerprint(data_, options()); });
  }

  Model run() {
    samplers::Watch watch;
    watch.sweep = [&](std::size_t chain, std::size_t sweep, double value) {
      return after(chain, sweep, value);
    };
    if (run_.keeps()) watch.keep = [&](core::TensorFile file) { keep(std::move(file)); };
    if (run_.resumes()) watch.from = load_checkpoint(options().checkpoint, run_.fingerprint());
    auto parts = finish(sample(watch));
    if (parts->summary.termination == Termination::interrupted && last_) write(std::move(*last_));
    run_.summarise(parts->summary);
    return Model(std::move(parts));
  }

 private:
  [[nodiscard]] const FitOptions& options() const { return resolved_.options; }
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
    if (run_.heard()) {
      Progress p;
      p.stage = sweep <= options().chains.burn_in ? "burn-in" : "sweep";
      p.restart = chain;
      p.restarts = chains;
      p.iteration = sweep;
      p.bound = value;
      p.rows_seen = done_ * data_.rows;
      const double left =
          static_cast<double>((all - first_ + 1) * chains) - static_cast<double>(done_);
      p.seconds_left = run_.seconds() / static_cast<double>(done_) * std::max(left, 0.0);
      run_.tell(p);
    }
    return !core::asked_to_stop();
  }

  // What is not written now is when the fit is interrupted later on.
  void keep(core::TensorFile file) {
    if (core::asked_to_stop() || run_.due()) {
      write(std::move(file));
    } else {
      last_ = std::move(file);
    }
  }

  void write(core::TensorFile file) {
    last_.reset();
    run_.keep([&] { return std::move(file); });
  }

  // The tables and the prior that were sampled; none yet of chains that were interrupted.
  [[nodiscard]] std::shared_ptr<model::Parts> parts_of(const samplers::Sampled& sampled) const {
    const std::size_t components = sampled.finished ? sampled.prior.size() : 1;
    EmModel model;
    model.membership = resolved_.membership->make(components);
    if (sampled.finished) model.membership->set_parameters(sampled.prior);
    std::vector<Population> populations;
    for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
      const Block& block = data_.blocks[b];
      model.families.push_back(families::find(block.family)->make(block, components));
      if (sampled.finished) model.families[b]->set_parameters(sampled.table[b]);
      populations.push_back(population_of(data_, b, {model::kMarginalSmoothing, 0}));
    }
    return assemble(resolved_, data_, std::move(model), std::move(populations));
  }

  [[nodiscard]] std::shared_ptr<model::Parts> finish(samplers::Sampled sampled) const {
    std::optional<core::Unstoppable> short_work;  // what was interrupted is still to be a model
    if (!sampled.finished) short_work.emplace();
    auto parts = parts_of(sampled);
    FitSummary& summary = parts->summary;
    summary.iterations = sampled.sweeps;
    count_rows(data_, summary);
    if (!sampled.finished) {
      summary.termination = Termination::interrupted;
      take_marginals(parts->blocks);
      leave_unscored(*parts);
      return parts;
    }
    summary.termination = Termination::sampled;
    parts->sizes = mean_shares(data_, sampled.share, parts->components());
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

  const Dataset& data_;
  const model::Resolved& resolved_;
  FitRun run_;
  std::size_t first_ = 0, done_ = 0;
  std::optional<core::TensorFile> last_;
};

}  // namespace

Model fit_sampled(const Dataset& data, const model::Resolved& resolved, const Hooks& hooks) {
  const core::Task task(hooks.stop);
  return SampledFit(data, resolved, hooks).run();
}

const EngineEntry gibbs_engine = {.inference = &model::gibbs_inference, .sample = fit_sampled};

}  // namespace medley::engines
