// SPDX-License-Identifier: Apache-2.0
// SPSS, Stata and SAS files that were cut or changed: an InputError in words or a table in shape,
// never a crash, a hang or a child left behind.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <random>
#include <string>
#include <vector>

#include "core/child_process.hpp"
#include "core/temporary_folder.hpp"
#include "data/formats/statistical.hpp"
#include "data/statistical_writer.hpp"
#include "medley/error.hpp"
#include "support/quick.hpp"

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

/// Where the file says something: zeros and blanks are padding, most of them.
std::vector<std::size_t> told_bytes(const std::string& bytes) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    if (bytes[at] != 0 && bytes[at] != ' ') places.push_back(at);
  return places;
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
  // Every byte of the SPSS file in full size, a sample of the others; a fork costs much under
  // sanitizers.
  const std::size_t most = GetParam() == Format::sav && !test::quick() ? 1000 : 250;
  const std::size_t step = 1 + whole.size() / (core::kChildMemoryIsLimited ? most : most / 5);
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
  const std::vector<std::size_t> places = told_bytes(whole);
  std::mt19937 draw(7);
  const int tries = core::kChildMemoryIsLimited ? 200 : 40;
  for (int i = 0; i < tries; ++i) {
    std::string broken = whole;
    for (auto changes = 1 + draw() % 3; changes > 0; --changes) {
      char& byte = broken[places[draw() % places.size()]];
      byte = i % 2 == 0 ? static_cast<char>(byte ^ (1 << draw() % 8)) : static_cast<char>(draw());
    }
    (void)rows_of(broken);
  }
}

TEST_P(HostileStatistical, LargestNumbersEverywhere) {
  const std::string whole = written(small_file(GetParam()));
  const std::vector<std::size_t> places = told_bytes(whole);
  const std::size_t step = 1 + places.size() / (core::kChildMemoryIsLimited ? 70 : 12);
  for (std::size_t i = 0; i < places.size(); i += step) {
    for (const char* four : {"\xFF\xFF\xFF\xFF", "\xFF\xFF\xFF\x7F", "\x7F\xFF\xFF\xFF"}) {
      std::string broken = whole;
      broken.replace(places[i], 4, four, 4);
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
