// SPDX-License-Identifier: Apache-2.0
// Any text as the result in a select.json: not taken, by an exception that the folder turns into
// InputError, or written and read the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string_view>

#include "choose/selection_folder.hpp"
#include "medley/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Json = nlohmann::ordered_json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return 0;
  medley::Selection found;
  try {
    found = medley::choose::selection_from_json(json);
  } catch (const std::exception&) {
    return 0;
  }
  const Json once = medley::choose::selection_json(found);
  const Json twice = medley::choose::selection_json(medley::choose::selection_from_json(once));
  if (once.dump(-1, ' ', false, Json::error_handler_t::replace) !=
      twice.dump(-1, ' ', false, Json::error_handler_t::replace))
    std::abort();
  return 0;
}
