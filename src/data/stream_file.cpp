// SPDX-License-Identifier: Apache-2.0
#include "data/stream_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>

#include "core/problems.hpp"
#include "core/safetensors.hpp"
#include "core/text.hpp"
#include "data/encode.hpp"
#include "data/project.hpp"
#include "data/schema_rows.hpp"
#include "data/select_rows.hpp"
#include "data/stream_layout.hpp"
#include "medley/error.hpp"

namespace medley {
namespace data {
namespace {

using core::ElementType;
using core::TensorPlace;

constexpr const char* kMakeAgain = "make it again with `convert()`";
constexpr std::uint64_t kMostRowsPerPiece = 1U << 20U;

// An array of the file with its checksums.
struct CheckedArray {
  const TensorPlace* place = nullptr;  // null: the file has none
  const TensorPlace* checks = nullptr;
  std::string name = {};

  [[nodiscard]] std::uint64_t size() const { return place->shape[0]; }
  [[nodiscard]] explicit operator bool() const { return place != nullptr; }
};

struct BlockArrays {
  CheckedArray row_start, slot, weight, value;
};

// Some rows' cells in one block, as in Block.
struct Cells {
  std::vector<std::int64_t> start;  // within the file
  std::vector<std::uint32_t> slot;
  std::vector<float> weight;
  std::vector<double> value;
};

struct StreamPiece {
  std::vector<Cells> blocks;
  std::vector<double> row_weight;
  std::vector<std::string> ids;
  std::vector<std::vector<std::uint32_t>> kept;
};

class StreamFile final : public RowSource {
 public:
  StreamFile(core::TensorReader reader, const FamilyCatalogue& catalogue)
      : reader_(std::move(reader)), catalogue_(catalogue) {
    if (meta("format") != kStreamFormat) refuse("is no stream file", kMakeAgain);
    if (meta("format_version") != kStreamVersion) {
      refuse("has stream format " + core::quoted(meta("format_version")) + ", this program reads " +
                 std::string(kStreamVersion),
             "use the version of medley that wrote it, or convert the data again");
    }
    rows_ = number("rows");
    rows_per_piece_ = number("rows_per_piece");
    if (rows_ == 0 || rows_ >= std::numeric_limits<std::int64_t>::max() || rows_per_piece_ == 0 ||
        rows_per_piece_ > kMostRowsPerPiece)
      damaged("its number of rows makes no sense");
    find_shape();
    find_arrays();
  }

  [[nodiscard]] std::size_t rows() const override { return rows_; }
  [[nodiscard]] const Dataset& shape() const override { return shape_; }

  [[nodiscard]] Dataset batch(std::span<const RowRange> ranges) const override {
    Dataset out = shape_;
    for (Block& block : out.blocks) block.missing = block.unseen = 0;
    for (const RowRange& range : ranges) {
      for (std::size_t at = range.begin; at < range.end;) {
        const std::size_t number = at / rows_per_piece_;
        const std::size_t first = number * rows_per_piece_;
        const std::size_t end = std::min(range.end, first + rows_per_piece_);
        take(read_piece(number), at - first, end - first, out);
        at = end;
      }
    }
    return out;
  }

  // Of the sizes and the checksums, which stand for everything else.
  [[nodiscard]] std::string fingerprint() const override {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    const auto add = [&](std::uint64_t word) {
      hash = (hash ^ word) * 0x100000001B3ULL ^ (hash >> 31U);
    };
    add(rows_);
    std::vector<std::uint32_t> some;
    for (const auto& [name, place] : reader_.header().places) {
      if (!name.ends_with(checks_of(""))) continue;
      for (std::uint64_t at = 0; at < place.shape[0]; at += some.size()) {
        some.resize(std::min<std::uint64_t>(kChecksAtOnce, place.shape[0] - at));
        reader_.read(place, at, some.size(), some.data());
        for (const std::uint32_t check : some) add(check);
      }
    }
    return "stream-" + std::to_string(hash);
  }

 private:
  static constexpr std::size_t kChecksAtOnce = 4096;

