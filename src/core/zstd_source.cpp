// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <utility>

#include "core/decompress.hpp"
#include "medley/error.hpp"

namespace medley::core {
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
  /// Decompresses some; also called with no input left, to flush what the stream still holds.
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
