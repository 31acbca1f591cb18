// SPDX-License-Identifier: Apache-2.0
#include "data/formats/statistical.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "core/child_process.hpp"
#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/detect.hpp"
#include "data/formats/dictionary.hpp"
#include "data/formats/statistical_frames.hpp"
#include "data/formats/statistical_parser.hpp"
#include "data/message_text.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t kMostVariables = std::size_t{1} << 20;
constexpr const char* kIncomplete = "the file is cut off or damaged; get a fresh copy";

/// With every byte that is not part of UTF-8 replaced.
std::string well_formed(std::string_view text) {
  std::string out;
  for (std::size_t bad = core::find_invalid_utf8(text); bad != std::string_view::npos;
       bad = core::find_invalid_utf8(text)) {
    out += text.substr(0, bad);
    out += kReplacement;
    text.remove_prefix(bad + 1);
  }
  return out += text;
}

/// Numbers and texts out of a stream whose pieces end anywhere.
class FrameReader {
 public:
  explicit FrameReader(core::ByteSource& source) : source_(source) {}
  [[nodiscard]] const std::string& name() const { return source_.name(); }

  [[noreturn]] void refuse() const {
    throw InputError({name(), "could not be read: the reader's answer makes no sense",
                      "the file is damaged or made to do harm; get a fresh copy"});
  }

  char byte() {
    if (piece_.empty()) piece_ = source_.next();
    if (piece_.empty()) refuse();  // the last frame was none of those that end the stream
    const char first = piece_.front();
    piece_.remove_prefix(1);
    return first;
  }

  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(this->byte());
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) return number;
    }
    refuse();
  }

  /// Well-formed and trimmed; valid until the next call.
  std::string_view text() { return text(number()); }
  std::string_view text(std::uint64_t bytes) {
    if (bytes > kLongestText) refuse();
    if (piece_.size() >= bytes && bytes > 0) {  // the usual case: nothing is copied
      const std::string_view whole = piece_.substr(0, bytes);
      piece_.remove_prefix(bytes);
      return cleaned(whole);
    }
    joined_.clear();
    while (joined_.size() < bytes) {
      joined_.push_back(byte());
      const std::size_t more = std::min<std::size_t>(piece_.size(), bytes - joined_.size());
      joined_ += piece_.substr(0, more);
      piece_.remove_prefix(more);
    }
    return cleaned(joined_);
  }

 private:
  std::string_view cleaned(std::string_view text) {
    if (core::find_invalid_utf8(text) != std::string_view::npos) {
      made_ = well_formed(text);
      text = made_;
    }
    return core::trimmed(text);
  }

  core::ByteSource& source_;
  std::string_view piece_;
  std::string joined_, made_;
};

using LabelList = std::vector<std::pair<std::string, std::string>>;

struct Variable {
  std::string name, title, labels;
  ColumnBuilder cells;
  Dictionary missing_codes;
};

class TableBuilder {
 public:
  TableBuilder(core::ByteSource& stream, const IsMissing& is_missing, std::size_t memory_limit)
      : frames_(stream), is_missing_(is_missing), memory_(memory_limit, stream.name()) {}

  StatisticalTable run() {
    while (!done_) take(static_cast<Frame>(frames_.byte()));
    if (result_.failed) return std::move(result_);
    check_rows();
    for (Variable& variable : variables_) finish(variable);
    for (std::uint64_t row = 1; row <= result_.rows; ++row) result_.table.line.push_back(row);
    return std::move(result_);
  }

 private:
  void take(Frame frame) {
    switch (frame) {
      case Frame::variable:
        return take_variable();
      case Frame::label:
        return take_label();
      case Frame::rows:
        promised_ = frames_.number();
        return;
      case Frame::weight:
        result_.weight = text_kept();
        return;
      case Frame::row:
        return take_row();
      case Frame::alive:
        return;
      case Frame::failed:
        result_.failed = frames_.number();
        done_ = true;
        return;
      case Frame::end:
        if (frames_.number() != result_.rows) frames_.refuse();
        done_ = true;
        return;
    }
    frames_.refuse();
  }

  std::string text_kept() {
    const std::string_view text = frames_.text();
    memory_.add(Dictionary::cost(text));
    return std::string(text);
  }

  void add_missing_code(Variable& variable, std::string_view code) {
    if (code.empty() || variable.missing_codes.find(code) != kMissingCode) return;
    memory_.add(Dictionary::cost(code));
    variable.missing_codes.add(code);
  }

