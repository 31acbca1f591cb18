// SPDX-License-Identifier: Apache-2.0
// Sparse counts become one block of one feature: a slot per word of the schema's vocabulary.
#include <algorithm>
#include <utility>

#include "data/bind.hpp"
#include "data/cells.hpp"
#include "data/encode_source.hpp"
#include "data/wording.hpp"

namespace medley::data {
namespace {

// The words of one row as (slot, count), ascending; words the schema does not know are counted.
void write_row(const RawCounts& counts, std::size_t row, const std::vector<std::uint32_t>& slot_of,
               std::vector<std::pair<std::uint32_t, float>>& buffer, BlockWriter& writer) {
  buffer.clear();
  for (std::uint64_t i = counts.row_start[row]; i < counts.row_start[row + 1]; ++i) {
    const std::uint32_t slot = slot_of[counts.word[i]];
    if (slot == Cell::kNoLevel) {
      ++writer.block().unseen;
    } else {
      buffer.emplace_back(slot, counts.count[i]);
    }
  }
  std::sort(buffer.begin(), buffer.end());
  for (const auto& [slot, count] : buffer) writer.add_count(slot, count);
}

}  // namespace

Block encode_counts(const EncodeContext& context, const SourceSpec& spec, std::size_t given) {
  const auto words = std::find_if(spec.columns.begin(), spec.columns.end(),
                                  [](const ColumnSpec& c) { return c.role == Role::feature; });
  BlockWriter writer(spec.name, *words, {{words->name, words->levels}});
  Block& block = writer.block();
  if (given == kNone) {
    block.row_start.assign(context.rows.rows + 1, 0);
    return std::move(block);
  }
  const auto& counts = std::get<RawCounts>(context.sources[given].content);
  const std::vector<std::uint32_t> slot_of = translate_words(counts.vocabulary, words->levels);
  block.slot.reserve(counts.word.size());
  block.weight.reserve(counts.word.size());
  std::vector<std::pair<std::uint32_t, float>> buffer;
  for (std::size_t row = 0; row < context.rows.rows; ++row) {
    const std::size_t from = context.rows.of(given, row);
    if (from != kNone) write_row(counts, from, slot_of, buffer, writer);
    writer.end_row();
  }
  if (block.unseen > 0) {
    context.warnings.push_back(context.sources[given].path + ": " + counted(block.unseen, "cell") +
                               " with words the schema does not know, left out");
  }
  return std::move(block);
}

}  // namespace medley::data
