// SPDX-License-Identifier: Apache-2.0
#include "arrow_cells.hpp"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "medley/error.hpp"

namespace medley::python {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void broken(const std::string& column, const std::string& what) {
  throw InputError({column, "the Arrow array is broken: " + what, "export the table anew"});
}

/// A buffer, or null where there are no rows.
template <class T>
const T* buffer(const ArrowRows& rows, std::int64_t index, const std::string& column) {
  const void* found = rows.array->buffers[index];
  if (found == nullptr && rows.count > 0) broken(column, "a buffer is missing");
  return static_cast<const T*>(found);
}

bool bit_of(const std::uint8_t* bits, std::int64_t at) {
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
constexpr std::int32_t kInline = 12;

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

double half_float(std::uint16_t bits) {
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

// ---- dates ----

std::string day_text(std::int64_t days) {
  constexpr std::int64_t kMost = 10'000'000;
  if (days > kMost || days < -kMost) return shortest(days);
  const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{days}}};
  char text[48];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

std::string moment_text(std::int64_t ticks, std::int64_t per_second) {
  const std::int64_t per_day = 86400 * per_second;
  std::int64_t days = ticks / per_day, rest = ticks % per_day;
  if (rest < 0) {
    rest += per_day;
    --days;
  }
  const std::int64_t second = rest / per_second, part = rest % per_second;
  char text[64];
  std::snprintf(text, sizeof text, " %02d:%02d:%02d", static_cast<int>(second / 3600),
                static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
  std::string out = day_text(days) + text;
  if (part == 0) return out;
  std::string digits = shortest(part + per_second).substr(1);  // with leading zeros
  while (digits.back() == '0') digits.pop_back();
  return out + "." + digits;
}

/// Turns a cell of whole numbers into a text: booleans, days, moments.
struct CellWriter {
  enum class Kind { day, moment } kind = Kind::day;
  std::int64_t per_second = 1, per_day = 1;

  [[nodiscard]] std::string write(std::int64_t x) const {
    return kind == Kind::day ? day_text(x >= 0 ? x / per_day : -((-x + per_day - 1) / per_day))
                             : moment_text(x, per_second);
  }
};

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

class Texts : public ArrowColumn {
 public:
  Texts(TextLayout layout, std::string column) : layout_(layout), column_(std::move(column)) {}

  void add(const ArrowRows& rows, const std::uint8_t* absent) override {
    check_array(rows, 0, 0, column_);
    const std::size_t before = out_.code.size();
    out_.code.resize(before + static_cast<std::size_t>(rows.count), kAbsent);
    each_cell(layout_, rows, Observed(rows, absent), column_,
              [&](std::int64_t i, std::string_view text) {
                out_.code[before + static_cast<std::size_t>(i)] = codes_.code(text);
              });
  }
  MemoryColumn finish(std::string name) override {
    out_.distinct = std::move(codes_.texts());
    return {std::move(name), std::move(out_), {}, {}};
  }

 private:
  TextLayout layout_;
  std::string column_;
  TextCodes codes_;
  TextColumn out_;
};

/// Codes into a dictionary, which every chunk brings along and may differ from the one before.
class Dictionary : public ArrowColumn {
 public:
  Dictionary(char index, TextLayout values, bool fixed, std::string column)
      : index_(index), values_(values), fixed_(fixed), column_(std::move(column)) {}

  void add(const ArrowRows& rows, const std::uint8_t* absent) override {
    const ArrowArray* values = rows.array == nullptr ? nullptr : rows.array->dictionary;
    if (values == nullptr) broken(column_, "a dictionary is missing");
    check_array({values, 0, values->length}, 0, 0, column_);
    std::vector<std::uint32_t> code_of(static_cast<std::size_t>(values->length), kAbsent);
    const ArrowRows all{values, 0, values->length};
    each_cell(values_, all, Observed(all, nullptr), column_,
              [&](std::int64_t i, std::string_view text) {
                code_of[static_cast<std::size_t>(i)] = codes_.code(text);
              });
    const std::size_t before = out_.code.size();
    out_.code.resize(before + static_cast<std::size_t>(rows.count), kAbsent);
    each_number(index_, rows, Observed(rows, absent), column_, [&](std::int64_t i, auto code) {
      if constexpr (std::is_integral_v<decltype(code)>) {
        if (std::cmp_less(code, 0) || std::cmp_greater_equal(code, code_of.size()))
          broken(column_, "a code lies outside of the dictionary");
        out_.code[before + static_cast<std::size_t>(i)] = code_of[static_cast<std::size_t>(code)];
      }
    });
  }
  MemoryColumn finish(std::string name) override {
    out_.distinct = std::move(codes_.texts());
    out_.ordered = out_.fixed = fixed_;
    if (!fixed_) drop_unused();
    return {std::move(name), std::move(out_), {}, {}};
  }

 private:
  /// Where no order was given, the dictionary is a way to store texts: what no row has is no level.
  void drop_unused() {
    std::vector<std::uint32_t> to(out_.distinct.size(), kAbsent);
    for (const std::uint32_t code : out_.code) {
      if (code != kAbsent) to[code] = 0;
    }
    std::vector<std::string> used;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i] == kAbsent) continue;
      to[i] = static_cast<std::uint32_t>(used.size());
      used.push_back(std::move(out_.distinct[i]));
    }
    if (used.size() == to.size()) {
      out_.distinct = std::move(used);
      return;
    }
    out_.distinct = std::move(used);
    for (std::uint32_t& code : out_.code) {
      if (code != kAbsent) code = to[code];
    }
  }

