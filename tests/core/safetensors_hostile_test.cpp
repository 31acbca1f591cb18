// SPDX-License-Identifier: Apache-2.0
// Broken and hostile files: every one is refused in words, or is harmless.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>

#include "core/safetensors.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"
#include "support/quick.hpp"

namespace medley::core {
namespace {

using ::testing::HasSubstr;

std::string file_with(const std::string& header, std::size_t data_size) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data_size, '\1');
}

std::string refusal(const std::string& bytes) {
  try {
    (void)parse_tensors(bytes, "m.medley");
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("m.medley: not a Medley model file ("));
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

std::string tensor(const std::string& name, const std::string& dtype, const std::string& shape,
                   const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

std::string small_valid_file() {
  TensorFile file;
  file.metadata["k"] = "v";
  file.put("a", std::vector<double>{1.0, 2.0});
  file.put("b", std::vector<float>{3.0F});
  file.put_strings("s", {"x", "yz"});
  return serialise_tensors(file);
}

TEST(HostileTensors, EveryTruncationIsRefused) {
  const std::string bytes = small_valid_file();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW((void)parse_tensors(std::string_view(bytes).substr(0, size), "f"), InputError)
        << size;
  }
  EXPECT_NO_THROW((void)parse_tensors(bytes, "f"));
}

TEST(HostileTensors, AnythingAppendedIsRefused) {
  EXPECT_THAT(refusal(small_valid_file() + "x"), HasSubstr("1 bytes follow the last tensor"));
}

TEST(HostileTensors, EveryCorruptedByteIsReadOrRefused) {
  const std::string bytes = small_valid_file();
  std::size_t refused = 0;
  const std::size_t step = test::quick() ? 11 : 1;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (std::size_t value = i % step; value < 256; value += step) {
      std::string broken = bytes;
      broken[i] = static_cast<char>(value);
      try {
        const TensorFile file = parse_tensors(broken, "f");
        if (file.has("s")) (void)file.strings("s");
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 256u / step);
}

TEST(HostileTensors, AHugeHeaderLengthIsRefusedWithBothNumbers) {
  std::string bytes(512, ' ');
  const std::uint64_t length = 123456789012;
  std::memcpy(bytes.data(), &length, 8);
  EXPECT_EQ(refusal(bytes),
            "m.medley: not a Medley model file (the header says 123456789012 bytes, the file has "
            "512; was the file cut short?)");
  std::memset(bytes.data(), 0xff, 8);
  EXPECT_THAT(refusal(bytes), HasSubstr("18446744073709551615"));
}

TEST(HostileTensors, ATextFileIsCalledOne) {
  EXPECT_EQ(refusal("q1,q2,q3\nyes,no,yes\n"),
            "m.medley: not a Medley model file (it begins like a text file)");
  EXPECT_THAT(refusal("Größe;Alter\n1;2\n"), HasSubstr("text file"));
  EXPECT_THAT(refusal("nr;Gr\xF6\xDF"
                      "e\n1;2\n"),
              HasSubstr("text file"));                                                    // Latin-1
  EXPECT_THAT(refusal(std::string("\xFF\xFEn\0r\0;\0g\0", 10)), HasSubstr("text file"));  // UTF-16
}

TEST(HostileTensors, AHeaderLongerThanTheLimitIsRefusedBeforeItIsRead) {
  EXPECT_THAT(refusal(file_with(std::string((64u << 20) + 1, ' '), 0)), HasSubstr("at most"));
}

TEST(HostileTensors, OverlapsHolesAndWrongSizesAreRefused) {
  const std::string a = tensor("a", "U8", "[4]", "[0,4]");
  EXPECT_NO_THROW((void)parse_tensors(
      file_with("{" + a + "," + tensor("b", "U8", "[4]", "[4,8]") + "}", 8), "f"));
  const auto with_second = [&](const std::string& second, std::size_t size) {
    return refusal(file_with("{" + a + "," + second + "}", size));
  };
  EXPECT_THAT(with_second(tensor("b", "U8", "[4]", "[3,7]"), 7), HasSubstr("overlaps"));
  EXPECT_THAT(with_second(tensor("b", "U8", "[4]", "[0,4]"), 4), HasSubstr("overlaps"));
  EXPECT_THAT(with_second(tensor("b", "U8", "[4]", "[5,9]"), 9), HasSubstr("hole"));
  EXPECT_THAT(with_second(tensor("b", "U8", "[5]", "[4,8]"), 8), HasSubstr("needs 5 bytes"));
  EXPECT_THAT(with_second(tensor("b", "U8", "[4]", "[8,4]"), 8), HasSubstr("needs 4 bytes"));
  EXPECT_THAT(with_second(tensor("b", "U8", "[9]", "[4,13]"), 8), HasSubstr("cut short"));
  EXPECT_THAT(with_second(tensor("b", "U8", "[4]", "[4]"), 8), HasSubstr("two numbers"));
  EXPECT_THAT(with_second(tensor("b", "U8", "[4]", "[4,8,8]"), 8), HasSubstr("two numbers"));
}

TEST(HostileTensors, ShapesThatOverflowAreRefused) {
  const auto with = [](const std::string& type, const std::string& shape) {
    return refusal(file_with("{" + tensor("a", type, shape, "[0,0]") + "}", 0));
  };
  EXPECT_THAT(with("U8", "[4294967296,4294967296]"), HasSubstr("too large"));
  EXPECT_THAT(with("F64", "[2305843009213693952]"), HasSubstr("too large"));
  EXPECT_THAT(with("F64", "[18446744073709551615]"), HasSubstr("too large"));
  EXPECT_THAT(with("U8", "[-1]"), HasSubstr("negative"));
  EXPECT_THAT(with("U8", "[99999999999999999999]"), HasSubstr("where none belongs"));
  EXPECT_THAT(with("U8", "[0.0]"), HasSubstr("where none belongs"));
  EXPECT_THAT(with("U8", "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]"), HasSubstr("dimensions"));
}

TEST(HostileTensors, UnknownTypesAndFieldsAreRefused) {
  EXPECT_THAT(refusal(file_with("{" + tensor("a", "BF16", "[0]", "[0,0]") + "}", 0)),
              HasSubstr("BF16"));
  EXPECT_THAT(refusal(file_with(R"({"a":{"dtype":"U8","code":"os.system"}})", 0)),
              HasSubstr("unknown field \"code\""));
  EXPECT_THAT(refusal(file_with(R"({"a":{"dtype":"U8","shape":[0]}})", 0)), HasSubstr("lacks"));
  EXPECT_THAT(refusal(file_with(R"({"__metadata__":{"a":1}})", 0)), HasSubstr("a number"));
  EXPECT_THAT(refusal(file_with(R"({"__metadata__":"a"})", 0)), HasSubstr("a string"));
  for (const char* header :
       {"", "[]", "null", "3", "\"a\"", "{}{}", "{", "{\"a\"", "{\"\xff\":{}}"}) {
    EXPECT_NE(refusal(file_with(header, 0)), "") << header;
  }
}

TEST(HostileTensors, DuplicateKeysAreRefusedAtEveryLevel) {
  const std::string a = tensor("a", "U8", "[0]", "[0,0]");
  EXPECT_THAT(refusal(file_with("{" + a + "," + a + "}", 0)), HasSubstr("\"a\" twice"));
  EXPECT_THAT(refusal(file_with(R"({"__metadata__":{},"__metadata__":{}})", 0)),
              HasSubstr("\"__metadata__\" twice"));
  EXPECT_THAT(refusal(file_with(R"({"__metadata__":{"k":"1","k":"2"}})", 0)),
              HasSubstr("\"k\" twice"));
  EXPECT_THAT(refusal(file_with(R"({"a":{"dtype":"U8","dtype":"U8"}})", 0)),
              HasSubstr("\"dtype\" twice"));
}

TEST(HostileTensors, DeepNestingIsRefusedAtOnce) {
  constexpr std::size_t kDepth = 100000;
  EXPECT_THAT(refusal(file_with(std::string(kDepth, '['), 0)), HasSubstr("an array"));
  std::string objects;
  for (std::size_t i = 0; i < kDepth; ++i) objects += "{\"a\":";
  EXPECT_NE(refusal(file_with(objects, 0)), "");
  EXPECT_NE(refusal(file_with("{\"a\":{\"shape\":" + std::string(kDepth, '['), 0)), "");
}

TEST(HostileTensors, ControlCharactersInNamesDoNotReachTheMessage) {
  const std::string message =
      refusal(file_with(R"({"\u001b[31m\n":{"dtype":"U8","shape":[1],"data_offsets":[0,0]}})", 0));
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(HostileTensors, OnlyRegularFilesAreLoaded) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW((void)load_tensors(folder / "absent"), InputError);
  EXPECT_THROW((void)load_tensors(folder / "."), InputError);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW((void)load_tensors(folder / "pipe"), InputError);
  testing::put_content(folder / "empty", "");
  EXPECT_THROW((void)load_tensors(folder / "empty"), InputError);
}

// A file with a hole of 8 TB, which takes no room on disk.
TEST(HostileTensors, AFileLargerThanMemoryIsRefusedBeforeAllocation) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / "sparse",
                       file_with("{" + tensor("a", "U8", "[1]", "[0,1]") + "}", 1));
  std::error_code error;
  std::filesystem::resize_file(folder / "sparse", std::uintmax_t{8} << 40, error);
  if (error) GTEST_SKIP() << "this file system has no such large files";
  EXPECT_THROW((void)load_tensors(folder / "sparse"), RunError);
}

}  // namespace
}  // namespace medley::core
