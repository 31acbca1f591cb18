// SPDX-License-Identifier: Apache-2.0
// Decompression of streams: each source takes compressed bytes and delivers the plain bytes, one
// buffer at a time. A broken or truncated archive is an InputError naming the file.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/files.hpp"

namespace medley::core {

/// Size of a decompressor's output buffer, in bytes.
inline constexpr std::size_t kPieceSize = std::size_t{1} << 18;

/// gzip (RFC 1952), any number of members one after the other, zero padding at the end allowed.
[[nodiscard]] std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed);

/// Zstandard (RFC 8878), any number of frames, windows up to 128 MiB.
[[nodiscard]] std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> compressed);

/// Chooses by the first bytes: decompresses gzip and zstd (once), refuses other archives by name,
/// and passes anything else through.
[[nodiscard]] std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source);

/// A source whose first bytes can be inspected before reading.
class PeekSource final : public ByteSource {
 public:
  /// Reads `wanted` bytes ahead, or as far as the stream goes.
  PeekSource(std::unique_ptr<ByteSource> source, std::size_t wanted);
  [[nodiscard]] std::string_view head() const { return head_; }
  std::string_view next() override;
  [[nodiscard]] const std::string& name() const override { return source_->name(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string head_;
  bool head_given_ = false;
  bool ended_ = false;
};

}  // namespace medley::core
