// SPDX-License-Identifier: Apache-2.0
#include "data/load.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/bind_schema.hpp"
#include "data/column_facts.hpp"
#include "data/dates.hpp"
#include "data/encode.hpp"
#include "data/formats/coordinates.hpp"
#include "data/formats/csv.hpp"
#include "data/formats/documents.hpp"
#include "data/formats/jsonl.hpp"
#include "data/formats/ldac.hpp"
#include "data/formats/statistical.hpp"
#include "data/formats/svmlight.hpp"
#include "data/formats/triplets.hpp"
#include "data/infer.hpp"
#include "data/memory.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"
#include "data/open.hpp"
#include "data/source_columns.hpp"
#include "data/stream_file.hpp"
#include "data/tie.hpp"
#include "data/vocabulary_files.hpp"

namespace medley::data {
namespace {

// The sources with their names settled: one may be unnamed, and no two may share a name.
std::vector<Source> named(std::vector<Source> sources) {
  if (sources.empty())
    throw InputError({"", "no file is given", "name a file, or - for standard input"});
  core::Problems problems;
  std::unordered_set<std::string> names;
  std::size_t from_input = 0;
  for (Source& source : sources) {
    if (source.name.empty() && sources.size() > 1) {
      problems.add(source.path, "one of several sources, but it has no name",
                   "give each as NAME=FILE");
      continue;
    }
    if (source.name.empty()) source.name = "data";
    if (!names.insert(source.name).second) {
      problems.add(source.path, "the name " + core::quoted(source.name) + " is taken",
                   "give each source a name of its own");
    }
    if (source.path == "-" && ++from_input == 2) {
      problems.add(source.name, "standard input can be read only once", "name a file");
    }
  }
  problems.throw_if_any();
  return sources;
}

// Options that name sources must name some that are there.
void check_source_names(const std::vector<Source>& sources, const ReadOptions& options) {
  std::vector<std::string> names;
  for (const Source& source : sources) names.push_back(source.name);
  core::Problems problems;
  const auto check = [&](const std::string& option, const std::string& name) {
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    problems.add(option, "there is no source " + core::quoted(name),
                 "the sources are: " + listed(names));
  };
  for (const auto& [name, file] : options.vocabulary)
    check(core::setting("vocab", name + '=' + file), name);
  for (const auto& entry : options.format_of) check("`format`", entry.first);
  problems.throw_if_any();
}

// The part of a given schema that a source will play, as far as names tell.
const SourceSpec* part_of(const std::string& name, std::size_t given, const ReadOptions& options) {
  if (!options.schema) return nullptr;
  const std::vector<SourceSpec>& parts = options.schema->sources;
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const SourceSpec& part) { return part.name == name; });
  if (found != parts.end()) return &*found;
  if (given != 1 || std::count_if(parts.begin(), parts.end(), has_features) != 1) return nullptr;
  return &*std::find_if(parts.begin(), parts.end(), has_features);
}

RawCounts read_counts(core::ByteSource& bytes, Format format, const CountsOptions& options) {
  switch (format) {
    case Format::docword:
      return read_docword(bytes, options);
    case Format::mtx:
      return read_matrix_market(bytes, options);
    case Format::svmlight:
      return read_svmlight(bytes, options);
    default:
      return read_ldac(bytes, options);
  }
}

class Loader {
 public:
  explicit Loader(const ReadOptions& options) : options_(options), missing_(all_missing(options)) {}

  void read(const std::vector<Source>& sources) {
    const std::vector<Source> settled = named(sources);
    check_source_names(settled, options_);
    for (const Source& source : settled) {
      const SourceSpec* part = part_of(source.name, settled.size(), options_);
      add(read_raw(source, part), part);
    }
  }

  void take(std::vector<MemorySource> sources) {
    check_memory(sources, options_);
    const IsMissing is_missing = [this](std::string_view cell) {
      return missing_.contains(std::string(cell));
    };
    for (MemorySource& source : sources) {
      if (source.name.empty()) source.name = "data";
      const SourceSpec* part = part_of(source.name, sources.size(), options_);
      const auto* counts = std::get_if<MemoryCounts>(&source.content);
      const bool numbered = counts != nullptr && counts->vocabulary.empty();
      RawSource raw = raw_of_memory(std::move(source), is_missing, warnings_);
      if (numbered && part != nullptr && part->kind == SourceKind::tokens)
        name_words_by_schema(std::get<RawCounts>(raw.content), part->columns.front().levels);
      settle_marks(raw, missing_, options_.decimal);
      add(std::move(raw), part);
    }
  }

  void take(std::vector<RawSource> sources) {
    for (RawSource& raw : sources) {
      settle_marks(raw, missing_, options_.decimal);
      add(std::move(raw), nullptr);
    }
  }

  // To be called once all sources are there.
  Loader& complete() {
    tie_columns(raw_, options_);
    take_date_parts(raw_, options_);
    return *this;
  }

  Dataset dataset(const FamilyCatalogue& catalogue) {
    std::vector<std::string> warnings = std::move(warnings_), notes;
    Schema schema;
    if (options_.schema) {
      check_options_against(*options_.schema, options_);
      schema = *options_.schema;
    } else {
      Inferred inferred = infer(raw_, options_, catalogue);
      schema = std::move(inferred.schema);
      warnings.insert(warnings.end(), inferred.warnings.begin(), inferred.warnings.end());
      notes = std::move(inferred.notes);
    }
    Dataset data = encode(raw_, schema, options_, catalogue);
    data.warnings.insert(data.warnings.begin(), warnings.begin(), warnings.end());
    data.notes = std::move(notes);
    return data;
  }

