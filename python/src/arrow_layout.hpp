// SPDX-License-Identifier: Apache-2.0
// How cells lie in Arrow arrays: every layout of texts and numbers, one cell after another.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "arrow_cells.hpp"
#include "arrow_dates.hpp"
#include "medley/error.hpp"
#include "text_codes.hpp"

namespace medley::python {

inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] inline void broken(const std::string& column, const std::string& what) {
  throw InputError({column, "the Arrow array is broken: " + what, "export the table anew"});
}

/// A buffer, or null where there are no rows.
template <class T>
const T* buffer(const ArrowRows& rows, std::int64_t index, const std::string& column) {
  const void* found = rows.array->buffers[index];
  if (found == nullptr && rows.count > 0) broken(column, "a buffer is missing");
  return static_cast<const T*>(found);
}

inline bool bit_of(const std::uint8_t* bits, std::int64_t at) {
  return ((bits[at / 8] >> (at % 8)) & 1) != 0;
}

/// Which rows are observed.
class Observed {
 public:
  Observed(const ArrowRows& rows, const std::uint8_t* absent)
      : first_(rows.array->offset + rows.begin), absent_(absent) {
    if (rows.array->null_count != 0 && rows.array->n_buffers > 0)
      valid_ = static_cast<const std::uint8_t*>(rows.array->buffers[0]);
  }
  bool operator()(std::int64_t row) const {
    if (absent_ != nullptr && absent_[row] != 0) return false;
    return valid_ == nullptr || bit_of(valid_, first_ + row);
  }

 private:
  std::int64_t first_;
  const std::uint8_t* valid_ = nullptr;
  const std::uint8_t* absent_;
};

// ---- texts, one after another, for the three layouts ----

/// Calls use(row, text) for every observed row.
template <class Offset, class Use>
void each_text(const ArrowRows& rows, const Observed& observed, const std::string& column,
               const Use& use) {
  check_array(rows, 3, 0, column);
  const auto* offsets = buffer<Offset>(rows, 1, column);
  const auto* bytes = static_cast<const char*>(rows.array->buffers[2]);
  const std::int64_t first = rows.array->offset + rows.begin;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const Offset begin = offsets[first + i], end = offsets[first + i + 1];
    if (begin < 0 || end < begin) broken(column, "offsets of texts fall");
    if (!observed(i)) continue;
    if (end > begin && bytes == nullptr) broken(column, "a buffer is missing");
    use(i, end == begin ? std::string_view()
                        : std::string_view(bytes + begin, static_cast<std::size_t>(end - begin)));
  }
}

/// 16 bytes: a length, then the text itself or four letters of it, a buffer and a place there.
struct TextView {
  std::int32_t length;
  std::int32_t head, buffer, offset;
};
inline constexpr std::int32_t kInline = 12;

template <class Use>
void each_viewed_text(const ArrowRows& rows, const Observed& observed, const std::string& column,
                      const Use& use) {
  check_array(rows, 3, 0, column);
  const std::int64_t buffers = rows.array->n_buffers - 3;
  const auto* views = buffer<char>(rows, 1, column);
  const auto* sizes = static_cast<const std::int64_t*>(rows.array->buffers[buffers + 2]);
  const std::int64_t first = rows.array->offset + rows.begin;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    if (!observed(i)) continue;
    const char* at = views + 16 * (first + i);
    TextView view{};
    std::memcpy(&view, at, sizeof view);
    if (view.length < 0) broken(column, "a text has a negative length");
    if (view.length <= kInline) {
      use(i, std::string_view(at + 4, static_cast<std::size_t>(view.length)));
      continue;
    }
    if (view.buffer < 0 || view.buffer >= buffers || sizes == nullptr || view.offset < 0 ||
        view.offset > sizes[view.buffer] - view.length ||
        rows.array->buffers[2 + view.buffer] == nullptr)
      broken(column, "a text lies outside of its buffer");
    use(i, std::string_view(
               static_cast<const char*>(rows.array->buffers[2 + view.buffer]) + view.offset,
               static_cast<std::size_t>(view.length)));
  }
}

