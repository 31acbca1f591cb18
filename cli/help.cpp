// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <CLI/CLI.hpp>

namespace medley::cli {
namespace {

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

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<Help>();
}

}  // namespace medley::cli
