// SPDX-License-Identifier: Apache-2.0
#include "data/text/tokenise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "core/text.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> words(std::string_view text, const TextRules& rules = {}) {
  std::vector<std::string> found;
  Tokeniser(rules).words(text, [&](std::string_view word) { found.emplace_back(word); });
  return found;
}

TEST(Tokenise, EnglishWordsNumbersAndApostrophes) {
  EXPECT_THAT(
      words("The cat didn't pay $3.14 (or 1,000) for e-mail!"),
      ElementsAre("the", "cat", "didn't", "pay", "3.14", "or", "1,000", "for", "e", "mail"));
  EXPECT_THAT(words("snake_case x2 don\u2019t"), ElementsAre("snake_case", "x2", "don't"));
}

TEST(Tokenise, PunctuationAloneIsNoWord) {
  EXPECT_THAT(words(" ... -- ___ !? \t\n"), IsEmpty());
  EXPECT_THAT(words(""), IsEmpty());
}

TEST(Tokenise, EmojiAreNoWords) {
  EXPECT_THAT(words("good \U0001F600\U0001F44D\U0001F3FD day \u2764\uFE0F"),
              ElementsAre("good", "day"));
}

TEST(Tokenise, GermanSharpSIsFolded) {
  EXPECT_THAT(words("Die Straße, die STRASSE, Äpfel"),
              ElementsAre("die", "strasse", "die", "strasse", "äpfel"));
}

TEST(Tokenise, GreekFinalSigmaIsFolded) {
  EXPECT_THAT(words("Ὀδυσσεύς ΛΟΓΟΣ λόγος"), ElementsAre("ὀδυσσεύσ", "λογοσ", "λόγοσ"));
}

TEST(Tokenise, ChineseIsCutByADictionary) {
  EXPECT_THAT(words("我喜欢音乐。"), ElementsAre("我", "喜欢", "音乐"));
}

TEST(Tokenise, ArabicWordsAndItsComma) {
  EXPECT_THAT(words("السلام عليكم، مرحبا"), ElementsAre("السلام", "عليكم", "مرحبا"));
}

TEST(Tokenise, ThaiIsCutByADictionary) {
  EXPECT_THAT(words("สวัสดีครับ"), ElementsAre("สวัสดี", "ครับ"));
}

TEST(Tokenise, WordsThatLookTheSameAreTheSame) {
  EXPECT_THAT(words("e\u0301te\u0301 \u00E9t\u00E9"),
              ElementsAre("\u00E9t\u00E9", "\u00E9t\u00E9"));
  EXPECT_THAT(words("\uFB01ne \uFF21\uFF22 co\u00ADoperate"),
              ElementsAre("fine", "ab", "cooperate"));
}

TEST(Tokenise, CaseIsKeptIfAsked) {
  const TextRules rules{.fold_case = false, .stem = ""};
  EXPECT_THAT(words("The US Straße", rules), ElementsAre("The", "US", "Straße"));
  EXPECT_THAT(words("E\u0301te\u0301", rules), ElementsAre("\u00C9t\u00E9"));
}

TEST(Tokenise, StemsByLanguage) {
  EXPECT_THAT(words("Connections connected", {.fold_case = true, .stem = "english"}),
              ElementsAre("connect", "connect"));
  EXPECT_THAT(words("Häuser", {.fold_case = true, .stem = "german"}), ElementsAre("haus"));
}

TEST(Tokenise, AnUnknownLanguageIsRefusedWithTheList) {
  const std::string error = medley::testing::complaint(
      [] { Tokeniser tokeniser({.fold_case = true, .stem = "englich"}); });
  EXPECT_THAT(error, AllOf(HasSubstr("\"englich\""), HasSubstr("did you mean \"english\""),
                           HasSubstr("\"turkish\"")));
}

TEST(Tokenise, BrokenBytesSeparateWords) {
  EXPECT_THAT(words("ab\xFF"
                    "cd \xE4\xB8 ef\xC3"),
              ElementsAre("ab", "cd", "ef"));
}

TEST(Tokenise, LongWordsAreCutBetweenCharacters) {
  EXPECT_THAT(words(std::string(1000, 'x')), ElementsAre(std::string(80, 'x')));
  std::string long_word = "a";
  for (int i = 0; i < 100; ++i) long_word += "\u00E9";
  const std::vector<std::string> found = words(long_word);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].size(), 79U);  // a and 39 letters of two bytes; an 80th byte would be half one
  EXPECT_EQ(core::find_invalid_utf8(found[0]), std::string::npos);
}

TEST(Tokenise, LongTextsAreCutAtBlanksOnly) {
  std::string text;
  for (int i = 0; i < 400000; ++i) text += "word ";  // two megabytes
  const std::vector<std::string> found = words(text);
  EXPECT_EQ(found.size(), 400000U);
  EXPECT_TRUE(std::all_of(found.begin(), found.end(),
                          [](const std::string& word) { return word == "word"; }));
}

TEST(Tokenise, AnyBytesGiveValidWords) {
  const bool held =
      rc::check("words of any bytes are short, not empty and UTF-8", [](const std::string& bytes) {
        for (const std::string& word : words(bytes)) {
          RC_ASSERT(!word.empty() && word.size() <= Tokeniser::kLongestWord);
          RC_ASSERT(core::find_invalid_utf8(word) == std::string::npos);
        }
      });
  EXPECT_TRUE(held);
}

TEST(Tokenise, ProseIsToldFromCodes) {
  Tokeniser tokeniser(TextRules{});
  EXPECT_EQ(words_with_letters("The cat sat on 3 mats", tokeniser), 5U);
  EXPECT_EQ(words_with_letters("http://www.example.com/a/b/c", tokeniser), 1U);
  EXPECT_EQ(words_with_letters("2021-03-04 12:33:11", tokeniser), 0U);
  EXPECT_EQ(words_with_letters("我喜欢音乐", tokeniser), 3U);
}

}  // namespace
}  // namespace medley::data
