// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "core/safetensors.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

using ::testing::HasSubstr;

/// Bitwise equality, because NaN is a value too.
bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.shape != b.shape || a.values.index() != b.values.index()) return false;
  return std::visit(
      [&](const auto& left) {
        const auto& right = std::get<std::decay_t<decltype(left)>>(b.values);
        return left.size() == right.size() &&
               (left.empty() ||
                std::memcmp(left.data(), right.data(), left.size() * sizeof(left[0])) == 0);
      },
      a.values);
}

bool same(const TensorFile& a, const TensorFile& b) {
  if (a.metadata != b.metadata || a.tensors.size() != b.tensors.size()) return false;
  for (const auto& [name, tensor] : a.tensors) {
    if (!b.tensors.contains(name) || !same_bits(tensor, b.tensors.at(name))) return false;
  }
  return true;
}

/// UTF-8 text of any code points, the awkward ones often.
rc::Gen<std::string> nasty_text() {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{
      "a", "\"", "\\", "\n", std::string(1, '\0'), "\x7f", "\x1f", "é", "\u2028", "\U0001F600", "{",
      "}", "[", ":", ",", " ", "__metadata__", "../", "\\u0000"});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& p : pieces) text += p;
                        return text;
                      });
}

Tensor random_tensor() {
  const auto rows = *rc::gen::inRange<std::uint64_t>(0, 5);
  const auto columns = *rc::gen::inRange<std::uint64_t>(0, 4);
  const std::size_t size = rows * columns;
  Tensor tensor{{rows, columns}, {}};
  switch (*rc::gen::inRange(0, 4)) {
    case 0: {
      std::vector<double> values;
      for (const auto bits : *rc::gen::container<std::vector<std::uint64_t>>(
               size, rc::gen::arbitrary<std::uint64_t>())) {
        values.push_back(std::bit_cast<double>(bits));
      }
      tensor.values = values;
      break;
    }
    case 1:
      tensor.values =
          *rc::gen::container<std::vector<std::int64_t>>(size, rc::gen::arbitrary<std::int64_t>());
      break;
    case 2:
      tensor.values = *rc::gen::container<std::vector<float>>(size, rc::gen::arbitrary<float>());
      break;
    default:
      tensor.values =
          *rc::gen::container<std::vector<std::uint8_t>>(size, rc::gen::arbitrary<std::uint8_t>());
  }
  return tensor;
}

TensorFile random_file() {
  TensorFile file;
  const int entries = *rc::gen::inRange(0, 6);
  for (int i = 0; i < entries; ++i) file.metadata[*nasty_text()] = *nasty_text();
  const int tensors = *rc::gen::inRange(0, 6);
  for (int i = 0; i < tensors; ++i) file.tensors[(*nasty_text()).append("t")] = random_tensor();
  return file;
}

TensorFile small_file() {
  TensorFile file;
  file.metadata["format"] = "medley 1";
  file.put("alpha", std::vector<double>{0.5, -2.0});
  file.put("table", std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}, {2, 3});
  file.put("counts", std::vector<std::int64_t>{7, -1});
  file.put_strings("words", {"", "naïve", "b\nc"});
  return file;
}

TEST(Safetensors, WhatIsWrittenIsRead) {
  EXPECT_TRUE(rc::check([] {
    const TensorFile file = random_file();
    const std::string bytes = serialise_tensors(file);
    RC_ASSERT(same(parse_tensors(bytes, "memory"), file));
    RC_ASSERT(serialise_tensors(parse_tensors(bytes, "memory")) == bytes);
  }));
}

TEST(Safetensors, StringsOfAnyBytesAreReadBack) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& strings) {
    TensorFile file;
    file.put_strings("s", strings);
    RC_ASSERT(file.has("s"));
    RC_ASSERT(parse_tensors(serialise_tensors(file), "memory").strings("s") == strings);
  }));
}

TEST(Safetensors, TheFileOnDiskHoldsTheSerialisedBytes) {
  const testing::TemporaryFolder folder;
  const TensorFile file = small_file();
  save_tensors(file, folder / "m.medley");
  EXPECT_EQ(testing::content_of(folder / "m.medley"), serialise_tensors(file));
  const TensorFile read = load_tensors(folder / "m.medley");
  EXPECT_TRUE(same(read, file));
  EXPECT_EQ(read.origin, folder / "m.medley");
}

