// SPDX-License-Identifier: Apache-2.0
// Stream files: what is written comes back, any rows of it, and every way of damaging a file is
// answered in words.
#include "data/stream_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/safetensors.hpp"
#include "data/same_data.hpp"
#include "data/select_rows.hpp"
#include "data/stream_layout.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

using testing::content_of;
using testing::expect_same_data;
using ::testing::HasSubstr;
using testing::put_content;
using testing::TemporaryFolder;

// Levels, words, numbers, ids, weights and a label: everything a data set can hold.
Dataset everything(const TemporaryFolder& folder, std::size_t rows) {
  std::string table = "who,a,b,height,visits,w,class\n";
  for (std::size_t i = 0; i < rows; ++i) {
    core::Rng rng(5, 9, i);
    table += "p" + std::to_string(i) + "," + (rng.uniform() < 0.5 ? "yes" : "no") + "," +
             (i % 7 == 0 ? "" : std::to_string(rng.below(4))) + "," +
             (i % 5 == 0 ? "" : std::to_string(150 + 10 * rng.normal())) + "," +
             std::to_string(rng.below(9)) + "," + std::to_string(1 + rng.below(3)) + "," +
             (i % 11 == 0  ? ""
              : i % 3 == 0 ? "left"
                           : "right") +
             "\n";
  }
  put_content(folder / "table.csv", table);
  put_content(folder / "corpus.ldac", test::corpus_ldac(rows));
  ReadOptions options;
  options.label = "class";
  options.weight = "w";
  options.family = {{"visits", "poisson"}, {"b", "categorical"}};
  options.ignore = {"who"};
  options.keep = {"who"};
  return read({{"people", folder / "table.csv"}, {"text", folder / "corpus.ldac"}}, options);
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

TEST(StreamFile, GivesBackEverythingThatWasWritten) {
  const TemporaryFolder folder;
  const Dataset data = everything(folder, 200);
  ASSERT_GE(data.blocks.size(), 4U);
  write_stream(data, folder / "all.stream");
  const Dataset back = read({{"", folder / "all.stream"}}, {});
  expect_same_data(data, back);
  EXPECT_EQ(to_toml(back.schema), to_toml(data.schema));
  for (std::size_t b = 0; b < data.blocks.size(); ++b)
    EXPECT_EQ(back.blocks[b].missing, data.blocks[b].missing);
}

TEST(StreamFile, IdsComeBack) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.id = "who";
  put_content(folder / "t.csv", "who,a,b\nx y,1,no\n\xC3\xA4,2,yes\nz,2,yes\n");
  const Dataset data = read({{"", folder / "t.csv"}}, options);
  ASSERT_EQ(data.ids.size(), 3U);
  write_stream(data, folder / "t.stream");
  expect_same_data(data, read({{"", folder / "t.stream"}}, {}));
}

TEST(StreamFile, AnyRowsAreThoseOfTheDataInMemory) {
  const TemporaryFolder folder;
  const Dataset data = everything(folder, 300);
  write_stream(data, folder / "all.stream");
  const auto file = open_stream(folder / "all.stream");
  EXPECT_EQ(file->rows(), 300U);
  EXPECT_EQ(file->shape().rows, 0U);
  const std::vector<RowRange> ranges = {{0, 1}, {62, 67}, {128, 192}, {250, 300}};
  std::vector<std::size_t> rows;
  for (const RowRange& range : ranges) {
    for (std::size_t row = range.begin; row < range.end; ++row) rows.push_back(row);
  }
  expect_same_data(data::select_rows(data, rows), file->batch(ranges));
}

TEST(StreamFile, TheSizesOfTheAppendsDoNotShow) {
  const TemporaryFolder folder;
  const Dataset data = everything(folder, 150);
  write_stream(data, folder / "once.stream");
  StreamWriter writer(folder / "pieces.stream");
  for (std::size_t begin = 0; begin < 150; begin += 37) {
    std::vector<std::size_t> rows;
    for (std::size_t row = begin; row < std::min<std::size_t>(150, begin + 37); ++row)
      rows.push_back(row);
    Dataset some = data::select_rows(data, rows);
    for (std::size_t b = 0; begin == 0 && b < some.blocks.size(); ++b)
      some.blocks[b].missing = data.blocks[b].missing;
    writer.append(some);
  }
  writer.finish(data.schema);
  EXPECT_EQ(content_of(folder / "once.stream"), content_of(folder / "pieces.stream"));
}

