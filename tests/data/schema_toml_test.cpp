// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "data/samples.hpp"
#include "medley/data.hpp"
#include "support/quick.hpp"

namespace medley {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

bool same(const Schema& a, const Schema& b) {
  const auto columns = [](const ColumnSpec& x, const ColumnSpec& y) {
    return x.name == y.name && x.role == y.role && x.family == y.family && x.levels == y.levels &&
           x.labels == y.labels && x.missing == y.missing && x.shift == y.shift;
  };
  const auto sources = [&](const SourceSpec& x, const SourceSpec& y) {
    return x.name == y.name && x.kind == y.kind && x.items == y.items &&
           std::equal(x.columns.begin(), x.columns.end(), y.columns.begin(), y.columns.end(),
                      columns);
  };
  return a.na == b.na && a.missing_as_category == b.missing_as_category &&
         a.frequency_weights == b.frequency_weights && a.standardise == b.standardise &&
         a.block_weight == b.block_weight &&
         std::equal(a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end(),
                    sources);
}

// Pieces that break careless quoting, escaping and wrapping.
rc::Gen<std::string> nasty_string() {
  const auto piece = rc::gen::element<std::string>(
      "a", "\"", "\\", "\n", "\r\n", "\t", "#", "]", "[[source]]", "\"\"\"", "'''", "=", " ", ",",
      std::string(1, '\0'), "\x01", "\x1b", "\x7f", "\\u0041", "\xc3\xa9", "\xe2\x80\xa8",
      "\xf0\x9f\x98\x80", "\xef\xbb\xbf", "\xc2\x85",
      "long enough to make the line wrap somewhere in the middle of it all");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto& pieces) {
    std::string text;
    for (const auto& p : pieces) text += p;
    return text;
  });
}

rc::Gen<std::vector<std::string>> distinct_strings() {
  return rc::gen::map(
      rc::gen::container<std::set<std::string>>(nasty_string()),
      [](const auto& set) { return std::vector<std::string>(set.begin(), set.end()); });
}

Schema random_schema() {
  Schema schema;
  schema.na = *distinct_strings();
  schema.missing_as_category = *rc::gen::arbitrary<bool>();
  schema.frequency_weights = *rc::gen::arbitrary<bool>();
  schema.standardise = *rc::gen::arbitrary<bool>();
  schema.block_weight[*nasty_string()] = *rc::gen::element(0.5, 1.0, 2.0, 1e-9, 1e30);
  auto names = *rc::gen::nonEmpty(distinct_strings());
  names.resize(std::min<std::size_t>(names.size(), 3));
  for (const std::string& name : names) {
    SourceSpec source;
    source.name = name;
    source.kind = *rc::gen::element(SourceKind::table, SourceKind::tokens, SourceKind::triplets,
                                    SourceKind::column);
    if (source.kind == SourceKind::triplets) source.items = *distinct_strings();
    for (const std::string& column_name : *rc::gen::nonEmpty(distinct_strings())) {
      ColumnSpec column;
      column.name = column_name;
      column.role =
          *rc::gen::element(Role::feature, Role::label, Role::id, Role::weight, Role::ignored);
      if (column.role == Role::feature) column.family = *rc::gen::nonEmpty(nasty_string());
      if (column.role == Role::feature || column.role == Role::label) {
        column.levels = *distinct_strings();
        if (*rc::gen::arbitrary<bool>()) {
          column.labels.assign(column.levels.rbegin(), column.levels.rend());
        }
      }
      if (*rc::gen::arbitrary<bool>()) column.missing = {"99", column_name};
      if (column.role == Role::feature) column.shift = *rc::gen::element(0.0, 1.0, -2.5, 1e-7);
      column.note = *nasty_string();
      source.columns.push_back(std::move(column));
    }
    schema.sources.push_back(std::move(source));
  }
  return schema;
}

TEST(SchemaToml, WritingAndReadingGivesTheSameSchema) {
  // A large random schema takes a second under sanitizers.
  EXPECT_TRUE(rc::check([] {
    const Schema schema = *rc::gen::resize(test::quick() ? 40 : 100, rc::gen::exec(random_schema));
    RC_ASSERT(same(schema_from_toml(to_toml(schema), "s.toml"), schema));
  }));
}

TEST(SchemaToml, MarksOfNumbersAreThoseOfTheSourceWhereAColumnSaysNothing) {
  Schema schema;
  SourceSpec source;
  source.marks = {',', '\0'};
  for (const NumberMarks& marks : {source.marks, kCommaOnly, kPointOnly}) {
    ColumnSpec column;
    column.name = "x" + std::to_string(source.columns.size());
    column.family = "gaussian";
    column.encoding = Encoding::real;
    column.marks = marks;
    source.columns.push_back(column);
  }
  schema.sources = {source};
  const std::string text = to_toml(schema);
  EXPECT_THAT(text, HasSubstr("# numbers with a decimal comma: 5,3456\ndecimal = \"comma\"\n"));
  const SourceSpec back = schema_from_toml(text, "x.toml").sources[0];
  EXPECT_EQ(back.marks, source.marks);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(back.columns[i].marks, source.columns[i].marks) << i;
  const std::string wrong =
      "[[source]]\ndecimal = \"comma\"\nthousands = \"comma\"\n[[source.column]]\nname = "
      "\"x\"\nfamily = \"gaussian\"\ndecimal = \"dot\"\n";
  EXPECT_THAT(testing::complaint([&] { (void)schema_from_toml(wrong, "x.toml"); }),
              AllOf(HasSubstr("x.toml:3"), HasSubstr("same mark"), HasSubstr("\"dot\"")));
}

