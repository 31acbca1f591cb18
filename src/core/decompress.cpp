// SPDX-License-Identifier: Apache-2.0
#include "core/decompress.hpp"

#include <array>
#include <utility>

#include "medley/error.hpp"

namespace medley::core {
namespace {

/// Archives that are recognised only to say what to do about them.
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

/// bzip2 starts with three letters that text may start with too; a digit and "1A" must follow.
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

}  // namespace medley::core
