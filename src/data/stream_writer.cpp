// SPDX-License-Identifier: Apache-2.0
// Writes stream files. The header comes first in the file and says how long every array is, so the
// arrays are spooled to disk as the rows come and copied behind the header at the end.
#include <zlib.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/task.hpp"

#include "core/files.hpp"
#include "core/safetensors_header.hpp"
#include "core/spool_file.hpp"
#include "data/append_cells.hpp"
#include "data/stream_layout.hpp"
#include "medley/stream.hpp"
#include "medley/version.hpp"

namespace medley {
namespace data {

std::uint32_t checksum(const void* bytes, std::size_t size) {
  return static_cast<std::uint32_t>(
      ::crc32_z(::crc32_z(0, nullptr, 0), static_cast<const unsigned char*>(bytes), size));
}

namespace {

template <class T>
core::ElementType type_of() {
  if (std::is_same_v<T, double>) return core::ElementType::f64;
  if (std::is_same_v<T, std::int64_t>) return core::ElementType::i64;
  if (std::is_same_v<T, float>) return core::ElementType::f32;
  if (std::is_same_v<T, std::uint32_t>) return core::ElementType::u32;
  return core::ElementType::u8;
}

// An array on its way: what there is of it, and the checksums of its pieces.
struct SpooledArray {
  core::ElementType type;
  core::SpoolFile content;
  std::vector<std::uint32_t> checks = {};
};

// Some rows with their cells, columns by position: a data set without the names.
struct PendingRows {
  std::size_t rows = 0;
  std::vector<Block> blocks;
  std::vector<std::string> ids;
  std::vector<double> weight;
  std::vector<std::vector<std::uint32_t>> kept;

  void clear() {
    rows = 0;
    ids.clear();
    weight.clear();
    for (auto& codes : kept) codes.clear();
    for (Block& block : blocks) {
      block.row_start = {0};
      block.slot.clear();
      block.weight.clear();
      block.value.clear();
    }
  }
};

}  // namespace
}  // namespace data

using data::checks_of;

class StreamWriter::Parts {
 public:
  explicit Parts(std::string path) : path_(std::move(path)) { array<std::uint8_t>("schema.toml"); }

  void append(const Dataset& rows) {
    if (!begun_) begin(rows);
    check_like_first(rows);
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
      counts_[2 * b] += static_cast<std::int64_t>(rows.blocks[b].missing);
      counts_[2 * b + 1] += static_cast<std::int64_t>(rows.blocks[b].unseen);
    }
    for (std::size_t row = 0; row < rows.rows; ++row) {
      add_row(rows, row);
      if (pending_.rows == data::kRowsPerPiece) write_piece();
    }
  }

  void finish(const Schema& schema) {
    if (!begun_) throw std::logic_error("a stream file without rows");
    if (pending_.rows > 0) write_piece();
    const std::string toml = to_toml(schema);
    put_whole("schema.toml", std::span(toml));
    std::vector<std::string> notes;  // only comments in TOML
    for (const SourceSpec& source : schema.sources) {
      for (const ColumnSpec& column : source.columns) notes.push_back(column.note);
    }
    put_strings("schema.notes", notes);
    put_whole("counts", std::span<const std::int64_t>(counts_));
    core::write_atomically(path_, [&](core::FileWriter& writer) { write(writer); });
  }

  [[nodiscard]] std::size_t rows() const { return rows_ + pending_.rows; }
  [[nodiscard]] std::size_t cells() const {
    std::size_t sum = 0;
    for (std::size_t b = 0; b < cells_.size(); ++b) sum += cells_[b] + pending_.blocks[b].cells();
    return sum;
  }

 private:
  template <class T>
  data::SpooledArray& array(const std::string& name) {
    const auto found = arrays_.find(name);
    if (found != arrays_.end()) return found->second;
    return arrays_.emplace(name, data::SpooledArray{data::type_of<T>(), core::SpoolFile(path_), {}})
        .first->second;
  }

  // One more piece of an array; its first `context` values are only part of the checksum.
  template <class T>
  void put(const std::string& name, std::span<const T> values, std::size_t context = 0) {
    data::SpooledArray& to = array<std::remove_const_t<T>>(name);
    to.content.append(std::as_bytes(values.subspan(context)));
    to.checks.push_back(data::checksum(values.data(), values.size_bytes()));
  }

