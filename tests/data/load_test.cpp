// SPDX-License-Identifier: Apache-2.0
#include "data/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace medley::testing;
namespace fs = std::filesystem;

const FamilyCatalogue kCatalogue = small_catalogue();

class Load : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / (std::string("medley_load_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  static std::string refusal(const std::vector<Source>& sources, const ReadOptions& options = {}) {
    return complaint([&] { (void)load(sources, options, kCatalogue); });
  }

  fs::path folder_;
};

TEST_F(Load, AnUnnamedTableIsCalledData) {
  const auto path = write("survey.csv", "sex,region\nm,north\nf,south\nNA,?\nm,east\n");
  const Dataset data = load({{"", path}}, {}, kCatalogue);
  EXPECT_EQ(data.schema.sources[0].name, "data");
  EXPECT_EQ(data.rows, 4U);
  EXPECT_EQ(data.blocks[0].name, "data.bernoulli");
  EXPECT_EQ(data.blocks[1].name, "data.categorical");
  EXPECT_DOUBLE_EQ(data.observed(2), 0.0);
}

TEST_F(Load, SeveralSourcesNeedNamesOfTheirOwn) {
  const auto path = write("a.csv", "x\n1\n2\n");
  EXPECT_THAT(refusal({{"", path}, {"b", path}}),
              AllOf(HasSubstr("a.csv"), HasSubstr("NAME=FILE")));
  EXPECT_THAT(refusal({{"b", path}, {"b", path}}), HasSubstr("the name \"b\" is taken"));
  EXPECT_THAT(refusal({{"a", "-"}, {"b", "-"}}), HasSubstr("only once"));
  EXPECT_THAT(refusal({}), HasSubstr("no file is given"));
}

TEST_F(Load, ErrorsNameTheFileAndTheLine) {
  const auto path = write("survey.csv", "age,b\n31,x\nabc,y\n12,y\n");
  ReadOptions options;
  options.family = {{"age", "gaussian"}};
  EXPECT_EQ(refusal({{"", path}}, options),
            path +
                ":3: column \"age\": \"abc\" is not a number (the column is gaussian; use "
                "`column=\"age=categorical\"`, or `na=\"abc\"`)");
  EXPECT_THAT(refusal({{"", (folder_ / "none.csv").string()}}), HasSubstr("no such file"));
}

TEST_F(Load, WordsComeFromTheOptionThenTheFileThenTheFolderThenIds) {
  const auto docs = write("docs.ldac", "2 0:1 1:2\n1 1:1\n");
  const auto words = [&](const ReadOptions& options) {
    return load({{"", docs}}, options, kCatalogue).blocks[0].features[0].levels;
  };
  EXPECT_THAT(words({}), ElementsAre("0", "1"));
  write("vocab.txt", "sun\nrain\n");
  EXPECT_THAT(words({}), ElementsAre("sun", "rain"));
  write("docs_vocab.txt", "sea\nsand\n");
  EXPECT_THAT(words({}), ElementsAre("sea", "sand"));
  ReadOptions options;
  options.vocabulary = {{"", write("mine.txt", "ape\nbee\n")}};
  EXPECT_THAT(words(options), ElementsAre("ape", "bee"));
  options.vocabulary["data"] = write("other.txt", "cat\ndog\n");
  EXPECT_THAT(words(options), ElementsAre("cat", "dog"));
  options.vocabulary = {{"wrods", "x.txt"}};
  EXPECT_THAT(refusal({{"words", docs}}, options),
              AllOf(HasSubstr("no source \"wrods\""), HasSubstr("\"words\"")));
}

TEST_F(Load, ADocwordFileFindsTheListItComesWith) {
  write("vocab.nips.txt", "sun\nrain\n");
  const auto docs = write("docword.nips.txt", "2\n2\n3\n1 1 1\n1 2 2\n2 2 1\n");
  EXPECT_THAT(load({{"", docs}}, {}, kCatalogue).blocks[0].features[0].levels,
              ElementsAre("sun", "rain"));
}

TEST_F(Load, IdsWithoutAListArePlacesInTheSchemasVocabulary) {
  ReadOptions options;
  options.vocabulary = {{"", write("list.txt", "sun\nrain\n1\n")}};
  const auto docs = write("docs.ldac", "2 0:1 1:2\n1 2:1\n");
  ReadOptions later;
  later.schema = load({{"", docs}}, options, kCatalogue).schema;
  const Dataset data = load({{"", write("new.ldac", "3 1:4 0:1 3:1\n")}}, later, kCatalogue);
  EXPECT_THAT(data.blocks[0].slot, ElementsAre(0U, 1U));
  EXPECT_THAT(data.blocks[0].weight, ElementsAre(1.0F, 4.0F));
  EXPECT_EQ(data.blocks[0].unseen, 1U);
}

