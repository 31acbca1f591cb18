// SPDX-License-Identifier: Apache-2.0
#include "data/formats/detect.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)medley::data::format_by_name(text);
  (void)medley::data::format_by_content(text);
  return 0;
}
