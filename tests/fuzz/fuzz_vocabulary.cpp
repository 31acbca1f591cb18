// SPDX-License-Identifier: Apache-2.0
#include "data/vocabulary_files.hpp"

#include "fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley;
  return fuzz::run_reader(data, size, [](core::ByteSource& source) {
    return data::read_vocabulary(source, fuzz::kMemory).words.size();
  });
}
