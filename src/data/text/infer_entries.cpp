// SPDX-License-Identifier: Apache-2.0
#include "data/text/infer_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/text.hpp"
#include "data/message_text.hpp"
#include "data/schema_words.hpp"
#include "data/text/choose_vocabulary.hpp"
#include "data/text/entries.hpp"
#include "data/text/tokenise.hpp"

namespace medley::data {
namespace {

// Prose: at least so many observed cells, so many words in a cell, and few cells repeated.
constexpr std::size_t kFewestCells = 20;
constexpr double kFewestWords = 4;
constexpr std::size_t kSampledTexts = 500;

// Lists: the separator is in a third of the cells, and an entry is used twice on average.
constexpr std::size_t kShareWithSeparator = 3;
constexpr std::size_t kUsesOfAnEntry = 2;

std::optional<CellText> cells_asked(const std::string& word) {
  for (const auto& [name, cells] : kCellTexts) {
    if (name == word && cells != CellText::value) return cells;
  }
  return std::nullopt;
}

// Rows with an observed cell, and how many different texts they hold.
struct Observed {
  std::size_t cells = 0, texts = 0;
};

Observed observed_in(const RawColumn& column, const std::vector<std::size_t>& uses,
                     const MissingStrings& missing) {
  Observed observed;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] == 0 || missing.contains(column.distinct[i])) continue;
    observed.cells += uses[i];
    ++observed.texts;
  }
  return observed;
}

bool looks_like_list(const RawColumn& column, const std::string& separator,
                     const MissingStrings& missing) {
  const std::vector<std::size_t> uses = uses_of(column);
  std::size_t with = 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (column.distinct[i].find(separator) != std::string::npos) with += uses[i];
  }
  const std::size_t cells = observed_in(column, uses, missing).cells;
  if (with == 0 || kShareWithSeparator * with < cells) return false;
  ColumnSpec spec;
  spec.cells = CellText::tags;
  spec.split = separator;
  const EntryBags bags = entries_of(column, spec, {}, missing);
  std::size_t entries = 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    entries += uses[i] * (bags.start[i + 1] - bags.start[i]);
  }
  return entries >= kUsesOfAnEntry * bags.names.size();
}

// The separator of a column that looks like lists, or empty.
std::string separator_seen(const RawColumn& column, const ReadOptions& options,
                           const MissingStrings& missing) {
  std::vector<std::string> separators = {";", "|"};
  if (!options.split.empty()) separators = {options.split};
  for (const std::string& separator : separators) {
    if (looks_like_list(column, separator, missing)) return separator;
  }
  return {};
}

bool reads_like_text(const RawColumn& column, const ReadOptions& options,
                     const MissingStrings& missing) {
  const Observed observed = observed_in(column, uses_of(column), missing);
  if (observed.cells < kFewestCells || 2 * observed.texts <= observed.cells) return false;
  Tokeniser tokeniser(TextRules{});
  std::size_t texts = 0, words = 0;
  for (std::size_t i = 0; i < column.distinct.size() && texts < kSampledTexts; ++i) {
    if (missing.contains(column.distinct[i])) continue;
    ++texts;
    words += words_with_letters(column.distinct[i], tokeniser);
  }
  if (static_cast<double>(words) < kFewestWords * static_cast<double>(texts)) return false;
  return separator_seen(column, options, missing).empty();
}

