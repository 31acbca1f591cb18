// SPDX-License-Identifier: Apache-2.0
#include "data/tie.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/text.hpp"
#include "data/message_text.hpp"
#include "data/source_columns.hpp"

namespace medley::data {
namespace {

std::string in_option(const Tie& tie) {
  std::string out = tie.name + '=';
  for (std::size_t i = 0; i < tie.columns.size(); ++i) out += (i > 0 ? "," : "") + tie.columns[i];
  return core::setting("tie", out);
}

bool is_pattern(const std::string& name) {
  return name.find('*') != std::string::npos;
}

std::string with_stem(const std::string& pattern, const std::string& stem) {
  const std::size_t star = pattern.find('*');
  if (star == std::string::npos) return pattern;
  return pattern.substr(0, star) + stem + pattern.substr(star + 1);
}

// What the star of a pattern stands for in a name; none if the name is not of this form.
std::optional<std::string> stem_in(const std::string& pattern, const std::string& name) {
  const std::size_t star = pattern.find('*');
  const std::string before = pattern.substr(0, star), after = pattern.substr(star + 1);
  if (name.size() <= before.size() + after.size()) return std::nullopt;
  if (!name.starts_with(before) || !name.ends_with(after)) return std::nullopt;
  return name.substr(before.size(), name.size() - before.size() - after.size());
}

RawColumn* column_called(RawTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &RawColumn::name);
  return found == table.columns.end() ? nullptr : &*found;
}

bool has_all(RawTable& table, const std::vector<std::string>& names) {
  return std::ranges::all_of(
      names, [&](const std::string& name) { return column_called(table, name) != nullptr; });
}

// The ties of a table that a pattern means: names for which every copy is there.
std::vector<Tie> expanded(const Tie& pattern, RawTable& table) {
  std::vector<Tie> ties;
  for (const RawColumn& column : table.columns) {
    const std::optional<std::string> stem = stem_in(pattern.columns.front(), column.name);
    if (!stem) continue;
    Tie tie{with_stem(pattern.name, *stem), {}};
    for (const std::string& copy : pattern.columns) tie.columns.push_back(with_stem(copy, *stem));
    if (has_all(table, tie.columns)) ties.push_back(std::move(tie));
  }
  return ties;
}

// Texts of several columns under one numbering.
class Union {
 public:
  explicit Union(RawColumn& to) : to_(to) {}

  void add(const RawColumn& from) {
    // Copies that come with the same levels in the same order keep them.
    const bool same =
        to_.code.empty() || (to_.given == from.given && to_.distinct == from.distinct);
    to_.given = same ? from.given : GivenLevels::none;
    to_.typed = from.typed && (to_.code.empty() || to_.typed);
    std::vector<std::uint32_t> place;
    for (const std::string& text : from.distinct) {
      const auto next = static_cast<std::uint32_t>(to_.distinct.size());
      const auto [found, added] = code_.emplace(text, next);
      if (added) to_.distinct.push_back(text);
      place.push_back(found->second);
    }
    for (const std::uint32_t code : from.code)
      to_.code.push_back(code == kMissingCode ? kMissingCode : place[code]);
    for (const std::string& text : from.missing_codes) {
      if (std::ranges::count(to_.missing_codes, text) == 0) to_.missing_codes.push_back(text);
    }
    for (const auto& label : from.value_labels) {
      if (std::ranges::count(to_.value_labels, label.first,
                             [](const auto& l) { return l.first; }) == 0)
        to_.value_labels.push_back(label);
    }
    if (to_.title.empty()) to_.title = from.title;
    if (from.numbers.sure && !to_.numbers.sure) to_.numbers = from.numbers;
    if (to_.numbers.doubt.empty() && !to_.numbers.sure) to_.numbers.doubt = from.numbers.doubt;
  }

 private:
  RawColumn& to_;
  std::unordered_map<std::string, std::uint32_t> code_;
};

// The columns in the place of the first of them; those that the table lacks are passed over.
void tie_in_table(RawTable& table, const Tie& tie) {
  RawColumn tied;
  tied.name = tie.name;
  Union all(tied);
  std::size_t place = table.columns.size();
  for (const std::string& name : tie.columns) {
    const RawColumn* column = column_called(table, name);
    if (column == nullptr) continue;
    if (tied.tied.empty()) tied.numbers = column->numbers;
    all.add(*column);
    tied.tied.push_back(name);
    place = std::min(place, static_cast<std::size_t>(column - table.columns.data()));
  }
  if (tied.tied.empty()) return;
  const std::vector<std::string> copies = tied.tied;
  std::vector<RawColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i == place) {
      columns.push_back(std::move(tied));
    } else if (std::ranges::count(copies, table.columns[i].name) == 0) {
      columns.push_back(std::move(table.columns[i]));
    }
  }
  table.columns = std::move(columns);
}

