// SPDX-License-Identifier: Apache-2.0
#include "data_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "arguments.hpp"
#include "checks.hpp"
#include "flags.hpp"
#include "medley/catalogue.hpp"
#include "medley/error.hpp"
#include "medley/option_table.hpp"
#include "short_text.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kDataGroup = "Data";

/// "NAME=VALUE" at the first '='; a name that holds one goes in quotes: "a=b"=VALUE.
std::pair<std::string, std::string> pair_of(const std::string& text) {
  std::string_view rest = text;
  const std::optional<std::string> name = take_quoted(rest);
  if (name && rest.starts_with('=')) return {*name, std::string(rest.substr(1))};
  const std::size_t at = text.find('=');
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::string is_pair(const std::string& text) {
  const auto [name, value] = pair_of(text);
  if (!name.empty() && !value.empty()) return "";
  return fmt::format("\"{}\" is not of the form NAME=FAMILY", text);
}

/// NAME=COLUMN,COLUMN; '*_1,*_2' is short for '*=*_1,*_2'.
Tie tie_of(const std::string& text) {
  const auto [name, columns] = pair_of(text);
  if (columns.empty()) return {"*", comma_list(text)};
  return {name, comma_list(columns)};
}

std::string is_tie(const std::string& text) {
  const Tie tie = tie_of(text);
  const auto stars = [](const std::string& name) { return std::ranges::count(name, '*'); };
  const auto wanted = stars(tie.name);
  if (!tie.name.empty() && tie.columns.size() > 1 && wanted <= 1 &&
      std::ranges::all_of(tie.columns,
                          [&](const std::string& c) { return !c.empty() && stars(c) == wanted; }))
    return "";
  return fmt::format("\"{}\" is not of the form NAME=COLUMN,COLUMN or '*_1,*_2'", text);
}

std::string is_memory_size(const std::string& text) {
  ReadOptions unused;
  return set_from_flag(unused, "memory", text);
}

/// FORMAT, or NAME=FORMAT for one of several sources.
std::string is_format(const std::string& text) {
  ReadOptions unused;
  return set_from_flag(unused, "format", text);
}

/// "NAME=W" at the last '=': a weight holds none.
std::pair<std::string, double> block_weight_of(const std::string& text) {
  const std::size_t at = text.rfind('=');
  double weight = 0;
  std::from_chars(text.data() + at + 1, text.data() + text.size(), weight);
  return {text.substr(0, at), weight};
}

std::string is_block_weight(const std::string& text) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0)
    return fmt::format("\"{}\" is not of the form NAME=W", text);
  return number_above_zero()(text.substr(at + 1));
}

Schema load_schema(const std::string& path) {
  const std::optional<std::string> text = short_text(path);
  if (!text)
    throw InputError(
        {path, "there is no such schema file", "medley schema DATA -o FILE writes one"});
  return schema_from_toml(*text, path);
}

}  // namespace

void add_threads_option(Command& command, std::size_t& threads) {
  command.add_option("--threads", threads, "default: all cores that it may use")
      .type_name("T")
      .check(whole_number(1));
}

void add_data_options(Command& command, DataOptions& o) {
  command
      .add_option("DATA", o.data,
                  "FILE, or several NAME=FILE about the same rows; - is standard input;\n"
                  "a folder, a 'PATTERN' or a zip archive of .txt files: a document each")
      .required();
  const auto text = [&](const char* name, std::string& to, const char* kind, const char* help) {
    return command.add_option(name, to, help).type_name(kind).group(kDataGroup);
  };
  const auto list = [&](const char* name, std::vector<std::string>& to, const char* kind,
                        const char* help) {
    return command.add_option(name, to, help)
        .type_name(kind)
        .group(kDataGroup)
        .allow_extra_args(false);
  };
  list("--format", o.format, "[NAME=]FORMAT",
       "auto, csv, tsv, jsonl, ldac, docword, mtx, svmlight, triplets, column (a value per line), "
       "text (a document per line), sav (SPSS), por, dta (Stata), sas7bdat, xpt or stream (of "
       "`medley convert`)")
      .check(is_format);
  text("--schema", o.schema, "FILE",
       "what the columns are; `medley schema DATA` writes one to edit");
  list("--column", o.column, "NAME=FAMILY",
       "take a column for bernoulli, categorical ..., or for text, tags or set;\n"
       "dates by their year, month or weekday;\n"
       "FAMILY:shift=S subtracts S first (repeatable)")
      .check(is_pair);
  list("--tie", o.tie, "NAME=COLUMNS",
       "columns that are repeated observations of one feature: INRA63=INRA63_1,INRA63_2;\n"
       "'*_1,*_2' ties all columns named so, to what the * stands for (repeatable)")
      .check(is_tie);
  text("--id", o.id, "COLUMN", "names the rows; joins several files");
  text("--label", o.label, "COLUMN", "a class that is set aside, not a feature");
  text("--weight", o.weight, "COLUMN", "weight of each row");
  text("--weights", o.weights, "KIND", "sampling (default) or frequency (counts)")
      .check(one_of({"sampling", "frequency"}));
  list("--block-weight", o.block_weight, "NAME=W",
       "count every cell of a block W times; scores are then tempered (repeatable)")
      .check(is_block_weight);
  command
      .add_flag("--standardise", o.standardise,
                "show columns of numbers in standard deviations from the population mean; fits and "
                "scores are the same without")
      .group(kDataGroup);
  list("--ignore", o.ignore, "COLUMN",
       "leave out columns: a,b,c; one with a comma in quotes: '\"a, b\",c' (repeatable)");
  list("--na", o.na, "TEXT", "one more way to write a missing value (repeatable)");
  text("--decimal", o.decimal, "MARK",
       "comma (5,3 and 5.739,46), point (5.3 and 5,739.46) or auto (default):\n"
       "what the delimiter and the cells say")
      .check(one_of({"auto", "comma", "point"}));
  text("--encoding", o.encoding, "NAME",
       "of text that is not UTF-8: latin-1, cp1252, utf-16 ...; default auto: found out, and said");
  text("--missing", o.missing, "category", "a missing cell is an answer of its own")
      .check(one_of({"category"}));
  text("--duplicates", o.duplicates, "WHAT",
       "a repeated triplet is an error (default), last or replicate")
      .check(one_of({"error", "last", "replicate"}));
  command
      .add_flag("--pool-levels", o.pool_levels,
                "triplets: one list of levels for all items, also where they share no scale")
      .group(kDataGroup);
  text("--memory", o.memory, "SIZE",
       "that reading may take: 4G, 500M; default nine tenths of what is free")
      .check(is_memory_size);
  list("--vocab", o.vocabulary, "[NAME=]FILE", "the words, one per line (repeatable)");
  add_text_options(command, o.text);
}

