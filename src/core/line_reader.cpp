// SPDX-License-Identifier: Apache-2.0
// Lines out of pieces: a line inside one piece is a view of it, only one that spans pieces is
// copied.
#include <algorithm>

#include "core/files.hpp"
#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

constexpr std::size_t kLinesInMemory = 16;
constexpr std::size_t kShortestLimit = std::size_t{1} << 16;

}  // namespace

std::size_t longest_text(std::size_t memory_limit) {
  if (memory_limit == 0) return LineReader::kMaxLine;
  return std::clamp(memory_limit / kLinesInMemory, kShortestLimit, LineReader::kMaxLine);
}

LineReader::LineReader(ByteSource& source, std::size_t memory_limit)
    : source_(source), longest_(longest_text(memory_limit)) {}

bool LineReader::next(std::string_view& line) {
  stop_if_asked();
  joined_.clear();
  for (;;) {
    if (piece_.empty() && !done_) {
      advance(number_ - told_);
      told_ = number_;
      piece_ = source_.next();
      done_ = piece_.empty();
    }
    const std::size_t end = piece_.find('\n');
    const std::string_view part = piece_.substr(0, end);
    if (part.size() > longest_ - joined_.size()) {
      throw InputError({source_.name() + ":" + std::to_string(number_ + 1),
                        "the line is longer than " + std::to_string(longest_) + " bytes",
                        longest_ < kMaxLine
                            ? "is this a text file with line ends? If so, raise the memory limit"
                            : "this does not look like a text file with line ends"});
    }
    if (end == std::string_view::npos) {
      joined_.append(part);
      piece_ = {};
      if (!done_) continue;
      if (joined_.empty()) return false;
      line = joined_;  // the last line, without its end
      ++number_;
      return true;
    }
    piece_.remove_prefix(end + 1);
    line = part;
    if (!joined_.empty()) line = joined_.append(part);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
  }
}

}  // namespace medley::core
