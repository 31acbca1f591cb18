// SPDX-License-Identifier: Apache-2.0
// The words a schema file uses for roles, source kinds and what cells hold.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "medley/data.hpp"

namespace medley::data {

inline constexpr std::array<std::pair<std::string_view, Role>, 5> kRoles = {
    {{"feature", Role::feature},
     {"label", Role::label},
     {"id", Role::id},
     {"weight", Role::weight},
     {"ignored", Role::ignored}}};

inline constexpr std::array<std::pair<std::string_view, SourceKind>, 4> kKinds = {
    {{"table", SourceKind::table},
     {"tokens", SourceKind::tokens},  // not a family
     {"triplets", SourceKind::triplets},
     {"column", SourceKind::column}}};

inline constexpr std::array<std::pair<std::string_view, CellText>, 4> kCellTexts = {
    {{"value", CellText::value},
     {"text", CellText::text},
     {"tags", CellText::tags},
     {"set", CellText::set}}};

inline constexpr std::array<std::pair<std::string_view, char>, 2> kMarks = {
    {{"point", '.'}, {"comma", ','}}};

/// The word for a role or kind.
template <typename Words, typename Value>
[[nodiscard]] constexpr std::string_view word_of(const Words& words, Value value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return {};
}

}  // namespace medley::data
