// SPDX-License-Identifier: Apache-2.0
#include "data/stream_counts.hpp"

#include <utility>

#include "data/formats/docword.hpp"
#include "data/formats/ldac.hpp"
#include "data/infer.hpp"
#include "data/open.hpp"
#include "data/remap.hpp"
#include "data/stream_sink.hpp"
#include "data/words.hpp"

namespace medley::data {
namespace {

bool plain(const std::vector<Source>& sources, const ReadOptions& options) {
  return sources.size() == 1 && sources.front().path != "-" && !options.schema &&
         options.family.empty() && options.id.empty() && options.label.empty() &&
         options.weight.empty() && options.ignore.empty() && options.keep.empty() &&
         options.block_weight.empty() && !options.missing_as_category;
}

// Rows of counts as a data set of one block, as far as the writer looks at it.
Dataset as_rows(RawCounts& counts) {
  Dataset rows;
  rows.rows = counts.row_start.size() - 1;
  Block& block = rows.blocks.emplace_back();
  block.encoding = Encoding::tokens;
  block.row_start = std::exchange(counts.row_start, {0});
  block.slot = std::exchange(counts.word, {});
  block.weight = std::exchange(counts.count, {});
  counts.line.clear();
  return rows;
}

RawCounts first_rows(const RawCounts& counts) {
  RawCounts some = counts;
  some.vocabulary.clear();
  return some;
}

}  // namespace

std::optional<StreamedData> stream_counts(const std::vector<Source>& sources,
                                          const ReadOptions& options,
                                          const FamilyCatalogue& catalogue,
                                          const std::string& path) {
  if (!plain(sources, options)) return std::nullopt;
  Source source = sources.front();
  if (source.name.empty()) source.name = "data";
  OpenSource opened = open_source(source, options, std::nullopt);
  const bool ldac = opened.format == Format::ldac;
  if (!ldac && opened.format != Format::docword) return std::nullopt;
  const std::optional<Vocabulary> words = find_vocabulary(source, opened.format, options);
  StreamSink writer(path);
  std::optional<RawCounts> sample;  // what the columns are taken for shows in the first rows
  CountsOptions reading{words ? &*words : nullptr, 0};
  reading.drain = [&](RawCounts& counts) {
    if (!sample) sample = first_rows(counts);
    writer.append(as_rows(counts));
  };
  RawSource raw;
  raw.name = source.name;
  raw.path = opened.bytes->name();
  std::vector<std::string> vocabulary;
  try {
    RawCounts rest =
        ldac ? read_ldac(*opened.bytes, reading) : read_docword(*opened.bytes, reading);
    vocabulary = std::move(rest.vocabulary);
    if (rest.row_start.size() > 1) reading.drain(rest);
  } catch (const OutOfOrder&) {
    return std::nullopt;
  }
  const std::size_t slots = vocabulary.size();
  sample->vocabulary = std::move(vocabulary);
  raw.content = std::move(*sample);
  const Inferred inferred = infer({std::move(raw)}, options, catalogue);
  const Dataset shape = empty_data(inferred.schema, catalogue);
  if (shape.blocks.size() != 1 || shape.blocks.front().slots() != slots) return std::nullopt;
  writer.finish(shape.schema);
  return StreamedData{writer.rows(), writer.cells(), false, inferred.warnings};
}

}  // namespace medley::data
