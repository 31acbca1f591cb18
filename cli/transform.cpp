// SPDX-License-Identifier: Apache-2.0
// medley transform: the memberships of rows as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "checks.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/uncertainty.hpp"
#include "memberships_csv.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kTransformHelp = R"(Compute every row's share of each profile, as CSV.

Examples:
  medley transform survey.medley survey.csv > memberships.csv
  medley transform survey.medley new.csv --append -o new-with-profiles.csv
  medley transform survey.medley survey.csv --intervals 0.9    intervals of the shares)";

struct TransformArguments {
  std::string model, output;
  DataOptions data;
  std::size_t threads = 0;
  double level = 0;  ///< of the intervals; 0: none
  bool append = false;
};

double entropy(const double* share, std::size_t components) {
  double sum = 0;
  for (std::size_t k = 0; k < components; ++k) {
    if (share[k] > 0) sum -= share[k] * std::log(share[k]);
  }
  return sum;
}

/// The table as it stands in the file, then memberships, intervals, top profile and entropy.
void write_appended(const TextTable& table, const Model& model, const Memberships& memberships,
                    const MembershipIntervals* intervals, Output& output) {
  CsvLine line;
  for (const std::string& name : table.header) line.add(name);
  add_component_names(line, memberships.components);
  add_interval_names(line, intervals);
  line.add("top_profile").add("entropy");
  output.write(line.take());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double* share = memberships.row(i);
    for (const std::string& cell : table.rows[i]) line.add(cell);
    add_shares(line, memberships, i);
    add_intervals(line, intervals, i);
    const auto top =
        static_cast<std::size_t>(std::max_element(share, share + memberships.components) - share);
    line.add(model.title(top)).add(entropy(share, memberships.components));
    output.write(line.take());
  }
}

/// Intervals, with a word on how they were found and on shares outside them.
MembershipIntervals intervals_of(const Model& model, const Dataset& data,
                                 const Memberships& memberships,
                                 const TransformArguments& arguments) {
  MembershipIntervals found =
      membership_intervals(model, data, arguments.level, arguments.threads, 1, stop_hooks());
  if (found.estimator == Estimator::importance) {
    print_note(
        fmt::format("intervals by sampling: rows are too long for the exact ones; the row "
                    "that is worst off has {:.0f} effective draws",
                    found.effective_draws));
  }
  std::size_t outside = 0;
  for (std::size_t at = 0; at < found.low.size(); ++at) {
    const double share = memberships.share[at];
    outside += share < found.low[at] || share > found.high[at] ? 1 : 0;
  }
  if (outside > 0) {
    print_note(
        fmt::format("note: {} of {} shares lie outside their interval: {} inference is too "
                    "sure of short rows, the intervals are not",
                    outside, found.low.size(), model.inference()));
  }
  return found;
}

int run_transform(const TransformArguments& arguments) {
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
  const Dataset data = read(files, options, stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  if (arguments.append && data.schema.sources[0].kind != SourceKind::table) {
    throw InputError({"--append", fmt::format("\"{}\" is no table", files[0].path),
                      "leave it out: memberships go by id"});
  }
  TextTable table;
  if (arguments.append) table = read_text_table(files[0], options, stop_hooks());
  if (arguments.append && table.rows.size() != data.rows) {
    throw InputError(
        {files[0].path, "the table changed while it was read", "run the command again"});
  }
  const Memberships memberships = transform(model, data, arguments.threads, stop_hooks());
  if (!memberships.note.empty()) print_note("note: " + memberships.note);
  std::optional<MembershipIntervals> intervals;
  if (arguments.level > 0) intervals = intervals_of(model, data, memberships, arguments);
  const MembershipIntervals* found = intervals ? &*intervals : nullptr;
  Output output(arguments.output);
  if (arguments.append) {
    write_appended(table, model, memberships, found, output);
  } else {
    write_memberships(data, memberships, output, found);
  }
  output.commit();
  return kDone;
}

}  // namespace

void add_transform(CommandLine& app, Program& program) {
  Command command = app.add_command("transform", kTransformHelp);
  auto arguments = std::make_shared<TransformArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_flag("--append", arguments->append,
                   "the original table with memberships, top profile and entropy");
  command
      .add_option("--intervals", arguments->level,
                  "add an interval that holds each share with this probability, such as 0.9")
      .type_name("LEVEL")
      .check(share_of_one());
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  add_safe_csv(command);
  add_threads_option(command, arguments->threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_transform(*arguments); }; });
}

}  // namespace medley::cli
