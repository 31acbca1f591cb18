// SPDX-License-Identifier: Apache-2.0
#include "data/formats/csv.hpp"

#include "fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley;
  return fuzz::run_reader(data, size, [](core::ByteSource& source) {
    const auto table = data::read_csv(source, {.memory_limit = fuzz::kMemory});
    return table.line.size() + 1000 * table.columns.size();
  });
}