  char index_;
  TextLayout values_;
  bool fixed_;
  std::string column_;
  TextCodes codes_;
  TextColumn out_;
};

/// Lists of texts or numbers.
class Lists : public ArrowColumn {
 public:
  Lists(char offsets, std::int64_t width, std::unique_ptr<ArrowColumn> entries, std::string column)
      : offsets_(offsets), width_(width), entries_(std::move(entries)), column_(std::move(column)) {
    out_.start.push_back(0);
  }

  void add(const ArrowRows& rows, const std::uint8_t* absent) override {
    check_array(rows, offsets_ == 'w' ? 1 : 2, 1, column_);
    const ArrowArray* child = rows.array->children[0];
    const Observed observed(rows, absent);
    const std::int64_t first = rows.array->offset + rows.begin;
    for (std::int64_t i = 0; i < rows.count; ++i) {
      const auto [begin, end] = range(rows, first + i);
      const bool here = observed(i);
      out_.missing.push_back(here ? 0 : 1);
      if (begin < 0 || end < begin || child == nullptr || end > child->length)
        broken(column_, "offsets of lists lie outside of their entries");
      // entries of lists that follow each other are taken together
      if (here && end > begin) {
        if (open_ && to_ != begin) flush(child);
        if (!open_) from_ = begin;
        open_ = true;
        to_ = end;
        total_ += static_cast<std::uint64_t>(end - begin);
      }
      out_.start.push_back(total_);
    }
    flush(child);
  }

  MemoryColumn finish(std::string name) override {
    MemoryColumn entries = entries_->finish(name);
    TextColumn texts = std::holds_alternative<TextColumn>(entries.cells)
                           ? std::move(std::get<TextColumn>(entries.cells))
                           : as_texts(std::get<NumberColumn>(entries.cells));
    out_.distinct = std::move(texts.distinct);
    out_.code = std::move(texts.code);
    return {std::move(name), std::move(out_), {}, {}};
  }

 private:
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> range(const ArrowRows& rows,
                                                            std::int64_t at) const {
    if (offsets_ == 'w') return {at * width_, (at + 1) * width_};
    if (offsets_ == 'l') {
      const auto* offsets = buffer<std::int32_t>(rows, 1, column_);
      return {offsets[at], offsets[at + 1]};
    }
    const auto* offsets = buffer<std::int64_t>(rows, 1, column_);
    return {offsets[at], offsets[at + 1]};
  }
  void flush(const ArrowArray* child) {
    if (open_) entries_->add({child, from_, to_ - from_}, nullptr);
    open_ = false;
  }

  char offsets_;
  std::int64_t width_;
  std::unique_ptr<ArrowColumn> entries_;
  std::string column_;
  ListColumn out_;
  bool open_ = false;
  std::int64_t from_ = 0, to_ = 0;
  std::uint64_t total_ = 0;
};

// ---- which of these a type is ----

constexpr std::string_view kNumbers = "cCsSiIlLefg";
constexpr std::string_view kWholeNumbers = "cCsSiIlL";

std::int64_t per_second(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 1'000;
    case 'u':
      return 1'000'000;
    default:
      return 1'000'000'000;
  }
}

/// The layout of a type that holds texts, or whose cells are best written as texts.
std::optional<TextLayout> text_layout(std::string_view format) {
  if (format == "u" || format == "U" || format == "b" || format == "n")
    return TextLayout{format[0]};
  if (format == "vu") return TextLayout{'v'};
  if (format == "tdD") return TextLayout{'w', 'i', {CellWriter::Kind::day, 1, 1}};
  if (format == "tdm") return TextLayout{'w', 'l', {CellWriter::Kind::day, 1, 86'400'000}};
  if (format.size() >= 4 && format.starts_with("ts") && format[3] == ':')
    return TextLayout{'w', 'l', {CellWriter::Kind::moment, per_second(format[2]), 1}};
  return std::nullopt;
}

