// SPDX-License-Identifier: Apache-2.0
#include "cross_validate.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "folds_json.hpp"
#include "medley/inspect.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {

ReadOptions reading_for_folds(ReadOptions reading, CrossValidateOptions& options) {
  // A schema has its words already: they are not chosen again.
  options.words = reading.schema ? reading.words.unselected() : reading.words;
  if (!reading.schema) reading.words = reading.words.unselected();
  return reading;
}

int run_folds(const Dataset& data, const FitOptions& fitting, const CrossValidateOptions& options,
              FoldsOutput output) {
  ProgressLine progress(output.quiet);
  const StopRequest stop;
  FitHooks hooks;
  hooks.progress = [&](const Progress& step) { progress.show(step); };
  hooks.stop = stop.flag();
  const CrossValidation validation = cross_validate(data, fitting, options, hooks);
  progress.finish();
  if (validation.interrupted) {
    print_note(fmt::format("interrupted after {} of {} folds; nothing is reported",
                           validation.folds.size(), options.folds));
    return kInterrupted;
  }
  write_text("", output.json ? folds_json(validation, options) : describe(validation));
  return kDone;
}

}  // namespace medley::cli