TEST(SchemaToml, IsWrittenForPeople) {
  Schema schema;
  schema.na = {"-9"};
  SourceSpec source;
  source.columns.push_back(
      {"sex", Role::feature, "bernoulli", Encoding::levels, {"f", "m"}, "2 levels"});
  source.columns.push_back({"who", Role::id, "", Encoding::levels, {}, ""});
  schema.sources.push_back(source);
  EXPECT_THAT(to_toml(schema), HasSubstr(R"(na = ["-9"]
missing_as_category = false
frequency_weights = false

[[source]]
name = "data"
kind = "table"

# 2 levels
[[source.column]]
name = "sex"
role = "feature"
family = "bernoulli"
levels = ["f", "m"]

[[source.column]]
name = "who"
role = "id"
)"));
}

TEST(SchemaToml, LongListsAreWrapped) {
  Schema schema;
  SourceSpec source;
  ColumnSpec words{"words", Role::feature, "tokens", Encoding::tokens, {}, ""};
  for (int i = 0; i < 1000; ++i) words.levels.push_back("word" + std::to_string(i));
  source.kind = SourceKind::tokens;
  source.columns.push_back(words);
  schema.sources.push_back(source);
  const std::string text = to_toml(schema);
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    EXPECT_LE(end - begin, 100U);
    begin = end + 1;
  }
  const Schema back = schema_from_toml(text, "s.toml");
  EXPECT_EQ(back.sources[0].columns[0].levels, words.levels);
  EXPECT_EQ(back.sources[0].columns[0].encoding, Encoding::tokens);
}

TEST(SchemaToml, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  Schema schema;
  SourceSpec source;
  source.columns.push_back({"caf\xe9", Role::ignored, "", Encoding::levels, {}, ""});
  schema.sources.push_back(source);
  EXPECT_EQ(schema_from_toml(to_toml(schema), "s").sources[0].columns[0].name, "caf\xef\xbf\xbd");
}

std::string error_of(const std::string& text) {
  return testing::complaint([&] { (void)schema_from_toml(text, "s.toml"); });
}

TEST(SchemaToml, EveryProblemIsToldWithItsLine) {
  const std::string error = error_of(R"(na = [3]
missing_as_category = "yes"
colour = 1
[[source]]
name = "data"
kind = "tabel"
[[source.column]]
name = "age"
role = "featur"
famly = "gaussian"
family = 7
[[source.column]]
role = "ignored"
)");
  EXPECT_THAT(error, HasSubstr("s.toml:1: \"na\" must be a list of strings"));
  EXPECT_THAT(error, HasSubstr("s.toml:2: \"missing_as_category\" must be true or false"));
  EXPECT_THAT(error, AllOf(HasSubstr("s.toml:3: unknown key \"colour\""), HasSubstr("\"na\", ")));
  EXPECT_THAT(error,
              AllOf(HasSubstr("s.toml:6: unknown kind \"tabel\""), HasSubstr("\"triplets\"")));
  EXPECT_THAT(error,
              AllOf(HasSubstr("s.toml:9: unknown role \"featur\""), HasSubstr("\"ignored\"")));
  EXPECT_THAT(error, HasSubstr("s.toml:10: unknown key \"famly\""));
  EXPECT_THAT(error, HasSubstr("did you mean \"family\"?"));
  EXPECT_THAT(error, HasSubstr("s.toml:11: \"family\" must be a string"));
  EXPECT_THAT(error, HasSubstr("s.toml:12: a column without a name"));
}

TEST(SchemaToml, ContradictionsAreRefused) {
  const std::string column = "[[source.column]]\nname = \"a\"\nfamily = \"f\"\n";
  EXPECT_THAT(error_of("[[source]]\n" + column + column), HasSubstr("are named \"a\""));
  EXPECT_THAT(error_of("[[source]]\n" + column + "levels = [\"x\", \"x\"]"),
              HasSubstr("\"x\" occurs twice"));
  EXPECT_THAT(error_of("[[source]]\n" + column + "[[source]]\n" + column),
              HasSubstr("two sources are named \"data\""));
  EXPECT_THAT(error_of("[[source]]\nitems = [\"x\"]\n" + column), HasSubstr("has items"));
  EXPECT_THAT(error_of("[[source]]\n[[source.column]]\nname = \"a\""), HasSubstr("has no family"));
  EXPECT_THAT(error_of("[[source]]\nname = \"a\""), HasSubstr("has no column"));
  EXPECT_THAT(error_of("source = 3"), HasSubstr("double brackets"));
  EXPECT_THAT(error_of("source = [3]"), HasSubstr("double brackets"));
  EXPECT_THAT(error_of(""), HasSubstr("describes no source"));
}

TEST(SchemaToml, BrokenTomlIsToldWithItsLine) {
  EXPECT_THAT(error_of("na = []\nna = ["), HasSubstr("s.toml:2: not a TOML file"));
  std::string deep = "a";
  for (int i = 0; i < 40'000; ++i) deep += ".a";
  EXPECT_THAT(error_of("na = []\n" + deep + " = 1"),
              HasSubstr("s.toml:2: a key of too many parts"));
  EXPECT_THAT(error_of("a = \"\xff\""), HasSubstr("s.toml:1: not a TOML file"));
}

}  // namespace
}  // namespace medley
