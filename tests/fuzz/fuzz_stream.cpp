// SPDX-License-Identifier: Apache-2.0
// Any bytes as a stream file: refused with InputError, or rows that fit their shape.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "data/stream_file.hpp"
#include "medley/error.hpp"
#include "model/family_catalogue.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto rows = medley::data::parse_stream(bytes, "fuzz", medley::model::family_catalogue());
    (void)rows->fingerprint();
    const std::size_t end = std::min<std::size_t>(rows->rows(), 1000);
    const medley::Dataset some = rows->batch(0, end);
    if (some.rows != end) std::abort();
    for (const medley::Block& block : some.blocks) {
      if (block.row_start.size() != end + 1 || block.row_start.back() != block.slot.size())
        std::abort();
      for (const std::uint32_t slot : block.slot) {
        if (slot >= block.slots()) std::abort();
      }
    }
  } catch (const medley::InputError&) {
    return 0;
  }
  return 0;
}