std::string in_words(std::string_view format) {
  if (format.starts_with("tt")) return "times of day";
  if (format.starts_with("tD")) return "durations";
  if (format.starts_with("ti")) return "intervals";
  if (format == "z" || format == "Z" || format == "vz" || format.starts_with("w:")) return "bytes";
  if (format.starts_with("d:")) return "decimals of more than 128 bits";
  if (format.starts_with("+s")) return "structs";
  if (format.starts_with("+m")) return "maps";
  if (format.starts_with("+u")) return "unions";
  if (format.starts_with("+r")) return "run-end encoded values";
  return "values of the Arrow type \"" + std::string(format) + "\"";
}

/// "d:PRECISION,SCALE", with ",128" or nothing behind.
std::optional<int> scale_of_decimal(const std::string& format) {
  int precision = 0, scale = 0, bits = 128;
  const int found = std::sscanf(format.c_str(), "d:%d,%d,%d", &precision, &scale, &bits);
  if (found < 2 || bits != 128 || scale < -40 || scale > 40) return std::nullopt;
  return scale;
}

/// polars says so of an Enum, whose categories are given, and not of a Categorical.
bool is_enum(const char* metadata) {
  if (metadata == nullptr) return false;
  std::int32_t pairs = 0;
  std::memcpy(&pairs, metadata, sizeof pairs);
  const char* at = metadata + sizeof pairs;
  for (std::int32_t i = 0; i < 2 * pairs; ++i) {
    std::int32_t length = 0;
    std::memcpy(&length, at, sizeof length);
    if (length < 0) return false;
    at += sizeof length;
    if (i % 2 == 0 &&
        std::string_view(at, static_cast<std::size_t>(length)).starts_with("_PL_ENUM"))
      return true;
    at += length;
  }
  return false;
}

}  // namespace

void check_array(const ArrowRows& rows, std::int64_t buffers, std::int64_t children,
                 const std::string& column) {
  const ArrowArray* a = rows.array;
  constexpr std::int64_t kMost = std::int64_t{1} << 48;
  if (a == nullptr) broken(column, "a column is missing");
  if (a->length < 0 || a->offset < 0 || a->length > kMost || a->offset > kMost)
    broken(column, "a length or an offset is out of range");
  if (rows.begin < 0 || rows.count < 0 || rows.begin + rows.count > a->length)
    broken(column, "a column is shorter than the table");
  if (a->n_buffers < buffers || (buffers > 0 && a->buffers == nullptr))
    broken(column, "a buffer is missing");
  if (a->n_children < children || (children > 0 && a->children == nullptr))
    broken(column, "a child is missing");
}

std::unique_ptr<ArrowColumn> arrow_column(const ArrowSchema& schema, const std::string& name) {
  const std::string format = schema.format;
  const auto refuse = [&](const std::string& what) -> std::unique_ptr<ArrowColumn> {
    throw InputError({"column \"" + name + "\"", "holds " + what + ", which no family describes",
                      "turn them into numbers or text, or leave the column out (ignore=)"});
  };
  if (schema.dictionary != nullptr) {
    if (schema.dictionary->format == nullptr) return refuse("a dictionary of nothing");
    const std::string values = schema.dictionary->format;
    const bool number = values.size() == 1 && kNumbers.find(values[0]) != std::string_view::npos;
    const auto layout = number ? std::optional(TextLayout{'0', values[0]}) : text_layout(values);
    if (!layout || format.size() != 1 || kWholeNumbers.find(format[0]) == std::string_view::npos)
      return refuse("a dictionary of " + in_words(values));
    const bool fixed = (schema.flags & kDictionaryOrdered) != 0 || is_enum(schema.metadata);
    return std::make_unique<Dictionary>(format[0], *layout, fixed, name);
  }
  if (format.size() == 1 && kNumbers.find(format[0]) != std::string_view::npos)
    return std::make_unique<Numbers>(format[0], name);
  if (const auto layout = text_layout(format)) return std::make_unique<Texts>(*layout, name);
  if (format.starts_with("d:")) {
    const auto scale = scale_of_decimal(format);
    return scale ? std::make_unique<Decimals>(*scale, name) : refuse(in_words(format));
  }
  const bool list = format == "+l" || format == "+L" || format.starts_with("+w:");
  if (!list || schema.n_children != 1 || schema.children == nullptr ||
      schema.children[0] == nullptr || schema.children[0]->format == nullptr)
    return refuse(in_words(format));
  if (std::string_view(schema.children[0]->format).starts_with("+"))
    return refuse("lists of lists");
  char kind = format == "+l" ? 'l' : format == "+L" ? 'L' : 'w';
  const std::int64_t width = kind == 'w' ? std::strtol(format.c_str() + 3, nullptr, 10) : 0;
  if (kind == 'w' && width <= 0) return refuse("empty lists");
  return std::make_unique<Lists>(kind, width, arrow_column(*schema.children[0], name), name);
}

}  // namespace medley::python
