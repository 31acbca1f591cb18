// SPDX-License-Identifier: Apache-2.0
#include "samplers/selftest_checks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/pieces.hpp"
#include "core/task.hpp"
#include "math/chain_diagnostics.hpp"
#include "math/special.hpp"
#include "medley/error.hpp"
#include "samplers/purposes.hpp"

namespace medley::samplers {
namespace {

constexpr std::size_t kForwardAtOnce = 200;

// False: the hooks stopped it, and pieces are missing.
bool run_all(const core::Pieces& pieces, const Hooks& hooks,
             const std::function<void(std::size_t)>& piece) {
  const core::Task task(hooks.stop);
  try {
    core::run_pieces(pieces, hooks, piece);
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

using Draws = std::vector<std::vector<double>>;  // draw by draw, or chain by chain: every number

struct Spread {
  double mean = 0, squared_error = 0;  // of the mean
  bool constant = true;
};

Spread spread(const Draws& draws, std::size_t number) {
  const double n = static_cast<double>(draws.size());
  Spread out;
  for (const auto& draw : draws) out.mean += draw[number] / n;
  for (const auto& draw : draws) {
    const double off = draw[number] - out.mean;
    out.squared_error += off * off / (n * (n - 1));
    out.constant = out.constant && draw[number] == draws[0][number];
  }
  return out;
}

std::uint64_t drawn_seed(core::Rng& rng) {
  const std::uint64_t high = rng.bits();
  return high << 32 | rng.bits();
}

// The mean over the turns of one chain.
std::vector<double> chain_mean(Joint& joint, const GewekePlan& plan, std::size_t number) {
  core::Rng first(plan.seed, purpose(Purpose::selftest_turns, 0, 0), number);
  joint.draw_forward(first);
  std::vector<double> mean(joint.followed().size(), 0.0);
  for (std::size_t turn = 1; turn <= plan.turns; ++turn) {
    core::Rng rng(plan.seed, purpose(Purpose::selftest_turns, 0, turn), number);
    if (turn > 1) joint.draw_cells(rng);
    joint.begin(drawn_seed(rng), true);
    for (std::size_t i = 0; i < plan.sweeps; ++i) joint.sweep(false);
    const std::vector<double> values = joint.values();
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += values[i] / static_cast<double>(plan.turns);
  }
  return mean;
}

SelfTestRow compared(const std::string& name, const Spread& ahead, const Spread& by_turns,
                     std::size_t chains) {
  SelfTestRow row;
  row.name = name;
  row.expected = ahead.mean;
  row.found = by_turns.mean;
  row.error = std::sqrt(ahead.squared_error + by_turns.squared_error);
  const double t = (row.found - row.expected) / row.error;
  const double z = math::normal_deviate(std::abs(t), static_cast<double>(chains - 1));
  row.statistic = std::copysign(z, t);
  row.p = std::erfc(z / std::numbers::sqrt2);
  return row;
}

}  // namespace

std::optional<std::vector<SelfTestRow>> geweke(const MakeJoint& make, const GewekePlan& plan,
                                               const Hooks& hooks) {
  Draws ahead(plan.forward), by_turns(plan.chains);
  const std::size_t pieces = (plan.forward + kForwardAtOnce - 1) / kForwardAtOnce;
  const auto draw_piece = [&](std::size_t piece) {
    const auto joint = make();
    const std::size_t first = piece * kForwardAtOnce;
    const std::size_t last = std::min(first + kForwardAtOnce, ahead.size());
    for (std::size_t i = first; i < last; ++i) {
      core::Rng rng(plan.seed, purpose(Purpose::selftest_forward, 0, 0), i);
      joint->draw_forward(rng);
      ahead[i] = joint->values();
    }
  };
  const auto run_chain = [&](std::size_t chain) {
    by_turns[chain] = chain_mean(*make(), plan, chain);
  };
  if (!run_all({"draws from the priors", pieces, plan.threads}, hooks, draw_piece)) return {};
  if (!run_all({"chain", plan.chains, plan.threads}, hooks, run_chain)) return {};
  std::vector<SelfTestRow> out;
  const std::vector<Followed> followed = make()->followed();
  for (std::size_t i = 0; i < followed.size(); ++i) {
    const Spread one = spread(ahead, i), other = spread(by_turns, i);
    if (!one.constant || !other.constant)
      out.push_back(compared(followed[i].name, one, other, plan.chains));
  }
  return out;
}

namespace {

// Of one fit.
struct Ranks {
  std::vector<std::size_t> rank;  // per number
  std::vector<bool> moves;        // whether draws of it differ
  bool slow = false;
};

bool differ(const std::vector<double>& draws) {
  return std::ranges::any_of(draws, [&](double x) { return x != draws.front(); });
}

void go_on(Joint& joint, std::size_t draws, std::size_t every, math::Chains& traces) {
  while (traces[0].size() < draws) {
    for (std::size_t i = 0; i < every; ++i) joint.sweep(false);
    const std::vector<double> values = joint.values();
    for (std::size_t i = 0; i < values.size(); ++i) traces[i].push_back(values[i]);
  }
}

double least_effective(const math::Chains& traces) {
  double least = static_cast<double>(traces[0].size());
  for (const auto& trace : traces) {
    if (differ(trace)) least = std::min(least, math::ess_mean({trace}));
  }
  return least;
}

// How many of the evenly spaced draws are below the truth.
std::size_t rank_of(double truth, const std::vector<double>& trace, std::size_t ranked,
                    core::Rng& rng) {
  std::size_t below = 0, equal = 0;
  for (std::size_t i = 1; i <= ranked; ++i) {
    const double draw = trace[i * trace.size() / ranked - 1];
    below += draw < truth ? 1 : 0;
    equal += draw == truth ? 1 : 0;
  }
  return below + rng.below(equal + 1);
}

Ranks fit(Joint& joint, const SbcPlan& plan, std::size_t number) {
  core::Rng rng(plan.seed, purpose(Purpose::selftest_fits, 0, 0), number);
  joint.draw_forward(rng);
  const std::vector<double> truth = joint.values();
  const std::uint64_t high = rng.bits();
  joint.begin(high << 32 | rng.bits(), false);
  for (std::size_t i = 0; i < plan.burn_in; ++i) joint.sweep(true);
  math::Chains traces(truth.size());
  Ranks out;
  for (std::size_t draws = plan.draws;; draws *= 2) {
    go_on(joint, draws, plan.every, traces);
    if (least_effective(traces) >= static_cast<double>(plan.enough)) break;
    out.slow = 2 * draws > plan.most;
    if (out.slow) break;
  }
  core::Rng ties(plan.seed, purpose(Purpose::selftest_ranks, 0, 0), number);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    out.rank.push_back(rank_of(truth[i], traces[i], plan.ranked, ties));
    out.moves.push_back(differ(traces[i]) || traces[i].front() != truth[i]);
  }
  return out;
}

SelfTestRow judged(const std::string& name, const std::vector<Ranks>& fits, std::size_t number,
                   std::size_t ranked) {
  std::vector<double> count(ranked + 1, 0.0);
  const double all = static_cast<double>(fits.size()), most = static_cast<double>(ranked);
  SelfTestRow row;
  row.name = name;
  row.expected = 0.5;
  for (const Ranks& fit : fits) {
    ++count[fit.rank[number]];
    row.found += static_cast<double>(fit.rank[number]) / most / all;
  }
  const double each = all / (most + 1);
  for (const double n : count) row.statistic += (n - each) * (n - each) / each;
  row.error = std::sqrt((most + 2) / (12 * most * all));  // of the mean of uniform ranks
  row.p = math::gamma_above(most / 2, row.statistic / 2);
  return row;
}

}  // namespace

std::optional<SbcResult> sbc(const MakeJoint& make, const SbcPlan& plan, const Hooks& hooks) {
  std::vector<Ranks> fits(plan.fits);
  if (!run_all({"fit", plan.fits, plan.threads}, hooks,
               [&](std::size_t number) { fits[number] = fit(*make(), plan, number); }))
    return {};
  SbcResult out;
  out.slow = static_cast<std::size_t>(std::ranges::count_if(fits, &Ranks::slow));
  const std::vector<Followed> followed = make()->followed();
  for (std::size_t i = 0; i < followed.size(); ++i) {
    const bool moves = std::ranges::any_of(fits, [&](const Ranks& fit) { return fit.moves[i]; });
    if (!followed[i].of_cells && moves)
      out.row.push_back(judged(followed[i].name, fits, i, plan.ranked));
  }
  return out;
}

namespace {

constexpr double kFamilyWise = 0.01;
constexpr double kSlow = 0.05;  // share of fits from which on it is said

}  // namespace

void judge(SelfTest& test) {
  test.least_p = kFamilyWise / static_cast<double>(std::max<std::size_t>(1, test.row.size()));
  std::string failed;
  for (SelfTestRow& row : test.row) {
    row.passed = row.p >= test.least_p;
    if (!row.passed) failed += (failed.empty() ? "" : ", ") + row.name;
  }
  test.passed = failed.empty();
  const bool sbc = test.kind == SelfTestKind::sbc;
  const std::string numbers = std::to_string(test.row.size()) + " numbers";
  if (test.passed) {
    test.sentence.push_back("The sampler passes: " + numbers +
                            (sbc ? " of the truth are ranked among its draws as they should be."
                                 : " have the same mean from the priors and by turns."));
  } else {
    test.sentence.push_back("The sampler FAILS: " + failed + (sbc ? " not ranked" : " not") +
                            " as it should be. A right sampler fails once in a hundred seeds: try "
                            "`seed=2` and, if it fails again, please report it.");
  }
  if (static_cast<double>(test.slow) > kSlow * static_cast<double>(test.replicates))
    test.sentence.push_back(
        "In " + std::to_string(test.slow) + " of " + std::to_string(test.replicates) +
        " fits the draws still depended on each other, which spoils ranks: a failure here may be "
        "slow mixing and no mistake. `selftest geweke` does not mind; or try fewer `rows`.");
}

}  // namespace medley::samplers
