// SPDX-License-Identifier: Apache-2.0
#include "evaluate/fold_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace medley::evaluation {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Folds without the score (NaN) do not count.
template <class Score>
OverFolds over(const std::vector<Fold>& folds, FoldSide Fold::* side, Score&& score) {
  std::vector<double> values;
  for (const Fold& fold : folds) {
    const auto value = static_cast<double>(score(fold.*side));
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) return {kNone, kNone};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : kNone};
}

}  // namespace

FoldSide fold_side(const Evaluation& scores, const Dataset& rows) {
  FoldSide out;
  out.estimator = scores.estimator;
  out.rows = scores.rows;
  for (const Block& block : rows.blocks) out.unseen += block.unseen;
  out.observations = scores.observations;
  out.log_likelihood = scores.log_likelihood;
  const bool any = scores.observations > 0;
  out.perplexity = any ? scores.perplexity : kNone;
  out.log_row_perplexity = any ? scores.log_row_perplexity : kNone;
  const double above = scores.log_likelihood - scores.baseline;
  out.above_baseline = any ? above / scores.observations : kNone;
  out.mean_entropy = any ? scores.mean_entropy : kNone;
  out.entropy_quintile = entropy_quintiles(scores, rows);
  out.label = scores.label;
  return out;
}

namespace {

// The bins of all folds, each as if its rows had been scored together.
void pool_calibration(const std::vector<Fold>& folds, FoldSide Fold::* side,
                      FoldScores::Label& out) {
  double all = 0, gap = 0;
  for (const Fold& fold : folds) {
    if (!(fold.*side).label) continue;
    const std::vector<CalibrationBin>& bins = (fold.*side).label->calibration;
    if (out.calibration.empty())
      for (const CalibrationBin& bin : bins) out.calibration.push_back({bin.low, bin.high});
    for (std::size_t b = 0; b < std::min(bins.size(), out.calibration.size()); ++b) {
      CalibrationBin& to = out.calibration[b];
      const auto rows = static_cast<double>(bins[b].rows);
      to.confidence += rows * bins[b].confidence;
      to.accuracy += rows * bins[b].accuracy;
      to.rows += bins[b].rows;
    }
  }
  for (CalibrationBin& bin : out.calibration) {
    if (bin.rows == 0) continue;
    const auto rows = static_cast<double>(bin.rows);
    all += rows;
    gap += std::abs(bin.accuracy - bin.confidence);
    bin.confidence /= rows;
    bin.accuracy /= rows;
  }
  out.calibration_error = all > 0 ? gap / all : kNone;
}

// Nothing if no fold has the scores: a side without a labelled row has none.
std::optional<FoldScores::Label> label_over(const std::vector<Fold>& folds, FoldSide Fold::* side) {
  const auto first =
      std::ranges::find_if(folds, [&](const Fold& fold) { return (fold.*side).label.has_value(); });
  if (first == folds.end()) return std::nullopt;
  const auto score = [&](double LabelScores::* member) {
    return over(folds, side, [member](const FoldSide& s) {
      return s.label && s.label->rows > 0 ? (*s.label).*member : kNone;
    });
  };
  FoldScores::Label out{((*first).*side).label->column, ((*first).*side).label->method,
                        score(&LabelScores::accuracy),  score(&LabelScores::log_loss),
                        score(&LabelScores::brier),     score(&LabelScores::macro_f1)};
  pool_calibration(folds, side, out);
  return out;
}

}  // namespace

FoldScores over_folds(const std::vector<Fold>& folds, FoldSide Fold::* side) {
  const auto of = [&](auto member) {
    return over(folds, side, [member](const FoldSide& s) { return s.*member; });
  };
  FoldScores out;
  out.unseen = of(&FoldSide::unseen);
  out.perplexity = of(&FoldSide::perplexity);
  out.log_row_perplexity = of(&FoldSide::log_row_perplexity);
  out.log_likelihood = of(&FoldSide::log_likelihood);
  out.above_baseline = of(&FoldSide::above_baseline);
  out.mean_entropy = of(&FoldSide::mean_entropy);
  for (std::size_t q = 0; q < out.entropy_quintile.size(); ++q)
    out.entropy_quintile[q] =
        over(folds, side, [q](const FoldSide& s) { return s.entropy_quintile[q]; });
  const std::size_t columns = folds.empty() ? 0 : (folds.front().*side).truth.size();
  for (std::size_t t = 0; t < columns; ++t) {
    const auto truth = [&](double TruthScores::* member) {
      return over(folds, side, [t, member](const FoldSide& s) {
        const bool known = s.truth[t].rows > 0;
        return known ? s.truth[t].*member : kNone;
      });
    };
    out.truth.push_back({(folds.front().*side).truth[t].column,
                         truth(&TruthScores::micro_precision),
                         truth(&TruthScores::mutual_information), truth(&TruthScores::nmi),
                         truth(&TruthScores::accuracy)});
  }
  out.label = label_over(folds, side);
  return out;
}

}  // namespace medley::evaluation
