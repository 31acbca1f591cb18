// SPDX-License-Identifier: Apache-2.0
// The program medley: finds the command, runs it, and turns every failure into a message and an
// exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <new>

#include "command.hpp"
#include "help.hpp"
#include "medley/error.hpp"
#include "medley/version.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "suggest.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kHelp = R"(Mixed-membership models for tables, text and ratings.

Examples:
  medley fit survey.csv --k 3 -o survey.medley    fit three profiles to a survey
  medley inspect survey.medley                    read them
  medley transform survey.medley survey.csv       each row's share of each profile)";

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// The command that the words name, or null.
const CLI::App* command_of(const CLI::App& app, const Program& program) {
  if (program.arguments.size() < 2) return nullptr;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == program.arguments[1]) return command;
  }
  return nullptr;
}

int no_such_command(const CLI::App& app, const std::string& word) {
  const std::string hint = did_you_mean(word, command_names(app));
  print_error(fmt::format("\"{}\" is no command{}", word, hint.empty() ? "" : "; " + hint));
  print_note("`medley --help` lists the commands");
  return kWrongInput;
}

/// A mistyped option gets the closest one of its command.
std::string option_hint(const CLI::App& command, const Program& program) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& argument : program.arguments) {
    const std::string word = argument.substr(0, argument.find('='));
    if (!word.starts_with("--") || word == "--") continue;
    if (std::find(known.begin(), known.end(), word) == known.end())
      return did_you_mean(word, known);
  }
  return "";
}

int wrong_usage(const CLI::App& app, const Program& program, const CLI::ParseError& error) {
  print_error(error.what());
  const CLI::App* command = command_of(app, program);
  if (command == nullptr) {
    print_note("`medley --help` lists the commands");
    return kWrongInput;
  }
  const std::string hint = option_hint(*command, program);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !hint.empty())
    print_note(hint);
  print_note(fmt::format("`medley {} --help` explains the options", command->get_name()));
  return kWrongInput;
}

int parse_and_run(Program& program) {
  CLI::App app(kHelp, "medley");
  app.formatter(help_formatter());
  app.set_version_flag("--version", std::string("medley ") + medley::version());
  app.require_subcommand(1);
  for (auto* add :
       {add_fit,          add_update,    add_transform, add_similar,   add_predict,
        add_impute,       add_recommend, add_evaluate,  add_inspect,   add_report,
        add_name,         add_export,    add_groups,    add_bootstrap, add_compare,
        add_correlations, add_diagnose,  add_select,    add_selftest,  add_import_topics,
        add_simulate,     add_convert,   add_schema,    add_models}) {
    add(app, program);
  }
  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
  if (program.arguments.size() < 2) {
    print_error("a command is missing");
    print_note("`medley --help` lists the commands");
    return kWrongInput;
  }
  const std::string& first = program.arguments[1];
  if (!first.starts_with("-") && command_of(app, program) == nullptr)
    return no_such_command(app, first);
  try {
    // CLI11 takes the words last first
    std::vector<std::string> words(program.arguments.rbegin(), program.arguments.rend() - 1);
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    write_text("", app.help());
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    write_text("", std::string(version.what()) + "\n");
    return kDone;
  } catch (const CLI::ParseError& error) {
    return wrong_usage(app, program, error);
  }
  return program.run();
}

int guarded(Program& program) {
  try {
    return parse_and_run(program);
  } catch (const PipeClosed&) {
    return kPipeClosed;
  } catch (const InputError& error) {
    print_error(error);
    return kWrongInput;
  } catch (const std::bad_alloc&) {
    print_error("there is not enough memory");
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return kFailed;
}

}  // namespace
}  // namespace medley::cli

int main(int argc, char** argv) {
  medley::cli::install_signal_handlers();
  medley::cli::Program program;
  program.arguments.assign(argv, argv + argc);
  return medley::cli::guarded(program);
}
