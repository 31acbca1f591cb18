// SPDX-License-Identifier: Apache-2.0
// medley simulate: data drawn from a saved model, or from one with parameters drawn at random.
#include "medley/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "checks.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/options.hpp"
#include "memberships_csv.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "suggest.hpp"
#include "written_files.hpp"

namespace medley::cli {
namespace {

constexpr const char* kSimulateHelp = R"(Draw data from a model, with known memberships.

Examples:
  medley simulate survey.medley -n 1000 -o drawn.csv --truth memberships.csv
  medley simulate mmnb --k 3 --columns categorical:8x4,bernoulli:10 -n 500 -o drawn.csv
  medley simulate lda --k 5 --columns tokens:1x2000 --tokens 80 -n 500 -o drawn.ldac
  medley simulate mmnb --k 10 --columns categorical:2000x5 --triplets --missing 0.95 -n 100000 -o ratings.csv
  medley simulate lda --k 100 --columns tokens:1x8000 -n 2000000 -o corpus.stream)";

struct SimulateArguments {
  std::string from;  ///< a model file or a preset
  std::vector<std::string> output;
  std::string columns, truth, model_file;
  SimulateOptions draw;
  PlantOptions plant;
};

std::optional<std::size_t> whole(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// FAMILY, FAMILY:COUNT or FAMILY:COUNTxLEVELS, separated by commas.
std::vector<PlantedColumns> parse_columns(const std::string& text) {
  std::vector<PlantedColumns> out;
  std::vector<Problem> problems;
  for (const std::string& entry : comma_list(text)) {
    PlantedColumns columns;
    const std::size_t colon = std::min(entry.find(':'), entry.size());
    columns.family = entry.substr(0, colon);
    if (colon < entry.size()) {
      const std::string sizes = entry.substr(colon + 1);
      const std::size_t times = std::min(sizes.find('x'), sizes.size());
      const auto count = whole(sizes.substr(0, times));
      const auto levels = times < sizes.size() ? whole(sizes.substr(times + 1)) : 0;
      if (!count || !levels)
        problems.push_back({"--columns", fmt::format("\"{}\" is not FAMILY:COUNTxLEVELS", entry),
                            "for example categorical:8x4"});
      columns.count = count.value_or(1);
      columns.levels = levels.value_or(0);
    }
    out.push_back(std::move(columns));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return out;
}

bool is_preset(const std::string& name) {
  return std::ranges::any_of(presets(), [&](const Preset& p) { return p.name == name; });
}

/// The model to draw from. Options that only a preset has are refused with a file.
Model model_to_draw_from(SimulateArguments& arguments, const Command& command) {
  if (is_preset(arguments.from)) {
    arguments.plant.model = arguments.from;
    arguments.plant.columns = parse_columns(arguments.columns);
    arguments.plant.seed = arguments.draw.seed;
    return plant(arguments.plant);
  }
  std::vector<Problem> problems;
  std::error_code ignored;
  if (!std::filesystem::exists(arguments.from, ignored)) {
    std::vector<std::string> names;
    for (const Preset& preset : presets()) names.push_back(preset.name);
    const std::string hint = did_you_mean(arguments.from, names);
    problems.push_back({"MODEL",
                        fmt::format("\"{}\" is neither a file nor a preset", arguments.from),
                        hint.empty() ? "`medley models` lists the presets" : hint});
  }
  for (const char* option : {"--k", "--columns", "--triplets", "--alpha", "--separation",
                             "--correlation", "--spread", "--model-out"}) {
    if (command.count(option) > 0)
      problems.push_back({option, "is for a preset; a saved model has its own", "leave it out"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return Model::load(arguments.from);
}

/// What was drawn: cells, and how many there would be without missing ones (words: none).
struct Drawn {
  std::size_t cells = 0, possible = 0;
  void add(const Dataset& data) {
    for (const Block& block : data.blocks) {
      cells += block.cells();
      if (block.encoding != Encoding::tokens) possible += data.rows * block.features.size();
    }
  }
};

std::string report(const SimulateArguments& arguments, const Model& model, const Drawn& drawn,
                   const std::vector<Source>& files, const std::string& written) {
  const auto [cells, possible] = drawn;
  std::string text =
      fmt::format("Drew {} rows with {} cells from {} components, seed {}.\n", arguments.draw.rows,
                  cells, model.components(), arguments.draw.seed);
  if (possible > 0 && arguments.draw.missing > 0)
    text += fmt::format("Of the table {:.1f} % is observed.\n",
                        100.0 * static_cast<double>(cells) / static_cast<double>(possible));
  text += fmt::format("Wrote {}", written);
  for (const std::string& more : {arguments.truth, arguments.model_file}) {
    if (!more.empty()) text += ", " + more;
  }
  const std::string truth = is_preset(arguments.from) ? arguments.model_file : arguments.from;
  // without --model a fit chooses the inference that suits the rows; these presets take that away
  const std::string preset = model.preset();
  const bool usual = preset == "mmnb" || preset == "gom" || preset == "lda" || preset.empty();
  text += fmt::format(".\n\nNext: {}{} --k {} -o fitted.medley\n", fit_command(files),
                      usual ? "" : " --model " + preset, model.components());
  if (!truth.empty())
    text += fmt::format("      medley compare {} fitted.medley\n", shell_quoted(truth));
  return text;
}

/// Some rows at a time, so that any number of them takes the same memory.
Drawn draw_stream(const SimulateArguments& arguments, const Model& model, const std::string& path) {
  constexpr std::size_t kAtOnce = 16384;
  Drawn drawn;
  StreamWriter writer(path);
  std::optional<Output> truth;
  CsvLine line;
  if (!arguments.truth.empty()) {
    truth.emplace(arguments.truth);
    line.add("id");
    add_component_names(line, model.components());
    truth->write(line.take());
  }
  SimulateOptions some = arguments.draw;
  for (some.first = 0; some.first < arguments.draw.rows; some.first += kAtOnce) {
    some.rows = std::min(kAtOnce, arguments.draw.rows - some.first);
    const Simulated rows = simulate(model, some, stop_hooks());
    writer.append(rows.data);
    drawn.add(rows.data);
    for (std::size_t row = 0; truth && row < some.rows; ++row) {
      line.add(rows.data.ids.empty() ? std::to_string(some.first + row + 1) : rows.data.ids[row]);
      add_shares(line, rows.membership, row);
      truth->write(line.take());
    }
  }
  writer.finish(model.schema());
  if (truth) truth->commit();
  return drawn;
}

Drawn draw_files(const SimulateArguments& arguments, const Model& model,
                 const std::vector<Source>& files, std::string& written) {
  const Simulated rows = simulate(model, arguments.draw, stop_hooks());
  written = write_with_schema(rows.data, files);
  if (!arguments.truth.empty()) {
    Output output(arguments.truth);
    write_memberships(rows.data, rows.membership, output);
    output.commit();
  }
  Drawn drawn;
  drawn.add(rows.data);
  return drawn;
}

int run_simulate(SimulateArguments& arguments, const Command& command) {
  const std::vector<Source> files = written_sources(arguments.output);
  std::vector<Destination> all = destinations(files);
  all.push_back({"--truth", arguments.truth});
  all.push_back({"--model-out", arguments.model_file});
  check_destinations(all, {arguments.from});
  const Model model = model_to_draw_from(arguments, command);
  std::string written = files.front().path;
  const Drawn drawn = is_stream_output(files) ? draw_stream(arguments, model, files.front().path)
                                              : draw_files(arguments, model, files, written);
  if (!arguments.model_file.empty()) model.save(arguments.model_file);
  write_text("", report(arguments, model, drawn, files, written));
  return kDone;
}

void add_preset_options(Command& command, SimulateArguments& a) {
  const auto group = "With a preset";
  command.add_option("--k", a.plant.components, "number of profiles or topics; default 3")
      .type_name("K")
      .group(group)
      .check(whole_number(1));
  command
      .add_option("--columns", a.columns,
                  "number of columns of each family: gaussian:5,categorical:8x4 (8 columns\n"
                  "of 4 levels),bernoulli:10, or tokens:1x2000 (2000 words)")
      .type_name("LIST")
      .group(group);
  command.add_flag("--triplets", a.plant.triplets, "a rating log (user,item,value), not a table")
      .group(group);
  command
      .add_option("--alpha", a.plant.alpha,
                  "small: rows of one profile; large: even blends; default 0.3")
      .type_name("A")
      .group(group)
      .check(number_above_zero());
  command
      .add_option("--separation", a.plant.separation,
                  "distance of the profiles: 0 equal, 1 overlapping, 3 clear; default 1.5")
      .type_name("S")
      .group(group)
      .check(number_from_zero());
  command
      .add_option("--correlation", a.plant.correlation,
                  "correlated-nmf: correlation of topics 1 and 2, 3 and 4, ...; default 0.5")
      .type_name("R")
      .group(group);
  command
      .add_option("--spread", a.plant.spread,
                  "correlated-nmf: how much rows differ in their topics; default 1.5")
      .type_name("S")
      .group(group)
      .check(number_from_zero());
  command.add_option("--model-out", a.model_file, "save the planted model")
      .type_name("MODEL")
      .group(group);
}

}  // namespace

void add_simulate(CommandLine& app, Program& program) {
  Command command = app.add_command("simulate", kSimulateHelp);
  auto arguments = std::make_shared<SimulateArguments>();
  command.add_option("MODEL", arguments->from, "a model file, or a preset of `medley models`")
      .required();
  command.add_option("-n,--rows", arguments->draw.rows, "number of rows")
      .type_name("N")
      .required()
      .check(whole_number(1));
  command
      .add_option("-o,--output", arguments->output,
                  "the data file; its schema is written beside it as FILE.schema.toml.\n"
                  "With several sources one -o NAME=FILE for each. FILE.stream: one file\n"
                  "with its schema, of any size in the same memory")
      .type_name("[NAME=]FILE")
      .allow_extra_args(false)
      .required();
  command.add_option("--missing", arguments->draw.missing, "share of cells left out; default 0")
      .type_name("P")
      .check(number_from_zero());
  command
      .add_option("--tokens", arguments->draw.tokens, "mean number of words of a row; default 100")
      .type_name("M")
      .check(number_above_zero());
  command.add_option("--seed", arguments->draw.seed, "same seed, same data; default 1")
      .type_name("S")
      .check(whole_number(0));
  command.add_option("--truth", arguments->truth, "write the true memberships of the rows")
      .type_name("FILE.csv");
  add_threads_option(command, arguments->draw.threads);
  add_preset_options(command, *arguments);
  command.callback([&program, arguments, command] {
    program.run = [arguments, command] { return run_simulate(*arguments, command); };
  });
}

}  // namespace medley::cli
