// SPDX-License-Identifier: Apache-2.0
// Hidden cells predicted from the rest of their rows and compared with what they were; several
// hold-outs as one.
#include "evaluate/holdout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/rng.hpp"
#include "core/task.hpp"
#include "data/slot_index.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "model/model_on_data.hpp"
#include "model/predictive_mixture.hpp"
#include "predict/cell_index.hpp"
#include "predict/cell_mixture.hpp"

namespace medley::evaluation {

void Tally::add(std::size_t row, const UncoveredCell& cell) {
  ++sum_.cells;
  sum_.log_loss += cell.loss;
  sum_.baseline_log_loss += cell.baseline_loss;
  if (rows_.empty() || rows_.back().row != row) rows_.push_back({row, 0, 0});
  ++rows_.back().cells;
  rows_.back().gain += cell.baseline_loss - cell.loss;
  if (cell.level) {
    ++sum_.level_cells;
    sum_.accuracy += cell.hit ? 1 : 0;
    sum_.baseline_accuracy += cell.baseline_hit ? 1 : 0;
    return;
  }
  ++sum_.number_cells;
  sum_.rmse += cell.error * cell.error;
  sum_.baseline_rmse += cell.baseline_error * cell.baseline_error;
  sum_.scaled_rmse += (cell.error / cell.scale) * (cell.error / cell.scale);
  sum_.coverage50 += cell.inside50 ? 1 : 0;
  sum_.coverage90 += cell.inside90 ? 1 : 0;
}

// Cells of a row depend on each other, rows do not: the standard error of the ratio
// sum of gains / cells, from the residuals of the rows.
double Tally::gain_error() const {
  const auto count = static_cast<double>(rows_.size());
  if (rows_.size() < 2) return 0;
  const auto cells = static_cast<double>(sum_.cells);
  const double mean = (sum_.baseline_log_loss - sum_.log_loss) / cells;
  double squares = 0;
  for (const Row& row : rows_) {
    const double off = row.gain - mean * static_cast<double>(row.cells);
    squares += off * off;
  }
  return std::sqrt(squares * count / (count - 1)) / cells;
}

CellScores Tally::scores(const std::string& what) const {
  CellScores out = sum_;
  out.what = what;
  sums_to_means(out);
  out.gain_error = gain_error();
  return out;
}

void sums_to_means(CellScores& s) {
  const auto mean = [](double& sum, std::size_t count) {
    sum = count > 0 ? sum / static_cast<double>(count) : 0.0;
  };
  for (double* loss : {&s.log_loss, &s.baseline_log_loss}) mean(*loss, s.cells);
  for (double* share : {&s.accuracy, &s.baseline_accuracy}) mean(*share, s.level_cells);
  for (double* share : {&s.coverage50, &s.coverage90}) mean(*share, s.number_cells);
  for (double* square : {&s.rmse, &s.baseline_rmse, &s.scaled_rmse}) {
    mean(*square, s.number_cells);
    *square = std::sqrt(*square);
  }
}

namespace {

bool yes_no(const Block& block, std::size_t feature) {
  return block.encoding == Encoding::levels && block.features[feature].levels.size() == 2;
}

}  // namespace

std::vector<CellPlace> shuffled_yes_no_cells(const Dataset& data, std::uint64_t seed) {
  std::vector<CellPlace> places;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      std::size_t before = block.features.size();
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        const std::size_t feature = medley::data::feature_of(block, block.slot[c]);
        const bool repeated = feature == std::exchange(before, feature);
        if (!repeated && yes_no(block, feature)) places.push_back({row, b, feature});
      }
    }
  }
  core::Rng rng(seed, predict::purpose(predict::Purpose::flip));
  for (std::size_t left = places.size(); left > 1; --left)
    std::swap(places[left - 1], places[rng.below(left)]);
  return places;
}

Dataset with_flips(Dataset data, std::span<const CellPlace> places) {
  for (const CellPlace& place : places) {
    const predict::CellRange cells = predict::cells_at(data, place);
    Block& block = data.blocks[place.block];
    const std::uint32_t both = 2 * block.first_slot[place.feature] + 1;  // sum of the two slots
    for (std::uint64_t c = cells.begin; c < cells.end; ++c) block.slot[c] = both - block.slot[c];
    std::reverse(block.slot.begin() + static_cast<std::ptrdiff_t>(cells.begin),
                 block.slot.begin() + static_cast<std::ptrdiff_t>(cells.end));  // ascending again
  }
  return data;
}

}  // namespace medley::evaluation

namespace medley {

// Hidden cells predicted from the rest of their rows and compared with what they were, next to what
// their columns alone say.

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

// Several hold-outs as one, as if their cells had been scored together.

namespace {

// Adds the scores of one hold-out to sums; square roots are undone.
void add(const CellScores& from, CellScores& to) {
  const auto cells = static_cast<double>(from.cells);
  const auto levels = static_cast<double>(from.level_cells);
  const auto numbers = static_cast<double>(from.number_cells);
  to.what = from.what;
  to.cells += from.cells;
  to.level_cells += from.level_cells;
  to.number_cells += from.number_cells;
  to.log_loss += cells * from.log_loss;
  to.baseline_log_loss += cells * from.baseline_log_loss;
  to.gain_error = std::hypot(to.gain_error, cells * from.gain_error);
  to.accuracy += levels * from.accuracy;
  to.baseline_accuracy += levels * from.baseline_accuracy;
  to.rmse += numbers * from.rmse * from.rmse;
  to.baseline_rmse += numbers * from.baseline_rmse * from.baseline_rmse;
  to.scaled_rmse += numbers * from.scaled_rmse * from.scaled_rmse;
  to.coverage50 += numbers * from.coverage50;
  to.coverage90 += numbers * from.coverage90;
}

// Perplexities are averaged over the hold-outs, as the papers do.
void add(const NoiseScores& from, std::size_t holdouts, NoiseScores& to) {
  to.share = from.share;
  to.cells += from.cells;
  to.flipped += from.flipped;
  to.log_loss += static_cast<double>(from.cells) * from.log_loss;
  to.perplexity += from.perplexity / static_cast<double>(holdouts);
}

}  // namespace

Holdout pooled(const std::vector<Holdout>& holdouts) {
  Holdout out;
  for (const Holdout& each : holdouts) {
    out.scores.resize(each.scores.size());
    out.flipped.resize(each.flipped.size());
    for (std::size_t i = 0; i < out.scores.size(); ++i) add(each.scores[i], out.scores[i]);
    for (std::size_t i = 0; i < out.flipped.size(); ++i)
      add(each.flipped[i], holdouts.size(), out.flipped[i]);
  }
  for (CellScores& scores : out.scores) {
    evaluation::sums_to_means(scores);
    if (scores.cells > 0) scores.gain_error /= static_cast<double>(scores.cells);
  }
  for (NoiseScores& noise : out.flipped) {
    if (noise.cells > 0) noise.log_loss /= static_cast<double>(noise.cells);
  }
  return out;
}

}  // namespace medley
