// SPDX-License-Identifier: Apache-2.0
// NAME=FILE arguments: "words=docs.ldac" is a named source, "docs.ldac" an unnamed one.
#include "data/open.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "data/formats/detect.hpp"
#include "data/formats/documents.hpp"
#include "data/formats/statistical.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley {
namespace {

// Bytes above 127 belong to UTF-8 letters; a file name with '=' in it can be written ./a=b.csv.
bool is_name_byte(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c >= 0x80;
}

}  // namespace

Source parse_source(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals == std::string::npos ? 0 : equals);
  const bool named = !name.empty() && name.front() != '.' && name.front() != '-' &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       return is_name_byte(static_cast<unsigned char>(c));
                     });
  Source source{named ? name : "", named ? argument.substr(equals + 1) : argument};
  if (source.path.empty()) {
    throw InputError({"\"" + argument + "\"", "no file is named",
                      "give a path, NAME=PATH, or - for standard input"});
  }
  return source;
}

}  // namespace medley

namespace medley::data {

namespace {

// Looks at the beginning of a stream without losing it: standard input cannot be opened twice.
class PeekedSource final : public core::ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<core::ByteSource> rest) : rest_(std::move(rest)) {
    while (head_.size() < kDetectBytes) {
      const std::string_view piece = rest_->next();
      if (piece.empty()) break;
      head_ += piece;
    }
  }
  [[nodiscard]] std::string_view head() const { return head_; }
  [[nodiscard]] const std::string& name() const override { return rest_->name(); }

  std::string_view next() override {
    if (std::exchange(replayed_, true) || head_.empty()) return rest_->next();
    return head_;
  }

 private:
  std::unique_ptr<core::ByteSource> rest_;
  std::string head_;
  bool replayed_ = false;
};

bool is_of_kind(Format format, SourceKind kind) {
  switch (kind) {
    case SourceKind::table:
      return format == Format::csv || format == Format::tsv || format == Format::jsonl ||
             is_statistical(format);
    case SourceKind::column:
      return format == Format::column || format == Format::text;
    case SourceKind::triplets:
      return format == Format::triplets;
    case SourceKind::tokens:
      return format == Format::ldac || format == Format::docword || format == Format::mtx ||
             format == Format::svmlight;
  }
  return false;
}

bool is_text(Format format) {
  return format != Format::stream && !is_statistical(format);
}

// The format that was asked for.
Format format_asked(const Source& source, const ReadOptions& options) {
  const auto own = options.format_of.find(source.name);
  return own != options.format_of.end() ? own->second : options.format;
}

// What is known without opening the file.
std::optional<Format> format_told(const Source& source, const ReadOptions& options,
                                  std::optional<SourceKind> kind) {
  const Format told = format_asked(source, options);
  if (told != Format::automatic) return told;
  const std::optional<Format> by_name = format_by_name(source.path);
  if (!kind) return by_name;
  if (*kind == SourceKind::triplets) return Format::triplets;
  // A name such as docs.txt says little once the schema knows better.
  if (by_name && is_of_kind(*by_name, *kind)) return by_name;
  if (!by_name && *kind == SourceKind::column) return Format::column;
  if (by_name && *by_name != Format::column) return by_name;
  return std::nullopt;
}

}  // namespace

bool reads_documents(const Source& source, const ReadOptions& options) {
  const Format asked = format_asked(source, options);
  return (asked == Format::automatic || asked == Format::text) && is_corpus(source.path);
}

OpenSource open_source(const Source& source, const ReadOptions& options,
                       std::optional<SourceKind> kind) {
  OpenSource opened{core::ByteSource::open(source.path), Format::csv};
  std::optional<Format> told = format_told(source, options, kind);
  if (!told) {
    auto raw = std::make_unique<PeekedSource>(std::move(opened.bytes));
    told = format_by_magic(raw->head());
    opened.bytes = std::move(raw);
  }
  if (!told || is_text(*told)) {
    std::unique_ptr<DecodedSource> text = decoded(std::move(opened.bytes), options.encoding);
    opened.text = text.get();
    opened.bytes = std::move(text);
  }
  if (told) {
    opened.format = *told;
    return opened;
  }
  auto peeked = std::make_unique<PeekedSource>(std::move(opened.bytes));
  opened.format = format_by_content(peeked->head());
  opened.bytes = std::move(peeked);
  return opened;
}

}  // namespace medley::data
