// SPDX-License-Identifier: Apache-2.0
#include "data/text/entries.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "core/problems.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/formats/dictionary.hpp"
#include "data/message_text.hpp"
#include "data/text/tokenise.hpp"

namespace medley::data {
namespace {

using Take = std::function<void(std::string_view)>;

void split(std::string_view text, std::string_view separator, const Take& take) {
  for (;;) {
    const std::size_t end = text.find(separator);
    const std::string_view entry = core::trimmed(text.substr(0, end));
    if (!entry.empty()) take(entry);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + separator.size());
  }
}

// Collects the entries of one text after the other.
class Bagging {
 public:
  Bagging(std::size_t memory_limit, const std::string& where) : memory_(memory_limit, where) {}

  void take(std::string_view name) {
    std::uint32_t code = names_.find(name);
    if (code == kMissingCode) {
      memory_.add(Dictionary::cost(name));
      code = names_.add(name);
    }
    memory_.add(sizeof code);
    current_.push_back(code);
  }

  void end_text(bool missing) {
    std::sort(current_.begin(), current_.end());
    for (std::size_t i = 0; i < current_.size(); ++i) {
      if (i > 0 && current_[i] == current_[i - 1]) {
        ++bags_.count.back();
      } else {
        bags_.entry.push_back(current_[i]);
        bags_.count.push_back(1);
      }
    }
    memory_.add(2 * sizeof(std::uint64_t));
    bags_.start.push_back(bags_.entry.size());
    bags_.missing.push_back(missing);
    current_.clear();
  }

  EntryBags finish() {
    bags_.names = names_.take();
    return std::move(bags_);
  }

 private:
  core::MemoryGuard memory_;
  Dictionary names_;
  EntryBags bags_;
  std::vector<std::uint32_t> current_;
};

}  // namespace

std::string separator_of(const ColumnSpec& spec, const RawColumn& column,
                         const std::string& asked) {
  std::string of_lists(1, kListSeparator);
  if (column.cells == CellText::tags) return of_lists;
  if (!asked.empty()) return asked;
  // A schema made from JSON arrays says nothing about a file that has none.
  return spec.split == of_lists ? ColumnSpec().split : spec.split;
}

EntryBags entries_of(const RawColumn& column, const ColumnSpec& spec, const ReadOptions& options,
                     const MissingStrings& missing) {
  Bagging bagging(options.memory_limit, "column " + core::quoted(spec.name));
  const Take take = [&](std::string_view entry) { bagging.take(entry); };
  const std::unique_ptr<Tokeniser> tokeniser =
      spec.cells == CellText::text ? std::make_unique<Tokeniser>(spec.text) : nullptr;
  const std::string separator = separator_of(spec, column, options.split);
  for (const std::string& text : column.distinct) {
    core::stop_if_asked();
    const bool absent = core::trimmed(text).empty() || missing.contains(text);
    if (!absent && tokeniser != nullptr) tokeniser->words(text, take);
    if (!absent && tokeniser == nullptr) split(text, separator, take);
    bagging.end_text(absent);
  }
  return bagging.finish();
}

std::vector<std::size_t> uses_of(const RawColumn& column) {
  std::vector<std::size_t> uses(column.distinct.size(), 0);
  for (const std::uint32_t code : column.code) {
    if (code != kMissingCode) ++uses[code];
  }
  return uses;
}

std::vector<std::string> option_levels(bool missing_as_category) {
  std::vector<std::string> levels = {"no", "yes"};
  if (missing_as_category) levels.emplace_back(kMissingLevel);
  return levels;
}

ColumnFacts facts_of_entries(const ColumnSpec& column, bool missing_as_category) {
  ColumnFacts facts;
  facts.name = column.name;
  const bool set = column.cells == CellText::set;
  facts.kind = set ? SourceKind::table : SourceKind::tokens;
  facts.distinct = set ? option_levels(missing_as_category).size() : column.levels.size();
  return facts;
}

std::string family_of_entries(const ColumnSpec& column, bool missing_as_category,
                              const FamilyCatalogue& catalogue) {
  const ColumnFacts facts = facts_of_entries(column, missing_as_category);
  if (column.cells == CellText::set) return family_of_levels(facts, catalogue);
  for (const std::string& name : catalogue.names) {
    if (catalogue.encoding_of(name) == Encoding::tokens && catalogue.objection(name, facts).empty())
      return name;
  }
  return {};
}

}  // namespace medley::data
