// SPDX-License-Identifier: Apache-2.0
#include "choose/selection_fits.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "choose/fit_scores.hpp"
#include "choose/purposes.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "families/family.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/io.hpp"
#include "medley/uncertainty.hpp"
#include "memberships/membership.hpp"
#include "model/draws.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley::choose {
namespace {

constexpr double kApart = 0.5;  // standard deviation of the noise: odds differ by half or so

// K + 1 columns from K: the last is again that of component `from`.
std::unique_ptr<families::Family> with_copy(const model::ModelBlock& block, std::size_t from) {
  const families::Family& old = *block.family;
  auto out = old.entry().make(block.shape, old.components() + 1);
  const std::size_t rows = old.parameters().size() / old.padded();
  std::vector<double> values(out->parameters().size(), 0.0);
  for (std::size_t row = 0; row < rows; ++row) {
    const double* p = &old.parameters()[row * old.padded()];
    double* q = &values[row * out->padded()];
    std::copy_n(p, old.components(), q);
    q[old.components()] = p[from];
  }
  out->set_parameters(values);
  return out;
}

// Components `a` and `b`, so far the same, in opposite directions.
void push_apart(families::FreeParameters& of, std::size_t components, std::size_t a, std::size_t b,
                core::Rng& rng) {
  const std::size_t size = of.free_size();
  std::vector<double> free(components * size);
  of.free_parameters(free);
  for (std::size_t i = 0; i < size; ++i) {
    const double step = kApart * rng.normal();
    free[a * size + i] += step;
    free[b * size + i] -= step;
  }
  of.set_free_parameters(free);
}

}  // namespace

std::optional<Model> split_largest(const Model& model, std::uint64_t seed) {
  const model::Parts& parts = model.parts();
  const std::size_t components = parts.components();
  if (parts.membership->parameters().size() != components || parts.head) return std::nullopt;
  const auto largest =
      static_cast<std::size_t>(std::ranges::max_element(parts.sizes) - parts.sizes.begin());
  auto out = std::make_shared<model::Parts>();
  out->schema = parts.schema;
  out->options = parts.options;
  out->options.components = components + 1;
  out->names.resize(components + 1);
  out->sizes = parts.sizes;
  out->sizes[largest] /= 2;
  out->sizes.push_back(out->sizes[largest]);
  core::Rng rng(seed, purpose(Purpose::split), components);
  for (const model::ModelBlock& block : parts.blocks) {
    auto family = with_copy(block, largest);
    if (family->free() == nullptr) return std::nullopt;
    push_apart(*family->free(), family->components(), largest, components, rng);
    model::ModelBlock& next = out->blocks.emplace_back();
    next.shape = block.shape;
    next.family = std::move(family);
  }
  out->membership = parts.membership->entry().make(components + 1, parts.options.rates);
  std::vector<double> prior(parts.membership->parameters().begin(),
                            parts.membership->parameters().end());
  prior[largest] /= 2;
  prior.push_back(prior[largest]);
  out->membership->set_parameters(prior);
  return Model(std::move(out));
}

namespace {

bool ended(const Model& model) {
  return model.summary().termination != Termination::interrupted;
}

bool has_converged(const Model& model) {
  return model.summary().termination != Termination::iteration_limit;
}

// DIC = 2 mean(D) - D(plug-in), D = -2 log-likelihood: its Monte-Carlo error is 4 times that of the
// mean log-likelihood, the error of the plug-in being of second order.
ChainsDone information_of(const Diagnosis& diagnosis) {
  constexpr double kTimes = 4;
  const auto found = std::ranges::find_if(
      diagnosis.quantity, [](const ChainQuantity& q) { return q.name == model::kLogLikelihood; });
  const double error = found == diagnosis.quantity.end() ? std::numeric_limits<double>::quiet_NaN()
                                                         : kTimes * found->mcse;
  return {diagnosis.conditional->dic(), error, diagnosis.mixed};
}

// Half of the memory may be taken.
std::size_t room_for(const Dataset& data, std::size_t components) {
  const std::size_t bytes = std::max<std::size_t>(1, evaluation::fold_bytes(data, components));
  return std::max<std::size_t>(1, core::available_memory() / 2 / bytes);
}

// 90 % of the draws lie in the range, as nearly as whole numbers allow.
SelectionClusters posterior_of(const Diagnosis& diagnosis) {
  constexpr double kLow = 0.05, kHigh = 0.95;
  SelectionClusters out;
  out.share = diagnosis.clusters;
  out.mixed = diagnosis.mixed;
  double below = 0, most = -1;
  for (const auto& [k, share] : out.share) {
    if (share > most) out.mode = k;
    most = std::max(most, share);
    if (below <= kLow) out.low = k;
    if (below < kHigh) out.high = k;
    below += share;
  }
  return out;
}

}  // namespace

