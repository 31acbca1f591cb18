// SPDX-License-Identifier: Apache-2.0
#include "data/formats/jsonl.hpp"

#include "fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley;
  return fuzz::run_reader(data, size, [](core::ByteSource& source) {
    const auto table = data::read_jsonl(source, {nullptr, fuzz::kMemory});
    // Whatever was read, every column has a cell or a gap for every row.
    for (const auto& column : table.columns) {
      if (column.code.size() != table.line.size()) std::abort();
    }
    return table.line.size() + 1000 * table.columns.size();
  });
}
