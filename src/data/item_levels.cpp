// SPDX-License-Identifier: Apache-2.0
#include "data/item_levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace medley::data {
namespace {

constexpr double kSharedPart = 0.75;  // of the levels that draws from all values would hold

constexpr std::uint64_t kMostMarks = std::uint64_t{1} << 28;  // 32 MB of bits

// The pairs of an item and a value that occur: marked in a table where it is small, else listed.
class MetPairs {
 public:
  MetPairs(std::size_t items, std::size_t values) : values_(values) {
    if (items > 0 && values <= kMostMarks / items) marked_.assign(items * values, false);
  }

  void add(std::uint64_t item, std::uint64_t value) {
    const std::uint64_t pair = item * values_ + value;
    if (marked_.empty()) {
      listed_.insert(pair);
    } else {
      marked_[pair] = true;
    }
  }

  [[nodiscard]] std::size_t size() const {
    return marked_.empty() ? listed_.size()
                           : static_cast<std::size_t>(std::ranges::count(marked_, true));
  }

  // `visit(item, value)` for each, in no order.
  template <typename Visit>
  void each(const Visit& visit) const {
    for (const std::uint64_t pair : listed_) visit(pair / values_, pair % values_);
    for (std::uint64_t pair = 0; pair < marked_.size(); ++pair) {
      if (marked_[pair]) visit(pair / values_, pair % values_);
    }
  }

 private:
  std::uint64_t values_;
  std::vector<bool> marked_;
  std::unordered_set<std::uint64_t> listed_;
};

// Which values occur in which items, and how often each value and each item does.
struct ItemUses {
  MetPairs pairs;
  std::vector<std::size_t> of_item, of_value;
  std::size_t observed = 0;
};

ItemUses uses_of(const RawTriplets& triplets, const MissingStrings& missing) {
  std::vector<bool> is_missing(triplets.values.size());
  for (std::size_t v = 0; v < is_missing.size(); ++v)
    is_missing[v] = missing.contains(triplets.values[v]);
  ItemUses uses{{triplets.items.size(), triplets.values.size()}, {}, {}};
  uses.of_item.assign(triplets.items.size(), 0);
  uses.of_value.assign(triplets.values.size(), 0);
  for (std::size_t t = 0; t < triplets.item.size(); ++t) {
    const std::uint32_t value = triplets.value[t];
    if (value == kMissingCode || is_missing[value]) continue;
    ++uses.of_item[triplets.item[t]];
    ++uses.of_value[value];
    ++uses.observed;
    uses.pairs.add(triplets.item[t], value);
  }
  return uses;
}

double expected_levels(const ItemUses& uses, std::size_t draws) {
  double sum = 0;
  for (const std::size_t count : uses.of_value) {
    const double share = static_cast<double>(count) / static_cast<double>(uses.observed);
    if (count > 0) sum += 1 - std::pow(1 - share, static_cast<double>(draws));
  }
  return sum;
}

}  // namespace

ItemLevels levels_of_items(const RawTriplets& triplets, const MissingStrings& missing) {
  ItemLevels levels(triplets.items.size());
  uses_of(triplets, missing).pairs.each([&](std::uint64_t item, std::uint64_t value) {
    levels[item].push_back(triplets.values[value]);
  });
  for (std::vector<std::string>& own : levels) std::ranges::sort(own);
  return levels;
}

std::size_t most_levels(const ItemLevels& items) {
  std::size_t most = 3;
  for (const std::vector<std::string>& levels : items) most = std::max(most, levels.size());
  return most;
}

bool share_one_scale(const RawTriplets& triplets, const MissingStrings& missing) {
  const ItemUses uses = uses_of(triplets, missing);
  if (uses.of_value.size() - static_cast<std::size_t>(std::ranges::count(uses.of_value, 0U)) <= 2)
    return true;
  std::unordered_map<std::size_t, double> expected;  // by the number of draws
  double sum = 0;
  for (const std::size_t draws : uses.of_item) {
    const auto [found, added] = expected.try_emplace(draws, 0);
    if (added) found->second = expected_levels(uses, draws);
    sum += found->second;
  }
  return static_cast<double>(uses.pairs.size()) >= kSharedPart * sum;
}

}  // namespace medley::data
