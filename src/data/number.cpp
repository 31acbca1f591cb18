// SPDX-License-Identifier: Apache-2.0
#include "data/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "data/formats/csv.hpp"
#include "data/message_text.hpp"

namespace medley::data {
namespace {

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

// Whether an exponent makes a number small: then out of range means 0, else infinite.
bool is_tiny(std::string_view body) {
  return body.find("e-") != body.npos || body.find("E-") != body.npos;
}

// from_chars alone would take "inf" and "nan" and refuse a leading '+'.
std::optional<double> parse_point(std::string_view text) {
  const std::string_view body = without_sign(text);
  if (body.empty() || !(core::is_digit(body.front()) || body.front() == '.')) return std::nullopt;
  double value = 0;
  const char* end = body.data() + body.size();
  const auto [stop, error] = std::from_chars(body.data(), end, value);
  // Out of range: too large is no finite number; too small is zero to any precision we have.
  if (error == std::errc::result_out_of_range && stop == end) {
    if (!is_tiny(body)) return std::nullopt;
    value = 0;
  } else if (error != std::errc{} || stop != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return text.front() == '-' ? -value : value;
}

char other_mark(char mark) {
  return mark == '.' ? ',' : '.';
}

std::size_t count_of(std::string_view text, char mark) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), mark));
}

// 1.234.567: up to three digits, then groups of three. A group in front does not begin with 0.
bool is_grouped(std::string_view body, char mark) {
  std::size_t group = body.find(mark);
  if (group == body.npos || group == 0 || group > 3 || body.front() == '0') return false;
  if (!std::all_of(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(group), core::is_digit))
    return false;
  for (body.remove_prefix(group); !body.empty(); body.remove_prefix(4)) {
    if (body.size() < 4 || body.front() != mark ||
        !std::all_of(body.begin() + 1, body.begin() + 4, core::is_digit))
      return false;
  }
  return true;
}

// With this mark alone, once at most. A comma stands between digits: "3," is no number.
std::optional<double> parse_decimal(std::string_view text, char mark) {
  if (mark == '.') return parse_point(text);
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return parse_point(text);
  const bool between_digits = comma > 0 && comma + 1 < text.size() &&
                              core::is_digit(text[comma - 1]) && core::is_digit(text[comma + 1]);
  if (!between_digits || text.find('.') != text.npos) return std::nullopt;
  std::string point(text);
  point[comma] = '.';
  return parse_point(point);
}

// The same with the other mark between groups of three digits in front of it. A single group and
// nothing else, 1,538, is a thousand only where thousands are known.
std::optional<double> parse_grouped(std::string_view text, char decimal, bool thousands) {
  const char other = other_mark(decimal);
  const std::string_view body = without_sign(text);
  const std::string_view front = body.substr(0, body.find(decimal));
  if (!is_grouped(front, other))
    return count_of(text, other) > 0 ? std::nullopt : parse_decimal(text, decimal);
  if (front.size() == body.size() && count_of(front, other) == 1 && !thousands) return std::nullopt;
  std::string plain(front);
  std::erase(plain, other);
  plain.insert(0, text.substr(0, text.size() - body.size()));
  return parse_decimal(plain + std::string(body.substr(front.size())), decimal);
}

}  // namespace

bool is_infinite(std::string_view text) {
  const std::string body = core::lower(without_sign(text));
  if (body == "inf" || body == "infinity") return true;
  if (body.empty() || !(core::is_digit(body.front()) || body.front() == '.')) return false;
  double value = 0;
  const char* end = body.data() + body.size();
  const auto [stop, error] = std::from_chars(body.data(), end, value);
  return error == std::errc::result_out_of_range && stop == end && !is_tiny(body);
}