  [[noreturn]] void refuse(std::string what, std::string remedy) const {
    throw InputError(Problem{reader_.origin(), std::move(what), std::move(remedy)});
  }
  [[noreturn]] void damaged(const std::string& what) const {
    refuse("the stream file is damaged: " + what, kMakeAgain);
  }

  [[nodiscard]] const std::string& meta(const std::string& key) const {
    const auto found = reader_.header().metadata.find(key);
    if (found == reader_.header().metadata.end()) refuse("is no stream file", kMakeAgain);
    return found->second;
  }

  [[nodiscard]] std::uint64_t number(const std::string& key) const {
    const std::string& text = meta(key);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      damaged("its number of " + key + " is none");
    return value;
  }

  [[nodiscard]] std::uint64_t pieces() const {
    return (rows_ + rows_per_piece_ - 1) / rows_per_piece_;
  }

  // --- what the file holds ---

  [[nodiscard]] CheckedArray find(const std::string& name, ElementType type, bool needed = true,
                                  std::uint64_t checks = 1) const {
    const auto& places = reader_.header().places;
    const auto found = places.find(name);
    if (found == places.end() && !needed) return {};
    const auto its_checks = places.find(checks_of(name));
    if (found == places.end() || its_checks == places.end())
      damaged("it lacks the array " + core::quoted(name));
    const bool sound = found->second.type == type && found->second.shape.size() == 1 &&
                       its_checks->second.type == ElementType::u32 &&
                       its_checks->second.shape == std::vector<std::uint64_t>{checks};
    if (!sound) damaged("the array " + core::quoted(name) + " has another type or size");
    return {&found->second, &its_checks->second, name};
  }

  void check_size(const CheckedArray& array, std::uint64_t size) const {
    if (array && array.size() != size)
      damaged("the array " + core::quoted(array.name) + " has " + std::to_string(array.size()) +
              " values, not " + std::to_string(size));
  }

  // An array of one piece.
  template <class T>
  [[nodiscard]] std::vector<T> whole(const std::string& name, ElementType type) const {
    const CheckedArray array = find(name, type);
    return values<T>(array, 0, array.size(), 0);
  }

  [[nodiscard]] std::vector<std::string> strings(const std::string& name) const {
    const auto bytes = whole<char>(name + ".bytes", ElementType::u8);
    const auto offsets = whole<std::int64_t>(name + ".offsets", ElementType::i64);
    if (offsets.empty() || offsets.front() != 0) damaged("strings that do not begin");
    check_ascending(offsets, bytes.size(), name);
    return cut(bytes, offsets, name);
  }

  void find_shape() {
    const auto toml = whole<char>("schema.toml", ElementType::u8);
    Schema schema = schema_from_toml(std::string_view(toml.data(), toml.size()),
                                     reader_.origin() + " (schema)");
    std::vector<std::string> notes = strings("schema.notes");
    std::size_t column_at = 0;
    for (SourceSpec& source : schema.sources) {
      for (ColumnSpec& column : source.columns) {
        if (column_at < notes.size()) column.note = std::move(notes[column_at++]);
      }
    }
    shape_ = empty_data(schema, catalogue_);
    shape_.rows = 0;
    for (Block& block : shape_.blocks) block.row_start = {0};
    const auto counts = whole<std::int64_t>("counts", ElementType::i64);
    if (counts.size() != 2 * shape_.blocks.size() ||
        std::ranges::any_of(counts, [](std::int64_t n) { return n < 0; }))
      damaged("it holds other blocks than its schema says");
    for (std::size_t b = 0; b < shape_.blocks.size(); ++b) {
      shape_.blocks[b].missing = static_cast<std::size_t>(counts[2 * b]);
      shape_.blocks[b].unseen = static_cast<std::size_t>(counts[2 * b + 1]);
    }
    shape_.kept.clear();
    for (const std::string& name : strings("kept.names")) {
      const std::size_t at = shape_.kept.size();
      shape_.kept.push_back({name, strings(kept_array(at, "levels")), {}});
    }
  }

