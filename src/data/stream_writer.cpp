// SPDX-License-Identifier: Apache-2.0
// Writes stream files. The header comes first in the file and says how long every array is, so the
// arrays are spooled to disk as the rows come and copied behind the header at the end.
#include "data/stream_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/files.hpp"
#include "core/safetensors.hpp"
#include "core/task.hpp"
#include "data/formats/coordinates.hpp"
#include "data/formats/ldac.hpp"
#include "data/infer.hpp"
#include "data/open.hpp"
#include "data/project.hpp"
#include "data/select_rows.hpp"
#include "data/stream_layout.hpp"
#include "data/vocabulary_files.hpp"
#include "medley/error.hpp"
#include "medley/options.hpp"

namespace medley::data {

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

// Values that come as bytes, one after the other.
template <class T>
class ValueWriter : public core::FileWriter {
 public:
  using core::FileWriter::write;
  void write(std::span<const std::byte> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    std::vector<T> values(bytes_.size() / sizeof(T));
    const std::size_t whole = values.size() * sizeof(T);
    if (whole > 0) std::memcpy(values.data(), bytes_.data(), whole);
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(whole));
    take(values);
  }

 protected:
  virtual void take(std::span<const T> values) = 0;

 private:
  std::vector<std::byte> bytes_;
};

// The levels of a kept column over all rows; pieces of the data may each have met some only.
struct KeptLevels {
  std::vector<std::string> levels;
  bool grown = false;  ///< there were more than in the first rows

  /// The levels of the rows that follow.
  void meet(const std::vector<std::string>& of_rows) {
    place_.clear();
    if (of_rows == levels || levels.empty()) levels = of_rows;
    if (of_rows == levels) return;
    for (const std::string& level : of_rows) {
      const auto found = std::ranges::find(levels, level);
      place_.push_back(static_cast<std::int32_t>(found - levels.begin()));
      if (found != levels.end()) continue;
      levels.push_back(level);
      grown = true;
    }
  }
  /// 0 is missing, else the level's number from 1.
  [[nodiscard]] std::uint32_t stored(std::int32_t code) const {
    const bool moved = code >= 0 && !place_.empty();
    return static_cast<std::uint32_t>((moved ? place_[static_cast<std::size_t>(code)] : code) + 1);
  }
  /// Sorts them; where each went.
  [[nodiscard]] std::vector<std::uint32_t> sort() {
    std::vector<std::size_t> order(levels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) -> const std::string& { return levels[i]; });
    std::vector<std::uint32_t> place(levels.size());
    std::vector<std::string> sorted;
    for (const std::size_t i : order) {
      place[i] = static_cast<std::uint32_t>(sorted.size());
      sorted.push_back(levels[i]);
    }
    levels = std::move(sorted);
    return place;
  }

 private:
  std::vector<std::int32_t> place_;  // of the levels of the present rows; empty: as they are
};

}  // namespace

class StreamSink::Parts {
 public:
  explicit Parts(std::string path) : path_(std::move(path)) { array<std::uint8_t>("schema.toml"); }