std::string title(std::string word) {
  if (!word.empty() && word[0] >= 'a' && word[0] <= 'z')
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

// What was left out of running text without being asked, and how to keep it; empty if nothing was.
std::string unasked_note(const ColumnSpec& spec, const ChosenVocabulary& chosen,
                         const VocabularyOptions& options) {
  if (spec.cells != CellText::text) return {};
  std::string aside, keep;
  if (!chosen.language.empty() && chosen.stopped > 0) {
    aside = counted(chosen.stopped, title(chosen.language) + " stop word");
    keep = "`stop_words=\"none\"`";
  }
  if (!options.max_share && chosen.common > 0) {
    aside += (aside.empty() ? "" : ", ") + counted(chosen.common, "word") +
             (chosen.common == 1 ? " that is" : " that are") +
             " in more than half of the documents";
    keep += std::string(keep.empty() ? "" : " ") + "`max_share=1`";
  }
  return aside.empty() ? aside
                       : "set aside: " + aside + "; " + keep +
                             (chosen.stopped + chosen.common == 1 ? " keeps it" : " keeps them");
}

std::string note_of(const ColumnSpec& spec, const ChosenVocabulary& chosen) {
  const std::string size = std::to_string(spec.levels.size());
  if (spec.cells == CellText::set) return "a set of " + counted(spec.levels.size(), "option");
  const double mean =
      chosen.documents > 0 ? chosen.entries / static_cast<double>(chosen.documents) : 0;
  const std::string each = mean < 10 ? fmt::format("{:.1f}", mean) : fmt::format("{:.0f}", mean);
  std::string note = spec.cells == CellText::text
                         ? "running text, " + each + " words a cell; vocabulary " + size
                         : "lists, " + each + " tags a cell; " + size + " different";
  std::string left_out;
  const auto tell = [&](std::size_t count, const std::string& why) {
    if (count > 0) left_out += (left_out.empty() ? "" : ", ") + std::to_string(count) + ' ' + why;
  };
  tell(chosen.rare, "rare");
  tell(chosen.common, "very common");
  tell(chosen.stopped,
       chosen.language.empty() ? "stop words" : title(chosen.language) + " stop words");
  return left_out.empty() ? note : note + " (left out: " + left_out + ")";
}

Problem nothing_left(const ColumnSpec& spec, const ChosenVocabulary& chosen,
                     const VocabularyOptions& options) {
  const std::string where =
      core::setting("column", spec.name + '=' + std::string(word_of(kCellTexts, spec.cells)));
  const std::string things = spec.cells == CellText::text ? "word" : "entry";
  if (chosen.rare + chosen.common + chosen.stopped == 0) {
    return {where, "column " + core::quoted(spec.name) + " holds no " + things + " at all",
            "check that it is the right column"};
  }
  return {
      where,
      fmt::format("no {} of column {} is left: {} in fewer than {} rows, {} in more than {:g} % "
                  "of the rows, {} stop words",
                  things, core::quoted(spec.name), chosen.rare, options.min_count, chosen.common,
                  100 * options.max_share.value_or(1), chosen.stopped),
      "use `min_count=1`, or loosen `max_share` and `stop_words`"};
}

}  // namespace

bool asks_for_entries(const std::string& word) {
  return cells_asked(word).has_value();
}

bool infer_entries(ColumnSpec& spec, const RawColumn& column, const std::string& asked,
                   const EntriesContext& context) {
  std::optional<CellText> cells = cells_asked(asked);
  if (!cells && !asked.empty()) return false;
  if (!cells && column.cells != CellText::value) cells = column.cells;
  const bool certain = cells.has_value();
  if (!cells && reads_like_text(column, context.options, context.missing)) cells = CellText::text;
  if (!cells) return false;

  ColumnSpec found = spec;
  found.cells = *cells;
  found.text = context.options.words.rules;
  found.split = separator_of(found, column, context.options.split);
  const EntryBags bags = entries_of(column, found, context.options, context.missing);
  ChosenVocabulary chosen = choose_vocabulary(bags, uses_of(column), *cells, context.options.words,
                                              context.options.memory_limit);
  if (chosen.words.empty() && !certain) return false;
  if (chosen.words.empty()) {
    const Problem problem = nothing_left(found, chosen, context.options.words);
    context.problems.add(problem.where, problem.what, problem.remedy);
  }
  found.family = family_of_entries(found, context.options.missing_as_category, context.catalogue);
  found.encoding = context.catalogue.encoding_of(found.family).value_or(Encoding::levels);
  found.levels = std::move(chosen.words);
  found.set_aside =
      *cells == CellText::text ? std::move(chosen.set_aside) : std::vector<std::string>();
  found.note = note_of(found, chosen);
  if (const std::string note = unasked_note(found, chosen, context.options.words); !note.empty()) {
    found.note += "; " + note;
    context.notes.push_back(spec.name + ": " + note);
  }
  spec = std::move(found);
  return true;
}

std::string list_hint(const RawColumn& column, const ReadOptions& options,
                      const MissingStrings& missing) {
  const std::string separator = separator_seen(column, options, missing);
  if (separator.empty()) return {};
  std::string hint = "lists? " + core::setting("column", column.name + "=set") + " or " +
                     core::setting("column", column.name + "=tags");
  if (separator != ColumnSpec().split) hint += ", with " + core::setting("split", separator);
  return hint;
}

}  // namespace medley::data
