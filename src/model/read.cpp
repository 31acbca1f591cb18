// SPDX-License-Identifier: Apache-2.0
// Reading with the family registry at hand: the data room asks which family suits a column.
#include "medley/read.hpp"

#include "data/load.hpp"
#include "model/family_catalogue.hpp"

namespace medley {

Dataset read(const std::vector<Source>& sources, const ReadOptions& options) {
  return data::load(sources, options, model::family_catalogue());
}

Schema infer_schema(const std::vector<Source>& sources, const ReadOptions& options) {
  return data::load_schema(sources, options, model::family_catalogue());
}

}  // namespace medley