WrittenNumber writing_of(std::string_view text) {
  WrittenNumber out;
  const std::string_view body = without_sign(text);
  const std::size_t points = count_of(body, '.'), commas = count_of(body, ',');
  if (points == 0 && commas == 0) {
    out.number = parse_point(text).has_value();
    return out;
  }
  if (points > 0 && commas > 0) {
    const bool comma_last = body.rfind(',') > body.rfind('.');
    const char last = comma_last ? ',' : '.';
    out.number = number_in(text, comma_last ? kCommaOnly : kPointOnly).has_value() &&
                 count_of(body, last) == 1;
    out.decimal_mark[comma_last ? 1 : 0] = out.number;
    out.thousands_mark[comma_last ? 0 : 1] = out.number;
    return out;
  }
  const char mark = commas > 0 ? ',' : '.';
  const std::size_t which = commas > 0 ? 1 : 0;
  if (points + commas > 1) {
    out.number = out.thousands_mark[which] = is_grouped(body, mark);
  } else if (is_grouped(body, mark)) {
    out.number = out.either[which] = true;
  } else {
    out.number = out.decimal_mark[which] = parse_decimal(text, mark).has_value();
  }
  return out;
}

std::optional<double> number_in(std::string_view text, const NumberMarks& marks) {
  const char other = other_mark(marks.decimal);
  const bool strict = marks.thousands == other;
  const std::optional<double> number = parse_grouped(text, marks.decimal, strict);
  if (number || strict || is_grouped(without_sign(text), other)) return number;
  return parse_grouped(text, other, false);
}

bool is_ambiguous_mark(std::string_view text, const NumberMarks& marks) {
  const WrittenNumber written = writing_of(text);
  return (written.either[0] || written.either[1]) && !number_in(text, marks);
}

std::string may_be_either(std::string_view text) {
  std::string point(text), whole(text);
  std::replace(point.begin(), point.end(), ',', '.');
  std::erase_if(whole, [](char c) { return c == '.' || c == ','; });
  return core::quoted(text) + " could be " + point + " or " + whole;
}

std::string_view mark_name(char mark) {
  return mark == ',' ? "comma" : "point";
}

namespace {

constexpr double kNearlyAllNumbers = 0.8;  // of the cells, in a column that is looked at
constexpr std::size_t kPoint = 0, kComma = 1;

// What the cells of one column say; [kPoint] and [kComma] as in WrittenNumber.
struct MarkEvidence {
  bool decimal[2] = {}, thousands[2] = {};
  std::string either[2];  // the first such cell

  // Surely written with this decimal mark.
  [[nodiscard]] bool tells(std::size_t mark) const { return decimal[mark] || thousands[1 - mark]; }
};

MarkEvidence evidence_of(const std::vector<std::string>& distinct,
                         const std::vector<std::uint32_t>& code, const MissingStrings& missing) {
  std::vector<std::size_t> uses(distinct.size(), 0);
  for (const std::uint32_t c : code) {
    if (c != kMissingCode) ++uses[c];
  }
  MarkEvidence found;
  std::size_t numbers = 0, cells = 0;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    if (uses[i] == 0 || missing.contains(distinct[i])) continue;
    cells += uses[i];
    const WrittenNumber written = writing_of(distinct[i]);
    if (!written.number) continue;
    numbers += uses[i];
    for (const std::size_t mark : {kPoint, kComma}) {
      found.decimal[mark] |= written.decimal_mark[mark];
      found.thousands[mark] |= written.thousands_mark[mark];
      if (written.either[mark] && found.either[mark].empty()) found.either[mark] = distinct[i];
    }
  }
  const bool column_of_numbers =
      static_cast<double>(numbers) >= kNearlyAllNumbers * static_cast<double>(cells);
  return column_of_numbers ? found : MarkEvidence{};
}

// What the columns together say.
struct FileEvidence {
  char delimiter = '\0';
  std::size_t telling[2] = {};  // columns that tell this decimal mark and no other
  bool either_comma = false;

