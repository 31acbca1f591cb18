// SPDX-License-Identifier: Apache-2.0
// The course of a fit as CSV, one line per iteration, readable while the fit runs.
#pragma once

#include <fstream>
#include <string>

#include "medley/options.hpp"

namespace medley::cli {

class TraceFile {
 public:
  /// An empty path writes nothing. A resumed fit continues an existing file.
  TraceFile(const std::string& path, bool resume);
  void add(const Progress& progress);
  /// Throws RunError if anything could not be written; a trace never stops the fit it follows.
  void finish();

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace medley::cli
