// SPDX-License-Identifier: Apache-2.0
// How well classes are predicted: the scores with a word on each, who is taken for whom, and
// whether probabilities can be taken at their word.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "report/calibration.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {
namespace {

using report::grouped;
using report::left;
using report::right;

constexpr std::size_t kLabelName = 22, kLabelNumber = 16, kLabelCell = 10, kWidestLabel = 16;
// A larger matrix is not for the eye; --json has it.
constexpr std::size_t kMostClasses = 20;

std::string label_row(const std::string& name, double value, const std::string& remark) {
  return fmt::format("{}{}  {}\n", left(name, kLabelName),
                     right(fmt::format("{:.4f}", value), kLabelNumber), remark);
}

std::string class_name(const std::string& name, std::size_t width) {
  return report::shortened(printable(name), width);
}

std::string scores_table(const LabelScores& s) {
  std::string out = label_row("accuracy", s.accuracy,
                              fmt::format("+- {:.4f}; always \"{}\": {:.4f}", s.accuracy_error,
                                          printable(s.baseline_class), s.baseline_accuracy));
  out += label_row("log-loss", s.log_loss,
                   fmt::format("+- {:.4f} nats per row; the classes' shares in these rows: {:.4f}",
                               s.log_loss_error, s.baseline_log_loss));
  out += label_row("Brier score", s.brier, "0: certain and right, 2: certain and wrong");
  out += label_row("macro F1", s.macro_f1, "mean over classes, rare ones count as much");
  out += label_row("calibration error", s.calibration_error,
                   "mean gap between the probability of the predicted class and its accuracy");
  return out;
}

std::string confusion(const LabelScores& s) {
  const std::size_t classes = s.classes.size();
  if (classes > kMostClasses)
    return fmt::format("\n{} classes: the confusion matrix is in `json`.\n", classes);
  std::size_t width = kLabelCell;
  for (const std::string& name : s.classes)
    width = std::max(width, std::min(report::width_of(printable(name)) + 1, kWidestLabel));
  std::string out = "\n" + left("true \\ predicted", kLabelName);
  for (const std::string& name : s.classes) out += right(class_name(name, width - 1), width);
  out += "\n";
  for (std::size_t y = 0; y <= classes; ++y) {
    if (y == classes && s.unknown == 0) continue;
    out += left(y < classes ? class_name(s.classes[y], kLabelName - 1) : "(unknown class)",
                kLabelName);
    for (std::size_t h = 0; h < classes; ++h) {
      const double rows = s.confusion[y * classes + h];
      const bool whole = rows == std::floor(rows);
      out += right(grouped(rows, whole ? 0 : 1), width);
    }
    out += "\n";
  }
  return out;
}

}  // namespace

namespace report {

std::string calibration_table(const std::vector<CalibrationBin>& bins) {
  std::string out = left("probability", kLabelName) + right("rows", kLabelCell) +
                    right("mean", kLabelCell) + right("accuracy", kLabelCell) + "\n";
  for (const CalibrationBin& bin : bins) {
    if (bin.rows == 0) continue;
    out += left(fmt::format("{:.1f} to {:.1f}", bin.low, bin.high), kLabelName) +
           right(grouped(bin.rows), kLabelCell) +
           right(fmt::format("{:.3f}", bin.confidence), kLabelCell) +
           right(fmt::format("{:.3f}", bin.accuracy), kLabelCell) + "\n";
  }
  return out;
}

}  // namespace report

std::string describe(const LabelScores& s) {
  std::string out = fmt::format("Class \"{}\" of {}, predicted ({} probabilities):\n",
                                printable(s.column), report::count(s.rows, "row"), s.method);
  if (s.unlabelled > 0)
    out += fmt::format("{} without a label left out.\n", report::count(s.unlabelled, "row"));
  if (s.unknown > 0) {
    out += fmt::format(
        "{} of classes that the model does not know: wrong in the accuracy, left out "
        "of the log-loss.\n",
        report::count(s.unknown, "row"));
  }
  return out + scores_table(s) + confusion(s) + "\n" + report::calibration_table(s.calibration);
}

}  // namespace medley
