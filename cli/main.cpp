// SPDX-License-Identifier: Apache-2.0
// The program medley: finds the command, runs it, and turns every failure into a message and an
// exit code.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "medley/error.hpp"
#include "medley/options.hpp"
#include "output.hpp"
#include "processes.hpp"
#include "signals.hpp"
#include "suggest.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kProgramHelp = R"(Mixed-membership models for tables, text and ratings.

Examples:
  medley fit survey.csv --k 3 -o survey.medley    fit three profiles to a survey
  medley inspect survey.medley                    show them
  medley transform survey.medley survey.csv       each row's share of each profile)";

constexpr std::string_view kNoMemory = "medley: error: there is not enough memory\n";

/// Takes no memory.
void say_plainly(std::string_view words) noexcept {
  while (!words.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    words.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::vector<std::string> command_names(const CommandLine& app) {
  std::vector<std::string> names;
  for (const Command& command : app.commands()) names.push_back(command.name());
  return names;
}

/// The command that the words name, if there is one.
std::optional<Command> command_of(const CommandLine& app, const Program& program) {
  if (program.arguments.size() < 2) return std::nullopt;
  for (const Command& command : app.commands()) {
    if (command.name() == program.arguments[1]) return command;
  }
  return std::nullopt;
}

int no_such_command(const CommandLine& app, const std::string& word) {
  const std::string hint = did_you_mean(word, command_names(app));
  print_error(fmt::format("\"{}\" is no command{}", word, hint.empty() ? "" : "; " + hint));
  print_note("`medley --help` lists the commands");
  return kWrongInput;
}

/// A mistyped option gets the closest one of its command.
std::string option_hint(const Command& command, const Program& program) {
  const std::vector<std::string> known = command.long_names();
  for (const std::string& argument : program.arguments) {
    const std::string word = argument.substr(0, argument.find('='));
    if (!word.starts_with("--") || word == "--") continue;
    if (std::find(known.begin(), known.end(), word) == known.end())
      return did_you_mean(word, known);
  }
  return "";
}

int wrong_usage(const CommandLine& app, const Program& program, const Parsed& mistake) {
  print_error(mistake.text);
  const std::optional<Command> command = command_of(app, program);
  if (!command) {
    print_note("`medley --help` lists the commands");
    return kWrongInput;
  }
  const std::string hint = option_hint(*command, program);
  if (mistake.unknown_word && !hint.empty()) print_note(hint);
  print_note(fmt::format("`medley {} --help` explains the options", command->name()));
  return kWrongInput;
}

int parse_and_run(Program& program) {
  CommandLine app("medley", kProgramHelp, std::string("medley ") + medley::version());
  for (auto* add :
       {add_fit,          add_update,    add_transform, add_similar,   add_predict,
        add_impute,       add_recommend, add_evaluate,  add_inspect,   add_report,
        add_name,         add_export,    add_groups,    add_bootstrap, add_compare,
        add_correlations, add_diagnose,  add_select,    add_selftest,  add_import_topics,
        add_simulate,     add_convert,   add_schema,    add_models}) {
    add(app, program);
  }
  if (program.arguments.size() < 2) {
    print_error("a command is missing");
    print_note("`medley --help` lists the commands");
    return kWrongInput;
  }
  const std::string& first = program.arguments[1];
  if (!first.starts_with("-") && !command_of(app, program)) return no_such_command(app, first);
  if (processes() != nullptr && first != "fit") {
    print_error(
        "only `medley-mpi fit` runs in several processes (start the others without mpirun)");
    return kWrongInput;
  }
  const Parsed parsed = app.parse(program.arguments);
  if (parsed.outcome == Parsed::Outcome::mistake) return wrong_usage(app, program, parsed);
  if (parsed.outcome == Parsed::Outcome::command) return program.run();
  write_text("", parsed.text);
  return kDone;
}

int guarded(Program& program, int& argc, char**& argv) {
  std::optional<MpiSession> session;
  try {
    session.emplace(argc, argv);
    program.arguments.assign(argv, argv + argc);
    return session->end(parse_and_run(program));
  } catch (const PipeClosed&) {
    return kPipeClosed;
  } catch (const Interrupted&) {
    end_by_signal();
  } catch (const InputError& error) {
    let_first_speak();
    print_error(error);
    return session ? session->end(kWrongInput) : kWrongInput;
  } catch (const std::bad_alloc&) {
    say_plainly(kNoMemory);
  } catch (const std::exception& error) {
    let_first_speak();
    print_error(error.what());
  }
  return session ? session->end(kFailed) : kFailed;
}

/// Where an exception may not pass (a destructor, a static object, a thread of a library) the
/// standard library calls this: a sentence and an exit code in place of a core dump.
[[noreturn]] void end_in_words() noexcept {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
    say_plainly("medley: error: ended where it should never get to; please report this\n");
  } catch (const std::bad_alloc&) {
    say_plainly(kNoMemory);
  } catch (...) {
    say_plainly("medley: error: an exception where none may pass; please report this\n");
  }
  std::_Exit(kFailed);
}

/// Set before the objects of any other file are made.
[[gnu::constructor(101)]] void set_last_words() {
  std::set_terminate(end_in_words);
}

int run(int argc, char** argv) {
  try {
    install_signal_handlers();
    Program program;
    return guarded(program, argc, argv);
  } catch (const std::bad_alloc&) {  // where a message was made of another error
    say_plainly(kNoMemory);
  } catch (...) {
    say_plainly("medley: error: the message about an error could not be made\n");
  }
  return kFailed;
}

}  // namespace
}  // namespace medley::cli

int main(int argc, char** argv) {
  return medley::cli::run(argc, argv);
}
