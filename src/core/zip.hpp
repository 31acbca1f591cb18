// SPDX-License-Identifier: Apache-2.0
// The files of a zip archive (PKWARE's APPNOTE: stored and deflated ones), from its bytes in
// memory. Nothing that the archive says about itself is trusted: every offset and size is checked,
// and what unpacks to far more than text does is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace medley::core {

struct ZipEntry {
  std::string name;        ///< with '/' between folders
  std::size_t header = 0;  ///< where its local header begins
  std::size_t packed = 0, size = 0;
  std::uint32_t checksum = 0;  ///< CRC-32 of what is unpacked
  std::uint16_t method = 0, flags = 0;
};

/// Whether bytes begin like a zip archive.
[[nodiscard]] bool is_zip(std::string_view head);

/// The files in the archive, folders left out, in the order of its directory. Throws InputError
/// naming `file` if the archive is broken, is spread over several files, or is larger than 4 GB.
[[nodiscard]] std::vector<ZipEntry> zip_entries(std::string_view bytes, const std::string& file);

/// What a file of the archive holds. Throws InputError if it is encrypted, packed in another way,
/// damaged, or a bomb.
[[nodiscard]] std::string unzipped(std::string_view bytes, const ZipEntry& entry,
                                   const std::string& file);

}  // namespace medley::core