TEST(Safetensors, EqualContentPutInAnotherOrderGivesEqualBytes) {
  TensorFile other;
  other.put_strings("words", {"", "naïve", "b\nc"});
  other.put("table", std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}, {2, 3});
  other.put("counts", std::vector<std::int64_t>{7, -1});
  other.put("alpha", std::vector<double>{0.5, -2.0});
  other.metadata["format"] = "medley 1";
  EXPECT_EQ(serialise_tensors(other), serialise_tensors(small_file()));
}

TEST(Safetensors, TheDataIsAlignedAndOrderedByElementSizeThenName) {
  const std::string bytes = serialise_tensors(small_file());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  EXPECT_EQ((8 + length) % 64, 0u);
  const std::string header = bytes.substr(8, length);
  std::size_t last = 0;
  for (const char* name : {"alpha", "counts", "words.offsets", "table", "words.bytes"}) {
    const std::size_t found = header.find(std::string("\"").append(name).append("\":"));
    ASSERT_NE(found, std::string::npos) << name;
    EXPECT_GT(found, last) << name;
    last = found;
  }
  double first = 0.0;
  std::memcpy(&first, bytes.data() + 8 + length, sizeof first);
  EXPECT_EQ(first, 0.5);
}

// Written by hand with another language's standard library:
//   h = json.dumps({"b": {"dtype": "I64", "shape": [2], "data_offsets": [8, 24]},
//       "a": {"dtype": "F64", "shape": [], "data_offsets": [0, 8]},
//       "__metadata__": {"who": "caf\u00e9"}}).encode()
//   struct.pack("<Q", len(h)) + h + struct.pack("<dqq", 1.5, -2, 2**40)
TEST(Safetensors, AFileOfAnotherWriterIsRead) {
  const std::string header = R"({"b": {"dtype": "I64", "shape": [2], "data_offsets": [8, 24]}, )"
                             R"("a": {"dtype": "F64", "shape": [], "data_offsets": [0, 8]}, )"
                             R"("__metadata__": {"who": "caf\u00e9"}})";
  ASSERT_EQ(header.size(), 160u);
  const std::string length("\xa0\0\0\0\0\0\0\0", 8);
  const std::string data(
      "\0\0\0\0\0\0\xf8\x3f"
      "\xfe\xff\xff\xff\xff\xff\xff\xff"
      "\0\0\0\0\0\1\0\0",
      24);
  const TensorFile file = parse_tensors(length + header + data, "fixture");
  EXPECT_EQ(file.meta("who"), "café");
  EXPECT_EQ(file.doubles("a", 1), std::vector<double>{1.5});
  EXPECT_TRUE(file.tensors.at("a").shape.empty());
  EXPECT_EQ(file.integers("b", 2), (std::vector<std::int64_t>{-2, std::int64_t{1} << 40}));
}

TEST(Safetensors, AccessorsRefuseWhatIsAbsentOfAnotherTypeOrSize) {
  const TensorFile file = parse_tensors(serialise_tensors(small_file()), "m.medley");
  EXPECT_THROW((void)file.doubles("beta"), InputError);
  EXPECT_THROW((void)file.floats("alpha"), InputError);
  EXPECT_THROW((void)file.doubles("alpha", 3), InputError);
  EXPECT_THROW((void)file.strings("alpha"), InputError);
  EXPECT_FALSE(file.has("beta"));
  try {
    (void)file.meta("schema");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("m.medley: lacks the entry \"schema\""));
  }
}

TEST(Safetensors, StringOffsetsOutOfOrderAreRefused) {
  TensorFile file;
  file.put_strings("s", {"ab", "c"});
  for (const auto& offsets : {std::vector<std::int64_t>{0, 4, 3},
                              {0, -1, 3},
                              {1, 2, 3},
                              {0, 2, 2},
                              {0, 2, std::numeric_limits<std::int64_t>::max()},
                              {}}) {
    file.put("s.offsets", offsets);
    EXPECT_THROW((void)file.strings("s"), InputError);
  }
}

TEST(Safetensors, AShapeOtherThanItsValuesIsNotWritten) {
  TensorFile file;
  file.put("a", std::vector<double>{1.0, 2.0}, {3});
  EXPECT_THROW((void)serialise_tensors(file), std::logic_error);
}

TEST(Safetensors, MetadataOtherThanUtf8IsRefusedWithARemedy) {
  TensorFile file;
  file.metadata["name"] = "caf\xe9";
  try {
    (void)serialise_tensors(file);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("UTF-8"));
  }
}

}  // namespace
}  // namespace medley::core
