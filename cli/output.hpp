// SPDX-License-Identifier: Apache-2.0
// Where results go: standard output, or a file that appears whole or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "medley/io.hpp"

namespace medley::cli {

/// Thrown when the reader of our standard output has gone (`| head`): the program ends without a
/// word.
struct PipeClosed {};

/// Whether text holds names from files as they are, or was made safe for terminals where it was
/// made.
enum class Text { as_in_files, safe };

/// Text written piece by piece. A file appears whole, by commit(), or not at all (medley/io.hpp).
/// On a terminal, control characters are replaced unless the text is safe.
class Output {
 public:
  /// An empty path or "-" is standard output.
  explicit Output(const std::string& path, Text text = Text::as_in_files);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  /// Throws RunError if it cannot be written, PipeClosed if nobody reads, Interrupted if a signal
  /// asks to stop.
  void write(std::string_view text);
  /// Writes what is left and gives the file its name.
  void commit();

 private:
  void flush();
  void write_out(std::string_view text);
  [[noreturn]] void fail(int cause);

  std::string path_;                 ///< as given, for messages; empty: standard output
  std::unique_ptr<WholeFile> file_;  ///< null: written in place (a device or a pipe)
  std::string buffer_;
  int descriptor_ = -1;
  bool make_safe_ = false;
};

/// Writes a whole text to standard output or a file.
void write_text(const std::string& path, std::string_view text, Text kind = Text::as_in_files);

/// A file that is about to be written, with the option that named it.
struct Destination {
  std::string option, path;
};
/// Throws InputError if a destination is a directory, lies in a folder that is not there, or is one
/// of the files being read or another destination. Empty paths and "-" are skipped.
void check_destinations(const std::vector<Destination>& destinations,
                        const std::vector<std::string>& inputs);

}  // namespace medley::cli
