// SPDX-License-Identifier: Apache-2.0
#include "data/formats/statistical_parser.hpp"

#include <fmt/format.h>
#include <readstat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "data/formats/statistical_frames.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr std::int64_t kDaySeconds = 86400;
constexpr sys_days kSpssEpoch{std::chrono::year{1582} / 10 / 14};
constexpr sys_days kEpoch{std::chrono::year{1960} / 1 / 1};
// Far beyond every year we write and far below what overflows.
constexpr double kMostDays = 1e7;

/// In small letters, without width and decimals: "datetime" of "DATETIME22.3".
std::string bare_name(std::string_view shown) {
  const std::size_t last = shown.find_last_not_of("0123456789.");
  return core::lower(shown.substr(0, last == shown.npos ? 0 : last + 1));
}

template <std::size_t N>
bool is_one_of(const std::string& name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<DateUnit> spss_unit(std::string_view shown) {
  static constexpr std::array<std::string_view, 8> kDates = {"date",  "adate", "edate", "jdate",
                                                             "sdate", "qyr",   "moyr",  "wkyr"};
  static constexpr std::array<std::string_view, 2> kMoments = {"datetime", "ymdhms"};
  const std::string name = bare_name(shown);
  if (is_one_of(name, kDates)) return DateUnit::spss_date;
  if (is_one_of(name, kMoments)) return DateUnit::spss_moment;
  return std::nullopt;
}

/// %td..., %-td... (left-aligned) and %12td; %d is the old way to write %td.
std::optional<DateUnit> stata_unit(std::string_view shown) {
  if (!shown.starts_with('%')) return std::nullopt;
  shown.remove_prefix(std::min(shown.find_first_not_of("-0123456789", 1), shown.size()));
  if (shown.starts_with('d')) return DateUnit::days;
  if (!shown.starts_with('t') || shown.size() < 2) return std::nullopt;
  switch (shown[1]) {
    case 'd':
      return DateUnit::days;
    case 'c':
    case 'C':  // counts leap seconds too; at most half a minute off
      return DateUnit::milliseconds;
    case 'w':
      return DateUnit::weeks;
    case 'm':
      return DateUnit::months;
    case 'q':
      return DateUnit::quarters;
    case 'h':
      return DateUnit::half_years;
    default:
      return std::nullopt;
  }
}

std::optional<DateUnit> sas_unit(std::string_view shown) {
  static constexpr std::array<std::string_view, 12> kMoments = {
      "datetime", "dateampm", "dtdate",  "dtmonyy", "dtwkdatx", "dtyear",
      "dtyyqc",   "mdyampm",  "e8601dt", "b8601dt", "is8601dt", "e8601dn"};
  static constexpr std::array<std::string_view, 18> kDates = {
      "date",     "day",     "ddmmyy",   "downame", "julday",   "julian",
      "mmddyy",   "monname", "monyy",    "month",   "nengo",    "pdjulg",
      "weekdate", "weekday", "weekdatx", "year",    "worddate", "worddatx"};
  // Families of formats: YYMMDDD10 has dashes, MMYYS7 slashes, E8601DA is ISO.
  static constexpr std::array<std::string_view, 10> kDatePrefixes = {
      "ddmmyy", "mmddyy", "yymm", "mmyy", "yyq", "yymon", "qtr", "e8601da", "b8601da", "is8601da"};
  const std::string name = bare_name(shown);
  if (is_one_of(name, kMoments)) return DateUnit::seconds;
  if (is_one_of(name, kDates)) return DateUnit::days;
  for (const std::string_view prefix : kDatePrefixes)
    if (name.starts_with(prefix)) return DateUnit::days;
  return std::nullopt;
}

std::optional<std::string> day_text(sys_days day) {
  const std::chrono::year_month_day date(day);
  const int year = static_cast<int>(date.year());
  if (year < 1 || year > 9999) return std::nullopt;
  return fmt::format("{:04}-{:02}-{:02}", year, static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

/// `value` days after `epoch`, whose fraction is dropped.
std::optional<std::string> date_after(sys_days epoch, double value) {
  if (!(std::abs(value) < kMostDays)) return std::nullopt;
  return day_text(epoch + days(integer_of<std::int64_t>(std::floor(value))));
}

std::optional<std::string> moment_after(sys_days epoch, double seconds) {
  const double day_number = std::floor(seconds / static_cast<double>(kDaySeconds));
  std::optional<std::string> text = date_after(epoch, day_number);
  if (!text) return std::nullopt;
  const double rest = seconds - day_number * static_cast<double>(kDaySeconds);
  const std::int64_t second =
      std::clamp<std::int64_t>(nearest_integer_of<std::int64_t>(rest), 0, kDaySeconds - 1);
  return *text + fmt::format("T{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
}

/// The first day of the period `value` periods after 1960 began, `per_year` of them a year.
std::optional<std::string> period_start(double value, std::int64_t per_year) {
  if (!(std::abs(value) < kMostDays)) return std::nullopt;
  const double count = std::floor(value);
  const double years = std::floor(count / static_cast<double>(per_year));
  const auto within = integer_of<std::int64_t>(count - years * static_cast<double>(per_year));
  const double year = 1960 + years;
  if (year < 1 || year > 9999) return std::nullopt;
  const std::chrono::year in_year(integer_of<int>(year));
  if (per_year == 52) return day_text(sys_days{in_year / 1 / 1} + days(7 * within));
  const auto month = static_cast<unsigned>(1 + within * (12 / per_year));
  return day_text(sys_days{in_year / std::chrono::month(month) / 1});
}

}  // namespace

std::optional<DateUnit> date_unit(Format format, std::string_view shown) {
  switch (format) {
    case Format::sav:
    case Format::por:
      return spss_unit(shown);
    case Format::dta:
      return stata_unit(shown);
    case Format::sas7bdat:
    case Format::xpt:
      return sas_unit(shown);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> iso_date(DateUnit unit, double value) {
  switch (unit) {
    case DateUnit::spss_date:
      return date_after(kSpssEpoch, std::floor(value / static_cast<double>(kDaySeconds)));
    case DateUnit::spss_moment:
      return moment_after(kSpssEpoch, value);
    case DateUnit::days:
      return date_after(kEpoch, value);
    case DateUnit::seconds:
      return moment_after(kEpoch, value);
    case DateUnit::milliseconds:
      return moment_after(kEpoch, std::floor(value / 1000));
    case DateUnit::weeks:
      return period_start(value, 52);
    case DateUnit::months:
      return period_start(value, 12);
    case DateUnit::quarters:
      return period_start(value, 4);
    case DateUnit::half_years:
      return period_start(value, 2);
  }
  return std::nullopt;
}

namespace {

constexpr std::size_t kFlushAt = std::size_t{1} << 16;
constexpr std::chrono::seconds kHeartbeat{1};
// Whole numbers up to here are exact in a double.
constexpr double kLargestWhole = 9007199254740992.0;  // 2^53
constexpr std::string_view kUtf8 = "UTF-8";
// A missing range of at most so many whole numbers is listed in full, not only where it occurs.
constexpr double kListedRange = 20;

/// The shortest text that reads back as the same number, whole numbers in full.
template <typename Number>
std::string number_text(Number value) {
  std::array<char, 40> text{};
  std::to_chars_result written{};
  if (value == std::trunc(value) && std::abs(static_cast<double>(value)) < kLargestWhole) {
    written = std::to_chars(text.begin(), text.end(), integer_of<std::int64_t>(value));
  } else {
    written = std::to_chars(text.begin(), text.end(), value);
  }
  return {text.data(), written.ptr};
}

double number_of(readstat_value_t value) {
  switch (readstat_value_type(value)) {
    case READSTAT_TYPE_INT8:
      return static_cast<double>(static_cast<signed char>(readstat_int8_value(value)));
    case READSTAT_TYPE_INT16:
      return static_cast<double>(readstat_int16_value(value));
    case READSTAT_TYPE_INT32:
      return static_cast<double>(readstat_int32_value(value));
    case READSTAT_TYPE_FLOAT:
      return static_cast<double>(readstat_float_value(value));
    default:
      return readstat_double_value(value);
  }
}

bool is_string(readstat_value_t value) {
  return readstat_value_type_class(value) == READSTAT_TYPE_CLASS_STRING;
}

std::string_view string_of(readstat_value_t value) {
  const char* text = readstat_string_value(value);
  return text != nullptr ? std::string_view(text) : std::string_view();
}

/// Each byte as the letter of ISO 8859-1, whose letters are the first 256 of Unicode.
std::string letters_of(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) out.push_back(static_cast<char>(0xC0U | (byte >> 6U)));
    out.push_back(byte >= 0x80 ? static_cast<char>(0x80U | (byte & 0x3FU)) : c);
  }
  return out;
}

/// Of a number that is not missing, or a tagged missing value.
std::string code_text(readstat_value_t value) {
  if (readstat_value_is_tagged_missing(value) != 0)
    return std::string(".") + readstat_value_tag(value);
  if (readstat_value_type(value) == READSTAT_TYPE_FLOAT)
    return number_text(readstat_float_value(value));  // 0.1 and not 0.10000000149011612
  return number_text(number_of(value));
}

ParserError error_of(readstat_error_t error) {
  switch (error) {
    case READSTAT_ERROR_MALLOC:
      return ParserError::memory;
    case READSTAT_ERROR_READ:
    case READSTAT_ERROR_SEEK:
    case READSTAT_ERROR_ROW_COUNT_MISMATCH:
      return ParserError::cut_off;
    case READSTAT_ERROR_UNSUPPORTED_CHARSET:
    case READSTAT_ERROR_CONVERT:
    case READSTAT_ERROR_CONVERT_BAD_STRING:
    case READSTAT_ERROR_CONVERT_SHORT_STRING:
      return ParserError::charset;
    case READSTAT_ERROR_UNSUPPORTED_COMPRESSION:
    case READSTAT_ERROR_UNSUPPORTED_FILE_FORMAT_VERSION:
      return ParserError::version;
    default:
      return ParserError::damaged;
  }
}

class Parser {
 public:
  Parser(int input, const ParserOptions& options, core::FileWriter& output)
      : input_(input), options_(options), output_(output) {}

  void run() {
    const std::unique_ptr<readstat_parser_t, decltype(&readstat_parser_free)> parser(
        readstat_parser_init(), &readstat_parser_free);
    if (parser == nullptr) throw std::bad_alloc();
    set_input(parser.get());
    readstat_set_metadata_handler(parser.get(), [](readstat_metadata_t* metadata, void* self) {
      return guarded(self, [&](Parser& p) { return p.metadata(*metadata); });
    });
    readstat_set_variable_handler(
        parser.get(), [](int, readstat_variable_t* variable, const char* labels, void* self) {
          return guarded(self, [&](Parser& p) { return p.variable(variable, labels); });
        });
    readstat_set_fweight_handler(parser.get(), [](readstat_variable_t* variable, void* self) {
      return guarded(self, [&](Parser& p) { return p.weight(variable); });
    });
    readstat_set_value_label_handler(parser.get(), [](const char* labels, readstat_value_t value,
                                                      const char* label, void* self) {
      return guarded(self, [&](Parser& p) { return p.value_label(labels, value, label); });
    });
    readstat_set_value_handler(
        parser.get(), [](int, readstat_variable_t* variable, readstat_value_t value, void* self) {
          return guarded(self, [&](Parser& p) { return p.value(variable, value); });
        });
    if (options_.any_charset) readstat_set_handler_character_encoding(parser.get(), nullptr);
    finish(parse(parser.get()));
  }

 private:
  /// No exception may pass through ReadStat, which is C.
  template <typename Handle>
  static int guarded(void* self, const Handle& handle) {
    Parser& parser = *static_cast<Parser*>(self);
    try {
      handle(parser);
      return parser.own_error_ ? READSTAT_HANDLER_ABORT : READSTAT_HANDLER_OK;
    } catch (const std::bad_alloc&) {
      parser.own_error_ = ParserError::memory;
    } catch (...) {
      parser.own_error_ = ParserError::damaged;
    }
    return READSTAT_HANDLER_ABORT;
  }

  /// ReadStat opens nothing: the file is open already, and may be the only one.
  void set_input(readstat_parser_t* parser) {
    readstat_set_open_handler(parser, [](const char*, void*) { return 0; });
    readstat_set_close_handler(parser, [](void*) { return 0; });
    readstat_set_seek_handler(
        parser, [](readstat_off_t offset, readstat_io_flags_t whence, void* self) -> off_t {
          const int from = whence == READSTAT_SEEK_SET   ? SEEK_SET
                           : whence == READSTAT_SEEK_CUR ? SEEK_CUR
                                                         : SEEK_END;
          return ::lseek(static_cast<Parser*>(self)->input_, offset, from);
        });
    readstat_set_read_handler(parser, [](void* to, std::size_t bytes, void* self) {
      return static_cast<Parser*>(self)->read(to, bytes);
    });
    readstat_set_update_handler(
        parser, [](long, readstat_progress_handler, void*, void*) { return READSTAT_OK; });
    readstat_set_io_ctx(parser, this);
  }

  ssize_t read(void* to, std::size_t bytes) {
    if (std::chrono::steady_clock::now() - last_write_ > kHeartbeat) {
      put_frame(frames_, Frame::alive);
      flush();
    }
    for (;;) {
      const ssize_t got = ::read(input_, to, bytes);
      if (got >= 0 || errno != EINTR) return got;
    }
  }

  readstat_error_t parse(readstat_parser_t* parser) {
    switch (options_.format) {
      case Format::por:
        return readstat_parse_por(parser, "", this);
      case Format::dta:
        return readstat_parse_dta(parser, "", this);
      case Format::sas7bdat:
        return readstat_parse_sas7bdat(parser, "", this);
      case Format::xpt:
        return readstat_parse_xport(parser, "", this);
      default:
        return readstat_parse_sav(parser, "", this);  // .zsav too
    }
  }

  void metadata(readstat_metadata_t& metadata) {
    const char* charset = readstat_get_file_encoding(&metadata);
    byte_is_letter_ = options_.any_charset && (charset == nullptr || charset != kUtf8);
    if (metadata.row_count < 0) return;  // not known to this format
    put_frame(frames_, Frame::rows);
    put_number(frames_, static_cast<std::uint64_t>(metadata.row_count));
  }

  [[nodiscard]] std::string text(const char* chars) const {
    const std::string_view bytes = chars != nullptr ? std::string_view(chars) : std::string_view();
    return byte_is_letter_ ? letters_of(bytes) : std::string(bytes);
  }
  [[nodiscard]] std::string code(readstat_value_t value) const {
    return is_string(value) ? text(readstat_string_value(value)) : code_text(value);
  }

  std::vector<std::string> declared_missing(const readstat_variable_t* variable) const {
    std::vector<std::string> codes;
    for (int i = 0; i < readstat_variable_get_missing_ranges_count(variable); ++i) {
      const readstat_value_t low = readstat_variable_get_missing_range_lo(variable, i);
      const readstat_value_t high = readstat_variable_get_missing_range_hi(variable, i);
      if (is_string(low) || is_string(high)) {
        if (string_of(low) == string_of(high)) codes.push_back(code(low));
        continue;
      }
      const double first = number_of(low), last = number_of(high);
      if (first == last) {
        codes.push_back(number_text(first));
      } else if (first == std::trunc(first) && last - first < kListedRange) {
        for (double code = first; code <= last; ++code) codes.push_back(number_text(code));
      }
    }
    return codes;
  }

  void variable(const readstat_variable_t* variable, const char* labels) {
    put_frame(frames_, Frame::variable);
    put_text(frames_, text(readstat_variable_get_name(variable)));
    put_text(frames_, text(readstat_variable_get_label(variable)));
    put_text(frames_, text(labels));
    const std::vector<std::string> missing = declared_missing(variable);
    put_number(frames_, missing.size());
    for (const std::string& code : missing) put_text(frames_, code);
    order_.push_back(readstat_variable_get_index(variable));
    dates_.push_back(date_unit(options_.format, text(readstat_variable_get_format(variable))));
    flush_if_full();
  }

  void weight(const readstat_variable_t* variable) {
    put_frame(frames_, Frame::weight);
    put_text(frames_, text(readstat_variable_get_name(variable)));
  }

  void value_label(const char* labels, readstat_value_t value, const char* label) {
    if (labels == nullptr || label == nullptr) return;
    put_frame(frames_, Frame::label);
    put_text(frames_, text(labels));
    put_text(frames_, code(value));
    put_text(frames_, text(label));
    flush_if_full();
  }

  /// Cells come row by row, each row in the order of the variables.
  void value(readstat_variable_t* variable, readstat_value_t value) {
    const std::size_t at = cells_in_row_;
    if (at >= order_.size() || order_[at] != readstat_variable_get_index(variable)) {
      own_error_ = ParserError::damaged;
      return;
    }
    put_value(variable, value, dates_[at]);
    if (++cells_in_row_ < order_.size()) return;
    // Only whole rows go out: a sign of life may come between them.
    put_frame(frames_, Frame::row);
    frames_ += row_;
    row_.clear();
    cells_in_row_ = 0;
    ++rows_;
    flush_if_full();
  }

  void put_value(readstat_variable_t* variable, readstat_value_t value,
                 const std::optional<DateUnit>& date) {
    if (is_string(value)) {
      const std::string_view bytes = string_of(value);
      if (bytes.size() > kLongestText / 2) own_error_ = ParserError::long_text;  // may double
      const bool missing = readstat_value_is_defined_missing(value, variable) != 0;
      put_cell(row_, byte_is_letter_ ? letters_of(bytes) : bytes, missing);
      return;
    }
    const bool tagged = readstat_value_is_tagged_missing(value) != 0;
    const bool blank = readstat_value_is_system_missing(value) != 0 || std::isnan(number_of(value));
    if (!tagged && blank) {
      put_missing_cell(row_);
    } else if (tagged || readstat_value_is_defined_missing(value, variable) != 0) {
      put_cell(row_, code_text(value), true);
    } else {
      const std::optional<std::string> day =
          date ? iso_date(*date, number_of(value)) : std::nullopt;
      put_cell(row_, day ? *day : code_text(value), false);
    }
  }

  void finish(readstat_error_t error) {
    if (own_error_ || error != READSTAT_OK) {
      put_frame(frames_, Frame::failed);
      put_number(frames_, static_cast<std::uint64_t>(own_error_.value_or(error_of(error))));
    } else {
      put_frame(frames_, Frame::end);
      put_number(frames_, rows_);
    }
    flush();
  }

  void flush_if_full() {
    if (frames_.size() >= kFlushAt) flush();
  }
  void flush() {
    output_.write(frames_);
    frames_.clear();
    last_write_ = std::chrono::steady_clock::now();
  }

  int input_;
  ParserOptions options_;
  core::FileWriter& output_;
  std::string frames_;  // whole frames, not yet written
  std::string row_;     // cells of the row that is being read
  std::size_t cells_in_row_ = 0;
  std::uint64_t rows_ = 0;
  std::vector<int> order_;  // ReadStat's index of each variable
  std::vector<std::optional<DateUnit>> dates_;
  std::optional<ParserError> own_error_;
  bool byte_is_letter_ = false;
  std::chrono::steady_clock::time_point last_write_ = std::chrono::steady_clock::now();
};

}  // namespace

void parse_statistical(int input, const ParserOptions& options, core::FileWriter& output) {
  Parser(input, options, output).run();
}

}  // namespace medley::data
