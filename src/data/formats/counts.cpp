// SPDX-License-Identifier: Apache-2.0
#include "data/formats/counts.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

/// Files with at most this many rows or words are never doubted, larger ones must have a count for
/// every sixteenth: room for empty documents and unused words, none for a mistaken header.
constexpr std::uint64_t kUndoubted = std::uint64_t{1} << 22;
constexpr std::uint64_t kPerCount = 16;

/// So many rows are drained at once.
constexpr std::size_t kDrainedRows = 4096;

/// Sorts one row by word, merges repeated words, leaves zeros out; returns what is left of it.
std::size_t tidy_row(std::span<std::uint32_t> word, std::span<float> count) {
  if (!std::is_sorted(word.begin(), word.end())) {
    std::vector<std::size_t> order(word.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return word[a] != word[b] ? word[a] < word[b] : a < b;  // sums then never depend on the sort
    });
    const std::vector<std::uint32_t> words(word.begin(), word.end());
    const std::vector<float> counts(count.begin(), count.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
      word[i] = words[order[i]];
      count[i] = counts[order[i]];
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < word.size();) {
    const std::uint32_t current = word[i];
    double sum = 0;
    for (; i < word.size() && word[i] == current; ++i) sum += static_cast<double>(count[i]);
    if (sum == 0) continue;
    word[kept] = current;
    count[kept++] = static_cast<float>(sum);
  }
  return kept;
}

}  // namespace

void RowCounts::add(std::uint32_t word, float count) {
  memory_.add(sizeof word + sizeof count);
  counts_.word.push_back(word);
  counts_.count.push_back(count);
}

void RowCounts::end_row(std::uint64_t line) {
  memory_.add(2 * sizeof(std::uint64_t));
  const std::size_t start = counts_.row_start.back();
  const std::size_t kept =
      tidy_row(std::span(counts_.word).subspan(start), std::span(counts_.count).subspan(start));
  counts_.word.resize(start + kept);
  counts_.count.resize(start + kept);
  counts_.row_start.push_back(start + kept);
  counts_.line.push_back(line);
}

void RowCounts::drop_row() {
  counts_.word.resize(counts_.row_start.back());
  counts_.count.resize(counts_.row_start.back());
}

void RowCounts::drain_if_many(const CountsOptions& options) {
  if (!options.drain || counts_.line.size() < kDrainedRows) return;
  drained_ += counts_.line.size();
  options.drain(counts_);
}

void EntryCounts::add(std::uint32_t row, std::uint32_t word, float count) {
  memory_.add(2 * (sizeof row + sizeof word + sizeof count));  // twice: take() copies by row
  row_.push_back(row);
  word_.push_back(word);
  count_.push_back(count);
}

RawCounts EntryCounts::take(std::size_t rows) {
  memory_.add(rows, 3 * sizeof(std::uint64_t));
  std::vector<std::uint64_t> next(rows + 1, 0);  // a counting sort: where each row's next one goes
  for (const std::uint32_t row : row_) ++next[row + std::size_t{1}];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> word(word_.size());
  std::vector<float> count(count_.size());
  for (std::size_t i = 0; i < row_.size(); ++i) {
    const std::uint64_t to = next[row_[i]]++;
    word[to] = word_[i];
    count[to] = count_[i];
  }
  row_.clear();
  word_.clear();
  count_.clear();

  // next[row] is now where the row ends. Tidying shrinks rows, so they close ranks.
  RawCounts out;
  out.row_start.reserve(rows + 1);
  std::uint64_t start = 0, kept = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    core::stop_if_asked();
    const std::uint64_t size = next[row] - start;
    const std::size_t left =
        tidy_row(std::span(word).subspan(start, size), std::span(count).subspan(start, size));
    for (std::size_t i = 0; i < left; ++i) {
      word[kept + i] = word[start + i];
      count[kept + i] = count[start + i];
    }
    start += size;
    kept += left;
    out.row_start.push_back(kept);
  }
  word.resize(kept);
  count.resize(kept);
  out.word = std::move(word);
  out.count = std::move(count);
  out.line.assign(rows, 0);
  return out;
}

void check_plausible(std::uint64_t size, std::size_t counts, const std::string& where,
                     const std::string& what) {
  if (size <= kUndoubted || size / kPerCount <= counts) return;
  throw InputError({where, what + ", but the file holds only " + std::to_string(counts) + " counts",
                    "check the header, or number documents and words without gaps"});
}

std::vector<std::string> word_names(const CountsOptions& options, std::size_t size,
                                    std::size_t first, core::MemoryGuard& memory) {
  if (options.vocabulary != nullptr) return options.vocabulary->words;
  memory.add(size, sizeof(std::string));
  std::vector<std::string> names;
  names.reserve(size);
  for (std::size_t i = 0; i < size; ++i) names.push_back(std::to_string(first + i));
  return names;
}

}  // namespace medley::data
