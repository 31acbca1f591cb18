// SPDX-License-Identifier: Apache-2.0
#include "model/schema_json.hpp"

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
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ColumnSpec, name, role, family, encoding, levels, labels,
                                   missing, shift, cells, split, text, note)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceSpec, name, kind, columns, items)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Schema, sources, na, missing_as_category, frequency_weights,
                                   standardise, block_weight, treatments)

namespace model {

std::string schema_to_json(const Schema& schema) {
  return nlohmann::json(schema).dump();
}

Schema schema_from_json(const std::string& text, const std::string& origin) {
  try {
    return nlohmann::json::parse(text).get<Schema>();
  } catch (const nlohmann::json::exception& e) {
    throw InputError({origin, std::string("the schema in this file cannot be read: ") + e.what(),
                      "is it a model file of this program?"});
  }
}

}  // namespace model
}  // namespace medley
