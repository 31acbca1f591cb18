// SPDX-License-Identifier: Apache-2.0
#include "samplers/sampled.hpp"

#include <algorithm>

namespace medley::samplers {
namespace {

constexpr std::size_t kUsualDraws = 100, kFewestDraws = 10, kMostBytes = 64 << 20;

}  // namespace

std::size_t draws_per_chain(const ChainOptions& options, std::size_t table_bytes) {
  const std::size_t room =
      kMostBytes / std::max<std::size_t>(1, table_bytes * std::max<std::size_t>(1, options.chains));
  const std::size_t wanted =
      options.draws > 0 ? options.draws : std::clamp(room, kFewestDraws, kUsualDraws);
  return std::min(wanted, options.sweeps);
}

std::vector<std::vector<double>> block_priors(const Dataset& data, double smoothing) {
  std::vector<std::vector<double>> out;
  for (const Block& block : data.blocks) {
    auto& prior = out.emplace_back();
    if (block.encoding == Encoding::levels) prior = {smoothing};
    if (block.encoding == Encoding::tokens)
      prior = {smoothing * static_cast<double>(block.slots())};
  }
  return out;
}

}  // namespace medley::samplers
