// SPDX-License-Identifier: Apache-2.0
#include "selftest_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string selftest_json(const SelfTest& test) {
  const bool sbc = test.kind == SelfTestKind::sbc;
  Json rows = Json::array();
  for (const SelfTestRow& row : test.row)
    rows.push_back({{"name", row.name},
                    {"expected", json_number(row.expected)},
                    {"found", json_number(row.found)},
                    {"error", json_number(row.error)},
                    {sbc ? "chi_square" : "z", json_number(row.statistic)},
                    {"p", json_number(row.p)},
                    {"passed", row.passed}});
  Json out = {
      {"test", sbc ? "sbc" : "geweke"}, {"model", test.model},    {"passed", test.passed},
      {"sentences", test.sentence},     {"rows", test.rows},      {"observations", test.cells},
      {"replicates", test.replicates},  {"least_p", test.least_p}};
  if (sbc) out["slow"] = test.slow;
  out["quantities"] = std::move(rows);
  return json_text(out);
}

}  // namespace medley::cli
