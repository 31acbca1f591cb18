// SPDX-License-Identifier: Apache-2.0
// medley evaluate: how well a model describes rows.
#include "medley/evaluate.hpp"

#include <fmt/format.h>

#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "cross_validate.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "evaluate_fits.hpp"
#include "evaluate_quality.hpp"
#include "evaluation_json.hpp"
#include "fit_options.hpp"
#include "flags.hpp"
#include "label_options.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "read_keeping.hpp"
#include "signals.hpp"

namespace medley::cli {
namespace {

constexpr const char* kEvaluateHelp =
    R"(Score data under a model: log-likelihood, perplexity, hidden cells, known classes.

Examples:
  medley evaluate survey.medley held-out.csv
  medley evaluate survey.medley survey.csv --truth party
  medley evaluate survey.medley survey.csv --per-row > rows.csv
  medley evaluate iris.medley held-out.csv                         also its label, if it learnt one
  medley evaluate news.medley news.ldac --quality                  are the topics coherent?
  medley evaluate survey.medley survey.csv --absolute-fit          what does the model not explain?
  medley evaluate survey.medley held-out.csv --holdout-cells 0.1   hide cells and predict them
  medley evaluate survey.csv --k 3 --holdout-cells 0.1             the same, fitting without them
  medley evaluate survey.csv --k 3 --folds 10 --truth party        cross-validation
  medley evaluate cells.csv --label type --k auto --folds 10       how well a class is predicted
  medley evaluate cells.csv --label type --k 3 --folds 10 --per-row > held-out.csv)";

struct EvaluateArguments {
  std::string model;  ///< with --k: the first of the data
  EvaluateOptions options;
  FitsArguments fits;
  QualityArguments quality;
  bool per_row = false;
  std::size_t sample_rows = 0;  ///< 0: all
  std::size_t folds = 0;        ///< 0: no cross-validation
  bool unstratified = false;
  bool two_step = false;
  std::string match = "majority", match_on = "train";
};

Match match_of(const std::string& word) {
  if (word == to_string(Match::identity)) return Match::identity;
  return word == to_string(Match::hungarian) ? Match::hungarian : Match::majority;
}

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

Dataset read_with_truth(const EvaluateArguments& arguments, const ReadOptions& reading) {
  std::vector<ColumnOption> columns;
  for (const std::string& name : arguments.options.truth) columns.emplace_back("--truth", name);
  return read_keeping(arguments.fits.data, reading, columns);
}

/// All rows, or a sample of the rows of a stream file.
Dataset read_scored_rows(const EvaluateArguments& arguments, const ReadOptions& reading) {
  if (arguments.sample_rows == 0) return read_with_truth(arguments, reading);
  const std::vector<Source> from = sources(arguments.fits.data);
  if (from.size() > 1 || !is_stream(from.front().path)) {
    throw InputError({"--sample-rows", "takes a sample of a stream file",
                      "`medley convert` makes one: medley convert DATA -o DATA.stream"});
  }
  const auto rows = open_stream(from.front().path, reading);
  return sample_rows(*rows, arguments.sample_rows, arguments.options.seed, stop_hooks());
}

int run_model(const EvaluateArguments& arguments) {
  const Model model = Model::load(arguments.model);
  const Dataset data = read_scored_rows(arguments, read_options(arguments.fits.data, model));
  if (arguments.fits.share > 0) return score_hidden_cells(arguments.fits, model, data);
  if (arguments.quality.asked())
    return judge_model(arguments.quality, model, data, arguments.options, arguments.fits.json);
  const Evaluation scores = evaluate(model, data, arguments.options, stop_hooks());
  if (arguments.per_row) {
    write_rows(data, scores);
  } else {
    write_text("", arguments.fits.json ? evaluation_json(scores) : as_flags(describe(scores)));
  }
  return kDone;
}

int run_cross_validation(EvaluateArguments& arguments) {
  FitsArguments& fits = arguments.fits;
  if (fits.sizes.size() > 1)
    throw InputError({"--k", "cross-validation of one K at a time",
                      "medley select compares several, by folds and more"});
  check_start(fits.fit, "a saved model may have seen the test rows");
  complete_choice(fits.fit, fits.choose);
  if (arguments.two_step && fits.choose.any()) {
    throw InputError({"--two-step", "fits without the label, so nothing can be chosen by it",
                      "give numbers, for example --k 3"});
  }
  CrossValidateOptions options;
  options.two_step = arguments.two_step;
  options.stratified = !arguments.unstratified;
  options.each_row = arguments.per_row;
  if (fits.choose.any()) {
    options.fitter = [choose = fits.choose](const Dataset& rows, const FitOptions& fitting,
                                            const Hooks& hooks) {
      return fit_choosing(rows, fitting, choose, hooks);
    };
  }
  options.folds = arguments.folds;
  options.scoring = arguments.options;
  options.match_on = arguments.match_on == "test" ? MatchOn::test : MatchOn::train;
  const Dataset data =
      read_with_truth(arguments, reading_for_folds(read_options(fits.data, fits.fit), options));
  return run_folds(data, fits.fit, options, {fits.json, fits.quiet, arguments.per_row});
}

/// The files follow the model, or stand alone where one is fitted.
int run_evaluate(EvaluateArguments& arguments) {
  std::vector<std::string>& files = arguments.fits.data.data;
  arguments.options.threads = arguments.fits.fit.threads;
  arguments.options.seed = arguments.fits.fit.seed;
  arguments.options.match = match_of(arguments.match);
  if (!arguments.fits.fits()) {
    if (files.empty()) {
      throw InputError({"DATA", "is missing: MODEL DATA to score, or DATA --k N to fit first",
                        "`medley evaluate --help` has examples"});
    }
    return run_model(arguments);
  }
  files.insert(files.begin(), arguments.model);
  return arguments.folds > 0 ? run_cross_validation(arguments) : run_fits(arguments.fits);
}

}  // namespace

