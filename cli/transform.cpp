// SPDX-License-Identifier: Apache-2.0
// medley transform: the memberships of rows as CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "memberships_csv.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kHelp = R"(How much of each profile every row holds, as CSV.

Examples:
  medley transform survey.medley survey.csv > memberships.csv
  medley transform survey.medley new.csv --append -o new-with-profiles.csv)";

struct Arguments {
  std::string model, output;
  DataOptions data;
  std::size_t threads = 0;
  bool append = false;
};

double entropy(const double* share, std::size_t components) {
  double sum = 0;
  for (std::size_t k = 0; k < components; ++k) {
    if (share[k] > 0) sum -= share[k] * std::log(share[k]);
  }
  return sum;
}

/// The table as it stands in the file, then memberships, top profile and entropy.
void write_appended(const TextTable& table, const Model& model, const Memberships& memberships,
                    Output& output) {
  CsvLine line;
  for (const std::string& name : table.header) line.add(name);
  add_component_names(line, memberships.components);
  line.add("top_profile").add("entropy");
  output.write(line.take());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double* share = memberships.row(i);
    for (const std::string& cell : table.rows[i]) line.add(cell);
    add_shares(line, memberships, i);
    const auto top =
        static_cast<std::size_t>(std::max_element(share, share + memberships.components) - share);
    line.add(model.title(top)).add(entropy(share, memberships.components));
    output.write(line.take());
  }
}

int run(const Arguments& arguments) {
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.model);
  check_destinations({{"-o", arguments.output}}, inputs);
  const Model model = Model::load(arguments.model);
  const ReadOptions options = read_options(arguments.data, model);
  const std::vector<Source> files = sources(arguments.data);
  if (arguments.append && (files.size() > 1 || files[0].path == "-")) {
    throw InputError({"--append", "needs one table in a file: it is read twice",
                      "give a single CSV or TSV file"});
  }
  const Dataset data = read(files, options);
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  if (arguments.append && data.schema.sources[0].kind != SourceKind::table) {
    throw InputError({"--append", fmt::format("\"{}\" is no table", files[0].path),
                      "leave it out: memberships go by id"});
  }
  TextTable table;
  if (arguments.append) table = read_text_table(files[0], options);
  if (arguments.append && table.rows.size() != data.rows) {
    throw InputError(
        {files[0].path, "the table changed while it was read", "run the command again"});
  }
  const Memberships memberships = transform(model, data, arguments.threads);
  if (!memberships.note.empty()) print_note("note: " + memberships.note);
  Output output(arguments.output);
  if (arguments.append) {
    write_appended(table, model, memberships, output);
  } else {
    write_memberships(data, memberships, output);
  }
  output.commit();
  return kDone;
}

}  // namespace

void add_transform(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("transform", kHelp);
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "a model file written by medley fit")->required();
  command->add_flag("--append", arguments->append,
                    "the original table with memberships, top profile and entropy");
  command
      ->add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      ->type_name("FILE");
  command->add_option("--threads", arguments->threads, "default: all cores")
      ->type_name("T")
      ->check(whole_number(1), "");
  add_data_options(*command, arguments->data);
  command->callback(
      [&program, arguments] { program.run = [arguments] { return run(*arguments); }; });
}

}  // namespace medley::cli