TEST(StreamFile, IsKnownByItsContentAndReadByAModelsSchema) {
  const TemporaryFolder folder;
  const Dataset data = test::corpus(80);
  write_stream(data, folder / "odd.csv");
  EXPECT_TRUE(is_stream(folder / "odd.csv"));
  Schema fewer = data.schema;
  fewer.sources[0].name = "words";
  std::vector<std::string>& words = fewer.sources[0].columns[0].levels;
  words = {words[4], words[1], "unheard-of"};
  ReadOptions options;
  options.schema = fewer;
  const Dataset read_back = read({{"", folder / "odd.csv"}}, options);
  put_content(folder / "corpus.ldac", test::corpus_ldac(80));
  put_content(folder / "corpus_vocab.txt", "0\n1\n2\n3\n4\n5\n");
  expect_same_data(read({{"", folder / "corpus.ldac"}}, options), read_back);
}

TEST(StreamFile, LdacAndDocwordAreConvertedAsIfTheyWereLoaded) {
  const TemporaryFolder folder;
  put_content(folder / "c.ldac", test::corpus_ldac(9000) + "0\n");
  const StreamedData done = convert_to_stream({{"", folder / "c.ldac"}}, {}, folder / "c.stream");
  EXPECT_FALSE(done.loaded);
  EXPECT_EQ(done.rows, 9001U);
  const Dataset data = read({{"", folder / "c.ldac"}}, {});
  expect_same_data(data, read({{"", folder / "c.stream"}}, {}));

  std::string body;
  std::size_t entries = 0;
  for (std::size_t row = 0; row < 5000; row += 2) {  // every other document is empty
    body += std::to_string(row + 1) + " " + std::to_string(row % 9 + 1) + " 2\n";
    body += std::to_string(row + 1) + " " + std::to_string(row % 5 + 3) + " 1\n";
    entries += 2;
  }
  put_content(folder / "docword.d.txt", "5003\n9\n" + std::to_string(entries) + "\n" + body);
  EXPECT_FALSE(convert_to_stream({{"", folder / "docword.d.txt"}}, {}, folder / "d.stream").loaded);
  expect_same_data(read({{"", folder / "docword.d.txt"}}, {}),
                   read({{"", folder / "d.stream"}}, {}));

  put_content(folder / "docword.e.txt", "2\n2\n3\n2 1 1\n1 1 1\n2 2 1\n");
  EXPECT_TRUE(convert_to_stream({{"", folder / "docword.e.txt"}}, {}, folder / "e.stream").loaded);
  expect_same_data(read({{"", folder / "docword.e.txt"}}, {}),
                   read({{"", folder / "e.stream"}}, {}));
}

TEST(StreamFile, ABrokenSourceLeavesNothingBehind) {
  const TemporaryFolder folder;
  put_content(folder / "c.ldac", test::corpus_ldac(5000) + "2 1:1\n");
  EXPECT_THAT(error_of([&] {
                (void)convert_to_stream({{"", folder / "c.ldac"}}, {}, folder / "c.stream");
              }),
              HasSubstr("c.ldac:5001: 2 pairs are announced, 1 follow"));
  EXPECT_EQ(folder.entries(), 1U);
}

// Every byte behind the header belongs to some array, and every array is checked.
TEST(StreamFile, AnyChangedByteIsNoticed) {
  const TemporaryFolder folder;
  write_stream(everything(folder, 70), folder / "whole.stream");
  const std::string bytes = content_of(folder / "whole.stream");
  std::uint64_t header = 0;
  for (std::size_t i = 8; i-- > 0;) header = header << 8U | static_cast<unsigned char>(bytes[i]);
  for (std::size_t at = 8 + header; at < bytes.size(); at += 97) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 16);
    put_content(folder / "changed.stream", changed);
    EXPECT_THROW((void)read({{"", folder / "changed.stream"}}, {}), InputError) << at;
  }
}

TEST(StreamFile, AnyTruncationIsNoticed) {
  const TemporaryFolder folder;
  write_stream(everything(folder, 70), folder / "whole.stream");
  const std::string bytes = content_of(folder / "whole.stream");
  for (std::size_t size = 0; size < bytes.size(); size += 211) {
    put_content(folder / "cut.stream", bytes.substr(0, size));
    const std::string error = error_of([&] { (void)open_stream(folder / "cut.stream"); });
    EXPECT_THAT(error, HasSubstr("is no whole stream file")) << size;
  }
}

