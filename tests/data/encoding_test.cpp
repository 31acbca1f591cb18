// SPDX-License-Identifier: Apache-2.0
#include "data/encoding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::HasSubstr;
using namespace medley::testing;

// A source that gives its text in pieces of a size.
class Pieces final : public core::ByteSource {
 public:
  Pieces(std::string text, std::size_t size) : text_(std::move(text)), size_(size) {}
  [[nodiscard]] const std::string& name() const override { return name_; }
  std::string_view next() override {
    const std::size_t from = at_;
    at_ = std::min(text_.size(), at_ + size_);
    return std::string_view(text_).substr(from, at_ - from);
  }

 private:
  std::string text_, name_ = "t.csv";
  std::size_t size_, at_ = 0;
};

struct Read {
  std::string text, found;
};

Read read_as(const std::string& bytes, const std::string& encoding = "", std::size_t size = 1000) {
  const auto source = decoded(std::make_unique<Pieces>(bytes, size), encoding);
  Read out;
  for (std::string_view piece = source->next(); !piece.empty(); piece = source->next())
    out.text += piece;
  EXPECT_TRUE(source->next().empty());
  out.found = source->found();
  return out;
}

std::string utf16(std::u16string_view text, bool big) {
  std::string out;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8U), low = static_cast<char>(unit & 0xFFU);
    out += big ? high : low;
    out += big ? low : high;
  }
  return out;
}

const std::string kText = "name,x\nM\xC3\xBCller \xE2\x82\xAC,1\nOst\xC3\xA9,2\n";
const std::string kLatin = "name,x\nM\xFCller \x80,1\nOst\xE9,2\n";
const std::u16string kWide = u"name,x\nM\u00FCller \u20AC,1\nOst\u00E9,2\n";

TEST(Encoding, Utf8PassesAsItIsWhateverThePieces) {
  for (std::size_t size = 1; size < 30; ++size) {
    const Read read = read_as(kText, "", size);
    EXPECT_EQ(read.text, kText) << size;
    EXPECT_EQ(read.found, "") << size;
  }
}

TEST(Encoding, Windows1252IsFoundAtTheFirstByteThatTells) {
  for (std::size_t size = 1; size < 30; ++size) {
    const Read read = read_as(kLatin, "", size);
    EXPECT_EQ(read.text, kText) << size;
    EXPECT_EQ(read.found, "Windows-1252 (Latin-1)") << size;
  }
  EXPECT_EQ(read_as(std::string(100'000, 'a') + kLatin).text, std::string(100'000, 'a') + kText);
}

TEST(Encoding, Utf16IsFoundByItsMark) {
  for (const bool big : {false, true}) {
    for (std::size_t size = 1; size < 10; ++size) {
      const Read read = read_as((big ? "\xFE\xFF" : "\xFF\xFE") + utf16(kWide, big), "", size);
      EXPECT_EQ(read.text, kText) << size;
      EXPECT_EQ(read.found, "UTF-16") << size;
    }
    EXPECT_EQ(read_as(utf16(kWide, big), "utf-16").text, kText);
  }
}

TEST(Encoding, WhatIsToldIsNotDoubted) {
  EXPECT_EQ(read_as(kLatin, "latin-1").text, kText);
  EXPECT_EQ(read_as(kLatin, "cp1252").text, kText);
  EXPECT_EQ(read_as(kLatin, "utf-8").text, kLatin) << "the reader says where it is wrong";
  EXPECT_EQ(read_as("\x8Fter", "macintosh").text, "\xC3\xA8ter");
  EXPECT_THAT(complaint([] { (void)read_as("a", "klingon"); }), HasSubstr("\"klingon\""));
}

TEST(Encoding, AByteThatIsWrongInUtf8OrBinaryIsLeftToTheReader) {
  const std::string one = kText + "caf\xE9\n";
  EXPECT_EQ(read_as(one).text, one);
  const std::string binary("\xE9\0\x01\xFF", 4);
  EXPECT_EQ(read_as(binary).text, binary);
}

TEST(Encoding, HalfACharacterIsAnError) {
  EXPECT_THAT(complaint([] {
                (void)read_as(
                    std::string("\xFF\xFE"
                                "a",
                                3));
              }),
              HasSubstr("t.csv: is not UTF-16LE"));
}

}  // namespace
}  // namespace medley::data
