// SPDX-License-Identifier: Apache-2.0
#include "data/formats/dictionary.hpp"

#include <functional>
#include <utility>

#include "medley/error.hpp"

namespace medley::data {
namespace {

constexpr std::size_t kFirstSlots = 16;

std::uint64_t hash_of_text(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}
/// The slot is chosen by the low half of the hash, so the high half is what tells texts apart.
std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32U);
}

}  // namespace

std::uint32_t Dictionary::find(std::string_view text) const {
  if (slots_.empty()) return kMissingCode;
  const std::uint64_t hash = hash_of_text(text);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.code == kMissingCode) return kMissingCode;
    if (slot.hash == tag_of(hash) && texts_[slot.code] == text) return slot.code;
  }
}

std::uint32_t Dictionary::add(std::string_view text) {
  if (texts_.size() >= kMissingCode - 1)
    throw InputError({"", "more than 4294967294 different values", ""});
  if (3 * (texts_.size() + 1) > 2 * slots_.size()) grow();
  const auto code = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  place(hash_of_text(text), code);
  return code;
}

void Dictionary::place(std::uint64_t hash, std::uint32_t code) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].code != kMissingCode) at = (at + 1) & mask;
  slots_[at] = {tag_of(hash), code};
}

void Dictionary::grow() {
  const std::size_t size = slots_.empty() ? kFirstSlots : 2 * slots_.size();
  slots_.assign(size, Slot{});
  for (std::size_t code = 0; code < texts_.size(); ++code)
    place(hash_of_text(texts_[code]), static_cast<std::uint32_t>(code));
}

std::vector<std::string> Dictionary::take() {
  slots_.clear();
  return std::exchange(texts_, {});
}

}  // namespace medley::data
