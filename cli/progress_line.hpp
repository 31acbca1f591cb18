// SPDX-License-Identifier: Apache-2.0
// The progress of a fit on stderr: one line that is redrawn on a terminal, a plain line now and
// then elsewhere.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "medley/options.hpp"

namespace medley::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  void show(const Progress& progress);
  /// Says something on a line of its own, also when progress is not to be shown.
  void note(const std::string& sentence);
  /// Shows the last state that was skipped and ends the line.
  void finish();

 private:
  void draw(const Progress& progress);

  bool quiet_, redraw_, coloured_;
  bool drawn_ = false;    ///< the terminal's line holds something
  bool pending_ = false;  ///< last_ has not been shown
  Progress last_;
  std::optional<double> score_;  ///< the last one there was
  std::chrono::steady_clock::time_point next_;
};

}  // namespace medley::cli
