// SPDX-License-Identifier: Apache-2.0
// Mean memberships of the groups of every requested column (uncertainty.hpp). If computing the
// posterior memberships of all rows would take long, an evenly spread sample of rows is used, and
// the page says so. Small groups are left out and counted.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/task.hpp"

#include "data/select_rows.hpp"
#include "medley/error.hpp"
#include "medley/uncertainty.hpp"
#include "model/exact_rows.hpp"
#include "report/page_parts.hpp"
#include "report/page_rows.hpp"

namespace medley::report {
namespace {

constexpr double kQuickDraws = 1e9;       // draws x cells x K
constexpr double kPosteriorDraws = 2000;  // of a row whose posterior is sampled
constexpr std::size_t kFewest = 500;

PageJson interval_ends(const std::vector<IntervalEstimate>& estimates,
                       double IntervalEstimate::* member) {
  PageJson out = PageJson::array();
  for (const IntervalEstimate& estimate : estimates) out.push_back(finite(estimate.*member));
  return out;
}

PageJson group_json(const GroupMean& group) {
  PageJson out = {{"group", group.group},
                  {"rows", group.rows},
                  {"mean", interval_ends(group.mean, &IntervalEstimate::value)},
                  {"low", interval_ends(group.mean, &IntervalEstimate::low)},
                  {"high", interval_ends(group.mean, &IntervalEstimate::high)}};
  return out;
}

/// Columns in which some row has a value and something observed.
std::vector<std::string> usable(const Dataset& data, const std::vector<std::string>& columns) {
  std::vector<std::string> out;
  for (const std::string& name : columns) {
    const KeptColumn* column = data.kept_column(name);
    if (column == nullptr) continue;
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      if (column->code[row] < 0 || data.weight_of(row) <= 0 || data.observed(row) <= 0) continue;
      out.push_back(name);
      break;
    }
  }
  return out;
}

}  // namespace

std::size_t affordable_rows(const Dataset& data, std::size_t components) {
  if (data.rows == 0 || model::exact_cost(data, components).affordable(model::kQuickSteps))
    return data.rows;
  double cells = 0;
  for (const Block& block : data.blocks) cells += static_cast<double>(block.cells());
  const double of_row = kPosteriorDraws * static_cast<double>(components) *
                        std::max(1.0, cells / static_cast<double>(data.rows));
  return std::min(data.rows,
                  std::max(kFewest, nearest_integer_of<std::size_t>(kQuickDraws / of_row)));
}

PageJson page_groups(const Model& model, const Dataset& data, const ReportOptions& options) {
  PageJson out = PageJson::array();
  const std::size_t most = affordable_rows(data, model.components());
  Dataset some;
  if (most < data.rows) some = data::select_rows(data, spread_rows(data.rows, most));
  const Dataset& rows = most < data.rows ? some : data;
  const std::vector<std::string> columns = usable(rows, options.by);
  if (columns.empty()) return out;
  GroupOptions grouping;
  grouping.threads = options.threads;
  for (const GroupMeans& means : group_means(model, rows, grouping, columns)) {
    PageJson groups = PageJson::array();
    std::size_t left_out = 0, rows_left_out = 0;
    for (const GroupMean& group : means.groups) {
      if (group.rows < options.min_cell) {
        ++left_out;
        rows_left_out += group.rows;
      } else {
        groups.push_back(group_json(group));
      }
    }
    out.push_back({{"by", means.by},
                   {"title", means.title},
                   {"level", means.level},
                   {"groups", std::move(groups)},
                   {"all", group_json(means.all)},
                   {"missing_rows", means.missing_rows},
                   {"left_out", left_out},
                   {"rows_left_out", rows_left_out},
                   {"rows_used", rows.rows},
                   {"reliability", finite(means.reliability)}});
  }
  return out;
}

}  // namespace medley::report
