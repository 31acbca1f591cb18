// SPDX-License-Identifier: Apache-2.0
// What every command is: a function that adds itself to the program. Parsing a command line that
// names it sets `Program::run`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace medley::cli {

/// Exit codes, the same for every command.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongInput = 2;
inline constexpr int kStrict = 4;
inline constexpr int kInterrupted = 130;
inline constexpr int kPipeClosed = 141;

struct Program {
  std::vector<std::string> arguments;  ///< as given, the program's own name first
  std::function<int()> run;            ///< the command asked for; returns an exit code
};

void add_fit(CommandLine& app, Program& program);
void add_transform(CommandLine& app, Program& program);
void add_predict(CommandLine& app, Program& program);
void add_evaluate(CommandLine& app, Program& program);
void add_select(CommandLine& app, Program& program);
void add_groups(CommandLine& app, Program& program);
void add_bootstrap(CommandLine& app, Program& program);
void add_impute(CommandLine& app, Program& program);
void add_recommend(CommandLine& app, Program& program);
void add_inspect(CommandLine& app, Program& program);
void add_name(CommandLine& app, Program& program);
void add_export(CommandLine& app, Program& program);
void add_schema(CommandLine& app, Program& program);
void add_simulate(CommandLine& app, Program& program);
void add_compare(CommandLine& app, Program& program);
void add_correlations(CommandLine& app, Program& program);
void add_diagnose(CommandLine& app, Program& program);
void add_selftest(CommandLine& app, Program& program);
void add_import_topics(CommandLine& app, Program& program);
void add_convert(CommandLine& app, Program& program);
void add_update(CommandLine& app, Program& program);
void add_report(CommandLine& app, Program& program);
void add_similar(CommandLine& app, Program& program);
void add_models(CommandLine& app, Program& program);

}  // namespace medley::cli
