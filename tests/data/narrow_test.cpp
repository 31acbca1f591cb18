// SPDX-License-Identifier: Apache-2.0
// Some rows of a file, narrowed, against a file of these rows alone; the other rows under their
// schema, against a file of the others read by it.
#include "data/restrict_schema.hpp"

#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "data/load.hpp"
#include "data/same_data.hpp"
#include "data/samples.hpp"
#include "data/select_rows.hpp"

namespace medley::data {
namespace {

using testing::put_content;
using testing::TemporaryFolder;

using Lines = std::vector<std::string>;

struct Sides {
  Dataset inside, outside;
};

Dataset read_lines(const std::string& header, const Lines& lines, const ReadOptions& options) {
  const TemporaryFolder folder;
  std::string text = header;
  for (const std::string& line : lines) text += line + "\n";
  put_content(folder / "in.csv", text);
  return load({{"", folder / "in.csv"}}, options, testing::small_catalogue());
}

// Both sides cut from one file: the `outside` rows first, so that what only they hold comes first.
Sides narrowed(const std::string& header, const Lines& inside, const Lines& outside,
               ReadOptions options) {
  const VocabularyOptions words = options.words;
  options.words = words.unselected();
  Lines all = outside;
  all.insert(all.end(), inside.begin(), inside.end());
  const Dataset data = read_lines(header, all, options);
  std::vector<std::size_t> first, last;
  for (std::size_t row = 0; row < data.rows; ++row)
    (row < data.rows - inside.size() ? first : last).push_back(row);
  const Dataset rows = select_rows(data, last);
  const Schema schema = narrowed_schema(rows, words);
  Sides out{under_schema(rows, schema, testing::small_catalogue()),
            under_schema(select_rows(data, first), schema, testing::small_catalogue())};
  for (Block& block : out.inside.blocks) block.unseen = 0;  // words that were not chosen
  return out;
}

// The same from a file each.
Sides read_apart(const std::string& header, const Lines& inside, const Lines& outside,
                 const ReadOptions& options) {
  Sides out{read_lines(header, inside, options), {}};
  ReadOptions by_schema;
  by_schema.schema = out.inside.schema;
  by_schema.format = options.format;
  by_schema.keep = options.keep;
  out.outside = read_lines(header, outside, by_schema);
  return out;
}

void expect_as_apart(const std::string& header, const Lines& inside, const Lines& outside,
                     const ReadOptions& options = {}) {
  const Sides cut = narrowed(header, inside, outside, options);
  const Sides apart = read_apart(header, inside, outside, options);
  {
    SCOPED_TRACE("inside");
    testing::expect_same_data(cut.inside, apart.inside);
  }
  SCOPED_TRACE("outside");
  testing::expect_same_data(cut.outside, apart.outside);
}

ReadOptions with(const std::map<std::string, std::string>& family) {
  ReadOptions options;
  options.family = family;
  return options;
}

std::size_t unseen(const Dataset& data) {
  std::size_t count = 0;
  for (const Block& block : data.blocks) count += block.unseen;
  return count;
}

const std::string kTable = "a,b,c,x,y,class\n";
const Lines kIn = {"p,u,k,1,7,one", "q,v,k,2,7,two", "p,v,k,3,7,two", "r,u,,4,7,one"};
const Lines kOut = {"new,u,l,1e300,8,zero", "p,w,m,-5,9,one", ",u,k,2,7,two"};

TEST(Narrow, LevelsAndConstantColumns) {
  ReadOptions options =
      with({{"a", "categorical"}, {"b", "categorical"}, {"x", "gaussian"}, {"y", "gaussian"}});
  options.family["c"] = "categorical";
  options.label = "class";
  const Sides cut = narrowed(kTable, kIn, kOut, options);
  EXPECT_EQ(cut.inside.blocks[0].features[0].levels, (Lines{"p", "q", "r"}));
  ASSERT_EQ(cut.inside.blocks[0].features.size(), 2U) << "c never varies inside";
  ASSERT_EQ(cut.inside.blocks[1].features.size(), 1U) << "nor does y";
  EXPECT_EQ(unseen(cut.outside), 2U);  // a = new, b = w; l, m, 8 and 9 are of columns left out
  EXPECT_EQ(cut.inside.kept[0].levels, (Lines{"one", "two"}));
  EXPECT_EQ(cut.outside.kept[0].code, (std::vector<std::int32_t>{kUnknownClass, 0, 1}));
  expect_as_apart(kTable, kIn, kOut, options);
}

TEST(Narrow, MissingAsALevelOfItsOwn) {
  ReadOptions options = with({{"b", "categorical"}, {"a", "categorical"}, {"x", "gaussian"}});
  options.missing_as_category = true;
  expect_as_apart("a,b,c,x\n", {"p,u,k,1", "q,v,k,2", "p,v,k,3", "r,u,,4"},
                  {"new,,k,5", ",w,,6", "p,u,,7"}, options);
}

TEST(Narrow, WordsAreChosenByTheRowsThatHoldThem) {
  ReadOptions options = with({{"t", "text"}, {"g", "tags"}});
  options.words.min_count = 2;
  options.words.max_share = 0.8;
  options.words.stop_words = {"english"};
  const Lines in = {"cat dog dog,a;b,p", "cat dog cow,a;c;c,q", "cat cow,b;a,p",
                    "cat hen the cow,c;b;a,p", "cat hen,,q"};
  const Lines out = {"cat hen fox fox,a;z;z,p", "cow dog hen,b,q", "fox,z,p"};
  expect_as_apart("t,g,q\n", in, out, options);
  const Sides cut = narrowed("t,g,q\n", in, out, options);
  const Block& text = cut.inside.blocks[1];
  EXPECT_EQ(text.features[0].levels, (Lines{"cow", "dog", "hen"}));  // cat is in all of the rows
  EXPECT_EQ(cut.outside.blocks[1].unseen, 3U);  // fox fox; fox; cat was set aside
  EXPECT_EQ(cut.inside.blocks[2].features[0].levels, (Lines{"b", "c"}));  // a: all that have tags
  options.words.most_words = 2;  // cow in 3 rows; dog and hen in 2
  expect_as_apart("t,g,q\n", in, out, options);
}

TEST(Narrow, OptionsThatNobodyChoseAreNone) {
  const Lines in = {"a;b,p", "b,q", ",p", "a;c,p"};
  const Lines out = {"a;z,p", "z,q", "b;c,p"};
  expect_as_apart("s,q\n", in, out, with({{"s", "set"}}));
  EXPECT_EQ(unseen(narrowed("s,q\n", in, out, with({{"s", "set"}})).outside), 2U);
  ReadOptions category = with({{"s", "set"}, {"q", "categorical"}});
  category.missing_as_category = true;
  expect_as_apart("s,q\n", in, out, category);
  expect_as_apart("s,q\n", {"a;b,p", "a;b,q", ",p"}, {"c,p"}, with({{"q", "bernoulli"}}));
}

TEST(Narrow, ItemsThatAreMissingFromEveryRowAreNone) {
  ReadOptions options = with({{"value", "categorical"}});
  options.format = Format::triplets;
  options.missing_as_category = true;
  const Dataset data =
      read_lines("user,item,value\n", {"u,a,3", "u,b,4", "v,a,4", "w,z,3"}, options);
  const Dataset rows = select_rows(data, std::vector<std::size_t>{0, 1});
  EXPECT_EQ(narrowed_schema(rows, {}).sources[0].items, (Lines{"a", "b"}));
}

TEST(Narrow, ItemsAndRatings) {
  ReadOptions options = with({{"value", "categorical"}});
  options.format = Format::triplets;
  const Lines in = {"u,a,3", "u,b,4", "v,a,4", "v,c,5"};
  const Lines out = {"w,z,3", "w,c,1", "w,a,5", "y,b,3"};
  const std::string header = "user,item,value\n";
  const Sides apart = read_apart(header, in, out, options);
  const VocabularyOptions words;
  Lines all = out;
  all.insert(all.end(), in.begin(), in.end());
  const Dataset data = read_lines(header, all, options);  // rows w, y, u, v
  const Dataset rows = select_rows(data, std::vector<std::size_t>{2, 3});
  const Schema schema = narrowed_schema(rows, words);
  EXPECT_EQ(schema.sources[0].items, (Lines{"a", "b", "c"}));
  testing::expect_same_data(under_schema(rows, schema, testing::small_catalogue()), apart.inside);
  const Dataset others = under_schema(select_rows(data, std::vector<std::size_t>{0, 1}), schema,
                                      testing::small_catalogue());
  testing::expect_same_data(others, apart.outside);
  EXPECT_EQ(unseen(others), 2U);  // item z, rating 1
}

TEST(Narrow, WordsOfACorpus) {
  const TemporaryFolder folder;
  put_content(folder / "in.ldac", "2 0:1 3:2\n1 3:1\n2 1:4 3:1\n");
  put_content(folder / "vocab.txt", "a\nb\nnobody\nd\n");
  const Dataset data = load({{"", folder / "in.ldac"}}, {}, testing::small_catalogue());
  const Dataset rows = select_rows(data, std::vector<std::size_t>{1, 2});
  const Schema schema = narrowed_schema(rows, {});
  EXPECT_EQ(schema.sources[0].columns[0].levels, (Lines{"b", "d"}));
  const Dataset out = under_schema(data, schema, testing::small_catalogue());
  EXPECT_EQ(out.blocks[0].slot, (std::vector<std::uint32_t>{1, 1, 0, 1}));
  EXPECT_EQ(out.blocks[0].weight, (std::vector<float>{2, 1, 4, 1}));
  EXPECT_EQ(out.blocks[0].unseen, 1U);
}

// Without its only yes/no column the block of categories is called like the source.
TEST(Narrow, BlockWeightsGoWithTheirBlocks) {
  ReadOptions options = with({{"a", "categorical"}, {"t", "text"}});
  options.block_weight = {{"data.categorical", 2}, {"t", 3}};
  const std::string header = "a,b,t\n";
  const Lines in = {"p,y,cat cat dog", "q,y,dog cat", "r,y,cow", "p,y,cow cat"};
  const Lines out = {"p,n,fox fox", "q,y,cat"};
  const Sides cut = narrowed(header, in, out, options);
  options.block_weight = {{"data", 2}, {"t", 3}};
  const Sides apart = read_apart(header, in, out, options);
  testing::expect_same_data(cut.inside, apart.inside);
  testing::expect_same_data(cut.outside, apart.outside);
  EXPECT_EQ(cut.inside.schema.block_weight, options.block_weight);
}

}  // namespace
}  // namespace medley::data
