// SPDX-License-Identifier: Apache-2.0
#include "core/decompress.hpp"

#include <zlib.h>
#include <zstd.h>

#include <array>
#include <utility>

#include "medley/error.hpp"

namespace medley::core {
namespace {

/// Archives that are recognised only to tell the user what to do about them.
struct Foreign {
  std::string_view magic, kind, remedy;
};
constexpr std::array kForeign = {
    Foreign{"BZh", "a bzip2 archive", "decompress it first: bunzip2"},
    Foreign{"\xFD"
            "7zXZ",
            "an xz archive", "decompress it first: unxz"},
    Foreign{"PK\x03\x04", "a zip archive or an Excel workbook",
            "unpack it, or export the sheet as CSV"},
    Foreign{"PAR1", "a Parquet file", "export it as CSV"},
};
constexpr std::size_t kMagicSize = 6;

bool is_zstd(std::string_view head) {
  const std::string_view skippable = "\x2A\x4D\x18";  // after a first byte of 0x50 to 0x5F
  if (head.starts_with("\x28\xB5\x2F\xFD")) return true;
  return head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xF0U) == 0x50 &&
         head.substr(1, 3) == skippable;
}

/// bzip2 begins with three letters that text may begin with too, so a digit and "1A" must follow.
bool is_foreign(std::string_view head, const Foreign& foreign) {
  if (!head.starts_with(foreign.magic)) return false;
  return foreign.magic != "BZh" || (head.size() >= 6 && head.substr(4, 2) == "1A");
}

}  // namespace

PeekSource::PeekSource(std::unique_ptr<ByteSource> source, std::size_t wanted)
    : source_(std::move(source)) {
  while (head_.size() < wanted) {
    const std::string_view piece = source_->next();
    if (piece.empty()) {
      ended_ = true;
      break;
    }
    head_.append(piece);
  }
}

std::string_view PeekSource::next() {
  if (!head_given_) {
    head_given_ = true;
    if (!head_.empty()) return head_;
  }
  return ended_ ? std::string_view{} : source_->next();
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source) {
  auto peeked = std::make_unique<PeekSource>(std::move(source), kMagicSize);
  const std::string_view head = peeked->head();
  if (head.starts_with("\x1F\x8B")) return gunzip(std::move(peeked));
  if (is_zstd(head)) return unzstd(std::move(peeked));
  for (const Foreign& foreign : kForeign) {
    if (is_foreign(head, foreign)) {
      throw InputError({peeked->name(), "is " + std::string(foreign.kind) + ", which is not read",
                        std::string(foreign.remedy)});
    }
  }
  return peeked;
}

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

namespace {

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> compressed)
      : compressed_(std::move(compressed)),
        stream_(ZSTD_createDStream()),
        output_(kPieceSize, '\0') {
    if (!stream_) throw RunError(name() + ": no memory to decompress it");
  }

  [[nodiscard]] const std::string& name() const override { return compressed_->name(); }

  std::string_view next() override {
    for (;;) {
      if (input_.empty() && !ended_) {
        input_ = compressed_->next();
        ended_ = input_.empty();
      }
      if (ended_ && frame_done_) return {};
      const std::string_view piece = step();
      if (!piece.empty()) return piece;
      if (ended_ && !frame_done_)
        throw InputError({name(), "the zstd archive is cut off", "copy or download it again"});
    }
  }

 private:
  /// Decompresses a piece; also called without further input, to flush the stream.
  std::string_view step() {
    ZSTD_inBuffer in{input_.data(), input_.size(), 0};
    ZSTD_outBuffer out{output_.data(), output_.size(), 0};
    const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_isError(result) != 0U) {
      throw InputError({name(),
                        std::string("the zstd archive is broken: ") + ZSTD_getErrorName(result),
                        "copy or download it again"});
    }
    input_.remove_prefix(in.pos);
    frame_done_ = result == 0;
    return {output_.data(), out.pos};
  }

  std::unique_ptr<ByteSource> compressed_;
  std::unique_ptr<ZSTD_DStream, FreeStream> stream_;
  std::string output_;
  std::string_view input_;
  bool frame_done_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> compressed) {
  return std::make_unique<ZstdSource>(std::move(compressed));
}

}  // namespace medley::core
