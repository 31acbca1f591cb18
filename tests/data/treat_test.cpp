// SPDX-License-Identifier: Apache-2.0
// Treatments against small data worked out by hand, and read back from the files written.
#include "data/treat.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/temporary_folder.hpp"
#include "data/load.hpp"
#include "data/same_data.hpp"
#include "data/samples.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

using testing::content_of;
using testing::put_content;
using testing::TemporaryFolder;

Dataset triplets(const TemporaryFolder& folder, const std::string& text,
                 const std::string& family = "categorical") {
  put_content(folder / "in.csv", text);
  ReadOptions options;
  options.format = Format::triplets;
  options.family["value"] = family;
  return load({{"", folder / "in.csv"}}, options, testing::small_catalogue());
}

Dataset table(const TemporaryFolder& folder, const std::string& text,
              const ReadOptions& options = {}) {
  put_content(folder / "in.csv", text);
  return load({{"", folder / "in.csv"}}, options, testing::small_catalogue());
}

Dataset after(const Dataset& data, const Treatment& treatment) {
  return treated(data, treatment, testing::small_catalogue());
}

// What the file says when it is written; and reading it by its schema gives the same data.
std::string written(const TemporaryFolder& folder, const Dataset& data,
                    const std::vector<std::string>& keep = {}) {
  write_data(data, {{"", folder / "out.csv"}});
  ReadOptions options;
  options.schema = data.schema;
  options.keep = keep;
  testing::expect_same_data(data,
                            load({{"", folder / "out.csv"}}, options, testing::small_catalogue()));
  return content_of(folder / "out.csv");
}

TEST(Treat, BinarisesLevelsOfTripletsAndLeavesMissingMissing) {
  const TemporaryFolder folder;
  const Dataset data = triplets(folder, "user,item,value\nu,a,5\nu,b,3\nv,a,4\nv,c,1\nw,b,NA\n");
  Treatment treatment;
  treatment.binarise = ">=4";
  const Dataset out = after(data, treatment);
  EXPECT_EQ(out.blocks[0].family, "bernoulli");
  EXPECT_EQ(written(folder, out), "user,item,value\nu,a,1\nu,b,0\nv,a,1\nv,c,0\nw,a,NA\n");
  ASSERT_EQ(out.schema.treatments.size(), 1U);
  EXPECT_NE(out.schema.treatments[0].find("2 of 4 observed cells"), std::string::npos);
}

TEST(Treat, EveryComparison) {
  const TemporaryFolder folder;
  const Dataset data = triplets(folder, "user,item,value\nu,a,-1.5\nu,b,2\nu,c,2.5\n", "gaussian");
  const auto ones = [&](const std::string& rule) {
    Treatment treatment;
    treatment.binarise = rule;
    const Dataset out = after(data, treatment);
    std::string text;
    for (const std::uint32_t slot : out.blocks[0].slot) text += slot % 2 == 1 ? '1' : '0';
    return text;
  };
  EXPECT_EQ(ones(">2"), "001");
  EXPECT_EQ(ones(">= 2"), "011");
  EXPECT_EQ(ones("<2"), "100");
  EXPECT_EQ(ones("<=2"), "110");
  EXPECT_EQ(ones("==2"), "010");
  EXPECT_EQ(ones(">median"), "001");
  for (const char* wrong : {"4", ">", ">x", "=4", "!=4"})
    EXPECT_THROW(ones(wrong), InputError) << wrong;
}

// Columns of several families become one block; text stays; a column set aside stays in its place.
TEST(Treat, BinarisesTheNumbersOfATable) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.family["x"] = "gaussian";
  options.keep = {"class"};
  const Dataset data =
      table(folder, "x,class,colour,n,yes\n0.5,A,red,1,0\n1.5,B,blue,2,1\n,A,red,3,\n9,,green,,1\n",
            options);
  Treatment treatment;
  treatment.binarise = ">1";
  const Dataset out = after(data, treatment);
  EXPECT_EQ(written(folder, out, {"class"}),
            "x,class,colour,n,yes\n0,A,red,0,0\n1,B,blue,1,0\n,A,red,1,\n1,,green,,0\n");
  EXPECT_EQ(out.blocks.size(), 2U);
}

