// SPDX-License-Identifier: Apache-2.0
#include "data/detect_decimal.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/text.hpp"
#include "data/formats/csv_text.hpp"
#include "data/number.hpp"

namespace medley::data {
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

}  // namespace medley::data
