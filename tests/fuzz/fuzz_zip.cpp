// SPDX-License-Identifier: Apache-2.0
#include "core/zip.hpp"

#include "fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  // Only InputError may come out.
  (void)test::error_of([&] {
    for (const core::ZipEntry& entry : core::zip_entries(bytes, "fuzz.zip")) {
      if (entry.size <= fuzz::kMemory) (void)core::unzipped(bytes, entry, "fuzz.zip");
    }
  });
  return 0;
}
