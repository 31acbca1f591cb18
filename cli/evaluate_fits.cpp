// SPDX-License-Identifier: Apache-2.0
#include "evaluate_fits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "arguments.hpp"
#include "checks.hpp"
#include "command.hpp"
#include "fit_options.hpp"
#include "flags.hpp"
#include "holdout_json.hpp"
#include "label_options.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

/// Hold-out number `repeat`, from 0. The true cells come first in a noise curve.
HoldoutOptions holdout_options(const FitsArguments& arguments, std::size_t repeat) {
  HoldoutOptions out;
  out.share = arguments.share;
  for (const std::string& piece : comma_list(arguments.flip))
    out.flip.push_back(std::strtod(piece.c_str(), nullptr));
  if (!out.flip.empty() && std::find(out.flip.begin(), out.flip.end(), 0.0) == out.flip.end())
    out.flip.insert(out.flip.begin(), 0.0);
  out.seed = arguments.fit.seed + repeat;
  out.threads = arguments.fit.threads;
  return out;
}

void write_scores(const FitsArguments& arguments, const std::vector<Holdout>& holdouts) {
  const Holdout all = pooled(holdouts);
  if (arguments.json) {
    write_text("", holdout_json(all, holdout_options(arguments, 0), holdouts.size()));
    return;
  }
  std::string text = as_flags(describe(all));
  if (holdouts.size() > 1) {
    text += fmt::format("Pooled over {} hold-outs, seeds {} to {}.\n", holdouts.size(),
                        arguments.fit.seed, arguments.fit.seed + holdouts.size() - 1);
  }
  write_text("", text);
}

/// What fits has no meaning without --k; seed and threads serve both.
void tie_to_k(Command& command) {
  for (const Option& option : command.get_options()) {
    const std::string group = option.group();
    const bool about_fits = group == "Model" || group == "Label" || group == "Search";
    const std::string name = option.name();
    if (about_fits && name != "--k" && name != "--seed" && name != "--threads") option.needs("--k");
  }
}

}  // namespace

void add_fits_options(Command& command, FitsArguments& a) {
  const auto group = "Hidden cells";
  const Option share =
      command
          .add_option("--holdout-cells", a.share, "hide this share of the cells and predict them")
          .type_name("P")
          .group(group)
          .check(share_of_one());
  command
      .add_option("--flip", a.flip,
                  "score also after flipping this share of the hidden yes/no cells: 0.05,0.1")
      .type_name("P,...")
      .group(group)
      .check(share_list())
      .needs(share);
  command.add_option("--repeat", a.repeat, "pool N hold-outs, seeds S, S+1, ...; default 1")
      .type_name("N")
      .group(group)
      .check(whole_number(1))
      .needs(share);
  add_model_and_search_options(command, a.fit, a.choose);
  command.remove_option("--k");
  add_sizes_option(command, a.fit, a.choose, a.sizes)
      .description(
          "fit N profiles or topics to the data that are not hidden (without MODEL); auto\n"
          "with --label and --folds; several with --holdout-cells: 2,4,8")
      .group("Model");
  command.add_flag("--quiet", a.quiet, "do not show the progress of the fits").group("Search");
  tie_to_k(command);
  add_data_options(command, a.data);
  command.get_option("DATA").required(false);
}

int score_hidden_cells(const FitsArguments& arguments, const Model& model, const Dataset& data) {
  print_note(
      "note: if the model was fitted to these cells, they are not new to it; DATA --k N fits "
      "without them");
  std::vector<Holdout> holdouts;
  for (std::size_t r = 0; r < arguments.repeat; ++r)
    holdouts.push_back(holdout_cells(model, data, holdout_options(arguments, r), stop_hooks()));
  write_scores(arguments, holdouts);
  return kDone;
}

namespace {

/// Every hold-out with a model of that size.
std::vector<Holdout> hold_out(const FitsArguments& arguments, const Dataset& data, std::size_t size,
                              const StopRequest& stop) {
  std::vector<Holdout> out;
  FitOptions fitting = arguments.fit;
  fitting.components = size;
  for (std::size_t r = 0; r < arguments.repeat; ++r) {
    ProgressLine progress(arguments.quiet);
    Hooks hooks;
    hooks.progress = [&](const Progress& step) { progress.show(step); };
    hooks.stop = stop.flag();
    out.push_back(holdout_fit(data, fitting, holdout_options(arguments, r), hooks));
    progress.finish();
  }
  return out;
}

}  // namespace

int run_fits(const FitsArguments& arguments) {
  if (!(arguments.share > 0)) {
    throw InputError({"--k", "fits to part of the data; nothing says which part",
                      "add --folds 10 or --holdout-cells 0.1, or give a MODEL and leave --k out"});
  }
  if (arguments.choose.any()) {
    throw InputError({"auto", "is chosen by how well classes are told; hidden cells have none",
                      "give a number, or use --folds with --label"});
  }
  check_start(arguments.fit, "a saved model may have seen the hidden cells");
  const Dataset data =
      read(sources(arguments.data), read_options(arguments.data, arguments.fit), stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  const StopRequest stop;
  std::vector<std::pair<std::size_t, Holdout>> found;
  try {
    for (const std::size_t size : arguments.sizes) {
      const std::vector<Holdout> holdouts = hold_out(arguments, data, size, stop);
      if (arguments.sizes.size() == 1) write_scores(arguments, holdouts);
      found.emplace_back(size, pooled(holdouts));
    }
  } catch (const Interrupted&) {
    print_note("interrupted; no scores");
    return kInterrupted;
  }
  if (found.size() > 1)
    write_text("", arguments.json
                       ? holdouts_json(found, holdout_options(arguments, 0), arguments.repeat)
                       : as_flags(describe(found)));
  return kDone;
}

}  // namespace medley::cli