  void add(const MarkEvidence& column) {
    for (const std::size_t mark : {kPoint, kComma})
      telling[mark] += column.tells(mark) && !column.tells(1 - mark) ? 1 : 0;
    either_comma |= !column.either[kComma].empty();
  }
  [[nodiscard]] bool comma() const {
    if (delimiter == ';') return telling[kComma] > 0 || either_comma;
    if (delimiter == '\t') return telling[kComma] > 0 || (either_comma && telling[kPoint] == 0);
    return telling[kComma] > telling[kPoint];
  }
  [[nodiscard]] bool point() const { return !comma() && telling[kPoint] > 0; }
};

// "5.311" is read as 5311, ...
std::string read_as(const std::string& cell, const NumberMarks& marks) {
  std::string text = core::quoted(cell) + " is read as ";
  append_number(text, number_in(cell, marks).value_or(0));
  return text;
}

std::string either_doubt(const std::string& cell, const NumberMarks& marks, const char* why) {
  const std::size_t other = marks.decimal == ',' ? kPoint : kComma;
  return read_as(cell, marks) + ": " + why + "; if it is not, put decimal = \"" +
         std::string(mark_name(other == kPoint ? '.' : ',')) +
         "\" (and no thousands) into the schema";
}

// The column's own cells tell one mark and not the other.
WrittenNumbers told_by_column(const MarkEvidence& cells, const FileEvidence& file,
                              std::size_t mark) {
  const std::size_t other = 1 - mark;
  const bool groups = cells.thousands[other] || !cells.either[other].empty();
  WrittenNumbers out;
  out.sure = true;
  // A column with points in a file with commas is an exception that goes into the schema.
  if (groups || (mark == kPoint && file.comma())) {
    out.marks = mark == kComma ? kCommaOnly : kPointOnly;
  } else {
    out.marks.decimal = mark == kComma ? ',' : '.';
  }
  return out;
}

WrittenNumbers told_by_file(const MarkEvidence& cells, const FileEvidence& file) {
  WrittenNumbers out;
  if (file.comma()) out.marks.decimal = ',';
  const std::string& point = cells.either[kPoint];
  const std::string& comma = cells.either[kComma];
  if (file.comma() && !point.empty()) {
    out.marks = kCommaOnly;
    out.doubt = either_doubt(point, out.marks,
                             "the file has decimal commas, so the point is taken for thousands");
  } else if (file.comma() && !comma.empty() && file.telling[kComma] == 0) {
    out.doubt =
        either_doubt(comma, out.marks,
                     file.delimiter == ';' ? "the cells are separated by semicolons, so the "
                                             "comma is taken for a decimal comma"
                                           : "the cells are separated by tabs, so the "
                                             "comma is taken for a decimal comma");
  } else if (file.point() && !comma.empty()) {
    out.marks = kPointOnly;
    out.doubt = either_doubt(comma, out.marks,
                             "the file has decimal points, so the comma is taken for thousands");
  } else if (!file.comma() && !comma.empty()) {
    out.doubt = may_be_either(comma) + " (`decimal=\"comma\"` or `decimal=\"point\"` says which)";
  }
  out.sure = out.doubt.empty() && (file.telling[kPoint] > 0) != (file.telling[kComma] > 0);
  return out;
}

WrittenNumbers settled(const MarkEvidence& cells, const FileEvidence& file, Decimal asked) {
  if (asked == Decimal::comma) return {kCommaOnly, true, {}};
  if (asked == Decimal::point) return {kPointOnly, true, {}};
  const bool point = cells.tells(kPoint), comma = cells.tells(kComma);
  if (point != comma) return told_by_column(cells, file, comma ? kComma : kPoint);
  if (!point) return told_by_file(cells, file);
  WrittenNumbers out;
  if (file.comma()) out.marks.decimal = ',';
  out.doubt = "some of its numbers have a decimal point, others a decimal comma";
  return out;
}