  void find_arrays() {
    for (std::size_t b = 0; b < shape_.blocks.size(); ++b) {
      const bool real = shape_.blocks[b].encoding == Encoding::real;
      BlockArrays& arrays = blocks_.emplace_back();
      arrays.row_start = find(block_array(b, "row_start"), ElementType::i64, true, pieces());
      arrays.slot = find(block_array(b, "slot"), ElementType::u32, true, pieces());
      arrays.weight = find(block_array(b, "weight"), ElementType::f32, false, pieces());
      if (real) arrays.value = find(block_array(b, "value"), ElementType::f64, true, pieces());
      check_size(arrays.row_start, rows_ + 1);
      check_size(arrays.weight, arrays.slot.size());
      check_size(arrays.value, arrays.slot.size());
    }
    row_weight_ = find("row_weight", ElementType::f64, false, pieces());
    check_size(row_weight_, rows_);
    ids_ = find("ids.offsets", ElementType::i64, false, pieces());
    check_size(ids_, rows_ + 1);
    if (ids_) id_bytes_ = find("ids.bytes", ElementType::u8, true, pieces());
    for (std::size_t i = 0; i < shape_.kept.size(); ++i) {
      kept_.push_back(find(kept_array(i, "code"), ElementType::u32, true, pieces()));
      check_size(kept_.back(), rows_);
    }
  }

  // --- pieces ---

  [[nodiscard]] std::string place_of(std::uint64_t piece) const {
    const std::uint64_t first = piece * rows_per_piece_;
    return "rows " + std::to_string(first + 1) + " to " +
           std::to_string(std::min<std::uint64_t>(rows_, first + rows_per_piece_));
  }

  // The values that make up a piece of an array, held against its checksum.
  template <class T>
  [[nodiscard]] std::vector<T> values(const CheckedArray& array, std::uint64_t first,
                                      std::uint64_t count, std::uint64_t piece) const {
    std::vector<T> out(count);
    std::uint32_t expected = 0;
    try {
      reader_.read(*array.place, first, count, out.data());
      reader_.read(*array.checks, piece, 1, &expected);
    } catch (const InputError&) {
      refuse("the stream file ended while " + place_of(piece) + " were read: somebody cut it short",
             kMakeAgain);
    }
    if (checksum(out.data(), count * sizeof(T)) != expected) {
      damaged("the checksum of " + core::quoted(array.name) + " is wrong, " + place_of(piece));
    }
    return out;
  }

  void check_ascending(const std::vector<std::int64_t>& offsets, std::uint64_t end,
                       const std::string& name) const {
    bool sound = offsets.front() >= 0 && std::cmp_less_equal(offsets.back(), end);
    for (std::size_t i = 1; i < offsets.size(); ++i) sound = sound && offsets[i - 1] <= offsets[i];
    if (!sound) damaged("the offsets of " + core::quoted(name) + " are out of order");
  }

  [[nodiscard]] std::vector<std::string> cut(const std::vector<char>& bytes,
                                             const std::vector<std::int64_t>& offsets,
                                             const std::string& name) const {
    std::vector<std::string> out;
    const std::string_view text(bytes.data(), bytes.size());
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      out.emplace_back(text.substr(static_cast<std::size_t>(offsets[i - 1] - offsets[0]),
                                   static_cast<std::size_t>(offsets[i] - offsets[i - 1])));
      if (core::find_invalid_utf8(out.back()) != std::string::npos)
        damaged(core::quoted(name) + " holds text that is not UTF-8");
    }
    return out;
  }

  [[nodiscard]] StreamPiece read_piece(std::uint64_t piece) const {
    const std::uint64_t first = piece * rows_per_piece_;
    const std::uint64_t count = std::min<std::uint64_t>(rows_per_piece_, rows_ - first);
    StreamPiece out;
    for (std::size_t b = 0; b < blocks_.size(); ++b) out.blocks.push_back(read_cells(b, piece));
    if (row_weight_) {
      out.row_weight = values<double>(row_weight_, first, count, piece);
      if (!std::ranges::all_of(out.row_weight, [](double w) { return w >= 0 && std::isfinite(w); }))
        damaged("a row weight is below 0 or no number, " + place_of(piece));
    }
    if (ids_) {
      const auto offsets = values<std::int64_t>(ids_, first, count + 1, piece);
      check_ascending(offsets, id_bytes_.size(), ids_.name);
      const auto begin = static_cast<std::uint64_t>(offsets.front());
      const auto size = static_cast<std::uint64_t>(offsets.back()) - begin;
      out.ids = cut(values<char>(id_bytes_, begin, size, piece), offsets, ids_.name);
    }
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      out.kept.push_back(values<std::uint32_t>(kept_[i], first, count, piece));
      const std::size_t levels = shape_.kept[i].levels.size();
      if (std::ranges::any_of(out.kept.back(), [&](std::uint32_t code) { return code > levels; }))
        damaged("a level of " + core::quoted(shape_.kept[i].name) + " is unknown, " +
                place_of(piece));
    }
    return out;
  }

