// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_draws.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "families/registry.hpp"
#include "samplers/purposes.hpp"

namespace medley::samplers {
namespace {

std::size_t count_of(const Labels& labels) {
  return labels.empty() ? 0 : *std::ranges::max_element(labels) + std::size_t{1};
}

// The parameters of one block, component by component; the last one has no rows.
std::vector<double> draw_block(const DpModel& model, std::size_t b, const Labels& labels,
                               core::Rng& rng) {
  const Block& block = model.data().blocks[b];
  const families::Conjugate& prior = *model.priors()[b];
  const std::size_t components = count_of(labels) + 1;
  const auto family = families::find(block.family)->make(block, components);
  const std::size_t width = family->padded(), rows = family->parameters().size() / width;
  std::vector<double> statistics(components * prior.size(), 0.0), column(rows);
  for (std::size_t row = 0; row < labels.size(); ++row)
    prior.add(block, row, &statistics[labels[row] * prior.size()]);
  std::vector<double> out(family->parameters().begin(), family->parameters().end());
  for (std::size_t k = 0; k < components; ++k) {
    column = model.neutral(b);
    prior.draw(&statistics[k * prior.size()], rng, column);
    for (std::size_t r = 0; r < rows; ++r) out[r * width + k] = column[r];
  }
  return out;
}

}  // namespace

std::vector<double> overlap(const Labels& clusters, const Labels& others) {
  const std::size_t rows = count_of(clusters), columns = count_of(others);
  std::vector<double> share(rows * columns, 0.0), size(rows, 0.0);
  for (const std::uint32_t label : clusters) ++size[label];
  for (std::size_t i = 0; i < clusters.size(); ++i)
    share[clusters[i] * columns + others[i]] += 1 / size[clusters[i]];
  return share;
}

DpFinite dp_finite(const DpModel& model, const DpKept& draw, const Labels& point) {
  const Labels& labels = *draw.labels;
  DpFinite out;
  const double all = static_cast<double>(labels.size()) + draw.concentration;
  out.weight.assign(count_of(labels), 0.0);
  for (const std::uint32_t label : labels) ++out.weight[label];
  for (double& weight : out.weight) weight /= all;
  out.weight.push_back(draw.concentration / all);
  for (std::size_t b = 0; b < model.data().blocks.size(); ++b) {
    core::Rng rng(model.options().seed, purpose(Purpose::parameters, draw.chain, draw.sweep), b);
    out.parameters.push_back(draw_block(model, b, labels, rng));
  }
  out.overlap = overlap(labels, point);
  return out;
}

std::vector<DpFinite> dp_draws(const DpModel& model, std::span<const DpKept> draws,
                               const Labels& point, std::size_t threads) {
  std::vector<DpFinite> out(draws.size());
  core::parallel_for(draws.size(), threads, [&](std::size_t d, std::size_t /*worker*/) {
    out[d] = dp_finite(model, draws[d], point);
  });
  return out;
}

}  // namespace medley::samplers
