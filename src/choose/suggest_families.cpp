// SPDX-License-Identifier: Apache-2.0
// From files to rankings: which columns hold numbers, and what they were taken for.
#include <algorithm>
#include <unordered_map>

#include "core/task.hpp"

#include "choose/rank_families.hpp"
#include "data/facts.hpp"
#include "data/formats/csv_text.hpp"
#include "data/number.hpp"
#include "medley/error.hpp"

namespace medley {
namespace choose {
namespace {

constexpr std::size_t kLeastCells = 30;  // fewer say nothing about a family

// A column of the table as the readers leave it.
data::RawColumn coded(const TextTable& table, std::size_t column) {
  data::RawColumn out;
  out.name = table.header[column];
  std::unordered_map<std::string, std::uint32_t> codes;
  for (const std::vector<std::string>& row : table.rows) {
    const auto [entry, added] =
        codes.emplace(row[column], static_cast<std::uint32_t>(out.distinct.size()));
    if (added) out.distinct.push_back(row[column]);
    out.code.push_back(entry->second);
  }
  return out;
}

std::string as_option(const ColumnSpec& spec) {
  std::string text = spec.family;
  if (spec.shift != 0) data::append_number(text += ":shift=", spec.shift);
  return text;
}

void rank_table(const TextTable& table, const SourceSpec& source, const data::MissingStrings& na,
                const SuggestOptions& options, std::vector<ColumnRanking>& out) {
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    const auto spec = source.kind == SourceKind::column
                          ? source.columns.begin()
                          : std::ranges::find(source.columns, table.header[c], &ColumnSpec::name);
    if (spec == source.columns.end() || spec->role != Role::feature ||
        spec->cells != CellText::value)
      continue;
    const data::RawColumn column = coded(table, c);
    const data::MissingStrings missing = na.with(spec->missing);
    data::ColumnFacts facts =
        data::summarise({column.distinct, column.code, spec->marks}, missing).facts;
    facts.name = spec->name;
    const bool enough = facts.rows - facts.missing >= kLeastCells && facts.distinct >= 3;
    if (!facts.numeric || !enough) continue;
    NumericCells cells;
    for (const std::uint32_t code : column.code) {
      const std::string& text = column.distinct[code];
      if (missing.contains(text)) continue;
      cells.number.push_back(*data::number_in(text, spec->marks));
      cells.text.push_back(text);
    }
    ColumnRanking ranking = rank_families(cells, facts, options);
    ranking.source = source.name;
    ranking.inferred = as_option(*spec);
    out.push_back(std::move(ranking));
  }
}

}  // namespace
}  // namespace choose

const RankedFamily* ColumnRanking::find(const std::string& family) const {
  const auto found = std::ranges::find(families, family, &RankedFamily::family);
  return found == families.end() ? nullptr : &*found;
}

bool ColumnRanking::disagrees() const {
  const RankedFamily* taken = find(inferred);
  return taken != nullptr && taken->behind > 2 * taken->behind_error;
}

std::vector<ColumnRanking> suggest_families(const std::vector<Source>& sources,
                                            const ReadOptions& reading,
                                            const SuggestOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  for (const Source& source : sources) {
    if (source.path == "-")
      throw InputError({"`suggest`", "reads the data twice, standard input can be read once",
                        "give the name of a file"});
  }
  const Schema schema = infer_schema(sources, reading);
  std::vector<std::string> na = reading.na;
  na.insert(na.end(), schema.na.begin(), schema.na.end());
  const data::MissingStrings missing(na);
  std::vector<ColumnRanking> out;
  bool tables = false;
  for (std::size_t s = 0; s < sources.size() && s < schema.sources.size(); ++s) {
    const std::string name = sources[s].name.empty() ? "data" : sources[s].name;
    const auto spec = std::ranges::find(schema.sources, name, &SourceSpec::name);
    if (spec == schema.sources.end()) continue;
    if (spec->kind != SourceKind::table && spec->kind != SourceKind::column) continue;
    tables = true;
    choose::rank_table(read_text_table(sources[s], reading), *spec, missing, options, out);
  }
  if (!tables)
    throw InputError({"`suggest`", "ranks the columns of tables, and there is none",
                      "word counts have one family; of triplets try `column=\"value=FAMILY\"` with "
                      "`evaluate(DATA, k=N, folds=5)`"});
  return out;
}

}  // namespace medley
