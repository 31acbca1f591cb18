// SPDX-License-Identifier: Apache-2.0
// Any bytes as a sampled model: refused with InputError, or chains that can be diagnosed and
// written out.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/safetensors.hpp"
#include "medley/error.hpp"
#include "medley/uncertainty.hpp"
#include "model/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const medley::Model model(
        medley::model::from_tensors(medley::core::parse_tensors(bytes, "fuzz")));
    if (medley::chains_of(model) == 0) return 0;
    (void)medley::diagnose(model);
    (void)medley::draws_csv(model, 0);
  } catch (const medley::InputError&) {
    return 0;
  }
  return 0;
}
