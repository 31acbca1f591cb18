// SPDX-License-Identifier: Apache-2.0
#include "data/value_labels.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace medley::data {
namespace {

using Meaning = std::unordered_map<std::string_view, std::string_view>;

// The views point into `labels`.
Meaning meaning_of(const ValueLabels& labels) {
  Meaning meaning;
  for (const auto& [level, label] : labels) meaning.emplace(level, label);
  return meaning;
}

}  // namespace

std::vector<std::string> labels_of(const std::vector<std::string>& levels,
                                   const ValueLabels& labels) {
  const Meaning meaning = meaning_of(labels);
  std::vector<std::string> found;
  bool any = false;
  for (const std::string& level : levels) {
    const auto label = meaning.find(level);
    any = any || label != meaning.end();
    found.emplace_back(label == meaning.end() ? std::string_view(level) : label->second);
  }
  if (!any) found.clear();
  return found;
}

bool all_labelled(const std::vector<std::string>& levels, const ValueLabels& labels) {
  const Meaning meaning = meaning_of(labels);
  return !levels.empty() && std::all_of(levels.begin(), levels.end(),
                                        [&](const auto& level) { return meaning.contains(level); });
}

}  // namespace medley::data
