// SPDX-License-Identifier: Apache-2.0
// Lines out of pieces: a line inside one piece is a view of it, only one that spans pieces is
// copied.
#include "core/files.hpp"
#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::core {

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
    if (part.size() > kMaxLine - joined_.size()) {
      throw InputError({source_.name() + ":" + std::to_string(number_ + 1),
                        "the line is longer than " + std::to_string(kMaxLine) + " bytes",
                        "this does not look like a text file with line ends"});
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
