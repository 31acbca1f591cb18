// SPDX-License-Identifier: Apache-2.0
// A corpus of files: a folder, a pattern such as 'folder/*.txt', or a zip archive, with a document
// in each file. It becomes a table: the file's name, the folder it is in (if there are several),
// and its text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/raw.hpp"

namespace medley::data {

/// Whether a path means several files: a folder, a zip archive, or a pattern that is no file.
[[nodiscard]] bool is_corpus(const std::string& path);

struct DocumentsOptions {
  std::size_t memory_limit = 0;                  ///< bytes; 0: none
  std::vector<std::string>* warnings = nullptr;  ///< files that were left out; null: not wanted
};

/// Rows in the bytewise order of the files' paths. Of a folder or archive, files that end in .txt,
/// .text or .md (also .gz, .zst), or else those without an ending; of a pattern every file. Hidden
/// files are skipped; links to folders are not followed. An empty file is a missing cell. Throws
/// InputError if there is no such file, or one cannot be read.
[[nodiscard]] RawTable read_documents(const std::string& path, const DocumentsOptions& options);

}  // namespace medley::data