NumberMarks marks_of_file(const FileEvidence& file, Decimal asked) {
  if (asked != Decimal::automatic) return asked == Decimal::comma ? kCommaOnly : kPointOnly;
  return {file.comma() ? ',' : '.', '\0'};
}

}  // namespace

void settle_marks(RawSource& source, const MissingStrings& missing, Decimal asked) {
  FileEvidence file;
  if (auto* table = std::get_if<RawTable>(&source.content)) {
    file.delimiter = table->delimiter;
    std::vector<MarkEvidence> columns;
    for (const RawColumn& column : table->columns) {
      const MissingStrings own = missing.with(column.missing_codes);
      columns.push_back(column.cells == CellText::value && !column.typed
                            ? evidence_of(column.distinct, column.code, own)
                            : MarkEvidence{});
      file.add(columns.back());
    }
    for (std::size_t i = 0; i < columns.size(); ++i)
      table->columns[i].numbers = table->columns[i].typed ? WrittenNumbers{NumberMarks{}, true, {}}
                                                          : settled(columns[i], file, asked);
  } else if (auto* triplets = std::get_if<RawTriplets>(&source.content)) {
    file.delimiter = triplets->delimiter;
    const MarkEvidence values =
        triplets->typed ? MarkEvidence{} : evidence_of(triplets->values, triplets->value, missing);
    file.add(values);
    triplets->numbers =
        triplets->typed ? WrittenNumbers{NumberMarks{}, true, {}} : settled(values, file, asked);
  }
  source.marks = marks_of_file(file, asked);
}

NumberMarks marks_by(const NumberMarks& schema, const WrittenNumbers& written, Decimal asked) {
  const bool told = asked != Decimal::automatic || written.sure || schema == NumberMarks{};
  return told ? written.marks : schema;
}

std::string marks_in_words(const NumberMarks& marks) {
  if (marks == NumberMarks{}) return {};
  const std::string decimal(mark_name(marks.decimal));
  std::string text = "numbers with a decimal " + decimal;
  if (marks.thousands != '\0')
    text += " and " + std::string(mark_name(marks.thousands)) + "s between thousands";
  return text;
}

NumberCheck::NumberCheck(const CodedCells& cells, const ColumnSpec& column, MissingStrings missing,
                         const FamilyCatalogue& catalogue, bool fixed)
    : distinct_(cells.distinct),
      code_(cells.code),
      column_(column),
      missing_(std::move(missing)),
      catalogue_(catalogue),
      fixed_(fixed) {}

std::string NumberCheck::refusal(double number) const {
  return catalogue_.refusal(column_.family, number - column_.shift);
}

bool NumberCheck::takes(const std::string& text) const {
  if (missing_.contains(text)) return true;
  const std::optional<double> number = number_in(text, column_.marks);
  return number && refusal(*number).empty();
}

void NumberCheck::mark_refused(std::vector<Cell>& cells) const {
  for (Cell& cell : cells) {
    if (cell.state != Cell::State::observed || refusal(cell.value).empty()) continue;
    cell.state = Cell::State::bad;
    cell.level = Cell::kNoLevel;
  }
}

std::string NumberCheck::other_family() const {
  const ColumnSummary summary = summarise({distinct_, code_, column_.marks}, missing_);
  return summary.facts.numeric ? family_of_numbers(summary, catalogue_)
                               : family_of_levels(summary.facts, catalogue_);
}

Problem NumberCheck::problem(const std::string& where, const std::string& text) {
  if (!other_) other_ = fixed_ ? std::string() : other_family();
  const std::optional<double> number = number_in(text, column_.marks);
  if (!number) return not_a_number(where, text, column_, *other_, fixed_);
  std::string what = text;
  if (column_.shift != 0) what += fmt::format(" ({} after the shift)", *number - column_.shift);
  return {where, what + ' ' + refusal(*number), ways_out(text, column_, *other_, fixed_)};
}

}  // namespace medley::data
