// SPDX-License-Identifier: Apache-2.0
// Sparse counts become one block of one feature: a slot per word of the schema's vocabulary.
#include <algorithm>
#include <utility>

#include "core/task.hpp"

#include "data/bind.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/encode_source.hpp"
#include "data/unknown.hpp"
#include "data/wording.hpp"

namespace medley::data {
namespace {

// Writes the rows of a source; words the schema does not know are counted.
class CountsEncoder {
 public:
  CountsEncoder(const RawCounts& counts, const std::vector<std::string>& levels,
                BlockWriter& writer)
      : counts_(counts),
        slot_of_(translate_words(counts.vocabulary, levels)),
        unknown_(counts.vocabulary.size(), 0.0),
        writer_(writer) {}

  // The words of one row as (slot, count), ascending.
  void write(std::size_t row) {
    buffer_.clear();
    for (std::uint64_t i = counts_.row_start[row]; i < counts_.row_start[row + 1]; ++i) {
      const std::uint32_t slot = slot_of_[counts_.word[i]];
      if (slot == Cell::kNoLevel) {
        ++writer_.block().unseen;
        unknown_[counts_.word[i]] += static_cast<double>(counts_.count[i]);
      } else {
        buffer_.emplace_back(slot, counts_.count[i]);
      }
    }
    std::sort(buffer_.begin(), buffer_.end());
    for (const auto& [slot, count] : buffer_) writer_.add_count(slot, count);
  }

  [[nodiscard]] std::vector<std::pair<std::string, double>> unknown() const {
    std::vector<std::pair<std::string, double>> out;
    for (std::size_t word = 0; word < unknown_.size(); ++word) {
      if (unknown_[word] > 0) out.emplace_back(counts_.vocabulary[word], unknown_[word]);
    }
    return out;
  }

 private:
  const RawCounts& counts_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<double> unknown_;  // per word of the file: how often it was left out
  BlockWriter& writer_;
  std::vector<std::pair<std::uint32_t, float>> buffer_;
};

}  // namespace

Block encode_counts(const EncodeContext& context, const SourceSpec& spec, std::size_t given) {
  const auto words = std::find_if(spec.columns.begin(), spec.columns.end(), is_feature);
  BlockWriter writer(spec.name, *words, {{words->name, words->levels}});
  Block& block = writer.block();
  if (given == kNone) {
    block.row_start.assign(context.rows.rows + 1, 0);
    return std::move(block);
  }
  const auto& counts = std::get<RawCounts>(context.sources[given].content);
  CountsEncoder encoder(counts, words->levels, writer);
  block.slot.reserve(counts.word.size());
  block.weight.reserve(counts.word.size());
  for (std::size_t row = 0; row < context.rows.rows; ++row) {
    core::stop_if_asked();
    const std::size_t from = context.rows.of(given, row);
    if (from != kNone) encoder.write(from);
    writer.end_row();
  }
  add_unknown(block.name, encoder.unknown(), context.unknown);
  if (block.unseen > 0) {
    context.warnings.push_back(context.sources[given].path + ": " + counted(block.unseen, "cell") +
                               " with words the schema does not know, left out");
  }
  return std::move(block);
}

}  // namespace medley::data
