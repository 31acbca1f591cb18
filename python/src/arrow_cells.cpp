// SPDX-License-Identifier: Apache-2.0
// Which column reads which type.
#include "arrow_cells.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "arrow_layout.hpp"

namespace medley::python {
namespace {

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
    return dictionary_column(format[0], *layout, fixed, name);
  }
  if (format.size() == 1 && kNumbers.find(format[0]) != std::string_view::npos)
    return number_column(format[0], name);
  if (const auto layout = text_layout(format)) return text_column(*layout, name);
  if (format.starts_with("d:")) {
    const auto scale = scale_of_decimal(format);
    return scale ? decimal_column(*scale, name) : refuse(in_words(format));
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
  return list_column(kind, width, arrow_column(*schema.children[0], name), name);
}
}  // namespace medley::python
