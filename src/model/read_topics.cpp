// SPDX-License-Identifier: Apache-2.0
// A table of topics, words across or words down.
#include <algorithm>
#include <cmath>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/number.hpp"
#include "medley/model.hpp"

namespace medley {
namespace model {
namespace {

bool is_one_of(const std::string& heading, std::initializer_list<const char*> words) {
  const std::string lower = core::lower(heading);
  return std::ranges::any_of(words, [&](const char* word) { return lower == word; });
}

// The number in a cell, or a problem.
double weight_in(const std::string& cell, const std::string& where, core::Problems& problems) {
  const auto number = data::number_in(cell);
  if (number && std::isfinite(*number) && *number >= 0) return *number;
  problems.add(where, core::quoted(cell) + " is no weight",
               "every word has a number of 0 or more in every topic");
  return 0;
}

Topics with_words_across(const TextTable& table, const std::string& path,
                         core::Problems& problems) {
  // A heading that is empty in the file comes as column_1.
  const std::size_t skip = is_one_of(table.header[0], {"column_1", "topic", "index"}) ? 1 : 0;
  Topics out;
  out.words.assign(table.header.begin() + static_cast<std::ptrdiff_t>(skip), table.header.end());
  for (std::size_t line = 0; line < table.rows.size(); ++line) {
    std::vector<double>& topic = out.weight.emplace_back();
    for (std::size_t c = skip; c < table.header.size(); ++c) {
      topic.push_back(weight_in(
          table.rows[line][c],
          path + ": topic " + std::to_string(line + 1) + ", word " + core::quoted(table.header[c]),
          problems));
    }
  }
  return out;
}

Topics with_words_down(const TextTable& table, const std::string& path, core::Problems& problems) {
  Topics out;
  out.weight.resize(table.header.size() - 1);
  for (const std::vector<std::string>& row : table.rows) {
    out.words.push_back(row[0]);
    for (std::size_t k = 0; k + 1 < row.size(); ++k) {
      out.weight[k].push_back(weight_in(
          row[k + 1], path + ": topic " + std::to_string(k + 1) + ", word " + core::quoted(row[0]),
          problems));
    }
  }
  return out;
}

}  // namespace
}  // namespace model

Topics read_topics(const std::string& path) {
  const TextTable table = read_text_table({"", path}, {});
  core::Problems problems;
  Topics out;
  if (table.header.size() >= 2) {
    out = model::is_one_of(table.header[0], {"word", "term", "token"})
              ? model::with_words_down(table, path, problems)
              : model::with_words_across(table, path, problems);
  }
  problems.throw_if_any();
  return out;
}

}  // namespace medley
