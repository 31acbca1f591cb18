// SPDX-License-Identifier: Apache-2.0
// A test of a sampler: what was compared, number by number, then what came out.
#include <fmt/format.h>

#include <cmath>

#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {
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
