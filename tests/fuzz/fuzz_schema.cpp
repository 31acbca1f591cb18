// SPDX-License-Identifier: Apache-2.0
// Any text as a schema: refused with InputError, or written and read the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "medley/data.hpp"
#include "medley/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string first = medley::to_toml(medley::schema_from_toml(text, "fuzz"));
    if (medley::to_toml(medley::schema_from_toml(first, "fuzz")) != first) std::abort();
  } catch (const medley::InputError&) {
    return 0;
  }
  return 0;
}
