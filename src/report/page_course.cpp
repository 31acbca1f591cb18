// SPDX-License-Identifier: Apache-2.0
// The course of a fit: the bound after every iteration of every restart; of a sampled model the
// numbers that were followed through its chains, with R-hat and effective sample sizes. Long
// courses are shown at evenly spread places.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "model/model.hpp"
#include "report/page_parts.hpp"

namespace medley::report {
namespace {

constexpr std::size_t kMostPoints = 400;  // of one line
constexpr std::size_t kMostTraces = 24;
constexpr std::size_t kMostParameters = 40;

/// Every `step`-th value, and the last.
PageJson line_json(const std::vector<double>& values) {
  const std::size_t step = (values.size() + kMostPoints - 1) / kMostPoints;
  PageJson at = PageJson::array(), value = PageJson::array();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % step != 0 && i + 1 != values.size()) continue;
    at.push_back(i + 1);
    value.push_back(finite(values[i]));
  }
  return {{"at", std::move(at)}, {"value", std::move(value)}};
}

PageJson quantity_json(const ChainQuantity& q) {
  return {{"name", q.name},
          {"mean", finite(q.mean)},
          {"sd", finite(q.sd)},
          {"low", finite(q.low)},
          {"high", finite(q.high)},
          {"rhat", finite(q.rhat)},
          {"ess_bulk", finite(q.ess_bulk)},
          {"ess_tail", finite(q.ess_tail)},
          {"mcse", finite(q.mcse)}};
}

PageJson chains_json(const Model& model, bool rows) {
  const Diagnosis diagnosis = diagnose(model);
  const model::Draws& draws = *model.parts().draws;
  PageJson traces = PageJson::array(), quantities = PageJson::array(),
           parameters = PageJson::array();
  for (const model::Trace& trace : draws.trace) {
    if (traces.size() >= kMostTraces || (!rows && trace.about_row)) continue;
    PageJson chains = PageJson::array();
    for (const auto& chain : trace.chain) chains.push_back(line_json(chain));
    traces.push_back({{"name", trace.name}, {"chains", std::move(chains)}});
  }
  for (const ChainQuantity& q : diagnosis.quantity)
    if (rows || !q.about_row) quantities.push_back(quantity_json(q));
  for (std::size_t i = 0; i < std::min(kMostParameters, diagnosis.parameter.size()); ++i)
    parameters.push_back(quantity_json(diagnosis.parameter[i]));
  PageJson clusters = PageJson::array();
  for (const auto& [k, share] : diagnosis.clusters)
    clusters.push_back({{"k", k}, {"share", share}});
  return {{"chains", diagnosis.chains},
          {"burn_in", diagnosis.burn_in},
          {"sweeps", diagnosis.sweeps},
          {"draws", diagnosis.draws},
          {"mixed", diagnosis.mixed},
          {"rhat_limit", kMixedRhat},
          {"ess_limit", kMixedDraws},
          {"traces", std::move(traces)},
          {"quantities", std::move(quantities)},
          {"parameters", std::move(parameters)},
          {"all_parameters", diagnosis.parameter.size()},
          {"clusters", std::move(clusters)}};
}

}  // namespace

PageJson page_course(const Model& model, bool rows) {
  const FitSummary& summary = model.summary();
  PageJson restarts = PageJson::array();
  for (const RestartTrace& restart : summary.restarts) {
    if (restart.bound.empty()) continue;
    PageJson line = line_json(restart.bound);
    line["ending"] = in_words(restart.termination);
    line["iterations"] = restart.bound.size();
    restarts.push_back(std::move(line));
  }
  PageJson out = {{"restarts", std::move(restarts)}, {"best", summary.best_restart}};
  if (model.parts().draws) out["chains"] = chains_json(model, rows);
  return out;
}

PageJson page_label(const LabelScores& scores) {
  PageJson bins = PageJson::array();
  for (const CalibrationBin& bin : scores.calibration)
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"rows", bin.rows},
                    {"confidence", finite(bin.confidence)},
                    {"accuracy", finite(bin.accuracy)}});
  return {{"column", scores.column},
          {"classes", scores.classes},
          {"method", scores.method},
          {"rows", scores.rows},
          {"unknown", scores.unknown},
          {"unlabelled", scores.unlabelled},
          {"accuracy", finite(scores.accuracy)},
          {"accuracy_error", finite(scores.accuracy_error)},
          {"log_loss", finite(scores.log_loss)},
          {"brier", finite(scores.brier)},
          {"macro_f1", finite(scores.macro_f1)},
          {"baseline_accuracy", finite(scores.baseline_accuracy)},
          {"baseline_class", scores.baseline_class},
          {"confusion", finite(scores.confusion)},
          {"calibration", std::move(bins)},
          {"calibration_error", finite(scores.calibration_error)}};
}

}  // namespace medley::report
