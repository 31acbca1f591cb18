// SPDX-License-Identifier: Apache-2.0
#include "data/formats/detect.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "data/formats/numbers.hpp"
#include "data/stream_layout.hpp"

namespace medley::data {
namespace {

constexpr std::size_t kLinesSeen = 20;

constexpr std::array<std::pair<std::string_view, Format>, 19> kEndings = {{
    {".csv", Format::csv},           {".tsv", Format::tsv},           {".tab", Format::tsv},
    {".jsonl", Format::jsonl},       {".ndjson", Format::jsonl},      {".json", Format::jsonl},
    {".ldac", Format::ldac},         {".mtx", Format::mtx},           {".svm", Format::svmlight},
    {".svmlight", Format::svmlight}, {".libsvm", Format::svmlight},   {".txt", Format::column},
    {".sav", Format::sav},           {".zsav", Format::sav},          {".por", Format::por},
    {".dta", Format::dta},           {".sas7bdat", Format::sas7bdat}, {".xpt", Format::xpt},
    {".stream", Format::stream},
}};

/// The first whole lines that are neither blank nor a comment.
std::vector<std::string_view> first_lines(std::string_view head) {
  std::vector<std::string_view> lines;
  const bool all = head.size() < kDetectBytes;  // else the last line may be cut off
  while (!head.empty() && lines.size() < kLinesSeen) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && !all && !lines.empty()) break;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::string_view rest = line;
    const std::string_view first = next_field(rest);
    if (!first.empty() && !first.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

/// How many fields the line has if all are whole numbers, else 0.
std::size_t whole_numbers(std::string_view line) {
  std::size_t fields = 0;
  for (std::string_view f = next_field(line); !f.empty(); f = next_field(line), ++fields)
    if (!parse_whole(f)) return 0;
  return fields;
}

constexpr std::uint64_t kNoPromise = std::numeric_limits<std::uint64_t>::max();

struct Pairs {
  bool shaped = false;         ///< a first field, then only index:number
  std::uint64_t promised = 0;  ///< the first field, if it can be the number of pairs
  std::uint64_t found = 0;
};

Pairs pairs_of(std::string_view line) {
  Pairs pairs;
  line = line.substr(0, line.find('#'));
  const std::string_view first = next_field(line);
  if (!parse_number(first)) return pairs;
  pairs.promised = parse_whole(first).value_or(kNoPromise);
  for (std::string_view f = next_field(line); !f.empty(); f = next_field(line)) {
    const std::size_t colon = f.find(':');
    if (colon == std::string_view::npos || !parse_number(f.substr(colon + 1))) return pairs;
    if (f.starts_with("qid:")) {
      pairs.promised = kNoPromise;
      continue;
    }
    if (!parse_whole(f.substr(0, colon))) return pairs;
    ++pairs.found;
  }
  pairs.shaped = true;
  return pairs;
}

/// Before version 117: the version, the byte order (1 or 2) and a 1.
bool is_old_stata(std::string_view head) {
  if (head.size() < 4) return false;
  const auto version = static_cast<std::uint8_t>(head[0]);
  return version >= 102 && version <= 115 && (head[1] == 1 || head[1] == 2) && head[2] == 1;
}

}  // namespace

std::optional<Format> format_by_name(std::string_view path) {
  std::string name = core::lower(path.substr(path.find_last_of('/') + 1));
  for (const std::string_view archive : {".gz", ".zst"})
    if (name.ends_with(archive)) name.resize(name.size() - archive.size());
  if (name.starts_with("docword")) return Format::docword;
  for (const auto& [ending, format] : kEndings)
    if (name.ends_with(ending)) return format;
  return std::nullopt;
}

std::optional<Format> format_by_magic(std::string_view head) {
  constexpr std::string_view kSas(
      "\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60\xB3\x14\x11\xCF\xBD\x92\x08\x00\x09\xC7\x31\x8C"
      "\x18\x1F\x10\x11",
      32);
  head = head.substr(0, kMagicBytes);
  if (head.size() > 8 && head.substr(8).starts_with(kStreamMagic)) return Format::stream;
  if (head.starts_with("$FL2") || head.starts_with("$FL3")) return Format::sav;
  if (head.starts_with("<stata_dta>") || is_old_stata(head)) return Format::dta;
  if (head.starts_with(kSas)) return Format::sas7bdat;
  if (head.starts_with("HEADER RECORD*******LIB")) return Format::xpt;
  // Behind 200 bytes of greeting and a table of 256 characters, cut into lines of 80.
  const std::size_t portable = head.find("SPSSPORT");
  if (portable >= 456 && portable <= 456 + 12) return Format::por;
  return std::nullopt;
}

Format format_by_content(std::string_view head) {
  if (const std::optional<Format> binary = format_by_magic(head)) return *binary;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::vector<std::string_view> lines = first_lines(head);
  if (lines.empty()) return Format::csv;
  if (core::trimmed(lines[0]).starts_with('{')) return Format::jsonl;
  if (core::lower(lines[0].substr(0, 14)) == "%%matrixmarket") return Format::mtx;
  if (lines.size() >= 4 && whole_numbers(lines[0]) == 1 && whole_numbers(lines[1]) == 1 &&
      whole_numbers(lines[2]) == 1 && whole_numbers(lines[3]) == 3)
    return Format::docword;
  bool all_shaped = true, all_promised = true;
  std::uint64_t found = 0;
  for (const std::string_view line : lines) {
    const Pairs pairs = pairs_of(line);
    all_shaped = all_shaped && pairs.shaped;
    all_promised = all_promised && pairs.promised == pairs.found;
    found += pairs.found;
  }
  if (!all_shaped || found == 0) return Format::csv;
  return all_promised ? Format::ldac : Format::svmlight;
}

}  // namespace medley::data