void add_evaluate(CommandLine& app, Program& program) {
  Command command = app.add_command("evaluate", kEvaluateHelp);
  auto arguments = std::make_shared<EvaluateArguments>();
  command
      .add_option("MODEL", arguments->model,
                  "a model file written by medley fit; with --k the data comes first")
      .required();
  const Option estimator =
      command
          .add_option("--estimator", arguments->options.estimator,
                      "bound, exact, importance, left-to-right, completion, or auto (exact if it\n"
                      "takes less than half a minute, else left-to-right)")
          .type_name("HOW")
          .check(one_of({"auto", "bound", "exact", "importance", "left-to-right", "completion"}));
  command
      .add_option("--samples", arguments->options.samples,
                  "draws per row; default 1000 (importance) or 200 (left-to-right)")
      .type_name("N")
      .check(whole_number(2));
  command.add_flag("--threefold", arguments->options.threefold,
                   "completion: predict each third of a row given the others, instead of one half");
  const Option truth = command
                           .add_option("--truth", arguments->options.truth,
                                       "compare top profiles with a known grouping (repeatable)")
                           .type_name("COLUMN")
                           .allow_extra_args(false);
  command
      .add_option("--match", arguments->match,
                  "which class a profile stands for: its majority (default); one to one\n"
                  "(hungarian); or the class of its number (identity)")
      .type_name("HOW")
      .check(one_of({"majority", "identity", "hungarian"}))
      .needs(truth);
  command
      .add_option("--sample-rows", arguments->sample_rows,
                  "stream files: score a sample of N rows, drawn by --seed. 20000 and the seed of\n"
                  "a fit with --batch give the rows from which its bound was scaled")
      .type_name("N")
      .check(whole_number(1))
      .excludes(truth);
  const Option per_row = command.add_flag(
      "--per-row", arguments->per_row,
      "one CSV line per row, in file order; with --folds by the model that has not\n"
      "seen the row");
  command.add_flag("--json", arguments->fits.json, "the scores as one JSON object")
      .excludes(per_row);
  add_safe_csv(command);
  add_fits_options(command, arguments->fits);
  for (const Option& option : {estimator, truth, per_row}) option.excludes("--holdout-cells");
  command.add_option("--folds", arguments->folds, "with --k: cross-validate with F folds")
      .type_name("F")
      .group("Search")
      .check(whole_number(2))
      .needs("--k")
      .excludes("--holdout-cells");
  command
      .add_flag("--unstratified", arguments->unstratified,
                "ignore the label when making folds; default: each fold has the same share of\n"
                "every class")
      .group("Search")
      .needs("--folds")
      .needs("--label");
  command
      .add_flag("--two-step", arguments->two_step,
                "with --label: fit without the label, then predict it from the memberships\n"
                "by logistic regression")
      .group("Label")
      .needs("--folds")
      .needs("--label");
  command
      .add_option("--match-on", arguments->match_on,
                  "determine --match on the train rows of a fold (default) or on its test rows")
      .type_name("ROWS")
      .group("Search")
      .check(one_of({"train", "test"}))
      .needs(truth)
      .needs("--folds");
  add_quality_options(command, arguments->quality);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_evaluate(*arguments); }; });
}

}  // namespace medley::cli
