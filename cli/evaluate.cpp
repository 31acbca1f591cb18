// SPDX-License-Identifier: Apache-2.0
// medley evaluate: how well a model describes rows.
#include "medley/evaluate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "checks.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "medley/error.hpp"
#include "medley/inspect.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kHelp =
    R"(Scores of data under a model: log-likelihood, perplexity, agreement with classes.

Examples:
  medley evaluate survey.medley held-out.csv
  medley evaluate survey.medley survey.csv --truth party
  medley evaluate survey.medley survey.csv --per-row > rows.csv)";

struct Arguments {
  std::string model;
  DataOptions data;
  EvaluateOptions options;
  bool per_row = false, json = false;
};

void write_rows(const Dataset& data, const Evaluation& scores) {
  Output output("");
  output.write("id,observations,log_likelihood,estimator,entropy,top_component,top_share\n");
  const std::string estimator = (scores.tempered ? "tempered " : "") + to_string(scores.estimator);
  CsvLine line;
  for (std::size_t i = 0; i < scores.row.size(); ++i) {
    const RowScore& row = scores.row[i];
    line.add(data.id_of(i)).add(row.observations).add(row.log_likelihood).add(estimator);
    line.add(row.entropy).add(row.top + 1).add(row.top_share);
    output.write(line.take());
  }
  output.commit();
}

std::string scores_json(const Evaluation& s) {
  using Json = nlohmann::ordered_json;
  Json out = {{"estimator", to_string(s.estimator)},
              {"tempered", s.tempered},
              {"rows", s.rows},
              {"empty_rows", s.empty_rows},
              {"observations", s.observations},
              {"log_likelihood", s.log_likelihood},
              {"standard_error", s.standard_error},
              {"baseline", s.baseline},
              {"above_baseline",
               s.observations > 0 ? (s.log_likelihood - s.baseline) / s.observations : 0.0},
              {"perplexity", s.perplexity},
              {"log_row_perplexity", s.log_row_perplexity},
              {"mean_entropy", s.mean_entropy}};
  Json truth = Json::array();
  for (const TruthScores& t : s.truth) {
    truth.push_back({{"column", t.column},
                     {"rows", t.rows},
                     {"micro_precision", t.micro_precision},
                     {"mutual_information", t.mutual_information},
                     {"nmi", t.nmi}});
  }
  out["truth"] = std::move(truth);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Reads with the --truth columns set aside; an unknown one is reported under that option's name.
Dataset read_with_truth(const Arguments& arguments, const Model& model) {
  ReadOptions reading = read_options(arguments.data, model);
  reading.keep = arguments.options.truth;
  try {
    return read(sources(arguments.data), reading);
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.where == "keep") problem.where = "--truth";
    }
    throw InputError(std::move(problems), error.total());
  }
}

int run(const Arguments& arguments) {
  const Model model = Model::load(arguments.model);
  const Dataset data = read_with_truth(arguments, model);
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  const Evaluation scores = evaluate(model, data, arguments.options);
  if (arguments.per_row) {
    write_rows(data, scores);
  } else {
    write_text("", arguments.json ? scores_json(scores) : describe(scores));
  }
  return kDone;
}

}  // namespace

void add_evaluate(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("evaluate", kHelp);
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "a model file written by medley fit")->required();
  command
      ->add_option("--estimator", arguments->options.estimator,
                   "bound, exact (single membership) or auto")
      ->type_name("HOW")
      ->check(one_of({"auto", "bound", "exact"}), "");
  command
      ->add_option("--truth", arguments->options.truth,
                   "compare top profiles with a known grouping (repeatable)")
      ->type_name("COLUMN")
      ->allow_extra_args(false);
  command->add_option("--threads", arguments->options.threads, "default: all cores")
      ->type_name("T")
      ->check(whole_number(1), "");
  CLI::Option* per_row =
      command->add_flag("--per-row", arguments->per_row, "one CSV line per row, in file order");
  command->add_flag("--json", arguments->json, "the scores as one JSON object")->excludes(per_row);
  add_data_options(*command, arguments->data);
  command->callback(
      [&program, arguments] { program.run = [arguments] { return run(*arguments); }; });
}

}  // namespace medley::cli
