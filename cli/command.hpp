// SPDX-License-Identifier: Apache-2.0
// What every command is: a function that adds itself to the program. Parsing a command line that
// names it sets `Program::run`.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

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

void add_fit(CLI::App& app, Program& program);
void add_transform(CLI::App& app, Program& program);
void add_predict(CLI::App& app, Program& program);
void add_evaluate(CLI::App& app, Program& program);
void add_select(CLI::App& app, Program& program);
void add_groups(CLI::App& app, Program& program);
void add_bootstrap(CLI::App& app, Program& program);
void add_impute(CLI::App& app, Program& program);
void add_recommend(CLI::App& app, Program& program);
void add_inspect(CLI::App& app, Program& program);
void add_name(CLI::App& app, Program& program);
void add_export(CLI::App& app, Program& program);
void add_schema(CLI::App& app, Program& program);
void add_simulate(CLI::App& app, Program& program);
void add_compare(CLI::App& app, Program& program);
void add_correlations(CLI::App& app, Program& program);
void add_diagnose(CLI::App& app, Program& program);
void add_selftest(CLI::App& app, Program& program);
void add_import_topics(CLI::App& app, Program& program);
void add_convert(CLI::App& app, Program& program);
void add_update(CLI::App& app, Program& program);
void add_report(CLI::App& app, Program& program);
void add_similar(CLI::App& app, Program& program);
void add_models(CLI::App& app, Program& program);

}  // namespace medley::cli