std::vector<Source> sources(const DataOptions& options) {
  std::vector<Source> out;
  for (const std::string& argument : options.data) out.push_back(parse_source(argument));
  return out;
}

ReadOptions read_options(const DataOptions& o) {
  if (!o.weights.empty() && o.weight.empty()) {
    throw InputError(
        {"--weights", "says what kind of weights, but no column is named", "add --weight COLUMN"});
  }
  ReadOptions out;
  for (const std::string& format : o.format) set_option(out, "format", format);
  if (!o.schema.empty()) out.schema = load_schema(o.schema);
  for (const std::string& entry : o.column)
    out.family.insert_or_assign(pair_of(entry).first, pair_of(entry).second);
  out.id = o.id;
  out.label = o.label;
  out.weight = o.weight;
  for (const std::string& entry : o.ignore) {
    for (std::string& name : comma_list(entry)) out.ignore.push_back(std::move(name));
  }
  out.na = o.na;
  out.encoding = o.encoding;
  if (o.decimal == "comma") out.decimal = Decimal::comma;
  if (o.decimal == "point") out.decimal = Decimal::point;
  out.missing_as_category = o.missing == "category";
  out.frequency_weights = o.weights == "frequency";
  out.standardise = o.standardise;
  for (const std::string& entry : o.block_weight) {
    const auto [name, weight] = block_weight_of(entry);
    out.block_weight.insert_or_assign(name, weight);
  }
  if (o.duplicates == "last") out.duplicates = Duplicates::last;
  if (o.duplicates == "replicate") out.duplicates = Duplicates::replicate;
  out.pool_levels = o.pool_levels;
  for (const std::string& entry : o.tie) out.ties.push_back(tie_of(entry));
  for (const std::string& entry : o.vocabulary) {
    const Source list = parse_source(entry);
    out.vocabulary.insert_or_assign(list.name, list.path);
  }
  read_text_options(o.text, out);
  if (!o.memory.empty()) set_option(out, "memory", o.memory);
  return out;
}

ReadOptions read_options(const DataOptions& options, const FitOptions& fit) {
  ReadOptions out = read_options(options);
  const auto& all = presets();
  const auto preset =
      std::find_if(all.begin(), all.end(), [&](const Preset& p) { return p.name == fit.model; });
  if (preset != all.end() && preset->missing_as_category) out.missing_as_category = true;
  return out;
}

ReadOptions read_options(const DataOptions& options, const Model& model) {
  ReadOptions out = read_options(options);
  if (!options.schema.empty())
    print_note("note: the model's own schema is used; --schema is ignored");
  std::vector<Problem> problems;
  for (const auto& [name, family] : out.family) {
    const ColumnSpec* column = model.schema().find(name);
    if (column != nullptr && column->role == Role::feature && taken_for(*column) != family) {
      problems.push_back(
          {"--column " + name,
           fmt::format("the model was fitted with {} as {}", name, taken_for(*column)),
           "leave the option out: a model knows its columns"});
    }
  }
  for (const auto& [name, weight] : out.block_weight) {
    const auto fitted = model.schema().block_weight.find(name);
    if (fitted != model.schema().block_weight.end() && fitted->second == weight) continue;
    problems.push_back({"--block-weight " + name, "the model was fitted with other block weights",
                        "leave the option out: a model knows its blocks"});
  }
  const auto has_ties = [](const SourceSpec& source) {
    return std::ranges::any_of(source.columns, [](const ColumnSpec& c) { return !c.tied.empty(); });
  };
  if (!out.ties.empty() && std::ranges::none_of(model.schema().sources, has_ties))
    problems.push_back({"--tie", "the model was fitted without tied columns",
                        "leave the option out, or fit with it"});
  if (!problems.empty()) throw InputError(std::move(problems));
  out.ties.clear();
  out.family.clear();
  out.block_weight.clear();
  out.schema = model.schema();
  return out;
}

std::vector<std::string> files_read(const DataOptions& options) {
  std::vector<std::string> out;
  for (const Source& source : sources(options)) out.push_back(source.path);
  if (!options.schema.empty()) out.push_back(options.schema);
  for (const std::string& entry : options.vocabulary) out.push_back(parse_source(entry).path);
  for (const std::string& list : options.text.stop_words) out.push_back(list);
  return out;
}

}  // namespace medley::cli