  [[nodiscard]] Cells read_cells(std::size_t b, std::uint64_t piece) const {
    const BlockArrays& arrays = blocks_[b];
    const std::uint64_t first = piece * rows_per_piece_;
    const std::uint64_t count = std::min<std::uint64_t>(rows_per_piece_, rows_ - first);
    Cells out;
    out.start = values<std::int64_t>(arrays.row_start, first, count + 1, piece);
    check_ascending(out.start, arrays.slot.size(), arrays.row_start.name);
    const auto begin = static_cast<std::uint64_t>(out.start.front());
    const auto cells = static_cast<std::uint64_t>(out.start.back()) - begin;
    out.slot = values<std::uint32_t>(arrays.slot, begin, cells, piece);
    if (arrays.weight) out.weight = values<float>(arrays.weight, begin, cells, piece);
    if (arrays.value) out.value = values<double>(arrays.value, begin, cells, piece);
    check_cells(shape_.blocks[b], out, piece);
    return out;
  }

  void check_cells(const Block& block, const Cells& cells, std::uint64_t piece) const {
    bool sound =
        std::ranges::all_of(cells.slot, [&](std::uint32_t slot) { return slot < block.slots(); }) &&
        std::ranges::all_of(cells.weight, [](float w) { return w >= 0 && std::isfinite(w); });
    for (std::size_t row = 0; row + 1 < cells.start.size(); ++row) {
      const auto begin = cells.slot.begin() + (cells.start[row] - cells.start[0]);
      const auto end = cells.slot.begin() + (cells.start[row + 1] - cells.start[0]);
      sound = sound && std::is_sorted(begin, end);
    }
    for (std::size_t c = 0; sound && c < cells.value.size(); ++c) {
      const double number = cells.value[c] - block.features[cells.slot[c]].shift;
      sound = std::isfinite(number) && catalogue_.refusal(block.family, number).empty();
    }
    if (!sound)
      damaged("a cell of block " + core::quoted(block.name) + " makes no sense, " +
              place_of(piece));
  }

  // Rows [begin, end) of a piece.
  void take(const StreamPiece& piece, std::size_t begin, std::size_t end, Dataset& out) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Cells& cells = piece.blocks[b];
      Block& block = out.blocks[b];
      const std::int64_t zero = cells.start.front();
      const auto first = static_cast<std::size_t>(cells.start[begin] - zero);
      for (std::size_t row = begin; row < end; ++row) {
        block.row_start.push_back(block.slot.size() +
                                  static_cast<std::size_t>(cells.start[row + 1] - zero) - first);
      }
      const auto last = static_cast<std::size_t>(cells.start[end] - zero);
      append_range(cells.slot, first, last, block.slot);
      append_range(cells.weight, first, last, block.weight);
      append_range(cells.value, first, last, block.value);
    }
    append_range(piece.row_weight, begin, end, out.row_weight);
    append_range(piece.ids, begin, end, out.ids);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      for (std::size_t row = begin; row < end; ++row)
        out.kept[i].code.push_back(static_cast<std::int32_t>(piece.kept[i][row]) - 1);
    }
    out.rows += end - begin;
  }

  core::TensorReader reader_;
  const FamilyCatalogue& catalogue_;
  std::uint64_t rows_ = 0, rows_per_piece_ = 1;
  Dataset shape_;
  std::vector<BlockArrays> blocks_;
  CheckedArray row_weight_, ids_, id_bytes_;
  std::vector<CheckedArray> kept_;
};

