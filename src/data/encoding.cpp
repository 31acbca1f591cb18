// SPDX-License-Identifier: Apache-2.0
#include "data/encoding.hpp"

#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

constexpr const char* kWindows = "windows-1252";

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

Converter open_converter(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(name.c_str(), &status));
  if (U_FAILURE(status) != 0) return nullptr;
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  return converter;
}

// Bytes as characters of another encoding, piece after piece.
class Transcoder {
 public:
  Transcoder(const std::string& name, std::string file)
      : name_(name),
        file_(std::move(file)),
        from_(open_converter(name)),
        to_(open_converter("UTF-8")) {}

  [[nodiscard]] bool knows() const { return from_ != nullptr && to_ != nullptr; }

  // `last`: nothing follows, so half a character is an error.
  std::string convert(std::string_view piece, bool last) {
    std::string out;
    if (piece.empty()) piece = std::string_view("", 0);  // ICU wants an address
    const char* source = piece.data();
    const char* const end = piece.data() + piece.size();
    std::array<char, 4096> buffer{};
    for (;;) {
      char* target = buffer.data();
      UErrorCode status = U_ZERO_ERROR;
      ucnv_convertEx(to_.get(), from_.get(), &target, buffer.data() + buffer.size(), &source, end,
                     pivot_.data(), &pivot_source_, &pivot_target_, pivot_.data() + pivot_.size(),
                     fresh_ ? 1 : 0, last ? 1 : 0, &status);
      fresh_ = false;
      out.append(buffer.data(), target);
      if (status == U_BUFFER_OVERFLOW_ERROR) continue;
      if (U_FAILURE(status) != 0) {
        throw InputError(
            {file_,
             "is not " + name_ + ": the bytes near byte " +
                 std::to_string(read_ + static_cast<std::uint64_t>(source - piece.data())) +
                 " are no character of it",
             "`encoding` says what it is: utf-8, latin-1, cp1252, utf-16 ..."});
      }
      break;
    }
    read_ += piece.size();
    return out;
  }

 private:
  std::string name_, file_;
  Converter from_, to_;
  std::array<UChar, 2048> pivot_{};
  UChar* pivot_source_ = pivot_.data();
  UChar* pivot_target_ = pivot_.data();
  bool fresh_ = true;
  std::uint64_t read_ = 0;
};

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

// The five bytes that Windows-1252 does not have, and control characters that no text has.
bool is_no_windows(char c) {
  constexpr std::string_view kNone = "\x81\x8D\x8F\x90\x9D";
  const auto byte = static_cast<unsigned char>(c);
  return kNone.find(c) != std::string_view::npos || (byte < 0x20 && !(byte >= 9 && byte <= 13));
}

// Whether the piece may end in the middle of a UTF-8 character.
bool is_cut(std::string_view piece) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, piece.size()); ++back) {
    const auto byte = static_cast<unsigned char>(piece[piece.size() - back]);
    if (byte < 0x80) return false;
    if (byte >= 0xC0) return back < (byte >= 0xF0 ? 4U : byte >= 0xE0 ? 3U : 2U);
  }
  return false;
}

// Whether the bytes above ASCII are mostly no UTF-8.
bool looks_like_windows(std::string_view piece) {
  if (std::any_of(piece.begin(), piece.end(), is_no_windows)) return false;
  std::size_t good = 0, bad = 0;
  while (!piece.empty()) {
    const std::size_t at = std::min(core::find_invalid_utf8(piece), piece.size());
    for (const char c : piece.substr(0, at))
      good += (static_cast<unsigned char>(c) & 0xC0U) == 0xC0 ? 1 : 0;
    if (at == piece.size()) break;
    ++bad;
    piece.remove_prefix(at + 1);
  }
  return bad > good;
}

