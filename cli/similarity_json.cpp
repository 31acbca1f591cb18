// SPDX-License-Identifier: Apache-2.0
#include "similarity_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string similarity_json(const Model& model, const Dataset& data,
                            const std::vector<std::size_t>& rows, const Similarity& found) {
  Json out = {{"metric", found.metric}, {"empty_rows", found.empty_rows}, {"rows", Json::array()}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json nearest = Json::array();
    for (const SimilarRow& row : found.of_row[i].nearest) {
      Json shared = Json::array();
      for (const SharedProfile& profile : row.shared)
        shared.push_back({{"component", profile.component + 1},
                          {"title", model.title(profile.component)},
                          {"part", profile.part}});
      nearest.push_back({{"id", data.id_of(row.row)},
                         {"similarity", row.similarity},
                         {"shared", std::move(shared)}});
    }
    out["rows"].push_back({{"id", data.id_of(rows[i])},
                           {"empty", found.of_row[i].empty},
                           {"nearest", std::move(nearest)}});
  }
  return json_text(out);
}

}  // namespace medley::cli
