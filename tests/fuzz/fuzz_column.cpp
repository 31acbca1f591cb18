// SPDX-License-Identifier: Apache-2.0
#include "data/formats/csv.hpp"

#include "fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley;
  return fuzz::run_reader(data, size, [](core::ByteSource& source) {
    return data::read_column(source, {.memory_limit = fuzz::kMemory}).columns[0].distinct.size();
  });
}
