// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all, whatever happens on the way.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace medley {

/// A file that is being written. The bytes go to a temporary file beside it (`PATH.tmp-` and six
/// random letters), which nobody else can have prepared; commit() syncs it, gives it its name and
/// syncs the folder. Until then an older file of that name is untouched, and afterwards the new one
/// has its permissions. A link stays a link: the file it points to is replaced. What runs that were
/// killed left of the same file is removed on the way; runs that are still writing keep theirs.
class WholeFile {
 public:
  /// Throws InputError if the path is no place for a file, RunError if none can be made there.
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  /// Without commit() nothing stays.
  ~WholeFile();

  /// Throws RunError (a full disk, say), and so does commit().
  void write(std::string_view bytes);
  void commit();
  /// The name of the temporary file, for handlers of signals that end the process.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

 private:
  void create(unsigned mode);
  void flush();
  void write_through(std::string_view bytes);

  std::string path_;    ///< as given, for messages
  std::string target_;  ///< the file itself, links resolved
  std::string temporary_;
  std::string buffer_;
  int file_ = -1;
};

/// Removes what killed runs left of the file `path`, as every WholeFile does.
void remove_abandoned(const std::string& path);
/// The same for all files of a folder. Returns how many files were removed.
std::size_t remove_abandoned_in(const std::string& folder);

}  // namespace medley
