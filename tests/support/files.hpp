// SPDX-License-Identifier: Apache-2.0
// Small files with a planted structure, and the data that the public read() makes of them: for
// tests that need data and schema to fit each other.
#pragma once

#include <string>
#include <vector>

#include "core/rng.hpp"
#include "core/temporary_folder.hpp"
#include "medley/io.hpp"

namespace medley::test {

/// Two kinds of people: yes/no items a, b, c and items d, e of three levels; some cells are
/// missing, and `kind` says which kind (unknown for every tenth row).
inline std::string survey_csv(std::size_t rows, std::uint64_t seed = 1) {
  std::string text = "a,b,c,d,e,kind\n";
  for (std::size_t row = 0; row < rows; ++row) {
    core::Rng rng(seed, 1, row);
    const bool first = rng.uniform() < 0.6;
    for (int item = 0; item < 5; ++item) {
      const bool typical = rng.uniform() < 0.85;
      const bool high = typical == first;
      const bool missing = rng.uniform() < 0.1;
      const char* two = high ? "yes" : "no";
      const char* three = high ? "high" : rng.uniform() < 0.5 ? "low" : "middle";
      if (!missing) text += item < 3 ? two : three;
      text += ",";
    }
    text += row % 10 == 9 ? "" : first ? "one" : "two";
    text += "\n";
  }
  return text;
}

/// Two kinds of documents over six words, in LDA-C.
inline std::string corpus_ldac(std::size_t rows, std::uint64_t seed = 1) {
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    core::Rng rng(seed, 2, row);
    const std::size_t favourite = 3 * rng.below(2);
    std::vector<std::size_t> count(6, 0);
    for (int token = 0; token < 12; ++token)
      ++count[rng.uniform() < 0.8 ? favourite + rng.below(3) : rng.below(6)];
    std::size_t different = 0;
    std::string pairs;
    for (std::size_t word = 0; word < 6; ++word) {
      if (count[word] == 0) continue;
      ++different;
      pairs += " " + std::to_string(word) + ":" + std::to_string(count[word]);
    }
    text += std::to_string(different) + pairs + "\n";
  }
  return text;
}

/// What read() makes of one file.
inline Dataset read_file(const std::string& name, const std::string& content,
                         const ReadOptions& options = {}) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / name, content);
  return read({{"", folder / name}}, options);
}

inline Dataset survey(std::size_t rows, ReadOptions options = {}, std::uint64_t seed = 1) {
  options.keep.emplace_back("kind");
  return read_file("survey.csv", survey_csv(rows, seed), options);
}

inline Dataset corpus(std::size_t rows, const ReadOptions& options = {}, std::uint64_t seed = 1) {
  return read_file("corpus.ldac", corpus_ldac(rows, seed), options);
}

/// The survey and the corpus, row by row the same people.
inline Dataset survey_and_corpus(std::size_t rows) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / "survey.csv", survey_csv(rows));
  testing::put_content(folder / "corpus.ldac", corpus_ldac(rows));
  ReadOptions options;
  options.keep = {"kind"};
  return read({{"people", folder / "survey.csv"}, {"text", folder / "corpus.ldac"}}, options);
}

}  // namespace medley::test
