// SPDX-License-Identifier: Apache-2.0
#include "data/join.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/problems.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/bind_schema.hpp"
#include "data/message_text.hpp"

namespace medley::data {
namespace {

using Ids = std::vector<std::string>;

// The ids of one source's rows; empty if it has none. A row without an id cannot be named or
// joined.
Ids ids_of(const RawSource& source, const ColumnRef* column, const MissingStrings& missing,
           core::Problems& problems) {
  if (const auto* triplets = std::get_if<RawTriplets>(&source.content)) return triplets->rows;
  Ids ids;
  ids.reserve(column->text->code.size());
  for (std::size_t row = 0; row < column->text->code.size(); ++row) {
    core::stop_if_asked();
    const std::uint32_t code = column->text->code[row];
    if (code == kMissingCode || missing.contains(column->text->distinct[code])) {
      problems.add(place(source, row, column->name), "the id is missing",
                   "fill it in, or leave out `id`");
      ids.emplace_back();
    } else {
      ids.push_back(column->text->distinct[code]);
    }
  }
  return ids;
}

// The ids that the options give to a source without a column of them.
Ids ids_by_options(const RawSource& source, const Ids& rows, core::Problems& problems) {
  if (rows.empty()) return {};
  if (rows.size() != rows_of(source))
    problems.add("row_ids",
                 "are " + std::to_string(rows.size()) + ", but " + source.path + " has " +
                     counted(rows_of(source), "row"),
                 "give one for each row, or none");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    core::stop_if_asked();
    const std::string where = "row_ids: row " + std::to_string(row + 1);
    if (core::trimmed(rows[row]).empty())
      problems.add(where, "the id is missing", "give one for each row, or none");
    if (core::find_invalid_utf8(rows[row]) != std::string::npos)
      problems.add(where, core::quoted(rows[row]) + " is not UTF-8", "convert the text to UTF-8");
  }
  return rows;
}

// Row of each id; a repeated id is a problem.
std::unordered_map<std::string, std::size_t> index_of(const RawSource& source, const Ids& ids,
                                                      const std::string& column,
                                                      core::Problems& problems) {
  std::unordered_map<std::string, std::size_t> rows;
  rows.reserve(ids.size());
  for (std::size_t row = 0; row < ids.size(); ++row) {
    core::stop_if_asked();
    const auto [entry, added] = rows.emplace(ids[row], row);
    if (!added) {
      problems.add(place(source, row, column),
                   "the id " + core::quoted(ids[row]) + " occurred before, at " +
                       place(source, entry->second),
                   "sources are joined by id, so every id must be there once");
    }
  }
  return rows;
}

void match_by_id(RowMap& map, std::size_t source, const std::vector<RawSource>& sources,
                 const Ids& ids, const std::string& column, std::vector<std::string>& warnings,
                 core::Problems& problems) {
  const auto rows = index_of(sources[source], ids, column, problems);
  if (source == 0) return;
  std::vector<std::string> absent;
  for (const std::string& id : map.ids) {
    const auto found = rows.find(id);
    map.from[source].push_back(found == rows.end() ? kNone : found->second);
    if (found == rows.end()) absent.push_back(id);
  }
  const std::string &here = sources[source].path, &first = sources.front().path;
  if (!absent.empty()) {
    warnings.push_back(here + ": " + counted(absent.size(), "id") + " of " + first +
                       " not found, taken as missing: " + listed(absent, 5));
  }
  const std::size_t matched = map.ids.size() - absent.size();
  if (ids.size() > matched) {
    warnings.push_back(here + ": " + counted(ids.size() - matched, "row") +
                       " left out, their ids are not in " + first);
  }
}

// Line by line. Ids, where several sources have them, must then say the same.
void match_by_line(RowMap& map, const std::vector<RawSource>& sources, const std::vector<Ids>& ids,
                   core::Problems& problems) {
  const RawSource& first = sources.front();
  std::size_t named = kNone;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (rows_of(sources[s]) != map.rows) {
      problems.add(sources[s].path,
                   "has " + counted(rows_of(sources[s]), "row") + ", but " + first.path + " has " +
                       std::to_string(map.rows),
                   "sources are joined line by line unless all of them have the `id` column");
      continue;
    }
    if (ids[s].empty()) continue;
    if (named == kNone) {
      named = s;
      map.ids = ids[s];
    }
    const auto differ = std::mismatch(ids[s].begin(), ids[s].end(), map.ids.begin(), map.ids.end());
    if (differ.first == ids[s].end()) continue;
    const auto row = static_cast<std::size_t>(differ.first - ids[s].begin());
    problems.add(place(sources[s], row),
                 "the id is " + core::quoted(*differ.first) + ", but at " +
                     place(sources[named], row) + " it is " + core::quoted(*differ.second),
                 "some source has no ids, so all are joined line by line: sort them alike");
  }
}

void warn_repeated(const RawSource& source, const Ids& ids, std::vector<std::string>& warnings) {
  Ids sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
  if (repeated == sorted.end()) return;
  warnings.push_back(source.path + ": some ids occur more than once, " + core::quoted(*repeated) +
                     " for one");
}

}  // namespace

RowMap join_rows(const std::vector<RawSource>& sources, const std::vector<ColumnRef>& columns,
                 const RowNames& names, const MissingStrings& missing,
                 std::vector<std::string>& warnings) {
  const std::string& id = names.column;
  if (sources.empty()) return {};
  core::Problems problems;
  std::vector<const ColumnRef*> id_column(sources.size(), nullptr);
  if (!id.empty()) {
    for (const ColumnRef* column : columns_named(columns, sources, id)) {
      if (column->text != nullptr) id_column[column->source] = column;
    }
  }
  std::vector<Ids> ids;
  bool any_triplets = false, any_own = false, all_named = true;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const bool triplets = kind_of(sources[s]) == SourceKind::triplets;
    const bool own = triplets || id_column[s] != nullptr;
    ids.push_back(own ? ids_of(sources[s], id_column[s], missing, problems)
                      : ids_by_options(sources[s], names.rows, problems));
    any_triplets = any_triplets || triplets;
    any_own = any_own || own;
    all_named = all_named && (own || !names.rows.empty());
  }
  // A list for all sources alike does not tell which of their rows belong together.
  if (!any_own) all_named = false;
  if (any_triplets && !all_named) {
    for (std::size_t s = 0; s < sources.size(); ++s) {
      if (kind_of(sources[s]) == SourceKind::triplets || id_column[s] != nullptr) continue;
      problems.add(sources[s].path, "has no id, so it cannot be joined with triplets",
                   "beside triplets a source must be a table whose `id` column holds the same "
                   "names as the first column of the triplets");
    }
  }
  problems.throw_if_any();
  RowMap map;
  map.rows = rows_of(sources.front());
  map.from.resize(sources.size());
  if (sources.size() == 1) {
    map.ids = std::move(ids.front());
    warn_repeated(sources.front(), map.ids, warnings);
  } else if (all_named) {
    map.ids = ids.front();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      match_by_id(map, s, sources, ids[s], id_column[s] != nullptr ? id : "", warnings, problems);
    }
  } else {
    match_by_line(map, sources, ids, problems);
  }
  problems.throw_if_any();
  return map;
}

}  // namespace medley::data
