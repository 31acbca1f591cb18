// SPDX-License-Identifier: Apache-2.0
// Word stems by the Snowball algorithms: "connections" and "connected" become "connect".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace medley::data {

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

}  // namespace medley::data