  Schema schema(const FamilyCatalogue& catalogue) const {
    if (!options_.schema) return infer(raw_, options_, catalogue).schema;
    check_options_against(*options_.schema, options_);
    return bind_schema(*options_.schema, catalogue);
  }

 private:
  void add(RawSource raw, const SourceSpec* part) {
    raw_.push_back(std::move(raw));
    if (part != nullptr) tie_columns(raw_.back(), *part);
  }

  static std::vector<std::string> all_missing(const ReadOptions& options) {
    std::vector<std::string> all = options.na;
    if (options.schema) all.insert(all.end(), options.schema->na.begin(), options.schema->na.end());
    return all;
  }

  RawSource read_raw(const Source& source, const SourceSpec* part) {
    const std::optional<SourceKind> kind =
        part != nullptr ? std::optional(part->kind) : std::nullopt;
    RawSource raw;
    raw.name = source.name;
    if (reads_documents(source, options_)) {
      raw.path = source.path;
      raw.content = read_documents(source.path, {options_.memory_limit, &warnings_});
      return raw;
    }
    OpenSource opened = open_source(source, options_, kind);
    raw.path = opened.bytes->name();
    const IsMissing is_missing = [this](std::string_view cell) {
      return missing_.contains(std::string(cell));
    };
    const std::size_t limit = options_.memory_limit;
    if (opened.format == Format::stream) {
      throw InputError(
          {raw.path, "cannot be read as a stream file: it is another file, compressed, or a pipe",
           "give the name of a file that `convert()` wrote, as it wrote it"});
    }
    if (opened.format == Format::triplets) {
      raw.content = read_triplets(*opened.bytes, {std::nullopt, is_missing, limit, &warnings_});
    } else if (opened.format == Format::column || opened.format == Format::text) {
      RawTable lines = read_column(*opened.bytes, {source.name, is_missing, limit});
      if (opened.format == Format::text) lines.columns.front().cells = CellText::text;
      raw.content = std::move(lines);
      raw.one_value_per_line = true;
    } else if (opened.format == Format::jsonl) {
      raw.content = read_jsonl(*opened.bytes, {is_missing, limit});
    } else if (opened.format == Format::csv || opened.format == Format::tsv) {
      const std::optional<char> delimiter =
          opened.format == Format::tsv ? std::optional('\t') : std::nullopt;
      raw.content = read_csv(*opened.bytes, {delimiter, is_missing, limit});
    } else if (is_statistical(opened.format)) {
      raw.content = read_statistical(source.path, statistical(opened.format, is_missing));
    } else {
      raw.content = read_words(opened, source, part);
    }
    if (opened.text != nullptr) raw.encoding = opened.text->found();
    if (!raw.encoding.empty()) {
      const bool marked = raw.encoding == "UTF-16";
      warnings_.push_back(raw.path + " is read as " + raw.encoding +
                          (marked ? "" : ": it is not UTF-8; `encoding` says otherwise"));
    }
    if (!is_statistical(opened.format)) settle_marks(raw, missing_, options_.decimal);
    return raw;
  }

  // A schema has settled which column holds the weights, if any.
  StatisticalOptions statistical(Format format, const IsMissing& is_missing) {
    return {format,
            is_missing,
            options_.memory_limit,
            0,
            options_.schema ? nullptr : &warnings_,
            options_.weight};
  }

  RawCounts read_words(OpenSource& opened, const Source& source, const SourceSpec* part) const {
    const std::optional<Vocabulary> words = find_vocabulary(source, opened.format, options_);
    const CountsOptions options{words ? &*words : nullptr, options_.memory_limit};
    RawCounts counts = read_counts(*opened.bytes, opened.format, options);
    if (!words && part != nullptr && part->kind == SourceKind::tokens) {
      name_words_by_schema(counts, part->columns.front().levels);
    }
    return counts;
  }

  const ReadOptions& options_;
  MissingStrings missing_;
  std::vector<std::string> warnings_;
  std::vector<RawSource> raw_;
};

}  // namespace

Dataset load(const std::vector<Source>& sources, const ReadOptions& options,
             const FamilyCatalogue& catalogue) {
  for (const Source& source : sources) {
    if (!is_stream(source.path)) continue;
    if (sources.size() == 1) return load_stream(source.path, options, catalogue);
    throw InputError({source.path, "is a stream file, which holds all there is about its rows",
                      "give it alone; to join it with others, convert them together"});
  }
  Loader loader(options);
  loader.read(sources);
  return loader.complete().dataset(catalogue);
}

Schema load_schema(const std::vector<Source>& sources, const ReadOptions& options,
                   const FamilyCatalogue& catalogue) {
  if (sources.size() == 1 && is_stream(sources.front().path))
    return open_stream(sources.front().path, catalogue)->shape().schema;
  Loader loader(options);
  loader.read(sources);
  return loader.complete().schema(catalogue);
}

Dataset load(std::vector<MemorySource> sources, const ReadOptions& options,
             const FamilyCatalogue& catalogue) {
  Loader loader(options);
  loader.take(std::move(sources));
  return loader.complete().dataset(catalogue);
}

Schema schema_of_raw(std::vector<RawSource> sources, const ReadOptions& options,
                     const FamilyCatalogue& catalogue) {
  Loader loader(options);
  loader.take(std::move(sources));
  return loader.complete().schema(catalogue);
}

Schema load_schema(std::vector<MemorySource> sources, const ReadOptions& options,
                   const FamilyCatalogue& catalogue) {
  Loader loader(options);
  loader.take(std::move(sources));
  return loader.complete().schema(catalogue);
}

}  // namespace medley::data
