// SPDX-License-Identifier: Apache-2.0
// The problems of a fit or its chains, and the result of the test of a sampler: sentences first,
// then the numbers behind them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {

// The problems of a fit or its chains: sentences first, then the numbers behind them.

namespace {

constexpr std::size_t kDiagnosisName = 36, kDiagnosisNumber = 10;
// How many of the worst recorded quantities, and of the worst parameters, to list.
constexpr std::size_t kQuantities = 12, kParameters = 8;

std::string diagnosis_number(double value) {
  if (std::isnan(value)) return "-";
  const double size = std::abs(value);
  if (size >= 1e5) return report::grouped(value, 0);
  return fmt::format("{:.{}f}", value, size >= 1000 ? 1 : size >= 1 ? 3 : 4);
}

std::string diagnosis_line(const std::string& name, const std::vector<std::string>& values) {
  std::string out =
      "  " + report::left(report::shortened(printable(name), kDiagnosisName), kDiagnosisName);
  for (const std::string& value : values) out += "  " + report::right(value, kDiagnosisNumber);
  return out + '\n';
}

std::string quantity_table(const std::vector<ChainQuantity>& quantities, std::size_t most) {
  std::string out = diagnosis_line("", {"mean", "5 %", "95 %", "R-hat", "ESS bulk", "ESS tail"});
  const auto whole = [](double value) {
    return std::isnan(value) ? std::string("-") : report::grouped(value, 0);
  };
  for (std::size_t i = 0; i < std::min(most, quantities.size()); ++i) {
    const ChainQuantity& q = quantities[i];
    out += diagnosis_line(
        q.name, {diagnosis_number(q.mean), diagnosis_number(q.low), diagnosis_number(q.high),
                 std::isnan(q.rhat) ? "-" : fmt::format("{:.3f}", q.rhat), whole(q.ess_bulk),
                 whole(q.ess_tail)});
  }
  return out;
}

std::string criterion(const std::string& what, const InformationCriterion& c) {
  const std::string error =
      c.error > 0 ? fmt::format(" (standard error {})", diagnosis_number(c.error)) : "";
  return fmt::format("  {}: DIC {}, mean deviance {}{}, effective parameters {}\n", what,
                     report::grouped(c.dic(), 1), report::grouped(c.mean_deviance, 1), error,
                     report::grouped(c.effective(), 1));
}

std::string clusters(const Diagnosis& d) {
  std::string out = "Clusters, share of the draws:";
  for (const auto& [k, share] : d.clusters) {
    if (share >= 0.005) out += fmt::format("  {}: {:.0f} %", k, 100 * share);
  }
  return out + (d.mixed ? "\n" : "  (not mixed: do not rely on it)\n");
}

std::string chains(const Diagnosis& d) {
  std::string out = fmt::format("\n{}, each with a burn-in of {} and {} after it; {} kept.\n",
                                report::count(d.chains, "chain"), report::count(d.burn_in, "sweep"),
                                report::grouped(d.sweeps), report::count(d.draws, "draw"));
  if (!d.clusters.empty()) out += clusters(d);
  // The log-likelihood and other totals come first, then the worst of the cells.
  std::vector<ChainQuantity> listed = d.quantity;
  const auto cells = std::ranges::find_if(listed, &ChainQuantity::about_row);
  std::sort(cells, listed.end(), [](const ChainQuantity& a, const ChainQuantity& b) {
    return (std::isnan(a.rhat) ? 0 : a.rhat) > (std::isnan(b.rhat) ? 0 : b.rhat);
  });
  out += "\nThe same whatever profiles are called:\n" + quantity_table(listed, kQuantities);
  if (!d.parameter.empty())
    out += fmt::format("\nParameters with the largest R-hat, of {}:\n",
                       report::grouped(d.parameter.size())) +
           quantity_table(d.parameter, kParameters);
  if (d.conditional || d.marginal) out += "\nDeviance information criterion, smaller is better:\n";
  if (d.conditional) out += criterion("conditional (memberships count)", *d.conditional);
  if (d.marginal) out += criterion("marginal (memberships integrated out)", *d.marginal);
  if ((d.conditional || d.marginal) && !d.mixed)
    out += "  Not mixed: no choice between models should rest on it.\n";
  return out;
}

}  // namespace

std::string describe(const Diagnosis& diagnosis) {
  std::string out;
  for (const Finding& finding : diagnosis.finding) out += printable(finding.text) + '\n';
  for (const Finding& suggestion : diagnosis.suggestion)
    out += "What to do: " + printable(suggestion.text) + '\n';
  if (diagnosis.sound && diagnosis.chains == 0)
    out += "Nothing is wrong that the model can tell.\n";
  if (diagnosis.chains > 0) out += chains(diagnosis);
  return out;
}

// The test of a sampler: every compared quantity, then the result.

namespace {

constexpr std::size_t kSelftestName = 34, kSelftestNumber = 11;

std::string selftest_line(const std::string& name, const std::vector<std::string>& values,
                          const std::string& last) {
  std::string out =
      "  " + report::left(report::shortened(printable(name), kSelftestName), kSelftestName);
  for (const std::string& value : values) out += "  " + report::right(value, kSelftestNumber);
  return out + (last.empty() ? "" : "  " + last) + '\n';
}

std::string selftest_number(double value) {
  return fmt::format("{:.{}f}", value, std::abs(value) >= 100 ? 1 : 4);
}

}  // namespace

std::string describe(const SelfTest& test) {
  const bool sbc = test.kind == SelfTestKind::sbc;
  std::string out = fmt::format(
      "{} of {}, on {} with {}: {}.\n\n", sbc ? "Simulation-based calibration" : "Geweke's test",
      test.model, report::count(test.rows, "row"), report::count(test.cells, "observation"),
      report::count(test.replicates, sbc ? "fit" : "chain"));
  out += sbc ? selftest_line("", {"mean rank", "chi-square", "p"}, "")
             : selftest_line("", {"from priors", "by turns", "z", "p"}, "");
  for (const SelfTestRow& row : test.row) {
    std::vector<std::string> values = {selftest_number(row.found),
                                       fmt::format("{:.2f}", row.statistic),
                                       fmt::format("{:.2g}", row.p)};
    if (!sbc) values.insert(values.begin(), selftest_number(row.expected));
    out += selftest_line(row.name, values, row.passed ? "" : "FAILS");
  }
  out += fmt::format("\nA number fails if p is below {:.1e}, 1 % for all of them together.\n",
                     test.least_p);
  for (const std::string& sentence : test.sentence) out += printable(sentence) + '\n';
  return out;
}

}  // namespace medley
