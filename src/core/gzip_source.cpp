// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <utility>

#include "core/decompress.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> compressed)
      : compressed_(std::move(compressed)), output_(kPieceSize, '\0') {
    constexpr int kGzipOnly = 16;  // added to the window bits: expect a gzip header
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK)
      throw RunError(name() + ": no memory to decompress it");
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  [[nodiscard]] const std::string& name() const override { return compressed_->name(); }

  std::string_view next() override {
    stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
    stream_.avail_out = static_cast<uInt>(output_.size());
    while (stream_.avail_out == output_.size() && more_input()) step();
    return {output_.data(), output_.size() - stream_.avail_out};
  }

 private:
  /// True if there is something to inflate. Between members, zeros are padding.
  bool more_input() {
    for (;;) {
      while (between_members_ && !input_.empty() && input_.front() == '\0') input_.remove_prefix(1);
      if (!input_.empty()) return true;
      if (!ended_) input_ = compressed_->next();
      if (!input_.empty()) continue;
      ended_ = true;
      if (between_members_) return false;
      throw InputError({name(), "the gzip archive is cut off", "copy or download it again"});
    }
  }

  void step() {
    if (between_members_) inflateReset(&stream_);
    between_members_ = false;
    const std::string_view offered = input_.substr(0, kPieceSize);
    // zlib's interface lacks a const; it does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(offered.data()));
    stream_.avail_in = static_cast<uInt>(offered.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    input_.remove_prefix(offered.size() - stream_.avail_in);
    if (result == Z_STREAM_END) {
      between_members_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      const std::string detail = stream_.msg != nullptr ? stream_.msg : "unknown error";
      throw InputError(
          {name(), "the gzip archive is broken: " + detail, "copy or download it again"});
    }
  }

  std::unique_ptr<ByteSource> compressed_;
  std::string output_;
  std::string_view input_;
  z_stream stream_{};
  bool between_members_ = false;  // false at first: an empty stream is a cut-off archive
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed) {
  return std::make_unique<GzipSource>(std::move(compressed));
}

}  // namespace medley::core
