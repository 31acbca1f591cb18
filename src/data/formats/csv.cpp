// SPDX-License-Identifier: Apache-2.0
#include "data/formats/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/dictionary.hpp"
#include "data/formats/numbers.hpp"
#include "data/formats/text_lines.hpp"

namespace medley::data {

void append_cell(std::string& line, std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool edges = !text.empty() && (blank(text.front()) || blank(text.back()));
  if (!edges && text.find_first_of(",;\t|\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    line += c;
    if (c == '"') line += c;
  }
  line += '"';
}

void append_number(std::string& line, double number) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  line.append(digits.data(), error == std::errc{} ? end : digits.data());
}

namespace {

constexpr std::string_view kDelimiters = ",;\t|";
constexpr std::size_t npos = std::string_view::npos;

/// Follows the quotes of the header, counting each candidate delimiter outside them.
class HeaderScan {
 public:
  explicit HeaderScan(std::string_view candidates) : candidates_(candidates) {}

  void feed(std::string_view text) {
    for (const char c : text) {
      if (open_) {
        open_ = c != '"';  // a doubled quote closes and opens again
        cell_start_ = !open_;
      } else if (c == '"' && cell_start_) {
        open_ = true;
      } else if (const std::size_t which = candidates_.find(c); which != npos) {
        ++count_[which];
        cell_start_ = true;
      } else if (c != ' ' && c != '\t') {
        cell_start_ = false;
      }
    }
  }
  /// Inside quotes: the header goes on in the next line.
  [[nodiscard]] bool open() const { return open_; }
  /// The most frequent candidate, the first of equals.
  [[nodiscard]] char delimiter() const {
    const auto most = std::max_element(count_.begin(), count_.end());
    return candidates_[static_cast<std::size_t>(most - count_.begin())];
  }

