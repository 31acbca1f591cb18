// SPDX-License-Identifier: Apache-2.0
// Predicted classes against the true ones. With w_i the weight of row i, W their sum, y its class,
// p its probabilities and h* the likeliest class, every score of the form sum_i w_i s_i / W:
//
//   accuracy  s = [h* = y]        log-loss  s = -log p_y        Brier  s = sum_h (p_h - [h = y])^2
//
// Its standard error is sqrt(n / (n - 1) sum_i w_i^2 (s_i - mean)^2) / W. Macro F1 is the mean over
// classes of 2 tp / (2 tp + fp + fn); the calibration error sum_b W_b / W |accuracy_b -
// confidence_b| over ten equal bins of p_h*.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "medley/error.hpp"
#include "medley/predict.hpp"

namespace medley {
namespace {

// A weighted mean with its standard error from the spread of rows.
class Mean {
 public:
  void add(double weight, double value) {
    weight_.push_back(weight);
    value_.push_back(value);
    total_ += weight;
    sum_ += weight * value;
  }
  [[nodiscard]] double mean() const { return total_ > 0 ? sum_ / total_ : 0.0; }
  [[nodiscard]] double error() const {
    const auto n = static_cast<double>(value_.size());
    if (n < 2) return 0;
    double squares = 0;
    for (std::size_t i = 0; i < value_.size(); ++i) {
      const double off = weight_[i] * (value_[i] - mean());
      squares += off * off;
    }
    return std::sqrt(squares * n / (n - 1)) / total_;
  }

 private:
  std::vector<double> weight_, value_;
  double total_ = 0, sum_ = 0;
};

// A label of every row: the place of its class among those predicted, or a code below 0.
std::vector<std::int32_t> true_classes(const ClassProbabilities& predicted,
                                       const KeptColumn& label) {
  std::vector<std::int32_t> place;
  for (const std::string& level : label.levels) {
    const auto found = std::ranges::find(predicted.classes, level);
    place.push_back(found == predicted.classes.end()
                        ? kUnknownClass
                        : static_cast<std::int32_t>(found - predicted.classes.begin()));
  }
  std::vector<std::int32_t> out;
  for (const std::int32_t code : label.code)
    out.push_back(code < 0 ? code : place[static_cast<std::size_t>(code)]);
  return out;
}

// Row-wise scores, the confusion matrix and the bins, row after row.
class Tally {
 public:
  explicit Tally(LabelScores& out) : out_(out), classes_(out.classes.size()) {
    out_.confusion.assign((classes_ + 1) * classes_, 0.0);
    constexpr double kWidth = 1.0 / static_cast<double>(kCalibrationBins);
    for (std::size_t b = 0; b < kCalibrationBins; ++b)
      out_.calibration.push_back(
          {static_cast<double>(b) * kWidth, static_cast<double>(b + 1) * kWidth});
    bin_weight_.assign(kCalibrationBins, 0.0);
  }

  void add(std::span<const double> p, std::size_t top, std::int32_t truth, double weight) {
    const bool known = truth >= 0;
    const auto y = known ? static_cast<std::size_t>(truth) : classes_;
    ++out_.rows;
    out_.unknown += known ? 0 : 1;
    accuracy_.add(weight, top == y ? 1.0 : 0.0);
    if (known) log_loss_.add(weight, -std::log(std::max(p[y], kLeastProbability)));
    double squares = known ? 0.0 : 1.0;
    for (std::size_t h = 0; h < classes_; ++h) {
      const double off = p[h] - (h == y ? 1.0 : 0.0);
      squares += off * off;
    }
    brier_.add(weight, squares);
    out_.confusion[y * classes_ + top] += weight;
    put_into_bin(p[top], top == y, weight);
  }

  void finish() {
    out_.accuracy = accuracy_.mean();
    out_.accuracy_error = accuracy_.error();
    out_.log_loss = log_loss_.mean();
    out_.log_loss_error = log_loss_.error();
    out_.brier = brier_.mean();
    finish_bins();
    finish_classes();
  }

 private:
  // exp(-708): a probability of 0 would make every other row's loss invisible.
  static constexpr double kLeastProbability = std::numeric_limits<double>::min();

  void put_into_bin(double confidence, bool right, double weight) {
    const auto at =
        nearest_integer_of<std::size_t>(confidence * static_cast<double>(kCalibrationBins));
    const std::size_t b = std::min(at, kCalibrationBins - 1);
    CalibrationBin& bin = out_.calibration[b];
    ++bin.rows;
    bin.confidence += weight * confidence;
    bin.accuracy += right ? weight : 0.0;
    bin_weight_[b] += weight;
  }

  void finish_bins() {
    double total = 0;
    for (const double weight : bin_weight_) total += weight;
    for (std::size_t b = 0; b < kCalibrationBins; ++b) {
      CalibrationBin& bin = out_.calibration[b];
      if (bin.rows == 0) continue;
      bin.confidence /= bin_weight_[b];
      bin.accuracy /= bin_weight_[b];
      out_.calibration_error += bin_weight_[b] / total * std::abs(bin.accuracy - bin.confidence);
    }
  }

  // Macro F1 and the baseline, from the confusion matrix.
  void finish_classes() {
    double all = 0, known = 0, f1 = 0, largest = 0, classes_seen = 0;
    std::vector<double> truth(classes_ + 1, 0.0), guess(classes_, 0.0);
    for (std::size_t y = 0; y <= classes_; ++y) {
      for (std::size_t h = 0; h < classes_; ++h) {
        truth[y] += out_.confusion[y * classes_ + h];
        guess[h] += out_.confusion[y * classes_ + h];
      }
      all += truth[y];
    }
    known = all - truth[classes_];
    for (std::size_t h = 0; h < classes_; ++h) {
      const double held = truth[h] + guess[h];  // 2 tp + fp + fn
      if (held <= 0) continue;
      f1 += 2 * out_.confusion[h * classes_ + h] / held;
      ++classes_seen;
      if (truth[h] > largest) {
        largest = truth[h];
        out_.baseline_class = out_.classes[h];
      }
      if (truth[h] > 0) out_.baseline_log_loss -= truth[h] / known * std::log(truth[h] / known);
    }
    classes_seen += truth[classes_] > 0 ? 1 : 0;
    out_.macro_f1 = classes_seen > 0 ? f1 / classes_seen : 0.0;
    out_.baseline_accuracy = all > 0 ? largest / all : 0.0;
  }

  LabelScores& out_;
  std::size_t classes_;
  Mean accuracy_, log_loss_, brier_;
  std::vector<double> bin_weight_;
};

}  // namespace

LabelScores score_classes(const ClassProbabilities& predicted, const KeptColumn& label,
                          std::span<const double> row_weight) {
  if (label.code.size() != predicted.rows()) {
    throw InputError({"label",
                      "has " + std::to_string(label.code.size()) + " rows, the predictions " +
                          std::to_string(predicted.rows()),
                      "take both from the same data"});
  }
  LabelScores out;
  out.column = label.name;
  out.classes = predicted.classes;
  out.method = predicted.method;
  const std::vector<std::int32_t> truth = true_classes(predicted, label);
  Tally tally(out);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double weight = row_weight.empty() ? 1.0 : row_weight[i];
    if (weight <= 0) continue;
    if (truth[i] == kMissingClass) {
      ++out.unlabelled;
    } else {
      tally.add(predicted.row(i), predicted.top(i), truth[i], weight);
    }
  }
  tally.finish();
  return out;
}

}  // namespace medley