TEST(StreamFile, TruncatedWhileItIsRead) {
  const TemporaryFolder folder;
  write_stream(test::corpus(1000), folder / "c.stream");
  const auto file = open_stream(folder / "c.stream");
  (void)file->batch(0, 100);
  std::filesystem::resize_file(folder / "c.stream",
                               std::filesystem::file_size(folder / "c.stream") / 3);
  EXPECT_THAT(error_of([&] { (void)file->batch(900, 1000); }), HasSubstr("somebody cut it short"));
}

// Files that are sound as containers, checksums included, but lie about what they hold.
TEST(StreamFile, LiesWithRightChecksumsAreRefused) {
  const TemporaryFolder folder;
  const Dataset data = everything(folder, 70);
  write_stream(data, folder / "whole.stream");
  const auto refused = [&](const std::function<void(core::TensorFile&)>& lie) {
    core::TensorFile file = core::load_tensors(folder / "whole.stream");
    lie(file);
    core::save_tensors(file, folder / "lie.stream");
    return error_of([&] { (void)read({{"", folder / "lie.stream"}}, {}); });
  };
  const auto recheck = [](core::TensorFile& file, const std::string& name) {
    const auto& offsets = std::get<std::vector<std::int64_t>>(file.tensors.at(name).values);
    auto& checks = std::get<std::vector<std::uint32_t>>(file.tensors.at(name + ".crc").values);
    checks[0] = data::checksum(offsets.data(), 65 * sizeof offsets[0]);
  };
  EXPECT_THAT(refused([](core::TensorFile& f) { f.metadata["rows"] = "71"; }), HasSubstr("71"));
  EXPECT_THAT(refused([](core::TensorFile& f) { f.metadata["rows"] = "0"; }), HasSubstr("rows"));
  EXPECT_THAT(refused([](core::TensorFile& f) { f.metadata["rows_per_piece"] = "64000000000"; }),
              HasSubstr("rows"));
  EXPECT_THAT(refused([](core::TensorFile& f) { f.metadata["format_version"] = "2"; }),
              HasSubstr("stream format \"2\""));
  EXPECT_THAT(refused([](core::TensorFile& f) { f.tensors.erase("block.0.slot"); }),
              HasSubstr("lacks the array \"block.0.slot\""));
  EXPECT_THAT(refused([&](core::TensorFile& f) {
                auto& starts =
                    std::get<std::vector<std::int64_t>>(f.tensors.at("block.0.row_start").values);
                starts[5] = starts[9] + 1;
                recheck(f, "block.0.row_start");
              }),
              HasSubstr("out of order"));
  EXPECT_THAT(refused([&](core::TensorFile& f) {
                auto& starts =
                    std::get<std::vector<std::int64_t>>(f.tensors.at("block.0.row_start").values);
                starts[64] = std::int64_t{1} << 60;
                recheck(f, "block.0.row_start");
              }),
              HasSubstr("out of order"));
  EXPECT_THAT(refused([&](core::TensorFile& f) {
                auto& tensor = f.tensors.at("block.0.slot");
                auto& slots = std::get<std::vector<std::uint32_t>>(tensor.values);
                slots[3] = 4'000'000;
                const auto end = static_cast<std::size_t>(std::get<std::vector<std::int64_t>>(
                    f.tensors.at("block.0.row_start").values)[64]);
                std::get<std::vector<std::uint32_t>>(f.tensors.at("block.0.slot.crc").values)[0] =
                    data::checksum(slots.data(), end * sizeof slots[0]);
              }),
              HasSubstr("makes no sense"));
}

TEST(StreamFile, OptionsThatOnlyAConversionCanFollowAreRefused) {
  const TemporaryFolder folder;
  write_stream(test::survey(50), folder / "s.stream");
  ReadOptions options;
  options.label = "unheard-of";
  EXPECT_THAT(error_of([&] { (void)read({{"", folder / "s.stream"}}, options); }),
              HasSubstr("`label=\"unheard-of\"`"));
  options = {};
  options.family = {{"a", "categorical"}};
  EXPECT_THAT(error_of([&] { (void)open_stream(folder / "s.stream", options); }),
              HasSubstr("`column=\"a=categorical\"`"));
  EXPECT_THAT(
      error_of([&] { (void)read({{"x", folder / "s.stream"}, {"y", folder / "s.stream"}}, {}); }),
      HasSubstr("give it alone"));
  options = {};
  options.memory_limit = 1000;
  EXPECT_THAT(error_of([&] { (void)read({{"", folder / "s.stream"}}, options); }),
              HasSubstr("`batch=N`"));
  options = {};
  options.label = "kind";
  EXPECT_EQ(read({{"", folder / "s.stream"}}, options).schema.find("kind")->role, Role::label);
}

}  // namespace
}  // namespace medley
