// SPDX-License-Identifier: Apache-2.0
// Reads a schema file, checking everything: a misspelt key is an error, not a default.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include <toml++/toml.h>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "core/toml_depth.hpp"
#include "data/date_parts.hpp"
#include "data/schema_words.hpp"
#include "data/wording.hpp"
#include "medley/data.hpp"

namespace medley {
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

}  // namespace medley
