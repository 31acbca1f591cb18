// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <utility>

namespace medley::cli {
namespace {

constexpr std::size_t kColumn = 30;  // where explanations begin

/// A name, and beside it what it means, in lines that begin below one another.
std::string two_columns(const std::string& name, const std::string& meaning) {
  const std::string indent(kColumn, ' ');
  std::string out = "  " + name;
  if (meaning.empty()) return out + "\n";
  if (out.size() >= kColumn) out += "\n" + indent;
  if (out.size() < kColumn) out.resize(kColumn, ' ');
  return out + CLI::detail::find_and_replace(meaning, "\n", "\n" + indent) + "\n";
}

/// Short help: an option's kind of value instead of its type and marks; commands by their first
/// line; what it does, examples, then the options.
/// The layout is our own down to the lines: that of CLI11 changes from version to version.
class Help : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const bool takes_value = option->get_type_size() != 0 && !option->get_positional();
    return takes_value ? " " + option->get_type_name() : "";
  }

  std::string make_option(const CLI::Option* option, bool positional) const override {
    return two_columns(make_option_name(option, positional) + make_option_opts(option),
                       make_option_desc(option));
  }

  std::string make_group(std::string title, bool positional,
                         std::vector<const CLI::Option*> options) const override {
    if (positional) title = "Arguments";
    if (title == "OPTIONS") title = "Options";  // the group of options that are given none
    std::string out = "\n" + title + ":\n";
    for (const CLI::Option* option : options) out += make_option(option, positional);
    return out;
  }

  std::string make_subcommand(const CLI::App* command) const override {
    const std::string description = command->get_description();
    return two_columns(command->get_name(), description.substr(0, description.find('\n')));
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string out = "\nUsage: " + name + " [OPTIONS]";
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) out += " " + make_option_usage(option);
    }
    if (!app->get_subcommands({}).empty()) out += " COMMAND";
    return out + "\n";
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const std::string out = app->get_description() + "\n" + make_usage(app, std::move(name)) +
                            make_positionals(app) + make_groups(app, mode) +
                            make_subcommands(app, mode) + "\n";
    return CLI::detail::find_and_replace(out, "\n\n\n", "\n\n");
  }
};

}  // namespace

Option Option::type_name(const std::string& kind) const {
  option_->type_name(kind);
  return *this;
}

Option Option::group(const std::string& heading) const {
  option_->group(heading);
  return *this;
}

Option Option::description(const std::string& text) const {
  option_->description(text);
  return *this;
}

Option Option::required(bool value) const {
  option_->required(value);
  return *this;
}

Option Option::check(const Check& what) const {
  option_->check(what, "");
  return *this;
}

Option Option::needs(const Option& other) const {
  option_->needs(other.option_);
  return *this;
}

Option Option::needs(const std::string& other) const {
  option_->needs(other);
  return *this;
}

Option Option::excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

Option Option::excludes(const std::string& other) const {
  option_->excludes(other);
  return *this;
}

Option Option::allow_extra_args(bool value) const {
  option_->allow_extra_args(value);
  return *this;
}

Option Option::delimiter(char between) const {
  option_->delimiter(between);
  return *this;
}

std::string Option::name() const {
  return option_->get_name();
}

std::string Option::group() const {
  return option_->get_group();
}

Option Command::add_option(const std::string& names, std::string& to, const std::string& help) {
  return Option(command_->add_option(names, to, help));
}

Option Command::add_option(const std::string& names, std::size_t& to, const std::string& help) {
  return Option(command_->add_option(names, to, help));
}

Option Command::add_option(const std::string& names, double& to, const std::string& help) {
  return Option(command_->add_option(names, to, help));
}

Option Command::add_option(const std::string& names, std::optional<std::size_t>& to,
                           const std::string& help) {
  return Option(command_->add_option(names, to, help));
}

Option Command::add_option(const std::string& names, std::optional<double>& to,
                           const std::string& help) {
  return Option(command_->add_option(names, to, help));
}

Option Command::add_option(const std::string& names, std::vector<std::string>& to,
                           const std::string& help) {
  return Option(command_->add_option(names, to, help));
}

Option Command::add_option(const std::string& names, std::vector<std::size_t>& to,
                           const std::string& help) {
  return Option(command_->add_option(names, to, help));
}

Option Command::add_option_function(const std::string& name,
                                    const std::function<std::string(const std::string&)>& set,
                                    const std::string& help) {
  const auto take = [name, set](const std::string& text) {
    if (const std::string wrong = set(text); !wrong.empty())
      throw CLI::ValidationError(name, wrong);
  };
  return Option(command_->add_option_function<std::string>(name, take, help));
}

Option Command::add_flag(const std::string& names, bool& to, const std::string& help) {
  return Option(command_->add_flag(names, to, help));
}

Option Command::add_flag_function(const std::string& name, const std::function<void()>& set,
                                  const std::string& help) {
  return Option(command_->add_flag_callback(name, set, help));
}

void Command::remove_option(const std::string& name) {
  command_->remove_option(command_->get_option(name));
}

void Command::callback(const std::function<void()>& chosen) {
  command_->callback(chosen);
}

std::string Command::name() const {
  return command_->get_name();
}

Option Command::get_option(const std::string& name) const {
  return Option(command_->get_option(name));
}

std::vector<Option> Command::get_options() const {
  std::vector<Option> out;
  for (CLI::Option* option : command_->get_options()) out.push_back(Option(option));
  return out;
}

std::vector<std::string> Command::long_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : command_->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::size_t Command::count(const std::string& name) const {
  return command_->count(name);
}

CommandLine::CommandLine(const std::string& name, const std::string& help,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(help, name)) {
  app_->formatter(std::make_shared<Help>());
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& help) {
  CLI::App* command = app_->add_subcommand(name, help);
  command->group("Commands");
  return Command(command);
}

std::vector<Command> CommandLine::commands() const {
  std::vector<Command> out;
  for (CLI::App* command : app_->get_subcommands({})) out.push_back(Command(command));
  return out;
}

Parsed CommandLine::parse(const std::vector<std::string>& arguments) {
  try {
    // CLI11 takes the words last first
    std::vector<std::string> words(arguments.rbegin(), arguments.rend() - 1);
    app_->parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return {Parsed::Outcome::answer, app_->help()};
  } catch (const CLI::CallForVersion& version) {
    return {Parsed::Outcome::answer, std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    const bool unknown = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
    return {Parsed::Outcome::mistake, error.what(), unknown};
  }
  return {};
}

}  // namespace medley::cli
