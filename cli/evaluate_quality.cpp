// SPDX-License-Identifier: Apache-2.0
#include "evaluate_quality.hpp"

#include "checks.hpp"
#include "command.hpp"
#include "flags.hpp"
#include "medley/evaluate.hpp"
#include "output.hpp"
#include "quality_json.hpp"
#include "signals.hpp"

namespace medley::cli {

void add_quality_options(Command& command, QualityArguments& a) {
  const auto group = "Quality and fit of a model";
  const Option quality = command.add_flag(
      "--quality", a.quality, "coherence of topics, how different the profiles are, near copies");
  const Option fit =
      command.add_flag("--absolute-fit", a.absolute_fit,
                       "answer patterns, pairs and figures that the model cannot explain");
  quality.group(group).excludes(fit);
  fit.group(group);
  for (const Option& option : {quality, fit}) {
    for (const char* other :
         {"--estimator", "--threefold", "--truth", "--per-row", "--holdout-cells", "--k"})
      option.excludes(other);
  }
  command.add_option("--top", a.top, "words per topic; pairs and figures listed; default 10")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command
      .add_option("--least-count", a.least_count,
                  "patterns that occur N times; default: 5, or more so that about 25 are listed")
      .type_name("N")
      .group(group)
      .check(whole_number(1))
      .needs(fit);
  command.add_option("--replicates", a.replicates, "data sets drawn from the model; default 100")
      .type_name("N")
      .group(group)
      .check(whole_number(2))
      .needs(fit);
}

int judge_model(const QualityArguments& arguments, const Model& model, const Dataset& data,
                const EvaluateOptions& options, bool json) {
  if (arguments.quality) {
    const Quality found = quality(model, data, {arguments.top, options.threads}, stop_hooks());
    write_text("", json ? quality_json(found, model) : as_flags(describe(found, model)));
    return kDone;
  }
  AbsoluteFitOptions fitting;
  fitting.least_count = arguments.least_count;
  fitting.top = arguments.top;
  fitting.replicates = arguments.replicates;
  fitting.samples = options.samples;
  fitting.seed = options.seed;
  fitting.threads = options.threads;
  const AbsoluteFit found = absolute_fit(model, data, fitting, stop_hooks());
  write_text("", json ? absolute_fit_json(found) : as_flags(describe(found, arguments.top)));
  return kDone;
}

}  // namespace medley::cli
