// SPDX-License-Identifier: Apache-2.0
// Runs a reader on the fuzzer's bytes, whole and in small pieces, within 64 MB. Only InputError may
// come out, and the size of the pieces must not change what does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/chunk_source.hpp"

namespace medley::fuzz {

inline constexpr std::size_t kMemory = 64U << 20U;

/// `read` takes a ByteSource& and returns a number that stands for what it has read.
template <typename Read>
int run_reader(const std::uint8_t* data, std::size_t size, const Read& read) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::size_t outcome[2] = {0, 0};
  std::string error[2];
  const std::size_t chunk[2] = {size + 1, 3};
  for (int i = 0; i < 2; ++i) {
    test::ChunkSource source(bytes, chunk[i]);
    error[i] = test::error_of([&] { outcome[i] = read(source); });
  }
  if (outcome[0] != outcome[1] || error[0] != error[1]) std::abort();
  return 0;
}

}  // namespace medley::fuzz
