// SPDX-License-Identifier: Apache-2.0
#include "data/formats/ldac.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/numbers.hpp"
#include "data/formats/text_lines.hpp"

namespace medley::data {
namespace {

class LdacReader {
 public:
  LdacReader(core::ByteSource& source, const CountsOptions& options)
      : lines_(source, options.memory_limit),
        options_(options),
        memory_(options.memory_limit, source.name()) {}

  RawCounts read() {
    std::string_view line;
    while (lines_.next(line)) {
      if (core::trimmed(line).empty()) {
        if (blank_ == 0) blank_ = lines_.number();
        continue;
      }
      note_blank();
      if (document(line))
        rows_.end_row(lines_.number());
      else
        rows_.drop_row();
      rows_.drain_if_many(options_);
    }
    problems_.throw_if_any();
    RawCounts& counts = rows_.counts();
    if (rows_.rows() == 0) refuse_empty(lines_.file());
    if (options_.vocabulary == nullptr) {
      check_plausible(words_, pairs_, lines_.where(largest_line_),
                      fmt::format("the word id {} makes {} words", words_ - 1, words_));
    }
    counts.vocabulary = word_names(options_, words_, 0, memory_);
    return std::move(counts);
  }

 private:
  void note_blank() {
    if (blank_ != 0) {
      problems_.add(lines_.where(blank_), "a blank line between documents",
                    "write 0 for an empty document");
    }
    blank_ = 0;
  }

  /// False if anything is wrong with the line, which is then noted.
  bool document(std::string_view rest) {
    const std::string_view field = next_field(rest);
    const std::optional<std::uint64_t> promised = parse_whole(field);
    if (!promised) {
      problems_.add(
          lines_.where(),
          fmt::format("{} where the number of different words is expected", core::quoted(field)),
          "a line is N id:count id:count ...");
      return false;
    }
    std::uint64_t found = 0;
    for (std::string_view text = next_field(rest); !text.empty(); text = next_field(rest)) {
      if (!pair(text)) return false;
      ++found;
    }
    if (found == *promised) return true;
    problems_.add(lines_.where(),
                  fmt::format("{} pairs are announced, {} follow", *promised, found),
                  "the first number of a line is how many id:count pairs it has");
    return false;
  }

  bool pair(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::optional<std::uint64_t> id = parse_whole(text.substr(0, colon));
    if (text.starts_with('-')) {
      problems_.add(lines_.where(),
                    fmt::format("the word id of {} is negative", core::quoted(text)),
                    "ids are whole numbers from 0 up");
      return false;
    }
    if (!id || colon == std::string_view::npos) {
      problems_.add(lines_.where(), core::quoted(text) + " is not id:count",
                    "a line is N id:count id:count ...");
      return false;
    }
    if (!known_word(*id)) return false;
    float count = 0;
    const std::string_view objection = parse_count(text.substr(colon + 1), count);
    if (!objection.empty()) {
      problems_.add(lines_.where(),
                    fmt::format("the count of {} {}", core::quoted(text), objection),
                    "counts are numbers from 0 to 1,000,000,000");
      return false;
    }
    rows_.add(static_cast<std::uint32_t>(*id), count);
    ++pairs_;
    if (*id < words_) return true;
    words_ = *id + 1;
    largest_line_ = lines_.number();
    return true;
  }

  bool known_word(std::uint64_t id) {
    const Vocabulary* vocabulary = options_.vocabulary;
    if (vocabulary != nullptr && id >= vocabulary->words.size()) {
      problems_.add(lines_.where(),
                    fmt::format("word id {} is past the vocabulary of {} words in {}", id,
                                vocabulary->words.size(), vocabulary->file),
                    "ids start at 0; check that the vocabulary belongs to this file");
      return false;
    }
    if (id < kMaxIndex) return true;
    problems_.add(lines_.where(), fmt::format("word id {} is too large", id),
                  "ids are below 2147483648");
    return false;
  }

  TextLines lines_;
  const CountsOptions& options_;
  core::Problems problems_;
  core::MemoryGuard memory_;
  RowCounts rows_{memory_};
  std::uint64_t blank_ = 0;  ///< first of the blank lines just before this one, 0: none
  std::size_t pairs_ = 0;
  std::uint64_t words_ = 0;  ///< the largest id + 1
  std::uint64_t largest_line_ = 0;
};

}  // namespace

RawCounts read_ldac(core::ByteSource& source, const CountsOptions& options) {
  return LdacReader(source, options).read();
}

}  // namespace medley::data
