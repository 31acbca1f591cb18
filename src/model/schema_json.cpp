// SPDX-License-Identifier: Apache-2.0
#include "model/schema_json.hpp"

#include <cstddef>

#include <nlohmann/json.hpp>

#include "medley/error.hpp"

namespace medley {

// Found by nlohmann::json through argument-dependent lookup; a value that is not listed reads as
// the first.
NLOHMANN_JSON_SERIALIZE_ENUM(Role, {{Role::feature, "feature"},
                                    {Role::label, "label"},
                                    {Role::id, "id"},
                                    {Role::weight, "weight"},
                                    {Role::ignored, "ignored"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Encoding, {{Encoding::levels, "levels"},
                                        {Encoding::tokens, "tokens"},  // not a family
                                        {Encoding::real, "real"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SourceKind, {{SourceKind::table, "table"},
                                          {SourceKind::tokens, "tokens"},  // not a family
                                          {SourceKind::triplets, "triplets"},
                                          {SourceKind::column, "column"}})
NLOHMANN_JSON_SERIALIZE_ENUM(CellText, {{CellText::value, "value"},
                                        {CellText::text, "text"},
                                        {CellText::tags, "tags"},
                                        {CellText::set, "set"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TextRules, fold_case, stem)

// What few columns have is written for these alone.
void to_json(nlohmann::json& json, const ColumnSpec& column) {
  json = {{"name", column.name},         {"role", column.role},     {"family", column.family},
          {"encoding", column.encoding}, {"levels", column.levels}, {"labels", column.labels},
          {"missing", column.missing},   {"shift", column.shift},   {"cells", column.cells},
          {"split", column.split},       {"text", column.text},     {"note", column.note}};
  if (!column.title.empty()) json["title"] = column.title;
  if (!column.set_aside.empty()) json["set_aside"] = column.set_aside;
  if (!column.date_part.empty()) json["date_part"] = column.date_part;
  if (!column.tied.empty()) json["tied"] = column.tied;
}

void from_json(const nlohmann::json& json, ColumnSpec& column) {
  json.at("name").get_to(column.name);
  json.at("role").get_to(column.role);
  json.at("family").get_to(column.family);
  json.at("encoding").get_to(column.encoding);
  json.at("levels").get_to(column.levels);
  json.at("labels").get_to(column.labels);
  json.at("missing").get_to(column.missing);
  json.at("shift").get_to(column.shift);
  json.at("cells").get_to(column.cells);
  json.at("split").get_to(column.split);
  json.at("text").get_to(column.text);
  json.at("note").get_to(column.note);
  column.title = json.value("title", "");  // not in files of earlier versions
  if (json.contains("set_aside")) json.at("set_aside").get_to(column.set_aside);
  if (json.contains("date_part")) json.at("date_part").get_to(column.date_part);
  if (json.contains("tied")) json.at("tied").get_to(column.tied);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceSpec, name, kind, columns, items)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Schema, sources, na, missing_as_category, frequency_weights,
                                   standardise, block_weight, treatments)

namespace model {
namespace {

// Only where numbers are not written in the usual way: "," or ",." (decimal, thousands).
void put_marks(nlohmann::json& to, const NumberMarks& marks) {
  if (marks == NumberMarks{}) return;
  std::string text(1, marks.decimal);
  if (marks.thousands != '\0') text += marks.thousands;
  to["marks"] = text;
}

NumberMarks marks_in(const nlohmann::json& from) {
  const std::string text = from.value("marks", ".");
  if (text == ".,") return kPointOnly;
  if (text == ",.") return kCommaOnly;
  return {text == "," ? ',' : '.', '\0'};
}

}  // namespace

std::string schema_to_json(const Schema& schema) {
  nlohmann::json json(schema);
  for (std::size_t s = 0; s < schema.sources.size(); ++s) {
    const SourceSpec& source = schema.sources[s];
    put_marks(json["sources"][s], source.marks);
    if (!source.item_levels.empty()) json["sources"][s]["item_levels"] = source.item_levels;
    for (std::size_t c = 0; c < source.columns.size(); ++c)
      put_marks(json["sources"][s]["columns"][c], source.columns[c].marks);
  }
  return json.dump();
}

Schema schema_from_json(const std::string& text, const std::string& origin) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    Schema schema = json.get<Schema>();
    for (std::size_t s = 0; s < schema.sources.size(); ++s) {
      SourceSpec& source = schema.sources[s];
      const nlohmann::json& from = json["sources"][s];
      source.marks = marks_in(from);
      if (from.contains("item_levels")) from.at("item_levels").get_to(source.item_levels);
      if (!source.item_levels.empty() && source.item_levels.size() != source.items.size())
        throw InputError({origin, "the schema in this file has levels of other items than it has",
                          "is it a model file of this program?"});
      for (std::size_t c = 0; c < source.columns.size(); ++c)
        source.columns[c].marks = marks_in(json["sources"][s]["columns"][c]);
    }
    return schema;
  } catch (const nlohmann::json::exception& e) {
    throw InputError({origin, std::string("the schema in this file cannot be read: ") + e.what(),
                      "is it a model file of this program?"});
  }
}

}  // namespace model
}  // namespace medley
