// SPDX-License-Identifier: Apache-2.0
// medley import-topics: topics of another program as a model.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "medley/error.hpp"
#include "medley/model.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kImportHelp =
    R"(Make a model from the topics of another program, for scoring by the same code.

TOPICS is a table: a heading of words and one line per topic, or one line per word with the words in
a first column headed "word". Weights may have any scale. DATA is the corpus from which the topics were
learnt: it determines the baseline of scores, the sizes of the topics and, with --alpha fitted, alpha.

Examples:
  medley import-topics topics.csv train.ldac --alpha fitted -o theirs.medley
  medley evaluate theirs.medley test.ldac --estimator completion
  medley import-topics topics.csv --alpha 0.05 -o theirs.medley)";

struct ImportArguments {
  std::string topics, output, alpha;
  DataOptions data;
  std::size_t threads = 0;
};

ImportOptions import_options(const ImportArguments& arguments) {
  ImportOptions out;
  out.threads = arguments.threads;
  out.fit_alpha = arguments.alpha == "fitted";
  if (out.fit_alpha && arguments.data.data.empty())
    throw InputError({"--alpha fitted", "needs the corpus to be fitted to",
                      "name it after the topics, or give a number"});
  if (out.fit_alpha) return out;
  for (const std::string& piece : comma_list(arguments.alpha)) {
    char* end = nullptr;
    out.alpha.push_back(std::strtod(piece.c_str(), &end));
    if (*end != '\0')
      throw InputError({"--alpha", fmt::format("\"{}\" is no number", piece),
                        "a number, one for each topic with commas between them, or fitted"});
  }
  return out;
}

int run_import(const ImportArguments& arguments) {
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.topics);
  check_destinations({{"-o", arguments.output}}, inputs);
  const ImportOptions options = import_options(arguments);
  const Topics topics = read_topics(arguments.topics);
  std::optional<Dataset> corpus;
  if (!arguments.data.data.empty()) {
    ReadOptions reading = read_options(arguments.data);
    reading.schema = schema_of(topics);
    corpus = read(sources(arguments.data), reading, stop_hooks());
    for (const std::string& warning : corpus->warnings) print_note("warning: " + warning);
  }
  const Model model = import_topics(topics, options, corpus ? &*corpus : nullptr, stop_hooks());
  model.save(arguments.output);
  if (!corpus)
    print_note(
        "without the corpus, scores are compared with the average topic instead of its words");
  write_text("", fmt::format("{} topics over {} words.\nWrote {}.\n", topics.weight.size(),
                             topics.words.size(), arguments.output));
  return kDone;
}

}  // namespace

void add_import_topics(CommandLine& app, Program& program) {
  Command command = app.add_command("import-topics", kImportHelp);
  auto arguments = std::make_shared<ImportArguments>();
  command.add_option("TOPICS", arguments->topics, "a CSV or TSV table of weights").required();
  command.add_option("-o,--output", arguments->output, "the model file to write")
      .type_name("MODEL")
      .required();
  command
      .add_option("--alpha", arguments->alpha,
                  "how mixed documents are: a number, one per topic, or fitted; default 1/K")
      .type_name("A");
  add_threads_option(command, arguments->threads);
  add_data_options(command, arguments->data);
  command.get_option("DATA").required(false);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_import(*arguments); }; });
}

}  // namespace medley::cli
