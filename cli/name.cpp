// SPDX-License-Identifier: Apache-2.0
// medley name: what the profiles of a model are called.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "command.hpp"
#include "medley/error.hpp"
#include "medley/model.hpp"
#include "medley/report.hpp"
#include "names_file.hpp"
#include "output.hpp"

namespace medley::cli {
namespace {

constexpr const char* kNameHelp =
    R"(Give profiles names; inspect, export and transform --append then show them.

Examples:
  medley name survey.medley                      list the names
  medley name survey.medley 2='Frail' 3='Robust'
  medley name survey.medley 2=                   remove the name
  medley name survey.medley --names names.toml   the names that a report page exported)";

struct NameArguments {
  std::string model, file;
  std::vector<std::string> names;
};

/// Applies "2=Frail"; adds what is wrong with it to the problems.
Model named(Model model, const std::string& assignment, std::vector<Problem>& problems) {
  const std::size_t equals = assignment.find('=');
  std::size_t number = 0;
  const char* begin = assignment.data();
  const char* end = begin + std::min(equals, assignment.size());
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (equals == std::string::npos || error != std::errc{} || stop != end || begin == end) {
    problems.push_back({"", fmt::format("\"{}\" is not of the form NUMBER=NAME", assignment),
                        "for example 2='Frail'"});
    return model;
  }
  if (number < 1 || number > model.components()) {
    problems.push_back({"", fmt::format("there is no profile {}", number),
                        fmt::format("the model has 1 to {}", model.components())});
    return model;
  }
  return model.renamed(number - 1, assignment.substr(equals + 1));
}

int run_name(const NameArguments& arguments) {
  Model model = Model::load(arguments.model);
  std::vector<Problem> problems;
  if (!arguments.file.empty()) model = named_from(model, arguments.file);
  for (const std::string& assignment : arguments.names)
    model = named(std::move(model), assignment, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  if (!arguments.names.empty() || !arguments.file.empty()) model.save(arguments.model);
  std::string list;
  for (std::size_t k = 0; k < model.components(); ++k) {
    const std::string& name = model.names()[k];
    list += fmt::format("{}  {}\n", k + 1, name.empty() ? "-" : printable(name));
  }
  write_text("", list);
  return kDone;
}

}  // namespace

void add_name(CommandLine& app, Program& program) {
  Command command = app.add_command("name", kNameHelp);
  auto arguments = std::make_shared<NameArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_option("NAMES", arguments->names,
                     "NUMBER=NAME, a profile and its name; none: list the names");
  command.add_option("--names", arguments->file, "a TOML file with a table [names]")
      .type_name("FILE.toml");
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_name(*arguments); }; });
}

}  // namespace medley::cli
