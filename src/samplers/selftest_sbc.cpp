// SPDX-License-Identifier: Apache-2.0
#include "samplers/selftest_sbc.hpp"

#include <algorithm>
#include <cmath>

#include "math/chain_diagnostics.hpp"
#include "math/special.hpp"
#include "samplers/purposes.hpp"
#include "samplers/selftest_pieces.hpp"

namespace medley::samplers {
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
  if (!run_pieces(plan.fits, plan.threads, "fit", hooks,
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

}  // namespace medley::samplers