SelectionFits::SelectionFits(const Dataset& data, const SelectOptions& options,
                             const SelectionPlan& plan, SelectionFolder& folder, const Hooks& hooks)
    : data_(data),
      options_(options),
      plan_(plan),
      folder_(folder),
      hooks_(hooks),
      begun_(std::chrono::steady_clock::now()) {
  for (const Place& place : plan_.grid) {
    const auto size = static_cast<double>(place.components);
    if (folder_.fits(place.key) == nullptr)
      cost_ += size * static_cast<double>(options_.fitting.restarts);
    if (plan_.wants("cv") && !folder_.held_out(place.key, data_.rows))
      cost_ += size * static_cast<double>(options_.folds);
    if (plan_.wants("dic") && folder_.chains(place.key) == nullptr) cost_ += size;
  }
}

bool SelectionFits::side_by_side(const std::string& stage, std::vector<std::size_t> places,
                                 std::size_t pieces, const Work& work,
                                 const std::function<void(std::size_t place)>& finish) {
  if (places.empty()) return !stopped();
  const auto size = [&](std::size_t place) { return plan_.grid[place].components; };
  std::ranges::sort(places, [&](std::size_t a, std::size_t b) {
    return size(a) != size(b) ? size(a) > size(b) : a < b;
  });
  const std::size_t jobs = places.size() * pieces;
  const std::size_t threads = core::thread_count(options_.fitting.threads);
  const std::size_t beside = std::min({jobs, threads, room_for(data_, size(places.front()))});
  const std::size_t inner = std::max<std::size_t>(1, threads / beside);
  std::vector<std::size_t> left(places.size(), pieces);
  std::size_t done = 0;
  std::mutex lock;
  core::parallel_for(jobs, beside, [&](std::size_t job, std::size_t /*worker*/) {
    const std::size_t p = job / pieces;
    if (!work(places[p], job % pieces, inner)) return;
    const core::Unstoppable short_work;
    const std::scoped_lock guard(lock);
    if (--left[p] == 0) finish(places[p]);
    if (!hooks_.progress) return;
    Progress progress;
    progress.stage = stage;
    progress.restart = done++;
    progress.restarts = jobs;
    progress.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    // a fit takes time in proportion to K
    cost_done_ += static_cast<double>(size(places[p]));
    progress.seconds_left = progress.seconds / cost_done_ * std::max(0.0, cost_ - cost_done_);
    hooks_.progress(progress);
  });
  return std::ranges::all_of(left, [](std::size_t pieces_left) { return pieces_left == 0; });
}

bool SelectionFits::run_restarts() {
  std::vector<std::size_t> places;
  for (std::size_t p = 0; p < plan_.grid.size(); ++p)
    if (folder_.fits(plan_.grid[p].key) == nullptr) places.push_back(p);
  const std::size_t restarts = options_.fitting.restarts;
  std::vector<std::vector<std::optional<Model>>> found(plan_.grid.size(),
                                                       std::vector<std::optional<Model>>(restarts));
  return side_by_side(
      "fit", places, restarts,
      [&](std::size_t place, std::size_t restart, std::size_t threads) {
        FitOptions fitting = fit_at(plan_.grid[place], options_, restart);
        fitting.threads = threads;
        found[place][restart] = fit(data_, fitting, quiet());
        return ended(*found[place][restart]);
      },
      [&](std::size_t place) {
        std::vector<Model> models;
        for (std::optional<Model>& one : found[place]) models.push_back(std::move(*one));
        found[place].clear();
        finish_restarts(place, models);
      });
}

void SelectionFits::finish_restarts(std::size_t place, std::vector<Model>& models) {
  const std::string& key = plan_.grid[place].key;
  FitsDone done;
  for (const Model& model : models) done.bound.push_back(model.summary().penalised_bound);
  done.best = static_cast<std::size_t>(std::ranges::max_element(done.bound) - done.bound.begin());
  for (std::size_t r = 0; r < models.size(); ++r)
    done.similarity.push_back(r == done.best ? 1.0
                                             : 1 - compare(models[done.best], models[r]).distance);
  done.converged = has_converged(models[done.best]);
  models[done.best].save(folder_.file(key + ".medley"));
  folder_.put(key, std::move(done));
}

