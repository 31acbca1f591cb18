// SPDX-License-Identifier: Apache-2.0
#include "data/memory_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/column_facts.hpp"
#include "data/load.hpp"
#include "data/memory.hpp"
#include "data/message_text.hpp"

namespace medley::data {
namespace {

constexpr const char* kAlike = "all pieces have the same sources and columns, in the same order";

RawColumn without_cells(const RawColumn& column) {
  RawColumn out;
  out.name = column.name;
  out.cells = column.cells;
  out.title = column.title;
  out.value_labels = column.value_labels;
  out.given = column.given;
  out.typed = column.typed;
  return out;
}

GrowingColumn growing(const RawColumn& column) {
  GrowingColumn out;
  out.about = without_cells(column);
  out.append(column.distinct, column.code);
  return out;
}

GrowingTable growing(const RawTable& table) {
  GrowingTable out;
  for (const RawColumn& column : table.columns) out.columns.push_back(growing(column));
  out.rows = table.line.size();
  return out;
}

// What tells of what kind some numbers are.
void keep_telling(std::vector<float>& counts) {
  if (counts.size() < 4) return;
  const auto [least, most] = std::ranges::minmax(counts);
  const auto fraction =
      std::ranges::find_if(counts, [](float count) { return count != std::floor(count); });
  std::vector<float> kept = {least, most};
  if (fraction != counts.end()) kept.push_back(*fraction);
  counts = std::move(kept);
}

GrowingCounts growing(const RawCounts& counts) {
  GrowingCounts out;
  for (const std::string& word : counts.vocabulary) out.words.add(word);
  out.rows = counts.row_start.size() - 1;
  out.telling = counts.count;
  keep_telling(out.telling);
  return out;
}

GrowingTriplets growing(const RawTriplets& triplets) {
  GrowingTriplets out;
  out.item.append(triplets.items, triplets.item);
  out.value.about.given = triplets.given;
  out.value.about.typed = triplets.typed;
  out.value.append(triplets.values, triplets.value);
  return out;
}

void append_to(GrowingColumn& to, const GrowingColumn& from) {
  if (to.about.given != from.about.given) to.about.given = GivenLevels::none;
  to.about.typed = to.about.typed && from.about.typed;
  if (to.about.title.empty()) to.about.title = from.about.title;
  for (const auto& label : from.about.value_labels) {
    if (std::ranges::count(to.about.value_labels, label.first,
                           [](const auto& l) { return l.first; }) == 0)
      to.about.value_labels.push_back(label);
  }
  to.append(from.texts.texts(), from.code);
}

void append_to(GrowingTable& to, const GrowingTable& from) {
  for (std::size_t i = 0; i < to.columns.size(); ++i) append_to(to.columns[i], from.columns[i]);
  to.rows += from.rows;
}

void append_to(GrowingCounts& to, const GrowingCounts& from) {
  for (const std::string& word : from.words.texts()) {
    if (to.words.find(word) == kMissingCode) to.words.add(word);
  }
  to.rows += from.rows;
  to.telling.insert(to.telling.end(), from.telling.begin(), from.telling.end());
  keep_telling(to.telling);
}

void append_to(GrowingTriplets& to, const GrowingTriplets& from) {
  append_to(to.item, from.item);
  append_to(to.value, from.value);
}

// How a source differs from the one of the pieces before; empty if it does not.
std::string difference(const GrowingSource& before, const GrowingSource& now) {
  if (before.name != now.name) return "is called " + core::quoted(now.name);
  if (before.content.index() != now.content.index()) return "is of another kind";
  const auto* table = std::get_if<GrowingTable>(&before.content);
  if (table == nullptr) return {};
  const std::vector<GrowingColumn>& columns = std::get<GrowingTable>(now.content).columns;
  if (columns.size() != table->columns.size())
    return "has " + counted(columns.size(), "column") + ", and had " +
           std::to_string(table->columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const RawColumn &was = table->columns[i].about, &is = columns[i].about;
    if (was.name != is.name)
      return "has column " + core::quoted(is.name) + " in the place of " + core::quoted(was.name);
    if (was.cells != is.cells) return "has lists in column " + core::quoted(is.name) + " or none";
  }
  return {};
}

RawTable raw(const GrowingTable& from) {
  RawTable out;
  for (const GrowingColumn& column : from.columns) out.columns.push_back(column.column());
  out.line.resize(from.rows);
  std::iota(out.line.begin(), out.line.end(), std::uint64_t{1});
  return out;
}

// The counts that tell, in the first row.
RawCounts raw(const GrowingCounts& from) {
  RawCounts out;
  out.vocabulary = from.words.texts();
  out.count = from.telling;
  out.word.assign(out.count.size(), 0);
  out.row_start.resize(from.rows + 1, out.count.size());
  out.line.assign(from.rows, 0);
  return out;
}

RawTriplets raw(const GrowingTriplets& from) {
  RawTriplets out;
  out.items = from.item.texts.texts();
  out.item = from.item.code;
  out.values = from.value.texts.texts();
  out.value = from.value.code;
  out.given = from.value.about.given;
  out.typed = from.value.about.typed;
  for (std::size_t i = 0; i < out.item.size(); ++i) out.line.push_back(i + 1);
  return out;
}

}  // namespace

void GrowingColumn::append(const std::vector<std::string>& distinct,
                           const std::vector<std::uint32_t>& codes) {
  std::vector<std::uint32_t> place;
  place.reserve(distinct.size());
  for (const std::string& text : distinct) {
    const std::uint32_t known = texts.find(text);
    place.push_back(known != kMissingCode ? known : texts.add(text));
  }
  for (const std::uint32_t cell : codes)
    code.push_back(cell == kMissingCode ? kMissingCode : place[cell]);
}

RawColumn GrowingColumn::column() const {
  RawColumn out = about;
  out.distinct = texts.texts();
  out.code = code;
  return out;
}

void MemoryPieces::add(const std::vector<MemorySource>& sources) {
  check_memory(sources, options_);
  const MissingStrings missing(options_.na);
  const IsMissing is_missing = [&](std::string_view cell) {
    return missing.contains(std::string(cell));
  };
  std::vector<GrowingSource> piece;
  std::vector<std::string> warnings;  // told again when the rows are read
  for (MemorySource source : sources) {
    if (source.name.empty()) source.name = "data";
    const RawSource one = raw_of_memory(std::move(source), is_missing, warnings);
    GrowingSource& to = piece.emplace_back();
    to.name = one.name;
    std::visit([&](const auto& content) { to.content = growing(content); }, one.content);
  }
  append(piece);
}

void MemoryPieces::merge(const MemoryPieces& other) {
  if (&other == this) return append(std::vector<GrowingSource>(sources_));
  append(other.sources_);
}

void MemoryPieces::append(const std::vector<GrowingSource>& piece) {
  if (piece.empty()) return;
  if (sources_.empty()) {
    sources_ = piece;
    return;
  }
  core::Problems problems;
  if (piece.size() != sources_.size())
    problems.add(
        "sources",
        "are " + std::to_string(piece.size()) + ", and were " + std::to_string(sources_.size()),
        kAlike);
  for (std::size_t s = 0; s < std::min(piece.size(), sources_.size()); ++s) {
    if (const std::string what = difference(sources_[s], piece[s]); !what.empty())
      problems.add(sources_[s].name, what, kAlike);
  }
  problems.throw_if_any();
  for (std::size_t s = 0; s < piece.size(); ++s) {
    std::visit(
        [&](auto& to) {
          append_to(to, std::get<std::remove_reference_t<decltype(to)>>(piece[s].content));
        },
        sources_[s].content);
  }
}

std::size_t MemoryPieces::rows() const {
  if (sources_.empty()) return 0;
  if (const auto* table = std::get_if<GrowingTable>(&sources_.front().content)) return table->rows;
  if (const auto* counts = std::get_if<GrowingCounts>(&sources_.front().content))
    return counts->rows;
  return std::get<GrowingTriplets>(sources_.front().content).item.code.size();
}

Schema MemoryPieces::schema(const FamilyCatalogue& catalogue) const {
  if (sources_.empty())
    throw InputError({"", "no rows were added", "add the pieces of the data before"});
  std::vector<RawSource> sources;
  for (const GrowingSource& from : sources_) {
    RawSource& to = sources.emplace_back();
    to.name = to.path = from.name;
    to.in_memory = true;
    std::visit([&](const auto& content) { to.content = raw(content); }, from.content);
  }
  return schema_of_raw(std::move(sources), options_, catalogue);
}

}  // namespace medley::data
