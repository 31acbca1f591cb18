// SPDX-License-Identifier: Apache-2.0
// medley impute: what the missing cells of a table most likely hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "asked_cells.hpp"
#include "cells_csv.hpp"
#include "checks.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "signals.hpp"
#include "table_gaps.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kImputeHelp =
    R"(Fill the missing cells of a table from the rest of their rows.

Examples:
  medley impute survey.medley survey.csv -o filled.csv
  medley impute survey.medley survey.csv --distribution > missing.csv
  medley impute survey.medley survey.csv --draws 20 -o completed
  medley impute taste.medley ratings.csv --format triplets --cells pairs.csv

Without options, writes the table as CSV with every missing cell replaced by its likeliest
level, its mean, or for counts its median. All other cells stay as they are, and numbers have
the form of the file (decimal comma or point, delimiter).
--distribution and --cells write lines of
  id,column,level,probability,mean,sd,q05,q50,q95
one per level, or one per number; fields that do not apply are empty.)";

/// More cells than this are not listed at once.
constexpr std::size_t kMostCells = 20'000'000;
/// Cells predicted at a time.
constexpr std::size_t kBatch = 100'000;
/// More completed tables than anybody needs; each is an open file until all are written.
constexpr std::size_t kMostDraws = 500;

struct ImputeArguments {
  std::string model, output, cells;
  DataOptions data;
  bool distribution = false, whole = false;
  PredictOptions predict;
};

/// FILE.1.csv for FILE or FILE.csv.
std::string draw_name(const std::string& output, std::size_t m) {
  const std::string ending = ".csv";
  const std::string stem =
      output.ends_with(ending) ? output.substr(0, output.size() - ending.size()) : output;
  return fmt::format("{}.{}{}", stem, m + 1, ending);
}

void check_impute_files(const ImputeArguments& a) {
  std::vector<std::string> inputs = files_read(a.data);
  inputs.push_back(a.model);
  if (!a.cells.empty()) inputs.push_back(a.cells);
  std::vector<Destination> outputs = {{"-o", a.output}};
  if (a.predict.draws > 0) {
    if (a.output.empty() || a.output == "-") {
      throw InputError({"--draws", "writes several files and needs a name for them",
                        "-o FILE gives FILE.1.csv, FILE.2.csv ..."});
    }
    outputs.clear();
    for (std::size_t m = 0; m < a.predict.draws; ++m)
      outputs.push_back({"-o", draw_name(a.output, m)});
  }
  check_destinations(outputs, inputs);
}

/// What the model cannot answer, in words.
void check_model(const Model& model) {
  const auto& all = model.schema().sources;
  const bool cells = std::any_of(all.begin(), all.end(), [](const SourceSpec& source) {
    return std::any_of(source.columns.begin(), source.columns.end(), [](const ColumnSpec& column) {
      return column.role == Role::feature && column.encoding != Encoding::tokens;
    });
  });
  if (!cells) {
    throw InputError({"MODEL", "was fitted to words only: there are no cells to predict",
                      "impute is for tables and ratings"});
  }
}

void check_gaps(const Model& model) {
  for (const SourceSpec& source : model.schema().sources) {
    if (source.kind != SourceKind::triplets) continue;
    throw InputError(
        {"DATA",
         fmt::format("\"{}\" is a rating log: almost all of its pairs are missing", source.name),
         "--cells PAIRS.csv answers for chosen pairs, `medley recommend` for the best "
         "ones"});
  }
  if (model.schema().missing_as_category) {
    throw InputError({"MODEL", "takes a missing cell for an answer of its own: nothing is to fill",
                      "fit without --missing category (and not --model nb)"});
  }
}

/// A missing copy of a tied column has no place of its own in the model.
void check_no_ties(const Model& model) {
  for (const SourceSpec& source : model.schema().sources) {
    for (const ColumnSpec& column : source.columns) {
      if (column.tied.empty() || column.role != Role::feature) continue;
      throw InputError({"MODEL",
                        fmt::format("\"{}\" is one feature of the columns {}: filling single "
                                    "copies is not offered",
                                    column.name, fmt::join(column.tied, ", ")),
                        "--distribution predicts the features that a row has no value of"});
    }
  }
}

void check_single_table(const ImputeArguments& arguments, const Model& model,
                        const std::vector<Source>& files) {
  const bool one = files.size() == 1 && model.schema().sources.size() == 1;
  if (one && files[0].path != "-" && model.schema().sources[0].kind == SourceKind::table) return;
  throw InputError({arguments.predict.draws > 0 ? "--draws" : "DATA",
                    "is not one table in a file, so there is no one table to fill",
                    "--distribution writes the missing cells in long form"});
}

