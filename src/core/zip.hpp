// SPDX-License-Identifier: Apache-2.0
// Extracts files from a zip archive in memory (PKWARE's APPNOTE: stored and deflated files). It
// checks every offset and size in the archive, and refuses files that unpack to much more than text
// would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace medley::core {

struct ZipEntry {
  std::string name;        ///< with '/' between folders
  std::size_t header = 0;  ///< offset of its local header
  std::size_t packed = 0, size = 0;
  std::uint32_t checksum = 0;  ///< CRC-32 of the unpacked bytes
  std::uint16_t method = 0, flags = 0;
};

/// Whether the bytes begin like a zip archive.
[[nodiscard]] bool is_zip(std::string_view head);

/// The files in the archive without folders, in the order of its directory. Throws InputError
/// naming `file` if the archive is broken, split over several files, or larger than 4 GB.
[[nodiscard]] std::vector<ZipEntry> zip_entries(std::string_view bytes, const std::string& file);

/// The content of a file of the archive. Throws InputError if it is encrypted, packed with another
/// method, damaged, or a zip bomb.
[[nodiscard]] std::string unzipped(std::string_view bytes, const ZipEntry& entry,
                                   const std::string& file);

}  // namespace medley::core
