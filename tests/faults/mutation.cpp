// SPDX-License-Identifier: Apache-2.0
#include "faults/mutation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/safetensors.hpp"
#include "medley/error.hpp"

namespace medley::faults {
namespace {

constexpr std::array<std::string_view, 34> kTexts = {"0",
                                                     "-1",
                                                     "1e308",
                                                     "-1e308",
                                                     "1e-320",
                                                     "nan",
                                                     "inf",
                                                     "1e20",
                                                     "4294967296",
                                                     "18446744073709551615",
                                                     "9223372036854775807",
                                                     "-9223372036854775808",
                                                     "2147483648",
                                                     "0.1",
                                                     "\"",
                                                     "'",
                                                     "[",
                                                     "]",
                                                     "{",
                                                     "}",
                                                     ",",
                                                     ";",
                                                     "\t",
                                                     "\n",
                                                     "\r\n",
                                                     ":",
                                                     "=",
                                                     "null",
                                                     "true",
                                                     "\xff",
                                                     "\xEF\xBB\xBF",
                                                     "NA",
                                                     "",
                                                     "\\u0000"};
constexpr std::array kDoubles = {0.0,
                                 -0.0,
                                 -1.0,
                                 1.0,
                                 0.5,
                                 1e308,
                                 -1e308,
                                 1e-308,
                                 5e-324,
                                 1e20,
                                 1e9,
                                 4294967296.0,
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
constexpr std::array<std::int64_t, 9> kIntegers = {0,
                                                   1,
                                                   -1,
                                                   2,
                                                   255,
                                                   4294967296,
                                                   std::numeric_limits<std::int64_t>::max(),
                                                   std::numeric_limits<std::int64_t>::min(),
                                                   1000000000};

template <typename List>
const auto& any_of(const List& list, core::Rng& rng) {
  return list[rng.below(std::size(list))];
}

std::size_t place_in(const std::string& text, core::Rng& rng) {
  return rng.below(text.size() + 1);
}

void change_text(std::string& text, const std::vector<std::string>& seeds, core::Rng& rng) {
  const std::size_t at = place_in(text, rng);
  const std::size_t rest = text.size() - at;
  switch (rng.below(9)) {
    case 0:
      if (rest > 0) text[at] = static_cast<char>(rng.below(256));
      break;
    case 1:
      if (rest > 0) text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8)));
      break;
    case 2:
      text.insert(at, any_of(kTexts, rng));
      break;
    case 3:
      text.erase(at, 1 + rng.below(8));
      break;
    case 4: {  // a number becomes another
      const std::size_t digit = text.find_first_of("0123456789", at);
      if (digit == std::string::npos) break;
      const std::size_t end = std::min(text.find_first_not_of("0123456789.eE", digit), text.size());
      text.replace(digit, end - digit, any_of(kTexts, rng));
      break;
    }
    case 5: {  // a line twice, or gone
      const std::size_t begin =
          text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      if (end <= begin || end > text.size()) break;
      const std::string line = text.substr(begin, end - begin);
      if (rng.below(2) == 0) {
        text.erase(begin, line.size());
      } else {
        for (std::size_t i = 1 + rng.below(3); i > 0; --i) text.insert(begin, line);
      }
      break;
    }
    case 6: {  // a piece of another one
      const std::string& other = any_of(seeds, rng);
      const std::size_t from = place_in(other, rng);
      text.replace(at, rng.below(16), other.substr(from, rng.below(64)));
      break;
    }
    case 7:
      text.resize(at);
      break;
    default:
      text.insert(at, std::string(rng.below(300), "0[{\"'\n, "[rng.below(8)]));
      break;
  }
}

template <typename T>
T hostile(core::Rng& rng) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(any_of(kDoubles, rng));
  } else {
    return static_cast<T>(any_of(kIntegers, rng));
  }
}

void change_values(core::Tensor& tensor, core::Rng& rng) {
  std::visit(
      [&](auto& values) {
        using T = typename std::remove_reference_t<decltype(values)>::value_type;
        if (values.empty()) return;
        const T value = rng.below(3) == 0 ? values[rng.below(values.size())] : hostile<T>(rng);
        if (rng.below(8) == 0) {
          std::ranges::fill(values, value);
        } else {
          values[rng.below(values.size())] = value;
        }
      },
      tensor.values);
}

void change_size(core::Tensor& tensor, core::Rng& rng) {
  std::visit(
      [&](auto& values) {
        const std::size_t size =
            rng.below(2) == 0 ? rng.below(values.size() + 1) : values.size() + 1 + rng.below(4);
        values.resize(size);
        tensor.shape = {size};
      },
      tensor.values);
}

}  // namespace

std::string mutated_text(const std::vector<std::string>& seeds, core::Rng& rng) {
  std::string text = any_of(seeds, rng);
  for (std::size_t changes = 1 + rng.below(4); changes > 0; --changes)
    change_text(text, seeds, rng);
  return text;
}

std::string mutated_tensors(const std::vector<std::string>& seeds, core::Rng& rng) {
  if (rng.below(8) == 0) return mutated_text(seeds, rng);
  core::TensorFile file = core::parse_tensors(any_of(seeds, rng), "seed");
  for (std::size_t changes = 1 + rng.below(4); changes > 0 && !file.tensors.empty(); --changes) {
    auto tensor = std::next(file.tensors.begin(),
                            static_cast<std::ptrdiff_t>(rng.below(file.tensors.size())));
    switch (rng.below(8)) {
      case 0:
        change_size(tensor->second, rng);
        break;
      case 1:
        file.tensors.erase(tensor);
        break;
      case 2: {  // one under the name of another
        const auto other = std::next(file.tensors.begin(),
                                     static_cast<std::ptrdiff_t>(rng.below(file.tensors.size())));
        tensor->second = other->second;
        break;
      }
      case 3: {
        auto text = std::next(file.metadata.begin(),
                              static_cast<std::ptrdiff_t>(rng.below(file.metadata.size())));
        if (text->first != "fingerprint") change_text(text->second, {text->second}, rng);
        break;
      }
      default:
        change_values(tensor->second, rng);
        break;
    }
  }
  try {
    return core::serialise_tensors(file);
  } catch (const InputError&) {  // a text that is no longer UTF-8 cannot be written
    return mutated_text(seeds, rng);
  }
}

}  // namespace medley::faults
