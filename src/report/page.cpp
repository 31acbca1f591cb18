// SPDX-License-Identifier: Apache-2.0
// The page: gathers everything about a model and puts it into the template.
#include <nlohmann/json.hpp>

#include "core/task.hpp"

#include "medley/error.hpp"
#include "medley/options.hpp"
#include "medley/report.hpp"
#include "model/model_on_data.hpp"
#include "report/page_pack.hpp"
#include "report/page_parts.hpp"
#include "report/page_template.hpp"

namespace medley {
namespace {

void add_data(const Model& model, const Dataset& data, const ReportOptions& options,
              report::PageJson& json, report::Pack& pack) {
  EvaluateOptions bound;
  bound.estimator = "bound";
  bound.each_block = false;
  bound.threads = options.threads;
  const report::ScoredData scored{data, transform(model, data, options.threads),
                                  evaluate(model, data, bound)};
  json["rows"] = report::page_rows(model, scored, options, pack);
  json["groups"] = report::page_groups(model, data, options);
  if (!scored.scores.label) return;
  json["label"] =
      report::page_label(options.rows ? *scored.scores.label
                                      : report::without_rare_classes(*scored.scores.label, model,
                                                                     data, options.min_cell));
}

/// Converts the names of options in every sentence for the reader.
void reword(report::PageJson& json, const ReportOptions& options) {
  if (json.is_string()) {
    json = options.wording(json.get<std::string>());
  } else if (json.is_structured()) {
    for (report::PageJson& one : json) reword(one, options);
  }
}

}  // namespace

bool has_report_page() {
  return !report::page_template().empty();
}

std::string report_data(const ReportInput& input, const ReportOptions& options,
                        const Hooks& hooks) {
  const core::Task task(hooks);
  const Model& whole = input.model;
  if (input.data != nullptr) model::check_rows(whole, *input.data);
  const Model model =
      options.rows ? whole : report::without_rare_names(whole, input.data, options.min_cell);
  report::Pack pack;
  report::PageJson json = {{"format", "medley report"},
                           {"version", 1},
                           {"medley", version()},
                           {"title", options.title.empty() ? "Medley report" : options.title},
                           {"no_rows", !options.rows},
                           {"min_cell", options.min_cell}};
  json["model"] = report::page_model(model, input.data);
  json["methods"] = report::page_methods(model, input.data);
  json["lights"] = report::page_lights(
      model, input.data,
      input.selection != nullptr ? &input.selection->entries[input.selection->chosen] : nullptr,
      options.rows);
  json["blocks"] = report::page_blocks(model, pack);
  json["words"] = report::page_words(model, pack);
  json["relations"] = report::page_relations(whole, input.data, options.threads);
  json["course"] = report::page_course(model, options.rows);
  if (input.data != nullptr) add_data(whole, *input.data, options, json, pack);
  if (input.selection != nullptr) json["selection"] = report::page_selection(*input.selection);
  if (options.wording) {
    reword(json["lights"], options);
    reword(json["model"]["fit"], options);
    reword(json["model"]["legend"], options);
    if (json.contains("selection")) reword(json["selection"], options);
  }
  return pack.joined(json);
}

std::string report_page(const ReportInput& input, const ReportOptions& options,
                        const Hooks& hooks) {
  const core::Task task(hooks);
  if (!has_report_page())
    throw RunError("this medley was built without the report page (-DMEDLEY_REPORT=OFF)");
  std::string page(report::page_template());
  const std::size_t mark = page.find(report::kDataMark);
  if (mark == std::string::npos) throw RunError("the report page was built wrongly");
  // base64 has neither < nor &: nothing in the data can end the element it stands in
  page.replace(mark, report::kDataMark.size(),
               report::base64(report::compressed(report_data(input, options))));
  return page;
}

}  // namespace medley
