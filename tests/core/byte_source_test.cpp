// SPDX-License-Identifier: Apache-2.0
// Compressed inputs are made by zlib and libzstd themselves.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/decompress.hpp"
#include "core/files.hpp"
#include "support/chunk_source.hpp"

namespace medley::core {
namespace {

using test::ChunkSource;
using test::error_of;
using ::testing::HasSubstr;

std::string all_of(ByteSource& source) {
  std::string text;
  for (std::string_view piece = source.next(); !piece.empty(); piece = source.next()) text += piece;
  return text;
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string zstded(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// Text that compresses, longer than the buffers inside.
std::string long_text() {
  std::string text;
  for (std::uint64_t i = 0; text.size() < 3 * kPieceSize; ++i) text += std::to_string(i * i) + ",";
  return text;
}

std::string undone(const std::string& bytes, std::size_t chunk) {
  return all_of(*decompressed(std::make_unique<ChunkSource>(bytes, chunk, "archive")));
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    path_ = (std::filesystem::temp_directory_path() /
             ("medley_bytes_" + std::to_string(::getpid()) + "_" + std::to_string(++made_)))
                .string();
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static inline int made_ = 0;
  std::string path_;
};

TEST(ByteSource, PlainFileComesBackAsItIs) {
  const std::string text = long_text();
  const TemporaryFile file(text);
  EXPECT_EQ(all_of(*ByteSource::open(file.path())), text);
}

TEST(ByteSource, ArchiveIsKnownByContentNotByName) {
  const TemporaryFile gzip(gzipped("hello")), zstd(zstded("hello"));
  EXPECT_EQ(all_of(*ByteSource::open(gzip.path())), "hello");
  EXPECT_EQ(all_of(*ByteSource::open(zstd.path())), "hello");
}

TEST(ByteSource, DashIsStandardInputAndMayBeAnArchive) {
  const TemporaryFile file(gzipped("hello"));
  const int before = ::dup(STDIN_FILENO);
  const int opened = ::open(file.path().c_str(), O_RDONLY);
  ASSERT_GE(::dup2(opened, STDIN_FILENO), 0);
  const auto source = ByteSource::open("-");
  EXPECT_EQ(source->name(), "standard input");
  EXPECT_EQ(all_of(*source), "hello");
  ::dup2(before, STDIN_FILENO);
  ::close(before);
  ::close(opened);
}

TEST(ByteSource, EmptyFileIsAnEmptyStream) {
  const TemporaryFile file("");
  EXPECT_EQ(all_of(*ByteSource::open(file.path())), "");
}

TEST(ByteSource, MissingFileAndDirectoryAreToldApart) {
  EXPECT_THAT(error_of([] { (void)ByteSource::open("no/such.csv"); }),
              HasSubstr("no/such.csv: no such file"));
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_THAT(error_of([&] { (void)ByteSource::open(folder); }), HasSubstr("is a directory"));
}

TEST(ByteSource, MemoryIsGivenOnceAndNamed) {
  const auto source = ByteSource::from_memory("abc", "name");
  EXPECT_EQ(source->name(), "name");
  EXPECT_EQ(all_of(*source), "abc");
  EXPECT_EQ(source->next(), "");
}

TEST(Decompress, ArchivesOfAnyChunkSizeComeBack) {
  const std::string text = long_text();
  for (const std::size_t chunk : {1U, 7U, 100000U, 100000000U}) {
    EXPECT_EQ(undone(gzipped(text), chunk), text) << chunk;
    EXPECT_EQ(undone(zstded(text), chunk), text) << chunk;
  }
}

TEST(Decompress, ConcatenatedMembersAreOneStream) {
  for (const std::size_t chunk : {1U, 1000U}) {
    EXPECT_EQ(undone(gzipped("one\n") + gzipped("") + gzipped("two\n"), chunk), "one\ntwo\n");
    EXPECT_EQ(undone(zstded("one\n") + zstded("") + zstded("two\n"), chunk), "one\ntwo\n");
    EXPECT_EQ(undone(gzipped("one") + std::string(512, '\0'), chunk), "one");
  }
}

TEST(Decompress, EveryCutIsNoticed) {
  const std::string gzip = gzipped("some text to be cut"), zstd = zstded("some text to be cut");
  for (std::size_t size = 2; size < gzip.size(); ++size)
    EXPECT_THAT(error_of([&] { undone(gzip.substr(0, size), 5); }), HasSubstr("archive: the gzip"));
  for (std::size_t size = 4; size < zstd.size(); ++size)
    EXPECT_THAT(error_of([&] { undone(zstd.substr(0, size), 5); }), HasSubstr("archive: the zstd"));
}

TEST(Decompress, BrokenContentIsAnError) {
  std::string gzip = gzipped("some text to be broken");
  gzip[gzip.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(error_of([&] { undone(gzip, 100); }), HasSubstr("broken"));
  EXPECT_THAT(error_of([&] { undone(gzipped("x") + "garbage", 100); }), HasSubstr("broken"));
  EXPECT_THAT(error_of([&] { undone(zstded("x") + "garbage", 100); }), HasSubstr("broken"));
}

TEST(Decompress, OtherArchivesAreRefusedByName) {
  EXPECT_THAT(error_of([] { undone("PK\x03\x04rest", 1); }), HasSubstr("Excel"));
  EXPECT_THAT(error_of([] { undone("BZh91AY&SY", 1); }), HasSubstr("bzip2"));
  EXPECT_EQ(undone("BZhello,b\n", 1), "BZhello,b\n");
}

TEST(PeekSource, LookingAheadLosesNothing) {
  for (const std::size_t wanted : {0U, 3U, 100U}) {
    PeekSource source(std::make_unique<ChunkSource>("abcdefgh", 2), wanted);
    EXPECT_GE(source.head().size(), std::min<std::size_t>(wanted, 8));
    EXPECT_EQ(all_of(source), "abcdefgh");
  }
}

}  // namespace
}  // namespace medley::core
