// SPDX-License-Identifier: Apache-2.0
// The options of reading. To add one: a field in ReadOptions and an entry here.
#include "model/read_option_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "medley/error.hpp"
#include "model/option_table.hpp"

namespace medley::model {
namespace {

constexpr const char* kData = "Data";
constexpr const char* kText = "Text, tags and sets";

constexpr std::array<std::pair<std::string_view, Format>, 17> kFormats = {
    {{"auto", Format::automatic},
     {"column", Format::column},
     {"csv", Format::csv},
     {"docword", Format::docword},
     {"dta", Format::dta},
     {"jsonl", Format::jsonl},
     {"ldac", Format::ldac},
     {"mtx", Format::mtx},
     {"por", Format::por},
     {"sas7bdat", Format::sas7bdat},
     {"sav", Format::sav},
     {"stream", Format::stream},
     {"svmlight", Format::svmlight},
     {"text", Format::text},
     {"triplets", Format::triplets},
     {"tsv", Format::tsv},
     {"xpt", Format::xpt}}};

std::vector<std::string> format_words() {
  std::vector<std::string> out;
  for (const auto& [name, format] : kFormats) out.emplace_back(name);
  return out;
}

std::string word_of_format(Format wanted) {
  for (const auto& [name, format] : kFormats) {
    if (format == wanted) return std::string(name);
  }
  return "";
}

// Reads a value by the range; a problem goes to `wrong`.
Value read_value(const Range& range, std::string_view text, std::string& wrong) {
  Value value;
  wrong = range.read(text, value);
  return value;
}

std::string is_not_of_the_form(std::string_view text, const std::string& form) {
  return '"' + std::string(text) + "\" is not of the form " + form;
}

// "NAME=VALUE", split at the first '='; a name that holds one goes in quotes: "a=b"=VALUE.
std::pair<std::string, std::string> name_and_value(std::string_view text) {
  std::string_view rest = text;
  const std::optional<std::string> name = core::take_quoted(rest);
  if (name && rest.starts_with('=')) return {*name, std::string(rest.substr(1))};
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

std::string in_lines(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& entry : list) out += (out.empty() ? "" : "\n") + entry;
  return out;
}

// A name in the form that comma_list reads.
std::string list_entry(const std::string& name) {
  if (name.find_first_of(",\"=") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ",") + list_entry(name);
  return out;
}

std::string set_format(ReadOptions& o, std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == 0) return is_not_of_the_form(text, "NAME=FORMAT");
  const bool all = at == std::string_view::npos;
  const std::string_view word = all ? text : text.substr(at + 1);
  std::string wrong;
  (void)read_value(words_of(format_words()), word, wrong);
  if (!wrong.empty()) return wrong;
  const Format format =
      std::ranges::find(kFormats, word, [](const auto& f) { return f.first; })->second;
  if (all) {
    o.format = format;
  } else {
    o.format_of.insert_or_assign(std::string(text.substr(0, at)), format);
  }
  return "";
}

std::string get_format(const ReadOptions& o) {
  std::vector<std::string> lines;
  if (o.format != Format::automatic) lines.push_back(word_of_format(o.format));
  for (const auto& [name, format] : o.format_of)
    lines.push_back(name + '=' + word_of_format(format));
  return in_lines(lines);
}

std::string set_column(ReadOptions& o, std::string_view text) {
  auto [name, family] = name_and_value(text);
  if (name.empty() || family.empty()) return is_not_of_the_form(text, "NAME=FAMILY");
  o.family.insert_or_assign(std::move(name), std::move(family));
  return "";
}

std::string get_column(const ReadOptions& o) {
  std::vector<std::string> lines;
  for (const auto& [name, family] : o.family) lines.push_back(list_entry(name) + '=' + family);
  return in_lines(lines);
}

// NAME=COLUMN,COLUMN; '*_1,*_2' is short for '*=*_1,*_2'.
std::string set_tie(ReadOptions& o, std::string_view text) {
  const auto [name, columns] = name_and_value(text);
  const Tie tie =
      columns.empty() ? Tie{"*", core::comma_list(text)} : Tie{name, core::comma_list(columns)};
  const auto stars = [](const std::string& of) { return std::ranges::count(of, '*'); };
  const auto wanted = stars(tie.name);
  const bool fine = !tie.name.empty() && tie.columns.size() > 1 && wanted <= 1 &&
                    std::ranges::all_of(tie.columns, [&](const std::string& c) {
                      return !c.empty() && stars(c) == wanted;
                    });
  if (!fine) return is_not_of_the_form(text, "NAME=COLUMN,COLUMN or '*_1,*_2'");
  o.ties.push_back(tie);
  return "";
}

std::string get_tie(const ReadOptions& o) {
  std::vector<std::string> lines;
  for (const Tie& tie : o.ties) lines.push_back(list_entry(tie.name) + '=' + joined(tie.columns));
  return in_lines(lines);
}

// "NAME=W", split at the last '=', because a weight holds none.
std::string set_block_weight(ReadOptions& o, std::string_view text) {
  const std::size_t at = text.rfind('=');
  if (at == std::string_view::npos || at == 0) return is_not_of_the_form(text, "NAME=W");
  std::string wrong;
  const Value weight = read_value(above_zero(), text.substr(at + 1), wrong);
  if (wrong.empty())
    o.block_weight.insert_or_assign(std::string(text.substr(0, at)), std::get<double>(weight));
  return wrong;
}

std::string get_block_weight(const ReadOptions& o) {
  std::vector<std::string> lines;
  for (const auto& [name, weight] : o.block_weight)
    lines.push_back(name + '=' + number_text(weight));
  return in_lines(lines);
}

// [NAME=]FILE.
std::string set_vocab(ReadOptions& o, std::string_view text) {
  const Source list = parse_source(std::string(text));
  o.vocabulary.insert_or_assign(list.name, list.path);
  return "";
}

std::string get_vocab(const ReadOptions& o) {
  std::vector<std::string> lines;
  for (const auto& [name, path] : o.vocabulary)
    lines.push_back(name.empty() ? path : name + '=' + path);
  return in_lines(lines);
}

// One of some words; the first is the default.
std::string one_word(std::string_view text, const std::vector<std::string>& words,
                     std::size_t& found) {
  std::string wrong;
  (void)read_value(words_of(words), text, wrong);
  if (wrong.empty())
    found = static_cast<std::size_t>(std::ranges::find(words, text) - words.begin());
  return wrong;
}

const std::vector<std::string>& decimal_words() {
  static const std::vector<std::string> words = {"auto", "point", "comma"};
  return words;
}

const std::vector<std::string>& duplicate_words() {
  static const std::vector<std::string> words = {"error", "last", "replicate"};
  return words;
}

const std::vector<std::string>& weight_words() {
  static const std::vector<std::string> words = {"sampling", "frequency"};
  return words;
}

// Built-in lists and files; "auto" for the recognised language, "none" for no list.
std::string set_stop_words(ReadOptions& o, std::string_view text) {
  VocabularyOptions& words = o.words;
  if (text == "auto") {
    words.recognise_language = true;
    return "";
  }
  // Any list replaces the recognised language, unless a later "auto" asks for it.
  if (words.stop_words.empty()) words.recognise_language = false;
  if (text != "none") words.stop_words.emplace_back(text);
  return "";
}

std::string get_stop_words(const ReadOptions& o) {
  std::vector<std::string> lines = o.words.stop_words;
  if (!o.words.recognise_language && lines.empty()) return "none";
  if (o.words.recognise_language && !lines.empty()) lines.emplace_back("auto");
  return in_lines(lines);
}

template <auto Member>
std::string set_text(ReadOptions& o, std::string_view text) {
  o.*Member = std::string(text);
  return "";
}

template <auto Member>
std::string get_text(const ReadOptions& o) {
  return o.*Member;
}

template <auto Member>
std::string set_flag(ReadOptions& o, std::string_view text) {
  std::string wrong;
  const Value value = read_value(yes_or_no(), text, wrong);
  if (wrong.empty()) o.*Member = std::get<bool>(value);
  return wrong;
}

template <auto Member>
std::string get_flag(const ReadOptions& o) {
  return o.*Member ? "true" : "false";
}

template <auto Member>
std::string add_names(ReadOptions& o, std::string_view text) {
  for (std::string& name : core::comma_list(text)) (o.*Member).push_back(std::move(name));
  return "";
}

template <auto Member>
std::string get_names(const ReadOptions& o) {
  return in_lines([&] {
    std::vector<std::string> lines;
    for (const std::string& name : o.*Member) lines.push_back(list_entry(name));
    return lines;
  }());
}

std::string add_na(ReadOptions& o, std::string_view text) {
  o.na.emplace_back(text);
  return "";
}

std::string get_na(const ReadOptions& o) {
  return in_lines(o.na);
}

// A member of ReadOptions::words, read by a range.
template <auto Member, Range (*MakeRange)()>
std::string set_of_words(ReadOptions& o, std::string_view text) {
  std::string wrong;
  const Value value = read_value(MakeRange(), text, wrong);
  if (wrong.empty()) from_value(value, o.words.*Member);
  return wrong;
}

template <auto Member>
std::string get_of_words(const ReadOptions& o) {
  return text_of(to_value(o.words.*Member));
}

// "4G", "1.5T", "500MB", "2GiB" or bytes, in powers of 1024; nothing if the text is not a size.
std::optional<std::size_t> memory_size(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  constexpr std::string_view kUnits = "KMGT";
  if (!text.empty()) {
    const std::size_t unit =
        kUnits.find(text.front() >= 'a' ? static_cast<char>(text.front() - 32) : text.front());
    if (unit != std::string_view::npos) {
      number = std::ldexp(number, 10 * (static_cast<int>(unit) + 1));
      text.remove_prefix(1);
    }
    if (text != "" && text != "B" && text != "iB") return std::nullopt;
  }
  constexpr double kLeast = 1 << 20, kMost = 1e18;
  if (!(number >= kLeast && number <= kMost)) return std::nullopt;
  return integer_of<std::size_t>(number);
}

std::string set_memory(ReadOptions& o, std::string_view given) {
  const std::optional<std::size_t> size = memory_size(given);
  if (!size)
    return core::quoted(given) +
           " is no amount of memory of a megabyte or more, such as 4G or 500M";
  o.memory_limit = *size;
  return "";
}

std::string get_memory(const ReadOptions& o) {
  return o.memory_limit > 0 ? std::to_string(o.memory_limit) : std::string();
}

Range from_one() {
  return whole_from(1);
}

Range share_above_zero() {
  return above_to(0, 1);
}

using R = ReadOptions;
using W = VocabularyOptions;

// clang-format off
std::vector<ReadOption> make_read_table() {
  const Range text = any_text(), flag = yes_or_no(), whole = whole_from(1), share = above_to(0, 1);
  const auto field = [](const char* name, const char* group, const char* value, const Range& range, const char* fallback,
                        const char* help, bool repeatable = false) {
    return OptionField{.name = name, .group = group, .value = value, .type = repeatable ? range.type + "s" : range.type,
                       .default_text = fallback, .help = help, .range = range.text, .repeatable = repeatable};
  };
  const auto formed = [](const char* form) { return Range{"text", form, {}}; };
  return {
    {field("format", kData, "[NAME=]FORMAT", formed("FORMAT or NAME=FORMAT"), "auto",
           "auto, csv, tsv, jsonl, ldac, docword, mtx, svmlight, triplets, column (a value per line), text (a document per line), "
           "sav (SPSS), por, dta (Stata), sas7bdat, xpt or stream (of `convert()`)", true), set_format, get_format},
    {field("column", kData, "NAME=FAMILY", formed("NAME=FAMILY"), "",
           "read a column as bernoulli, categorical ..., or as text, tags or set;\n"
           "a date as year, month or weekday;\n"
           "FAMILY:shift=S subtracts S first", true), set_column, get_column},
    {field("tie", kData, "NAME=COLUMNS", formed("NAME=COLUMN,COLUMN or '*_1,*_2'"), "",
           "columns that are repeated observations of one feature: INRA63=INRA63_1,INRA63_2;\n"
           "'*_1,*_2' ties all columns with such names; the * part names the feature", true), set_tie, get_tie},
    {field("id", kData, "COLUMN", text, "", "names the rows; joins several files"), set_text<&R::id>, get_text<&R::id>},
    {field("label", kData, "COLUMN", text, "", "a class that is set aside, not a feature"), set_text<&R::label>, get_text<&R::label>},
    {field("weight", kData, "COLUMN", text, "", "weight of each row"), set_text<&R::weight>, get_text<&R::weight>},
    {field("weights", kData, "KIND", words_of(weight_words()), "sampling", "sampling or frequency (counts)"),
     [](ReadOptions& o, std::string_view given) {
       std::size_t at = 0;
       std::string wrong = one_word(given, weight_words(), at);
       if (wrong.empty()) o.frequency_weights = at == 1;
       return wrong;
     },
     [](const ReadOptions& o) { return weight_words()[o.frequency_weights ? 1 : 0]; }},
    {field("block_weight", kData, "NAME=W", formed("NAME=W, W a number above 0"), "",
           "count every cell of a block W times; scores are then marked tempered", true), set_block_weight, get_block_weight},
    {field("standardise", kData, "", flag, "false",
           "show columns of numbers in standard deviations from the population mean; fits and scores do not change"),
     set_flag<&R::standardise>, get_flag<&R::standardise>},
    {field("ignore", kData, "COLUMN", text, "", "leave out columns: a,b,c; quote a name with a comma: '\"a, b\",c'", true),
     add_names<&R::ignore>, get_names<&R::ignore>},
    {field("keep", kData, "COLUMN", text, "", "read these columns but do not use them as features", true),
     add_names<&R::keep>, get_names<&R::keep>},
    {field("na", kData, "TEXT", text, "", "another text that means a missing value", true), add_na, get_na},
    {field("decimal", kData, "MARK", words_of(decimal_words()), "auto",
           "comma (5,3 and 5.739,46), point (5.3 and 5,739.46) or auto (from the delimiter and the cells)"),
     [](ReadOptions& o, std::string_view given) {
       std::size_t at = 0;
       std::string wrong = one_word(given, decimal_words(), at);
       if (wrong.empty()) o.decimal = static_cast<Decimal>(at);
       return wrong;
     },
     [](const ReadOptions& o) { return decimal_words()[static_cast<std::size_t>(o.decimal)]; }},
    {field("encoding", kData, "NAME", text, "auto", "encoding of text that is not UTF-8: latin-1, cp1252, utf-16 ...; auto recognises it and says so"),
     set_text<&R::encoding>, get_text<&R::encoding>},
    {field("missing", kData, "category", words_of({"category"}), "", "treat a missing cell as an answer of its own"),
     [](ReadOptions& o, std::string_view given) {
       std::size_t at = 0;
       std::string wrong = one_word(given, {"category"}, at);
       if (wrong.empty()) o.missing_as_category = true;
       return wrong;
     },
     [](const ReadOptions& o) { return std::string(o.missing_as_category ? "category" : ""); }},
    {field("duplicates", kData, "WHAT", words_of(duplicate_words()), "error", "repeated triplets: error, last (keep the last) or replicate (keep all)"),
     [](ReadOptions& o, std::string_view given) {
       std::size_t at = 0;
       std::string wrong = one_word(given, duplicate_words(), at);
       if (wrong.empty()) o.duplicates = static_cast<Duplicates>(at);
       return wrong;
     },
     [](const ReadOptions& o) { return duplicate_words()[static_cast<std::size_t>(o.duplicates)]; }},
    {field("pool_levels", kData, "", flag, "false", "triplets: one list of levels for all items, even if they do not share a scale"),
     set_flag<&R::pool_levels>, get_flag<&R::pool_levels>},
    {field("memory", kData, "SIZE", formed("SIZE"), "nine tenths of the free memory",
           "rough memory limit for reading: 4G, 500M; one line may take a sixteenth"), set_memory, get_memory},
    {field("vocab", kData, "[NAME=]FILE", text, "", "the words, one per line", true), set_vocab, get_vocab},

    {field("split", kText, "TEXT", text, ";", "separator of tags or options in a cell"), set_text<&R::split>, get_text<&R::split>},
    {field("keep_case", kText, "", flag, "false", "keep The and the as different words"),
     [](ReadOptions& o, std::string_view given) {
       std::string wrong;
       const Value value = read_value(yes_or_no(), given, wrong);
       if (wrong.empty()) o.words.rules.fold_case = !std::get<bool>(value);
       return wrong;
     },
     [](const ReadOptions& o) { return std::string(o.words.rules.fold_case ? "false" : "true"); }},
    {field("stem", kText, "LANGUAGE", text, "", "reduce words to their stems: english, german, french ..."),
     [](ReadOptions& o, std::string_view given) {
       o.words.rules.stem = std::string(given);
       return std::string();
     },
     [](const ReadOptions& o) { return o.words.rules.stem; }},
    {field("stop_words", kText, "LANGUAGE|FILE", text, "auto",
           "leave out words: english, french, german, spanish, a file with a word per line, auto (the recognised language) or none",
           true), set_stop_words, get_stop_words},
    {field("min_count", kText, "N", whole, "2", "leave out words and tags in fewer than N rows"),
     set_of_words<&W::min_count, from_one>, get_of_words<&W::min_count>},
    {field("max_share", kText, "P", share, "0.5 for text, 1 for tags", "... in more than this share of the rows"),
     set_of_words<&W::max_share, share_above_zero>, get_of_words<&W::max_share>},
    {field("vocabulary", kText, "N", whole, "all", "keep only the N words or tags in the most rows"),
     set_of_words<&W::most_words, from_one>,
     [](const ReadOptions& o) { return o.words.most_words > 0 ? std::to_string(o.words.most_words) : std::string(); }},
  };
}
// clang-format on

}  // namespace

const std::vector<ReadOption>& read_option_table() {
  static const std::vector<ReadOption> table = make_read_table();
  return table;
}

}  // namespace medley::model
