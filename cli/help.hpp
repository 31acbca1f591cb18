// SPDX-License-Identifier: Apache-2.0
// The look of help texts: what it does, examples, then the options.
#pragma once

#include <CLI/CLI.hpp>

namespace medley::cli {

/// Short help: an option's kind of value instead of its type and marks; commands by their first
/// line.
class Help : public CLI::Formatter {
 public:
  Help();
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
};

}  // namespace medley::cli
