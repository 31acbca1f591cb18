// SPDX-License-Identifier: Apache-2.0
// Hidden cells predicted from the rest of their rows and compared with what they were, next to what
// their columns alone say.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/task.hpp"

#include "data/feature_of.hpp"
#include "evaluate/flips.hpp"
#include "evaluate/tally.hpp"
#include "math/log_sum_exp.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "model/model_on_data.hpp"
#include "model/predictive_mixture.hpp"
#include "predict/cell_mixture.hpp"
#include "predict/places.hpp"

namespace medley {
namespace {

using evaluation::UncoveredCell;
using predict::CellMixture;

std::size_t likeliest(const CellMixture& mixture) {
  const std::vector<double> p = mixture.probabilities();
  return static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
}

class Uncovering {
 public:
  Uncovering(const Model& model, const HiddenCells& cells, std::size_t threads)
      : on_data_(model, cells.rest),
        rest_(model::predictive_mixture(on_data_, cells.rest, threads)),
        threads_(threads) {
    on_data_.parts().prepare_marginals();
  }

  [[nodiscard]] std::vector<CellScores> scores(const Dataset& hidden) const {
    evaluation::Tally all;
    std::vector<evaluation::Tally> of(hidden.blocks.size());
    for (std::size_t row = 0; row < hidden.rows; ++row) {
      core::stop_if_asked();
      for (std::size_t b = 0; b < hidden.blocks.size(); ++b) {
        const Block& block = hidden.blocks[b];
        const std::vector<double> loss = losses(block, b, row);
        const std::vector<double> alone = baseline_losses(block, b, row);
        for (std::size_t o = 0; o < loss.size(); ++o) {
          UncoveredCell cell = uncover(block, b, row, block.row_start[row] + o);
          cell.loss = loss[o];
          cell.baseline_loss = alone[o];
          all.add(row, cell);
          of[b].add(row, cell);
        }
      }
    }
    std::vector<CellScores> out = {all.scores("all")};
    for (std::size_t b = 0; b < hidden.blocks.size(); ++b) {
      if (predict::predictable(hidden.blocks[b]))
        out.push_back(of[b].scores(hidden.blocks[b].name));
    }
    return out;
  }

  /// Mean loss of the cells of features with two levels.
  [[nodiscard]] double yes_no_loss(const Dataset& hidden) const {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t b = 0; b < hidden.blocks.size(); ++b) {
      const Block& block = hidden.blocks[b];
      if (block.encoding != Encoding::levels) continue;
      for (std::size_t row = 0; row < hidden.rows; ++row) {
        core::stop_if_asked();
        const std::vector<double> loss = losses(block, b, row);
        for (std::size_t o = 0; o < loss.size(); ++o) {
          const std::uint32_t slot = block.slot[block.row_start[row] + o];
          if (block.features[medley::data::feature_of(block, slot)].levels.size() != 2) continue;
          sum += loss[o];
          ++count;
        }
      }
    }
    return count > 0 ? sum / static_cast<double>(count) : 0.0;
  }

  /// exp(-bound / observations) of whole rows.
  [[nodiscard]] double perplexity(const Dataset& data) const {
    const model::ScoredRows scored = on_data_.score(data, threads_);
    double observations = 0;
    for (std::size_t row = 0; row < data.rows; ++row) observations += data.observed(row);
    const double bound = std::accumulate(scored.bound.begin(), scored.bound.end(), 0.0);
    return observations > 0 ? std::exp(-bound / observations) : 1.0;
  }

 private:
  // -log sum_k t_k l_ok of the row's hidden cells in one block.
  [[nodiscard]] std::vector<double> losses(const Block& block, std::size_t b,
                                           std::size_t row) const {
    return losses(*rest_.family[b], block, row, rest_.of_row(row));
  }
  [[nodiscard]] std::vector<double> baseline_losses(const Block& block, std::size_t b,
                                                    std::size_t row) const {
    return losses(*on_data_.parts().blocks[b].marginal, block, row, kAlone);
  }
  [[nodiscard]] static std::vector<double> losses(const families::Family& family,
                                                  const Block& block, std::size_t row,
                                                  std::span<const double> share) {
    const std::size_t count = block.row_start[row + 1] - block.row_start[row];
    std::vector<double> log_rows(count * family.padded()), out;
    family.log_rows(block, row, log_rows.data());
    for (std::size_t o = 0; o < count; ++o) {
      const auto terms = std::span(log_rows).subspan(o * family.padded(), share.size());
      for (std::size_t k = 0; k < share.size(); ++k) terms[k] += std::log(share[k]);
      out.push_back(-math::log_sum_exp(terms));
    }
    return out;
  }