template <class Use>
void each_text_of(char layout, const ArrowRows& rows, const Observed& observed,
                  const std::string& column, const Use& use) {
  switch (layout) {
    case 'u':
      return each_text<std::int32_t>(rows, observed, column, use);
    case 'U':
      return each_text<std::int64_t>(rows, observed, column, use);
    default:
      return each_viewed_text(rows, observed, column, use);
  }
}

// ---- numbers ----

inline double half_float(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? kNotANumber : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

/// Calls use(row, number) for every observed row, in the type of the array.
template <class T, class Use>
void each_plain_number(const ArrowRows& rows, const Observed& observed, const std::string& column,
                       const Use& use) {
  check_array(rows, 2, 0, column);
  const T* numbers = buffer<T>(rows, 1, column);
  const std::int64_t first = rows.array->offset + rows.begin;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    if (observed(i)) use(i, numbers[first + i]);
  }
}

template <class Use>
void each_number(char format, const ArrowRows& rows, const Observed& observed,
                 const std::string& column, const Use& use) {
  switch (format) {
    case 'c':
      return each_plain_number<std::int8_t>(rows, observed, column, use);
    case 'C':
      return each_plain_number<std::uint8_t>(rows, observed, column, use);
    case 's':
      return each_plain_number<std::int16_t>(rows, observed, column, use);
    case 'S':
      return each_plain_number<std::uint16_t>(rows, observed, column, use);
    case 'i':
      return each_plain_number<std::int32_t>(rows, observed, column, use);
    case 'I':
      return each_plain_number<std::uint32_t>(rows, observed, column, use);
    case 'l':
      return each_plain_number<std::int64_t>(rows, observed, column, use);
    case 'L':
      return each_plain_number<std::uint64_t>(rows, observed, column, use);
    case 'f':
      return each_plain_number<float>(rows, observed, column, use);
    case 'e':
      return each_plain_number<std::uint16_t>(
          rows, observed, column, [&](std::int64_t i, std::uint16_t x) { use(i, half_float(x)); });
    default:
      return each_plain_number<double>(rows, observed, column, use);
  }
}
// ---- texts ----

/// What texts come from.
struct TextLayout {
  char kind = 'u';  ///< u, U, v (views), b (bits), n (all missing), w (whole numbers written out),
                    ///< 0 (numbers)
  char number = 'l';
  CellWriter writer = {};
};

/// Calls use(row, text) for every observed row.
template <class Use>
void each_cell(const TextLayout& layout, const ArrowRows& rows, const Observed& observed,
               const std::string& column, const Use& use) {
  switch (layout.kind) {
    case 'n':
      check_array(rows, 0, 0, column);
      return;
    case 'b': {
      check_array(rows, 2, 0, column);
      const auto* bits = buffer<std::uint8_t>(rows, 1, column);
      const std::int64_t first = rows.array->offset + rows.begin;
      for (std::int64_t i = 0; i < rows.count; ++i) {
        if (observed(i)) use(i, std::string_view(bit_of(bits, first + i) ? "true" : "false"));
      }
      return;
    }
    case 'w':
      each_number(layout.number, rows, observed, column, [&](std::int64_t i, auto x) {
        use(i, std::string_view(layout.writer.write(static_cast<std::int64_t>(x))));
      });
      return;
    case '0':
      each_number(layout.number, rows, observed, column, [&](std::int64_t i, auto x) {
        if constexpr (std::is_floating_point_v<decltype(x)>) {
          if (!std::isnan(x)) use(i, std::string_view(shortest(static_cast<double>(x))));
        } else if constexpr (std::is_signed_v<decltype(x)>) {
          use(i, std::string_view(shortest(static_cast<std::int64_t>(x))));
        } else {
          use(i, std::string_view(shortest(static_cast<std::uint64_t>(x))));
        }
      });
      return;
    default:
      each_text_of(layout.kind, rows, observed, column, use);
  }
}
}  // namespace medley::python