  void append(const Dataset& rows) {
    if (!begun_) begin(rows);
    use_unit(rows.weight_unit);
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i].meet(rows.kept[i].levels);
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
      counts_[2 * b] += static_cast<std::int64_t>(rows.blocks[b].missing);
      counts_[2 * b + 1] += static_cast<std::int64_t>(rows.blocks[b].unseen);
    }
    for (std::size_t row = 0; row < rows.rows; ++row) {
      core::stop_if_asked();
      add_row(rows, row);
      if (pending_.rows == kRowsPerPiece) write_piece();
    }
  }

  void finish(const Schema& schema) {
    if (!begun_) throw InputError({path_, "would hold no rows", "append some first"});
    if (pending_.rows > 0) write_piece();
    if (several_units_ && has_weights_) bring_weights_to_one();
    for (std::size_t i = 0; i < kept_.size(); ++i) finish_kept(i);
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
  // Sampling weights of every piece were divided by their mean there, its unit. Here they have the
  // first one's, until the mean of all is known.
  void use_unit(double unit) {
    if (unit_ == 0) unit_ = unit;
    if (unit != unit_) several_units_ = true;
    scale_ = unit / unit_;
  }

  void bring_weights_to_one() {
    class Sum : public ValueWriter<double> {
     public:
      double total = 0;

     protected:
      void take(std::span<const double> values) override {
        for (const double value : values) total += value;
      }
    };
    class Scaled : public ValueWriter<double> {
     public:
      Scaled(Parts& to, double mean) : to_(to), mean_(mean) {}
      void end() {
        if (!piece_.empty()) to_.put("row_weight", std::span<const double>(piece_));
        piece_.clear();
      }

     protected:
      void take(std::span<const double> values) override {
        for (const double value : values) {
          piece_.push_back(value / mean_);
          if (piece_.size() == kRowsPerPiece) end();
        }
      }

     private:
      Parts& to_;
      double mean_;
      std::vector<double> piece_;
    };
    SpooledArray before = std::move(arrays_.at("row_weight"));
    arrays_.erase("row_weight");
    Sum sum;
    before.content.copy_to(sum);
    const double mean = sum.total / static_cast<double>(rows_);
    if (!(mean > 0) || !std::isfinite(mean))
      throw InputError({path_, "every row weight is 0, or they are too large to be added up",
                        "a weight is a number, 0 or more"});
    Scaled scaled(*this, mean);
    before.content.copy_to(scaled);
    scaled.end();
  }

  // Levels in bytewise order, if later rows had more than the first ones.
  void finish_kept(std::size_t column) {
    KeptLevels& kept = kept_[column];
    if (kept.grown) {
      class Renumbered : public ValueWriter<std::uint32_t> {
       public:
        Renumbered(Parts& to, std::string name, const std::vector<std::uint32_t>& place)
            : to_(to), name_(std::move(name)), place_(place) {}
        void end() {
          if (!piece_.empty()) to_.put(name_, std::span<const std::uint32_t>(piece_));
          piece_.clear();
        }

       protected:
        void take(std::span<const std::uint32_t> stored) override {
          for (const std::uint32_t code : stored) {
            const bool level = code > 0 && code <= place_.size();
            piece_.push_back(level ? place_[code - 1] + 1 : code);
            if (piece_.size() == kRowsPerPiece) end();
          }
        }

       private:
        Parts& to_;
        std::string name_;
        const std::vector<std::uint32_t>& place_;
        std::vector<std::uint32_t> piece_;
      };
      const std::vector<std::uint32_t> place = kept.sort();
      const std::string name = kept_array(column, "code");
      SpooledArray before = std::move(arrays_.at(name));
      arrays_.erase(name);
      Renumbered renumbered(*this, name, place);
      before.content.copy_to(renumbered);
      renumbered.end();
    }
    put_strings(kept_array(column, "levels"), kept.levels);
  }

  template <class T>
  SpooledArray& array(const std::string& name) {
    const auto found = arrays_.find(name);
    if (found != arrays_.end()) return found->second;
    return arrays_.emplace(name, SpooledArray{type_of<T>(), core::SpoolFile(path_), {}})
        .first->second;
  }

  // One more piece of an array; its first `context` values are only part of the checksum.
  template <class T>
  void put(const std::string& name, std::span<const T> values, std::size_t context = 0) {
    SpooledArray& to = array<std::remove_const_t<T>>(name);
    to.content.append(std::as_bytes(values.subspan(context)));
    to.checks.push_back(checksum(values.data(), values.size_bytes()));
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
      names.push_back(column.name);
    }
    pending_.kept.resize(names.size());
    kept_.resize(names.size());
    put_strings("kept.names", names);
    const std::vector<std::int64_t> zero = {0};
    if (has_ids_) array<std::int64_t>("ids.offsets").content.append(std::as_bytes(std::span(zero)));
    for (std::size_t b = 0; b < like.blocks.size(); ++b) {
      array<std::int64_t>(block_array(b, "row_start"))
          .content.append(std::as_bytes(std::span(zero)));
    }
  }

  void add_row(const Dataset& from, std::size_t row) {
    for (std::size_t b = 0; b < from.blocks.size(); ++b) {
      const Block& block = from.blocks[b];
      Block& to = pending_.blocks[b];
      append_cells(block, block.row_start[row], block.row_start[row + 1], to);
      if (weighted_[b]) to.weight.resize(to.slot.size(), 1.0F);
      to.row_start.push_back(to.slot.size());
    }
    if (has_ids_) pending_.ids.push_back(from.ids[row]);
    if (has_weights_) pending_.weight.push_back(from.weight_of(row) * scale_);
    for (std::size_t i = 0; i < pending_.kept.size(); ++i)
      pending_.kept[i].push_back(kept_[i].stored(from.kept[i].code[row]));
    ++pending_.rows;
  }

  void write_piece() {
    std::vector<std::int64_t> offsets;
    for (std::size_t b = 0; b < pending_.blocks.size(); ++b) {
      const Block& block = pending_.blocks[b];
      offsets.clear();
      for (const std::uint64_t at : block.row_start)
        offsets.push_back(static_cast<std::int64_t>(cells_[b] + at));
      put(block_array(b, "row_start"), std::span<const std::int64_t>(offsets), 1);
      put(block_array(b, "slot"), std::span(block.slot));
      if (weighted_[b]) put(block_array(b, "weight"), std::span(block.weight));
      if (block.encoding == Encoding::real) put(block_array(b, "value"), std::span(block.value));
      cells_[b] += block.cells();
    }
    if (has_ids_) write_ids();
    if (has_weights_) put("row_weight", std::span<const double>(pending_.weight));
    for (std::size_t i = 0; i < pending_.kept.size(); ++i)
      put(kept_array(i, "code"), std::span<const std::uint32_t>(pending_.kept[i]));
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
    header.metadata = {{"format", std::string(kStreamFormat)},
                       {"format_version", std::string(kStreamVersion)},
                       {"library_version", version()},
                       {"rows", std::to_string(rows_)},
                       {"rows_per_piece", std::to_string(kRowsPerPiece)}};
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
  std::vector<KeptLevels> kept_;
  double unit_ = 0, scale_ = 1;  // of row weights: the first piece's, and to get there
  bool several_units_ = false;
  std::vector<std::int64_t> counts_;  // per block: cells missing, cells unseen
  PendingRows pending_;
  std::map<std::string, SpooledArray> arrays_;
};

