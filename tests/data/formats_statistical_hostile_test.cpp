// SPDX-License-Identifier: Apache-2.0
// SPSS, Stata and SAS files that were cut or changed: an InputError in words or a table in shape,
// never a crash, a hang or a child left behind.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "core/child_process.hpp"
#include "core/temporary_folder.hpp"
#include "data/formats/statistical.hpp"
#include "data/statistical_writer.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

using namespace medley::testing;

StatisticalFile small_file(Format format) {
  StatisticalFile file;
  file.format = format;
  file.variables = {{"Q", Storage::number, {}, 8, {{1.0, "yes"}, {2.0, "no"}}},
                    {"T", Storage::text, {}, 10}};
  if (format == Format::sav || format == Format::por) file.variables[0].missing = {{9.0, 9.0}};
  if (format == Format::sas7bdat || format == Format::xpt) file.variables[0].labels.clear();
  file.rows = {{1.0, "one"}, {2.0, "two"}, {9.0, "three"}, {SystemMissing(), "four"}};
  return file;
}

class HostileStatistical : public ::testing::TestWithParam<Format> {
 protected:
  void TearDown() override {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  /// The number of rows read, or -1 if the bytes were refused.
  int rows_of(const std::string& bytes) {
    put_content(path_, bytes);
    StatisticalOptions options;
    options.format = GetParam();
    options.memory_limit = std::size_t{64} << 20;
    options.processor_seconds = 2;
    try {
      const RawTable table = read_statistical(path_, options);
      for (const RawColumn& column : table.columns) {
        EXPECT_EQ(column.code.size(), table.line.size());
        for (const std::uint32_t code : column.code)
          EXPECT_TRUE(code == kMissingCode || code < column.distinct.size());
      }
      return static_cast<int>(table.line.size());
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(path_ + ": "), std::string::npos) << error.what();
      return -1;
    }
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "file";
};

TEST_P(HostileStatistical, CutAtAnyByte) {
  const std::string whole = written(small_file(GetParam()));
  ASSERT_EQ(rows_of(whole), 4);
  // A fork costs much under sanitizers; SAS files are padded to pages of zeros.
  const std::size_t most = core::kChildMemoryIsLimited ? 3000 : 150;
  const std::size_t step = 1 + whole.size() / most;
  for (std::size_t size = 0; size < whole.size(); size += step) {
    const int rows = rows_of(whole.substr(0, size));
    // Transport files do not say how many rows they have, and end in padding; so may the rest.
    EXPECT_LE(rows, 4) << size;
    if (GetParam() == Format::sav || size < whole.size() / 2) {
      EXPECT_EQ(rows, -1) << "cut at " << size << " of " << whole.size();
    }
  }
}

TEST_P(HostileStatistical, ChangedBytes) {
  const std::string whole = written(small_file(GetParam()));
  std::mt19937 draw(7);
  // Most of what there is to break is in the first part.
  const std::size_t size = std::min<std::size_t>(whole.size(), 6000);
  const int tries = core::kChildMemoryIsLimited ? 600 : 60;
  for (int i = 0; i < tries; ++i) {
    std::string broken = whole;
    for (auto changes = 1 + draw() % 3; changes > 0; --changes) {
      const std::size_t at = draw() % size;
      broken[at] = i % 2 == 0 ? static_cast<char>(broken[at] ^ (1 << draw() % 8))
                              : static_cast<char>(draw());
    }
    (void)rows_of(broken);
  }
}

TEST_P(HostileStatistical, LargestNumbersEverywhere) {
  const std::string whole = written(small_file(GetParam()));
  const std::size_t size = std::min<std::size_t>(whole.size(), 1200);
  const std::size_t step = core::kChildMemoryIsLimited ? 4 : 40;
  for (std::size_t at = 4; at + 4 <= size; at += step) {
    for (const char* four : {"\xFF\xFF\xFF\xFF", "\xFF\xFF\xFF\x7F", "\x7F\xFF\xFF\xFF"}) {
      std::string broken = whole;
      broken.replace(at, 4, four, 4);
      (void)rows_of(broken);
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<Format>& format) {
  static const std::vector<std::string> names = {"sav", "por", "dta", "sas7bdat", "xpt"};
  return names[format.index];
}
INSTANTIATE_TEST_SUITE_P(All, HostileStatistical,
                         ::testing::Values(Format::sav, Format::por, Format::dta, Format::sas7bdat,
                                           Format::xpt),
                         name_of);

}  // namespace
}  // namespace medley::data
