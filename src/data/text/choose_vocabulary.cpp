// SPDX-License-Identifier: Apache-2.0
#include "data/text/choose_vocabulary.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "core/task.hpp"
#include "data/text/stop_words.hpp"
#include "data/text/tokenise.hpp"

namespace medley::data {
namespace {

// Without --max-share, words in more than this share of the documents are left out, if there are
// enough documents to tell and at most one word in so many is one.
constexpr double kCommonShare = 0.5;
constexpr std::size_t kFewestDocuments = 20, kWordsPerCommon = 4;

// A language is recognised if at least this share of the words is in its list, at least so many
// different ones, and the next list has much less.
constexpr double kStopShare = 0.2, kNextShare = 0.75;
constexpr std::size_t kFewestStopWords = 10;

// Forms by which stop words and vocabulary are compared: case never matters here.
class StopWords {
 public:
  StopWords(const std::vector<std::string>& lists, const std::string& stem,
            std::size_t memory_limit)
      : fold_({.fold_case = true, .stem = ""}) {
    if (lists.empty()) return;
    Tokeniser rules({.fold_case = true, .stem = stem});
    for (const std::string& word : stop_words(lists, memory_limit)) {
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

// How often each entry is there, over all rows.
std::vector<double> token_counts(const EntryBags& bags, const std::vector<std::size_t>& uses) {
  std::vector<double> tokens(bags.names.size(), 0);
  for (std::size_t text = 0; text < uses.size(); ++text) {
    for (std::uint64_t i = bags.start[text]; i < bags.start[text + 1]; ++i)
      tokens[bags.entry[i]] += static_cast<double>(bags.count[i]) * static_cast<double>(uses[text]);
  }
  return tokens;
}

// The built-in list whose words are by far the most frequent, or empty.
std::string language_of(const EntryBags& bags, const std::vector<std::size_t>& uses,
                        const std::string& stem) {
  const std::vector<double> tokens = token_counts(bags, uses);
  const double all = std::accumulate(tokens.begin(), tokens.end(), 0.0);
  std::string best;
  double most = 0, next = 0;
  for (const StopList& list : stop_lists()) {
    StopWords words({list.name}, stem, 0);
    double found = 0;
    std::size_t different = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      core::stop_if_asked();
      if (tokens[i] == 0 || !words.contains(bags.names[i])) continue;
      found += tokens[i];
      ++different;
    }
    if (different < kFewestStopWords) continue;
    next = std::max(next, std::min(most, found));
    if (found > most) best = list.name;
    most = std::max(most, found);
  }
  return most >= kStopShare * all && next <= kNextShare * most ? best : std::string();
}

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

double most_documents(const std::vector<std::size_t>& in, std::size_t documents, CellText cells,
                      const VocabularyOptions& options) {
  const auto all = static_cast<double>(documents);
  if (options.max_share) return *options.max_share * all;
  if (cells != CellText::text || documents < kFewestDocuments) return all;
  const double most = kCommonShare * all;
  const auto common = static_cast<std::size_t>(std::ranges::count_if(
      in, [&](std::size_t count) { return static_cast<double>(count) > most; }));
  return kWordsPerCommon * common > in.size() ? all : most;
}

ChosenVocabulary choose_vocabulary(const EntryBags& bags, const std::vector<std::size_t>& uses,
                                   CellText cells, const VocabularyOptions& options,
                                   std::size_t memory_limit) {
  ChosenVocabulary chosen;
  count_entries(bags, uses, chosen);
  const std::vector<std::size_t> documents = document_counts(bags, uses);
  std::vector<std::string> lists;
  if (cells == CellText::text) {
    lists = options.stop_words;
    if (options.recognise_language) chosen.language = language_of(bags, uses, options.rules.stem);
    if (!chosen.language.empty()) lists.push_back(chosen.language);
  }
  StopWords stop(lists, options.rules.stem, memory_limit);
  const bool choosy = cells != CellText::set;
  std::vector<std::size_t> kept, in;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    core::stop_if_asked();
    if (documents[i] == 0) continue;  // only in texts that no row holds
    if (choosy && documents[i] < options.min_count) {
      ++chosen.rare;
    } else if (choosy && stop.contains(bags.names[i])) {
      ++chosen.stopped;
      chosen.set_aside.push_back(bags.names[i]);
    } else {
      kept.push_back(i);
      in.push_back(documents[i]);
    }
  }
  if (choosy) {
    const double most = most_documents(in, chosen.documents, cells, options);
    std::erase_if(kept, [&](std::size_t i) {
      if (static_cast<double>(documents[i]) <= most) return false;
      ++chosen.common;
      chosen.set_aside.push_back(bags.names[i]);
      return true;
    });
  }
  if (choosy && options.most_words > 0 && kept.size() > options.most_words) {
    std::sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
      return documents[a] != documents[b] ? documents[a] > documents[b]
                                          : bags.names[a] < bags.names[b];
    });
    kept.resize(options.most_words);
  }
  for (const std::size_t i : kept) chosen.words.push_back(bags.names[i]);
  std::sort(chosen.words.begin(), chosen.words.end());
  std::sort(chosen.set_aside.begin(), chosen.set_aside.end());
  return chosen;
}

}  // namespace medley::data
