// SPDX-License-Identifier: Apache-2.0
#include "engines/stochastic_options.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "engines/batch_plan.hpp"
#include "memberships/registry.hpp"
#include "model/inference.hpp"
#include "model/resolve.hpp"

namespace medley::engines {
namespace {

// Rows from which on one pass over a file is enough.
constexpr std::size_t kManyRows = 100'000;
constexpr std::size_t kUsualPasses = 5;

// With few steps a pass every one must count; with many, the first ones must not decide too much.
double usual_t0(std::size_t steps) {
  constexpr double kFew = 10, kMany = 30, kFirst = 1, kLast = 16;
  const double share = std::clamp((static_cast<double>(steps) - kFew) / (kMany - kFew), 0.0, 1.0);
  return kFirst + share * (kLast - kFirst);
}

bool any_table(const Dataset& shape) {
  return std::ranges::any_of(shape.blocks,
                             [](const Block& b) { return b.encoding != Encoding::tokens; });
}

void check_batch_options(const FitOptions& o, std::size_t rows, core::Problems& problems) {
  if (o.batch == 0)
    problems.add("`batch`", "rows that are not in memory are learnt in minibatches",
                 "say of how many rows, for example `batch=1000`");
  if (o.batch > rows) {
    problems.add(core::setting("batch", o.batch),
                 "there are only " + std::to_string(rows) + " rows",
                 "use fewer, a tenth say; or leave `batch` out to fit all rows at once");
  }
  if (!(o.kappa > 0.5 && o.kappa <= 1)) {
    problems.add("`kappa`", "must be above 0.5 and at most 1, or the steps do not settle",
                 "default 0.7");
  }
  if (o.t0 && !(*o.t0 >= 0 && std::isfinite(*o.t0)))
    problems.add("`t0`", "must be 0 or more", "default 1 to 16");
  if (o.restarts > 1)
    problems.add("`restarts`", "a fit in minibatches has one start",
                 "run it with several `seed` and compare the held-out scores");
  const model::Inference* asked = model::find_inference(o.inference);
  if (asked != nullptr && asked->needs(model::Need::all_rows) && !asked->draws) {
    problems.add(core::setting("inference", o.inference), "cannot be learnt in minibatches",
                 "use standard, fast or collapsed, or leave `batch` out");
  }
}

}  // namespace

FitOptions stochastic_options(FitOptions o, std::size_t rows, bool streamed, const Dataset& shape) {
  core::Problems problems;
  o.batch = model::minibatch(o, rows);
  check_batch_options(o, rows, problems);
  problems.throw_if_any();
  if (!o.t0) o.t0 = usual_t0(BatchPlan(rows, o.batch, o.seed).steps());
  if (o.passes == 0) o.passes = streamed && rows >= kManyRows ? 1 : kUsualPasses;
  // What is chosen for a table, or by "auto", may be an inference that needs all rows.
  const bool open = o.inference.empty() && o.model.empty() && any_table(shape);
  const memberships::MembershipEntry* entry = memberships::find(o.membership);
  if (open || o.inference == "auto")
    o.inference =
        (entry != nullptr ? model::usual_inference(*entry) : model::standard_inference).name;
  return o;
}

double step_size(const FitOptions& options, std::size_t t) {
  return std::pow(options.t0.value() + static_cast<double>(t), -options.kappa);
}

}  // namespace medley::engines
