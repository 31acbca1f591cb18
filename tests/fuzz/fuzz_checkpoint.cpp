// SPDX-License-Identifier: Apache-2.0
// Any bytes behind the fingerprint of a checkpoint: refused with InputError, or a fit that goes on
// from it and ends. The input is a tensor file; its fingerprint is made that of the fit.
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/safetensors.hpp"
#include "engines/checkpoint.hpp"
#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "medley/io.hpp"

namespace {

const medley::Dataset& some_rows() {
  static const medley::Dataset rows = [] {
    medley::MemoryTable table;
    table.rows = 6;
    table.columns = {{"a", medley::TextColumn{{"x", "y"}, {0, 1, 0, 1, 1, 0}}},
                     {"b", medley::TextColumn{{"u", "v", "w"}, {0, 1, 1, 2, 1, 0}}}};
    return medley::dataset({{"", std::move(table)}});
  }();
  return rows;
}

medley::FitOptions some_options() {
  medley::FitOptions options;
  options.components = 2;
  options.model = "gom";
  options.inference = "standard";
  options.max_iterations = 4;
  options.threads = 1;
  options.checkpoint =
      (std::filesystem::temp_directory_path() / ("medley-fuzz-" + std::to_string(::getpid())))
          .string();
  options.checkpoint_seconds = 1e9;
  options.resume = true;
  return options;
}

// That of a checkpoint that such a fit leaves when it is stopped.
std::string fingerprint_of_fit() {
  medley::FitOptions options = some_options();
  options.resume = false;
  std::atomic<bool> stop{false};
  medley::Hooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const medley::Progress&) { stop = true; };
  (void)medley::fit(some_rows(), options, hooks);
  return medley::core::load_tensors(options.checkpoint).meta("fingerprint");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const medley::FitOptions options = some_options();
  static const std::string fingerprint = fingerprint_of_fit();
  try {
    medley::engines::save_checkpoint(options.checkpoint, fingerprint,
                                     medley::core::parse_tensors(bytes, "fuzz"));
    (void)medley::fit(some_rows(), options);
  } catch (const medley::InputError&) {
    return 0;
  }
  return 0;
}