  // An array of one piece.
  template <class T>
  void put_whole(const std::string& name, std::span<T> values) {
    if constexpr (sizeof(T) == 1) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
      put(name, std::span<const std::uint8_t>(bytes, values.size()));
    } else {
      put(name, std::span<const std::remove_const_t<T>>(values));
    }
  }

  void put_strings(const std::string& name, const std::vector<std::string>& strings) {
    std::string bytes;
    std::vector<std::int64_t> offsets = {0};
    for (const std::string& text : strings) {
      bytes += text;
      offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    put_whole(name + ".bytes", std::span(bytes));
    put_whole(name + ".offsets", std::span<const std::int64_t>(offsets));
  }

  void begin(const Dataset& like) {
    begun_ = true;
    has_ids_ = !like.ids.empty();
    has_weights_ = !like.row_weight.empty();
    counts_.assign(2 * like.blocks.size(), 0);
    cells_.assign(like.blocks.size(), 0);
    for (const Block& block : like.blocks) {
      Block& bare = pending_.blocks.emplace_back();
      bare.encoding = block.encoding;
      weighted_.push_back(block.encoding == Encoding::tokens || !block.weight.empty());
    }
    std::vector<std::string> names;
    for (const KeptColumn& column : like.kept) {
      put_strings(data::kept_array(names.size(), "levels"), column.levels);
      names.push_back(column.name);
      levels_.push_back(column.levels.size());
    }
    pending_.kept.resize(names.size());
    put_strings("kept.names", names);
    const std::vector<std::int64_t> zero = {0};
    if (has_ids_) array<std::int64_t>("ids.offsets").content.append(std::as_bytes(std::span(zero)));
    for (std::size_t b = 0; b < like.blocks.size(); ++b) {
      array<std::int64_t>(data::block_array(b, "row_start"))
          .content.append(std::as_bytes(std::span(zero)));
    }
  }

  void check_like_first(const Dataset& rows) const {
    bool alike = rows.blocks.size() == cells_.size() && rows.kept.size() == levels_.size() &&
                 (rows.rows == 0 || rows.ids.empty() == !has_ids_);
    for (std::size_t b = 0; alike && b < cells_.size(); ++b) {
      alike = rows.blocks[b].encoding == pending_.blocks[b].encoding &&
              (weighted_[b] || rows.blocks[b].weight.empty());
    }
    for (std::size_t i = 0; alike && i < levels_.size(); ++i)
      alike = rows.kept[i].levels.size() == levels_[i];
    if (!alike) throw std::logic_error("rows of another shape were appended to a stream file");
  }

  void add_row(const Dataset& from, std::size_t row) {
    for (std::size_t b = 0; b < from.blocks.size(); ++b) {
      const Block& block = from.blocks[b];
      Block& to = pending_.blocks[b];
      data::append_cells(block, block.row_start[row], block.row_start[row + 1], to);
      if (weighted_[b]) to.weight.resize(to.slot.size(), 1.0F);
      to.row_start.push_back(to.slot.size());
    }
    if (has_ids_) pending_.ids.push_back(from.ids[row]);
    if (has_weights_) pending_.weight.push_back(from.weight_of(row));
    for (std::size_t i = 0; i < pending_.kept.size(); ++i)
      pending_.kept[i].push_back(static_cast<std::uint32_t>(from.kept[i].code[row] + 1));
    ++pending_.rows;
  }

  void write_piece() {
    std::vector<std::int64_t> offsets;
    for (std::size_t b = 0; b < pending_.blocks.size(); ++b) {
      const Block& block = pending_.blocks[b];
      offsets.clear();
      for (const std::uint64_t at : block.row_start)
        offsets.push_back(static_cast<std::int64_t>(cells_[b] + at));
      put(data::block_array(b, "row_start"), std::span<const std::int64_t>(offsets), 1);
      put(data::block_array(b, "slot"), std::span(block.slot));
      if (weighted_[b]) put(data::block_array(b, "weight"), std::span(block.weight));
      if (block.encoding == Encoding::real)
        put(data::block_array(b, "value"), std::span(block.value));
      cells_[b] += block.cells();
    }
    if (has_ids_) write_ids();
    if (has_weights_) put("row_weight", std::span<const double>(pending_.weight));
    for (std::size_t i = 0; i < pending_.kept.size(); ++i)
      put(data::kept_array(i, "code"), std::span<const std::uint32_t>(pending_.kept[i]));
    rows_ += pending_.rows;
    pending_.clear();
  }

  void write_ids() {
    std::string bytes;
    std::vector<std::int64_t> offsets = {static_cast<std::int64_t>(id_bytes_)};
    for (const std::string& id : pending_.ids) {
      bytes += id;
      offsets.push_back(static_cast<std::int64_t>(id_bytes_ + bytes.size()));
    }
    id_bytes_ += bytes.size();
    put("ids.offsets", std::span<const std::int64_t>(offsets), 1);
    put_whole("ids.bytes", std::span(bytes));
  }

  void write(core::FileWriter& writer) {
    core::TensorHeader header;
    header.metadata = {{"format", std::string(data::kStreamFormat)},
                       {"format_version", std::string(data::kStreamVersion)},
                       {"library_version", version()},
                       {"rows", std::to_string(rows_)},
                       {"rows_per_piece", std::to_string(data::kRowsPerPiece)}};
    for (const auto& [name, spooled] : arrays_) {
      const std::uint64_t count = spooled.content.size() / core::element_size(spooled.type);
      header.places[name] = {spooled.type, {count}, 0, 0};
      header.places[checks_of(name)] = {
          core::ElementType::u32, {std::uint64_t{spooled.checks.size()}}, 0, 0};
    }
    const std::vector<std::string> order = core::place_tensors(header);
    writer.write(core::format_tensor_header(header, order));
    for (const std::string& name : order) {
      const auto found = arrays_.find(name);
      if (found != arrays_.end()) {
        found->second.content.copy_to(writer);
      } else {
        const std::string of = name.substr(0, name.size() - checks_of("").size());
        writer.write(std::as_bytes(std::span(arrays_.at(of).checks)));
      }
    }
  }

  std::string path_;
  bool begun_ = false, has_ids_ = false, has_weights_ = false;
  std::size_t rows_ = 0;              // in the pieces already written
  std::vector<std::uint64_t> cells_;  // likewise, per block
  std::uint64_t id_bytes_ = 0;        // likewise
  std::vector<bool> weighted_;        // per block: its cells have weights
  std::vector<std::size_t> levels_;   // per kept column
  std::vector<std::int64_t> counts_;  // per block: cells missing, cells unseen
  data::PendingRows pending_;
  std::map<std::string, data::SpooledArray> arrays_;
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
  return parts_->rows();
}
std::size_t StreamWriter::cells() const {
  return parts_->cells();
}

void write_stream(const Dataset& data, const std::string& path, const Hooks& hooks) {
  const core::Task task(hooks);
  StreamWriter writer(path);
  writer.append(data);
  writer.finish(data.schema);
}

}  // namespace medley
