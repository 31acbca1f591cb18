// SPDX-License-Identifier: Apache-2.0
#include "arrow.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "arrow_cells.hpp"
#include "medley/error.hpp"

namespace medley::python {
namespace {

/// Rows that are taken at a time: a few hundredths of a second, and so many that going over a
/// dictionary again for each piece costs nothing.
constexpr std::int64_t kPiece = 1 << 18;

template <class Struct>
struct Released : Struct {
  Released() : Struct{} {}
  ~Released() {
    if (this->release != nullptr) this->release(this);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
};

void require(int code, ArrowArrayStream& stream) {
  if (code == 0) return;
  const char* said = stream.get_last_error == nullptr ? nullptr : stream.get_last_error(&stream);
  throw InputError({"data", std::string("the Arrow stream fails: ") + (said ? said : "no reason"),
                    "see that the frame can be collected"});
}

std::vector<std::uint8_t> null_rows(const ArrowArray& table) {
  std::vector<std::uint8_t> absent;
  if (table.null_count == 0 || table.n_buffers < 1 || table.buffers == nullptr) return absent;
  const auto* valid = static_cast<const std::uint8_t*>(table.buffers[0]);
  if (valid == nullptr) return absent;
  absent.resize(static_cast<std::size_t>(table.length));
  for (std::int64_t i = 0; i < table.length; ++i) {
    const std::int64_t bit = table.offset + i;
    absent[static_cast<std::size_t>(i)] = ((valid[bit / 8] >> (bit % 8)) & 1) == 0;
  }
  return absent;
}

struct Collector {
  std::vector<std::string> names;
  std::vector<std::unique_ptr<ArrowColumn>> columns;
  bool single = false;
  std::size_t rows = 0;
  std::int64_t unseen = 0;  ///< cells taken since `look` was called

  void describe(const ArrowSchema& schema, const std::string& single_column) {
    if (schema.format == nullptr) throw InputError({"data", "is no Arrow schema", ""});
    single = std::strcmp(schema.format, "+s") != 0;
    if (single) {
      add(schema, single_column);
      return;
    }
    if (schema.n_children < 0 || (schema.n_children > 0 && schema.children == nullptr))
      throw InputError({"data", "the Arrow schema has no columns", ""});
    for (std::int64_t c = 0; c < schema.n_children; ++c) {
      const ArrowSchema* child = schema.children[c];
      if (child == nullptr || child->format == nullptr)
        throw InputError({"data", "the Arrow schema is broken", "export the table anew"});
      add(*child, child->name == nullptr ? "" : child->name);
    }
  }
  void add(const ArrowSchema& schema, const std::string& name) {
    columns.push_back(arrow_column(schema, name));
    names.push_back(name);
  }

  void take(const ArrowArray& chunk, const std::function<void()>& look) {
    const auto count = static_cast<std::int64_t>(columns.size());
    check_array({&chunk, 0, chunk.length}, 0, single ? 0 : count, "data");
    if (single) {
      add_rows(*columns.front(), {&chunk, 0, chunk.length}, nullptr, look);
    } else {
      for (std::size_t c = 0; c < columns.size(); ++c)
        check_array({chunk.children[c], chunk.offset, chunk.length}, 0, 0, names[c]);
      const std::vector<std::uint8_t> absent = null_rows(chunk);
      for (std::size_t c = 0; c < columns.size(); ++c)
        add_rows(*columns[c], {chunk.children[c], chunk.offset, chunk.length},
                 absent.empty() ? nullptr : absent.data(), look);
    }
    rows += static_cast<std::size_t>(chunk.length);
  }

  void add_rows(ArrowColumn& column, const ArrowRows& all, const std::uint8_t* absent,
                const std::function<void()>& look) {
    std::int64_t done = 0;
    do {
      const std::int64_t count = std::min(kPiece, all.count - done);
      column.add({all.array, all.begin + done, count}, absent == nullptr ? nullptr : absent + done);
      done += count;
      unseen += count;
      if (unseen < kPiece) continue;  // chunks may be as short as a row
      unseen = 0;
      look();
    } while (done < all.count);
  }
};

}  // namespace

MemoryTable table_of(ArrowArrayStream& given, const std::string& single_column,
                     const std::function<void()>& look) {
  Released<ArrowArrayStream> stream;
  static_cast<ArrowArrayStream&>(stream) = given;
  given.release = nullptr;  // ours now
  if (stream.release == nullptr || stream.get_schema == nullptr || stream.get_next == nullptr)
    throw InputError({"data", "the Arrow stream was read before", "export the table anew"});
  Collector collector;
  {
    Released<ArrowSchema> schema;
    require(stream.get_schema(&stream, &schema), stream);
    collector.describe(schema, single_column);
  }
  for (;;) {
    Released<ArrowArray> chunk;
    require(stream.get_next(&stream, &chunk), stream);
    if (chunk.release == nullptr) break;
    collector.take(chunk, look);
  }
  MemoryTable table;
  table.rows = collector.rows;
  for (std::size_t c = 0; c < collector.columns.size(); ++c)
    table.columns.push_back(collector.columns[c]->finish(collector.names[c]));
  return table;
}

}  // namespace medley::python
