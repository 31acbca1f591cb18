// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model: refused with InputError, or a model that can be exported and looked at.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/safetensors.hpp"
#include "medley/error.hpp"
#include "medley/report.hpp"
#include "model/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const medley::Model model(
        medley::model::from_tensors(medley::core::parse_tensors(bytes, "fuzz")));
    (void)model.export_json();
    (void)medley::inspect(model, {});
  } catch (const medley::InputError&) {
    return 0;
  }
  return 0;
}
