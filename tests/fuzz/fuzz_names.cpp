// SPDX-License-Identifier: Apache-2.0
// Any text as the names of profiles: refused with InputError, or a model with names.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"

namespace {

const medley::Model& some_model() {
  static const medley::Model model = [] {
    medley::MemoryTable table;
    table.rows = 4;
    table.columns = {{"a", medley::TextColumn{{"x", "y"}, {0, 1, 0, 1}}},
                     {"b", medley::TextColumn{{"u", "v"}, {0, 1, 1, 1}}}};
    medley::FitOptions options;
    options.components = 2;
    options.model = "mnb";
    options.threads = 1;
    return medley::fit(medley::dataset({{"", std::move(table)}}), options);
  }();
  return model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    (void)medley::inspect(medley::named_by(some_model(), text, "fuzz"), {});
  } catch (const medley::InputError&) {
    return 0;
  }
  return 0;
}
