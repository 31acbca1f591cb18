// SPDX-License-Identifier: Apache-2.0
#include "report/page_pack.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace medley::report {
namespace {

using Json = nlohmann::ordered_json;

// The vectors of RFC 4648.
TEST(PagePack, Base64IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfb\x00", 3)), "//sA");
}

TEST(PagePack, CompressedTextIsGzipAndComesBack) {
  std::string text(100000, 'a');
  for (std::size_t i = 0; i < text.size(); i += 7) text[i] = static_cast<char>(i % 251);
  const std::string packed = compressed(text);
  ASSERT_GT(packed.size(), 18U);
  EXPECT_EQ(packed.substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(packed.substr(4, 4), std::string(4, '\0'));  // no clock in it
  z_stream stream = {};
  ASSERT_EQ(inflateInit2(&stream, 31), Z_OK);
  std::string back(text.size() + 10, '\0');
  std::string from = packed;
  stream.next_in = reinterpret_cast<Bytef*>(from.data());
  stream.avail_in = static_cast<uInt>(from.size());
  stream.next_out = reinterpret_cast<Bytef*>(back.data());
  stream.avail_out = static_cast<uInt>(back.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  back.resize(stream.total_out);
  inflateEnd(&stream);
  EXPECT_EQ(back, text);
}

TEST(PagePack, ArraysLieWhereTheJsonSays) {
  Pack pack;
  Json json;
  const std::vector<std::uint8_t> small = {7, 8, 9};
  json["a"] = pack.bytes(small);
  const std::array<double, 3> numbers = {0.5, -2, std::numeric_limits<double>::infinity()};
  json["b"] = pack.reals(numbers);
  const std::array<double, 4> shares = {0, 1, 0.25, 1.5};
  json["c"] = pack.shares(shares);
  const std::string joined = pack.joined(json);
  std::uint32_t length = 0;
  std::memcpy(&length, joined.data(), 4);
  const Json back = Json::parse(joined.substr(4, length));
  const std::size_t base = (4 + length + 7) / 8 * 8;
  const auto at = [&](const char* name) {
    const auto offset = back.at(name).at("at").get<std::size_t>();
    EXPECT_EQ(offset % 8, 0U);
    return joined.data() + base + offset;
  };
  EXPECT_EQ(at("a")[2], 9);
  std::array<float, 3> reals = {};
  std::memcpy(reals.data(), at("b"), sizeof reals);
  EXPECT_EQ(reals[0], 0.5F);
  EXPECT_EQ(reals[1], -2.0F);
  EXPECT_TRUE(std::isnan(reals[2]));
  std::array<std::uint16_t, 4> steps = {};
  std::memcpy(steps.data(), at("c"), sizeof steps);
  EXPECT_EQ(steps, (std::array<std::uint16_t, 4>{0, 65535, 16384, 65535}));
  EXPECT_EQ(back.at("c").at("n"), 4);
  EXPECT_EQ(back.at("c").at("type"), "u2");
}

TEST(PagePack, TextThatIsNoUtf8StillMakesJson) {
  Json json;
  json["word"] = std::string("\xff</script>");
  const std::string joined = Pack().joined(json);
  std::uint32_t length = 0;
  std::memcpy(&length, joined.data(), 4);
  EXPECT_EQ(Json::parse(joined.substr(4, length)).at("word"), "\xEF\xBF\xBD</script>");
}

}  // namespace
}  // namespace medley::report
