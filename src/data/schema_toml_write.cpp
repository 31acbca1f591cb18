// SPDX-License-Identifier: Apache-2.0
// A schema as a TOML document that people read and edit. Written by hand rather than with toml++:
// the notes go beside what they explain, keys keep a sensible order, and long vocabularies are
// wrapped.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>

#include "core/text.hpp"
#include "data/detect_decimal.hpp"
#include "data/schema_words.hpp"
#include "medley/data.hpp"

namespace medley {
namespace {

constexpr std::size_t kWidth = 100;

// TOML is UTF-8 without exception, so bytes that are not become U+FFFD. NUL is fine once escaped.
std::string valid_utf8(std::string text) {
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t bad = core::find_invalid_utf8(std::string_view(text).substr(from));
    if (bad == std::string::npos) break;
    from += bad;
    if (text[from] != '\0') {
      text.replace(from, 1, "\xEF\xBF\xBD");
      from += 2;
    }
    ++from;
  }
  return text;
}

std::string toml_string(const std::string& raw) {
  std::string out = "\"";
  for (const char c : valid_utf8(raw)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04X", static_cast<unsigned>(byte));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

// key = ["a", "b", ...], over several lines if it does not fit one.
void write_list(std::string& out, const std::string& key, const std::vector<std::string>& values) {
  std::string body;
  std::size_t column = 2;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string word = toml_string(values[i]) + (i + 1 < values.size() ? "," : "");
    if (i > 0 && column + 1 + word.size() > kWidth) {
      body += "\n  ";
      column = 2;
    } else if (i > 0) {
      body += ' ';
      ++column;
    }
    body += word;
    column += word.size();
  }
  const bool one_line =
      body.find('\n') == std::string::npos && key.size() + 5 + body.size() <= kWidth;
  out += key + (one_line ? " = [" + body + "]\n" : " = [\n  " + body + "\n]\n");
}

void write_comment(std::string& out, const std::string& note) {
  if (note.empty()) return;
  std::string line = valid_utf8(note);
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  while (line.size() + 2 > kWidth) {
    const std::size_t blank = line.rfind(' ', kWidth - 2);
    if (blank == std::string::npos || blank == 0) break;
    out += "# " + line.substr(0, blank) + '\n';
    line.erase(0, blank + 1);
  }
  out += "# " + line + '\n';
}

// The shortest text that reads back as the same number; TOML wants a digit after the point.
std::string toml_number(double value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string out(text, end);
  const bool whole = out.find_first_of(".e") == std::string::npos;
  return whole ? out + ".0" : out;
}

void write_word(std::string& out, const std::string& key, std::string_view word) {
  out += key + " = " + toml_string(std::string(word)) + '\n';
}

// Only what differs from the default.
void write_cell_rules(std::string& out, const ColumnSpec& column) {
  if (!column.date_part.empty()) write_word(out, "date_part", column.date_part);
  if (column.shift != 0) out += "shift = " + toml_number(column.shift) + '\n';
  if (column.cells == CellText::value) return;
  write_word(out, "cells", data::word_of(data::kCellTexts, column.cells));
  if (column.cells != CellText::text) {
    write_word(out, "split", column.split);
    return;
  }
  out += std::string("fold_case = ") + (column.text.fold_case ? "true\n" : "false\n");
  if (!column.text.stem.empty()) write_word(out, "stem", column.text.stem);
  if (!column.set_aside.empty()) write_list(out, "set_aside", column.set_aside);
}

void write_marks(std::string& out, const NumberMarks& marks) {
  write_word(out, "decimal", data::word_of(data::kMarks, marks.decimal));
  if (marks.thousands != '\0')
    write_word(out, "thousands", data::word_of(data::kMarks, marks.thousands));
}

void write_column(std::string& out, const ColumnSpec& column, const NumberMarks& usual) {
  out += '\n';
  write_comment(out, column.note);
  out += "[[source.column]]\n";
  write_word(out, "name", column.name);
  if (!column.title.empty()) write_word(out, "title", column.title);
  if (!column.tied.empty()) write_list(out, "tied", column.tied);
  write_word(out, "role", data::word_of(data::kRoles, column.role));
  if (column.role == Role::feature) write_word(out, "family", column.family);
  const bool has_levels = column.role == Role::feature || column.role == Role::label;
  if (has_levels && !column.levels.empty()) write_list(out, "levels", column.levels);
  if (has_levels && !column.labels.empty()) write_list(out, "labels", column.labels);
  if (!column.missing.empty()) write_list(out, "missing", column.missing);
  if (column.role == Role::feature) write_cell_rules(out, column);
  const bool numbers = column.role == Role::weight ||
                       (column.role == Role::feature && column.cells == CellText::value);
  if (numbers && column.marks != usual) write_marks(out, column.marks);
}

}  // namespace

std::string to_toml(const Schema& schema) {
  std::string out =
      "# What every column was taken for. Edit it, and give it back with `schema`.\n"
      "# role: feature, label, id, weight or ignored.\n";
  write_list(out, "na", schema.na);
  out +=
      std::string("missing_as_category = ") + (schema.missing_as_category ? "true\n" : "false\n");
  out += std::string("frequency_weights = ") + (schema.frequency_weights ? "true\n" : "false\n");
  if (schema.standardise) out += "standardise = true\n";
  if (!schema.treatments.empty()) write_list(out, "treatments", schema.treatments);
  if (!schema.block_weight.empty()) out += "\n[block_weight]\n";
  for (const auto& [name, weight] : schema.block_weight) {
    out += toml_string(name) + " = " + toml_number(weight) + '\n';
  }
  for (const SourceSpec& source : schema.sources) {
    out += "\n[[source]]\n";
    write_word(out, "name", source.name);
    write_word(out, "kind", data::word_of(data::kKinds, source.kind));
    if (source.kind == SourceKind::triplets) write_list(out, "items", source.items);
    if (source.marks != NumberMarks{}) {
      const std::string words = data::marks_in_words(source.marks);
      write_comment(out, words + (source.marks == NumberMarks{',', '\0'} ? ": 5,3456" : ""));
      write_marks(out, source.marks);
    }
    if (!source.item_levels.empty()) out += "\n[source.item_levels]\n";
    for (std::size_t i = 0; i < source.item_levels.size(); ++i)
      write_list(out, toml_string(source.items[i]), source.item_levels[i]);
    for (const ColumnSpec& column : source.columns) write_column(out, column, source.marks);
  }
  return out;
}

}  // namespace medley
