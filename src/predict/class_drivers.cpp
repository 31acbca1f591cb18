// SPDX-License-Identifier: Apache-2.0
// Explains the likeliest class h of a row. Profiles: how far each moves the probability of h from
// its overall value, share_k (P(h | k) - p(h)). Cells: left out one by one,
//
//   effect_o = logit p(h | x) - logit p(h | x without o),    alone_o = logit p(h | o) - logit p(h)
//
// where rows are taken to be of one component (predict/class_posterior.hpp), so that leaving out a
// cell means subtracting its log-likelihoods: K operations instead of an inference. Cells are
// ranked by the sum: the last and the first position are the two extremes over which the Shapley
// value averages.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/task.hpp"

#include "core/parallel.hpp"
#include "data/slot_index.hpp"
#include "kernels/lanes.hpp"
#include "math/logs.hpp"
#include "medley/predict.hpp"
#include "predict/class_posterior.hpp"

namespace medley {
namespace {

constexpr std::size_t kDriverRowChunk = 16;
// Floor of the log-likelihood of a cell that is impossible under a component, so that it can be
// subtracted again.
constexpr double kLeastLog = -1e9;

double strength(const ProfileDriver& driver) {
  return std::abs(driver.effect);
}

double strength(const CellDriver& driver) {
  return std::abs(driver.effect + driver.alone);
}

// Keeps the `most` strongest, for or against, strongest first; equal ones keep their order.
template <class Driver>
void keep_strongest(std::vector<Driver>& drivers, std::size_t most) {
  std::vector<std::size_t> order(drivers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const double x = strength(drivers[a]), y = strength(drivers[b]);
    return x != y ? x > y : a < b;
  });
  order.resize(std::min(most, order.size()));
  std::vector<Driver> kept;
  for (const std::size_t i : order) kept.push_back(drivers[i]);
  drivers = std::move(kept);
}

// Goes through the cells of one row.
class CellEffects {
 public:
  CellEffects(const model::ModelOnData& on_data, const Dataset& data)
      : parts_(on_data.parts()),
        data_(data),
        sole_(on_data),
        components_(parts_.components()),
        padded_(kernels::padded(components_)) {
    const heads::Softmax& head = *parts_.head;
    const auto log_p = head.log_probability();
    log_other_.resize(head.classes() * components_);
    std::vector<double> others;
    for (std::size_t h = 0; h < head.classes(); ++h) {
      for (std::size_t k = 0; k < components_; ++k) {
        others.clear();
        for (std::size_t g = 0; g < head.classes(); ++g)
          if (g != h) others.push_back(log_p[g * components_ + k]);
        log_other_[h * components_ + k] = math::log_sum_exp(others);
      }
    }
  }

  [[nodiscard]] std::vector<CellDriver> of(std::size_t row, std::size_t h) {
    std::vector<CellDriver> cells = gather(row);
    const double m = data_.observed(row);
    std::vector<double> all(components_, 0.0), own(components_), rest(components_);
    const std::vector<double> none(components_, 0.0);
    for (std::size_t o = 0; o < cells.size(); ++o) {
      for (std::size_t k = 0; k < components_; ++k) all[k] += cells[o].weight * log_row(o)[k];
    }
    const double with = log_odds(m, all, h), before = log_odds(0, none, h);
    for (std::size_t o = 0; o < cells.size(); ++o) {
      for (std::size_t k = 0; k < components_; ++k) {
        own[k] = cells[o].weight * log_row(o)[k];
        rest[k] = all[k] - own[k];
      }
      const bool only = cells.size() == 1;  // m - weight may be off by a rounding
      cells[o].effect = with - (only ? before : log_odds(m - cells[o].weight, rest, h));
      cells[o].alone = log_odds(cells[o].weight, own, h) - before;
    }
    return cells;
  }

 private:
  // The row's cells, with their log-likelihoods in log_rows_.
  [[nodiscard]] std::vector<CellDriver> gather(std::size_t row) {
    std::vector<CellDriver> cells;
    for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
      const Block& block = data_.blocks[b];
      const std::size_t first = cells.size();
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        const std::size_t feature = medley::data::feature_of(block, block.slot[c]);
        cells.push_back({b, feature, block.slot[c], block.value.empty() ? 0.0 : block.value[c],
                         static_cast<double>(block.weight_of(c)), 0.0, 0.0});
      }
      log_rows_.resize(cells.size() * padded_);
      parts_.blocks[b].family->log_rows(block, row, log_rows_.data() + first * padded_);
    }
    for (double& value : log_rows_) value = std::max(value, kLeastLog);
    return cells;
  }

  [[nodiscard]] const double* log_row(std::size_t cell) const {
    return log_rows_.data() + cell * padded_;
  }

  // log p(h | x) - log p(not h | x) of cells of total weight m with these log-likelihoods (K);
  // p(not h) is a sum over classes, not 1 - p(h).
  [[nodiscard]] double log_odds(double m, std::span<const double> log_likelihood,
                                std::size_t h) const {
    std::vector<double> yes(components_), no(components_);
    sole_.log_prior(m, yes);
    for (std::size_t k = 0; k < components_; ++k) {
      const double joint = yes[k] + log_likelihood[k];
      yes[k] = joint + parts_.head->log_probability()[h * components_ + k];
      no[k] = joint + log_other_[h * components_ + k];
    }
    return math::log_sum_exp(yes) - math::log_sum_exp(no);
  }

  const model::Parts& parts_;
  const Dataset& data_;
  predict::SoleRows sole_;
  std::size_t components_, padded_;
  std::vector<double> log_other_;  // C x K: log(1 - P(h | k))
  std::vector<double> log_rows_;   // cells x padded K, of the row gathered last
};

std::vector<ProfileDriver> profile_effects(const heads::Softmax& head,
                                           std::span<const double> share, std::size_t h,
                                           double overall) {
  std::vector<ProfileDriver> out;
  for (std::size_t k = 0; k < share.size(); ++k) {
    const double within = std::exp(head.log_probability()[h * share.size() + k]);
    out.push_back({k, share[k], within, share[k] * (within - overall)});
  }
  return out;
}

}  // namespace

std::vector<ClassDrivers> explain_classes(const Model& model, const Dataset& data, std::size_t most,
                                          std::size_t threads, const Hooks& hooks) {
  const core::Task task(hooks);
  const model::ModelOnData on_data(model, data);
  const predict::ClassForm form = predict::class_form(on_data, data);
  const predict::ClassRows rows = predict::class_rows(on_data, data, form, threads);
  const std::vector<double> overall = predict::overall_classes(on_data, form);
  const CellEffects prepared(on_data, data);
  const std::size_t components = model.components(), classes = overall.size();
  std::vector<ClassDrivers> out(data.rows);
  core::parallel_for(
      (data.rows + kDriverRowChunk - 1) / kDriverRowChunk, core::thread_count(threads),
      [&](std::size_t chunk, std::size_t) {
        CellEffects effects = prepared;
        for (std::size_t i = chunk * kDriverRowChunk;
             i < std::min(data.rows, (chunk + 1) * kDriverRowChunk); ++i) {
          const auto p = std::span(rows.probability).subspan(i * classes, classes);
          const auto top = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
          const auto share = std::span(rows.share).subspan(i * components, components);
          out[i] = {top, p[top], overall[top],
                    profile_effects(*on_data.parts().head, share, top, overall[top]),
                    effects.of(i, top)};
          keep_strongest(out[i].profiles, most);
          keep_strongest(out[i].cells, most);
        }
      });
  return out;
}

}  // namespace medley
