// SPDX-License-Identifier: Apache-2.0
#include "text_codes.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <functional>

namespace medley::python {
namespace {

constexpr std::size_t kFirstPlaces = 64;

template <class Number>
std::string written(Number number) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), error == std::errc() ? end : text.data()};
}

}  // namespace

std::uint32_t TextCodes::code(std::string_view text) {
  if (2 * (texts_.size() + 1) > place_.size()) grow();
  const std::uint64_t hash = std::hash<std::string_view>{}(text);
  const std::size_t mask = place_.size() - 1;
  std::size_t at = hash & mask;
  for (; place_[at] != 0; at = (at + 1) & mask) {
    const std::uint32_t found = place_[at] - 1;
    if (hash_[found] == hash && texts_[found] == text) return found;
  }
  texts_.emplace_back(text);
  hash_.push_back(hash);
  place_[at] = static_cast<std::uint32_t>(texts_.size());
  return place_[at] - 1;
}

void TextCodes::grow() {
  place_.assign(place_.empty() ? kFirstPlaces : 2 * place_.size(), 0);
  const std::size_t mask = place_.size() - 1;
  for (std::size_t code = 0; code < texts_.size(); ++code) {
    std::size_t at = hash_[code] & mask;
    while (place_[at] != 0) at = (at + 1) & mask;
    place_[at] = static_cast<std::uint32_t>(code + 1);
  }
}

std::string shortest(double number) {
  // whole numbers without a point or an exponent, as people write them
  if (std::abs(number) <= static_cast<double>(kLargestExact) && number == std::floor(number))
    return written(static_cast<std::int64_t>(number));
  return written(number);
}
std::string shortest(std::int64_t number) {
  return written(number);
}
std::string shortest(std::uint64_t number) {
  return written(number);
}

TextColumn as_texts(const NumberColumn& numbers) {
  TextCodes codes;
  TextColumn out;
  out.code.reserve(numbers.value.size());
  for (const double x : numbers.value)
    out.code.push_back(std::isnan(x) ? kAbsent : codes.code(shortest(x)));
  out.distinct = std::move(codes.texts());
  return out;
}

}  // namespace medley::python
