// SPDX-License-Identifier: Apache-2.0
#include "trace_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "csv.hpp"
#include "medley/error.hpp"

namespace medley::cli {

TraceFile::TraceFile(const std::string& path, bool resume) : path_(path) {
  if (path_.empty()) return;
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path_, ignored);
  const bool append = resume && !ignored && size > 0;
  file_.open(path_, append ? std::ios::app : std::ios::trunc);
  if (!file_) throw RunError(fmt::format("could not write the trace \"{}\"", path_));
  if (!append)
    file_ << "iteration,seconds,rows_seen,bound,change,score,leave_one_out,restart,stage\n"
          << std::flush;
}

void TraceFile::add(const Progress& p) {
  if (path_.empty() || !file_ || p.iteration == 0) return;  // 0: no iteration of the fit
  CsvLine line;
  const auto add_if = [&](bool there, double value) {
    if (there) {
      line.add(value);
    } else {
      line.add("");
    }
  };
  line.add(p.iteration).add(p.seconds).add(p.rows_seen);
  add_if(!p.leave_one_out, p.bound);
  line.add(p.change);
  add_if(p.score.has_value(), p.score.value_or(0));
  add_if(p.leave_one_out, p.bound);
  line.add(p.restart + 1).add(p.stage);
  file_ << line.take() << std::flush;
}

void TraceFile::finish() {
  if (path_.empty()) return;
  file_.close();
  if (!file_)
    throw RunError(
        fmt::format("could not write all of the trace \"{}\"; the model is complete", path_));
}

}  // namespace medley::cli
