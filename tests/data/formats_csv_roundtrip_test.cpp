// SPDX-License-Identifier: Apache-2.0
// A random table, written in a random dialect, comes back as it was, whatever the size of the
// pieces.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "data/formats/csv.hpp"
#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

struct Dialect {
  char delimiter = ',';
  bool mark = false;        ///< starts with a byte-order mark
  bool end_of_last = true;  ///< the last line has its end
  bool delimiter_given = false;
};

Dialect random_dialect() {
  return {*rc::gen::element(',', ';', '\t', '|'), *rc::gen::arbitrary<bool>(),
          *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
}

bool needs_quotes(const std::string& cell, char delimiter) {
  if (cell.empty()) return false;
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  return blank(cell.front()) || blank(cell.back()) || cell.front() == '"' ||
         cell.find('\n') != std::string::npos || cell.find('\r') != std::string::npos ||
         cell.find(delimiter) != std::string::npos;
}

std::string written(const std::string& cell, char delimiter) {
  if (!needs_quotes(cell, delimiter) && *rc::gen::arbitrary<bool>()) {
    const std::string padding = *rc::gen::element<std::string>("", "", " ");
    return padding + cell + padding;
  }
  std::string out(1, '"');
  for (const char c : cell) out.append(c == '"' ? 2 : 1, c);
  out += '"';
  return out;
}

using Table = std::vector<std::vector<std::string>>;  ///< rows of cells; "" is missing

/// At least two columns, so that the header shows its delimiter and no line is blank.
Table random_table(std::size_t width) {
  const auto piece = rc::gen::element<std::string>("a", "b", "NA", ",", ";", "\t", "|", "\"", "\n",
                                                   "\r", " ", "\xC3\xA9", "\xF0\x9F\x8E\xB5", "17");
  const auto cell = rc::gen::map(
      rc::gen::resize(4, rc::gen::container<std::vector<std::string>>(piece)),
      [](const std::vector<std::string>& pieces) {
        std::string text;
        for (const std::string& p : pieces) text += p;
        // Written as CRLF inside quotes it would come back as LF: that is documented, not a loss.
        for (std::size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n"))
          text.erase(at, 1);
        return text == "NA" ? std::string() : text;
      });
  const auto row = rc::gen::container<std::vector<std::string>>(width, cell);
  return *rc::gen::nonEmpty(rc::gen::container<Table>(row));
}

std::string written(const Table& table, std::size_t width, const Dialect& dialect) {
  std::string text = dialect.mark ? "\xEF\xBB\xBF" : "";
  const auto add_row = [&](const std::vector<std::string>& cells, bool end) {
    for (std::size_t i = 0; i < width; ++i) {
      if (i > 0) text += dialect.delimiter;
      text += written(cells[i], dialect.delimiter);
    }
    if (end) text += *rc::gen::element<std::string>("\n", "\r\n");
  };
  std::vector<std::string> header;
  for (std::size_t i = 0; i < width; ++i) header.push_back("name " + std::to_string(i));
  add_row(header, true);
  for (std::size_t r = 0; r < table.size(); ++r)
    add_row(table[r], r + 1 < table.size() || dialect.end_of_last);
  return text;
}

Table read_back(const std::string& text, const Dialect& dialect, std::size_t chunk) {
  test::ChunkSource source(text, chunk);
  CsvOptions options;
  if (dialect.delimiter_given) options.delimiter = dialect.delimiter;
  options.is_missing = [](std::string_view cell) { return cell == "NA"; };
  const RawTable table = read_csv(source, options);
  Table out(table.line.size());
  for (const RawColumn& column : table.columns)
    for (std::size_t i = 0; i < column.code.size(); ++i)
      out[i].push_back(column.code[i] == kMissingCode ? "" : column.distinct[column.code[i]]);
  return out;
}

RC_GTEST_PROP(Csv, RandomTableInARandomDialectComesBack, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(2, 5);
  const Dialect dialect = random_dialect();
  const Table table = random_table(width);
  const std::string text = written(table, width, dialect);
  RC_LOG() << text;
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{5}, text.size()})
    RC_ASSERT(read_back(text, dialect, chunk) == table);
}

RC_GTEST_PROP(Csv, AnyBytesGiveATableOrAnInputErrorWhateverTheChunks, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab,;\"\n\r \t\xC3\xA9\0", 12)));
  const auto outcome = [&](std::size_t chunk) {
    Table table;
    const std::string error = test::error_of([&] { table = read_back(text, {}, chunk); });
    return std::pair(error, table);
  };
  RC_ASSERT(outcome(1) == outcome(text.size() + 1));
}

}  // namespace
}  // namespace medley::data
