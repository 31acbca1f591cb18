// SPDX-License-Identifier: Apache-2.0
// medley similar: the rows of a file that are most like a given one.
#include "medley/predict.hpp"

#include <fmt/format.h>

#include <memory>

#include "asked_cells.hpp"
#include "checks.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "medley/io.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "signals.hpp"
#include "similarity_json.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kSimilarHelp =
    R"(Find the rows whose memberships are most similar to those of a given row.

Examples:
  medley similar topics.medley docs.ldac --row 17
  medley similar survey.medley survey.csv --id person --row anna --row ben --n 5

Lines are id,rank,neighbour,similarity,shared: the similarity is sum_k sqrt(t_k s_k) of the two
memberships (1: the same, 0: nothing in common); shared lists the profiles that contribute most.
With correlated membership the similarity is the cosine of the rows' locations, from -1 to 1;
with dp-mixture it is the probability that both rows are in one cluster.)";

struct SimilarArguments {
  std::string model, output;
  DataOptions data;
  std::vector<std::string> rows;
  SimilarOptions options;
  bool json = false;
};

std::string shared_text(const Model& model, const SimilarRow& row) {
  std::string out;
  for (const SharedProfile& profile : row.shared)
    out += fmt::format("{}{} ({:.2f})", out.empty() ? "" : "; ", model.title(profile.component),
                       profile.part);
  return out;
}

void write_neighbours(const Model& model, const Dataset& data, const std::vector<std::size_t>& rows,
                      const Similarity& found, Output& output) {
  output.write("id,rank,neighbour,similarity,shared\n");
  CsvLine line;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t rank = 0;
    for (const SimilarRow& row : found.of_row[i].nearest) {
      line.add(data.id_of(rows[i])).add(++rank).add(data.id_of(row.row));
      line.add(row.similarity).add(shared_text(model, row));
      output.write(line.take());
    }
  }
}

int run_similar(const SimilarArguments& arguments) {
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.model);
  check_destinations({{"-o", arguments.output}}, inputs);
  const Model model = Model::load(arguments.model);
  const Dataset data =
      read(sources(arguments.data), read_options(arguments.data, model), stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  const std::vector<std::size_t> rows = rows_of(data, arguments.rows, "--row");
  const Similarity found = similar(model, data, rows, arguments.options, stop_hooks());
  if (found.empty_rows > 0)
    print_note(fmt::format("note: rows with nothing observed are skipped: {} of {}",
                           found.empty_rows, data.rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (found.of_row[i].empty)
      print_note(fmt::format("note: nothing is observed in row \"{}\": it is like no other",
                             data.id_of(rows[i])));
  }
  Output output(arguments.output);
  if (arguments.json) {
    output.write(similarity_json(model, data, rows, found));
  } else {
    write_neighbours(model, data, rows, found, output);
  }
  output.commit();
  return kDone;
}

}  // namespace

void add_similar(CommandLine& app, Program& program) {
  Command command = app.add_command("similar", kSimilarHelp);
  auto arguments = std::make_shared<SimilarArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_option("--row", arguments->rows, "id of a row (repeatable)")
      .type_name("ID")
      .allow_extra_args(false)
      .required();
  command.add_option("-n,--n", arguments->options.count, "neighbours per row; default 10")
      .type_name("N")
      .check(whole_number(1));
  command.add_flag("--json", arguments->json, "as one JSON object");
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  add_safe_csv(command);
  add_threads_option(command, arguments->options.threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_similar(*arguments); }; });
}

}  // namespace medley::cli
