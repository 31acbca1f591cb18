// SPDX-License-Identifier: Apache-2.0
// The commands of the program with their options, and what the words of a command line come to.
// CLI11 does the work behind it: that is slow to compile, so only command_line.cpp includes it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace medley::cli {

/// An option, a flag, or an argument without dashes, such as DATA. Copies are the same option;
/// every setting returns it, so that they can be chained.
class Option {
 public:
  /// The kind of value, as help shows it: FILE, N.
  Option type_name(const std::string& kind) const;
  /// The heading of help that it stands under.
  Option group(const std::string& heading) const;
  Option description(const std::string& text) const;
  Option required(bool value = true) const;
  /// Refuses values that the check finds something wrong with.
  Option check(const Check& what) const;
  Option needs(const Option& other) const;
  Option needs(const std::string& other) const;
  Option excludes(const Option& other) const;
  Option excludes(const std::string& other) const;
  /// Of a list: whether one mention takes all words up to the next option; false: a word each.
  Option allow_extra_args(bool value) const;
  /// Of a list: what separates several values in one word.
  Option delimiter(char between) const;

  /// With its dashes; the long one if it has two.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string group() const;

 private:
  friend class Command;
  explicit Option(CLI::Option* option) : option_(option) {}
  CLI::Option* option_;
};

/// A command, such as fit. Copies are the same command.
class Command {
 public:
  /// Options with a value. Names are "-o,--output" or "--k"; without dashes, an argument known by
  /// its place. The value goes to `to`, which has to live until the command has run.
  Option add_option(const std::string& names, std::string& to, const std::string& help);
  Option add_option(const std::string& names, std::size_t& to, const std::string& help);
  Option add_option(const std::string& names, double& to, const std::string& help);
  Option add_option(const std::string& names, std::optional<std::size_t>& to,
                    const std::string& help);
  Option add_option(const std::string& names, std::optional<double>& to, const std::string& help);
  Option add_option(const std::string& names, std::vector<std::string>& to,
                    const std::string& help);
  Option add_option(const std::string& names, std::vector<std::size_t>& to,
                    const std::string& help);
  /// An option whose text `set` takes; it returns what is wrong with it, or nothing.
  Option add_option_function(const std::string& name,
                             const std::function<std::string(const std::string&)>& set,
                             const std::string& help = "");
  Option add_flag(const std::string& names, bool& to, const std::string& help);
  /// A flag that `set` is called for.
  Option add_flag_function(const std::string& name, const std::function<void()>& set,
                           const std::string& help);
  void remove_option(const std::string& name);
  /// Called once a command line that names this command has been understood.
  void callback(const std::function<void()>& chosen);

  [[nodiscard]] std::string name() const;
  [[nodiscard]] Option get_option(const std::string& name) const;
  [[nodiscard]] std::vector<Option> get_options() const;
  /// All names with two dashes.
  [[nodiscard]] std::vector<std::string> long_names() const;
  /// How often the command line had the option.
  [[nodiscard]] std::size_t count(const std::string& name) const;

 private:
  friend class CommandLine;
  explicit Command(CLI::App* command) : command_(command) {}
  CLI::App* command_;
};

/// What the words of a command line came to.
struct Parsed {
  enum class Outcome { command, answer, mistake };
  Outcome outcome = Outcome::command;
  std::string text;           ///< the answer to --help or --version, or what is wrong
  bool unknown_word = false;  ///< a mistake: words that nothing takes
};

/// All commands.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& help, const std::string& version);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// The first line of `help` stands in the list of commands.
  Command add_command(const std::string& name, const std::string& help);
  [[nodiscard]] std::vector<Command> commands() const;
  /// Sets what the options name and calls back the command. The program's own name comes first.
  [[nodiscard]] Parsed parse(const std::vector<std::string>& arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace medley::cli
