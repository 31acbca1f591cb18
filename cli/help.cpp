// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

namespace medley::cli {

Help::Help() {
  constexpr std::size_t kColumn = 30;
  column_width(kColumn);
  label("Positionals", "Arguments");
  label("OPTIONS", "OPTIONS");
  label("SUBCOMMAND", "COMMAND");
}

std::string Help::make_option_opts(const CLI::Option* option) const {
  const bool takes_value = option->get_type_size() != 0 && !option->get_positional();
  return takes_value ? " " + option->get_type_name() : "";
}

std::string Help::make_subcommand(const CLI::App* command) const {
  const std::string description = command->get_description();
  std::stringstream out;
  CLI::detail::format_help(out, command->get_name(), description.substr(0, description.find('\n')),
                           column_width_);
  return out.str();
}

std::string Help::make_usage(const CLI::App* app, std::string name) const {
  return "\n" + Formatter::make_usage(app, name);
}

}  // namespace medley::cli
