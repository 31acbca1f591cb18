// SPDX-License-Identifier: Apache-2.0
#include "data/text/choose_vocabulary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "data/samples.hpp"
#include "data/text/stop_words.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using namespace medley::testing;

// Five rows; the first text is in two of them, and one row is missing.
RawSource documents_of_text() {
  return table("data", {"text"},
               {{"The red fox and the dog"},
                {"the fox runs; B"},
                {""},
                {"The dog runs; b"},
                {"The red fox and the dog"}});
}

ChosenVocabulary chosen(const VocabularyOptions& options, CellText cells = CellText::text) {
  const RawSource source = documents_of_text();
  const RawColumn& column = std::get<RawTable>(source.content).columns[0];
  ColumnSpec spec;
  spec.cells = cells;
  spec.text = options.rules;
  const EntryBags bags = entries_of(column, spec, {}, MissingStrings({}));
  return choose_vocabulary(bags, uses_of(column), cells, options, 0);
}

TEST(ChooseVocabulary, WordsInOneDocumentOnlyAreLeftOutByDefault) {
  const ChosenVocabulary all = chosen({.rules = {}, .stop_words = {}, .min_count = 1});
  EXPECT_THAT(all.words, ElementsAre("and", "b", "dog", "fox", "red", "runs", "the"));
  EXPECT_EQ(all.documents, 4U);
  EXPECT_DOUBLE_EQ(all.entries, 2 * 6 + 4 + 4);
  const ChosenVocabulary three = chosen({.rules = {}, .stop_words = {}, .min_count = 3});
  EXPECT_THAT(three.words, ElementsAre("dog", "fox", "the"));  // documents, not distinct texts
  EXPECT_EQ(three.rare, 4U);
}

TEST(ChooseVocabulary, CommonWordsAreLeftOut) {
  // the: 4 of 4; dog and fox: 3 of 4, which is not more than 0.75
  const ChosenVocabulary found =
      chosen({.rules = {}, .stop_words = {}, .min_count = 3, .max_share = 0.75});
  EXPECT_THAT(found.words, ElementsAre("dog", "fox"));
  EXPECT_EQ(found.common, 1U);
}

TEST(ChooseVocabulary, TheMostFrequentAreKeptAndTiesGoBytewise) {
  VocabularyOptions options{.rules = {}, .stop_words = {}, .min_count = 1};
  options.most_words = 4;  // the 4, dog 3, fox 3, then and, b, red, runs with 2 each
  EXPECT_THAT(chosen(options).words, ElementsAre("and", "dog", "fox", "the"));
}

TEST(ChooseVocabulary, StopWordsWhateverTheirCase) {
  VocabularyOptions options{.rules = {}, .stop_words = {"english"}, .min_count = 1};
  const ChosenVocabulary folded = chosen(options);
  EXPECT_THAT(folded.words, ElementsAre("b", "dog", "fox", "red", "runs"));
  EXPECT_EQ(folded.stopped, 2U);
  options.rules.fold_case = false;
  EXPECT_THAT(chosen(options).words, ElementsAre("B", "b", "dog", "fox", "red", "runs"));
}

TEST(ChooseVocabulary, AStopWordIsStoppedByItsStem) {
  const std::string file = (std::filesystem::temp_directory_path() / "medley_stop.txt").string();
  std::ofstream(file) << "Running\n\n  fox \nfox\n";
  VocabularyOptions options{.rules = {}, .stop_words = {file}, .min_count = 1};
  options.rules.stem = "english";
  EXPECT_THAT(chosen(options).words, ElementsAre("and", "b", "dog", "red", "the"));
  std::filesystem::remove(file);
}

TEST(ChooseVocabulary, TagsKnowNoStopWordsAndSetsKeepEveryOption) {
  const VocabularyOptions options{.rules = {}, .stop_words = {"english"}, .min_count = 2};
  EXPECT_THAT(chosen(options, CellText::tags).words, ElementsAre("The red fox and the dog"));
  EXPECT_THAT(chosen(options, CellText::set).words,
              ElementsAre("B", "The dog runs", "The red fox and the dog", "b", "the fox runs"));
}

