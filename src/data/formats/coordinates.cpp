// SPDX-License-Identifier: Apache-2.0
#include "data/formats/coordinates.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/numbers.hpp"

namespace medley::data {
namespace {

void check_sizes(const CoordinateHeader& header, const CountsOptions& options) {
  for (const auto& [size, noun] :
       {std::pair(header.rows, header.row_noun), std::pair(header.words, header.word_noun)}) {
    if (size > kMaxIndex) {
      throw InputError({header.where, fmt::format("{} {}s are too many", size, noun),
                        "at most 2147483648 are read; check the header"});
    }
  }
  if (header.rows == 0)
    throw InputError({header.where, fmt::format("the header says 0 {}s", header.row_noun),
                      "check that this is the right file"});
  const Vocabulary* vocabulary = options.vocabulary;
  if (vocabulary != nullptr && vocabulary->words.size() != header.words) {
    throw InputError({header.where,
                      fmt::format("the header says {} {}s, the vocabulary {} has {}", header.words,
                                  header.word_noun, vocabulary->file, vocabulary->words.size()),
                      "check that the vocabulary belongs to this file"});
  }
}

class Body {
 public:
  Body(TextLines& lines, const CoordinateHeader& header, const CountsOptions& options,
       core::MemoryGuard& memory)
      : lines_(lines), header_(header), options_(options), entries_(memory), rows_(memory) {}

  void read() {
    std::string_view line;
    while (lines_.next(line)) {
      if (header_.comment != '\0' && line.starts_with(header_.comment)) continue;
      std::string_view rest = line;
      const std::string_view row = next_field(rest);
      if (row.empty()) continue;
      const std::string_view word = next_field(rest);
      entry(row, word, rest);
      ++found_;
    }
    problems_.throw_if_any();
    if (found_ != header_.entries) {
      throw InputError(
          {header_.where,
           fmt::format("the header says {} counts, {} follow", header_.entries, found_),
           "check that the file is complete"});
    }
  }
  /// All that was read and not drained.
  [[nodiscard]] RawCounts take() {
    if (!options_.drain) return entries_.take(header_.rows);
    close_rows(header_.rows);
    return std::move(rows_.counts());
  }

 private:
  void keep(std::uint64_t row, std::uint32_t word, float count) {
    if (!options_.drain) {
      entries_.add(static_cast<std::uint32_t>(row), word, count);
      return;
    }
    if (row < rows_.rows()) throw OutOfOrder();
    check_plausible(row, found_, lines_.where(), fmt::format("{} {}", header_.row_noun, row + 1));
    close_rows(row);
    rows_.add(word, count);
  }

  // Ends the rows before `row`, most of which may be empty.
  void close_rows(std::uint64_t row) {
    while (rows_.rows() < row) {
      rows_.end_row(0);
      rows_.drain_if_many(options_);
    }
  }

  void entry(std::string_view row_text, std::string_view word_text, std::string_view rest) {
    const std::optional<std::uint64_t> row = index(row_text, header_.rows, header_.row_noun);
    const std::optional<std::uint64_t> word = index(word_text, header_.words, header_.word_noun);
    if (!row || !word) return;
    float count = 1;
    if (header_.counted) {
      const std::string_view text = next_field(rest);
      const std::string_view objection = parse_count(text, count);
      if (!objection.empty()) {
        problems_.add(lines_.where(), fmt::format("the count {} {}", core::quoted(text), objection),
                      "counts are numbers from 0 to 1,000,000,000");
        return;
      }
    }
    if (const std::string_view extra = next_field(rest); !extra.empty()) {
      problems_.add(lines_.where(), core::quoted(extra) + " is one field too many",
                    fmt::format("a line is {} {}{}", header_.row_noun, header_.word_noun,
                                header_.counted ? " count" : ""));
      return;
    }
    keep(*row - 1, static_cast<std::uint32_t>(*word - 1), count);
  }

  std::optional<std::uint64_t> index(std::string_view text, std::uint64_t size,
                                     const std::string& noun) {
    const std::optional<std::uint64_t> number = parse_whole(text);
    if (number && *number >= 1 && *number <= size) return number;
    problems_.add(lines_.where(),
                  number
                      ? fmt::format("{} {} is out of range", noun, *number)
                      : fmt::format("{} where a {} number is expected", core::quoted(text), noun),
                  fmt::format("the header says {}s from 1 to {}", noun, size));
    return std::nullopt;
  }

