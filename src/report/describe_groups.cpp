// SPDX-License-Identifier: Apache-2.0
// Mean memberships of groups, profile by profile.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"
#include "report/weights.hpp"

namespace medley {
namespace {

constexpr std::size_t kGroupName = 30, kGroupTitle = 96;
constexpr double kGroupPercent = 100;

std::string mean_text(const IntervalEstimate& e) {
  if (std::isnan(e.low))
    return fmt::format("{:5.1f} %  (one unit: no interval)", kGroupPercent * e.value);
  return fmt::format("{:5.1f} %  [{:.1f}, {:.1f}]", kGroupPercent * e.value, kGroupPercent * e.low,
                     kGroupPercent * e.high);
}

// Below this share of the variance that rows reveal, what a difference lacks is told beside it.
constexpr double kReliable = 0.95;

std::string difference_text(const IntervalEstimate& e) {
  if (std::isnan(e.low)) return fmt::format("{:+.1f}", kGroupPercent * e.value);
  return fmt::format("{:+.1f}  [{:+.1f}, {:+.1f}]", kGroupPercent * e.value, kGroupPercent * e.low,
                     kGroupPercent * e.high);
}

std::string group_line(const std::string& name, const GroupMean& group, std::size_t k,
                       std::size_t width) {
  constexpr std::size_t kRows = 9, kMean = 24;
  std::string out =
      fmt::format("  {}{}   {}", report::left(report::shortened(printable(name), width), width),
                  report::right(report::grouped(group.rows), kRows), mean_text(group.mean[k]));
  if (!group.difference.empty()) {
    out = report::left(out, 2 + width + kRows + 3 + kMean) + "  " +
          difference_text(group.difference[k]);
  }
  return out + '\n';
}

std::string notes(const GroupMeans& means) {
  std::string out;
  if (means.missing_rows > 0)
    out += fmt::format("Left out: {} without a value in \"{}\".\n",
                       report::count(means.missing_rows, "row"), printable(means.by));
  if (means.empty_rows > 0)
    out += fmt::format("Left out: {} with nothing observed.\n",
                       report::count(means.empty_rows, "row"));
  if (means.lonely_strata > 0 && means.strata > 1)
    out +=
        fmt::format("{} a single sampling unit: held against the mean of all units.\n",
                    means.lonely_strata == 1 ? "1 stratum has"
                                             : fmt::format("{} strata have", means.lonely_strata));
  const auto [least, most] = std::ranges::minmax(means.reliability);
  out += fmt::format(
      "The rows' cells reveal {} to {} of how memberships vary; the rest is pulled towards the "
      "mean\n"
      "of all rows, so differences between groups are shown about that much of their true size.\n",
      report::percent(least), report::percent(most));
  return out;
}

}  // namespace

std::string describe(const GroupMeans& means, const Model& model) {
  std::size_t width = report::width_of("all rows");
  for (const GroupMean& group : means.groups)
    width = std::max(width, report::width_of(printable(group.group)));
  width = std::min(width, kGroupName);
  std::string out = fmt::format(
      "Mean membership by \"{}\": rows, mean with {:.4g} % interval, difference to the other "
      "rows\n",
      printable(means.by), kGroupPercent * means.level);
  if (!means.title.empty())
    out += fmt::format("{}: {}\n", printable(means.by),
                       report::shortened(printable(means.title), kGroupTitle));
  if (means.units != means.all.rows || means.strata > 1)
    out += fmt::format("Design: {} in {}.\n", report::count(means.units, "sampling unit"),
                       means.strata == 1 ? "1 stratum" : fmt::format("{} strata", means.strata));
  if (means.weights.used()) out += report::weights_sentence(means.weights, means.rows) + "\n";
  for (std::size_t k = 0; k < model.components(); ++k) {
    out += fmt::format("\n{}\n", printable(model.title(k)));
    if (means.reliability[k] < kReliable)
      out += fmt::format("  Differences are shown at about {} of their true size, intervals too.\n",
                         report::percent(means.reliability[k]));
    for (const GroupMean& group : means.groups) out += group_line(group.group, group, k, width);
    out += group_line("all rows", means.all, k, width);
  }
  return out + '\n' + notes(means);
}

}  // namespace medley
