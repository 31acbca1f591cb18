// SPDX-License-Identifier: Apache-2.0
// medley report: a model as one HTML page.
#include "medley/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>

#include "checks.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "flags.hpp"
#include "medley/error.hpp"
#include "names_file.hpp"
#include "output.hpp"
#include "read_keeping.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kReportHelp =
    R"(Write a model as one HTML page that needs no network and no other file.

Examples:
  medley report survey.medley survey.csv -o report.html
  medley report choice survey.csv -o report.html     a folder of medley select
  medley report survey.medley survey.csv --no-rows -o report.html
  medley report survey.medley survey.csv --names names.toml -o report.html)";

/// Columns of more values are no groups: ids, dates, free text.
constexpr std::size_t kMostLevels = 24;
/// So many columns are offered to group rows by, unless some are asked for.
constexpr std::size_t kMostColumns = 12;
/// Without rows, groups of fewer are not shown either.
constexpr std::size_t kPrivateCell = 10;

struct ReportArguments {
  std::string model, output, names, title;
  DataOptions data;
  std::vector<std::string> by;
  ReportOptions options;
  std::size_t components = 0, min_cell = 0;
  bool no_rows = false;
};

/// Whether a column's name says that it belongs to the design of the sample: its groups are no
/// answer to anybody's question.
bool names_design(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  static const std::vector<std::string> parts = {"strat", "cluster", "psu", "weight", "wgt"};
  return std::ranges::any_of(
      parts, [&](const std::string& part) { return lower.find(part) != std::string::npos; });
}

/// Columns that may group rows, those that the model has not seen first, design variables last.
std::vector<std::string> candidates(const Dataset& data) {
  std::vector<std::string> out = data.extra, seen;
  for (const SourceSpec& source : data.schema.sources) {
    if (source.kind != SourceKind::table) continue;
    for (const ColumnSpec& column : source.columns) {
      const bool levels = column.role == Role::feature && column.encoding == Encoding::levels &&
                          column.cells == CellText::value;
      if (column.role == Role::label || column.role == Role::ignored) out.push_back(column.name);
      if (levels) seen.push_back(column.name);
    }
  }
  out.insert(out.end(), seen.begin(), seen.end());
  std::vector<std::string> design;
  std::ranges::copy_if(out, std::back_inserter(design), names_design);
  std::erase_if(out, names_design);
  out.insert(out.end(), design.begin(), design.end());
  return out;
}

bool groups_rows(const KeptColumn& column) {
  if (column.levels.size() < 2 || column.levels.size() > kMostLevels) return false;
  // a value for every row or two is an id
  const auto known =
      std::ranges::count_if(column.code, [](std::int32_t code) { return code >= 0; });
  return known >= static_cast<std::ptrdiff_t>(2 * column.levels.size());
}

/// Reads the rows with the columns that group them. Once: the data may come from a pipe.
Dataset read_grouped_rows(const ReportArguments& arguments, const Model& model,
                          std::vector<std::string>& by) {
  ReadOptions reading = read_options(arguments.data, model);
  if (!arguments.by.empty()) {
    std::vector<ColumnOption> columns;
    for (const std::string& column : arguments.by) columns.emplace_back("--by", column);
    by = arguments.by;
    return read_keeping(arguments.data, reading, columns);
  }
  reading.keep_levels = kMostLevels;
  Dataset data = read_keeping(arguments.data, reading, {});
  std::vector<std::string> names = candidates(data);
  std::erase_if(names, [&](const std::string& name) {
    return name == reading.id || name == reading.weight || data.kept_column(name) == nullptr;
  });
  data.extra.clear();  // looked at, though the model does not know them
  for (const std::string& name : names) {
    const bool again = std::ranges::find(by, name) != by.end();
    if (!again && by.size() < kMostColumns && groups_rows(*data.kept_column(name)))
      by.push_back(name);
  }
  return data;
}

std::string title_of(const ReportArguments& arguments) {
  if (!arguments.title.empty()) return arguments.title;
  std::filesystem::path path = arguments.model;
  if (!path.has_filename()) path = path.parent_path();
  return path.stem().string();
}

int run_report(ReportArguments& arguments) {
  if (arguments.output.empty())
    throw InputError({"-o", "the name of the page is missing", "such as -o report.html"});
  if (!has_report_page())
    throw InputError({"report", "this medley was built without the report page",
                      "build it with -DMEDLEY_REPORT=ON, which needs node and npm"});
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.names);
  const bool folder = std::filesystem::is_directory(arguments.model);
  if (!folder) inputs.push_back(arguments.model);
  check_destinations({{"-o", arguments.output}}, inputs);
  if (arguments.components > 0 && !folder)
    throw InputError({"--k", "is for the folder of medley select", "leave it out"});
  std::optional<SelectedModels> selection;
  if (folder) selection = load_selected(arguments.model, arguments.components);
  Model model =
      selection ? selection->entries[selection->chosen].model : Model::load(arguments.model);
  if (!arguments.names.empty()) model = named_from(model, arguments.names);
  if (selection) selection->entries[selection->chosen].model = model;

  ReportOptions& options = arguments.options;
  options.title = title_of(arguments);
  options.rows = !arguments.no_rows;
  options.min_cell =
      arguments.min_cell > 0 ? arguments.min_cell : (arguments.no_rows ? kPrivateCell : 1);
  options.wording = [](std::string_view text) { return as_flags(text); };
  std::optional<Dataset> data;
  if (!arguments.data.data.empty()) data = read_grouped_rows(arguments, model, options.by);
  const ReportInput input{model, data ? &*data : nullptr, selection ? &*selection : nullptr};
  write_text(arguments.output, report_page(input, options, stop_hooks()), Text::safe);
  if (arguments.output != "-") print_note(fmt::format("wrote {}", arguments.output));
  return kDone;
}

void add_page_options(Command& command, ReportArguments& arguments) {
  command.add_option("-o,--output", arguments.output, "the page to write (required)")
      .type_name("FILE.html");
  command.add_flag("--no-rows", arguments.no_rows,
                   "aggregates only: no row, no id, no group of fewer than 10 rows");
  command
      .add_option("--report-rows", arguments.options.most_rows,
                  "rows on the page; more are sampled, but aggregates use all; default 20000")
      .type_name("N")
      .check(whole_number(1));
  command
      .add_option("--by", arguments.by,
                  "column for grouping rows (repeatable); default columns with few values")
      .type_name("COLUMN")
      .allow_extra_args(false);
  command.add_option("--min-cell", arguments.min_cell, "leave out groups of fewer rows; default 1")
      .type_name("N")
      .check(whole_number(1));
  command.add_option("--names", arguments.names, "names of the profiles, as the page exports them")
      .type_name("FILE.toml");
  command.add_option("--title", arguments.title, "title of the page; default the name of the model")
      .type_name("TEXT");
  command.add_option("--k", arguments.components, "for a folder of medley select: the fit to show")
      .type_name("K")
      .check(whole_number(1));
}

}  // namespace

void add_report(CommandLine& app, Program& program) {
  Command command = app.add_command("report", kReportHelp);
  auto arguments = std::make_shared<ReportArguments>();
  command
      .add_option("MODEL", arguments->model,
                  "a model file written by medley fit, or the folder of medley select")
      .required();
  add_page_options(command, *arguments);
  add_threads_option(command, arguments->options.threads);
  add_data_options(command, arguments->data);
  command.get_option("DATA").required(false);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_report(*arguments); }; });
}

}  // namespace medley::cli
