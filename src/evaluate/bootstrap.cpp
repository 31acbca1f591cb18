// SPDX-License-Identifier: Apache-2.0
// Standard errors and percentile intervals of everything a fit estimates, from refits to resampled
// rows. Rows are folded into patterns once; a replicate is a set of pattern weights, patterns
// without weight left out. Every replicate is a function of the seed and its number, and runs on
// one thread: the same bits at any number of threads.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/task.hpp"

#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/pieces.hpp"
#include "core/text.hpp"
#include "data/distinct.hpp"
#include "data/select_rows.hpp"
#include "evaluate/alignment.hpp"
#include "evaluate/survey_design.hpp"
#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "medley/uncertainty.hpp"
#include "model/model_on_data.hpp"

namespace medley {
namespace evaluation {
namespace {

using Quantity = BootstrapEstimate::Quantity;

// A refit begins at the model, where one that stops too soon would stay: its distance from the
// model would be that of the stopping rule. Sampling moves the log-likelihood by about half a nat
// per parameter, so an iteration that gains a ten-thousandth of a nat is the end.
constexpr double kLeastGain = 1e-4;
constexpr std::size_t kMostIterations = 5000;

// One fit to one set of row weights, read off in the model's order of components.
struct Replicate {
  std::vector<double> value;  // as Bootstrapper::named
  bool done = false, converged = false, clear = false;
};

// Whether every component's partner is nearer to it than any other component, and the other way.
bool is_clear(const Alignment& alignment) {
  for (std::size_t k = 0; k < alignment.rows; ++k) {
    const double own = alignment.at(k, alignment.partner[k]);
    for (std::size_t l = 0; l < alignment.columns; ++l) {
      if (alignment.at(k, l) < own || alignment.at(l, alignment.partner[k]) < own) return false;
    }
  }
  return true;
}

// The p-quantile of sorted values: position p (n + 1), between neighbours in proportion.
double percentile(const std::vector<double>& sorted, double p) {
  const double at = std::clamp(p * static_cast<double>(sorted.size() + 1) - 1, 0.0,
                               static_cast<double>(sorted.size() - 1));
  const auto below = integer_of<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

class Bootstrapper {
 public:
  Bootstrapper(const Model& model, const Dataset& data, const BootstrapOptions& options,
               const Hooks& hooks)
      : model_(model),
        data_(data),
        options_(options),
        hooks_(hooks),
        design_(survey_design(data, options.strata, options.cluster)),
        distinct_(data::distinct_rows(
            data, model.parts().head ? data::Fold::cells_and_label : data::Fold::cells)) {
    distinct_.data.schema = data.schema;
    for (const std::string& name : options.by) groups_.push_back(data.kept_column(name));
    name_all();
    check();
    refitting_ = model.parts().options;
    refitting_.threads = 1;
    refitting_.checkpoint.clear();
    refitting_.resume = false;
    refitting_.max_iterations = std::max(refitting_.max_iterations, kMostIterations);
    const double bound = std::max(1.0, std::abs(model.summary().bound));
    refitting_.tolerance = std::min(refitting_.tolerance, kLeastGain / bound);
  }

  Bootstrap run() {
    std::vector<Replicate> found(options_.replicates + 1);  // the last: the rows as they are
    const core::Pieces refits{"replicate", found.size(), core::thread_count(options_.threads),
                              data_.rows};
    core::run_pieces(refits, hooks_, [&](std::size_t r) {
      const bool own = r == options_.replicates;
      found[r] =
          refit(own ? std::vector<double>(data_.rows, 1.0) : resampled(design_, options_.seed, r));
    });
    Bootstrap out;
    out.level = options_.level;
    out.model_rows = model_.summary().rows;
    out.rows = data_.rows;
    out.weights = data_.weighting();
    if (design_.given) {
      out.strata = design_.strata();
      out.units = integer_of<std::size_t>(design_.units());
      out.lonely_strata = design_.lonely();
    }
    out.interrupted = !std::ranges::all_of(found, &Replicate::done);
    if (out.interrupted) return out;
    const Replicate own = std::move(found.back());
    found.pop_back();
    out.replicates = found.size();
    for (const Replicate& replicate : found) {
      out.not_converged += replicate.converged ? 0 : 1;
      out.ambiguous += replicate.clear ? 0 : 1;
    }
    summarise(found, own, out);
    return out;
  }

 private:
  void check() const {
    if (options_.replicates < 2)
      throw InputError({"`replicates`", "two are the least", "default 200"});
    if (!(options_.level > 0 && options_.level < 1))
      throw InputError({"`level`", "must lie between 0 and 1", "for example 0.95"});
    if (design_.units() - static_cast<double>(design_.lonely()) < 2)
      throw InputError({"DATA", "there is only one sampling unit to draw from in every stratum",
                        "give more rows or clusters, or leave out `strata`"});
    const double bytes = static_cast<double>(options_.replicates * named_.size() * sizeof(double));
    if (bytes > 0.5 * static_cast<double>(core::available_memory()))
      throw InputError({"`replicates`",
                        std::to_string(named_.size()) + " parameters of as many refits do not fit "
                                                        "into memory",
                        "ask for fewer replicates, or fit a smaller model"});
  }

  // What value[i] of a replicate is; fills in named_ and the places of the group means.
  void name_all() {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i] == nullptr)
        throw InputError({"`by`", "the data has no column " + core::quoted(options_.by[i]),
                          "name a column of the file"});
    }
    for (std::size_t k = 0; k < model_.components(); ++k) {
      named_.push_back({k, Quantity::size});
      named_.push_back({k, Quantity::prior});
      for (const model::ModelBlock& block : model_.parts().blocks) {
        for (const Feature& feature : block.shape.features) {
          if (block.shape.encoding == Encoding::real) {
            named_.push_back({k, Quantity::mean, block.shape.name, feature.name});
            named_.push_back({k, Quantity::sd, block.shape.name, feature.name});
          }
          for (const std::string& level : feature.levels)
            named_.push_back({k, Quantity::probability, block.shape.name, feature.name, level});
        }
      }
      for (const KeptColumn* column : groups_) {
        for (const std::string& level : column->levels)
          named_.push_back({k, Quantity::group, "", column->name, level});
      }
    }
  }

