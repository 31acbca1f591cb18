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
  EXPECT_THAT(complaint([] { (void)stop_words({"german"}, 0); }),
              AllOf(HasSubstr("--stop-words german"), HasSubstr("built in: english"),
                    HasSubstr("one word per line")));
}

}  // namespace
}  // namespace medley::data
