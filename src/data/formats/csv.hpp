// SPDX-License-Identifier: Apache-2.0
// CSV and TSV files: a table out of one, its records one by one, lines that our own reader takes
// back unchanged, and files of one value per line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files.hpp"
#include "core/problems.hpp"
#include "data/formats/text_lines.hpp"
#include "data/raw.hpp"

namespace medley::data {

// Lines of CSV for files that our own reader takes back unchanged: cells quoted where they must be,
// numbers in the fewest digits that read back as the same double.

/// Appends a cell. Whatever could be taken for a delimiter is quoted, because the reader finds the
/// delimiter in the header; so are blanks at the ends, which are trimmed outside quotes.
void append_cell(std::string& line, std::string_view text);
/// Appends a finite number; whole numbers have no decimal point.
void append_number(std::string& line, double number);

// The records of a CSV or TSV file (RFC 4180): a header, then lines of cells.
//
// Quotes open a cell only at its start and double to stand for themselves; a quoted cell may hold
// delimiters and line ends (a CRLF inside becomes LF, so that a cell does not depend on the system
// that wrote it) and is kept as it is. Between tabs, "a" b is text with quotes in it. Unquoted
// cells are trimmed. Blank lines are skipped, except under a header of one column, where they are
// an empty cell. Ragged records, broken quotes and broken UTF-8 are noted as problems and the
// record is skipped.

class CsvRecords {
 public:
  /// A header wider than this is refused before anything is allocated for it.
  static constexpr std::size_t kMaxColumns = std::size_t{1} << 20;

  /// Reads the header. Delimiter: as given, else whichever of , ; tab | is most frequent outside
  /// the quotes of the header. A record may be as long as a line of `memory_limit` (LineReader).
  /// Throws InputError for an empty file or an unusable header.
  CsvRecords(core::ByteSource& source, std::optional<char> delimiter, core::Problems& problems,
             std::size_t memory_limit = 0);

  /// Names of the columns, all different; `column_N` where the header had none.
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  /// Whether the header had no name for that column.
  [[nodiscard]] bool unnamed(std::size_t column) const { return unnamed_[column]; }

  [[nodiscard]] char delimiter() const { return delimiter_; }

  /// The next good record, as many cells as the header; false at the end.
  bool next();
  /// Valid until the next call of next().
  [[nodiscard]] const std::vector<std::string_view>& cells() const { return cells_; }
  /// The line on which the record starts.
  [[nodiscard]] std::uint64_t line() const { return start_; }
  [[nodiscard]] const TextLines& lines() const { return lines_; }

 private:
  [[nodiscard]] bool blank(std::string_view line) const;
  [[nodiscard]] std::string_view trim(std::string_view cell) const;
  std::string read_header_text(std::optional<char> delimiter);
  void name_columns();
  bool split(std::string_view line);
  void split_plain(std::string_view line);
  bool split_quoted(std::string_view line);
  bool quoted_cell(std::string_view& line, std::size_t& at);
  void keep(std::string_view cell);
  bool check_cells(std::string_view line);

  TextLines lines_;
  core::Problems& problems_;
  char delimiter_ = ',';
  std::vector<std::string> header_;
  std::vector<bool> unnamed_;
  std::size_t expected_ = kMaxColumns;  ///< cells of a record; of the header: at most

  std::uint64_t start_ = 0;
  std::size_t count_ = 0;  ///< cells of the record; only the first expected_ are kept
  std::vector<std::string_view> cells_;
  std::string text_;                ///< the cells of a record with quotes, one after the other
  std::vector<std::size_t> begin_;  ///< where they start in text_
};

// A CSV or TSV file as a table of dictionary-coded text columns.
//
// A quoted missing-value string ("NA" in quotes) is as missing as a bare one: many programs quote
// every cell. Cells stay text as written; with `;` as delimiter 3,5 stays 3,5. A column that has
// neither a name nor any text (lines that end in a delimiter) is left out; one without a name only
// is called `column_N`.

using IsMissing = std::function<bool(std::string_view)>;

struct CsvOptions {
  std::optional<char> delimiter = {};  ///< none: found in the header; TSV: '\t'
  IsMissing is_missing = {};           ///< none: only the empty cell is missing
  std::size_t memory_limit = 0;        ///< bytes; 0: none
};

/// Throws InputError listing every ragged or broken line; also for no rows at all.
[[nodiscard]] RawTable read_csv(core::ByteSource& source, const CsvOptions& options);

// A file of one value per line as a table of one column. No header; a blank line is a missing
// value; the last line may lack its end. Values are trimmed; nothing is special about quotes or
// commas.

struct ColumnOptions {
  std::string name = "value";    ///< what the column is called
  IsMissing is_missing = {};     ///< none: only a blank line is missing
  std::size_t memory_limit = 0;  ///< bytes; 0: none
};

[[nodiscard]] RawTable read_column(core::ByteSource& source, const ColumnOptions& options);

}  // namespace medley::data