  // Fits the rows with their weights times `factor`.
  Replicate refit(const std::vector<double>& factor) {
    Replicate out;
    if (core::asked_to_stop()) return out;
    std::vector<double> weight(distinct_.data.rows, 0.0);
    for (std::size_t row = 0; row < data_.rows; ++row)
      weight[distinct_.pattern[row]] += factor[row] * data_.weight_of(row);
    std::vector<std::size_t> kept;
    for (std::size_t pattern = 0; pattern < weight.size(); ++pattern) {
      if (weight[pattern] > 0) kept.push_back(pattern);
    }
    Dataset sample = data::select_rows(distinct_.data, kept);
    for (std::size_t i = 0; i < kept.size(); ++i) sample.row_weight[i] = weight[kept[i]];
    Hooks inner;
    inner.stop = hooks_.stop;
    const Model refitted = fit(sample, refitting_, model_, inner);
    if (refitted.summary().termination == Termination::interrupted) return out;
    out.done = true;
    out.converged = refitted.summary().termination == Termination::converged;
    const CommonFeatures common = common_features(model_.parts(), refitted.parts());
    const Alignment alignment = align(common.both, model_.components(), model_.components());
    out.clear = is_clear(alignment);
    out.value =
        read_off(refitted, alignment.partner, group_means_of(refitted, sample, kept, factor));
    return out;
  }

  // The mean memberships of every group under a model, group by group: groups x K. The shares are
  // those of the sample's rows, which are the patterns `kept`.
  [[nodiscard]] std::vector<double> group_means_of(const Model& model, const Dataset& sample,
                                                   const std::vector<std::size_t>& kept,
                                                   const std::vector<double>& factor) const {
    if (groups_.empty()) return {};
    const std::size_t components = model.components();
    const std::vector<double> share = model::ModelOnData(model, sample).predictive(sample, 1).share;
    std::vector<std::size_t> place(distinct_.data.rows, 0);
    for (std::size_t i = 0; i < kept.size(); ++i) place[kept[i]] = i;
    std::vector<double> means;
    for (const KeptColumn* column : groups_) {
      std::vector<double> sum(column->levels.size() * components, 0.0);
      std::vector<double> total(column->levels.size(), 0.0);
      for (std::size_t row = 0; row < data_.rows; ++row) {
        core::stop_if_asked();
        const double w = factor[row] * data_.weight_of(row);
        if (w <= 0 || column->code[row] < 0 || data_.observed(row) <= 0) continue;
        const auto group = static_cast<std::size_t>(column->code[row]);
        const std::size_t at = place[distinct_.pattern[row]] * components;
        total[group] += w;
        for (std::size_t k = 0; k < components; ++k)
          sum[group * components + k] += w * share[at + k];
      }
      // A group that a sample has no row of is not known there: NaN.
      for (std::size_t i = 0; i < sum.size(); ++i) means.push_back(sum[i] / total[i / components]);
    }
    return means;
  }