// u4 has one cell; without u4 the item d has none; without d the user u3 has one; then all have
// two.
TEST(Treat, DropsSparseRowsAndColumnsUntilNothingChanges) {
  const TemporaryFolder folder;
  const Dataset data = triplets(folder,
                                "user,item,value\nu1,a,1\nu1,b,2\nu2,a,1\nu2,b,3\nu3,a,2\nu3,d,1\n"
                                "u4,d,2\n");
  Treatment treatment;
  treatment.min_row = treatment.min_column = 2;
  const Dataset out = after(data, treatment);
  EXPECT_EQ(out.schema.sources[0].items, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(written(folder, out), "user,item,value\nu1,a,1\nu1,b,2\nu2,a,1\nu2,b,3\n");
  treatment.min_row = 5;
  EXPECT_THROW(after(data, treatment), InputError);
}

TEST(Treat, DropsSparseColumnsOfATableAndWords) {
  const TemporaryFolder folder;
  Treatment treatment;
  treatment.min_column = 2;
  const Dataset out = after(table(folder, "a,b,c\nx,1,p\ny,,q\nx,2,\ny,,p\n"), treatment);
  EXPECT_EQ(written(folder, out), "a,b,c\nx,1,p\ny,,q\nx,2,\ny,,p\n");
  treatment.min_column = 3;
  EXPECT_EQ(written(folder, after(out, treatment)), "a,c\nx,p\ny,q\nx,\ny,p\n");

  put_content(folder / "docs.ldac", "2 0:1 2:3\n1 0:5\n2 1:2 2:1\n");
  const Dataset docs = load({{"", folder / "docs.ldac"}}, {}, testing::small_catalogue());
  treatment.min_column = 2;
  const Block words = after(docs, treatment).blocks[0];
  EXPECT_EQ(words.features[0].levels, (std::vector<std::string>{"0", "2"}));
  EXPECT_EQ(words.slot, (std::vector<std::uint32_t>{0, 1, 0, 1}));
  EXPECT_EQ(words.weight, (std::vector<float>{1, 3, 5, 1}));
}

TEST(Treat, OnesBecomeWords) {
  const TemporaryFolder folder;
  Treatment treatment;
  treatment.binarise = ">=4";
  treatment.ones_as_tokens = true;
  const Dataset out =
      after(triplets(folder, "user,item,value\nu,a,5\nu,b,3\nv,c,4\nv,a,4\nw,b,2\n"), treatment);
  ASSERT_EQ(out.blocks.size(), 1U);
  EXPECT_EQ(out.blocks[0].family, "tokens");
  EXPECT_EQ(out.blocks[0].features[0].levels, (std::vector<std::string>{"a", "b", "c"}));
  write_data(out, {{"", folder / "o.ldac"}});
  EXPECT_EQ(content_of(folder / "o.ldac"), "1 0:1\n2 0:1 2:1\n0\n");
  EXPECT_EQ(content_of(folder / "o_vocab.txt"), "a\nb\nc\n");
  EXPECT_THROW(write_data(out, {{"", folder / "o.csv"}}), InputError);
  treatment.binarise.clear();
  EXPECT_THROW(after(table(folder, "q,r\na,b\nc,d\n"), treatment), InputError);
}

TEST(Treat, ASampleIsSomeOfTheRowsInTheirOrder) {
  const TemporaryFolder folder;
  std::string text = "id,q\n";
  for (int i = 0; i < 200; ++i) text += std::to_string(1000 + i) + (i % 2 == 0 ? ",a\n" : ",b\n");
  ReadOptions options;
  options.id = "id";
  const Dataset data = table(folder, text, options);
  Treatment treatment;
  treatment.sample_rows = 50;
  const Dataset out = after(data, treatment);
  EXPECT_EQ(out.rows, 50U);
  EXPECT_TRUE(std::ranges::is_sorted(out.ids));
  EXPECT_EQ(std::set<std::string>(out.ids.begin(), out.ids.end()).size(), 50U);
  for (std::size_t i = 0; i < 50; ++i)
    EXPECT_EQ(out.blocks[0].slot[i], (std::stoi(out.ids[i]) - 1000) % 2 == 0 ? 0U : 1U);
  EXPECT_EQ(after(data, treatment).ids, out.ids);
  treatment.seed = 2;
  EXPECT_NE(after(data, treatment).ids, out.ids);
  treatment.sample_rows = 1000;
  EXPECT_EQ(after(data, treatment).ids, data.ids);
}

}  // namespace
}  // namespace medley::data
