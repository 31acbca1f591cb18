// SPDX-License-Identifier: Apache-2.0
#include "written_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "arguments.hpp"
#include "flags.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "signals.hpp"

namespace medley::cli {

std::vector<Source> written_sources(const std::vector<std::string>& output) {
  std::vector<Source> files;
  for (const std::string& argument : output) files.push_back(parse_source(argument));
  if (files.empty())
    throw InputError({"-o", "the name of the file to write is missing", "for example -o data.csv"});
  return files;
}

bool is_stream_output(const std::vector<Source>& files) {
  return files.size() == 1 && files.front().name.empty() &&
         files.front().path.ends_with(kStreamEnding);
}

std::string schema_beside(const std::vector<Source>& files) {
  return files.front().path + ".schema.toml";
}

std::vector<Destination> destinations(const std::vector<Source>& files) {
  std::vector<Destination> out;
  for (const Source& file : files) out.push_back({"-o", file.path});
  if (!is_stream_output(files)) out.push_back({"the schema", schema_beside(files)});
  return out;
}

namespace {

/// Whatever the file that was read had, numbers are written with a decimal point.
Schema with_points(Schema schema) {
  for (SourceSpec& source : schema.sources) {
    const bool plain = source.marks == NumberMarks{} &&
                       std::ranges::all_of(source.columns, [](const ColumnSpec& c) {
                         return c.marks == NumberMarks{};
                       });
    if (plain) continue;
    source.marks = kPointOnly;
    for (ColumnSpec& column : source.columns) column.marks = kPointOnly;
  }
  return schema;
}

}  // namespace

std::string write_with_schema(const Dataset& data, const std::vector<Source>& files) {
  if (is_stream_output(files)) {
    write_stream(data, files.front().path, stop_hooks());
    return files.front().path;
  }
  std::vector<std::string> names = write_data(data, files, stop_hooks());
  names.push_back(schema_beside(files));
  write_text(names.back(), as_flags(to_toml(with_points(data.schema))));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string fit_command(const std::vector<Source>& files) {
  std::string text = "medley fit";
  for (const Source& file : files) {
    const std::string word = file.name.empty() ? file.path : file.name + '=' + file.path;
    text += ' ' + shell_quoted(word);
  }
  if (is_stream_output(files)) return text + " --batch 1000";
  return text + " --schema " + shell_quoted(schema_beside(files));
}

}  // namespace medley::cli
