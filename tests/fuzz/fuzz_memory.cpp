// SPDX-License-Identifier: Apache-2.0
// Any bytes as sources in memory: sizes, offsets, codes and texts are taken from them. They are
// refused with InputError, or become a data set that check() takes.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "medley/error.hpp"
#include "medley/io.hpp"

namespace {

using namespace medley;

// Values from the front of the bytes; zeros once they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  // Mostly small, at times anything.
  std::uint64_t number() {
    const std::uint8_t first = byte();
    if (first < 250) return first % 9;
    std::uint64_t out = 0;
    for (int i = 0; i < 8; ++i) out = out << 8U | byte();
    return out;
  }
  std::string text() {
    std::string out;
    for (std::size_t length = byte() % 6; length > 0; --length) out += static_cast<char>(byte());
    return out;
  }
  template <class T, class Make>
  std::vector<T> list(const Make& make) {
    std::vector<T> out;
    for (std::size_t length = byte() % 13; length > 0; --length)
      out.push_back(static_cast<T>(make()));
    return out;
  }
  template <class T>
  std::vector<T> numbers() {
    return list<T>([&] { return number(); });
  }
  template <class T>
  std::vector<T> reals() {
    return list<T>([&] {
      const std::uint8_t kind = byte();
      if (kind == 255) return std::nan("");
      if (kind == 254) return HUGE_VAL;
      if (kind < 250) return static_cast<double>(kind % 7) / 2;
      const std::uint64_t bits = number() << 32U ^ number();
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    });
  }
  std::vector<std::string> texts() {
    std::vector<std::string> out;
    for (std::size_t length = byte() % 6; length > 0; --length) out.push_back(text());
    return out;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

TextColumn text_cells(Bytes& bytes) {
  const std::uint8_t flags = bytes.byte();
  return {bytes.texts(), bytes.numbers<std::uint32_t>(), flags % 8 == 1, flags % 8 == 2};
}

MemoryColumn column(Bytes& bytes) {
  MemoryColumn out;
  out.name = bytes.text();
  switch (bytes.byte() % 3) {
    case 0:
      out.cells = text_cells(bytes);
      break;
    case 1:
      out.cells = NumberColumn{bytes.reals<double>()};
      break;
    default:
      out.cells = ListColumn{bytes.texts(), bytes.numbers<std::uint64_t>(),
                             bytes.numbers<std::uint32_t>(), bytes.numbers<std::uint8_t>()};
  }
  return out;
}

MemorySource source(Bytes& bytes) {
  MemorySource out;
  out.name = bytes.text();
  switch (bytes.byte() % 3) {
    case 0: {
      MemoryTable table;
      table.rows = bytes.number();
      for (std::size_t columns = bytes.byte() % 4; columns > 0; --columns)
        table.columns.push_back(column(bytes));
      out.content = std::move(table);
      break;
    }
    case 1:
      out.content = MemoryCounts{bytes.numbers<std::uint64_t>(), bytes.numbers<std::uint32_t>(),
                                 bytes.reals<float>(), bytes.texts()};
      break;
    default: {
      MemoryTriplets log{text_cells(bytes), text_cells(bytes), text_cells(bytes)};
      if (bytes.byte() % 2 == 0) log.value = NumberColumn{bytes.reals<double>()};
      out.content = std::move(log);
    }
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  ReadOptions options;
  if (bytes.byte() % 4 == 0) options.id = bytes.text();
  if (bytes.byte() % 4 == 0) options.label = bytes.text();
  if (bytes.byte() % 4 == 0) options.weight = bytes.text();
  options.missing_as_category = bytes.byte() % 4 == 0;
  options.memory_limit = 64U << 20U;
  std::vector<MemorySource> sources;
  for (std::size_t count = 1 + bytes.byte() % 2; count > 0; --count)
    sources.push_back(source(bytes));
  try {
    SchemaBuilder builder(options);
    builder.add(sources);
    (void)builder.finish();
  } catch (const InputError&) {
  }
  try {
    check(dataset(std::move(sources), options));
  } catch (const InputError&) {
    return 0;
  }
  return 0;
}
