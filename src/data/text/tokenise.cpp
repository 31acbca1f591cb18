// SPDX-License-Identifier: Apache-2.0
#include "data/text/tokenise.hpp"

#include <libstemmer.h>
#include <unicode/brkiter.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>

#include "core/text.hpp"
#include "data/message_text.hpp"
#include "medley/error.hpp"

namespace medley::data {

struct Stemmer::Library {
  struct Delete {
    void operator()(sb_stemmer* made) const { sb_stemmer_delete(made); }
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer;
};

Stemmer::Stemmer(const std::string& language) : library_(std::make_unique<Library>()) {
  const std::vector<std::string> known = stem_languages();
  // The library also knows codes such as "en"; the name that goes into the schema is the full one.
  if (std::find(known.begin(), known.end(), language) == known.end()) {
    const std::string meant = closest(language, known);
    throw InputError({core::setting("stem", language),
                      "there are no word stems for " + core::quoted(language),
                      (meant.empty() ? "" : "did you mean " + core::quoted(meant) + "? ") +
                          "the languages are: " + listed(known, known.size())});
  }
  library_->stemmer.reset(sb_stemmer_new(language.c_str(), nullptr));
  if (library_->stemmer == nullptr) throw std::bad_alloc();
}

Stemmer::~Stemmer() = default;
Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;

std::string Stemmer::stem(std::string_view word) {
  sb_stemmer* stemmer = library_->stemmer.get();
  const auto* bytes = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* stem = sb_stemmer_stem(stemmer, bytes, static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(stemmer))};
}

std::vector<std::string> stem_languages() {
  std::vector<std::string> names;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) names.emplace_back(*name);
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

// ICU counts positions in 32 bits and remembers every boundary, so long texts go in pieces.
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::string_view kCurlyApostrophe = "\xE2\x80\x99";

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// At most `most` bytes from the front, not ending inside a character.
std::string_view front(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_character(text[most])) --most;
  return text.substr(0, most);
}

// The piece of a long text to look at next: up to the last blank in it, if there is one.
std::string_view next_piece(std::string_view text) {
  if (text.size() <= kPiece) return text;
  const std::size_t blank = text.find_last_of(" \n\t", kPiece);
  if (blank != std::string_view::npos && blank > 0) return text.substr(0, blank);
  const std::string_view piece = front(text, kPiece);
  return piece.empty() ? text.substr(0, kPiece) : piece;
}

// Whether some character of the text has the property; a broken byte counts as U+FFFD.
template <typename Property>
bool any_character(std::string_view text, Property property) {
  if (is_ascii(text)) {
    return std::any_of(text.begin(), text.end(), [&](char c) { return property(c); });
  }
  const icu::UnicodeString characters = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  for (std::int32_t at = 0; at < characters.length(); at = characters.moveIndex32(at, 1)) {
    if (property(characters.char32At(at))) return true;
  }
  return false;
}

bool has_letter_or_digit(std::string_view word) {
  return any_character(word, [](UChar32 c) { return u_isalnum(c) != 0; });
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

// ICU's data files may be incomplete; nothing else makes these calls fail.
void check_unicode(UErrorCode status) {
  if (U_FAILURE(status) != 0) {
    throw RunError(std::string("the Unicode library failed: ") + u_errorName(status));
  }
}

// A view of UTF-8 bytes for ICU.
class TextView {
 public:
  explicit TextView(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    utext_openUTF8(&view_, text.data(), static_cast<std::int64_t>(text.size()), &status);
    check_unicode(status);
  }
  ~TextView() { utext_close(&view_); }
  TextView(const TextView&) = delete;
  TextView& operator=(const TextView&) = delete;
  UText* get() { return &view_; }

 private:
  UText view_ = UTEXT_INITIALIZER;
};

}  // namespace

struct Tokeniser::Tools {
  std::unique_ptr<icu::BreakIterator> boundaries;
  const icu::Normalizer2* normal = nullptr;  // belongs to ICU
  bool fold_case = true;
  std::optional<Stemmer> stemmer;
  std::string word, stem;  // reused

  void normalise(std::string_view raw) {
    word.clear();
    if (is_ascii(raw)) {  // NFKC with case folding is plain lower case here
      word = raw;
      if (!fold_case) return;
      for (char& c : word) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      }
      return;
    }
    UErrorCode status = U_ZERO_ERROR;
    icu::StringByteSink<std::string> sink(&word);
    normal->normalizeUTF8(0, icu::StringPiece(raw.data(), static_cast<std::int32_t>(raw.size())),
                          sink, nullptr, status);
    check_unicode(status);
    replace_all(word, kCurlyApostrophe, "'");
  }

  void give(std::string_view raw, const std::function<void(std::string_view)>& take) {
    normalise(raw);
    const std::string_view cut = front(word, kLongestWord);
    // Normalising removes invisible characters; what is left may be nothing.
    if (!has_letter_or_digit(cut)) return;
    if (stemmer) {
      stem = stemmer->stem(cut);
      take(stem.empty() ? cut : std::string_view(stem));
    } else {
      take(cut);
    }
  }

  void piece(std::string_view text, const std::function<void(std::string_view)>& take) {
    UErrorCode status = U_ZERO_ERROR;
    TextView view(text);
    boundaries->setText(view.get(), status);
    check_unicode(status);
    std::int32_t from = boundaries->first();
    for (std::int32_t to = boundaries->next(); to != icu::BreakIterator::DONE;
         from = to, to = boundaries->next()) {
      if (boundaries->getRuleStatus() < UBRK_WORD_NONE_LIMIT) continue;
      give(text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)), take);
    }
  }
};

Tokeniser::Tokeniser(const TextRules& rules) : tools_(std::make_unique<Tools>()) {
  UErrorCode status = U_ZERO_ERROR;
  tools_->boundaries.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  check_unicode(status);
  tools_->normal = rules.fold_case ? icu::Normalizer2::getNFKCCasefoldInstance(status)
                                   : icu::Normalizer2::getNFKCInstance(status);
  check_unicode(status);
  tools_->fold_case = rules.fold_case;
  if (!rules.stem.empty()) tools_->stemmer.emplace(rules.stem);
}

Tokeniser::~Tokeniser() = default;

void Tokeniser::words(std::string_view text, const std::function<void(std::string_view)>& take) {
  while (!text.empty()) {
    const std::string_view piece = next_piece(text);
    tools_->piece(piece, take);
    text.remove_prefix(piece.size());
  }
}

std::size_t words_with_letters(std::string_view text, Tokeniser& tokeniser) {
  std::size_t count = 0;
  if (!is_ascii(text)) {
    tokeniser.words(text, [&](std::string_view word) {
      if (any_character(word, [](UChar32 c) { return u_isalpha(c) != 0; })) ++count;
    });
    return count;
  }
  bool counted = false;  // this field already
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n') {
      counted = false;
    } else if (!counted && is_ascii_letter(c)) {
      counted = true;
      ++count;
    }
  }
  return count;
}

}  // namespace medley::data
