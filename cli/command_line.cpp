// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <utility>

namespace medley::cli {
namespace {

/// Short help: an option's kind of value instead of its type and marks; commands by their first
/// line; what it does, examples, then the options.
class Help : public CLI::Formatter {
 public:
  Help() {
    constexpr std::size_t kColumn = 30;
    column_width(kColumn);
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const bool takes_value = option->get_type_size() != 0 && !option->get_positional();
    return takes_value ? " " + option->get_type_name() : "";
  }

  std::string make_subcommand(const CLI::App* command) const override {
    const std::string description = command->get_description();
    std::stringstream out;
    CLI::detail::format_help(out, command->get_name(),
                             description.substr(0, description.find('\n')), column_width_);
    return out.str();
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return CLI::detail::find_and_replace(Formatter::make_help(app, std::move(name), mode), "\n\n\n",
                                         "\n\n");
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return "\n" + Formatter::make_usage(app, name);
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
