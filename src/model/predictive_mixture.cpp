// SPDX-License-Identifier: Apache-2.0
#include "model/predictive_mixture.hpp"

#include <algorithm>

#include "families/registry.hpp"

namespace medley::model {
namespace {

// Limit of the numbers in the shares of all rows; draws beyond it are left out.
constexpr std::size_t kMostShares = 50'000'000;

// Puts the draws side by side; uses evenly spaced draws if there are too many.
std::vector<std::size_t> few_enough(const ModelOnData& model, std::size_t rows) {
  std::vector<std::size_t> used = model.draws();
  const auto width = [&] {
    std::size_t sum = 0;
    for (const std::size_t d : used) sum += model.parts().draws->draw[d].components();
    return sum;
  };
  while (used.size() > 1 && width() * std::max<std::size_t>(rows, 1) > kMostShares) {
    std::vector<std::size_t> half;
    for (std::size_t i = 0; i < used.size(); i += 2) half.push_back(used[i]);
    used = half;
  }
  return used;
}

}  // namespace

PredictiveMixture predictive_mixture(const ModelOnData& model, const Dataset& rests,
                                     std::size_t threads) {
  const Parts& parts = model.parts();
  PredictiveMixture out;
  if (!parts.draws) {
    parts.prepare_log_rows();
    for (const ModelBlock& block : parts.blocks) out.family.push_back(block.family.get());
    out.components = parts.components();
    out.share = model.predictive(rests, threads).share;
    return out;
  }
  const std::vector<std::size_t> used = few_enough(model, rests.rows);
  for (const std::size_t d : used) out.components += parts.draws->draw[d].components();
  std::vector<std::vector<double>> table;
  for (const ModelBlock& block : parts.blocks) {
    out.owned.push_back(block.family->entry().make(block.shape, out.components));
    table.emplace_back(out.owned.back()->parameters().size(), 0.0);
  }
  out.share.resize(rests.rows * out.components);
  std::size_t at = 0;
  for (const std::size_t d : used) {
    const Draw& draw = parts.draws->draw[d];
    const std::size_t count = draw.components();
    const std::vector<double> share = model.at_draw(d, rests).predictive(rests, threads).share;
    for (std::size_t row = 0; row < rests.rows; ++row) {
      for (std::size_t k = 0; k < count; ++k)
        out.share[row * out.components + at + k] =
            share[row * count + k] / static_cast<double>(used.size());
    }
    for (std::size_t b = 0; b < table.size(); ++b) {
      const std::size_t padded = out.owned[b]->padded();
      for (std::size_t i = 0; i < draw.table[b].size(); ++i)
        table[b][i / count * padded + at + i % count] = draw.table[b][i];
    }
    at += count;
  }
  for (std::size_t b = 0; b < table.size(); ++b) {
    out.owned[b]->set_parameters(table[b]);
    out.owned[b]->prepare(true);
    out.family.push_back(out.owned[b].get());
  }
  return out;
}

}  // namespace medley::model
