// SPDX-License-Identifier: Apache-2.0
#include "data/formats/matrix_market.hpp"

#include <fmt/format.h>

#include <array>

#include "core/text.hpp"
#include "data/formats/coordinates.hpp"
#include "data/formats/numbers.hpp"

namespace medley::data {
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
