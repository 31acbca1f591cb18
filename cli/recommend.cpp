// SPDX-License-Identifier: Apache-2.0
// medley recommend: the best items that a row of a rating log has not seen.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "asked_cells.hpp"
#include "checks.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kRecommendHelp =
    R"(Recommend the best unseen items for rows of a rating log, as CSV.

Examples:
  medley recommend taste.medley ratings.csv --format triplets --row 196
  medley recommend taste.medley ratings.csv --format triplets --all --top 5 -o best.csv

Lines are id,rank,item,score,ratings and then the probability of each level, or sd. The score
is the mean rating where ratings are numbers, else the probability of the last level (--level
chooses another); ratings is the number of the item's ratings in the training data.)";

struct RecommendArguments {
  std::string model, output, source;
  DataOptions data;
  std::vector<std::string> rows;
  bool all = false;
  RecommendOptions options;
};

/// The block of items: of the source named, or of the only rating log.
std::size_t block_of_items(const Dataset& data, const std::string& name) {
  std::vector<std::string> logs;
  for (const SourceSpec& source : data.schema.sources) {
    if (source.kind == SourceKind::triplets) logs.push_back(source.name);
  }
  if (logs.empty()) {
    throw InputError({"MODEL", "was not fitted to ratings (row, item, value)",
                      "`medley impute` predicts the cells of tables"});
  }
  if (name.empty() && logs.size() > 1) {
    throw InputError({"--source", fmt::format("there are {} rating logs", logs.size()),
                      fmt::format("name one, for example --source {}", logs.front())});
  }
  const std::string& wanted = name.empty() ? logs.front() : name;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const bool is_log = std::find(logs.begin(), logs.end(), wanted) != logs.end();
    if (is_log && data.blocks[b].name == wanted) return b;
  }
  throw InputError({"--source", fmt::format("there is no rating log \"{}\"", wanted), ""});
}

void write_header(const Block& block, Output& output) {
  CsvLine line;
  line.add("id").add("rank").add("item").add("score").add("ratings");
  for (const std::string& level : block.features.front().levels) line.add("p_" + level);
  if (block.encoding == Encoding::real) line.add("sd");
  output.write(line.take());
}

void write_row(const std::string& id, const Block& block, const std::vector<Recommendation>& best,
               Output& output) {
  CsvLine line;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const CellPrediction& cell = best[i].cell;
    line.add(id).add(i + 1).add(block.features[cell.place.feature].name);
    line.add(best[i].score).add(best[i].in_training);
    for (const double p : cell.probability) line.add(p);
    if (block.encoding == Encoding::real) line.add(cell.sd);
    output.write(line.take());
  }
}

int run_recommend(RecommendArguments& arguments) {
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.model);
  check_destinations({{"-o", arguments.output}}, inputs);
  if (arguments.rows.empty() && !arguments.all) {
    throw InputError({"--row", "no row is named", "--row ID, or --all for every row"});
  }
  const Model model = Model::load(arguments.model);
  const Dataset data =
      read(sources(arguments.data), read_options(arguments.data, model), stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  arguments.options.block = block_of_items(data, arguments.source);
  const Block& block = data.blocks[arguments.options.block];
  const std::string meaning = score_meaning(block, arguments.options);
  std::vector<std::size_t> rows = rows_of(data, arguments.rows, "--row");
  if (arguments.all) {
    rows.resize(data.rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
  }
  const auto best = recommend(model, data, rows, arguments.options, stop_hooks());
  print_note("note: score is the " + meaning);
  Output output(arguments.output);
  write_header(block, output);
  for (std::size_t i = 0; i < rows.size(); ++i)
    write_row(data.id_of(rows[i]), block, best[i], output);
  output.commit();
  return kDone;
}

}  // namespace

void add_recommend(CommandLine& app, Program& program) {
  Command command = app.add_command("recommend", kRecommendHelp);
  auto arguments = std::make_shared<RecommendArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  const Option row = command.add_option("--row", arguments->rows, "id of a row (repeatable)")
                         .type_name("ID")
                         .allow_extra_args(false);
  command.add_flag("--all", arguments->all, "every row").excludes(row);
  command.add_option("--top", arguments->options.top, "items per row; default 10")
      .type_name("N")
      .check(whole_number(1));
  command.add_option("--level", arguments->options.level, "rank by the probability of this level")
      .type_name("LEVEL");
  command
      .add_option("--min-ratings", arguments->options.least_in_training,
                  "leave out items with fewer ratings in the training data; default 5")
      .type_name("N")
      .check(number_from_zero());
  command.add_option("--source", arguments->source, "which rating log, if there are several")
      .type_name("NAME");
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  add_safe_csv(command);
  add_threads_option(command, arguments->options.threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_recommend(*arguments); }; });
}

}  // namespace medley::cli
