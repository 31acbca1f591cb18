// SPDX-License-Identifier: Apache-2.0
#include "data/formats/detect.hpp"

#include <gtest/gtest.h>

namespace medley::data {
namespace {

TEST(FormatByName, TheEndingDecidesWithOrWithoutAnArchive) {
  EXPECT_EQ(format_by_name("a/b.csv"), Format::csv);
  EXPECT_EQ(format_by_name("b.CSV.gz"), Format::csv);
  EXPECT_EQ(format_by_name("b.tsv.zst"), Format::tsv);
  EXPECT_EQ(format_by_name("b.ldac"), Format::ldac);
  EXPECT_EQ(format_by_name("b.mtx"), Format::mtx);
  EXPECT_EQ(format_by_name("b.svm"), Format::svmlight);
  EXPECT_EQ(format_by_name("b.svmlight"), Format::svmlight);
  EXPECT_EQ(format_by_name("b.libsvm"), Format::svmlight);
  EXPECT_EQ(format_by_name("b.txt"), Format::column);
  EXPECT_EQ(format_by_name("b.sav"), Format::sav);
  EXPECT_EQ(format_by_name("b.ZSAV"), Format::sav);
  EXPECT_EQ(format_by_name("b.por"), Format::por);
  EXPECT_EQ(format_by_name("b.dta.gz"), Format::dta);
  EXPECT_EQ(format_by_name("b.sas7bdat"), Format::sas7bdat);
  EXPECT_EQ(format_by_name("b.xpt"), Format::xpt);
  EXPECT_EQ(format_by_name("x/docword.kos.txt.gz"), Format::docword);
  EXPECT_EQ(format_by_name("docword/b.txt"), Format::column);
  for (const char* path : {"-", "b.dat", "b", "a.csv/b", ""})
    EXPECT_FALSE(format_by_name(path)) << path;
}

TEST(FormatByContent, FirstLinesDecide) {
  EXPECT_EQ(format_by_content("%%MatrixMarket matrix coordinate real general\n"), Format::mtx);
  EXPECT_EQ(format_by_content("3\n4\n1\n1 1 1"), Format::docword);
  EXPECT_EQ(format_by_content("2 0:1 1:1\n0\n1 5:2\n"), Format::ldac);
  EXPECT_EQ(format_by_content("1 0:1 1:1\n-1 5:2\n"), Format::svmlight);
  EXPECT_EQ(format_by_content("# c\n1 qid:1 1:0.5\n"), Format::svmlight);
  EXPECT_EQ(format_by_content("a,b\n1,2\n"), Format::csv);
  EXPECT_EQ(format_by_content("user,item,value\nu,i,1\n"), Format::csv);
  EXPECT_EQ(format_by_content("1\n2\n3\n"), Format::csv);
  EXPECT_EQ(format_by_content(""), Format::csv);
}

// Whole files of each binary format are in formats_statistical_test.cpp.
TEST(FormatByMagic, TextIsNoBinaryFormat) {
  for (const char* text : {"", "$FL", "$FL1", "SPSSPORT,b\n", "<stata>", "HEADER RECORD", "s\1\1"})
    EXPECT_FALSE(format_by_magic(text)) << text;
  EXPECT_EQ(format_by_magic("$FL2"), Format::sav);
  EXPECT_EQ(format_by_magic("$FL3"), Format::sav);
  EXPECT_EQ(format_by_magic("s\2\1\1"), Format::dta);  // version 115
  EXPECT_FALSE(format_by_magic("t\2\1\1"));            // there is no version 116 of this kind
}

TEST(FormatByContent, ALineCutOffAtTheEndOfTheHeadIsNotJudged) {
  std::string head;
  while (head.size() < kDetectBytes) head += "2 0:1 1:1" + std::string(5000, ' ') + "\n";
  head.resize(kDetectBytes);
  head += "2 0:1 1";
  EXPECT_EQ(format_by_content(head), Format::ldac);
}

}  // namespace
}  // namespace medley::data
