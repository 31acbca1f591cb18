// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model file: refused with InputError, or read, and then written and read the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/safetensors.hpp"
#include "medley/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley::core;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const TensorFile file = parse_tensors(bytes, "fuzz");
    const std::string first = serialise_tensors(file);
    if (serialise_tensors(parse_tensors(first, "fuzz")) != first) std::abort();
    for (const auto& [name, tensor] : file.tensors) {
      constexpr std::string_view kEnding = ".offsets";
      if (!name.ends_with(kEnding)) continue;
      try {
        (void)file.strings(name.substr(0, name.size() - kEnding.size()));
      } catch (const medley::InputError&) {
        continue;  // offsets out of order: refused, as they should be
      }
    }
  } catch (const medley::InputError&) {
    return 0;
  }
  return 0;
}
