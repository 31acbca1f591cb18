// SPDX-License-Identifier: Apache-2.0
// Plain models taken for the draws of a sampled one, so that what is done with draws can be checked
// against the same done with every model on its own.
#pragma once

#include <memory>
#include <vector>

#include "medley/model.hpp"
#include "model/model.hpp"
#include "model/parameters.hpp"

namespace medley::test {

/// The first model shows the profiles; onto[d] is the map of draw d (components x profiles), the
/// identity if it is empty. Draws belong to chains 0, 1, 0, 1 ... in turn, sorted by chain.
inline Model as_draws(const std::vector<Model>& models,
                      const std::vector<std::vector<double>>& onto) {
  auto parts = models.front().parts().clone();
  auto draws = std::make_shared<model::Draws>();
  draws->burn_in = 7;
  draws->sweeps = models.size();
  for (std::size_t chain = 0; chain < 2; ++chain) {
    for (std::size_t d = chain; d < models.size(); d += 2) {
      const model::Parts& from = models[d].parts();
      model::Draw draw;
      draw.chain = chain;
      draw.sweep = d / 2;
      draw.prior.assign(from.membership->parameters().begin(), from.membership->parameters().end());
      for (const model::ModelBlock& block : from.blocks)
        draw.table.push_back(model::unpadded(block.family->parameters(), from.components()));
      draw.onto = onto[d];
      const std::size_t size = parts->components();
      if (draw.onto.empty()) {
        draw.onto.assign(size * size, 0.0);
        for (std::size_t k = 0; k < size; ++k) draw.onto[k * size + k] = 1;
      }
      draws->draw.push_back(std::move(draw));
    }
  }
  std::vector<double> trace;
  for (std::size_t i = 0; i < draws->sweeps; ++i) trace.push_back(-100.0 - static_cast<double>(i));
  draws->trace = {{"log-likelihood", {trace, trace}}};
  draws->deviance = model::Deviance{300, 280};
  parts->draws = draws;
  return Model(std::move(parts));
}

}  // namespace medley::test