  TextLines& lines_;
  const CoordinateHeader& header_;
  const CountsOptions& options_;
  core::Problems problems_;
  EntryCounts entries_;
  RowCounts rows_;  // instead of entries_ where rows are drained
  std::uint64_t found_ = 0;
};

}  // namespace

RawCounts read_coordinates(TextLines& lines, const CoordinateHeader& header,
                           const CountsOptions& options) {
  check_sizes(header, options);
  core::MemoryGuard memory(options.memory_limit, lines.file());
  Body body(lines, header, options, memory);
  body.read();
  check_plausible(header.rows, header.entries, header.where,
                  fmt::format("the header says {} {}s", header.rows, header.row_noun));
  if (options.vocabulary == nullptr) {
    check_plausible(header.words, header.entries, header.where,
                    fmt::format("the header says {} {}s", header.words, header.word_noun));
  }
  RawCounts counts = body.take();
  counts.vocabulary = word_names(options, header.words, 1, memory);
  return counts;
}

namespace {

std::uint64_t header_number(TextLines& lines, const std::string& meaning) {
  std::string_view line;
  if (!lines.next(line)) {
    if (lines.number() == 0) refuse_empty(lines.file());
    throw InputError({lines.file(), "ends before the number of " + meaning,
                      "the first three lines are the numbers of documents, words and counts"});
  }
  const std::optional<std::uint64_t> number = parse_whole(core::trimmed(line));
  if (number) return *number;
  throw InputError({lines.where(),
                    core::quoted(line) + " where the number of " + meaning + " is expected",
                    "the first three lines are the numbers of documents, words and counts"});
}

}  // namespace

RawCounts read_docword(core::ByteSource& source, const CountsOptions& options) {
  TextLines lines(source, options.memory_limit);
  CoordinateHeader header;
  header.rows = header_number(lines, "documents");
  header.words = header_number(lines, "words");
  header.entries = header_number(lines, "counts");
  header.where = lines.where(1);
  header.row_noun = "document";
  header.word_noun = "word";
  return read_coordinates(lines, header, options);
}

namespace {

/// Checks the first line; returns whether entries have a value.
bool read_banner(TextLines& lines) {
  std::string_view line;
  if (!lines.next(line)) refuse_empty(lines.file());
  std::string_view rest = line;
  std::array<std::string, 5> word;
  for (std::string& w : word) w = core::lower(next_field(rest));
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw InputError({lines.where(), what, remedy});
  };
  if (word[0] != "%%matrixmarket" || word[1] != "matrix") {
    refuse(core::quoted(line) + " is not the first line of a Matrix Market matrix",
           "it reads %%MatrixMarket matrix coordinate real general");
  }
  if (word[2] != "coordinate") {
    refuse(fmt::format("a matrix in {} layout, only coordinate is read", core::quoted(word[2])),
           "write it as a sparse matrix, or as CSV if it is dense");
  }
  if (word[3] != "real" && word[3] != "integer" && word[3] != "pattern") {
    refuse(fmt::format("a matrix of {} values; real, integer and pattern are read",
                       core::quoted(word[3])),
           "write the counts as real or integer");
  }
  if (word[4] != "general") {
    refuse(fmt::format("a matrix with {} symmetry, only general is read", core::quoted(word[4])),
           "expand it: write both halves and call it general");
  }
  return word[3] != "pattern";
}

}  // namespace

RawCounts read_matrix_market(core::ByteSource& source, const CountsOptions& options) {
  TextLines lines(source, options.memory_limit);
  CoordinateHeader header;
  header.counted = read_banner(lines);
  header.comment = '%';
  std::string_view line;
  do {
    if (!lines.next(line)) {
      throw InputError(
          {lines.file(), "ends before the line with the sizes", "check that the file is complete"});
    }
  } while (line.starts_with('%') || core::trimmed(line).empty());
  header.where = lines.where();
  std::string_view rest = line;
  for (std::uint64_t* size : {&header.rows, &header.words, &header.entries}) {
    const std::optional<std::uint64_t> number = parse_whole(next_field(rest));
    if (!number)
      throw InputError({header.where, core::quoted(line) + " where the sizes are expected",
                        "the line is: rows columns entries"});
    *size = *number;
  }
  if (!next_field(rest).empty())
    throw InputError({header.where, core::quoted(line) + " has more than three sizes",
                      "the line is: rows columns entries"});
  return read_coordinates(lines, header, options);
}

}  // namespace medley::data
