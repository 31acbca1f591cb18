// SPDX-License-Identifier: Apache-2.0
// From running text to words and their stems.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

// Word stems by the Snowball algorithms: "connections" and "connected" become "connect".

class Stemmer {
 public:
  /// Throws InputError listing the languages if there is none of that name. Not to be shared by
  /// threads.
  explicit Stemmer(const std::string& language);
  ~Stemmer();
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;

  /// `word` is UTF-8 and, as the algorithms expect, case-folded.
  [[nodiscard]] std::string stem(std::string_view word);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

/// The names of the languages, in alphabetical order.
[[nodiscard]] std::vector<std::string> stem_languages();

// From running text to words, by Unicode's rules for word boundaries (UAX 29, with dictionaries for
// scripts written without spaces).
//
// A word is a piece with a letter or a digit inside: "don't" and "3.14" are one, "well-known" is
// two, emoji and punctuation are none. Words that look the same are made the same: compatibility
// normalisation (NFKC), one kind of apostrophe, and unless asked otherwise case folding (so that
// Straße is strasse). Bytes that are not UTF-8 separate words.

class Tokeniser {
 public:
  /// Longer words are cut to this many bytes (between characters): an encoded file is no word.
  static constexpr std::size_t kLongestWord = 80;

  /// Throws InputError for a language that cannot be stemmed. Not to be shared by threads.
  explicit Tokeniser(const TextRules& rules);
  ~Tokeniser();
  Tokeniser(const Tokeniser&) = delete;
  Tokeniser& operator=(const Tokeniser&) = delete;

  /// Calls `take` with every word in turn; the view is valid during the call.
  void words(std::string_view text, const std::function<void(std::string_view)>& take);

 private:
  struct Tools;
  std::unique_ptr<Tools> tools_;
};

/// The words of a text that hold a letter, counted roughly: what tells prose from codes, dates and
/// web addresses. Words of ASCII text need blanks between them.
[[nodiscard]] std::size_t words_with_letters(std::string_view text, Tokeniser& tokeniser);

}  // namespace medley::data
