// SPDX-License-Identifier: Apache-2.0
#include "medley/simulate.hpp"

#include "bind.hpp"
#include "long_call.hpp"

namespace medley::python {

void bind_simulate(nb::module_& module) {
  using O = SimulateOptions;
  nb::class_<O>(module, "SimulateOptions")
      .def(nb::init<>())
      .def_rw("rows", &O::rows)
      .def_rw("missing", &O::missing)
      .def_rw("tokens", &O::tokens)
      .def_rw("seed", &O::seed)
      .def_rw("first", &O::first)
      .def_rw("threads", &O::threads);
  module.def("simulate", [](const Model& model, const SimulateOptions& options) {
    Simulated drawn =
        long_call([model, options](const Hooks& hooks) { return simulate(model, options, hooks); });
    const std::size_t rows = drawn.membership.rows(), k = drawn.membership.components;
    return std::pair(Data{std::make_shared<const Dataset>(std::move(drawn.data))},
                     array<double, 2>(std::move(drawn.membership.share), {rows, k}));
  });
  using P = PlantOptions;
  nb::class_<P>(module, "PlantOptions")
      .def(nb::init<>())
      .def_rw("model", &P::model)
      .def_rw("components", &P::components)
      .def_rw("triplets", &P::triplets)
      .def_rw("alpha", &P::alpha)
      .def_rw("correlation", &P::correlation)
      .def_rw("spread", &P::spread)
      .def_rw("separation", &P::separation)
      .def_rw("seed", &P::seed)
      .def("add_columns", [](P& o, const std::string& family, std::size_t count,
                             std::size_t levels) { o.columns.push_back({family, count, levels}); });
  module.def("plant", [](const PlantOptions& options) {
    return long_call([options](const Hooks&) { return plant(options); });
  });
  // The cells of a block: rows, features, and the level's name or the number; of words, counts.
  module.def("cells_of", [](const Data& data, std::size_t b) {
    const Block& block = data.set->blocks.at(b);
    std::vector<std::int64_t> row, feature, level;
    std::vector<double> value;
    for (std::size_t i = 0; i < data.set->rows; ++i) {
      std::size_t f = 0;
      for (std::uint64_t c = block.row_start[i]; c < block.row_start[i + 1]; ++c) {
        while (block.slot[c] >= block.first_slot[f + 1]) ++f;
        row.push_back(static_cast<std::int64_t>(i));
        feature.push_back(static_cast<std::int64_t>(f));
        level.push_back(static_cast<std::int64_t>(block.slot[c] - block.first_slot[f]));
        value.push_back(block.encoding == Encoding::real ? block.value[c] + block.features[f].shift
                                                         : static_cast<double>(block.weight_of(c)));
      }
    }
    std::vector<std::pair<std::string, std::vector<std::string>>> features;
    for (const Feature& f : block.features) features.emplace_back(f.name, f.levels);
    return std::tuple(array(std::move(row)), array(std::move(feature)), array(std::move(level)),
                      array(std::move(value)), features);
  });
}

}  // namespace medley::python