void for_each_batch(const std::vector<CellPlace>& places, const auto& body) {
  for (std::size_t begin = 0; begin < places.size(); begin += kBatch) {
    const std::size_t end = std::min(places.size(), begin + kBatch);
    body(begin, std::vector(places.begin() + static_cast<std::ptrdiff_t>(begin),
                            places.begin() + static_cast<std::ptrdiff_t>(end)));
  }
}

void write_long_form(const ImputeArguments& arguments, const Model& model, const Dataset& data,
                     const AskedCells& asked) {
  Output output(arguments.output);
  output.write(kCellsHeader);
  auto next = asked.unknown.begin();
  const auto write_unknown_before = [&](std::size_t place) {
    for (; next != asked.unknown.end() && next->before <= place; ++next)
      write_unknown(next->id, next->column, output);
  };
  for_each_batch(asked.places, [&](std::size_t begin, const std::vector<CellPlace>& batch) {
    const auto cells = predict_cells(model, data, batch, arguments.predict, stop_hooks());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      write_unknown_before(begin + i);
      write_cells(data, {cells[i]}, output);
    }
  });
  write_unknown_before(asked.places.size());
  output.commit();
}

void write_table(const TextTable& table, Output& output) {
  CsvLine line(table.delimiter);
  for (const std::string& name : table.header) line.add(name);
  output.write(line.take());
  for (const auto& row : table.rows) {
    for (const std::string& cell : row) line.add(cell);
    output.write(line.take());
  }
}

/// How each column of the table that has gaps writes its numbers.
std::vector<NumberStyle> styles_of(const TextTable& table, const Dataset& data,
                                   const TableGaps& gaps, bool whole) {
  std::vector<bool> is_gap(table.header.size(), false);
  for (const std::size_t column : gaps.column) is_gap[column] = true;
  std::vector<NumberStyle> styles(table.header.size());
  for (std::size_t c = 0; c < styles.size(); ++c) {
    const ColumnSpec* spec = data.schema.find(table.header[c]);
    if (!is_gap[c] || spec == nullptr || spec->encoding != Encoding::real) continue;
    std::vector<std::string_view> texts;
    for (const auto& row : table.rows) {
      if (!is_missing_text(row[c], *spec, data.schema, gaps.na)) texts.emplace_back(row[c]);
    }
    styles[c] = style_of(texts, spec->marks.decimal);
    styles[c].round = whole && styles[c].most_decimals == 0;
  }
  return styles;
}

/// The texts of the gaps: the best guess, or per draw.
std::vector<std::vector<std::string>> fillings(const ImputeArguments& arguments, const Model& model,
                                               const Dataset& data, const TableGaps& gaps,
                                               const std::vector<NumberStyle>& styles) {
  const std::size_t draws = arguments.predict.draws;
  std::vector<std::vector<std::string>> texts(std::max<std::size_t>(draws, 1));
  for_each_batch(gaps.places, [&](std::size_t begin, const std::vector<CellPlace>& batch) {
    std::size_t at = begin;
    for (const CellPrediction& cell :
         predict_cells(model, data, batch, arguments.predict, stop_hooks())) {
      const NumberStyle& style = styles[gaps.column[at++]];
      if (draws == 0) texts[0].push_back(best_text(data, cell, style));
      for (std::size_t m = 0; m < draws; ++m) texts[m].push_back(drawn_text(data, cell, m, style));
    }
  });
  return texts;
}

void tell(const TableGaps& gaps, const std::string& file) {
  if (!gaps.absent.empty()) {
    print_note(fmt::format("note: {} has no column {}; none is added (--distribution predicts it)",
                           file, fmt::join(gaps.absent, ", ")));
  }
  if (gaps.unknown > 0) {
    print_note(fmt::format("note: {} with answers the model does not know left as they are",
                           gaps.unknown == 1 ? "1 cell" : fmt::format("{} cells", gaps.unknown)));
  }
  if (gaps.places.empty()) print_note("note: no cell is missing");
}