  void take_variable() {
    if (result_.rows > 0 || variables_.size() == kMostVariables) frames_.refuse();
    memory_.add(sizeof(Variable) + sizeof(RawColumn));
    Variable variable;
    variable.name = text_kept();
    if (variable.name.empty()) variable.name = "column_" + std::to_string(variables_.size() + 1);
    variable.title = text_kept();
    variable.labels = text_kept();
    for (std::uint64_t left = frames_.number(); left > 0; --left)
      add_missing_code(variable, frames_.text());
    variables_.push_back(std::move(variable));
  }

  void take_label() {
    const std::string set(frames_.text());
    auto labels = labels_.find(set);
    if (labels == labels_.end()) {
      memory_.add(Dictionary::cost(set));
      labels = labels_.emplace(set, LabelList()).first;
    }
    std::string code = text_kept();
    std::string label = text_kept();
    if (!code.empty()) labels->second.emplace_back(std::move(code), std::move(label));
  }

  void take_row() {
    if (variables_.empty()) frames_.refuse();
    memory_.add(variables_.size() * sizeof(std::uint32_t) + sizeof(std::uint64_t));
    for (Variable& variable : variables_) {
      const std::uint64_t head = frames_.number();
      const std::string_view cell = head == 0 ? std::string_view() : frames_.text((head - 1) / 2);
      variable.cells.add(cell, is_missing_, memory_);
      if (head != 0 && (head - 1) % 2 == 1) add_missing_code(variable, cell);
    }
    ++result_.rows;
  }

  void check_rows() const {
    if (promised_ && *promised_ != result_.rows) {
      throw InputError({frames_.name(),
                        "says it has " + counted(*promised_, "row") + ", but there are " +
                            std::to_string(result_.rows),
                        kIncomplete});
    }
    if (variables_.empty())
      throw InputError({frames_.name(), "holds no variables", "check that the file is complete"});
    if (result_.rows == 0)
      throw InputError(
          {frames_.name(), "holds variables and no rows", "check that the file is complete"});
  }

  void finish(Variable& variable) {
    RawColumn column;
    column.name = std::move(variable.name);
    column.title = std::move(variable.title);
    column.distinct = variable.cells.take_distinct();
    column.code = variable.cells.take_codes();
    column.missing_codes = variable.missing_codes.take();
    const auto labels = labels_.find(variable.labels);
    if (!variable.labels.empty() && labels != labels_.end()) {
      // A hostile file shares one long list among many variables.
      for (const auto& [code, label] : labels->second)
        memory_.add(Dictionary::cost(code) + Dictionary::cost(label));
      column.value_labels = labels->second;
    }
    result_.table.columns.push_back(std::move(column));
  }

  FrameReader frames_;
  const IsMissing& is_missing_;
  core::MemoryGuard memory_;
  std::vector<Variable> variables_;
  std::unordered_map<std::string, LabelList> labels_;
  std::optional<std::uint64_t> promised_;
  bool done_ = false;
  StatisticalTable result_;
};

}  // namespace

StatisticalTable read_statistical_frames(core::ByteSource& stream, const IsMissing& is_missing,
                                         std::size_t memory_limit) {
  return TableBuilder(stream, is_missing, memory_limit).run();
}

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

std::string program_of(Format format) {
  if (format == Format::dta) return "a Stata file";
  return format == Format::sav || format == Format::por ? "an SPSS file" : "a SAS file";
}

