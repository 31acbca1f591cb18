// SPDX-License-Identifier: Apache-2.0
// Words, tags and sets become blocks: sparse counts a slot per word of the vocabulary, a column of
// words or tags likewise, a set a yes/no feature per option.
#include <algorithm>
#include <utility>

#include "core/task.hpp"
#include "core/text.hpp"
#include "data/bind_schema.hpp"
#include "data/cells.hpp"
#include "data/encode_source.hpp"
#include "data/message_text.hpp"
#include "data/source_columns.hpp"
#include "data/text/entries.hpp"

namespace medley::data {

// Sparse counts become one block of one feature: a slot per word of the schema's vocabulary.

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

// A column of words or tags becomes a block of one vocabulary; a set of options a block with a
// yes/no feature per option. Each has a block of its own.

namespace {

using SlotCount = std::pair<std::uint32_t, std::uint32_t>;

// The entries of a column of the file, in the slots of the schema.
class ColumnEntries {
 public:
  ColumnEntries(const EncodeContext& context, const ColumnSpec& spec, const RawColumn& column)
      : column_(column),
        bags_(entries_of(column, spec, context.options, context.missing)),
        slot_of_(translate_words(bags_.names, spec.levels)),
        aside_of_(translate_words(bags_.names, spec.set_aside)),
        unseen_(bags_.names.size(), 0) {}

  // False if nothing is observed there; else `known` holds (slot, count), ascending.
  bool row(std::size_t row, std::vector<SlotCount>& known) {
    known.clear();
    const std::uint32_t code = column_.code[row];
    if (code == kMissingCode || bags_.missing[code]) return false;
    for (std::uint64_t i = bags_.start[code]; i < bags_.start[code + 1]; ++i) {
      const std::uint32_t slot = slot_of_[bags_.entry[i]];
      all_ += bags_.count[i];
      if (slot == Cell::kNoLevel) {
        if (aside_of_[bags_.entry[i]] == Cell::kNoLevel) unseen_[bags_.entry[i]] += bags_.count[i];
      } else {
        known.emplace_back(slot, bags_.count[i]);
      }
    }
    std::sort(known.begin(), known.end());
    return true;
  }

  [[nodiscard]] std::size_t unseen() const {
    std::size_t total = 0;
    for (const std::size_t count : unseen_) total += count;
    return total;
  }

  [[nodiscard]] std::vector<std::pair<std::string, double>> unknown() const {
    std::vector<std::pair<std::string, double>> out;
    for (std::size_t i = 0; i < unseen_.size(); ++i)
      out.emplace_back(bags_.names[i], static_cast<double>(unseen_[i]));
    return out;
  }

  /// `6 of 7 words are not in the vocabulary, left out: "the", "mat"`.
  [[nodiscard]] std::string unseen_text(const std::string& things) const {
    std::vector<std::string> examples;
    for (std::size_t i = 0; i < unseen_.size(); ++i) {
      if (unseen_[i] > 0) examples.push_back(bags_.names[i]);
    }
    const char* why = things == "option" ? "" : " (new, or too rare when it was made)";
    return std::to_string(unseen()) + " of " + counted(all_, things) + " not in the vocabulary" +
           why + ", left out: " + listed(examples, 5);
  }

 private:
  const RawColumn& column_;
  EntryBags bags_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint32_t> aside_of_;  // words left out on purpose are no news
  std::vector<std::size_t> unseen_;      // per name
  std::size_t all_ = 0;
};

std::vector<Feature> entry_features(const ColumnSpec& spec, bool missing_as_category) {
  if (spec.cells != CellText::set) return {{spec.name, spec.levels}};
  std::vector<Feature> features;
  for (const std::string& option : spec.levels) {
    features.push_back({spec.name + ": " + option, option_levels(missing_as_category)});
  }
  return features;
}

// Every option answered: yes if it is in the list, else no; or every option missing.
void write_set(const std::vector<SlotCount>& chosen, bool observed, bool missing_as_category,
               BlockWriter& writer) {
  constexpr std::uint32_t kNo = 0, kYes = 1, kAbsent = 2;
  const Cell absent{Cell::State::missing, missing_as_category ? kAbsent : Cell::kNoLevel, 0};
  auto next = chosen.begin();
  for (std::size_t option = 0; option < writer.block().features.size(); ++option) {
    const bool yes = next != chosen.end() && next->first == option;
    if (yes) ++next;
    writer.add(option, observed ? Cell{Cell::State::observed, yes ? kYes : kNo, 0} : absent);
  }
}

void write_bag(const std::vector<SlotCount>& words, bool observed, BlockWriter& writer) {
  if (!observed) ++writer.block().missing;
  for (const auto& [slot, count] : words) writer.add_count(slot, static_cast<float>(count));
}

// All names that blocks of single values, counts and triplets have or might have.
bool is_taken(const Schema& schema, const std::string& name) {
  for (const SourceSpec& source : schema.sources) {
    for (const ColumnSpec& column : source.columns) {
      if (column.role != Role::feature || holds_entries(column)) continue;
      if (name == source.name || name == source.name + '.' + column.family) return true;
    }
  }
  return false;
}

}  // namespace

std::string entry_block_name(const Schema& schema, const SourceSpec& source,
                             const ColumnSpec& spec) {
  std::size_t same = 0;
  for (const SourceSpec& other : schema.sources) {
    same += static_cast<std::size_t>(
        std::count_if(other.columns.begin(), other.columns.end(), [&](const ColumnSpec& column) {
          return column.role == Role::feature && holds_entries(column) && column.name == spec.name;
        }));
  }
  const bool free = same == 1 && !is_taken(schema, spec.name);
  return free ? spec.name : source.name + '.' + spec.name;
}

Block encode_entries(const EncodeContext& context, const SourceSpec& source, const ColumnSpec& spec,
                     std::size_t given, const RawColumn* column) {
  const bool extra_level = context.schema.missing_as_category;
  BlockWriter writer(entry_block_name(context.schema, source, spec), spec,
                     entry_features(spec, extra_level));
  std::optional<ColumnEntries> entries;
  if (column != nullptr) entries.emplace(context, spec, *column);
  std::vector<SlotCount> known;
  for (std::size_t row = 0; row < context.rows.rows; ++row) {
    core::stop_if_asked();
    const std::size_t from = column == nullptr ? kNone : context.rows.of(given, row);
    const bool observed = from != kNone && entries->row(from, known);
    if (!observed) known.clear();
    if (spec.cells == CellText::set) {
      write_set(known, observed, extra_level, writer);
    } else {
      write_bag(known, observed, writer);
    }
    writer.end_row();
  }
  // Where the vocabulary was chosen from this very file, what it lacks was left out on purpose.
  if (entries && context.options.schema && entries->unseen() > 0) {
    writer.block().unseen = entries->unseen();
    add_unknown(writer.block().name, entries->unknown(), context.unknown);
    const std::string thing = spec.cells == CellText::text   ? "word"
                              : spec.cells == CellText::tags ? "tag"
                                                             : "option";
    context.warnings.push_back(context.sources[given].path + ": column " + core::quoted(spec.name) +
                               ": " + entries->unseen_text(thing));
  }
  return std::move(writer.block());
}

}  // namespace medley::data
