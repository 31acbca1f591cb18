// SPDX-License-Identifier: Apache-2.0
// A schema as a TOML document that people read and edit: written by hand, so that notes stand
// beside what they are about; read with every key checked.
#include "medley/data.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/dates.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"
#include "data/schema_words.hpp"

namespace medley {

// Looking things up in a schema, and the strings that always mean "missing".

const ColumnSpec* Schema::find(std::string_view column) const {
  for (const SourceSpec& source : sources) {
    for (const ColumnSpec& spec : source.columns) {
      if (spec.name == column) return &spec;
    }
  }
  return nullptr;
}

const ColumnSpec* Schema::label() const {
  for (const SourceSpec& source : sources) {
    for (const ColumnSpec& spec : source.columns) {
      if (spec.role == Role::label) return &spec;
    }
  }
  return nullptr;
}

bool is_standard_missing(std::string_view cell) {
  static constexpr std::array<std::string_view, 7> kMissing = {"",  "NA",   "NaN", "nan",
                                                               "?", "null", "None"};
  return std::find(kMissing.begin(), kMissing.end(), cell) != kMissing.end();
}

// Reads a schema file, checking everything: a misspelt key is an error, not a default.

namespace {

class SchemaReader {
 public:
  explicit SchemaReader(const std::string& file) : file_(file) {}

  Schema read(const toml::table& document) {
    Schema schema;
    check_keys(document, "the schema",
               {"na", "missing_as_category", "frequency_weights", "standardise", "block_weight",
                "treatments", "source"});
    schema.na = strings(document, "na", false);
    schema.missing_as_category = boolean(document, "missing_as_category");
    schema.frequency_weights = boolean(document, "frequency_weights");
    schema.standardise = boolean(document, "standardise");
    schema.block_weight = block_weights(document);
    schema.treatments = strings(document, "treatments", false);
    for (const toml::table* table : tables(document, "source")) {
      schema.sources.push_back(source(*table));
    }
    if (schema.sources.empty() && problems_.total() == 0) {
      problems_.add(file_, "describes no source", "add a [[source]] with its [[source.column]]s");
    }
    std::unordered_set<std::string> names;
    for (const SourceSpec& spec : schema.sources) {
      if (!names.insert(spec.name).second) {
        problems_.add(file_, "two sources are named " + core::quoted(spec.name));
      }
    }
    problems_.throw_if_any();
    return schema;
  }

 private:
  std::string where(const toml::node& node) const {
    const auto line = node.source().begin.line;
    return line > 0 ? file_ + ':' + std::to_string(line) : file_;
  }

  void expected(const toml::node& node, std::string_view key, std::string_view type) {
    problems_.add(where(node), core::quoted(key) + " must be " + std::string(type));
  }

  void check_keys(const toml::table& table, const std::string& place,
                  std::initializer_list<const char*> allowed) {
    const std::vector<std::string> names(allowed.begin(), allowed.end());
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const std::string meant = data::closest(name, names);
      problems_.add(file_ + ':' + std::to_string(key.source().begin.line),
                    "unknown key " + core::quoted(name) + " in " + place,
                    (meant.empty() ? "" : "did you mean " + core::quoted(meant) + "? ") +
                        "allowed: " + data::listed(names));
    }
  }

  bool boolean(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return false;
    const std::optional<bool> value = node->value_exact<bool>();
    if (!value) expected(*node, key, "true or false");
    return value.value_or(false);
  }

  double number(const toml::table& table, std::string_view key, double otherwise) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const std::optional<double> value = node->value<double>();
    if (node->is_number() && value && std::isfinite(*value)) return *value;
    expected(*node, key, "a number");
    return otherwise;
  }

  std::map<std::string, double> block_weights(const toml::table& document) {
    std::map<std::string, double> weights;
    const toml::node* node = document.get("block_weight");
    if (node == nullptr) return weights;
    if (!node->is_table()) expected(*node, "block_weight", "a table: [block_weight]");
    if (!node->is_table()) return weights;
    for (const auto& [key, value] : *node->as_table()) {
      const std::string name(key.str());
      const double weight = number(*node->as_table(), name, 1);
      if (weight > 0) {
        weights[name] = weight;
      } else {
        problems_.add(where(value),
                      "the weight of block " + core::quoted(name) + " is not above 0");
      }
    }
    return weights;
  }

  std::optional<std::string> text(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    std::optional<std::string> value = node->value_exact<std::string>();
    if (!value) expected(*node, key, "a string");
    return value;
  }

