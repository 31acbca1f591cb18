// SPDX-License-Identifier: Apache-2.0
#include "data/text/stem.hpp"

#include <libstemmer.h>

#include <algorithm>
#include <new>

#include "core/text.hpp"
#include "data/wording.hpp"
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

}  // namespace medley::data
