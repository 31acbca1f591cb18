// SPDX-License-Identifier: Apache-2.0
#include "data/formats/statistical.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

#include "core/temporary_folder.hpp"
#include "data/formats/detect.hpp"
#include "data/statistical_writer.hpp"
#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

using namespace medley::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using Texts = std::vector<std::string>;

class Statistical : public ::testing::Test {
 protected:
  RawTable read(const StatisticalFile& file, StatisticalOptions options = {}) {
    put_content(path_, written(file));
    options.format = file.format;
    options.warnings = &warnings_;
    return read_statistical(path_, options);
  }
  std::string refusal(const std::string& bytes, Format format, StatisticalOptions options = {}) {
    put_content(path_, bytes);
    options.format = format;
    return test::error_of([&] { (void)read_statistical(path_, options); });
  }
  void TearDown() override {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "file";
  Texts warnings_;
};

/// The cells of a column, "<missing>" where there is none.
Texts cells(const RawColumn& column) {
  Texts out;
  for (const std::uint32_t code : column.code)
    out.push_back(code == kMissingCode ? "<missing>" : column.distinct.at(code));
  return out;
}

/// The same small table in whichever format.
StatisticalFile people(Format format) {
  StatisticalFile file;
  file.format = format;
  file.variables = {{"AGE"}, {"NAME", Storage::text, {}, 12}, {"SCORE"}};
  file.rows = {{31.0, "Zoë", 0.5},
               {SystemMissing(), "", -1e300},
               {100000.0, "Łukasz x", SystemMissing()},
               {-4.0, "日本", 1.0 / 3.0}};
  if (format == Format::por) {  // knows ASCII only
    file.rows[0][1] = "Zoe";
    file.rows[2][1] = "Lukasz x";
    file.rows[3][1] = "Japan";
  }
  return file;
}

class EveryFormat : public Statistical, public ::testing::WithParamInterface<Format> {};

TEST_P(EveryFormat, NumbersTextsAndMissingCells) {
  StatisticalFile file = people(GetParam());
  // Portable files have digits of base 30 (and their writer no whole part beyond 64 bits),
  // transport files exponents of base 16: both round.
  const bool rounds = file.format == Format::por || file.format == Format::xpt;
  if (rounds) file.rows[1][2] = -1e15;
  const RawTable table = read(file);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0].name, "AGE");
  EXPECT_THAT(cells(table.columns[0]), ElementsAre("31", "<missing>", "100000", "-4"));
  const bool ascii = file.format == Format::por;
  EXPECT_THAT(cells(table.columns[1]),
              ElementsAre(ascii ? "Zoe" : "Zoë", "<missing>", ascii ? "Lukasz x" : "Łukasz x",
                          ascii ? "Japan" : "日本"));
  const Texts score = cells(table.columns[2]);
  EXPECT_EQ(score[0], "0.5");
  EXPECT_NEAR(std::stod(score[1]) / std::get<double>(file.rows[1][2]), 1, 1e-12);
  EXPECT_EQ(score[2], "<missing>");
  EXPECT_NEAR(std::stod(score[3]), 1.0 / 3.0, 1e-9);
  if (!rounds) {
    EXPECT_EQ(score[1], "-1e+300");
    EXPECT_EQ(score[3], "0.3333333333333333");
  }
  EXPECT_THAT(table.line, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_P(EveryFormat, ItIsKnownByItsFirstBytes) {
  const std::string bytes = written(people(GetParam()));
  EXPECT_EQ(format_by_magic(bytes), GetParam());
  EXPECT_EQ(format_by_content(bytes), GetParam());
}

TEST_P(EveryFormat, ManyColumns) {
  StatisticalFile file;
  file.format = GetParam();
  const std::size_t width = file.format == Format::sas7bdat ? 300 : 1500;
  file.rows.resize(3);
  for (std::size_t i = 0; i < width; ++i) {
    file.variables.push_back({"V" + std::to_string(i)});
    for (std::size_t row = 0; row < 3; ++row)
      file.rows[row].emplace_back(static_cast<double>(i * 10 + row));
  }
  const RawTable table = read(file);
  ASSERT_EQ(table.columns.size(), width);
  for (std::size_t i = 0; i < width; ++i) {
    EXPECT_EQ(table.columns[i].name, "V" + std::to_string(i));
    EXPECT_EQ(cells(table.columns[i])[2], std::to_string(i * 10 + 2));
  }
}

TEST_P(EveryFormat, ManyRows) {
  StatisticalFile file;
  file.format = GetParam();
  file.variables = {{"A"}, {"B", Storage::text, {}, 20}};
  for (int row = 0; row < 20'000; ++row)
    file.rows.push_back({static_cast<double>(row % 1000), "text " + std::to_string(row % 7)});
  const RawTable table = read(file);
  ASSERT_EQ(table.line.size(), 20'000U);
  const Texts numbers = cells(table.columns[0]), texts = cells(table.columns[1]);
  for (std::size_t row = 0; row < 20'000; ++row) {
    ASSERT_EQ(numbers[row], std::to_string(row % 1000));
    ASSERT_EQ(texts[row], "text " + std::to_string(row % 7));
  }
}

TEST_P(EveryFormat, NoRowsAreRefused) {
  StatisticalFile file = people(GetParam());
  file.rows.clear();
  EXPECT_THAT(refusal(written(file), file.format), HasSubstr("holds variables and no rows"));
}

TEST_P(EveryFormat, TextIsReadToTheLimitOfTheFormat) {
  StatisticalFile file;
  file.format = GetParam();
  const std::size_t width = file.format == Format::sav   ? 1200
                            : file.format == Format::dta ? 2000
                                                         : 200;
  file.variables = {{"T", Storage::text, {}, width}, {"X"}};
  std::string text;
  while (text.size() < width) text += static_cast<char>('a' + text.size() % 26);
  file.rows = {{text, 1.0}, {"short", 2.0}};
  const RawTable table = read(file);
  EXPECT_THAT(cells(table.columns[0]), ElementsAre(text, "short"));
  EXPECT_THAT(cells(table.columns[1]), ElementsAre("1", "2"));
}

std::string name_of(const ::testing::TestParamInfo<Format>& format) {
  static const Texts names = {"sav", "por", "dta", "sas7bdat", "xpt"};
  return names[format.index];
}
INSTANTIATE_TEST_SUITE_P(All, EveryFormat,
                         ::testing::Values(Format::sav, Format::por, Format::dta, Format::sas7bdat,
                                           Format::xpt),
                         name_of);

TEST_F(Statistical, PackedSpssFilesAreReadToo) {
  StatisticalFile file = people(Format::sav);
  file.packed = true;
  const std::string bytes = written(file);
  EXPECT_EQ(bytes.substr(0, 4), "$FL3");
  EXPECT_THAT(cells(read(file).columns[0]), ElementsAre("31", "<missing>", "100000", "-4"));
}

TEST_F(Statistical, EveryVersionOfStataIsKnown) {
  for (const int version : {104, 105, 108, 110, 111, 113, 114, 115, 117, 118, 119}) {
    StatisticalFile file;
    file.format = Format::dta;
    file.version = version;
    file.variables = {{"a"}, {"t", Storage::text, {}, 8}};
    file.rows = {{1.5, "x"}, {2.0, "y"}};
    EXPECT_EQ(format_by_magic(written(file)), Format::dta) << version;
    EXPECT_THAT(cells(read(file).columns[0]), ElementsAre("1.5", "2")) << version;
  }
}

TEST_F(Statistical, SpssValueLabelsAndMissingCodes) {
  StatisticalFile file;
  file.variables = {
      {"health",
       Storage::number,
       {},
       8,
       {{1.0, "good"}, {2.0, "bäd"}, {8.0, "don't know"}, {2.5, "so so"}},
       {{8.0, 8.0}, {-3.0, -1.0}}},
      {"income", Storage::number, {}, 8, {}, {{1e6, 1e9}}},
      {"region", Storage::text, {}, 8, {{"N", "north"}, {"XX", "refused"}}, {}, {"XX"}}};
  file.rows = {{1.0, 2000.5, "N"},
               {8.0, 5e6, "XX"},
               {-2.0, 7e6, "S"},
               {2.5, 5e6, "N"},
               {SystemMissing(), 1e6, ""}};
  const RawTable table = read(file);
  const RawColumn& health = table.columns[0];
  EXPECT_THAT(cells(health), ElementsAre("1", "8", "-2", "2.5", "<missing>"));
  EXPECT_THAT(health.missing_codes, ElementsAre("-3", "-2", "-1", "8"));
  EXPECT_THAT(health.value_labels, ElementsAre(Pair("1", "good"), Pair("2", "bäd"),
                                               Pair("8", "don't know"), Pair("2.5", "so so")));
  // A long range is listed where it occurs.
  EXPECT_THAT(table.columns[1].missing_codes, ElementsAre("5000000", "7000000", "1000000"));
  EXPECT_THAT(table.columns[1].value_labels, IsEmpty());
  EXPECT_THAT(cells(table.columns[2]), ElementsAre("N", "XX", "S", "N", "<missing>"));
  EXPECT_THAT(table.columns[2].missing_codes, ElementsAre("XX"));
  EXPECT_THAT(table.columns[2].value_labels,
              ElementsAre(Pair("N", "north"), Pair("XX", "refused")));
}

TEST_F(Statistical, PortableFilesKeepLabelsAndMissingCodes) {
  StatisticalFile file;
  file.format = Format::por;
  file.variables = {{"Q1", Storage::number, {}, 8, {{1.0, "yes"}, {9.0, "none"}}, {{9.0, 9.0}}}};
  file.rows = {{1.0}, {9.0}, {SystemMissing()}};
  const RawTable table = read(file);
  EXPECT_THAT(cells(table.columns[0]), ElementsAre("1", "9", "<missing>"));
  EXPECT_THAT(table.columns[0].missing_codes, ElementsAre("9"));
  EXPECT_THAT(table.columns[0].value_labels, ElementsAre(Pair("1", "yes"), Pair("9", "none")));
}

TEST_F(Statistical, StataLabelsAndExtendedMissingValues) {
  StatisticalFile file;
  file.format = Format::dta;
  file.variables = {{"q",
                     Storage::byte,
                     {},
                     8,
                     {{1.0, "yes"}, {2.0, "no"}, {Tag{'a'}, "refused"}, {Tag{'z'}, "not asked"}}},
                    {"x", Storage::single}};
  file.rows = {{1.0, 0.1}, {Tag{'a'}, -2.0}, {SystemMissing(), Tag{'z'}}, {Tag{'b'}, 1e-7}};
  const RawTable table = read(file);
  EXPECT_THAT(cells(table.columns[0]), ElementsAre("1", ".a", "<missing>", ".b"));
  EXPECT_THAT(table.columns[0].missing_codes, ElementsAre(".a", ".b"));
  EXPECT_THAT(table.columns[0].value_labels,
              ElementsAre(Pair("1", "yes"), Pair("2", "no"), Pair(".a", "refused"),
                          Pair(".z", "not asked")));
  EXPECT_THAT(cells(table.columns[1]), ElementsAre("0.1", "-2", ".z", "1e-07"));
  EXPECT_THAT(table.columns[1].missing_codes, ElementsAre(".z"));
}

TEST_F(Statistical, SasSpecialMissingValues) {
  for (const Format format : {Format::sas7bdat, Format::xpt}) {
    StatisticalFile file;
    file.format = format;
    file.variables = {{"X"}};
    file.rows = {{1.0}, {Tag{'A'}}, {SystemMissing()}, {Tag{'_'}}};
    const RawTable table = read(file);
    EXPECT_THAT(cells(table.columns[0]), ElementsAre("1", ".A", "<missing>", "._"));
    EXPECT_THAT(table.columns[0].missing_codes, ElementsAre(".A", "._"));
  }
}

TEST_F(Statistical, DatesBecomeIsoText) {
  StatisticalFile spss;
  // 1582-10-14 to 1970-01-01 are 141428 days.
  const double day = 141428.0 * 86400;
  spss.variables = {{"d", Storage::number, "DATE11", 8, {}, {{99.0, 99.0}}},
                    {"m", Storage::number, "DATETIME20"},
                    {"t", Storage::number, "TIME8"}};
  spss.rows = {{day, day + 3661, 3661.0}, {99.0, SystemMissing(), SystemMissing()}};
  const RawTable table = read(spss);
  EXPECT_THAT(cells(table.columns[0]), ElementsAre("1970-01-01", "99"));
  EXPECT_THAT(table.columns[0].missing_codes, ElementsAre("99"));
  EXPECT_THAT(cells(table.columns[1]), ElementsAre("1970-01-01T01:01:01", "<missing>"));
  EXPECT_THAT(cells(table.columns[2]), ElementsAre("3661", "<missing>"));

  StatisticalFile stata;
  stata.format = Format::dta;
  stata.variables = {{"d", Storage::integer, "%td"}, {"c", Storage::number, "%tc"}};
  stata.rows = {{3653.0, 3653.0 * 86400e3 + 1000}, {Tag{'a'}, SystemMissing()}};
  const RawTable from_stata = read(stata);
  EXPECT_THAT(cells(from_stata.columns[0]), ElementsAre("1970-01-01", ".a"));
  EXPECT_THAT(cells(from_stata.columns[1]), ElementsAre("1970-01-01T00:00:01", "<missing>"));

  for (const Format format : {Format::sas7bdat, Format::xpt}) {
    StatisticalFile sas;
    sas.format = format;
    sas.variables = {{"D", Storage::number, "DATE9"}, {"N", Storage::number, "F8.2"}};
    sas.rows = {{-1.0, -1.0}};
    const RawTable from_sas = read(sas);
    EXPECT_THAT(cells(from_sas.columns[0]), ElementsAre("1959-12-31"));
    EXPECT_THAT(cells(from_sas.columns[1]), ElementsAre("-1"));
  }
}

TEST_F(Statistical, ADeclaredWeightIsMentionedUnlessItIsUsed) {
  StatisticalFile file = people(Format::sav);
  file.variables.push_back({"my_wt"});
  for (auto& row : file.rows) row.emplace_back(1.5);
  file.weight = "my_wt";
  (void)read(file);
  EXPECT_THAT(warnings_, ElementsAre(AllOf(HasSubstr(path_), HasSubstr("weight variable"),
                                           HasSubstr("`weight=\"my_wt\"`"))));
  warnings_.clear();
  StatisticalOptions used;
  used.weight = "my_wt";
  (void)read(file, used);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(Statistical, MissingStringsOfTheCallerCountToo) {
  StatisticalOptions options;
  options.is_missing = [](std::string_view cell) { return cell == "-4" || cell == "日本"; };
  const RawTable table = read(people(Format::sav), options);
  EXPECT_THAT(cells(table.columns[0]), ElementsAre("31", "<missing>", "100000", "<missing>"));
  EXPECT_EQ(cells(table.columns[1])[3], "<missing>");
}

TEST_F(Statistical, BytesThatAreNoUtf8AreReplaced) {
  std::string bytes = written(people(Format::sav));
  bytes.replace(bytes.find("Zoë"), 4, "Zo\xFF!");
  put_content(path_, bytes);
  StatisticalOptions options;
  options.warnings = &warnings_;
  EXPECT_THAT(cells(read_statistical(path_, options).columns[1]),
              ElementsAre("Zo\xEF\xBF\xBD!", "<missing>", "Łukasz x", "日本"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("not in the character set it declares")));
}

TEST_F(Statistical, AnOldStataFileWithAByteOfNoCharacterIsStillRead) {
  StatisticalFile file;
  file.format = Format::dta;
  file.version = 115;  // text in Windows-1252, which has no 0x81
  file.variables = {{"t", Storage::text, {}, 8}};
  file.rows = {{"M\xFCller"}, {"x\x81y"}, {"M\xF6ller"}};
  const RawTable table = read(file);
  EXPECT_THAT(cells(table.columns[0]), ElementsAre("Müller", "x\xC2\x81y", "Möller"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("not in the character set it declares")));
}

TEST_F(Statistical, WhatIsNotSuchAFileIsSaidClearly) {
  EXPECT_THAT(refusal("a,b\n1,2\n", Format::sav), HasSubstr("does not begin as an SPSS file does"));
  EXPECT_THAT(refusal("", Format::dta), HasSubstr("does not begin as a Stata file does"));
  EXPECT_THAT(refusal(written(people(Format::dta)), Format::sas7bdat),
              AllOf(HasSubstr("a SAS file"), HasSubstr("looks like a Stata file")));
  EXPECT_THAT(refusal("\x1F\x8B rest of an archive", Format::sav),
              AllOf(HasSubstr("compressed"), HasSubstr("gunzip")));
  EXPECT_THAT(refusal("\x28\xB5\x2F\xFD rest", Format::xpt), HasSubstr("compressed"));
  EXPECT_THAT(test::error_of([] { (void)read_statistical("-", {}); }),
              HasSubstr("standard input: an SPSS, Stata or SAS file cannot be read from there"));
  EXPECT_THAT(test::error_of([&] { (void)read_statistical(folder_ / "none.sav", {}); }),
              HasSubstr("no such file"));
  EXPECT_THAT(test::error_of([] { (void)read_statistical("/tmp", {}); }), HasSubstr("directory"));
}

TEST_F(Statistical, TheMemoryLimitHolds) {
  StatisticalFile file;
  file.variables = {{"A"}};
  for (int row = 0; row < 2000; ++row) file.rows.push_back({row + 0.5});
  StatisticalOptions options;
  options.memory_limit = 50'000;
  EXPECT_THAT(refusal(written(file), Format::sav, options), HasSubstr("does not fit"));
}

}  // namespace
}  // namespace medley::data
