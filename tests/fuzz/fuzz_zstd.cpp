// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/decompress.hpp"
#include "fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley;
  constexpr std::size_t kEnough = 16U << 20U;  // a bomb streams for ever: stop looking
  for (const std::size_t chunk : {size + 1, std::size_t{3}}) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    (void)test::error_of([&] {
      const auto source = core::unzstd(std::make_unique<test::ChunkSource>(bytes, chunk));
      std::size_t total = 0, piece = 1;
      while (piece > 0 && total < kEnough) total += piece = source->next().size();
    });
  }
  return 0;
}
