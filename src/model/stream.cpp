// SPDX-License-Identifier: Apache-2.0
// Stream files with the family registry at hand.
#include "medley/io.hpp"

#include <optional>

#include "core/task.hpp"
#include "core/text.hpp"
#include "data/check_dataset.hpp"
#include "data/schema_rows.hpp"
#include "data/select_rows.hpp"
#include "data/stream_counts.hpp"
#include "data/stream_file.hpp"
#include "data/stream_sink.hpp"
#include "medley/error.hpp"
#include "model/family_catalogue.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley {

namespace model {
namespace {

[[noreturn]] void refuse_rows(const std::string& what) {
  throw InputError({"data", what, "append rows that were read with one schema"});
}

// One has it and the other has not.
void check_both(bool before, bool now, const std::string& what) {
  if (before != now)
    refuse_rows((now ? "has " : "has no ") + what +
                (before ? ", and the rows before had some" : ", and the rows before had none"));
}

// What all rows of a stream have in common with the first ones.
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

  // A reader goes by the schema alone.
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