 private:
  std::string_view candidates_;
  std::array<std::size_t, kDelimiters.size()> count_{};
  bool open_ = false;
  bool cell_start_ = true;
};

/// Whether text follows the closing quote of a cell: "Early" Warning. Programs that write
/// tab-separated text seldom quote, so there the quotes are part of the text.
bool only_begins_with_quote(std::string_view cell) {
  for (std::size_t at = 1; at < cell.size(); ++at) {
    if (cell[at] != '"') continue;
    if (at + 1 == cell.size()) return false;
    if (cell[at + 1] != '"') return true;
    ++at;
  }
  return false;
}

}  // namespace

CsvRecords::CsvRecords(core::ByteSource& source, std::optional<char> delimiter,
                       core::Problems& problems, std::size_t memory_limit)
    : lines_(source, memory_limit), problems_(problems) {
  const std::string text = read_header_text(delimiter);
  if (!split(text) || !check_cells(text)) problems_.throw_if_any();
  if (count_ > kMaxColumns) {
    throw InputError({lines_.where(start_),
                      fmt::format("{} columns, at most {} are read", count_, kMaxColumns),
                      "use a sparse format or triplets for such wide data"});
  }
  name_columns();
  expected_ = header_.size();
}

std::string CsvRecords::read_header_text(std::optional<char> delimiter) {
  std::string_view line;
  do {
    if (!lines_.next(line)) refuse_empty(lines_.file());
  } while (core::trimmed(line).empty() && !(delimiter && line.find(*delimiter) != npos));
  start_ = lines_.number();
  std::string text(line);
  const std::string fixed = delimiter ? std::string(1, *delimiter) : std::string();
  HeaderScan scan(delimiter ? std::string_view(fixed) : kDelimiters);
  scan.feed(line);
  while (scan.open() && text.size() < lines_.longest() && lines_.next(line)) {
    text.append(1, '\n').append(line);
    scan.feed(line);
  }
  delimiter_ = scan.delimiter();
  return text;
}

void CsvRecords::name_columns() {
  std::unordered_map<std::string_view, std::size_t> first;
  header_.reserve(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    unnamed_.push_back(cells_[i].empty());
    header_.push_back(cells_[i].empty() ? fmt::format("column_{}", i + 1) : std::string(cells_[i]));
  }
  const bool numbers = std::all_of(header_.begin(), header_.end(), [](const std::string& name) {
    return parse_number(name).has_value();
  });
  core::Problems repeated;
  for (std::size_t i = 0; i < header_.size(); ++i) {
    const auto [known, fresh] = first.emplace(header_[i], i);
    if (fresh) continue;
    repeated.add(lines_.where(start_),
                 fmt::format("columns {} and {} are both called {}", known->second + 1, i + 1,
                             core::quoted(header_[i])),
                 numbers
                     ? "the first line holds numbers: if it is data, put a line with names above it"
                     : "give every column its own name");
  }
  repeated.throw_if_any();
}

bool CsvRecords::next() {
  std::string_view line;
  while (lines_.next(line)) {
    if (blank(line) && expected_ > 1) continue;
    start_ = lines_.number();
    if (!split(line)) continue;
    if (count_ != expected_) {
      problems_.add(
          lines_.where(start_),
          fmt::format("{} cell{}, the header has {}", count_, count_ == 1 ? "" : "s", expected_),
          "put quotes around cells that hold the delimiter; write a missing cell as "
          "nothing between two delimiters");
      continue;
    }
    if (check_cells(line)) return true;
  }
  return false;
}

bool CsvRecords::blank(std::string_view line) const {
  return line.empty() || (trim(line).empty() && line.find(delimiter_) == npos);
}

std::string_view CsvRecords::trim(std::string_view cell) const {
  const auto is_blank = [&](char c) { return (c == ' ' || c == '\t') && c != delimiter_; };
  while (!cell.empty() && is_blank(cell.front())) cell.remove_prefix(1);
  while (!cell.empty() && is_blank(cell.back())) cell.remove_suffix(1);
  return cell;
}

bool CsvRecords::split(std::string_view line) {
  cells_.clear();
  text_.clear();
  count_ = 0;
  if (line.find('"') != npos) return split_quoted(line);
  if (line.find('\r') != npos) {
    note_lone_return(problems_, lines_.where());
    return false;
  }
  split_plain(line);
  return true;
}

void CsvRecords::split_plain(std::string_view line) {
  for (;;) {
    const std::size_t end = line.find(delimiter_);
    if (++count_ <= expected_) cells_.push_back(trim(line.substr(0, end)));
    if (end == npos) return;
    line.remove_prefix(end + 1);
  }
}

void CsvRecords::keep(std::string_view cell) {
  if (++count_ > expected_) return;
  begin_.push_back(text_.size());
  text_.append(cell);
}

bool CsvRecords::split_quoted(std::string_view line) {
  begin_.clear();
  for (std::size_t at = 0;; ++at) {
    std::size_t end = std::min(line.find(delimiter_, at), line.size());
    const std::string_view cell = trim(line.substr(at, end - at));
    if (cell.starts_with('"') && !(delimiter_ == '\t' && only_begins_with_quote(cell))) {
      at = static_cast<std::size_t>(cell.data() - line.data()) + 1;
      if (!quoted_cell(line, at)) return false;
      end = at;
    } else if (cell.find('\r') != npos) {
      note_lone_return(problems_, lines_.where());
      return false;
    } else {
      keep(cell);
    }
    at = end;
    if (at == line.size()) break;
  }
  begin_.push_back(text_.size());
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i)
    cells_.push_back(std::string_view(text_).substr(begin_[i], begin_[i + 1] - begin_[i]));
  return true;
}

