// SPDX-License-Identifier: Apache-2.0
#include "data/text/choose_vocabulary.hpp"

#include <algorithm>
#include <unordered_set>

#include "data/text/stop_words.hpp"
#include "data/text/tokenise.hpp"

namespace medley::data {
namespace {

// Forms by which stop words and vocabulary are compared: case never matters here.
class StopWords {
 public:
  StopWords(const VocabularyOptions& options, std::size_t memory_limit)
      : fold_({.fold_case = true, .stem = ""}) {
    if (options.stop_words.empty()) return;
    Tokeniser rules({.fold_case = true, .stem = options.rules.stem});
    for (const std::string& word : stop_words(options.stop_words, memory_limit)) {
      rules.words(word, [&](std::string_view form) { forms_.emplace(form); });
    }
  }

  bool contains(const std::string& word) {
    if (forms_.empty()) return false;
    bool found = false;
    fold_.words(
        word, [&](std::string_view form) { found = found || forms_.contains(std::string(form)); });
    return found;
  }

 private:
  Tokeniser fold_;
  std::unordered_set<std::string> forms_;
};

// Per entry, how many rows hold it.
std::vector<std::size_t> document_counts(const EntryBags& bags,
                                         const std::vector<std::size_t>& uses) {
  std::vector<std::size_t> documents(bags.names.size(), 0);
  for (std::size_t text = 0; text < uses.size(); ++text) {
    for (std::uint64_t i = bags.start[text]; i < bags.start[text + 1]; ++i) {
      documents[bags.entry[i]] += uses[text];
    }
  }
  return documents;
}

void count_entries(const EntryBags& bags, const std::vector<std::size_t>& uses,
                   ChosenVocabulary& chosen) {
  for (std::size_t text = 0; text < uses.size(); ++text) {
    if (bags.missing[text]) continue;
    chosen.documents += uses[text];
    std::size_t entries = 0;
    for (std::uint64_t i = bags.start[text]; i < bags.start[text + 1]; ++i) {
      entries += bags.count[i];
    }
    chosen.entries += static_cast<double>(entries) * static_cast<double>(uses[text]);
  }
}

}  // namespace

ChosenVocabulary choose_vocabulary(const EntryBags& bags, const std::vector<std::size_t>& uses,
                                   CellText cells, const VocabularyOptions& options,
                                   std::size_t memory_limit) {
  ChosenVocabulary chosen;
  count_entries(bags, uses, chosen);
  const std::vector<std::size_t> documents = document_counts(bags, uses);
  const double most = options.max_share * static_cast<double>(chosen.documents);
  VocabularyOptions own = options;
  if (cells != CellText::text) own.stop_words.clear();
  StopWords stop(own, memory_limit);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (documents[i] == 0) continue;  // only in texts that no row holds
    const bool choosy = cells != CellText::set;
    if (choosy && documents[i] < options.min_count) {
      ++chosen.rare;
    } else if (choosy && static_cast<double>(documents[i]) > most) {
      ++chosen.common;
    } else if (choosy && stop.contains(bags.names[i])) {
      ++chosen.stopped;
    } else {
      kept.push_back(i);
    }
  }
  if (cells != CellText::set && options.most_words > 0 && kept.size() > options.most_words) {
    std::sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
      return documents[a] != documents[b] ? documents[a] > documents[b]
                                          : bags.names[a] < bags.names[b];
    });
    kept.resize(options.most_words);
  }
  for (const std::size_t i : kept) chosen.words.push_back(bags.names[i]);
  std::sort(chosen.words.begin(), chosen.words.end());
  return chosen;
}

}  // namespace medley::data