/// The open file. core::ByteSource has checked that it can be read and said so in words if not.
class InputFile {
 public:
  explicit InputFile(const std::string& path) {
    if (path == "-")
      throw InputError({"standard input", "an SPSS, Stata or SAS file cannot be read from there",
                        "give the name of a file"});
    (void)core::ByteSource::open(path);
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (file_ < 0 || ::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
      if (file_ >= 0) ::close(file_);
      throw InputError({path, "is not a plain file", "give a file on disk"});
    }
    size_ = static_cast<std::size_t>(status.st_size);
  }
  ~InputFile() { ::close(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] int number() const { return file_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Where the child begins to read; parent and child share the position.
  void rewind() const { ::lseek(file_, 0, SEEK_SET); }
  [[nodiscard]] std::string head() const {
    std::string head(kMagicBytes, '\0');
    const ssize_t got = ::pread(file_, head.data(), head.size(), 0);
    head.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return head;
  }

 private:
  int file_ = -1;
  std::size_t size_ = 0;
};

void check_head(const InputFile& file, const std::string& path, Format format) {
  const std::string head = file.head();
  if (head.starts_with("\x1F\x8B") || head.starts_with("\x28\xB5\x2F\xFD")) {
    throw InputError({path, "compressed SPSS, Stata and SAS files are not read",
                      "decompress it first, with gunzip or unzstd"});
  }
  const std::optional<Format> found = format_by_magic(head);
  if (found == format) return;
  // A portable file in a character set of its own has no beginning that we would know.
  if (!found && format == Format::por) return;
  throw InputError({path, "does not begin as " + program_of(format) + " does",
                    found ? "it looks like " + program_of(*found) + "; say so with `format`"
                          : "it is something else, or damaged"});
}

core::ChildLimits limits_for(std::size_t bytes, const StatisticalOptions& options) {
  core::ChildLimits limits;
  // ReadStat holds a description of every variable, a row, and the long texts of Stata files.
  limits.memory = 512 * kMegabyte + 4 * bytes;
  if (options.memory_limit != 0)
    limits.memory = std::max(std::min(limits.memory, options.memory_limit), 16 * kMegabyte);
  // It parses some 100 MB a second.
  limits.processor_seconds =
      options.processor_seconds != 0
          ? options.processor_seconds
          : 30 + static_cast<unsigned>(std::min(bytes / kMegabyte, kMegabyte));
  return limits;
}

[[noreturn]] void give_up(const std::string& path, const StatisticalTable& read, Format format) {
  const std::string whole = "could not be read as " + program_of(format);
  const std::string after =
      read.rows > 0 ? " after " + counted(read.rows, "row") : std::string(" before the first row");
  const std::string fresh = "get a fresh copy of the file";
  switch (static_cast<ParserError>(*read.failed)) {
    case ParserError::memory:
      throw InputError({path, whole + ": it asks for more memory than is allowed",
                        "it is damaged or made to do harm; " + fresh});
    case ParserError::cut_off:
      throw InputError({path, whole + ": it ends" + after, "it is cut off; " + fresh});
    case ParserError::version:
      throw InputError({path, whole + ": this version of the format is not known",
                        "save it again in an older version, or as CSV"});
    case ParserError::charset:
      throw InputError({path, whole + ": its text is in no character set we know",
                        "save it again with Unicode text, or as CSV"});
    case ParserError::long_text:
      throw InputError(
          {path,
           whole + ": a text in row " + std::to_string(read.rows + 1) + " is longer than 8 MB",
           "save it without that variable"});
    case ParserError::damaged:
      break;
  }
  throw InputError({path, whole + ": it breaks the rules of the format" + after,
                    "it is cut off or damaged; " + fresh});
}

class StatisticalReader {
 public:
  StatisticalReader(const std::string& path, const StatisticalOptions& options)
      : path_(path), options_(options), file_(path) {}

  RawTable run() {
    check_head(file_, path_, options_.format);
    StatisticalTable read = parse(false);
    if (read.failed == static_cast<std::uint64_t>(ParserError::charset)) {
      read = parse(true);
      warn("its text is not in the character set it declares; letters beyond a-z may be wrong");
    }
    if (read.failed) give_up(path_, read, options_.format);
    if (!read.weight.empty() && read.weight != options_.weight) {
      warn("the file declares a weight variable; use " + core::setting("weight", read.weight));
    }
    return std::move(read.table);
  }

 private:
  StatisticalTable parse(bool any_charset) {
    file_.rewind();
    const ParserOptions how{options_.format, any_charset};
    const auto stream = core::run_in_child(
        path_, file_.number(), limits_for(file_.size(), options_),
        [&](core::FileWriter& output) { parse_statistical(file_.number(), how, output); });
    return read_statistical_frames(*stream, options_.is_missing, options_.memory_limit);
  }

  void warn(const std::string& what) const {
    if (options_.warnings != nullptr) options_.warnings->push_back(path_ + ": " + what);
  }

  const std::string& path_;
  const StatisticalOptions& options_;
  InputFile file_;
};

}  // namespace

bool is_statistical(Format format) {
  constexpr std::array kFormats = {Format::sav, Format::por, Format::dta, Format::sas7bdat,
                                   Format::xpt};
  return std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end();
}

RawTable read_statistical(const std::string& path, const StatisticalOptions& options) {
  return StatisticalReader(path, options).run();
}

}  // namespace medley::data
