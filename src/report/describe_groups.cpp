// SPDX-License-Identifier: Apache-2.0
// Mean memberships of groups: as text, and as a table for other programs and for papers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "report/escapes.hpp"
#include "report/fit_words.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {

// Mean memberships of groups, profile by profile.

namespace {

constexpr std::size_t kGroupName = 30, kGroupTitle = 96;
constexpr double kGroupPercent = 100;

std::string mean_text(const IntervalEstimate& e) {
  if (std::isnan(e.low))
    return fmt::format("{:5.1f} %  (one unit: no interval)", kGroupPercent * e.value);
  return fmt::format("{:5.1f} %  [{:.1f}, {:.1f}]", kGroupPercent * e.value, kGroupPercent * e.low,
                     kGroupPercent * e.high);
}

// If the rows reveal less than this share of the variance, a note explains the shrunken
// differences.
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

// Mean memberships of groups as a table for other programs and for papers: CSV with one line per
// profile and group, Markdown and LaTeX with groups down and profiles across.

namespace {

using report::csv_field;

// Empty for what the rows cannot show.
std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string csv_estimate(const IntervalEstimate& e) {
  return fmt::format("{},{},{},{}", csv_number(e.value), csv_number(e.standard_error),
                     csv_number(e.low), csv_number(e.high));
}

void add_csv(const std::string& name, const GroupMean& group, const GroupMeans& means,
             const Model& model, std::string& out) {
  for (std::size_t k = 0; k < group.mean.size(); ++k) {
    out +=
        fmt::format("{},{},{},{},{},{},{},{}\n", csv_field(means.by), csv_field(name), group.rows,
                    group.weight, k + 1, csv_field(model.title(k)), csv_estimate(group.mean[k]),
                    group.difference.empty() ? ",,," : csv_estimate(group.difference[k]));
  }
}

std::string csv(const GroupMeans& means, const Model& model) {
  std::string out =
      "by,group,rows,weight,profile,title,mean,se,low,high,difference,difference_se,"
      "difference_low,difference_high\n";
  for (const GroupMean& group : means.groups) add_csv(group.group, group, means, model, out);
  add_csv("(all rows)", means.all, means, model, out);
  return out;
}

constexpr double kInPercent = 100;

// "31.2 [28.0, 34.6]", in percent.
std::string table_cell(const IntervalEstimate& e) {
  std::string out = fmt::format("{:.1f}", kInPercent * e.value);
  if (!std::isnan(e.low))
    out += fmt::format(" [{:.1f}, {:.1f}]", kInPercent * e.low, kInPercent * e.high);
  return out;
}

std::string caption(const GroupMeans& means) {
  const std::string title = means.title.empty() ? "" : " (" + printable(means.title) + ")";
  const std::string out = fmt::format("Mean membership in % by {}{} with {:.4g} % intervals.",
                                      printable(means.by), title, kInPercent * means.level);
  const std::string weights = report::weights_sentence(means.weights, means.rows);
  return weights.empty() ? out : out + " " + weights;
}

/// Lines of cells, the heading first; all text as in the data.
std::vector<std::vector<std::string>> cells(const GroupMeans& means, const Model& model) {
  std::vector<std::vector<std::string>> out(1, {printable(means.by), "rows"});
  for (std::size_t k = 0; k < model.components(); ++k)
    out.front().push_back(printable(model.title(k)));
  const auto add = [&](const std::string& name, const GroupMean& group) {
    auto& line = out.emplace_back(std::vector{printable(name), report::grouped(group.rows)});
    for (const IntervalEstimate& mean : group.mean) line.push_back(table_cell(mean));
  };
  for (const GroupMean& group : means.groups) add(group.group, group);
  add("all rows", means.all);
  return out;
}

std::string joined(const std::vector<std::string>& line, std::string (*escaped)(const std::string&),
                   const char* between) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) out += (i > 0 ? between : "") + escaped(line[i]);
  return out;
}

std::string markdown(const GroupMeans& means, const Model& model) {
  const auto lines = cells(means, model);
  std::string out = report::markdown_escaped(caption(means)) + "\n\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += "| " + joined(lines[i], report::markdown_escaped, " | ") + " |\n";
    if (i > 0) continue;
    out += "|---|";
    for (std::size_t column = 1; column < lines[i].size(); ++column) out += "---:|";
    out += '\n';
  }
  return out;
}

std::string latex(const GroupMeans& means, const Model& model) {
  const auto lines = cells(means, model);
  std::string out = "% " + caption(means) + "\n\\begin{tabular}{l";
  out += std::string(lines.front().size() - 1, 'r') + "}\n\\hline\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += joined(lines[i], report::latex_escaped, " & ") + " \\\\\n";
    if (i == 0 || i + 2 == lines.size()) out += "\\hline\n";
  }
  return out + "\\hline\n\\end{tabular}\n";
}

}  // namespace

std::string write_groups(const GroupMeans& means, const Model& model, TextFormat format) {
  switch (format) {
    case TextFormat::csv:
      return csv(means, model);
    case TextFormat::md:
      return markdown(means, model);
    case TextFormat::latex:
      return latex(means, model);
    case TextFormat::text:
      break;
  }
  return describe(means, model);
}

}  // namespace medley
