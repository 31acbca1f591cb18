// SPDX-License-Identifier: Apache-2.0
#include "fit_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "arguments.hpp"
#include "fit_json.hpp"
#include "flags.hpp"
#include "medley/predict.hpp"
#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "output.hpp"
#include "processes.hpp"
#include "progress_line.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

/// Whether the chains of a sampled model agree, and what to do if they do not; nothing of others.
std::string about_chains(const Model& model) {
  if (chains_of(model) == 0) return "";
  const Diagnosis found = diagnose(model);
  std::string out;
  for (const auto* findings : {&found.finding, &found.suggestion}) {
    for (const Finding& finding : *findings)
      if (finding.about_chains) out += printable(finding.text) + "\n";
  }
  return out;
}

void print_summary(const std::string& read, const Model& model, const std::string& model_file) {
  const std::string file = shell_quoted(model_file);
  std::string text =
      read +
      fmt::format("{} {} with {} {}: {} membership, {} inference.\n",
                  model.summary().earlier.updates > 0 ? "Updated" : "Fitted",
                  model.preset().empty() ? "a model" : model.preset(), model.components(),
                  model.components() == 1 ? "component" : "components", model.membership(),
                  model.inference()) +
      describe(model.summary()) + about_chains(model) + fmt::format("Wrote {}.\n\n", model_file);
  text += fmt::format("Next: medley inspect {}          what the profiles are\n", file);
  text += fmt::format("      medley transform {} DATA   each row's memberships\n", file);
  if (chains_of(model) > 0)
    text += fmt::format("      medley diagnose {}         whether the chains have mixed\n", file);
  if (predicts_classes(model))
    text += fmt::format("      medley predict {} DATA     each row's class\n", file);
  write_text("", as_flags(text));
}

/// The checkpoint that is there: a file, or those of a fit in shards (PATH.shard-1a, ...).
std::vector<std::filesystem::path> checkpoint_files(const std::string& checkpoint) {
  namespace fs = std::filesystem;
  std::vector<fs::path> out;
  std::error_code ignored;
  if (checkpoint.empty()) return out;
  const fs::path path(checkpoint);
  if (fs::is_regular_file(path, ignored)) out.push_back(path);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string begin = path.filename().string() + ".shard-";
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    const std::string name = it->path().filename().string();
    const std::size_t digits = name.find_first_not_of("0123456789", begin.size());
    if (!name.starts_with(begin) || digits == begin.size() || digits + 1 != name.size()) continue;
    if ((name.back() == 'a' || name.back() == 'b') && it->is_regular_file(ignored))
      out.push_back(it->path());
  }
  return out;
}

}  // namespace

void note_checkpoint(const FitOptions& fit) {
  const bool there = !checkpoint_files(fit.checkpoint).empty();
  if (there && !fit.resume) {
    print_note(fmt::format(
        "note: the checkpoint \"{}\" of an earlier run will be replaced (--resume continues it)",
        fit.checkpoint));
  }
  if (!there && fit.resume) {
    print_note(fmt::format("note: there is no checkpoint \"{}\"; the fit starts from the beginning",
                           fit.checkpoint));
  }
}

Model run_fit(const FitArguments& arguments, TraceFile& trace,
              const std::function<Model(const Hooks&)>& begin) {
  ProgressLine progress(arguments.quiet || !first_process());
  const StopRequest stop;
  Hooks hooks;
  hooks.stop = stop.flag();
  hooks.progress = [&](const Progress& step) {
    if (!step.stage.starts_with("choosing")) trace.add(step);
    progress.show(step);
  };
  hooks.warn = [&](const std::string& sentence) { progress.note("warning: " + sentence); };
  Model model = begin(hooks);
  progress.finish();
  return model;
}

int conclude(const Program& program, const FitArguments& arguments, const Model& model,
             const FittedData& fitted) {
  const FitSummary& summary = model.summary();
  if (!first_process())
    return summary.termination == Termination::interrupted ? kInterrupted : kDone;
  if (summary.termination == Termination::interrupted) {
    if (checkpoint_files(arguments.fit.checkpoint).empty()) {
      print_note("interrupted; nothing was learnt yet");
      return kInterrupted;
    }
    print_note(fmt::format("interrupted; the state of the fit is in \"{}\". To continue:",
                           arguments.fit.checkpoint));
    print_note("  " + resume_command(program.arguments, arguments.fit.checkpoint));
    return kInterrupted;
  }
  model.save(arguments.model_file);
  for (const auto& kept : checkpoint_files(arguments.fit.checkpoint)) {  // the model is safe now
    std::error_code ignored;
    std::filesystem::remove(kept, ignored);
  }
  if (arguments.json) {
    write_text("", fit_json(model, fitted.data, fitted.choice, arguments.model_file));
  } else {
    print_summary(fitted.read, model, arguments.model_file);
  }
  const bool ended = summary.termination == Termination::converged ||
                     summary.termination == Termination::passes_done ||
                     summary.termination == Termination::sampled;
  const bool sound = ended && summary.warnings.empty();
  return arguments.strict && !sound ? kStrict : kDone;
}

}  // namespace medley::cli