  std::vector<std::string> strings(const toml::table& table, std::string_view key, bool distinct) {
    std::vector<std::string> values;
    const toml::node* node = table.get(key);
    if (node == nullptr) return values;
    const toml::array* array = node->as_array();
    if (array == nullptr) expected(*node, key, "a list of strings");
    if (array == nullptr) return values;
    std::unordered_set<std::string> seen;
    values.reserve(array->size());
    for (const toml::node& element : *array) {
      std::optional<std::string> value = element.value_exact<std::string>();
      if (!value) {
        expected(element, key, "a list of strings (a number needs quotes: \"3\")");
      } else if (distinct && !seen.insert(*value).second) {
        problems_.add(where(element),
                      core::quoted(*value) + " occurs twice in " + core::quoted(key));
      } else {
        values.push_back(std::move(*value));
      }
    }
    return values;
  }

  std::vector<const toml::table*> tables(const toml::table& table, const char* key) {
    std::vector<const toml::table*> found;
    const toml::node* node = table.get(key);
    if (node == nullptr) return found;
    const toml::array* array = node->as_array();
    if (array == nullptr) expected(*node, key, "a list of tables: use double brackets");
    if (array == nullptr) return found;
    for (const toml::node& element : *array) {
      if (element.is_table()) {
        found.push_back(element.as_table());
      } else {
        expected(element, key, "a list of tables: use double brackets");
      }
    }
    return found;
  }

  template <typename Words, typename Value>
  Value word(const toml::table& table, const char* key, const Words& words, Value otherwise) {
    const std::optional<std::string> given = text(table, key);
    if (!given) return otherwise;
    std::vector<std::string> names;
    for (const auto& [name, value] : words) {
      if (name == *given) return value;
      names.emplace_back(name);
    }
    problems_.add(where(*table.get(key)),
                  "unknown " + std::string(key) + ' ' + core::quoted(*given),
                  "allowed: " + data::listed(names));
    return otherwise;
  }

  SourceSpec source(const toml::table& table) {
    check_keys(table, "[[source]]",
               {"name", "kind", "items", "item_levels", "decimal", "thousands", "column"});
    SourceSpec spec;
    spec.name = text(table, "name").value_or(spec.name);
    spec.kind = word(table, "kind", data::kKinds, SourceKind::table);
    spec.items = strings(table, "items", true);
    if (!spec.items.empty() && spec.kind != SourceKind::triplets) {
      problems_.add(where(*table.get("items")), "only a source of kind \"triplets\" has items");
    }
    spec.item_levels = item_levels(table, spec.items);
    spec.marks = marks(table, {});
    std::unordered_set<std::string> names, tied;
    for (const toml::table* entry : tables(table, "column")) {
      ColumnSpec made = column(*entry, spec.kind);
      made.marks = marks(*entry, spec.marks);
      if (!names.insert(made.name).second) {
        problems_.add(where(*entry), "two columns of source " + core::quoted(spec.name) +
                                         " are named " + core::quoted(made.name));
      }
      for (const std::string& copy : made.tied) {
        if (!tied.insert(copy).second)
          problems_.add(where(*entry), "column " + core::quoted(copy) + " is tied twice");
      }
      spec.columns.push_back(std::move(made));
    }
    if (spec.columns.empty()) {
      problems_.add(where(table), "source " + core::quoted(spec.name) + " has no column",
                    "add a [[source.column]]");
    }
    return spec;
  }

  // Levels of each item, in the order of the items; empty where they share one list.
  std::vector<std::vector<std::string>> item_levels(const toml::table& table,
                                                    const std::vector<std::string>& items) {
    std::vector<std::vector<std::string>> levels;
    const toml::node* node = table.get("item_levels");
    if (node == nullptr) return levels;
    const toml::table* lists = node->as_table();
    if (lists == nullptr) {
      expected(*node, "item_levels", "a table: [source.item_levels]");
      return levels;
    }
    for (const auto& [key, value] : *lists) {
      if (std::ranges::find(items, key.str()) == items.end())
        problems_.add(where(value), core::quoted(key.str()) + " is not one of the items",
                      "add it to items, or leave out its levels");
    }
    for (const std::string& item : items) {
      levels.push_back(strings(*lists, item, true));
      if (!levels.back().empty()) continue;
      problems_.add(where(*node), "item " + core::quoted(item) + " has no levels",
                    "list them, or leave the item out; without [source.item_levels] all items have "
                    "the levels of the column");
    }
    return levels;
  }

