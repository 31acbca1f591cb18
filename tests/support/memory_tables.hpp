// SPDX-License-Identifier: Apache-2.0
// The same data as text of a file and as sources in memory, made side by side.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/rng.hpp"
#include "medley/io.hpp"

namespace medley::test {

/// Cells of text, coded by first appearance; "" is missing.
inline TextColumn text_column(const std::vector<std::string>& cells) {
  TextColumn out;
  std::map<std::string, std::uint32_t> codes;
  for (const std::string& cell : cells) {
    if (cell.empty()) {
      out.code.push_back(kAbsent);
      continue;
    }
    const auto [found, added] =
        codes.emplace(cell, static_cast<std::uint32_t>(out.distinct.size()));
    if (added) out.distinct.push_back(cell);
    out.code.push_back(found->second);
  }
  return out;
}

/// Lists, coded by first appearance.
inline ListColumn list_column(const std::vector<std::vector<std::string>>& lists) {
  ListColumn out;
  std::map<std::string, std::uint32_t> codes;
  out.start = {0};
  for (const auto& list : lists) {
    for (const std::string& entry : list) {
      const auto [found, added] =
          codes.emplace(entry, static_cast<std::uint32_t>(out.distinct.size()));
      if (added) out.distinct.push_back(entry);
      out.code.push_back(found->second);
    }
    out.start.push_back(out.code.size());
  }
  return out;
}

/// A table with columns of every kind, once as JSON lines and once in memory.
struct MixedTable {
  std::string json;
  MemoryTable table;
};

inline MixedTable mixed_table(std::size_t rows, std::uint64_t seed = 1) {
  const std::vector<std::string> nouns = {"cat", "dog", "house", "river", "stone", "window"};
  std::vector<std::string> id, colour, comment, kind;
  std::vector<std::vector<std::string>> tags;
  std::vector<double> height, visits, weight;
  MixedTable out;
  for (std::size_t row = 0; row < rows; ++row) {
    core::Rng rng(seed, 77, row);
    const bool first = rng.uniform() < 0.5;
    id.push_back("p" + std::to_string(row));
    const char* colours[] = {"red", "green", "blue"};
    colour.emplace_back(rng.uniform() < 0.1 ? "" : colours[first ? rng.below(2) : 2]);
    height.push_back(rng.uniform() < 0.1 ? std::numeric_limits<double>::quiet_NaN()
                                         : (first ? 1.5 : 1.8) + 0.1 * rng.uniform());
    visits.push_back(static_cast<double>(rng.below(first ? 40 : 90)));
    weight.push_back(static_cast<double>(1 + rng.below(4)) / 4);
    kind.emplace_back(first ? "one" : "two");
    std::string words;
    for (int w = 0; w < 7; ++w)
      words += (w > 0 ? " " : "") + nouns[rng.below(3) + (first ? 0U : 3U)];
    comment.push_back(words + " " + std::to_string(row));
    tags.emplace_back();
    for (std::uint64_t t = rng.below(4); t > 0; --t)
      tags.back().push_back((first ? "a" : "b") + std::to_string(rng.below(3)));
    const auto number = [](double value) {
      char text[40];
      std::snprintf(text, sizeof text, "%.17g", value);
      return std::isnan(value) ? std::string("null") : std::string(text);
    };
    const auto text = [](const std::string& value) {
      return value.empty() ? std::string("null") : '"' + value + '"';
    };
    std::string list;
    for (const std::string& tag : tags.back()) list += (list.empty() ? "" : ",") + text(tag);
    out.json += "{\"id\":" + text(id.back()) + ",\"colour\":" + text(colour.back()) +
                ",\"height\":" + number(height.back()) + ",\"visits\":" + number(visits.back()) +
                ",\"weight\":" + number(weight.back()) + ",\"kind\":" + text(kind.back()) +
                ",\"comment\":" + text(comment.back()) + ",\"tags\":[" + list + "]}\n";
  }
  out.table.rows = rows;
  out.table.columns = {{"id", text_column(id)},           {"colour", text_column(colour)},
                       {"height", NumberColumn{height}},  {"visits", NumberColumn{visits}},
                       {"weight", NumberColumn{weight}},  {"kind", text_column(kind)},
                       {"comment", text_column(comment)}, {"tags", list_column(tags)}};
  return out;
}

/// How mixed_table() is meant to be read.
inline ReadOptions mixed_options() {
  ReadOptions options;
  options.id = "id";
  options.label = "kind";
  options.weight = "weight";
  return options;
}

/// Ratings of items by users, as lines of a file and in memory.
struct Ratings {
  std::string csv;
  MemoryTriplets triplets;
};

inline Ratings ratings(std::size_t users, std::uint64_t seed = 1) {
  Ratings out;
  out.csv = "user,item,value\n";
  std::vector<std::string> user, item;
  NumberColumn value;
  for (std::size_t u = 0; u < users; ++u) {
    core::Rng rng(seed, 78, u);
    for (int i = 0; i < 6; ++i) {
      if (rng.uniform() < 0.4) continue;
      const bool likes = (u % 2 == 0) == (i < 3);
      user.push_back("u" + std::to_string(u));
      item.push_back("film " + std::to_string(i));
      value.value.push_back(static_cast<double>(likes ? 3 + rng.below(3) : 1 + rng.below(3)));
      out.csv += user.back() + ',' + item.back() + ',' +
                 std::to_string(static_cast<int>(value.value.back())) + '\n';
    }
  }
  out.triplets = {text_column(user), text_column(item), std::move(value)};
  return out;
}

/// Words of documents, as LDA-C and in memory; words called w0, w1, ...
struct Corpus {
  std::string ldac, words;
  MemoryCounts counts;
};

inline Corpus word_counts(std::size_t documents, std::size_t vocabulary, std::uint64_t seed = 1) {
  Corpus out;
  out.counts.row_start = {0};
  for (std::size_t w = 0; w < vocabulary; ++w) {
    out.counts.vocabulary.push_back("w" + std::to_string(w));
    out.words += out.counts.vocabulary.back() + "\n";
  }
  for (std::size_t d = 0; d < documents; ++d) {
    core::Rng rng(seed, 79, d);
    std::map<std::uint32_t, int> bag;
    for (int token = 0; token < 15; ++token)
      ++bag[static_cast<std::uint32_t>(rng.below(vocabulary / 2) + (d % 2) * (vocabulary / 2))];
    out.ldac += std::to_string(bag.size());
    for (const auto& [word, count] : bag) {
      out.ldac += ' ' + std::to_string(word) + ':' + std::to_string(count);
      out.counts.word.push_back(word);
      out.counts.count.push_back(static_cast<float>(count));
    }
    out.ldac += '\n';
    out.counts.row_start.push_back(out.counts.word.size());
  }
  return out;
}

/// Rows [begin, end) of sources in memory.
inline TextColumn rows_of(const TextColumn& column, std::size_t begin, std::size_t end) {
  TextColumn out = column;
  out.code.assign(column.code.begin() + static_cast<std::ptrdiff_t>(begin),
                  column.code.begin() + static_cast<std::ptrdiff_t>(end));
  return out;
}
inline NumberColumn rows_of(const NumberColumn& column, std::size_t begin, std::size_t end) {
  return {{column.value.begin() + static_cast<std::ptrdiff_t>(begin),
           column.value.begin() + static_cast<std::ptrdiff_t>(end)}};
}
inline ListColumn rows_of(const ListColumn& column, std::size_t begin, std::size_t end) {
  ListColumn out;
  out.distinct = column.distinct;
  for (std::size_t row = begin; row <= end; ++row)
    out.start.push_back(column.start[row] - column.start[begin]);
  out.code.assign(column.code.begin() + static_cast<std::ptrdiff_t>(column.start[begin]),
                  column.code.begin() + static_cast<std::ptrdiff_t>(column.start[end]));
  return out;
}
inline MemoryTable rows_of(const MemoryTable& table, std::size_t begin, std::size_t end) {
  MemoryTable out;
  out.rows = end - begin;
  for (const MemoryColumn& column : table.columns) {
    MemoryColumn& part = out.columns.emplace_back();
    part.name = column.name;
    std::visit([&](const auto& cells) { part.cells = rows_of(cells, begin, end); }, column.cells);
  }
  return out;
}
inline MemoryCounts rows_of(const MemoryCounts& counts, std::size_t begin, std::size_t end) {
  MemoryCounts out;
  out.vocabulary = counts.vocabulary;
  for (std::size_t row = begin; row <= end; ++row)
    out.row_start.push_back(counts.row_start[row] - counts.row_start[begin]);
  const auto first = static_cast<std::ptrdiff_t>(counts.row_start[begin]);
  const auto last = static_cast<std::ptrdiff_t>(counts.row_start[end]);
  out.word.assign(counts.word.begin() + first, counts.word.begin() + last);
  out.count.assign(counts.count.begin() + first, counts.count.begin() + last);
  return out;
}

/// One source without a name.
template <class Content>
std::vector<MemorySource> one_source(Content content) {
  std::vector<MemorySource> out(1);
  out.front().content = std::move(content);
  return out;
}

}  // namespace medley::test