// "not a model file" is not what the user wants to read.
[[noreturn]] void refuse_container(const std::string& origin, const InputError& error) {
  const Problem& problem = error.problems().front();
  if (!problem.what.starts_with("not a Medley model file")) throw error;
  throw InputError(Problem{origin, "is no whole stream file: " + problem.remedy, kMakeAgain});
}

}  // namespace

std::unique_ptr<RowSource> open_stream(const std::string& path, const FamilyCatalogue& catalogue) {
  const auto open = [&] {
    try {
      return core::TensorReader::open(path, "a stream file");
    } catch (const InputError& error) {
      refuse_container(path, error);
    }
  };
  return std::make_unique<StreamFile>(open(), catalogue);
}

std::unique_ptr<RowSource> parse_stream(std::string_view bytes, const std::string& origin,
                                        const FamilyCatalogue& catalogue) {
  return std::make_unique<StreamFile>(core::TensorReader::from_memory(bytes, origin), catalogue);
}

}  // namespace data

bool is_stream(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // looking would empty a pipe
  std::ifstream file(path, std::ios::binary);
  std::string head(8 + data::kStreamMagic.size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file && std::string_view(head).substr(8) == data::kStreamMagic;
}

}  // namespace medley

namespace medley::data {

// A stream file as read() gives any other: its rows under its own schema, or under that of a model.

void check_stream_options(const Dataset& data, const ReadOptions& options,
                          const std::string& path) {
  if (!options.schema) check_options_against(data.schema, options);
  core::Problems problems;
  std::vector<std::pair<std::string, std::string>> named = {{"label", options.label}};
  for (const std::string& name : options.keep) named.emplace_back("keep", name);
  for (const auto& [option, name] : named) {
    if (name.empty() || data.kept_column(name) != nullptr) continue;
    problems.add(core::setting(option, name), path + " holds no such column set aside",
                 "convert the data again with " + core::setting("label", name));
  }
  const ColumnSpec* id = options.id.empty() ? nullptr : data.schema.find(options.id);
  if (!options.id.empty() && (id == nullptr || id->role != Role::id)) {
    problems.add(core::setting("id", options.id), path + " was not converted with this id",
                 "convert the data again with " + core::setting("id", options.id));
  }
  const ColumnSpec* weight = options.weight.empty() ? nullptr : data.schema.find(options.weight);
  if (!options.weight.empty() && (weight == nullptr || weight->role != Role::weight)) {
    problems.add(core::setting("weight", options.weight),
                 path + " was not converted with these weights",
                 "convert the data again with " + core::setting("weight", options.weight));
  }
  problems.throw_if_any();
}

namespace {

// A column that was set aside and is now said to be the label.
void set_label(Dataset& data, const std::string& label) {
  for (SourceSpec& source : data.schema.sources) {
    for (ColumnSpec& column : source.columns) {
      if (column.name != label || column.role != Role::ignored) continue;
      column.role = Role::label;
      column.levels = data.kept_column(label)->levels;
    }
  }
}

}  // namespace

Dataset load_stream(const std::string& path, const ReadOptions& options,
                    const FamilyCatalogue& catalogue) {
  std::unique_ptr<RowSource> file = open_stream(path, catalogue);
  check_stream_options(file->shape(), options, path);
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (options.memory_limit != 0 && size > options.memory_limit) {
    throw InputError({path,
                      "has " + std::to_string(size) + " bytes, more than may be held in memory (" +
                          std::to_string(options.memory_limit) + ")",
                      "fit it with `batch=N`, which reads a little at a time"});
  }
  if (options.schema) file = rows_under_schema(std::move(file), *options.schema, path, catalogue);
  Dataset data = file->batch(0, file->rows());
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    data.blocks[b].missing = file->shape().blocks[b].missing;
    data.blocks[b].unseen = file->shape().blocks[b].unseen;
  }
  data.warnings = file->shape().warnings;
  data.unknown = file->shape().unknown;
  data.extra = file->shape().extra;
  set_label(data, options.label);
  return data;
}

}  // namespace medley::data
