// SPDX-License-Identifier: Apache-2.0
#include "data/formats/svmlight.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/numbers.hpp"
#include "data/formats/text_lines.hpp"

namespace medley::data {
namespace {

class SvmlightReader {
 public:
  SvmlightReader(core::ByteSource& source, const CountsOptions& options)
      : lines_(source, options.memory_limit),
        options_(options),
        memory_(options.memory_limit, source.name()) {}

  RawCounts read() {
    std::string_view line;
    while (lines_.next(line)) {
      const std::string_view content = core::trimmed(line.substr(0, line.find('#')));
      if (content.empty()) continue;
      if (row(content))
        rows_.end_row(lines_.number());
      else
        rows_.drop_row();
    }
    problems_.throw_if_any();
    RawCounts& counts = rows_.counts();
    if (counts.line.empty()) refuse_empty(lines_.file());
    const std::uint32_t first = zero_seen_ || !any_ ? 0 : 1;
    const std::size_t words = any_ ? std::size_t{largest_} - first + 1 : 0;
    check_words(words, first);
    for (std::uint32_t& word : counts.word) word -= first;
    counts.vocabulary = word_names(options_, words, first, memory_);
    counts.label = std::move(labels_);
    return std::move(counts);
  }

 private:
  bool row(std::string_view rest) {
    const std::string_view label = next_field(rest);
    if (label.find(':') != std::string_view::npos) {
      problems_.add(lines_.where(), "the line starts with " + core::quoted(label) + ", not a label",
                    "a line is: label index:value index:value ...; write 0 if there is no label");
      return false;
    }
    if (const std::size_t at = core::find_invalid_utf8(label); at != std::string_view::npos) {
      note_invalid_utf8(label, at, problems_, lines_.where());
      return false;
    }
    for (std::string_view text = next_field(rest); !text.empty(); text = next_field(rest))
      if (!text.starts_with("qid:") && !pair(text)) return false;
    memory_.add(sizeof(std::string) + (label.size() < 16 ? 0 : label.size() + 1));
    labels_.emplace_back(label);
    return true;
  }

  bool pair(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::optional<std::uint64_t> index = parse_whole(text.substr(0, colon));
    if (!index || colon == std::string_view::npos || *index >= kMaxIndex) {
      problems_.add(lines_.where(), core::quoted(text) + " is not index:value",
                    "the index is a whole number from 1 up, below 2147483648");
      return false;
    }
    float count = 0;
    const std::string_view objection = parse_count(text.substr(colon + 1), count);
    if (!objection.empty()) {
      problems_.add(lines_.where(),
                    fmt::format("the value of {} {}", core::quoted(text), objection),
                    "values are counts; write a table with negative values as CSV");
      return false;
    }
    const auto word = static_cast<std::uint32_t>(*index);
    rows_.add(word, count);
    ++pairs_;
    any_ = true;
    zero_seen_ = zero_seen_ || word == 0;
    largest_ = std::max(largest_, word);
    return true;
  }

  /// With the first index known, are all words in the vocabulary, or their number believable?
  void check_words(std::size_t words, std::uint32_t first) {
    const Vocabulary* vocabulary = options_.vocabulary;
    if (vocabulary == nullptr) {
      check_plausible(words, pairs_, lines_.file(), fmt::format("the index {} occurs", largest_));
      return;
    }
    const std::size_t known = vocabulary->words.size();
    if (words <= known) return;
    const RawCounts& counts = rows_.counts();
    for (std::size_t row = 0; row < counts.line.size(); ++row) {
      for (std::uint64_t i = counts.row_start[row]; i < counts.row_start[row + 1]; ++i) {
        if (counts.word[i] - first < known) continue;
        problems_.add(lines_.where(counts.line[row]),
                      fmt::format("index {} is past the vocabulary of {} words in {}",
                                  counts.word[i], known, vocabulary->file),
                      fmt::format("indices start at {} in this file; check that the vocabulary "
                                  "belongs to it",
                                  first));
      }
    }
    problems_.throw_if_any();
  }

  TextLines lines_;
  const CountsOptions& options_;
  core::Problems problems_;
  core::MemoryGuard memory_;
  RowCounts rows_{memory_};
  std::vector<std::string> labels_;
  std::size_t pairs_ = 0;
  std::uint32_t largest_ = 0;
  bool any_ = false;
  bool zero_seen_ = false;
};

}  // namespace

RawCounts read_svmlight(core::ByteSource& source, const CountsOptions& options) {
  return SvmlightReader(source, options).read();
}

}  // namespace medley::data
