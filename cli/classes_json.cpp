// SPDX-License-Identifier: Apache-2.0
#include "classes_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

Json profile_driver_json(const ProfileDriver& driver, const Model& model) {
  return {{"component", driver.component + 1},
          {"title", model.title(driver.component)},
          {"share", driver.share},
          {"class_share", driver.within},
          {"effect", driver.effect}};
}

Json cell_driver_json(const CellDriver& driver, const Dataset& data) {
  const Block& block = data.blocks[driver.block];
  const Feature& feature = block.features[driver.feature];
  Json out = {{"column", feature.name}};
  if (block.encoding == Encoding::real) {
    out["value"] = driver.value;
  } else {
    out["value"] = feature.levels[driver.slot - block.first_slot[driver.feature]];
  }
  out["times"] = driver.weight;
  out["effect"] = driver.effect;
  out["alone"] = driver.alone;
  return out;
}

}  // namespace

std::string classes_json(const Model& model, const Dataset& data,
                         const ClassProbabilities& predicted,
                         const std::vector<ClassDrivers>& drivers) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < data.rows; ++i) {
    const auto p = predicted.row(i);
    Json row = {{"id", data.id_of(i)},
                {"class", predicted.classes[predicted.top(i)]},
                {"probability", std::vector<double>(p.begin(), p.end())}};
    if (!drivers.empty()) {
      row["overall"] = drivers[i].overall;
      row["profiles"] = Json::array();
      row["cells"] = Json::array();
      for (const ProfileDriver& d : drivers[i].profiles)
        row["profiles"].push_back(profile_driver_json(d, model));
      for (const CellDriver& d : drivers[i].cells)
        row["cells"].push_back(cell_driver_json(d, data));
    }
    rows.push_back(std::move(row));
  }
  return json_text({{"column", predicted.column},
                    {"classes", predicted.classes},
                    {"method", predicted.method},
                    {"rows", std::move(rows)}});
}

}  // namespace medley::cli
