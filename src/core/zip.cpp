// SPDX-License-Identifier: Apache-2.0
#include "core/zip.hpp"

#include <zlib.h>

#include <algorithm>

#include "medley/error.hpp"

namespace medley::core {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04", kCentral = "PK\x01\x02", kEnd = "PK\x05\x06";
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr std::size_t kLongestComment = 65535;

// Text packs to a third or a fifth; a file that unpacks to more than this is not text.
constexpr std::size_t kMostTimes = 200, kHarmless = std::size_t{16} << 20U;

[[noreturn]] void broken(const std::string& file, const std::string& how) {
  throw InputError({file, "is no sound zip archive: " + how, "make it again, or unpack it"});
}

// Reads little-endian numbers of an archive; reading past the end is an error.
class ZipBytes {
 public:
  ZipBytes(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[nodiscard]] std::string_view part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) broken(file_, "it is cut off");
    return bytes_.substr(at, size);
  }
  [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t size) const {
    const std::string_view digits = part(at, size);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= std::uint32_t{static_cast<unsigned char>(digits[i])} << (8 * i);
    return value;
  }
  [[nodiscard]] bool has(std::size_t at, std::string_view magic) const {
    return at <= bytes_.size() && bytes_.substr(at).starts_with(magic);
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

// The place of the record at the end of the archive; a comment may follow it.
std::size_t end_record(const ZipBytes& zip, const std::string& file) {
  if (zip.size() < kEndSize) broken(file, "it is cut off");
  const std::size_t last = zip.size() - kEndSize;
  const std::size_t first = last - std::min(last, kLongestComment);
  for (std::size_t at = last + 1; at-- > first;) {
    if (zip.has(at, kEnd)) return at;
  }
  broken(file, "it has no directory");
}

ZipEntry entry_at(const ZipBytes& zip, std::size_t at) {
  ZipEntry entry;
  entry.flags = static_cast<std::uint16_t>(zip.number(at + 8, 2));
  entry.method = static_cast<std::uint16_t>(zip.number(at + 10, 2));
  entry.checksum = zip.number(at + 16, 4);
  entry.packed = zip.number(at + 20, 4);
  entry.size = zip.number(at + 24, 4);
  entry.header = zip.number(at + 42, 4);
  entry.name = zip.part(at + kCentralSize, zip.number(at + 28, 2));
  return entry;
}

std::string inflated(std::string_view packed, const ZipEntry& entry, const std::string& where) {
  std::string out(entry.size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw RunError(where + ": no memory to unpack it");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  char more = 0;  // zlib wants room even for nothing
  if (out.empty()) {
    stream.next_out = reinterpret_cast<Bytef*>(&more);
    stream.avail_out = 1;
  }
  const int ended = inflate(&stream, Z_FINISH);
  const bool whole = ended == Z_STREAM_END && stream.total_out == entry.size;
  inflateEnd(&stream);
  if (!whole) broken(where, "it does not unpack to the size that the archive says");
  return out;
}

}  // namespace

bool is_zip(std::string_view head) {
  return head.starts_with(kLocal) || head.starts_with(kEnd);
}

std::vector<ZipEntry> zip_entries(std::string_view bytes, const std::string& file) {
  const ZipBytes zip(bytes, file);
  const std::size_t end = end_record(zip, file);
  const std::size_t files = zip.number(end + 10, 2);
  if (zip.number(end + 4, 2) != 0 || zip.number(end + 8, 2) != files)
    broken(file, "it is one of several parts");
  if (files == 0xFFFFU || zip.number(end + 16, 4) == 0xFFFFFFFFU) {
    throw InputError({file, "has more than 65,534 files or 4 GB (zip64), which is not read",
                      "unpack it, and give the folder"});
  }
  std::vector<ZipEntry> entries;
  std::size_t at = zip.number(end + 16, 4), packed = 0;
  for (std::size_t i = 0; i < files; ++i) {
    if (!zip.has(at, kCentral)) broken(file, "its directory is damaged");
    ZipEntry entry = entry_at(zip, at);
    at += kCentralSize + entry.name.size() + zip.number(at + 30, 2) + zip.number(at + 32, 2);
    // Small archives unpack to huge ones by files that share bytes.
    packed += entry.packed;
    if (packed > bytes.size()) broken(file, "its files overlap");
    if (!entry.name.empty() && entry.name.back() != '/') entries.push_back(std::move(entry));
  }
  return entries;
}

std::string unzipped(std::string_view bytes, const ZipEntry& entry, const std::string& file) {
  const std::string where = file + ": " + entry.name;
  const ZipBytes zip(bytes, where);
  if ((entry.flags & 1U) != 0) throw InputError({where, "is encrypted", "unpack the archive"});
  if (entry.method != 0 && entry.method != Z_DEFLATED) {
    throw InputError({where, "is packed in a way that is not read (neither stored nor deflated)",
                      "unpack the archive, and give the folder"});
  }
  if (entry.size > kHarmless && entry.size / kMostTimes > entry.packed) {
    throw InputError({where,
                      "would unpack to more than " + std::to_string(kMostTimes) +
                          " times its size: no text does",
                      "leave it out of the archive"});
  }
  if (!zip.has(entry.header, kLocal)) broken(where, "its directory is damaged");
  const std::size_t from = entry.header + kLocalSize + zip.number(entry.header + 26, 2) +
                           zip.number(entry.header + 28, 2);
  const std::string_view packed = zip.part(from, entry.packed);
  if (entry.method == 0 && entry.packed != entry.size) broken(where, "its sizes disagree");
  std::string out = entry.method == 0 ? std::string(packed) : inflated(packed, entry, where);
  const auto checksum =
      crc32(0, reinterpret_cast<const Bytef*>(out.data()), static_cast<uInt>(out.size()));
  if (checksum != entry.checksum) broken(where, "its checksum is wrong");
  return out;
}

}  // namespace medley::core
