// SPDX-License-Identifier: Apache-2.0
#include "data/message_text.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "core/text.hpp"
#include "data/number.hpp"

namespace medley::data {
namespace {

constexpr std::size_t kCompared = 80;  // longer names are not worth a quadratic comparison

// Edits that turn one into the other: a letter added, dropped, changed, or swapped with its
// neighbour. Ignores case.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i]) == lower(b[j]); };
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({row[j] + 1, last[j + 1] + 1, last[j] + (same(i, j) ? 0U : 1U)});
      if (i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j)) {
        row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
      }
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::string shell_word(std::string_view text) {
  const bool harmless = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' ||
           c == ',' || c == '/' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
  });
  // Quoted text is only shown, so it may be cut; a word that needs no quotes is short or no cell at
  // all.
  return harmless ? std::string(text) : core::quoted(text);
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  const std::size_t shown = std::min(names.size(), most);
  for (std::size_t i = 0; i < shown; ++i) out += (i > 0 ? ", " : "") + core::quoted(names[i]);
  if (names.size() > shown) out += " and " + std::to_string(names.size() - shown) + " more";
  return out;
}

std::string closest(std::string_view wanted, const std::vector<std::string>& names) {
  std::string best;
  if (wanted.size() > kCompared) return best;
  std::size_t allowed = std::max<std::size_t>(1, wanted.size() / 3);
  for (const std::string& name : names) {
    if (name.size() > kCompared) continue;
    const std::size_t apart = distance(wanted, name);
    if (apart <= allowed && apart < std::max(wanted.size(), name.size())) {
      best = name;
      if (apart == 0) break;
      allowed = apart - 1;
    }
  }
  return best;
}

std::string counted(std::uint64_t count, std::string_view thing) {
  return std::to_string(count) + ' ' + std::string(thing) + (count == 1 ? "" : "s");
}

Problem unknown_family(const std::string& where, const std::string& family,
                       const FamilyCatalogue& catalogue) {
  const std::string meant = closest(family, catalogue.names);
  return {where, "unknown family " + core::quoted(family),
          (meant.empty() ? "" : "did you mean " + core::quoted(meant) + "? ") +
              "the families are: " + listed(catalogue.names) +
              "; or text, tags, set for cells to be taken apart"};
}

std::string family_of_levels(const ColumnFacts& facts, const FamilyCatalogue& catalogue) {
  for (const std::string& name : catalogue.names) {
    if (catalogue.encoding_of(name) == Encoding::levels &&
        catalogue.objection(name, facts).empty()) {
      return name;
    }
  }
  return {};
}

std::string family_of_numbers(const ColumnSummary& column, const FamilyCatalogue& catalogue) {
  const auto takes = [&](const std::string& family) {
    return catalogue.encoding_of(family) == Encoding::real &&
           catalogue.objection(family, column.facts).empty() &&
           std::all_of(column.values.begin(), column.values.end(), [&](const ObservedValue& v) {
             return v.number && catalogue.refusal(family, *v.number).empty();
           });
  };
  std::string best = catalogue.choose(column.facts).family;
  if (takes(best)) return best;
  const auto found = std::find_if(catalogue.names.begin(), catalogue.names.end(), takes);
  return found == catalogue.names.end() ? std::string() : *found;
}

std::string ways_out(const std::string& cell, const ColumnSpec& column, const std::string& instead,
                     bool fixed) {
  if (is_ambiguous_mark(cell, column.marks))
    return "`decimal=\"comma\"` or `decimal=\"point\"` says which the file means";
  std::string ways = fixed ? "the schema has the column as " + column.family + "; use " : "use ";
  if (!fixed && !instead.empty()) {
    ways += core::setting("column", column.name + '=' + instead) + ", ";
  }
  const bool others = ways.ends_with(", ");
  return ways + (others ? "or " : "") + core::setting("na", cell);
}

Problem not_a_number(const std::string& where, const std::string& cell, const ColumnSpec& column,
                     const std::string& instead, bool fixed) {
  if (is_ambiguous_mark(cell, column.marks))
    return {where, may_be_either(cell), ways_out(cell, column, instead, fixed)};
  const std::string what = is_infinite(cell) ? " is not a finite number" : " is not a number";
  const std::string remedy = fixed ? "" : "the column is " + column.family + "; ";
  return {where, core::quoted(cell) + what, remedy + ways_out(cell, column, instead, fixed)};
}

void add_unknown(const std::string& block, std::vector<std::pair<std::string, double>> counts,
                 std::vector<Unknown>& to) {
  std::erase_if(counts, [](const auto& entry) { return !(entry.second > 0); });
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (counts.size() > kNamedUnknown) counts.resize(kNamedUnknown);
  for (auto& [name, count] : counts) to.push_back({block, std::move(name), count});
}

}  // namespace medley::data
