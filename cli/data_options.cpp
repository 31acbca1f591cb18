// SPDX-License-Identifier: Apache-2.0
#include "data_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "checks.hpp"
#include "flags.hpp"
#include "medley/error.hpp"
#include "medley/options.hpp"
#include "short_text.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

/// Options of reading that a program has no use for.
constexpr std::string_view kNotHere = "keep";

std::string check_value(const std::string& name, const std::string& text) {
  ReadOptions unused;
  return set_from_flag(unused, name, text);
}

void add_field(Command& command, DataOptions& o, const OptionField& field) {
  const std::string flag = flag_of(field.name), help = help_of(field);
  std::vector<std::string>& given = o.given[field.name];
  if (field.type == "yes/no") {
    command.add_flag_function(flag, [&given] { given = {"true"}; }, help).group(field.group);
    return;
  }
  const auto check = [name = field.name](const std::string& text) {
    return check_value(name, text);
  };
  if (field.repeatable) {
    command.add_option(flag, given, help)
        .type_name(field.value)
        .group(field.group)
        .allow_extra_args(false)
        .check(check);
    return;
  }
  const auto set = [&given, check](const std::string& text) {
    given = {text};
    return check(text);
  };
  command.add_option_function(flag, set, help).type_name(field.value).group(field.group);
}

/// What `--column NAME=` would have to say for the column to be taken as it was.
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

Schema load_schema(const std::string& path) {
  const std::optional<std::string> text = short_text(path);
  if (!text)
    throw InputError(
        {path, "there is no such schema file", "medley schema DATA -o FILE writes one"});
  return schema_from_toml(*text, path);
}

}  // namespace

void add_threads_option(Command& command, std::size_t& threads) {
  command.add_option("--threads", threads, "default: all available cores")
      .type_name("T")
      .check(whole_number(1));
}

void add_data_options(Command& command, DataOptions& o) {
  command
      .add_option("DATA", o.data,
                  "FILE, or several NAME=FILE about the same rows; - is standard input;\n"
                  "a folder, a 'PATTERN' or a zip archive of .txt files, one document per file")
      .required();
  for (const OptionField& field : read_option_fields()) {
    if (field.name == kNotHere) continue;
    add_field(command, o, field);
    if (field.name != "format") continue;
    command
        .add_option("--schema", o.schema,
                    "how to read the columns; `medley schema DATA` writes one to edit")
        .type_name("FILE")
        .group(field.group);
  }
}

std::vector<Source> sources(const DataOptions& options) {
  std::vector<Source> out;
  for (const std::string& argument : options.data) out.push_back(parse_source(argument));
  return out;
}

ReadOptions read_options(const DataOptions& o) {
  if (!o.given.at("weights").empty() && o.given.at("weight").empty()) {
    throw InputError(
        {"--weights", "says what kind of weights, but no column is named", "add --weight COLUMN"});
  }
  ReadOptions out;
  if (!o.schema.empty()) out.schema = load_schema(o.schema);
  for (const auto& [name, texts] : o.given) {
    for (const std::string& text : texts) set_option(out, name, text);
  }
  // A list takes the place of the recognised language, unless both were asked for, in any order.
  if (std::ranges::count(o.given.at("stop_words"), "auto") > 0)
    set_option(out, "stop_words", "auto");
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
  for (const std::string& entry : options.given.at("vocab"))
    out.push_back(parse_source(entry).path);
  for (const std::string& list : options.given.at("stop_words")) out.push_back(list);
  return out;
}

}  // namespace medley::cli
