// SPDX-License-Identifier: Apache-2.0
// Reading with the family registry (the data room needs to know which family suits a column),
// stream files, and rows from sources written by the caller.
#include "model/read.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/files.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/check_dataset.hpp"
#include "data/load.hpp"
#include "data/memory_pieces.hpp"
#include "data/schema_rows.hpp"
#include "data/select_rows.hpp"
#include "data/source_columns.hpp"
#include "data/stream_file.hpp"
#include "data/stream_layout.hpp"
#include "data/stream_writer.hpp"
#include "data/treat.hpp"
#include "data/write.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "model/family_catalogue.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley {

// Reading with the family registry, because the data room needs to know which family suits a
// column.

namespace {

ReadOptions bounded(ReadOptions options) {
  // The readers do not count all the memory that is used.
  if (options.memory_limit == 0) options.memory_limit = core::available_memory() / 10 * 9;
  return options;
}

// The data with a schema that describes them: the data themselves, or else a copy.
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

// Stream files with the family registry.

namespace model {
namespace {

[[noreturn]] void refuse_rows(const std::string& what) {
  throw InputError({"data", what, "append rows that were read with one schema"});
}

// Only one of them has it.
void check_both(bool before, bool now, const std::string& what) {
  if (before != now)
    refuse_rows((now ? "has " : "has no ") + what +
                (before ? ", and the rows before had some" : ", and the rows before had none"));
}

// What later rows of a stream must have in common with the first ones.
struct FirstRows {
  explicit FirstRows(const Dataset& rows)
      : shape(data::select_rows(rows, {})),
        ids(!rows.ids.empty()),
        weights(!rows.row_weight.empty()) {
    for (const Block& block : rows.blocks) weighted.push_back(!block.weight.empty());
  }

  Dataset shape;  ///< without rows
  bool ids, weights;
  std::vector<bool> weighted;  ///< per block: its cells have weights
};

void check_like(const FirstRows& first, const Dataset& rows) {
  const Dataset& shape = first.shape;
  if (rows.blocks.size() != shape.blocks.size())
    refuse_rows("has " + std::to_string(rows.blocks.size()) + " blocks, and the rows before had " +
                std::to_string(shape.blocks.size()));
  for (std::size_t b = 0; b < shape.blocks.size(); ++b) {
    const Block &block = rows.blocks[b], &like = shape.blocks[b];
    const std::string name = "block " + core::quoted(block.name);
    if (block.name != like.name || !same_shape(block, like))
      refuse_rows(name + " is unlike block " + core::quoted(like.name) + " of the rows before");
    if (block.encoding != Encoding::tokens && block.cells() > 0)
      check_both(first.weighted[b], !block.weight.empty(), "weights of cells in " + name);
  }
  if (rows.kept.size() != shape.kept.size())
    refuse_rows("has " + std::to_string(rows.kept.size()) +
                " columns set aside, and the rows before had " + std::to_string(shape.kept.size()));
  for (std::size_t i = 0; i < shape.kept.size(); ++i) {
    if (rows.kept[i].name != shape.kept[i].name)
      refuse_rows("column " + core::quoted(rows.kept[i].name) + " was set aside in the place of " +
                  core::quoted(shape.kept[i].name));
  }
  check_both(first.ids, !rows.ids.empty(), "ids");
  check_both(first.weights, !rows.row_weight.empty(), "row weights");
}

}  // namespace
}  // namespace model

class StreamWriter::Parts {
 public:
  explicit Parts(const std::string& path) : sink_(path) {}

  void append(const Dataset& rows) {
    if (!first_) {
      check(rows);
    } else if (rows.rows > 0) {
      model::check_like(*first_, rows);
      data::check_cells(rows, &model::family_catalogue());
    }
    if (rows.rows == 0) return;
    if (!first_) first_.emplace(rows);
    sink_.append(rows);
  }

  // A reader uses only the schema.
  void finish(const Schema& schema) {
    if (first_) {
      Dataset described = first_->shape;
      described.schema = schema;
      check(described);
      static_cast<void>(model::schema_of(described));
    }
    sink_.finish(schema);
  }

  [[nodiscard]] const data::StreamSink& sink() const { return sink_; }

 private:
  data::StreamSink sink_;
  std::optional<model::FirstRows> first_;
};

StreamWriter::StreamWriter(const std::string& path) : parts_(std::make_unique<Parts>(path)) {}
StreamWriter::~StreamWriter() = default;

void StreamWriter::append(const Dataset& rows) {
  parts_->append(rows);
}
void StreamWriter::finish(const Schema& schema) {
  parts_->finish(schema);
}
std::size_t StreamWriter::rows() const {
  return parts_->sink().rows();
}
std::size_t StreamWriter::cells() const {
  return parts_->sink().cells();
}

void write_stream(const Dataset& data, const std::string& path, const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("writing");
  StreamWriter writer(path);
  writer.append(data);
  writer.finish(model::schema_of(data));
}

std::unique_ptr<RowSource> open_stream(const std::string& path) {
  return data::open_stream(path, model::family_catalogue());
}

std::unique_ptr<RowSource> open_stream(const std::string& path, const ReadOptions& options) {
  auto rows = open_stream(path);
  data::check_stream_options(rows->shape(), options, path);
  if (!options.schema) return rows;
  return data::rows_under_schema(std::move(rows), *options.schema, path, model::family_catalogue());
}

StreamedData convert_to_stream(const std::vector<Source>& sources, const ReadOptions& options,
                               const std::string& path, const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("converting");
  if (auto streamed = data::stream_counts(sources, options, model::family_catalogue(), path))
    return *streamed;
  const Dataset data = read(sources, options);
  write_stream(data, path);
  std::size_t cells = 0;
  for (const Block& block : data.blocks) cells += block.cells();
  return {data.rows, cells, true, data.warnings};
}

}  // namespace medley

namespace medley::model {

CheckedRows::CheckedRows(const RowSource& rows) : rows_(rows) {
  const Dataset& shape = rows.shape();
  if (shape.rows != 0) throw InputError({"shape", "must hold no rows", "it has what all share"});
  check(shape);
  static_cast<void>(schema_of(shape));
}

Dataset CheckedRows::batch(std::span<const RowRange> ranges) const {
  std::size_t wanted = 0;
  for (const RowRange& range : ranges) wanted += range.end - range.begin;
  Dataset out = rows_.batch(ranges);
  if (out.rows != wanted)
    throw InputError(
        {"rows",
         "are " + std::to_string(out.rows) + ", and " + std::to_string(wanted) + " were asked for",
         "a source of rows hands out those it is asked for"});
  if (!std::ranges::equal(out.blocks, rows_.shape().blocks, same_shape))
    throw InputError({"rows", "have other blocks than the shape of their source",
                      "all rows of a source have the same blocks"});
  data::check_cells(out, &family_catalogue());
  return out;
}

}  // namespace medley::model