// A tie of a table, held against the rest of it.
void check_tie(RawTable& table, const Tie& tie, const std::string& where,
               std::unordered_map<std::string, std::string>& taken, core::Problems& problems) {
  if (tie.columns.size() < 2)
    problems.add(where, "ties a single column", "name two or more: `tie=\"NAME=COLUMN,COLUMN\"`");
  if (column_called(table, tie.name) != nullptr && std::ranges::count(tie.columns, tie.name) == 0)
    problems.add(where, "there is a column " + core::quoted(tie.name) + " already",
                 "choose another name, or tie this column too");
  for (const std::string& name : tie.columns) {
    const auto [found, added] = taken.emplace(name, tie.name);
    if (!added)
      problems.add(where,
                   "column " + core::quoted(name) + " is tied twice, to " +
                       core::quoted(found->second) + " and to " + core::quoted(tie.name),
                   "tie it once");
    if (column_called(table, name)->cells != CellText::value)
      problems.add(where, "column " + core::quoted(name) + " holds lists or text",
                   "only columns with one value in a cell can be tied");
  }
}

// Options that speak of one copy alone.
void check_options_of_copies(const ReadOptions& options,
                             const std::unordered_map<std::string, std::string>& taken,
                             core::Problems& problems) {
  std::vector<std::pair<std::string, std::string>> named = {
      {"id", options.id}, {"label", options.label}, {"weight", options.weight}};
  for (const std::string& name : options.ignore) named.emplace_back("ignore", name);
  for (const std::string& name : options.keep) named.emplace_back("keep", name);
  for (const auto& [name, family] : options.family) named.emplace_back("column", name);
  for (const auto& [option, name] : named) {
    const auto found = taken.find(name);
    if (found == taken.end() || found->second == name) continue;
    problems.add(core::setting(option, name),
                 "the column is tied to " + core::quoted(found->second) +
                     ", and all tied columns have one family and one role",
                 option == "column" ? core::setting("column", found->second + "=FAMILY")
                                    : "leave it out of `tie`");
  }
}

void unknown_copies(const std::vector<RawSource>& sources, const Tie& tie,
                    core::Problems& problems) {
  const std::vector<ColumnRef> columns = all_columns(sources);
  const std::size_t before = problems.total();
  for (const std::string& name : tie.columns) {
    if (std::ranges::count(columns, name, &ColumnRef::name) > 0) continue;
    const Problem problem = unknown_column(in_option(tie), name, columns);
    problems.add(problem.where, problem.what, problem.remedy);
  }
  if (problems.total() == before)
    problems.add(in_option(tie), "the columns are not in one table",
                 "only columns of one table can be tied");
}

}  // namespace

std::size_t copies_in(const RawColumn& column) {
  return std::max<std::size_t>(1, column.tied.size());
}

void tie_columns(std::vector<RawSource>& sources, const ReadOptions& options) {
  if (options.schema || options.ties.empty()) return;
  core::Problems problems;
  std::vector<std::vector<Tie>> ties(sources.size());
  std::vector<std::unordered_map<std::string, std::string>> taken(sources.size());
  for (const Tie& tie : options.ties) {
    bool found = false;
    const bool pattern = is_pattern(tie.name);
    for (std::size_t s = 0; s < sources.size(); ++s) {
      auto* table = std::get_if<RawTable>(&sources[s].content);
      if (table == nullptr || (!pattern && !has_all(*table, tie.columns))) continue;
      for (Tie& one : pattern ? expanded(tie, *table) : std::vector<Tie>{tie}) {
        check_tie(*table, one, in_option(tie), taken[s], problems);
        ties[s].push_back(std::move(one));
        found = true;
      }
    }
    if (found) continue;
    if (!pattern) unknown_copies(sources, tie, problems);
    if (pattern)
      problems.add(in_option(tie), "no columns have names of this form",
                   "* stands for what the names share, and every one of the columns must be there");
  }
  for (const auto& of_source : taken) check_options_of_copies(options, of_source, problems);
  problems.throw_if_any();
  for (std::size_t s = 0; s < sources.size(); ++s) {
    for (const Tie& tie : ties[s]) tie_in_table(std::get<RawTable>(sources[s].content), tie);
  }
}

void tie_columns(RawSource& source, const SourceSpec& part) {
  auto* table = std::get_if<RawTable>(&source.content);
  if (table == nullptr) return;
  core::Problems problems;
  for (const ColumnSpec& column : part.columns) {
    if (column.tied.empty()) continue;
    const bool copies = std::ranges::any_of(column.tied, [&](const std::string& name) {
      return column_called(*table, name) != nullptr;
    });
    const bool clash = column_called(*table, column.name) != nullptr &&
                       std::ranges::count(column.tied, column.name) == 0;
    if (copies && clash)
      problems.add(source.path,
                   "has a column " + core::quoted(column.name) + " beside " + listed(column.tied) +
                       ", which are tied under this name",
                   "rename it");
    if (copies && !clash) tie_in_table(*table, {column.name, column.tied});
  }
  problems.throw_if_any();
}

}  // namespace medley::data
