// SPDX-License-Identifier: Apache-2.0
#include "evaluate/co_clustering.hpp"

#include "core/parallel.hpp"
#include "evaluate/row_points.hpp"
#include "model/draws.hpp"
#include "model/model_on_data.hpp"

namespace medley::evaluation {

std::vector<double> co_clustering(const Model& model, const Dataset& data,
                                  std::span<const std::size_t> rows, std::size_t threads) {
  const model::ModelOnData on_data(model, data);
  const std::size_t draws = model.parts().draws->draw.size();
  std::vector<double> out(rows.size() * data.rows, 0.0);
  for (std::size_t d = 0; d < draws; ++d) {
    const std::vector<double> share = on_data.at_draw(d, data).score(data, threads).share;
    const std::size_t count = model.parts().draws->draw[d].components();
    core::parallel_for(rows.size(), core::thread_count(threads),
                       [&](std::size_t i, std::size_t /*worker*/) {
                         const double* own = &share[rows[i] * count];
                         for (std::size_t row = 0; row < data.rows; ++row)
                           out[i * data.rows + row] += product(own, &share[row * count], count);
                       });
  }
  for (double& sum : out) sum /= static_cast<double>(draws);
  return out;
}

}  // namespace medley::evaluation