/// Reads on from behind an opening quote, into further lines if need be; leaves `at` on the
/// delimiter behind the cell or at the end of the line.
bool CsvRecords::quoted_cell(std::string_view& line, std::size_t& at) {
  // The header is read whole before it is split, so the line it starts on is all that is known.
  const std::uint64_t opened = header_.empty() ? start_ : lines_.number();
  keep({});
  for (;;) {
    const std::size_t quote = line.find('"', at);
    text_.append(line.substr(at, quote == npos ? npos : quote - at));
    if (quote != npos) {
      at = quote + 1;
      if (at == line.size() || line[at] != '"') break;
      text_ += '"';
      ++at;
      continue;
    }
    if (text_.size() > lines_.longest() || !lines_.next(line)) {
      problems_.add(lines_.where(opened), "a quote is opened here and never closed",
                    "close it, or double a quote that is part of the text");
      return false;
    }
    text_ += '\n';
    at = 0;
  }
  const std::size_t end = std::min(line.find(delimiter_, at), line.size());
  const std::string_view extra = trim(line.substr(at, end - at));
  at = end;
  if (extra.empty()) return true;
  problems_.add(lines_.where(),
                fmt::format("{} follows the closing quote of a cell", core::quoted(extra)),
                "double a quote that is part of the text");
  return false;
}

/// `line` holds all cells of a record without quotes: good for all of them if it is UTF-8.
bool CsvRecords::check_cells(std::string_view line) {
  if (text_.empty() && core::find_invalid_utf8(line) == npos) return true;
  bool good = true;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::size_t at = core::find_invalid_utf8(cells_[i]);
    if (at == npos) continue;
    good = false;
    const std::string column =
        i < header_.size() ? core::quoted(header_[i]) : std::to_string(i + 1);
    note_invalid_utf8(cells_[i], at, problems_, lines_.where(start_) + ": column " + column);
  }
  return good;
}

RawTable read_csv(core::ByteSource& source, const CsvOptions& options) {
  core::Problems problems;
  CsvRecords records(source, options.delimiter, problems, options.memory_limit);
  const std::size_t width = records.header().size();
  core::MemoryGuard memory(options.memory_limit, source.name());
  memory.add(width, sizeof(ColumnBuilder) + sizeof(RawColumn));

  RawTable table;
  table.delimiter = records.delimiter();
  std::vector<ColumnBuilder> columns(width);
  std::vector<bool> has_text(width, false);
  while (records.next()) {
    memory.add(width * sizeof(std::uint32_t) + sizeof(std::uint64_t));
    for (std::size_t i = 0; i < width; ++i) {
      const std::string_view cell = records.cells()[i];
      if (!cell.empty()) has_text[i] = true;
      columns[i].add(cell, options.is_missing, memory);
    }
    table.line.push_back(records.line());
  }
  problems.throw_if_any();
  if (table.line.empty())
    throw InputError(
        {source.name(), "has a header and no rows", "check that the file is complete"});

  for (std::size_t i = 0; i < width; ++i) {
    if (records.unnamed(i) && !has_text[i]) continue;
    table.columns.push_back(
        {records.header()[i], columns[i].take_distinct(), columns[i].take_codes()});
  }
  if (table.columns.empty())
    throw InputError({source.name(), "holds delimiters only", "check that this is the right file"});
  return table;
}

RawTable read_column(core::ByteSource& source, const ColumnOptions& options) {
  core::Problems problems;
  core::MemoryGuard memory(options.memory_limit, source.name());
  TextLines lines(source, options.memory_limit);
  RawTable table;
  ColumnBuilder column;
  std::string_view line;
  while (lines.next(line)) {
    if (!check_text_line(line, problems, lines)) continue;
    memory.add(sizeof(std::uint32_t) + sizeof(std::uint64_t));
    column.add(core::trimmed(line), options.is_missing, memory);
    table.line.push_back(lines.number());
  }
  problems.throw_if_any();
  if (table.line.empty()) refuse_empty(source.name());
  table.columns.push_back({options.name, column.take_distinct(), column.take_codes()});
  return table;
}

}  // namespace medley::data
