// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_draws.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "families/registry.hpp"
#include "samplers/purposes.hpp"

namespace medley::samplers {
namespace {

std::size_t count_of(const Labels& labels) {
  return labels.empty() ? 0 : *std::ranges::max_element(labels) + std::size_t{1};
}

// Of all rows, at most this share may be in a component that stands for several.
constexpr double kUndivided = 1e-3;
constexpr std::size_t kMostUnmet = 20;

// Numbers that sum to 1, in proportion to gamma variables of the given shapes.
std::vector<double> draw_dirichlet(std::span<const double> shape, core::Rng& rng) {
  std::vector<double> out;
  double sum = 0;
  for (const double a : shape)
    sum += out.emplace_back(std::max(rng.gamma(a), std::numeric_limits<double>::min()));
  for (double& part : out) part /= sum;
  return out;
}

// The weights of clusters with so many rows, and of the components behind them.
std::vector<double> draw_weights(std::vector<double> rows, double concentration, std::size_t unmet,
                                 core::Rng& rng) {
  rows.push_back(concentration);
  std::vector<double> out = draw_dirichlet(rows, rng);
  for (std::size_t t = 1; t < unmet; ++t) {  // breaks the last one
    const std::vector<double> stick = draw_dirichlet(std::vector{1.0, concentration}, rng);
    const double whole = std::exchange(out.back(), out.back() * stick[0]);
    out.push_back(whole * stick[1]);
  }
  return out;
}

// The parameters of one block, component by component; the last ones have no rows.
std::vector<double> draw_block(const DpModel& model, std::size_t b, const Labels& labels,
                               std::size_t components, core::Rng& rng) {
  const Block& block = model.data().blocks[b];
  const families::Conjugate& prior = *model.priors()[b];
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

// What is left of a / (n + a) after t sticks is (a / (1 + a))^t of it on average.
std::size_t unmet_components(double rows, double concentration) {
  double left = concentration / (rows + concentration);
  std::size_t count = 1;
  for (; left > kUndivided && count < kMostUnmet; ++count)
    left *= concentration / (1 + concentration);
  return count;
}

DpFinite dp_finite(const DpModel& model, const DpKept& draw, const Labels& point) {
  const Labels& labels = *draw.labels;
  const double rows = static_cast<double>(labels.size()), all = rows + draw.concentration;
  DpFinite out;
  out.clusters = count_of(labels);
  std::vector<double> held(out.clusters, 0.0);
  for (const std::uint32_t label : labels) ++held[label];
  for (const double n : held) out.size.push_back(n / all);
  const std::uint64_t stream = purpose(Purpose::parameters, draw.chain, draw.sweep);
  const std::size_t blocks = model.data().blocks.size();
  core::Rng rng(model.options().seed, stream, blocks);
  out.weight = draw_weights(std::move(held), draw.concentration,
                            unmet_components(rows, draw.concentration), rng);
  for (std::size_t b = 0; b < blocks; ++b) {
    core::Rng of_block(model.options().seed, stream, b);
    out.parameters.push_back(draw_block(model, b, labels, out.weight.size(), of_block));
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
