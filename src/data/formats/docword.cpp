// SPDX-License-Identifier: Apache-2.0
#include "data/formats/docword.hpp"

#include "core/text.hpp"
#include "data/formats/coordinates.hpp"
#include "data/formats/numbers.hpp"

namespace medley::data {
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

}  // namespace medley::data
