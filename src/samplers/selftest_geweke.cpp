// SPDX-License-Identifier: Apache-2.0
#include "samplers/selftest_geweke.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/special.hpp"
#include "samplers/purposes.hpp"
#include "samplers/selftest_pieces.hpp"

namespace medley::samplers {
namespace {

constexpr std::size_t kForwardAtOnce = 200;

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
  if (!run_pieces(pieces, plan.threads, "draws from the priors", hooks, draw_piece)) return {};
  if (!run_pieces(plan.chains, plan.threads, "chain", hooks, run_chain)) return {};
  std::vector<SelfTestRow> out;
  const std::vector<Followed> followed = make()->followed();
  for (std::size_t i = 0; i < followed.size(); ++i) {
    const Spread one = spread(ahead, i), other = spread(by_turns, i);
    if (!one.constant || !other.constant)
      out.push_back(compared(followed[i].name, one, other, plan.chains));
  }
  return out;
}

}  // namespace medley::samplers