/// Columns of whole numbers that were given decimals.
void tell_of_decimals(const TextTable& table, const Dataset& data, const TableGaps& gaps,
                      const std::vector<NumberStyle>& styles,
                      const std::vector<std::string>& texts) {
  std::set<std::size_t> columns;
  for (std::size_t i = 0; i < gaps.places.size(); ++i) {
    const NumberStyle& style = styles[gaps.column[i]];
    const bool number = data.blocks[gaps.places[i].block].encoding == Encoding::real;
    if (number && style.most_decimals == 0 && texts[i].find(style.decimal) != std::string::npos)
      columns.insert(gaps.column[i]);
  }
  std::vector<std::string> names;
  for (const std::size_t column : columns) names.push_back(table.header[column]);
  if (!names.empty()) {
    print_note(
        fmt::format("note: whole numbers are filled with decimals in {}; --whole rounds them",
                    fmt::join(names, ", ")));
  }
}

void write_filled(const ImputeArguments& arguments, const Model& model, const Dataset& data,
                  const Source& file, const ReadOptions& reading) {
  TextTable table = read_text_table(file, reading, stop_hooks());
  if (table.rows.size() != data.rows)
    throw InputError({file.path, "the table changed while it was read", "run the command again"});
  const TableGaps gaps = find_gaps(table, data, missing_cells(data, kMostCells), reading.na);
  tell(gaps, file.path);
  const auto styles = styles_of(table, data, gaps, arguments.whole);
  const auto texts = fillings(arguments, model, data, gaps, styles);
  tell_of_decimals(table, data, gaps, styles, texts.front());
  // all are written before the first gets its name
  std::vector<std::unique_ptr<Output>> outputs;
  for (std::size_t m = 0; m < texts.size(); ++m) {
    for (std::size_t i = 0; i < gaps.places.size(); ++i)
      table.rows[gaps.places[i].row][gaps.column[i]] = texts[m][i];
    outputs.push_back(std::make_unique<Output>(
        arguments.predict.draws > 0 ? draw_name(arguments.output, m) : arguments.output));
    write_table(table, *outputs.back());
  }
  for (auto& output : outputs) output->commit();
}

int run_impute(const ImputeArguments& arguments) {
  check_impute_files(arguments);
  const Model model = Model::load(arguments.model);
  check_model(model);
  const std::vector<Source> files = sources(arguments.data);
  if (arguments.cells.empty()) check_gaps(model);
  const bool filled = arguments.cells.empty() && !arguments.distribution;
  if (filled) check_no_ties(model);
  if (filled) check_single_table(arguments, model, files);
  const ReadOptions reading = read_options(arguments.data, model);
  const Dataset data = read(files, reading, stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  if (filled) {
    write_filled(arguments, model, data, files[0], reading);
  } else if (arguments.distribution) {
    const auto places = missing_cells(data, kMostCells);
    if (places.empty()) print_note("note: no cell is missing");
    write_long_form(arguments, model, data, {places, {}, ""});
  } else {
    const AskedCells asked = asked_cells(data, arguments.cells);
    if (!asked.note.empty()) print_note("note: " + asked.note);
    write_long_form(arguments, model, data, asked);
  }
  return kDone;
}

std::string check_draws(const std::string& text) {
  std::string wrong = whole_number(1)(text);
  if (!wrong.empty()) return wrong;
  return std::stoull(text) <= kMostDraws ? "" : fmt::format("{} is more than {}", text, kMostDraws);
}

}  // namespace

void add_impute(CommandLine& app, Program& program) {
  Command command = app.add_command("impute", kImputeHelp);
  auto arguments = std::make_shared<ImputeArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  const Option distribution =
      command.add_flag("--distribution", arguments->distribution,
                       "write the distribution of every missing cell, one line per level or "
                       "number\n(also for columns that the file lacks)");
  const Option cells = command
                           .add_option("--cells", arguments->cells,
                                       "the same for listed cells: columns id,column "
                                       "(or user,item)")
                           .type_name("PAIRS.csv")
                           .excludes(distribution);
  command
      .add_option("--draws", arguments->predict.draws,
                  "write M tables FILE.1.csv .. FILE.M.csv with missing cells drawn")
      .type_name("M")
      .check(check_draws)
      .excludes(distribution)
      .excludes(cells);
  command.add_flag("--whole", arguments->whole, "round means and draws in columns of whole numbers")
      .excludes(distribution)
      .excludes(cells);
  command.add_option("--seed", arguments->predict.seed, "seed of the draws; default 1")
      .type_name("S")
      .check(whole_number(0));
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  add_safe_csv(command);
  add_threads_option(command, arguments->predict.threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_impute(*arguments); }; });
}

}  // namespace medley::cli