TEST_F(Load, AColumnFileIsTheLabelOfDocuments) {
  const auto docs = write("docs.ldac", "1 0:1\n1 1:1\n0\n");
  const auto labels = write("labels.txt", "spam\nham\nspam\n");
  ReadOptions options;
  options.label = "class";
  const Dataset data = load({{"words", docs}, {"class", labels}}, options, kCatalogue);
  EXPECT_EQ(data.rows, 3U);
  ASSERT_EQ(data.blocks.size(), 1U);
  EXPECT_EQ(data.blocks[0].name, "words");
  EXPECT_THAT(data.kept_column("class")->levels, ElementsAre("ham", "spam"));
  EXPECT_THAT(data.kept_column("class")->code, ElementsAre(1, 0, 1));

  ReadOptions later;
  later.schema = data.schema;
  const Dataset alone = load({{"", docs}}, later, kCatalogue);
  EXPECT_EQ(alone.blocks[0].slot, data.blocks[0].slot);
  EXPECT_EQ(alone.kept_column("class"), nullptr);
}

TEST_F(Load, TripletsAreReadWhenToldAndEverAfter) {
  const auto path = write("r.csv", "user,item,value\nann,up,5\nbob,up,3\nann,heat,4\n");
  ReadOptions options;
  options.format = Format::triplets;
  const Dataset data = load({{"", path}}, options, kCatalogue);
  EXPECT_THAT(data.ids, ElementsAre("ann", "bob"));
  EXPECT_EQ(decoded(data.blocks[0], 0, "heat"), "4");
  EXPECT_EQ(decoded(data.blocks[0], 1, "heat"), "");
  ReadOptions later;
  later.schema = data.schema;
  EXPECT_EQ(load({{"", path}}, later, kCatalogue).blocks[0].slot, data.blocks[0].slot);
}

TEST_F(Load, EachSourceCanHaveItsOwnFormat) {
  const auto ratings = write("r.csv", "user,item,value\nann,up,5\nbob,up,3\nann,heat,4\n");
  const auto people = write("p.csv", "user,sex\nbob,m\nann,f\n");
  ReadOptions options;
  options.format_of = {{"ratings", Format::triplets}};
  options.id = "user";
  const Dataset data = load({{"ratings", ratings}, {"people", people}}, options, kCatalogue);
  EXPECT_THAT(data.ids, ElementsAre("ann", "bob"));
  EXPECT_EQ(decoded(data.blocks[1], 0, "sex"), "f");
}

TEST_F(Load, TheContentDecidesWhereTheNameDoesNot) {
  const Dataset docs = load({{"", write("docs.dat", "2 0:1 1:2\n1 1:1\n")}}, {}, kCatalogue);
  EXPECT_EQ(docs.blocks[0].encoding, Encoding::tokens);
  const Dataset table = load({{"", write("table.dat", "a;b\nx;1\ny;2\n")}}, {}, kCatalogue);
  EXPECT_EQ(table.blocks[0].features.size(), 2U);
}

TEST_F(Load, AModelsSchemaReadsTheNextFileTheSameWay) {
  ReadOptions options;
  options.na = {"-9"};
  options.id = "who";
  const auto first = write("a.csv", "who,x,y\np1,1,u\np2,2,v\np3,-9,u\n");
  const Dataset data = load({{"", first}}, options, kCatalogue);
  ReadOptions later;
  later.schema = schema_from_toml(to_toml(data.schema), "model");
  const Dataset again = load({{"", first}}, later, kCatalogue);
  ASSERT_EQ(again.blocks.size(), data.blocks.size());
  EXPECT_EQ(again.ids, data.ids);
  EXPECT_EQ(again.blocks[0].slot, data.blocks[0].slot);
  EXPECT_EQ(again.blocks[0].missing, 1U);
  EXPECT_THAT(again.warnings, IsEmpty());
}

TEST_F(Load, WarningsTellWhatWasDropped) {
  const auto path = write("a.csv", "x,same\n1,k\n2,k\n");
  EXPECT_THAT(load({{"", path}}, {}, kCatalogue).warnings,
              ElementsAre(HasSubstr("\"same\" is left out")));
}

TEST_F(Load, TheSchemaIsTheSameWithAndWithoutEncoding) {
  const auto path = write("a.csv", "x,same\n1,k\n2,k\n");
  EXPECT_EQ(to_toml(load_schema({{"", path}}, {}, kCatalogue)),
            to_toml(load({{"", path}}, {}, kCatalogue).schema));
}

TEST_F(Load, ATextTableIsTheFileAsWritten) {
  const TextTable table = read_text_table({"", write("a.csv", "x, y\n NA ,\"a,b\"\n3.0,\n")}, {});
  EXPECT_THAT(table.header, ElementsAre("x", "y"));
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("NA", "a,b"), ElementsAre("3.0", "")));
  EXPECT_THAT(complaint([&] { (void)read_text_table({"", write("d.ldac", "1 0:1\n")}, {}); }),
              HasSubstr("is not a table"));
}

}  // namespace
}  // namespace medley::data
