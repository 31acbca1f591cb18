// SPDX-License-Identifier: Apache-2.0
#include "data/column_warnings.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/text.hpp"
#include "data/wording.hpp"

namespace medley::data {
namespace {

constexpr std::size_t kOneByOne = 3;

// What to do is the same for columns that are told together, to the letter; how often something
// occurs need not be.
constexpr std::string_view kRemedy = "Put missing";

// The sentence without its numbers and the column's own name.
std::string kind_of_doubt(std::string_view says, const std::string& column) {
  const std::size_t remedy = std::min(says.find(kRemedy), says.size());
  const std::string name = shell_word(column);
  std::string out;
  for (std::size_t at = 0; at < says.size();) {
    if (!name.empty() && says.substr(at).starts_with(name)) {
      out += '\n';
      at += name.size();
    } else if (at < remedy && core::is_digit(says[at])) {
      const bool grouped = at + 2 < remedy && (says[at + 1] == ',' || says[at + 1] == '.') &&
                           core::is_digit(says[at + 2]);
      if (out.empty() || out.back() != '0') out += '0';
      at += grouped ? 2 : 1;
    } else {
      out += says[at++];
    }
  }
  return out;
}

}  // namespace

void ColumnWarnings::add(const std::string& path, const std::string& column, std::string says) {
  said_.push_back({path, column, std::move(says)});
}

std::vector<std::string> ColumnWarnings::lines() const {
  std::vector<std::vector<const Said*>> kinds;
  std::unordered_map<std::string, std::size_t> known;
  for (const Said& said : said_) {
    const auto [found, added] =
        known.try_emplace(said.path + '\n' + kind_of_doubt(said.says, said.column), kinds.size());
    if (added) kinds.emplace_back();
    kinds[found->second].push_back(&said);
  }
  std::vector<std::string> out;
  const auto line = [](const Said& said) {
    return said.path + ": column " + core::quoted(said.column) + said.says;
  };
  for (const std::vector<const Said*>& alike : kinds) {
    if (alike.size() <= kOneByOne) {
      for (const Said* said : alike) out.push_back(line(*said));
      continue;
    }
    std::vector<std::string> others;
    for (std::size_t i = 1; i < alike.size(); ++i) others.push_back(alike[i]->column);
    out.push_back(line(*alike.front()) + "; the same in " + counted(others.size(), "other column") +
                  ": " + listed(others));
  }
  return out;
}

}  // namespace medley::data
