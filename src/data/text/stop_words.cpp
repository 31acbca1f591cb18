// SPDX-License-Identifier: Apache-2.0
#include "data/text/stop_words.hpp"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/files.hpp"
#include "core/memory_guard.hpp"
#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/text_lines.hpp"

namespace medley::data {
namespace {

constexpr std::string_view kEnglishName = "english";

// Words of grammar, grouped by what they do; forms with an apostrophe are words of their own.
constexpr std::array kEnglish = std::to_array<std::string_view>({
    // articles and words that point
    "a",
    "an",
    "the",
    "this",
    "that",
    "these",
    "those",
    "such",
    "same",
    "own",
    "here",
    "there",
    // people and things
    "i",
    "me",
    "my",
    "mine",
    "myself",
    "we",
    "us",
    "our",
    "ours",
    "ourselves",
    "you",
    "your",
    "yours",
    "yourself",
    "yourselves",
    "he",
    "him",
    "his",
    "himself",
    "she",
    "her",
    "hers",
    "herself",
    "it",
    "its",
    "itself",
    "they",
    "them",
    "their",
    "theirs",
    "themselves",
    // questions
    "who",
    "whom",
    "whose",
    "which",
    "what",
    "when",
    "where",
    "why",
    "how",
    // to be, to have, to do, and what goes with verbs
    "am",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "have",
    "has",
    "had",
    "having",
    "do",
    "does",
    "did",
    "doing",
    "done",
    "can",
    "could",
    "may",
    "might",
    "must",
    "shall",
    "should",
    "will",
    "would",
    "cannot",
    // how many, how much
    "all",
    "any",
    "both",
    "each",
    "either",
    "every",
    "few",
    "many",
    "more",
    "most",
    "much",
    "neither",
    "no",
    "none",
    "other",
    "others",
    "some",
    "several",
    // between sentences
    "and",
    "but",
    "or",
    "nor",
    "so",
    "yet",
    "if",
    "then",
    "else",
    "than",
    "because",
    "as",
    "while",
    "although",
    "though",
    "whether",
    "unless",
    "since",
    "until",
    "thus",
    "hence",
    "therefore",
    "however",
    // place, time, direction
    "about",
    "above",
    "across",
    "after",
    "against",
    "along",
    "among",
    "around",
    "at",
    "before",
    "behind",
    "below",
    "between",
    "by",
    "down",
    "during",
    "for",
    "from",
    "in",
    "into",
    "of",
    "off",
    "on",
    "onto",
    "out",
    "over",
    "per",
    "through",
    "to",
    "toward",
    "under",
    "up",
    "upon",
    "via",
    "with",
    "within",
    "without",
    // degree and manner
    "again",
    "also",
    "already",
    "always",
    "even",
    "ever",
    "just",
    "never",
    "not",
    "now",
    "often",
    "once",
    "only",
    "quite",
    "rather",
    "still",
    "too",
    "very",
    // short forms
    "i'm",
    "i've",
    "i'll",
    "i'd",
    "you're",
    "you've",
    "you'll",
    "you'd",
    "he's",
    "he'll",
    "she's",
    "she'll",
    "it's",
    "we're",
    "we've",
    "we'll",
    "they're",
    "they've",
    "they'll",
    "that's",
    "there's",
    "what's",
    "let's",
    "isn't",
    "aren't",
    "wasn't",
    "weren't",
    "hasn't",
    "haven't",
    "hadn't",
    "don't",
    "doesn't",
    "didn't",
    "can't",
    "couldn't",
    "won't",
    "wouldn't",
    "shouldn't",
});

void add_file(const std::string& path, std::size_t memory_limit, std::vector<std::string>& words) {
  const std::unique_ptr<core::ByteSource> source = core::ByteSource::open(path);
  core::Problems problems;
  core::MemoryGuard memory(memory_limit, source->name());
  TextLines lines(*source);
  std::string_view line;
  while (lines.next(line)) {
    if (!check_text_line(line, problems, lines)) continue;
    const std::string_view word = core::trimmed(line);
    if (word.empty()) continue;
    memory.add(sizeof(std::string) + word.size());
    words.emplace_back(word);
  }
  problems.throw_if_any();
}

}  // namespace

std::vector<std::string> stop_words(const std::vector<std::string>& lists,
                                    std::size_t memory_limit) {
  std::vector<std::string> words;
  for (const std::string& list : lists) {
    std::error_code unreadable;
    if (list == kEnglishName) {
      words.insert(words.end(), kEnglish.begin(), kEnglish.end());
    } else if (std::filesystem::exists(list, unreadable)) {
      add_file(list, memory_limit, words);
    } else {
      throw InputError({"--stop-words " + list,
                        "there is no built-in list and no file of this name",
                        "built in: " + std::string(kEnglishName) +
                            "; for another language give a file with one word per line"});
    }
  }
  return words;
}

}  // namespace medley::data