// LE or BE of UTF-16 without a mark: Western text has its zeros in the second or the first bytes.
std::string byte_order(std::string_view piece) {
  std::size_t first = 0, second = 0;
  for (std::size_t i = 0; i + 1 < piece.size(); i += 2) {
    first += piece[i] == '\0' ? 1 : 0;
    second += piece[i + 1] == '\0' ? 1 : 0;
  }
  return second >= first ? "UTF-16LE" : "UTF-16BE";
}

std::string by_mark(std::string_view head) {
  if (head.starts_with("\xFF\xFE")) return "UTF-16LE";
  if (head.starts_with("\xFE\xFF")) return "UTF-16BE";
  return {};
}

bool is_one_of(std::string_view name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* n) {
    return ucnv_compareNames(std::string(name).c_str(), n) == 0;
  });
}

class TextSource final : public DecodedSource {
 public:
  TextSource(std::unique_ptr<core::ByteSource> source, const std::string& encoding)
      : source_(std::move(source)) {
    if (encoding.empty() || encoding == "auto") return;
    told_ = encoding;
    if (is_one_of(encoding, {"utf-8", "ascii", "us-ascii"})) return;
    // Who says Latin-1 means the one with the euro sign and the dashes.
    if (is_one_of(encoding, {"latin-1", "iso-8859-1"})) told_ = kWindows;
    transcoder_ = std::make_unique<Transcoder>(told_, source_->name());
    if (transcoder_->knows()) return;
    throw InputError({"`encoding`", core::quoted(encoding) + " is no encoding that is known",
                      "utf-8, latin-1, cp1252, utf-16, iso-8859-15, macintosh, shift_jis ...; auto "
                      "finds out"});
  }

  [[nodiscard]] const std::string& name() const override { return source_->name(); }
  [[nodiscard]] const std::string& found() const override { return found_; }

  std::string_view next() override {
    for (;;) {
      std::string_view piece = source_->next();
      if (std::exchange(first_, false)) piece = look_at_first(piece);
      if (!transcoder_ && told_.empty() && !settled_) piece = look_at(piece);
      if (!transcoder_) return piece;
      if (ended_) return {};
      ended_ = piece.empty();
      text_ = transcoder_->convert(piece, ended_);
      if (!text_.empty() || ended_) return text_;
    }
  }

 private:
  // A mark at the very beginning, and more, for an empty piece is the end.
  static constexpr std::size_t kLooked = 4;
  std::string_view look_at_first(std::string_view piece) {
    head_ = piece;
    while (head_.size() < kLooked && !piece.empty()) head_ += piece = source_->next();
    const bool utf16 = is_one_of(told_, {"utf-16"});
    if (!told_.empty() && !utf16) return head_;
    const std::string marked = by_mark(head_);
    if (!marked.empty()) begin(marked, "UTF-16");
    if (marked.empty() && utf16) begin(byte_order(head_), "UTF-16");
    return std::string_view(head_).substr(marked.empty() ? 0 : 2);
  }

  // The first bytes above ASCII, with the rest of the last character if it is cut.
  std::string_view look_at(std::string_view piece) {
    if (std::all_of(piece.begin(), piece.end(), is_ascii)) return piece;
    settled_ = true;
    std::string joined(piece);
    while (is_cut(joined)) {
      const std::string_view more = source_->next();
      if (more.empty()) break;
      joined += more;
    }
    head_ = std::move(joined);
    if (looks_like_windows(head_)) begin(kWindows, "Windows-1252 (Latin-1)");
    return head_;
  }

  void begin(const std::string& encoding, const std::string& words) {
    if (told_.empty()) found_ = words;
    transcoder_ = std::make_unique<Transcoder>(encoding, source_->name());
  }

  std::unique_ptr<core::ByteSource> source_;
  std::string told_, found_, head_, text_;
  std::unique_ptr<Transcoder> transcoder_;
  bool first_ = true, settled_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<DecodedSource> decoded(std::unique_ptr<core::ByteSource> source,
                                       const std::string& encoding) {
  return std::make_unique<TextSource>(std::move(source), encoding);
}

}  // namespace medley::data
