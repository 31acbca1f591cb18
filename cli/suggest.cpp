// SPDX-License-Identifier: Apache-2.0
#include "suggest.hpp"

#include <algorithm>
#include <utility>

namespace medley::cli {
namespace {

constexpr std::size_t kLongest = 100;  // nobody mistypes a page of text

/// Edits that turn a into b (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string closest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 2);
  if (word.size() > kLongest) return best;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongest) continue;
    const std::size_t edits = distance(word, candidate);
    if (edits < fewest || (edits == fewest && best.empty())) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& known,
                                 std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> edits;  // with the place in the list
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].size() <= kLongest && word.size() <= kLongest)
      edits.emplace_back(distance(word, known[i]), i);
  }
  count = std::min(count, edits.size());
  std::partial_sort(edits.begin(), edits.begin() + static_cast<std::ptrdiff_t>(count), edits.end());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(known[edits[i].second]);
  return out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string match = closest(word, known);
  return match.empty() ? "" : "did you mean \"" + match + "\"?";
}

}  // namespace medley::cli
