// SPDX-License-Identifier: Apache-2.0
#include "cross_validate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "csv.hpp"
#include "flags.hpp"
#include "folds_json.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

/// One line for every row, by the model that has not seen it; the columns of classes are those of
/// `medley predict`.
void write_held_out(const Dataset& data, const CrossValidation& validation) {
  const KeptColumn* label = data.label();
  const bool classes =
      label != nullptr && !validation.row.empty() && !validation.row.front().probability.empty();
  Output output("");
  CsvLine line;
  for (const char* name : {"id", "fold", "observations", "log_likelihood", "baseline", "entropy",
                           "top_component", "top_share"})
    line.add(name);
  if (classes) {
    line.add(label->name).add("class");
    for (const std::string& level : label->levels) line.add("p_" + level);
  }
  output.write(line.take());
  for (std::size_t i = 0; i < validation.row.size(); ++i) {
    const HeldOutRow& row = validation.row[i];
    line.add(data.id_of(i)).add(row.fold + 1).add(row.score.observations);
    line.add(row.score.log_likelihood).add(row.score.baseline).add(row.score.entropy);
    line.add(row.score.top + 1).add(row.score.top_share);
    if (classes) {
      const auto likeliest = std::ranges::max_element(row.probability) - row.probability.begin();
      line.add(label->code[i] < 0 ? "" : label->levels[static_cast<std::size_t>(label->code[i])]);
      line.add(label->levels[static_cast<std::size_t>(likeliest)]);
      for (const double p : row.probability) line.add(p);
    }
    output.write(line.take());
  }
  output.commit();
}

}  // namespace

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
  Hooks hooks;
  hooks.progress = [&](const Progress& step) { progress.show(step); };
  hooks.stop = stop.flag();
  const CrossValidation validation = cross_validate(data, fitting, options, hooks);
  progress.finish();
  if (validation.interrupted) {
    print_note(fmt::format("interrupted after {} of {} folds; nothing is reported",
                           validation.folds.size(), options.folds));
    return kInterrupted;
  }
  if (output.per_row) {
    write_held_out(data, validation);
    return kDone;
  }
  write_text("", output.json ? folds_json(validation, options) : as_flags(describe(validation)));
  return kDone;
}

}  // namespace medley::cli
