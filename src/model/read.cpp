// SPDX-License-Identifier: Apache-2.0
// Reading with the family registry at hand: the data room asks which family suits a column.
#include "medley/read.hpp"

#include <utility>

#include "core/files.hpp"
#include "core/task.hpp"
#include "data/check_dataset.hpp"
#include "data/load.hpp"
#include "data/treat.hpp"
#include "medley/memory.hpp"
#include "model/family_catalogue.hpp"

namespace medley {

namespace {

ReadOptions bounded(ReadOptions options) {
  if (options.memory_limit == 0) options.memory_limit = core::physical_memory() / 4 * 3;
  return options;
}

}  // namespace

void check(const Dataset& data) {
  data::check_dataset(data, &model::family_catalogue());
}

Dataset read(const std::vector<Source>& sources, const ReadOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  return data::load(sources, bounded(options), model::family_catalogue());
}

Dataset treated(const Dataset& data, const Treatment& treatment, const Hooks& hooks) {
  const core::Task task(hooks);
  return data::treated(data, treatment, model::family_catalogue());
}

Schema infer_schema(const std::vector<Source>& sources, const ReadOptions& options,
                    const Hooks& hooks) {
  const core::Task task(hooks);
  return data::load_schema(sources, bounded(options), model::family_catalogue());
}

Dataset dataset(std::vector<MemorySource> sources, const ReadOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  return data::load(std::move(sources), bounded(options), model::family_catalogue());
}

Schema infer_schema(std::vector<MemorySource> sources, const ReadOptions& options,
                    const Hooks& hooks) {
  const core::Task task(hooks);
  return data::load_schema(std::move(sources), bounded(options), model::family_catalogue());
}

}  // namespace medley
