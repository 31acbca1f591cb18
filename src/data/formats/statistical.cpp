// SPDX-License-Identifier: Apache-2.0
#include "data/formats/statistical.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/child_process.hpp"
#include "core/text.hpp"
#include "data/formats/detect.hpp"
#include "data/formats/statistical_parser.hpp"
#include "data/formats/statistical_table.hpp"
#include "data/wording.hpp"
#include "medley/error.hpp"

namespace medley::data {
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
