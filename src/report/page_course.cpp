// SPDX-License-Identifier: Apache-2.0
// The course of a fit iteration by iteration, and its health as questions with an answer and a
// state.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "model/model.hpp"
#include "report/fit_words.hpp"
#include "report/numbers.hpp"
#include "report/page_parts.hpp"

namespace medley::report {

// The course of a fit: the bound after every iteration of every restart; for a sampled model the
// recorded quantities of its chains, with R-hat and effective sample sizes. Long courses are
// thinned evenly.

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

// The health of a fit as questions, each with an answer in words and a state: good, fair (look at
// it), poor (do something), unknown.

namespace {

class Lights {
 public:
  void add(const char* state, const char* question, std::string answer) {
    out_.push_back({{"state", state}, {"question", question}, {"answer", std::move(answer)}});
  }

  void ending(const FitSummary& summary) {
    const char* question = "Did the fit converge?";
    const std::string after = count(summary.iterations, "iteration");
    switch (summary.termination) {
      case Termination::converged:
        return add("good", question, "Yes, after " + after + ".");
      case Termination::iteration_limit:
        return add("poor", question,
                   "No: it stopped at the limit of " + after +
                       ". Fit again with a larger `max_iterations`.");
      case Termination::interrupted:
        return add("poor", question, "No: it was interrupted after " + after + ".");
      case Termination::passes_done:
        return add("good", question,
                   fmt::format("It was learnt in {}, as many as were asked for.",
                               count(summary.iterations, "step")));
      case Termination::sampled:
        break;
    }
  }

  // Other findings have lights of their own.
  void chains(const Diagnosis& diagnosis, bool rows) {
    if (diagnosis.chains == 0) return;
    std::string answer = diagnosis.mixed ? "Yes." : "No.";
    for (const Finding& finding : diagnosis.finding) {
      if (finding.about_chains && (rows || !finding.about_row)) answer += " " + finding.text;
    }
    for (const Finding& suggestion : diagnosis.suggestion) {
      if (suggestion.about_chains && (rows || !suggestion.about_row))
        answer += " " + suggestion.text;
    }
    add(diagnosis.mixed ? "good" : "poor", "Have the chains mixed?", answer);
  }

  void restarts(const FitSummary& summary, const Diagnosis& diagnosis,
                const SelectedModels::Entry* selected) {
    const char* question = "Is it stable over starts?";
    if (diagnosis.chains > 0) return;
    const std::size_t starts = selected != nullptr ? selected->restarts : diagnosis.restarts;
    const std::size_t same = selected != nullptr ? selected->found_again : diagnosis.same_optimum;
    const auto tried = agreement_of_starts(summary);
    if (starts < 2 && tried) {
      const std::string came = fmt::format(
          "{} of the {} starts that were followed to their end came within 0.1 % of the best",
          tried->near, tried->followed);
      if (tried->near > 1) return add("good", question, "Yes: " + came + ".");
      return add("fair", question, came + ". Another may be better still: try more `tries`.");
    }
    if (starts < 2)
      return add("unknown", question,
                 "Not known: it was fitted from one start. Fit with `restarts=5` to see.");
    const std::string found = fmt::format("{} of {} starts found the same optimum.", same, starts);
    if (same > 1) return add("good", question, found);
    add("fair", question, found + " Another may be better still: try more `restarts`.");
  }

  void profiles(const Model& model, const Diagnosis& diagnosis) {
    const char* question = "Are all of them used?";
    if (diagnosis.small_profiles == 0)
      return add("good", question,
                 fmt::format("Yes: the smallest holds {} of all memberships.",
                             percent(*std::ranges::min_element(model.sizes()))));
    add(model.parts().membership->entry().infers_k ? "good" : "fair", question,
        fmt::format("{} of {} hold less than 0.5 % of all memberships.", diagnosis.small_profiles,
                    model.components()));
  }

  void empty_rows(const FitSummary& summary) {
    const char* question = "Rows with nothing observed?";
    if (summary.empty_rows == 0) return add("good", question, "None.");
    const double share =
        static_cast<double>(summary.empty_rows) / static_cast<double>(summary.rows);
    add("fair", question,
        fmt::format("{} ({}): they get the average membership and say nothing.",
                    count(summary.empty_rows, "row"), percent(share)));
  }

  // Words, items and levels that the model does not know come from few rows, so without `rows` they
  // are not named.
  void data(const Dataset& data, bool rows) {
    const char* question = "Does the model know everything in these rows?";
    if (rows) {
      std::string unknown = describe_unknown(data);  // lines
      if (unknown.empty()) return;
      unknown.pop_back();
      std::ranges::replace(unknown, '\n', ' ');
      add("fair", question, "No. " + unknown);
      return;
    }
    std::string answer;
    for (const Block& block : data.blocks) {
      if (std::ranges::find(data.unknown, block.name, &Unknown::block) != data.unknown.end())
        answer +=
            fmt::format("{}some entries of {}", answer.empty() ? "" : ", ", printable(block.name));
    }
    if (!data.extra.empty())
      answer += fmt::format("{}{}", answer.empty() ? "" : ", ", count(data.extra.size(), "column"));
    if (!answer.empty())
      add("fair", question, "No: it does not know " + answer + ", which are not read.");
  }

  [[nodiscard]] PageJson take() { return std::move(out_); }

 private:
  PageJson out_ = PageJson::array();
};

}  // namespace

PageJson page_lights(const Model& model, const Dataset* data, const SelectedModels::Entry* selected,
                     bool rows) {
  const Diagnosis diagnosis = diagnose(model);
  const FitSummary& summary = model.summary();
  Lights lights;
  lights.ending(summary);
  lights.chains(diagnosis, rows);
  lights.restarts(summary, diagnosis, selected);
  lights.profiles(model, diagnosis);
  lights.empty_rows(summary);
  if (data != nullptr) lights.data(*data, rows);
  for (const std::string& warning : summary.warnings)
    lights.add("fair", "Warning of the fit", printable(warning));
  return lights.take();
}

}  // namespace medley::report