  // The parameters of a fit in the order of named_, component k of the model being its partner[k].
  [[nodiscard]] std::vector<double> read_off(const Model& model,
                                             const std::vector<std::size_t>& partner,
                                             const std::vector<double>& group_means) const {
    const std::size_t components = model.components();
    const std::vector<double> prior = model.prior();
    std::vector<double> out;
    out.reserve(named_.size());
    for (const std::size_t k : partner) {
      out.push_back(model.sizes()[k]);
      out.push_back(prior[k]);
      for (const model::ModelBlock& block : model.parts().blocks) {
        for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
          if (block.shape.encoding == Encoding::real) {
            const families::Moments moments = block.family->numbers()->moments(f, k);
            out.push_back(moments.mean);
            out.push_back(std::sqrt(moments.variance));
            continue;
          }
          for (std::size_t s = block.shape.first_slot[f]; s < block.shape.first_slot[f + 1]; ++s)
            out.push_back(block.probability(s, k));
        }
      }
      for (std::size_t g = 0; g * components < group_means.size(); ++g)
        out.push_back(group_means[g * components + k]);
    }
    return out;
  }

  // What the model itself says.
  [[nodiscard]] std::vector<double> model_values() const {
    std::vector<std::size_t> patterns(distinct_.data.rows), self(model_.components());
    std::iota(patterns.begin(), patterns.end(), std::size_t{0});
    std::iota(self.begin(), self.end(), std::size_t{0});
    return read_off(
        model_, self,
        group_means_of(model_, distinct_.data, patterns, std::vector<double>(data_.rows, 1.0)));
  }

  void summarise(const std::vector<Replicate>& found, const Replicate& own, Bootstrap& out) {
    const std::vector<double> estimate = model_values();
    const double tail = (1 - options_.level) / 2;
    std::vector<double> values;
    for (std::size_t i = 0; i < named_.size(); ++i) {
      values.clear();
      for (const Replicate& replicate : found) {
        if (!std::isnan(replicate.value[i])) values.push_back(replicate.value[i]);
      }
      IntervalEstimate& e = named_[i].estimate;
      e = {estimate[i], std::nan(""), std::nan(""), std::nan("")};
      if (values.size() < 2) continue;
      std::ranges::sort(values);
      const auto n = static_cast<double>(values.size());
      const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
      double squares = 0;
      for (const double value : values) squares += (value - mean) * (value - mean);
      e.standard_error = std::sqrt(squares / (n - 1));
      e.low = percentile(values, tail);
      e.high = percentile(values, 1 - tail);
      if (e.standard_error > 0)
        out.drift = std::max(out.drift, std::abs(own.value[i] - e.value) / e.standard_error);
    }
    out.estimates = std::move(named_);
  }

  const Model& model_;
  const Dataset& data_;
  const BootstrapOptions& options_;
  const Hooks& hooks_;
  SurveyDesign design_;
  data::DistinctRows distinct_;
  std::vector<const KeptColumn*> groups_;  // the columns of --by
  std::vector<BootstrapEstimate> named_;
  FitOptions refitting_;
};

}  // namespace
}  // namespace evaluation

std::string name_of(BootstrapEstimate::Quantity quantity, const Model& model) {
  switch (quantity) {
    case BootstrapEstimate::Quantity::size:
      return "size";
    case BootstrapEstimate::Quantity::prior:
      return model.prior_name();
    case BootstrapEstimate::Quantity::probability:
      return "probability";
    case BootstrapEstimate::Quantity::mean:
      return "mean";
    case BootstrapEstimate::Quantity::sd:
      return "sd";
    case BootstrapEstimate::Quantity::group:
      break;
  }
  return "group";
}

Bootstrap bootstrap(const Model& model, const Dataset& data, const BootstrapOptions& options,
                    const Hooks& hooks) {
  const core::Task task(hooks.stop);
  try {
    model::check_rows(model, data);
    return evaluation::Bootstrapper(model, data, options, hooks).run();
  } catch (const Interrupted&) {
    Bootstrap out;
    out.level = options.level;
    out.interrupted = true;
    return out;
  }
}

}  // namespace medley
