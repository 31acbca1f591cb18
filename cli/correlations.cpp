// SPDX-License-Identifier: Apache-2.0
// medley correlations: which profiles or topics occur together.
#include "medley/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "medley/io.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kCorrelationsHelp =
    R"(Show which profiles or topics occur together in rows, and which avoid each other.

Examples:
  medley correlations topics.medley                 a model fitted with --model correlated-nmf
  medley correlations topics.medley docs.ldac       any model: from the memberships of these rows
  medley correlations topics.medley --matrix        K lines of K numbers, as CSV

Lines are a,b,correlation, strongest first: --n correlations above 0, then --n below 0. Because
memberships sum to 1, independent profiles have about -1/(K - 1). A correlated-nmf model gives
correlations as large as in the data (minibatches: a tenth to a quarter too small); from the
memberships of other models trust their order and sign, not their size.)";

struct CorrelationsArguments {
  std::string model, output;
  DataOptions data;
  std::size_t count = 10, threads = 0;
  bool matrix = false;
};

struct Pair {
  std::size_t a, b;
  double correlation;
};

std::vector<Pair> strongest(const ComponentCorrelations& found, std::size_t count) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < found.components; ++a) {
    for (std::size_t b = a + 1; b < found.components; ++b)
      pairs.push_back({a, b, found.matrix[a * found.components + b]});
  }
  std::ranges::sort(pairs, [](const Pair& x, const Pair& y) {
    if (x.correlation != y.correlation) return x.correlation > y.correlation;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  const auto first_below =
      std::ranges::find_if(pairs, [](const Pair& p) { return p.correlation < 0; });
  const auto above = static_cast<std::size_t>(first_below - pairs.begin());
  const std::size_t below = pairs.size() - above;
  const auto at = [&](std::size_t i) { return pairs.begin() + static_cast<std::ptrdiff_t>(i); };
  pairs.erase(at(std::min(above, count)), at(pairs.size() - std::min(below, count)));
  return pairs;
}

void write_matrix(const Model& model, const ComponentCorrelations& found, Output& output) {
  CsvLine line;
  line.add("component");
  for (std::size_t k = 0; k < found.components; ++k) line.add(model.title(k));
  output.write(line.take());
  for (std::size_t a = 0; a < found.components; ++a) {
    line.add(model.title(a));
    for (std::size_t b = 0; b < found.components; ++b)
      line.add(found.matrix[a * found.components + b]);
    output.write(line.take());
  }
}

int run_correlations(const CorrelationsArguments& arguments) {
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.model);
  check_destinations({{"-o", arguments.output}}, inputs);
  const Model model = Model::load(arguments.model);
  ComponentCorrelations found;
  if (sources(arguments.data).empty()) {
    found = component_correlations(model);
  } else {
    const Dataset data =
        read(sources(arguments.data), read_options(arguments.data, model), stop_hooks());
    for (const std::string& warning : data.warnings) print_note("warning: " + warning);
    found = component_correlations(model, data, arguments.threads, stop_hooks());
  }
  print_note("from the " + found.basis);
  Output output(arguments.output);
  if (arguments.matrix) {
    write_matrix(model, found, output);
  } else {
    output.write("a,b,correlation\n");
    CsvLine line;
    for (const Pair& pair : strongest(found, arguments.count)) {
      line.add(model.title(pair.a)).add(model.title(pair.b)).add(pair.correlation);
      output.write(line.take());
    }
  }
  output.commit();
  return kDone;
}

}  // namespace

void add_correlations(CommandLine& app, Program& program) {
  Command command = app.add_command("correlations", kCorrelationsHelp);
  auto arguments = std::make_shared<CorrelationsArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command
      .add_option("-n,--n", arguments->count,
                  "number of pairs above 0, and of pairs below; default 10")
      .type_name("N")
      .check(whole_number(1));
  command.add_flag("--matrix", arguments->matrix, "all correlations, as a table");
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  add_safe_csv(command);
  add_threads_option(command, arguments->threads);
  add_data_options(command, arguments->data);
  command.get_option("DATA").required(false);
  command.callback([&program, arguments] {
    program.run = [arguments] { return run_correlations(*arguments); };
  });
}

}  // namespace medley::cli
