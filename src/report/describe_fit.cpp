// SPDX-License-Identifier: Apache-2.0
// The outcome of a fit as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "report/fit_words.hpp"
#include "report/numbers.hpp"

namespace medley {
namespace {

using report::count;
using report::grouped;

std::string ending_sentence(const FitSummary& summary) {
  const std::string iterations = count(summary.iterations, "iteration");
  switch (summary.termination) {
    case Termination::converged:
      return fmt::format("Converged after {}.\n", iterations);
    case Termination::interrupted:
      return fmt::format("Interrupted after {}: not converged.\n", iterations);
    case Termination::passes_done:
      return fmt::format("Learnt in {}, a minibatch of rows each.\n",
                         count(summary.iterations, "step"));
    case Termination::sampled:
      return fmt::format("Sampled {} of every chain.\n", count(summary.iterations, "sweep"));
    case Termination::iteration_limit:
      break;
  }
  return fmt::format(
      "NOT CONVERGED: stopped at the limit of {}. More iterations would change the result.\n",
      iterations);
}

std::string score(const FitSummary& summary) {
  if (std::isnan(summary.bound))
    return "Its rows were not scored; the sizes of the components are what the prior expects.\n";
  const bool updated = summary.earlier.updates > 0;
  std::string out =
      fmt::format("{}{}: {}", summary.exact ? "Log-likelihood" : "Bound on the log-likelihood",
                  updated ? " of the new rows" : "", grouped(summary.bound, 2));
  const double observations = summary.observations - summary.earlier.observations;
  if (observations > 0) {
    out += fmt::format(" ({:.4f} nats per observation, {} observations{})",
                       summary.bound / observations, grouped(observations, 0),
                       updated ? "" : report::weighted_cells(summary.weights));
  }
  if (summary.scored_rows > 0) {
    out += fmt::format(", scaled from a sample of {}; standard error {}",
                       count(summary.scored_rows, "row"), grouped(summary.bound_error, 2));
  }
  out += ".\n";
  if (updated) {
    out += fmt::format("Learnt from {} in all, {} of them before.\n", count(summary.rows, "row"),
                       grouped(summary.earlier.rows));
  }
  if (summary.log_likelihood) {
    const std::string error =
        summary.log_likelihood_error > 0
            ? fmt::format(" (sampled; standard error {})", grouped(summary.log_likelihood_error, 2))
            : "";
    out += fmt::format(
        "The log-likelihood itself is {}{}, {} above the bound: do not choose between models by "
        "the "
        "bound.\n",
        grouped(*summary.log_likelihood, 2), error,
        grouped(*summary.log_likelihood - summary.bound, 2));
  }
  return out;
}

/// The smoothing that was fitted, in the order of the blocks.
std::string smoothing(const FitSummary& summary) {
  if (summary.smoothing.empty()) return "";
  return "Fitted smoothing: " + report::smoothing_values(summary.smoothing) + ".\n";
}

/// How much the start mattered.
std::string spread(const FitSummary& summary) {
  std::vector<double> last;
  for (const RestartTrace& restart : summary.restarts) {
    if (!restart.bound.empty()) last.push_back(restart.bound.back());
  }
  // Collapsed fits of words depend on the start; all others try several starts, or say so.
  if (last.size() == 1 && summary.leave_one_out && summary.termination != Termination::passes_done)
    return "Fitted from one start, and another can end elsewhere: `restarts=5` takes the best of "
           "five.\n";
  if (last.size() < 2) return "";
  const auto [low, high] = std::minmax_element(last.begin(), last.end());
  return fmt::format("Best of {}{}: number {}; the worst ended {} lower.\n",
                     count(last.size(), "start"),
                     summary.leave_one_out ? " by leave-one-out log-likelihood" : "",
                     summary.best_restart + 1, grouped(*high - *low, 2));
}

/// The candidates that the fit chose from, best first.
std::string chosen_start(const FitSummary& summary) {
  if (summary.best_restart >= summary.restarts.size()) return "";
  std::vector<TriedStart> tried = summary.restarts[summary.best_restart].tried;
  if (tried.size() < 2) return "";
  if (const auto starts = report::agreement_of_starts(summary)) {
    return fmt::format(
        "Begun with {}. Of the {} that were followed, {} came within 0.1 % of the best; the "
        "farthest was {:.2g} % behind.\n",
        printable(starts->best), starts->followed, starts->near, 100 * starts->farthest);
  }
  std::ranges::sort(tried.begin() + 1, tried.end(), [](const TriedStart& a, const TriedStart& b) {
    return a.iterations != b.iterations ? a.iterations > b.iterations : a.bound > b.bound;
  });
  std::string others;
  for (std::size_t i = 1; i < tried.size(); ++i)
    others += fmt::format("{}{} {} after {}", i > 1 ? "; " : "", printable(tried[i].name),
                          grouped(tried[i].bound, 2), count(tried[i].iterations, "iteration"));
  return fmt::format("Begun with rows {} ({} after {}; {}).\n", printable(tried[0].name),
                     grouped(tried[0].bound, 2), count(tried[0].iterations, "iteration"), others);
}

}  // namespace

const char* in_words(Termination termination) {
  switch (termination) {
    case Termination::converged:
      return "converged";
    case Termination::interrupted:
      return "interrupted";
    case Termination::passes_done:
      return "passes done";
    case Termination::sampled:
      return "sampled";
    case Termination::iteration_limit:
      break;
  }
  return "iteration limit";
}

std::string describe(const FitSummary& summary) {
  std::string out = summary.why_inference.empty() ? "" : summary.why_inference + "\n";
  out += ending_sentence(summary) + score(summary) + smoothing(summary) + spread(summary) +
         chosen_start(summary);
  if (summary.weights.used()) out += report::weights_sentence(summary.weights, summary.rows) + "\n";
  if (summary.empty_rows > 0) {
    const bool one = summary.empty_rows == 1;
    out += fmt::format("{} of {} {} nothing observed and {} the prior's membership.\n",
                       grouped(summary.empty_rows), count(summary.rows, "row"),
                       one ? "has" : "have", one ? "gets" : "get");
  }
  for (const std::string& warning : summary.warnings)
    out += "Warning: " + printable(warning) + "\n";
  if (summary.seconds > 0) {
    out += fmt::format("Took {}", report::duration(summary.seconds));
    if (summary.rows_learnt > 0 && summary.seconds_learning > 0)
      out += fmt::format(
          ", {} of it learning from {} ({} rows a second)",
          report::duration(summary.seconds_learning), count(summary.rows_learnt, "row"),
          grouped(static_cast<double>(summary.rows_learnt) / summary.seconds_learning, 0));
    if (summary.peak_bytes > 0)
      out += fmt::format("; at most {} of memory", report::bytes(summary.peak_bytes));
    out += ".\n";
  }
  return out;
}

}  // namespace medley