// One after the other: each begins with the best of the one before.
bool SelectionFits::run_splits() {
  for (std::size_t p = 0; p < plan_.grid.size(); ++p) {
    const Place& place = plan_.grid[p];
    if (folder_.split(place.key) != nullptr) continue;
    if (stopped()) return false;
    const bool follows = p > 0 && plan_.grid[p - 1].smoothing == place.smoothing &&
                         plan_.grid[p - 1].components + 1 == place.components &&
                         model::minibatch(fit_at(place, options_, 0), data_.rows) == 0;
    std::optional<Model> start;
    if (follows)
      start = split_largest(Model::load(folder_.file(plan_.grid[p - 1].key + ".medley")),
                            options_.fitting.seed);
    if (!start) {
      folder_.put(place.key, SplitDone{});
      continue;
    }
    const Model model = fit(data_, fit_at(place, options_, 0), *start, quiet());
    if (!ended(model)) return false;
    finish_split(p, model);
  }
  return true;
}

void SelectionFits::finish_split(std::size_t place, const Model& split) {
  const std::string& key = plan_.grid[place].key;
  const FitsDone& fits = *folder_.fits(key);
  SplitDone done;
  done.tried = true;
  done.bound = split.summary().penalised_bound;
  done.won = done.bound > fits.bound[fits.best];
  done.converged = has_converged(split);
  if (done.won) split.save(folder_.file(key + ".medley"));
  folder_.put(key, done);
}

bool SelectionFits::run_folds() {
  std::vector<std::size_t> places;
  for (std::size_t p = 0; p < plan_.grid.size(); ++p)
    if (!folder_.held_out(plan_.grid[p].key, data_.rows)) places.push_back(p);
  if (places.empty()) return !stopped();
  const std::vector<std::size_t> fold_of =
      fold_of_rows(data_.rows, options_.folds, options_.fitting.seed);
  std::vector<evaluation::FoldData> folds(options_.folds);
  core::parallel_for(options_.folds, core::thread_count(options_.fitting.threads),
                     [&](std::size_t fold, std::size_t /*worker*/) {
                       folds[fold] = evaluation::fold_data(data_, fold_of, fold,
                                                           VocabularyOptions{}.unselected());
                     });
  std::vector<HeldOutRows> found(plan_.grid.size(),
                                 {fold_of, std::vector<double>(data_.rows, 0.0), ""});
  return side_by_side(
      "fold", places, options_.folds,
      [&](std::size_t place, std::size_t fold, std::size_t threads) {
        FitOptions fitting = fit_at(plan_.grid[place], options_, 0);
        fitting.threads = threads;
        fitting.restarts = options_.fold_restarts;
        const Model model = fit(folds[fold].train, fitting, quiet());
        if (!ended(model)) return false;
        const RowScores scores = row_scores(model, folds[fold].test, plan_.estimator, threads);
        for (std::size_t i = 0; i < scores.value.size(); ++i)
          found[place].log_likelihood[folds[fold].test_rows[i]] = scores.value[i];
        if (fold == 0) found[place].estimator = scores.estimator;
        return true;
      },
      [&](std::size_t place) { folder_.put(plan_.grid[place].key, found[place]); });
}

bool SelectionFits::run_chains() {
  std::vector<std::size_t> places;  // once for every K, whatever the smoothing
  for (std::size_t p = 0; p < options_.components.size(); ++p)
    if (folder_.chains(plan_.grid[p].key) == nullptr) places.push_back(p);
  std::vector<ChainsDone> found(plan_.grid.size());
  return side_by_side(
      "chains", places, 1,
      [&](std::size_t place, std::size_t /*piece*/, std::size_t threads) {
        FitOptions fitting = chains_with(plan_.grid[place].components, options_);
        fitting.threads = threads;
        const Model model = fit(data_, fitting, quiet());
        if (!ended(model)) return false;
        found[place] = information_of(diagnose(model));
        model.save(folder_.file(plan_.grid[place].key + "_chains.medley"));
        return true;
      },
      [&](std::size_t place) { folder_.put(plan_.grid[place].key, found[place]); });
}

bool SelectionFits::run_clusters() {
  if (folder_.clusters()) return !stopped();
  if (stopped()) return false;
  const Model model = fit(data_, cluster_chains(options_), hooks_);
  if (!ended(model)) return false;
  model.save(folder_.file("clusters.medley"));
  folder_.put(posterior_of(diagnose(model)));
  return true;
}

}  // namespace medley::choose