  // A decimal point that somebody wrote down leaves commas to thousands.
  NumberMarks marks(const toml::table& table, const NumberMarks& usual) {
    NumberMarks out = usual;
    if (table.contains("decimal")) {
      out = {word(table, "decimal", data::kMarks, '.'), '\0'};
      if (out.decimal == '.') out = kPointOnly;
    }
    if (!table.contains("thousands")) return out;
    out.thousands = word(table, "thousands", data::kMarks, out.thousands);
    if (out.thousands == out.decimal)
      problems_.add(where(*table.get("thousands")),
                    "the same mark is given before decimals and between thousands",
                    "leave out \"thousands\"");
    return out;
  }

  ColumnSpec column(const toml::table& table, SourceKind kind) {
    check_keys(
        table, "[[source.column]]",
        {"name", "title", "role", "family", "levels", "labels", "missing", "shift", "cells",
         "split", "fold_case", "stem", "set_aside", "date_part", "decimal", "thousands", "tied"});
    ColumnSpec spec;
    const std::optional<std::string> name = text(table, "name");
    if (!name && table.get("name") == nullptr) {
      problems_.add(where(table), "a column without a name", "add name = \"...\"");
    }
    spec.name = name.value_or("");
    spec.title = text(table, "title").value_or("");
    spec.tied = strings(table, "tied", true);
    spec.role = word(table, "role", data::kRoles, Role::feature);
    spec.encoding = kind == SourceKind::tokens ? Encoding::tokens : Encoding::levels;
    // A column whose role was edited may keep its old family and levels; they are not used.
    const std::string family = text(table, "family").value_or("");
    std::vector<std::string> levels = strings(table, "levels", true);
    if (spec.role == Role::feature) {
      spec.family = family;
      if (family.empty()) {
        problems_.add(where(table), "column " + core::quoted(spec.name) + " has no family",
                      "add family = \"...\", or role = \"ignored\" to leave it out");
      }
    }
    if (spec.role == Role::feature || spec.role == Role::label) spec.levels = std::move(levels);
    cell_rules(table, spec);
    return spec;
  }

  // How the text of a column's cells is understood.
  void cell_rules(const toml::table& table, ColumnSpec& spec) {
    spec.missing = strings(table, "missing", true);
    if (spec.role != Role::feature && spec.role != Role::label) return;
    spec.labels = strings(table, "labels", false);
    if (!spec.labels.empty() && spec.labels.size() != spec.levels.size()) {
      problems_.add(where(*table.get("labels")),
                    "column " + core::quoted(spec.name) + " has " +
                        data::counted(spec.levels.size(), "level") + " and " +
                        data::counted(spec.labels.size(), "label"),
                    "give one label per level, in the order of the levels");
    }
    spec.shift = number(table, "shift", 0);
    spec.date_part = text(table, "date_part").value_or("");
    if (!spec.date_part.empty() && !data::asks_for_date_part(spec.date_part))
      expected(*table.get("date_part"), "date_part", "\"year\", \"month\" or \"weekday\"");
    spec.cells = word(table, "cells", data::kCellTexts, CellText::value);
    spec.split = text(table, "split").value_or(spec.split);
    if (spec.split.empty()) expected(*table.get("split"), "split", "the text between two entries");
    if (table.contains("fold_case")) spec.text.fold_case = boolean(table, "fold_case");
    spec.text.stem = text(table, "stem").value_or("");
    spec.set_aside = strings(table, "set_aside", true);
    std::ranges::sort(spec.set_aside);
  }

  std::string file_;
  core::Problems problems_;
};

}  // namespace

Schema schema_from_toml(std::string_view text, const std::string& file) {
  if (const auto line = core::line_of_deep_key(text))
    throw InputError({file + ':' + std::to_string(*line), "a key of too many parts",
                      "see https://toml.io, or write a fresh one with `infer_schema()`"});
  toml::table document;
  try {
    document = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError({file + ':' + std::to_string(error.source().begin.line),
                      "not a TOML file: " + std::string(error.description()),
                      "see https://toml.io, or write a fresh one with `infer_schema()`"});
  }
  return SchemaReader(file).read(document);
}

// A schema as a TOML document that people read and edit. Written by hand rather than with toml++:
// the notes go beside what they explain, keys keep a sensible order, and long vocabularies are
// wrapped.

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