// As a reader of the language would say; the sentences are ours.
constexpr const char* kSentences[] = {
    "The minister said that she would not be at the meeting, because it was in another town, and "
    "that those who were there had been told so by her before they came.",
    "Der Minister sagte, dass er nicht zu der Sitzung kommen würde, weil sie in einer anderen "
    "Stadt "
    "war, und dass alle, die dort waren, das von ihm schon vor der Reise gehört hatten.",
    "Le ministre a dit qu'il ne serait pas à la réunion, parce que celle-ci était dans une autre "
    "ville, et que tous ceux qui y étaient le savaient par lui avant de venir avec les autres.",
    "El ministro dijo que no estaría en la reunión, porque era en otra ciudad, y que todos los que "
    "estaban allí ya lo sabían por él antes de que se fueran con los demás."};

ChosenVocabulary of_texts(const std::vector<std::string>& texts, const VocabularyOptions& options) {
  Rows rows;
  for (const std::string& text : texts) rows.push_back({text});
  const RawSource source = table("data", {"text"}, rows);
  const RawColumn& column = std::get<RawTable>(source.content).columns[0];
  ColumnSpec spec;
  spec.cells = CellText::text;
  spec.text = options.rules;
  return choose_vocabulary(entries_of(column, spec, {}, MissingStrings({})), uses_of(column),
                           CellText::text, options, 0);
}

TEST(ChooseVocabulary, TheLanguageIsRecognisedUnlessItIsMixedOrUnknown) {
  const VocabularyOptions all{.rules = {}, .min_count = 1};
  const std::string languages[] = {"english", "german", "french", "spanish"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(of_texts({kSentences[i]}, all).language, languages[i]) << kSentences[i];
    VocabularyOptions stemmed = all;
    stemmed.rules.stem = languages[i];
    EXPECT_EQ(of_texts({kSentences[i]}, stemmed).language, languages[i]) << kSentences[i];
  }
  EXPECT_EQ(of_texts({kSentences[0], kSentences[1]}, all).language, "");
  EXPECT_EQ(of_texts({"vs mln cts net loss oil prices opec trade dlrs"}, all).language, "");
  const ChosenVocabulary english = of_texts({kSentences[0]}, all);
  EXPECT_THAT(english.words, AllOf(Contains("minister"), Contains("town"), Not(Contains("that"))));
  EXPECT_THAT(english.set_aside, AllOf(Contains("that"), Contains("would"), Not(Contains("town"))));
  VocabularyOptions none = all;
  none.recognise_language = false;
  EXPECT_THAT(of_texts({kSentences[0]}, none).words, Contains("that"));
}

TEST(ChooseVocabulary, WordsInMoreThanHalfOfTheDocumentsAreSetAsideWhereTheyAreFew) {
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i) {
    std::string text = "report w" + std::to_string(i % 10) + " v" + std::to_string(i % 5);
    if (i < 11) text += " eleven";
    if (i < 10) text += " ten";
    texts.push_back(text + " n" + std::to_string(i));
  }
  const VocabularyOptions plain;
  const ChosenVocabulary found = of_texts(texts, plain);
  EXPECT_THAT(found.set_aside, ElementsAre("eleven", "report"));
  EXPECT_THAT(found.words, Contains("ten"));
  EXPECT_EQ(found.common, 2U);
  VocabularyOptions asked;
  asked.max_share = 1;
  EXPECT_THAT(of_texts(texts, asked).words, AllOf(Contains("report"), Contains("eleven")));
  texts.pop_back();  // too few documents to tell
  EXPECT_THAT(of_texts(texts, plain).set_aside, IsEmpty());
  // A corpus of few words is about these words.
  EXPECT_EQ(of_texts(std::vector<std::string>(30, "red green blue"), plain).words.size(), 3U);
}

TEST(StopWords, TheBuiltInListHoldsGrammarNotMatter) {
  const std::vector<std::string> english = stop_words({"english"}, 0);
  EXPECT_THAT(english, AllOf(Contains("the"), Contains("of"), Contains("don't"),
                             Not(Contains("time")), Not(Contains("people"))));
  std::vector<std::string> sorted = english;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end()) << "listed twice";
  EXPECT_THAT(stop_words({}, 0), IsEmpty());
}

TEST(StopWords, AListThatIsNotThereIsRefused) {
  EXPECT_THAT(
      complaint([] { (void)stop_words({"klingon"}, 0); }),
      AllOf(HasSubstr("`stop_words=\"klingon\"`"), HasSubstr("built in: english, french, german"),
            HasSubstr("one word per line")));
}

}  // namespace
}  // namespace medley::data
