// SPDX-License-Identifier: Apache-2.0
#include "text_options.hpp"

#include <fmt/format.h>

#include "checks.hpp"

namespace medley::cli {
namespace {

constexpr const char* kTextGroup = "Text, tags and sets";

}  // namespace

void add_text_options(Command& command, TextOptions& o) {
  const auto text = [&](const char* name, std::string& to, const char* kind, const char* help) {
    return command.add_option(name, to, help).type_name(kind).group(kTextGroup);
  };
  text("--split", o.split, "TEXT", "what separates tags or options in a cell (default ;)");
  command.add_flag("--keep-case", o.keep_case, "The and the are different words").group(kTextGroup);
  text("--stem", o.stem, "LANGUAGE", "words by their stems: english, german, french ...");
  command
      .add_option(
          "--stop-words", o.stop_words,
          "leave out words: english, french, german, spanish, a file with a word per line,\n"
          "auto (default: the recognised language) or none (repeatable)")
      .type_name("LANGUAGE|FILE")
      .group(kTextGroup)
      .allow_extra_args(false);
  text("--min-count", o.min_count, "N", "leave out words and tags in fewer than N rows (default 2)")
      .check(whole_number(1));
  text("--max-share", o.max_share, "P",
       "... in more than this share of the rows (default 0.5 for text, 1 for tags)")
      .check(share());
  text("--vocabulary", o.vocabulary, "N", "keep only the N words or tags in the most rows")
      .check(whole_number(1));
}

void read_text_options(const TextOptions& o, ReadOptions& out) {
  out.split = o.split;
  out.words.rules.fold_case = !o.keep_case;
  out.words.rules.stem = o.stem;
  out.words.recognise_language = o.stop_words.empty();
  for (const std::string& list : o.stop_words) {
    if (list == "auto") out.words.recognise_language = true;
    if (list != "auto" && list != "none") out.words.stop_words.push_back(list);
  }
  if (!o.min_count.empty()) out.words.min_count = std::stoull(o.min_count);
  if (!o.max_share.empty()) out.words.max_share = std::stod(o.max_share);
  if (!o.vocabulary.empty()) out.words.most_words = std::stoull(o.vocabulary);
}

std::string taken_for(const ColumnSpec& column) {
  switch (column.cells) {
    case CellText::text:
      return "text";
    case CellText::tags:
      return "tags";
    case CellText::set:
      return "set";
    case CellText::value:
      break;
  }
  if (!column.date_part.empty()) return column.date_part;
  if (column.shift == 0) return column.family;
  return fmt::format("{}:shift={}", column.family, column.shift);
}

}  // namespace medley::cli