  // All but the losses.
  [[nodiscard]] UncoveredCell uncover(const Block& block, std::size_t b, std::size_t row,
                                      std::uint64_t c) const {
    const model::ModelBlock& of = on_data_.parts().blocks[b];
    const std::size_t feature = medley::data::feature_of(block, block.slot[c]);
    const CellMixture mixture(*rest_.family[b], of.shape, feature, rest_.of_row(row));
    const CellMixture alone(*of.marginal, of.shape, feature, kAlone);
    UncoveredCell cell;
    cell.level = block.encoding == Encoding::levels;
    if (cell.level) {
      const std::size_t level = block.slot[c] - block.first_slot[feature];
      cell.hit = likeliest(mixture) == level;
      cell.baseline_hit = likeliest(alone) == level;
      return cell;
    }
    const double value = block.value[c];
    const families::Moments column = alone.moments();
    cell.error = mixture.moments().mean - value;
    cell.baseline_error = column.mean - value;
    cell.scale = column.variance > 0 ? std::sqrt(column.variance) : 1.0;
    // quantile(p) <= x <= quantile(1 - p), without the quantiles: x is below the first if
    // P(X <= x) < p, and above the second if P(X < x) >= 1 - p
    const bool counts = predict::takes_counts(of.family->entry());
    const double to = mixture.cumulative(value);
    const double below = counts ? mixture.cumulative(value - 1) : to;
    cell.inside50 = to >= 0.25 && below < 0.75;
    cell.inside90 = to >= 0.05 && below < 0.95;
    return cell;
  }

  static constexpr double kAlone[] = {1.0};  // the one component of a marginal

  model::ModelOnData on_data_;
  model::PredictiveMixture rest_;
  std::size_t threads_;
};

std::vector<NoiseScores> noise_curve(const Uncovering& uncovering, const Dataset& data,
                                     const Dataset& hidden, const HoldoutOptions& options) {
  std::vector<NoiseScores> out;
  const auto places = evaluation::shuffled_yes_no_cells(hidden, options.seed);
  if (places.empty() && !options.flip.empty()) {
    throw InputError(
        {"flip", "there is no hidden cell with two levels", "noise is defined for yes/no columns"});
  }
  for (const double share : options.flip) {
    if (!(share >= 0 && share <= 1))
      throw InputError({"flip", "a share must lie between 0 and 1", "for example 0.05"});
    const double wanted = std::round(share * static_cast<double>(places.size()));
    const auto flipped = std::span(places).first(integer_of<std::size_t>(wanted));
    NoiseScores noise{share, places.size(), flipped.size(), 0, 0};
    noise.log_loss = uncovering.yes_no_loss(evaluation::with_flips(hidden, flipped));
    noise.perplexity = uncovering.perplexity(evaluation::with_flips(data, flipped));
    out.push_back(noise);
  }
  return out;
}

HiddenCells hide(const Dataset& data, const HoldoutOptions& options) {
  HiddenCells cells = hide_cells(data, options.share, options.seed);
  if (std::ranges::all_of(cells.hidden.blocks, [](const Block& b) { return b.slot.empty(); })) {
    throw InputError({"data", "no cell was hidden", "hide a larger share; words are never hidden"});
  }
  return cells;
}

Holdout uncover(const Model& model, const Dataset& data, const HiddenCells& cells,
                const HoldoutOptions& options) {
  const Uncovering uncovering(model, cells, options.threads);
  Holdout out;
  out.scores = uncovering.scores(cells.hidden);
  out.flipped = noise_curve(uncovering, data, cells.hidden, options);
  return out;
}

}  // namespace

Holdout holdout_cells(const Model& model, const Dataset& data, const HoldoutOptions& options,
                      const Hooks& hooks) {
  const core::Task task(hooks);
  return uncover(model, data, hide(data, options), options);
}

Holdout holdout_fit(const Dataset& data, const FitOptions& options, const HoldoutOptions& holdout,
                    const Hooks& hooks) {
  const core::Task task(hooks);
  const HiddenCells cells = hide(data, holdout);
  const Model model = fit(cells.rest, options, hooks);
  if (model.summary().termination == Termination::interrupted) throw Interrupted();
  return uncover(model, data, cells, holdout);
}

}  // namespace medley
