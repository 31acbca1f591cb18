// SPDX-License-Identifier: Apache-2.0
#include "medley/predict.hpp"

#include "bind.hpp"
#include "long_call.hpp"
#include "medley/error.hpp"

namespace medley::python {

void bind_similar(nb::module_& module) {
  // Row asked for, rank, neighbour, similarity, the largest shared profile; and the metric in
  // words.
  module.def("similar", [](const Model& model, const Data& data, std::vector<std::size_t> rows,
                           std::size_t count, std::size_t threads) {
    for (const std::size_t row : rows) {
      if (row >= data.set->rows) throw InputError({"rows", "lie outside of the data", ""});
    }
    const Similarity found =
        long_call([model, set = data.set, rows, count, threads](const Hooks& hooks) {
          return similar(model, *set, rows, {count, threads}, hooks);
        });
    std::vector<std::int64_t> row, rank, neighbour, shared;
    std::vector<double> similarity;
    for (std::size_t i = 0; i < found.of_row.size(); ++i) {
      const auto& nearest = found.of_row[i].nearest;
      for (std::size_t r = 0; r < nearest.size(); ++r) {
        row.push_back(static_cast<std::int64_t>(rows[i]));
        rank.push_back(static_cast<std::int64_t>(r + 1));
        neighbour.push_back(static_cast<std::int64_t>(nearest[r].row));
        similarity.push_back(nearest[r].similarity);
        shared.push_back(nearest[r].shared.empty()
                             ? -1
                             : static_cast<std::int64_t>(nearest[r].shared.front().component));
      }
    }
    return std::tuple(array(std::move(row)), array(std::move(rank)), array(std::move(neighbour)),
                      array(std::move(similarity)), array(std::move(shared)), found.metric);
  });
}

}  // namespace medley::python
