// SPDX-License-Identifier: Apache-2.0
// Compressed streams as plain ones: each takes the compressed bytes and delivers what they stand
// for, one buffer at a time. A broken or cut-off archive is an InputError naming the file.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/files.hpp"

namespace medley::core {

/// What a decompressor holds of its output at once.
inline constexpr std::size_t kPieceSize = std::size_t{1} << 18;

/// gzip (RFC 1952), any number of members one after the other, zero padding at the end allowed.
[[nodiscard]] std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed);

/// Zstandard (RFC 8878), any number of frames, windows up to 128 MiB.
[[nodiscard]] std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> compressed);

/// By its first bytes: gzip and zstd are undone (once), other archives refused by name, anything
/// else is passed through.
[[nodiscard]] std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source);

/// A source whose first bytes can be looked at before it is read.
class PeekSource final : public ByteSource {
 public:
  /// Looks `wanted` bytes ahead, or as far as the stream goes.
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
