// SPDX-License-Identifier: Apache-2.0
// Reading with the family registry at hand: the data room asks which family suits a column.
#include "medley/io.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/files.hpp"
#include "core/task.hpp"
#include "data/check_dataset.hpp"
#include "data/columns.hpp"
#include "data/load.hpp"
#include "data/memory_pieces.hpp"
#include "data/treat.hpp"
#include "data/write_source.hpp"
#include "model/family_catalogue.hpp"
#include "model/resolve.hpp"

namespace medley {

namespace {

ReadOptions bounded(ReadOptions options) {
  // What the readers count is not all that is taken.
  if (options.memory_limit == 0) options.memory_limit = core::available_memory() / 10 * 9;
  return options;
}

// The data with a schema that describes them: themselves, or else a copy.
const Dataset& described(const Dataset& data, std::optional<Dataset>& copy) {
  Schema schema = model::schema_of(data);
  if (std::ranges::any_of(data.schema.sources, data::has_features)) return data;
  copy = data;
  copy->schema = std::move(schema);
  return *copy;
}

}  // namespace

void check(const Dataset& data) {
  data::check_dataset(data, &model::family_catalogue());
}

Dataset read(const std::vector<Source>& sources, const ReadOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("reading");
  return data::load(sources, bounded(options), model::family_catalogue());
}

Dataset treated(const Dataset& data, const Treatment& treatment, const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("treating");
  check(data);
  std::optional<Dataset> copy;
  return data::treated(described(data, copy), treatment, model::family_catalogue());
}

std::vector<std::string> write_data(const Dataset& data, const std::vector<Source>& files,
                                    const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("writing");
  check(data);
  std::optional<Dataset> copy;
  return data::write_files(described(data, copy), files);
}

Schema infer_schema(const std::vector<Source>& sources, const ReadOptions& options,
                    const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("reading");
  return data::load_schema(sources, bounded(options), model::family_catalogue());
}

Dataset dataset(std::vector<MemorySource> sources, const ReadOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("encoding");
  return data::load(std::move(sources), bounded(options), model::family_catalogue());
}

Schema infer_schema(std::vector<MemorySource> sources, const ReadOptions& options,
                    const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("reading");
  return data::load_schema(std::move(sources), bounded(options), model::family_catalogue());
}

class SchemaBuilder::Pieces : public data::MemoryPieces {
  using MemoryPieces::MemoryPieces;
};

SchemaBuilder::SchemaBuilder(ReadOptions options)
    : pieces_(std::make_unique<Pieces>(bounded(std::move(options)))) {}
SchemaBuilder::~SchemaBuilder() = default;
SchemaBuilder::SchemaBuilder(SchemaBuilder&& other) noexcept = default;
SchemaBuilder& SchemaBuilder::operator=(SchemaBuilder&& other) noexcept = default;

void SchemaBuilder::add(const std::vector<MemorySource>& sources) {
  pieces_->add(sources);
}
void SchemaBuilder::merge(const SchemaBuilder& other) {
  pieces_->merge(*other.pieces_);
}
std::size_t SchemaBuilder::rows() const {
  return pieces_->rows();
}
Schema SchemaBuilder::finish() const {
  return pieces_->schema(model::family_catalogue());
}

}  // namespace medley
