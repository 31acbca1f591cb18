// SPDX-License-Identifier: Apache-2.0
// Random counts, written in every sparse format, come back as they were, whatever the piece size.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "data/formats/coordinates.hpp"
#include "data/formats/ldac.hpp"
#include "data/formats/svmlight.hpp"
#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

constexpr std::size_t kWords = 12;
using Document = std::map<std::uint32_t, int>;  ///< word -> count from 1
using Corpus = std::vector<Document>;

Corpus random_corpus() {
  // Few words each: keys must differ and there are only kWords of them.
  const auto document = rc::gen::resize(
      6, rc::gen::container<Document>(rc::gen::inRange<std::uint32_t>(0, kWords),
                                      rc::gen::resize(100, rc::gen::inRange(1, 1000))));
  return *rc::gen::nonEmpty(rc::gen::container<Corpus>(document));
}

Vocabulary vocabulary() {
  Vocabulary out{"vocab", {}};
  for (std::size_t i = 0; i < kWords; ++i) out.words.push_back(fmt::format("w{}", i));
  return out;
}

/// (word, count) pairs in an order of their own, now and then with a word split in two or a zero.
std::vector<std::pair<std::uint32_t, int>> shuffled(const Document& document) {
  std::vector<std::pair<std::uint32_t, int>> pairs;
  for (const auto& [word, count] : document) {
    const int part = *rc::gen::inRange(0, count + 1);
    if (*rc::gen::arbitrary<bool>()) {
      pairs.emplace_back(word, count);
    } else {
      pairs.emplace_back(word, part);
      pairs.emplace_back(word, count - part);
    }
  }
  for (std::size_t i = pairs.size(); i > 1; --i)
    std::swap(pairs[i - 1], pairs[*rc::gen::inRange<std::size_t>(0, i)]);
  return pairs;
}

std::string end_of_line() {
  return *rc::gen::element<std::string>("\n", "\r\n");
}

using Read = RawCounts (*)(core::ByteSource&, const CountsOptions&);

void expect_back(const std::string& text, const Corpus& corpus, Read read) {
  RC_LOG() << text;
  const Vocabulary names = vocabulary();
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, text.size()}) {
    test::ChunkSource source(text, chunk);
    const RawCounts counts = read(source, {.vocabulary = &names});
    RC_ASSERT(counts.row_start.size() == corpus.size() + 1);
    RC_ASSERT(counts.line.size() == corpus.size());
    RC_ASSERT(counts.vocabulary == names.words);
    for (std::size_t row = 0; row < corpus.size(); ++row) {
      std::size_t cell = counts.row_start[row];
      for (const auto& [word, count] : corpus[row]) {
        RC_ASSERT(cell < counts.row_start[row + 1]);
        RC_ASSERT(counts.word[cell] == word);
        RC_ASSERT(counts.count[cell] == static_cast<float>(count));
        ++cell;
      }
      RC_ASSERT(cell == counts.row_start[row + 1]);
    }
  }
}

/// Lines "row word count" from 1, of all documents mixed.
std::vector<std::string> coordinate_lines(const Corpus& corpus) {
  std::vector<std::string> lines;
  for (std::size_t row = 0; row < corpus.size(); ++row)
    for (const auto& [word, count] : shuffled(corpus[row]))
      lines.push_back(fmt::format("{} {} {}", row + 1, word + 1, count));
  for (std::size_t i = lines.size(); i > 1; --i)
    std::swap(lines[i - 1], lines[*rc::gen::inRange<std::size_t>(0, i)]);
  return lines;
}

RC_GTEST_PROP(SparseRoundTrip, Ldac, ()) {
  const Corpus corpus = random_corpus();
  std::string text;
  for (const Document& document : corpus) {
    const auto pairs = shuffled(document);
    text += std::to_string(pairs.size());
    for (const auto& [word, count] : pairs) text += fmt::format(" {}:{}", word, count);
    text += end_of_line();
  }
  expect_back(text, corpus, read_ldac);
}

RC_GTEST_PROP(SparseRoundTrip, Svmlight, ()) {
  const Corpus corpus = random_corpus();
  std::string text;
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    text += fmt::format("label{}", i);
    for (const auto& [word, count] : shuffled(corpus[i]))
      text += fmt::format(" {}:{}", word + 1, count);
    text += end_of_line();
  }
  expect_back(text, corpus, read_svmlight);
}

RC_GTEST_PROP(SparseRoundTrip, Docword, ()) {
  const Corpus corpus = random_corpus();
  const auto lines = coordinate_lines(corpus);
  std::string text = fmt::format("{}{}{}{}{}{}", corpus.size(), end_of_line(), kWords,
                                 end_of_line(), lines.size(), end_of_line());
  for (const std::string& line : lines) text += line + end_of_line();
  expect_back(text, corpus, read_docword);
}

RC_GTEST_PROP(SparseRoundTrip, MatrixMarket, ()) {
  const Corpus corpus = random_corpus();
  const auto lines = coordinate_lines(corpus);
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general{}{} {} {}{}",
                                 end_of_line(), corpus.size(), kWords, lines.size(), end_of_line());
  for (const std::string& line : lines)
    text += fmt::format("{}{}{}", *rc::gen::arbitrary<bool>() ? "" : "% comment\n", line,
                        end_of_line());
  expect_back(text, corpus, read_matrix_market);
}

}  // namespace
}  // namespace medley::data
