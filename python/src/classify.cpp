// SPDX-License-Identifier: Apache-2.0
#include "medley/predict.hpp"

#include "bind.hpp"
#include "long_call.hpp"
#include "medley/report.hpp"

namespace medley::python {
namespace {

/// Probabilities rows x classes, the classes, and how they were found.
std::tuple<Matrix, std::vector<std::string>, std::string, std::string> predicted(
    const Model& model, const Data& data, std::size_t threads) {
  ClassProbabilities found = long_call([model, set = data.set, threads](const Hooks& hooks) {
    return predict_classes(model, *set, threads, hooks);
  });
  const std::size_t rows = found.rows(), classes = found.classes.size();
  return {array<double, 2>(std::move(found.probability), {rows, classes}), found.classes,
          found.method, found.column};
}

nb::list explained(const Model& model, const Data& data, std::size_t most, std::size_t threads) {
  const auto found = long_call([model, set = data.set, most, threads](const Hooks& hooks) {
    return explain_classes(model, *set, most, threads, hooks);
  });
  const ClassProbabilities classes = predict_classes(model, *data.set, threads);
  nb::list out;
  for (const ClassDrivers& row : found) {
    const std::string& top = classes.classes.at(row.predicted);
    nb::list profiles, cells;
    for (const ProfileDriver& d : row.profiles)
      profiles.append(
          nb::make_tuple(d.component, d.share, d.within, d.effect, describe(d, model, top)));
    for (const CellDriver& d : row.cells) {
      const Block& block = data.set->blocks[d.block];
      const Feature& feature = block.features[d.feature];
      const std::size_t level = d.slot - block.first_slot[d.feature];
      const std::string name = level < feature.levels.size() ? feature.levels[level] : "";
      cells.append(nb::make_tuple(feature.name, name, d.value, d.weight, d.effect, d.alone,
                                  describe(d, *data.set)));
    }
    out.append(nb::make_tuple(top, row.probability, row.overall, profiles, cells));
  }
  return out;
}

}  // namespace

void bind_classify(nb::module_& module) {
  module.def("predict_classes", &predicted);
  module.def("explain_classes", &explained);
}

}  // namespace medley::python