StreamSink::StreamSink(const std::string& path) : parts_(std::make_unique<Parts>(path)) {}
StreamSink::~StreamSink() = default;

void StreamSink::append(const Dataset& rows) {
  parts_->append(rows);
}
void StreamSink::finish(const Schema& schema) {
  parts_->finish(schema);
}
std::size_t StreamSink::rows() const {
  return parts_->rows();
}
std::size_t StreamSink::cells() const {
  return parts_->cells();
}

namespace {

bool plain(const std::vector<Source>& sources, const ReadOptions& options) {
  return sources.size() == 1 && sources.front().path != "-" && !options.schema &&
         options.family.empty() && options.id.empty() && options.label.empty() &&
         options.weight.empty() && options.ignore.empty() && options.keep.empty() &&
         options.block_weight.empty() && !options.missing_as_category;
}

// Rows of counts as a data set of one block, as far as the writer looks at it.
Dataset as_rows(RawCounts& counts) {
  Dataset rows;
  rows.rows = counts.row_start.size() - 1;
  Block& block = rows.blocks.emplace_back();
  block.encoding = Encoding::tokens;
  block.row_start = std::exchange(counts.row_start, {0});
  block.slot = std::exchange(counts.word, {});
  block.weight = std::exchange(counts.count, {});
  counts.line.clear();
  return rows;
}

RawCounts first_rows(const RawCounts& counts) {
  RawCounts some = counts;
  some.vocabulary.clear();
  return some;
}

}  // namespace

std::optional<StreamedData> stream_counts(const std::vector<Source>& sources,
                                          const ReadOptions& options,
                                          const FamilyCatalogue& catalogue,
                                          const std::string& path) {
  if (!plain(sources, options)) return std::nullopt;
  Source source = sources.front();
  if (source.name.empty()) source.name = "data";
  OpenSource opened = open_source(source, options, std::nullopt);
  const bool ldac = opened.format == Format::ldac;
  if (!ldac && opened.format != Format::docword) return std::nullopt;
  const std::optional<Vocabulary> words = find_vocabulary(source, opened.format, options);
  StreamSink writer(path);
  std::optional<RawCounts> sample;  // what the columns are taken for shows in the first rows
  CountsOptions reading{words ? &*words : nullptr, 0};
  reading.drain = [&](RawCounts& counts) {
    if (!sample) sample = first_rows(counts);
    writer.append(as_rows(counts));
  };
  RawSource raw;
  raw.name = source.name;
  raw.path = opened.bytes->name();
  std::vector<std::string> vocabulary;
  try {
    RawCounts rest =
        ldac ? read_ldac(*opened.bytes, reading) : read_docword(*opened.bytes, reading);
    vocabulary = std::move(rest.vocabulary);
    if (rest.row_start.size() > 1) reading.drain(rest);
  } catch (const OutOfOrder&) {
    return std::nullopt;
  }
  const std::size_t slots = vocabulary.size();
  sample->vocabulary = std::move(vocabulary);
  raw.content = std::move(*sample);
  const Inferred inferred = infer({std::move(raw)}, options, catalogue);
  const Dataset shape = empty_data(inferred.schema, catalogue);
  if (shape.blocks.size() != 1 || shape.blocks.front().slots() != slots) return std::nullopt;
  writer.finish(shape.schema);
  return StreamedData{writer.rows(), writer.cells(), false, inferred.warnings};
}

}  // namespace medley::data
