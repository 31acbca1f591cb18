// SPDX-License-Identifier: Apache-2.0
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "arrow_layout.hpp"

namespace medley::python {
namespace {

template <class T>
bool held_by_double(T number) {
  if constexpr (sizeof(T) < 8 || std::is_floating_point_v<T>) {
    return true;
  } else if constexpr (std::is_signed_v<T>) {
    return number <= kLargestExact && number >= -kLargestExact;
  } else {
    return number <= static_cast<T>(kLargestExact);
  }
}
/// Numbers; whole ones that a double cannot hold (ids of 64 bits) make the column one of texts.
class Numbers : public ArrowColumn {
 public:
  Numbers(char format, std::string column) : format_(format), column_(std::move(column)) {}

  void add(const ArrowRows& rows, const std::uint8_t* absent) override {
    check_array(rows, 2, 0, column_);
    const std::size_t before = value_.size();
    value_.resize(before + static_cast<std::size_t>(rows.count), kNotANumber);
    const Observed observed(rows, absent);
    each_number(format_, rows, observed, column_, [&](std::int64_t i, auto number) {
      const std::size_t at = before + static_cast<std::size_t>(i);
      value_[at] = static_cast<double>(number);
      if (!held_by_double(number)) {
        if constexpr (std::is_integral_v<decltype(number)>) {
          if constexpr (std::is_signed_v<decltype(number)>)
            long_.emplace(at, shortest(static_cast<std::int64_t>(number)));
          else
            long_.emplace(at, shortest(static_cast<std::uint64_t>(number)));
        }
      }
    });
  }

  MemoryColumn finish(std::string name) override {
    if (long_.empty()) return {std::move(name), NumberColumn{std::move(value_)}, {}, {}};
    TextCodes codes;
    TextColumn out;
    for (std::size_t i = 0; i < value_.size(); ++i) {
      const auto found = long_.find(i);
      out.code.push_back(found != long_.end()    ? codes.code(found->second)
                         : std::isnan(value_[i]) ? kAbsent
                                                 : codes.code(shortest(value_[i])));
    }
    out.distinct = std::move(codes.texts());
    return {std::move(name), std::move(out), {}, {}};
  }

 private:
  char format_;
  std::string column_;
  std::vector<double> value_;
  std::unordered_map<std::size_t, std::string> long_;
};

/// Decimals of 128 bits as the numbers next to them.
class Decimals : public ArrowColumn {
 public:
  Decimals(int scale, std::string column) : scale_(scale), column_(std::move(column)) {}

  void add(const ArrowRows& rows, const std::uint8_t* absent) override {
    check_array(rows, 2, 0, column_);
    const auto* cells = buffer<char>(rows, 1, column_);
    const Observed observed(rows, absent);
    const std::int64_t first = rows.array->offset + rows.begin;
    for (std::int64_t i = 0; i < rows.count; ++i) {
      if (!observed(i)) {
        value_.push_back(kNotANumber);
        continue;
      }
      std::uint64_t low = 0;
      std::int64_t high = 0;
      std::memcpy(&low, cells + 16 * (first + i), 8);
      std::memcpy(&high, cells + 16 * (first + i) + 8, 8);
      const long double whole =
          std::ldexp(static_cast<long double>(high), 64) + static_cast<long double>(low);
      value_.push_back(static_cast<double>(whole / std::pow(10.0L, scale_)));
    }
  }
  MemoryColumn finish(std::string name) override {
    return {std::move(name), NumberColumn{std::move(value_)}, {}, {}};
  }

 private:
  int scale_;
  std::string column_;
  std::vector<double> value_;
};
}  // namespace

std::unique_ptr<ArrowColumn> number_column(char format, const std::string& name) {
  return std::make_unique<Numbers>(format, name);
}
std::unique_ptr<ArrowColumn> decimal_column(int scale, const std::string& name) {
  return std::make_unique<Decimals>(scale, name);
}

}  // namespace medley::python
