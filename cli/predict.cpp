// SPDX-License-Identifier: Apache-2.0
// medley predict: the class of rows, by a model fitted with a label.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "checks.hpp"
#include "classes_json.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kPredictHelp = R"(Predict the class of every row, with probabilities, as CSV.

Examples:
  medley fit iris.csv --label species --k 6 -o iris.medley
  medley predict iris.medley new.csv > classes.csv
  medley predict iris.medley new.csv --append -o new-with-classes.csv
  medley predict iris.medley new.csv --explain 3               why? profiles and cells
  medley evaluate iris.medley held-out.csv                     how often is that right?)";

struct PredictArguments {
  std::string model, output;
  DataOptions data;
  std::size_t threads = 0;
  std::size_t explain = 0;  ///< profiles and cells to name; 0: none
  bool append = false, json = false;
};

struct Predictions {
  ClassProbabilities classes;
  std::vector<ClassDrivers> drivers;  ///< empty: not asked for
};

void add_names(CsvLine& line, const Predictions& found, std::size_t explain) {
  for (const std::string& name : found.classes.classes) line.add("p_" + name);
  for (const char* what : {"profile", "cell"}) {
    for (std::size_t i = 1; i <= explain; ++i) line.add(fmt::format("{}_{}", what, i));
  }
}

/// Phrases, filled up with empty fields.
template <class Driver, class Phrase>
void add_phrases(CsvLine& line, const std::vector<Driver>& drivers, std::size_t count,
                 const Phrase& phrase) {
  for (std::size_t i = 0; i < count; ++i) line.add(i < drivers.size() ? phrase(drivers[i]) : "");
}

void add_row(CsvLine& line, const Model& model, const Dataset& data, const Predictions& found,
             std::size_t row, std::size_t explain) {
  const std::string& top = found.classes.classes[found.classes.top(row)];
  line.add(top);
  for (const double p : found.classes.row(row)) line.add(p);
  if (explain == 0) return;
  const ClassDrivers& drivers = found.drivers[row];
  constexpr double kLeastShown = 0.005;  // less would read +0.00
  add_phrases(line, drivers.profiles, explain, [&](const ProfileDriver& d) {
    return std::abs(d.effect) < kLeastShown ? "" : describe(d, model, top);
  });
  add_phrases(line, drivers.cells, explain, [&](const CellDriver& d) { return describe(d, data); });
}

/// The file itself with the prediction at the end of every line, or ids instead of the file.
void write_classes(const PredictArguments& arguments, const Model& model, const Dataset& data,
                   const Predictions& found, const TextTable* table) {
  Output output(arguments.output);
  CsvLine line;
  if (table == nullptr) {
    line.add("id").add("class");
  } else {  // which may well have a column "class" of its own
    for (const std::string& name : table->header) line.add(name);
    line.add("predicted_class");
  }
  add_names(line, found, arguments.explain);
  output.write(line.take());
  for (std::size_t i = 0; i < data.rows; ++i) {
    if (table == nullptr) {
      line.add(data.id_of(i));
    } else {
      for (const std::string& cell : table->rows[i]) line.add(cell);
    }
    add_row(line, model, data, found, i, arguments.explain);
    output.write(line.take());
  }
  output.commit();
}

TextTable table_of(const Source& file, const ReadOptions& options, const Dataset& data) {
  if (data.schema.sources[0].kind != SourceKind::table) {
    throw InputError({"--append", fmt::format("\"{}\" is no table", file.path),
                      "leave it out: classes go by id"});
  }
  TextTable table = read_text_table(file, options, stop_hooks());
  if (table.rows.size() != data.rows) {
    throw InputError({file.path, "the table changed while it was read", "run the command again"});
  }
  return table;
}

int run_predict(const PredictArguments& arguments) {
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.model);
  check_destinations({{"-o", arguments.output}}, inputs);
  const Model model = Model::load(arguments.model);
  if (!predicts_classes(model)) {
    throw InputError({arguments.model, "was fitted without a label, so it knows no classes",
                      "fit it with --label COLUMN; `medley transform` gives memberships"});
  }
  const ReadOptions options = read_options(arguments.data, model);
  const std::vector<Source> files = sources(arguments.data);
  if (arguments.append && (files.size() > 1 || files[0].path == "-")) {
    throw InputError({"--append", "needs one table in a file: it is read twice",
                      "give a single CSV or TSV file"});
  }
  const Dataset data = read(files, options, stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  TextTable table;
  if (arguments.append) table = table_of(files[0], options, data);
  Predictions found{predict_classes(model, data, arguments.threads, stop_hooks()), {}};
  if (arguments.explain > 0)
    found.drivers =
        explain_classes(model, data, arguments.explain, arguments.threads, stop_hooks());
  if (arguments.json) {
    write_text(arguments.output, classes_json(model, data, found.classes, found.drivers));
  } else {
    write_classes(arguments, model, data, found, arguments.append ? &table : nullptr);
  }
  return kDone;
}

}  // namespace

void add_predict(CommandLine& app, Program& program) {
  Command command = app.add_command("predict", kPredictHelp);
  auto arguments = std::make_shared<PredictArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit --label COLUMN")
      .required();
  const Option append =
      command.add_flag("--append", arguments->append,
                       "the original table with the predicted class and the probabilities");
  command
      .add_option("--explain", arguments->explain,
                  "add the N profiles and the N cells with the most influence: how much each\n"
                  "raised the probability (profiles) or the log-odds (cells)")
      .type_name("N")
      .check(whole_number(1));
  command.add_flag("--json", arguments->json, "one JSON object instead of CSV").excludes(append);
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  add_safe_csv(command);
  add_threads_option(command, arguments->threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_predict(*arguments); }; });
}

}  // namespace medley::cli
