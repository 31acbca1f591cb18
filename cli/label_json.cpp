// SPDX-License-Identifier: Apache-2.0
#include "label_json.hpp"

#include <nlohmann/json.hpp>

#include "medley/inspect.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

Json profile_json(const ProfileDriver& driver, const Model& model) {
  return {{"component", driver.component + 1},
          {"title", model.title(driver.component)},
          {"share", driver.share},
          {"class_share", driver.within},
          {"effect", driver.effect}};
}

Json cell_json(const CellDriver& driver, const Dataset& data) {
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

Json label_json(const LabelScores& s) {
  Json confusion = Json::array();
  const std::size_t classes = s.classes.size();
  for (std::size_t y = 0; y <= classes; ++y) {
    const auto begin = s.confusion.begin() + static_cast<std::ptrdiff_t>(y * classes);
    confusion.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(classes)));
  }
  Json bins = Json::array();
  for (const CalibrationBin& bin : s.calibration) {
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"rows", bin.rows},
                    {"confidence", bin.rows > 0 ? Json(bin.confidence) : Json()},
                    {"accuracy", bin.rows > 0 ? Json(bin.accuracy) : Json()}});
  }
  const bool known = s.rows > s.unknown;
  return {{"column", s.column},
          {"classes", s.classes},
          {"method", s.method},
          {"rows", s.rows},
          {"unknown_class_rows", s.unknown},
          {"unlabelled_rows", s.unlabelled},
          {"accuracy", s.accuracy},
          {"accuracy_error", s.accuracy_error},
          {"log_loss", known ? Json(s.log_loss) : Json()},
          {"log_loss_error", known ? Json(s.log_loss_error) : Json()},
          {"brier", s.brier},
          {"macro_f1", s.macro_f1},
          {"baseline",
           {{"from", "scored rows"},
            {"class", s.baseline_class},
            {"accuracy", s.baseline_accuracy},
            {"log_loss", known ? Json(s.baseline_log_loss) : Json()}}},
          {"confusion", std::move(confusion)},
          {"calibration", std::move(bins)},
          {"calibration_error", s.calibration_error}};
}

Json classes_json(const Model& model, const Dataset& data, const ClassProbabilities& predicted,
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
        row["profiles"].push_back(profile_json(d, model));
      for (const CellDriver& d : drivers[i].cells) row["cells"].push_back(cell_json(d, data));
    }
    rows.push_back(std::move(row));
  }
  return {{"column", predicted.column},
          {"classes", predicted.classes},
          {"method", predicted.method},
          {"rows", std::move(rows)}};
}

}  // namespace medley::cli
